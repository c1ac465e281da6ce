package bench

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bureau/internal/match"
	"bureau/internal/match/fit"
)

// A corpus is the folder where real publishers' files lie, if they are at hand.
// Where there is none, names are made up.
type corpus string

// sharedData is beside this repository and no part of it.
const sharedData corpus = "../shared/data"

// path is where a file of the corpus should be.
func (c corpus) path(name string) string { return filepath.Join(string(c), name) }

// open opens a file, unpacked if need be.
func (c corpus) open(name string) (io.Reader, func(), error) {
	if c == "" {
		return nil, nil, fs.ErrNotExist
	}
	f, err := os.Open(c.path(name))
	if err != nil {
		return nil, nil, err
	}
	if !strings.HasSuffix(name, ".gz") {
		return f, func() { f.Close() }, nil
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return z, func() { f.Close() }, nil
}

// column reads one column of a table with tabs between its columns.
func (c corpus) column(name string, n int) ([]string, error) {
	r, done, err := c.open(name)
	if err != nil {
		return nil, err
	}
	defer done()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	var out []string
	for lines.Scan() {
		if part := strings.Split(lines.Text(), "\t"); n < len(part) {
			out = append(out, part[n])
		}
	}
	return out, lines.Err()
}

// rows reads a table with a heading.
func (c corpus) rows(name string) ([]map[string]string, error) {
	r, done, err := c.open(name)
	if err != nil {
		return nil, err
	}
	defer done()
	table := csv.NewReader(r)
	table.FieldsPerRecord, table.LazyQuotes, table.TrimLeadingSpace = -1, true, true
	all, err := table.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var out []map[string]string
	for _, line := range all[min(1, len(all)):] {
		row := map[string]string{}
		for i, head := range all[0] {
			if i < len(line) {
				row[head] = line[i]
			}
		}
		out = append(out, row)
	}
	return out, nil
}

// companyNames are n names of companies: real ones as far as there are, then made
// up ones. It says which.
func (c corpus) companyNames(n int) (names []string, source string) {
	file := "corpora/de_offeneregister_100k.tsv.gz"
	if n > 100_000 {
		file = "corpora/de_offeneregister_1.2M.tsv.gz"
	}
	if real, err := c.column(file, 1); err == nil && len(real) > 1 {
		names, source = real[1:], "real"
	}
	if len(names) < n {
		source = strings.TrimPrefix(source+" and made up", " and ")
		d := fit.NewDamager(1)
		known := len(names)
		for len(names) < n {
			// New names from the words of old ones are as alike as real ones are.
			if known > 0 {
				a, b := strings.Fields(names[len(names)*7919%known]), strings.Fields(names[len(names)*104_729%known])
				names = append(names, strings.Join(append(slices.Clone(a[:(len(a)+1)/2]), b[len(b)/2:]...), " "))
			} else {
				names = append(names, d.Company())
			}
		}
	}
	return names[:n], source
}

// A labelled is a real pair whose answer is known, and the subject it is about.
type labelled struct {
	fit.Pair
	subject string
}

// held says whether a subject belongs to the half that is only for judging. The
// weights are fitted to made-up pairs alone, but whoever steered the making has
// looked at mistakes in the other half.
func (l labelled) held() bool {
	h := fnv.New32a()
	io.WriteString(h, l.subject)
	return h.Sum32()%2 == 0
}

// aliasPairs are names of the same and of other subjects on sanctions lists.
func aliasPairs() ([]labelled, error) {
	files, err := filepath.Glob(sharedData.path("matching/derived/*.csv.gz"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no labelled pairs in %s", sharedData)
	}
	var out []labelled
	for _, name := range files {
		rel, _ := filepath.Rel(string(sharedData), name)
		r, done, err := sharedData.open(rel)
		if err != nil {
			return nil, err
		}
		table := csv.NewReader(r)
		table.FieldsPerRecord, table.LazyQuotes = -1, true
		rows, err := table.ReadAll()
		done()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", rel, err)
		}
		list, _, _ := strings.Cut(filepath.Base(name), "_")
		for _, row := range rows[1:] {
			if len(row) < 6 {
				continue
			}
			kind := match.Company
			switch strings.ToLower(row[0]) {
			case "person", "individual":
				kind = match.Person
			case "vessel", "aircraft", "ship":
				continue
			}
			out = append(out, labelled{fit.Pair{Kind: kind, A: row[1], B: row[2], Same: row[3] == "true", Class: list}, row[5]})
		}
	}
	return out, nil
}

// scriptPairs are names in another script beside Latin ones, and as many that do
// not belong together.
func scriptPairs() ([]labelled, error) {
	var out []labelled
	for _, script := range []string{"arabic_20", "chinese_20", "hebrew", "katakana_20", "korean", "russian_20"} {
		file := "matching/coling2018/wd_" + script + ".tsv.gz"
		latin, err := sharedData.column(file, 0)
		if err != nil {
			return nil, err
		}
		own, err := sharedData.column(file, 1)
		if err != nil {
			return nil, err
		}
		rng := rand.New(rand.NewPCG(6, uint64(len(latin))))
		for range 2000 {
			i, j := rng.IntN(len(latin)), rng.IntN(len(latin))
			word := own[i]
			other := own[j]
			if strings.HasSuffix(script, "_20") {
				word, other = strings.ReplaceAll(word, " ", ""), strings.ReplaceAll(other, " ", "")
			}
			name, _, _ := strings.Cut(script, "_")
			out = append(out,
				labelled{fit.Pair{Kind: match.Person, A: latin[i], B: word, Same: true, Class: name}, latin[i]},
				labelled{fit.Pair{Kind: match.Person, A: latin[i], B: other, Same: latin[i] == latin[j], Class: name}, latin[i]})
		}
	}
	return out, nil
}

// febrlNames are the people of the Febrl test data, each name once.
func febrlNames() ([]string, error) {
	seen := map[string]bool{}
	for _, file := range []string{"dataset1", "dataset2", "dataset3", "dataset4a"} {
		rows, err := sharedData.rows("matching/febrl/" + file + ".csv.gz")
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			// The others are damaged copies.
			if strings.HasSuffix(r["rec_id"], "-org") && r["given_name"] != "" && r["surname"] != "" {
				seen[r["given_name"]+" "+r["surname"]] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen)), nil
}
