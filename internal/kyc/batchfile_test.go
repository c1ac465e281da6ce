package kyc

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"bureau/internal/fault"
)

// FuzzBatchFile holds that whatever is uploaded, reading it ends with rows or
// with words for its sender, and says the same in pieces as at once.
func FuzzBatchFile(f *testing.F) {
	for _, seed := range []string{
		string(BatchTemplate()), "type,name\nperson,Ada Example\n", "\ufefftype;firstName;lastName\r\nperson;Ada;Example\r\n",
		"type,name\n\n ,\nbusiness,\"A\nB\"\n", "type,type,name\n", "type,name\nperson,\xff\n", "type,name\nperson,\"a", ";\n", "",
		"type,name\na,b,c,d,e\nperson\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		rows, err := readBatch(bytes.NewReader(file))
		again, err2 := readBatch(iotest.HalfReader(bytes.NewReader(file)))
		if len(rows) != len(again) || (err == nil) != (err2 == nil) {
			t.Fatalf("in pieces it is another file: %d rows (%v), %d rows (%v)", len(rows), err, len(again), err2)
		}
		if _, told := fault.Of(err); err != nil && !told {
			t.Fatalf("its sender is not told: %v", err)
		}
		for i, r := range rows {
			if r.Number != int64(i+1) || r.Line < 2 || i > 0 && r.Line <= rows[i-1].Line {
				t.Fatalf("row %d is number %d of line %d", i+1, r.Number, r.Line)
			}
			for _, c := range batchColumns {
				if cell := *c.of(&r.Asked); !utf8.ValidString(cell) || cell != strings.TrimSpace(cell) {
					t.Fatalf("row %d: %s is %q", i+1, c.name, cell)
				}
			}
			if again[i].Asked != r.Asked {
				t.Fatalf("in pieces row %d asks %+v, not %+v", i+1, again[i].Asked, r.Asked)
			}
		}
	})
}
