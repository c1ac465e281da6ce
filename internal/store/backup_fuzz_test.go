package store

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"testing"
)

// A pile takes all that is in a backup, as a restore does before it writes.
type pile struct{ rows int64 }

func (h *pile) begin(tableLine) error  { h.rows = 0; return nil }
func (h *pile) end(tableEndLine) error { return nil }
func (h *pile) row(line []byte) error {
	h.rows++
	_, err := readRow(line)
	return err
}

// FuzzReadBackup holds that whatever stands in a file, packed or not, reading it
// as a backup ends, and that it is one only to its last line.
func FuzzReadBackup(f *testing.F) {
	head := `{"format":"bureau backup","number":1,"schema":1,"made":"2026-03-01T12:00:00Z"}` + "\n"
	rows := "[1001,\"Acme\"]\n[1002,{\"x\":\"AA==\"}]\n"
	table := `{"table":"customer","columns":["id","name"]}` + "\n" + rows + fmt.Sprintf(`{"rows":2,"sha256":"%x"}`, sha256.Sum256([]byte(rows))) + "\n"
	end := fmt.Sprintf(`{"end":"bureau backup","tables":1,"rows":2,"sha256":"%x"}`, sha256.Sum256([]byte(head+table))) + "\n"
	if _, err := read([]byte(head+table+end), true); err != nil {
		f.Fatalf("the seed is no backup: %v", err)
	}
	for _, seed := range []string{head + table + end, head + table, head + end, head, head + "[1", head + table + end + "x", "{}", "\n\n", ""} {
		f.Add([]byte(seed), true)
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, pack bool) {
		if end, err := read(text, pack); err == nil && (end.End != backupFormat || pack && !bytes.HasSuffix(text, []byte("\n"))) {
			t.Errorf("%q is a backup: %+v", text, end)
		}
	})
}

// read reads a backup, which is packed first if it is not: else nearly nothing
// gets past the packing.
func read(text []byte, pack bool) (end endLine, err error) {
	if pack {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(text); err != nil {
			return end, err
		}
		if err := z.Close(); err != nil {
			return end, err
		}
		text = b.Bytes()
	}
	in, _, err := readBackup(bytes.NewReader(text))
	if err != nil {
		return end, err
	}
	return in.tables(func(error) bool { return false }, new(pile))
}
