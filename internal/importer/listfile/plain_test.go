package listfile_test

import (
	"compress/gzip"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"bureau/internal/kyc"
)

// A census is what a list comes to. What a plain reading cannot tell is -1.
type census struct{ entries, people, names, born int }

func (c *census) add(e kyc.Entry) {
	if e.Kind == kyc.Person {
		c.people++
	}
	c.names += len(e.Names)
	if len(e.Born) > 0 {
		c.born++
	}
}

// fixed is a count that was made by eye.
func fixed(entries, names int) func(*testing.T, []string) census {
	return func(*testing.T, []string) census { return census{entries, -1, names, -1} }
}

func slurp(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func table(t *testing.T, text string, comma rune) [][]string {
	t.Helper()
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = comma, -1, true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func plainOFAC(t *testing.T, paths []string) (c census) {
	for i, path := range paths {
		for _, row := range table(t, strings.TrimRight(string(slurp(t, path)), "\x1a"), ',') {
			switch i {
			case 0:
				c.entries++
				if row[2] == "individual" {
					c.people++
				}
				for _, clause := range strings.Split(row[11], "; ") {
					if strings.HasPrefix(clause, "DOB ") {
						c.born++
						break
					}
				}
			}
		}
	}
	c.names = c.entries
	return c
}

// elements counts how often each path occurs, and calls visit for the text of
// each element that holds nothing but text.
func elements(t *testing.T, text []byte, visit func(path, text string)) map[string]int {
	t.Helper()
	count := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(string(text)))
	var path []string
	chars := ""
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return count
		}
		if err != nil {
			t.Fatal(err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			path = append(path, tok.Name.Local)
			count[strings.Join(path, "/")]++
			chars = ""
		case xml.CharData:
			chars += string(tok)
		case xml.EndElement:
			if visit != nil {
				visit(strings.Join(path, "/"), strings.TrimSpace(chars))
			}
			chars = ""
			path = path[:len(path)-1]
		}
	}
}

func plainOFACXML(t *testing.T, paths []string) (c census) {
	people := 0
	n := elements(t, slurp(t, paths[0]), func(path, text string) {
		if path == "sdnList/sdnEntry/sdnType" && text == "Individual" {
			people++
		}
	})
	return census{n["sdnList/sdnEntry"], people, n["sdnList/sdnEntry"], n["sdnList/sdnEntry/dateOfBirthList"]}
}

func plainUN(t *testing.T, paths []string) census {
	n := elements(t, slurp(t, paths[0]), nil)
	people := n["CONSOLIDATED_LIST/INDIVIDUALS/INDIVIDUAL"]
	all := people + n["CONSOLIDATED_LIST/ENTITIES/ENTITY"]
	return census{all, people, all, -1}
}

// unRecords are the records of the list as text, by their reference numbers.
func unRecords(t *testing.T, path string) map[string]string {
	out := map[string]string{}
	text, number := "", ""
	elements(t, slurp(t, path), func(path, s string) {
		switch {
		case strings.HasSuffix(path, "/REFERENCE_NUMBER"):
			number = s
		case strings.HasSuffix(path, "S/INDIVIDUAL"), strings.HasSuffix(path, "S/ENTITY"), strings.HasSuffix(path, "IES/ENTITY"):
			out[number], text = text, ""
			return
		}
		if !strings.Contains(path, "SORT_KEY") && !strings.Contains(path, "VERSIONNUM") {
			text += path + "=" + s + ";"
		}
	})
	return out
}

func plainOFSI(t *testing.T, paths []string) (c census) {
	rows := ofsiRows(t, paths[0])
	at := map[string]int{}
	for i, name := range rows[1] {
		at[name] = i
	}
	people, born, all := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range rows[2:] {
		id := r[at["Group ID"]]
		all[id] = true
		if r[at["Group Type"]] == "Individual" {
			people[id] = true
		}
		if len(r[at["DOB"]]) == 10 {
			born[id] = true
		}
	}
	return census{len(all), len(people), len(all), len(born)}
}

func ofsiRows(t *testing.T, path string) [][]string {
	text, err := charmap.Windows1252.NewDecoder().Bytes(slurp(t, path))
	if err != nil {
		t.Fatal(err)
	}
	return table(t, string(text), ',')
}

// ofsiGroups are the rows of each group as text, in an order of their own.
func ofsiGroups(t *testing.T, path string) map[string]string {
	groups := map[string][]string{}
	for _, r := range ofsiRows(t, path)[2:] {
		id := r[len(r)-1]
		groups[id] = append(groups[id], strings.Join(r, "|"))
	}
	out := map[string]string{}
	for id, rows := range groups {
		sort.Strings(rows)
		out[id] = strings.Join(rows, "\n")
	}
	return out
}

func plainCanada(t *testing.T, paths []string) census {
	n := elements(t, slurp(t, paths[0]), nil)
	people := n["data-set/record/LastName"]
	return census{n["data-set/record"], people, n["data-set/record"], -1}
}

// plainBIS counts orders: a name and the day that the order began.
func plainBIS(t *testing.T, paths []string) census {
	orders := map[string]bool{}
	for _, r := range table(t, string(slurp(t, paths[0])), '\t')[1:] {
		orders[fmt.Sprint(strings.TrimSpace(r[0]), r[6])] = true
	}
	return census{len(orders), 0, len(orders), 0}
}
