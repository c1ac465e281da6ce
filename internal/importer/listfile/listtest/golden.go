package listtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/importer"
	"bureau/internal/importer/sourcetest"
	"bureau/internal/kyc"
)

// A Source is one of lists.
type Source = importer.Source[kyc.Record]

// A Reading is what came of a file.
type Reading struct {
	Records []kyc.Record
	Bad     []string
	Err     error
}

// Collect reads all of it, as an import does.
func Collect(src Source, in io.Reader, name string) (out Reading) {
	for r, err := range src.Read(in, name) {
		if err == nil {
			err = r.Check()
			if err != nil {
				err = &importer.Bad{Line: int64(len(out.Records) + len(out.Bad) + 1), Err: err}
			}
		}
		var bad *importer.Bad
		switch {
		case errors.As(err, &bad):
			out.Bad = append(out.Bad, bad.Error())
		case err != nil:
			out.Err = err
		default:
			out.Records = append(out.Records, r)
		}
	}
	return out
}

// Open opens files as the command does: packed ones unpacked, and together if
// the source wants them so.
func Open(tb testing.TB, src Source, paths ...string) io.ReadCloser {
	tb.Helper()
	var all []importer.File
	for _, p := range paths {
		files, err := importer.Files(p, nil)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, files...)
	}
	if src.Together {
		return importer.NewSet(all)
	}
	in, err := all[0].Open(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

// Golden reads files in testdata and compares what they say, bad records too,
// with the first one's name and .golden behind it. BUREAU_UPDATE=1 writes that
// file instead.
func Golden(t *testing.T, src Source, files ...string) {
	t.Helper()
	var paths []string
	for _, f := range files {
		paths = append(paths, filepath.Join("testdata", f))
	}
	in := Open(t, src, paths...)
	defer in.Close()
	got := told(Collect(src, in, files[0]))
	golden := paths[0] + ".golden"
	if os.Getenv("BUREAU_UPDATE") == "1" {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatalf("%v; BUREAU_UPDATE=1 writes it", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is not what it was (-want +got):\n%s", files[0], diff)
	}
}

// told is a reading as text for people.
func told(r Reading) string {
	var b strings.Builder
	for _, rec := range r.Records {
		fmt.Fprintf(&b, "%s %s", rec.List, rec.Number)
		if rec.AsOf != "" {
			fmt.Fprintf(&b, " as of %s", rec.AsOf)
		}
		if rec.Gone {
			b.WriteString(" gone\n\n")
			continue
		}
		line, err := json.MarshalIndent(rec.Entry, "  ", "  ")
		if err != nil {
			line = []byte(err.Error())
		}
		fmt.Fprintf(&b, "\n  %s\n\n", line)
	}
	for _, bad := range r.Bad {
		fmt.Fprintf(&b, "bad %s\n", bad)
	}
	if r.Err != nil {
		fmt.Fprintf(&b, "error %v\n", r.Err)
	}
	return b.String()
}

// Sample checks that a source can read its own sample, and says of itself what
// it must.
func Sample(t *testing.T, src Source) {
	t.Helper()
	r := Collect(src, strings.NewReader(src.Sample), "sample")
	if r.Err != nil || len(r.Bad) > 0 || len(r.Records) == 0 {
		t.Errorf("the sample of %s: %d records, bad %v, error %v", src.Name, len(r.Records), r.Bad, r.Err)
	}
	if src.Name == "" || src.Title == "" || src.Licence == "" {
		t.Errorf("%q does not say what it is and under which licence it comes", src.Name)
	}
	for _, rec := range r.Records {
		if len(rec.Sources) == 0 || rec.Sources[0].Title == "" || rec.Sources[0].Link == "" {
			t.Errorf("%s names no source: %+v", rec.Number, rec.Sources)
		}
	}
}

// CutShort reads a file cut at many places. Where something is missing the
// reading must end with importer.ErrCutShort, unless the cut is between two
// lines of a file that nothing ends.
func CutShort(t *testing.T, src Source, name, text string) {
	t.Helper()
	whole := Collect(src, strings.NewReader(text), name)
	if whole.Err != nil {
		t.Fatalf("%s: %v", name, whole.Err)
	}
	step := 1 + len(text)/1500 // every byte of a long file would tell no more
	for n := range text {
		if n%step != 0 && !strings.ContainsAny(text[max(0, n-2):min(len(text), n+2)], "\n") {
			continue
		}
		cut := Collect(src, strings.NewReader(text[:n]), name)
		if len(cut.Records) > len(whole.Records) {
			t.Fatalf("cut at %d: %d records, of %d", n, len(cut.Records), len(whole.Records))
		}
		rest := strings.TrimSpace(text[n:])
		between := n > 0 && text[n-1] == '\n' && !strings.HasPrefix(text, "<") || rest == "" ||
			text[n] == '\n' && strings.HasPrefix(text, "{") // an object ends where it ends
		if !errors.Is(cut.Err, importer.ErrCutShort) && !between {
			t.Fatalf("cut before %.60q: got %v, want it to be noticed", rest, cut.Err)
		}
	}
}

// Robust feeds a source anything, beginning with its sample and what is in
// testdata: it must neither panic nor loop.
func Robust(f *testing.F, src Source, seeds ...string) {
	f.Add([]byte(src.Sample), "sample.xml")
	for name, text := range sourcetest.Fixtures(f) {
		f.Add(text, name)
	}
	for _, s := range seeds {
		f.Add([]byte(s), "seed.csv")
	}
	f.Fuzz(func(t *testing.T, in []byte, name string) {
		for _, r := range Collect(src, bytes.NewReader(in), name).Records {
			if r.Number == "" || len(r.Names) == 0 && !r.Gone {
				t.Errorf("an entry without a number or a name: %+v", r)
			}
		}
	})
}
