package csvfile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"bureau/internal/importer"
	"bureau/internal/importer/csvfile"
)

// told is what a file comes to.
func told(text string) string {
	var b strings.Builder
	for r, err := range csvfile.Rows(iotest.OneByteReader(strings.NewReader(text)), []string{"id", "name"}, []string{"id"}) {
		var bad *importer.Bad
		switch {
		case errors.As(err, &bad):
			fmt.Fprintf(&b, "[bad %v]", bad)
		case err != nil:
			fmt.Fprintf(&b, "[%v]", err)
		default:
			fmt.Fprintf(&b, "[%d %s %s]", r.Line, r.At("id"), r.At("name"))
		}
	}
	return b.String()
}

func TestRows(t *testing.T) {
	for text, want := range map[string]string{
		"id,name\n1,a\n2,b\n":        "[2 1 a][3 2 b]",
		"\ufeffNAME, Id \nb, 2 \n":   "[2 2 b]",
		"id\n1\n":                    "[2 1 ]",
		"id,name\n1,\"a\nb\"\n2,c\n": "[2 1 a\nb][4 2 c]",
		"id,name\n1\n2,b\n":          "[bad line 2: it has 1 columns and the first line 2][3 2 b]",
		"id,name\n1,a\"b\n2,b\n":     "[bad line 2: bare \" in non-quoted-field][3 2 b]",
		"id,name\n1,a\n2,b":          "[2 1 a][the file is cut short: its last line has no end]",
		"id,name\n1,a\n\"2":          "[2 1 a][the file is cut short: it ends inside a quote]",
		"id,na":                      "[the file is cut short: its first line has no end]",
		"":                           "[the file is cut short: there is nothing in it]",
		"id,colour\n1,a\n":           `[the first line does not name its columns: there is no column "colour"; the columns are id, name]`,
		"id,ID\n1,a\n":               "[the first line names the column id twice]",
		"name\na\n":                  "[the first line does not name the column id; the columns are id, name]",
		"id,name\r\n1,a\r\n2,b\r\n":  "[2 1 a][3 2 b]",
		"id,name\n\n1,a\n":           "[3 1 a]",
	} {
		if got := told(text); got != want {
			t.Errorf("%q\ngot  %s\nwant %s", text, got, want)
		}
	}
}
