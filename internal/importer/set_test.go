package importer_test

import (
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bureau/internal/importer"
)

// Files that belong together are read as one set, in the order in which they
// were named, and progress counts the bytes of all.
func TestFilesThatBelongTogetherAreReadTogether(t *testing.T) {
	dir := t.TempDir()
	var files []importer.File
	for name, text := range map[string]string{"a.txt": "one", "b.txt": "two"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"b.txt", "a.txt"} {
		more, err := importer.Files(filepath.Join(dir, name), nil)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	src := importer.Source[string]{Name: "set", Together: true, Read: func(r io.Reader, _ string) iter.Seq2[string, error] {
		return func(yield func(string, error) bool) {
			set := r.(*importer.Set)
			for {
				name, err := set.Next()
				if errors.Is(err, io.EOF) {
					return
				}
				b, err2 := io.ReadAll(set)
				if !yield(name+"="+string(b), errors.Join(err, err2)) {
					return
				}
			}
		}
	}}
	var last importer.Progress
	sink := &basket{}
	report, err := importer.Run(t.Context(), src, files, sink, importer.Options{
		Now: time.Now, Progress: func(p importer.Progress) { last = p },
	})
	if err != nil || report.Records != 2 || strings.Join(sink.got, " ") != "b.txt=two a.txt=one" {
		t.Errorf("%v, %+v (%v)", sink.got, report, err)
	}
	if last.Read != 6 || last.Size != 6 {
		t.Errorf("progress: %+v, want 6 bytes of 6", last)
	}
}
