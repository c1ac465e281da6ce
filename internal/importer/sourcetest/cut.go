package sourcetest

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bureau/internal/importer"
)

// CutShort reads testdata/file cut here and there, and around every end of a
// record. What is said of a cut file
// must be what is said of the whole one, up to there; and where something is
// missing, the reading must end with importer.ErrCutShort, unless the cut is
// between two lines and nothing tells it from an end.
func CutShort(t *testing.T, src Source, file string) {
	t.Helper()
	in := open(t, "testdata/"+file)
	defer in.Close()
	all, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	whole := Collect(src, bytes.NewReader(all), file)
	if whole.Err != nil {
		t.Fatalf("%s: %v", file, whole.Err)
	}
	const step = 5 // every byte would take long, and tell no more
	for n := range all {
		if n%step != 0 && !bytes.ContainsAny(all[max(0, n-2):min(len(all), n+2)], "\n]") {
			continue
		}
		cut := Collect(src, bytes.NewReader(all[:n]), file)
		if len(cut.Statements) > len(whole.Statements) {
			t.Fatalf("cut at %d: %d statements, of %d", n, len(cut.Statements), len(whole.Statements))
		}
		if errors.Is(cut.Err, importer.ErrCutShort) {
			if diff := cmp.Diff(whole.Statements[:len(cut.Statements)], cut.Statements, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("cut at %d says something else (-want +got):\n%s", n, diff)
			}
			continue
		}
		rest := bytes.TrimSpace(all[n:])
		between := n == 0 || all[n-1] == '\n' || all[n] == '\n' || all[n] == '\r' || len(rest) == 0
		if cut.Err != nil || !between {
			t.Fatalf("cut at %d, before %.40q: got %v, want it to be noticed", n, rest, cut.Err)
		}
	}
}

// Robust feeds a source anything, beginning with its sample and what is in
// testdata: it must neither panic nor loop.
func Robust(f *testing.F, src Source, seeds ...string) {
	f.Add([]byte(src.Sample), "sample")
	for name, text := range Fixtures(f) {
		f.Add(text, name)
	}
	for _, s := range seeds {
		f.Add([]byte(s), "seed")
	}
	f.Fuzz(func(t *testing.T, in []byte, name string) {
		read := Collect(src, bytes.NewReader(in), name)
		for _, s := range read.Statements {
			if s.Number == "" && s.LEI == "" && s.VAT == "" {
				t.Errorf("a statement names no company: %+v", s)
			}
			if s.Number != "" && len(s.Country) != 2 {
				t.Errorf("a number without a country: %+v", s)
			}
		}
	})
}

// Fixtures are the publisher's files in testdata, made up and short. What is
// packed is left as it is: it has to be unpacked before a source reads it.
func Fixtures(tb testing.TB) iter.Seq2[string, []byte] {
	tb.Helper()
	found, err := os.ReadDir("testdata")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		tb.Fatal(err)
	}
	const most = 32 << 10 // a longer one is slow to change, and tells no more
	return func(yield func(string, []byte) bool) {
		for _, f := range found {
			if f.IsDir() || filepath.Ext(f.Name()) == ".golden" {
				continue
			}
			text, err := os.ReadFile(filepath.Join("testdata", f.Name()))
			if err != nil {
				tb.Fatal(err)
			}
			if len(text) <= most && !yield(f.Name(), text) {
				return
			}
		}
	}
}
