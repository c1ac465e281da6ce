package sourcetest

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

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/lines"
)

// A Source is one of companies.
type Source = importer.Source[company.Statement]

// Golden reads testdata/file and compares what it says, bad records too, with
// testdata/file.golden. BUREAU_UPDATE=1 writes that file instead.
func Golden(t *testing.T, src Source, file string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	in := open(t, path)
	defer in.Close()
	got := Told(src, in, file)
	golden := path + ".golden"
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
		t.Errorf("%s is not what it was (-want +got):\n%s", file, diff)
	}
}

// open opens a file as the command does: what is packed is unpacked.
func open(tb testing.TB, path string) io.ReadCloser {
	tb.Helper()
	files, err := importer.Files(path, nil)
	if err != nil {
		tb.Fatal(err)
	}
	in, err := files[0].Open(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

// Told is all that a source makes of a file, as text for people.
func Told(src Source, in io.Reader, name string) string {
	var b strings.Builder
	for s, err := range src.Read(in, name) {
		var bad *importer.Bad
		switch {
		case errors.As(err, &bad):
			fmt.Fprintf(&b, "bad %v\n  | %s\n\n", bad, strings.ReplaceAll(bad.Raw, "\n", "\n  | "))
		case err != nil:
			fmt.Fprintf(&b, "error %v\n", err)
		default:
			tell(&b, s)
		}
	}
	return b.String()
}

func tell(b *strings.Builder, s company.Statement) {
	fmt.Fprintf(b, "%s %s", s.Country, s.Number)
	for _, p := range [][2]string{{"lei", s.LEI}, {"vat", s.VAT}, {"part", s.Part}} {
		if p[1] != "" {
			fmt.Fprintf(b, " %s=%s", p[0], p[1])
		}
	}
	if s.Gone {
		b.WriteString(" gone")
	}
	b.WriteString("\n")
	line, err := lines.Marshal(company.Statement{Facts: s.Facts})
	if err != nil {
		fmt.Fprintf(b, "  %v\n\n", err)
		return
	}
	var pretty bytes.Buffer
	if json.Indent(&pretty, line, "  ", "  ") == nil && !s.Gone {
		fmt.Fprintf(b, "  %s\n", &pretty)
	}
	b.WriteString("\n")
}

// Sample checks that a source can read its own sample, and that it says what
// it needs to say of itself.
func Sample(t *testing.T, src Source) {
	t.Helper()
	read := Collect(src, strings.NewReader(src.Sample), "sample")
	if read.Err != nil || len(read.Bad) > 0 || len(read.Statements) == 0 {
		t.Errorf("the sample of %s: %d statements, bad %v, error %v", src.Name, len(read.Statements), read.Bad, read.Err)
	}
	if src.Name == "" || src.Title == "" || src.Licence == "" {
		t.Errorf("%q does not say what it is and under which licence it comes", src.Name)
	}
	for _, s := range read.Statements {
		if s.Facts.Name == "" && !s.Facts.Withheld && s.Part == "" {
			t.Errorf("the sample of %s names nobody: %+v", src.Name, s)
		}
	}
}

// A Reading is what came of a file.
type Reading struct {
	Statements []company.Statement
	Bad        []*importer.Bad
	Err        error
}

// Collect reads a whole file.
func Collect(src Source, in io.Reader, name string) Reading {
	var out Reading
	for s, err := range src.Read(in, name) {
		var bad *importer.Bad
		switch {
		case errors.As(err, &bad):
			out.Bad = append(out.Bad, bad)
		case err != nil:
			out.Err = err
		default:
			out.Statements = append(out.Statements, s)
		}
	}
	return out
}
