package csvfile_test

import (
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"bureau/internal/importer/csvfile"
)

// FuzzRows holds that whatever a file says, reading it ends, lines come in their
// order, and the same comes out in pieces as at once.
func FuzzRows(f *testing.F) {
	for _, seed := range []string{
		"number,name\n1,A\n2,B\n", "name,number\r\n\"A \"\"B\"\"\",1\r\n", "number\n1\n1,2\n\"", "number,number\n", "\ufeffnumber,name\n,\n",
		"number,other\n", "number\n1", "", "\n\n", "number\n\"1\n2\"\n3\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read := func(pieces bool) (said []string) {
			in := csvfile.Rows(strings.NewReader(text), []string{"number", "name"}, []string{"number"})
			if pieces {
				in = csvfile.Rows(iotest.HalfReader(strings.NewReader(text)), []string{"number", "name"}, []string{"number"})
			}
			var line int64
			for row, err := range in {
				if err != nil {
					said = append(said, err.Error())
					continue
				}
				if row.Line <= line {
					t.Fatalf("line %d comes after line %d", row.Line, line)
				}
				line = row.Line
				said = append(said, row.At("number")+"\x00"+row.At("name"))
			}
			return said
		}
		if whole, pieces := read(false), read(true); !slices.Equal(whole, pieces) {
			t.Fatalf("in pieces it is another file:\n%q\n%q", whole, pieces)
		}
	})
}
