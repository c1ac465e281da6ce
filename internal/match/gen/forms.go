package main

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"bureau/internal/match"
)

// The columns of the ISO 20275 list that we read.
const (
	elfCountry      = 2
	elfLanguage     = 7
	elfName         = 5
	elfTranslit     = 8
	elfShort        = 9
	elfShortRoman   = 10
	elfColumns      = 11
	longestFormName = 7 // words; beyond that it is a description, not a name
)

// forms writes the long names of legal forms whose abbreviations forms.txt knows:
// a law has many names, its abbreviation one.
func forms(w io.Writer, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	text := bufio.NewReader(f)
	if mark, err := text.Peek(3); err == nil && string(mark) == "\ufeff" {
		text.Discard(len(mark))
	}
	rows, err := csv.NewReader(text).ReadAll()
	if err != nil {
		return err
	}
	found := map[string]string{}
	for _, row := range rows[1:] {
		// Where any corporation may end in any abbreviation, one does not tell the form.
		if len(row) < elfColumns || row[elfCountry] == "US" || row[elfCountry] == "CA" || row[elfLanguage] == "en" {
			continue
		}
		shown, ok := "", false
		for _, short := range strings.FieldsFunc(row[elfShort]+";"+row[elfShortRoman], func(r rune) bool { return r == ';' || r == ',' || r == '/' }) {
			if shown, ok = match.FormOf(short); ok {
				break
			}
		}
		if !ok {
			continue
		}
		for _, name := range []string{row[elfName], row[elfTranslit]} {
			words := match.Read(match.Person, name).Words()
			long := strings.Join(words, " ")
			if len(words) == 0 || len(words) > longestFormName || len(long) < 10 {
				continue
			}
			if _, known := match.FormOf(long); !known {
				found[long] = shown
			}
		}
	}
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(found[a], found[b]), cmp.Compare(a, b)) })
	fmt.Fprintln(w, "# Made by internal/match/gen from ISO 20275: long names of the forms in forms.txt.")
	for _, name := range names {
		fmt.Fprintf(w, "%s\t%s\n", found[name], name)
	}
	return nil
}
