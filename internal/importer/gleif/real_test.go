package gleif

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/sourcetest"
)

// What a file says it holds, counted by its tags alone.
var realRecord = regexp.MustCompile(`<(lei:LEIRecord|rr:RelationshipRecord|repex:Exception)[ >]|"LEI": \{`)

func TestRealFiles(t *testing.T) {
	dir := sourcetest.Shared(t, "registers", "gleif")
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	wanted := regexp.MustCompile(`\.xml(\.gz)?$|goldencopy.*\.json`)
	read := 0
	for _, path := range files {
		name := filepath.Base(path)
		if !wanted.MatchString(name) {
			continue
		}
		read++
		src := LEI
		if name[:2] == "rr" || name[:2] == "re" {
			src = Relationships
		}
		raw := plain(t, path)
		want := len(realRecord.FindAll(raw, -1))
		opened, err := importer.Files(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range opened {
			r, err := f.Open(nil)
			if err != nil {
				t.Fatal(err)
			}
			n, gone, numbered := judge(t, name, src, r)
			r.Close()
			if n != want || n == 0 {
				t.Errorf("%s: %d statements, but %d records", name, n, want)
			}
			t.Logf("%s: %d records, %d gone, %d with a national number", name, n, gone, numbered)
		}
		packed(t, name, src, raw, want)
	}
	if read < 11 {
		t.Errorf("only %d files were read", read)
	}
}

// judge reads a file. The excerpts have the header of the file that they were
// taken from, and so fewer records than it promises: that alone may be wrong.
func judge(t *testing.T, name string, src importer.Source[company.Statement], r io.Reader) (n, gone, numbered int) {
	t.Helper()
	for s, err := range src.Read(r, name) {
		if err != nil {
			var bad *importer.Bad
			if !errors.As(err, &bad) || !errors.Is(err, importer.ErrCutShort) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		n++
		if s.Gone {
			gone++
		}
		if s.Number != "" {
			numbered++
		}
		if src.Name == LEI.Name && !s.Gone {
			f := s.Facts
			if s.Country == "" || f.Name == "" || f.LEIStatus == "" || f.LEIRenewal == "" || len(f.Addresses) != 2 || len(f.Addresses[0].Lines) == 0 {
				t.Errorf("%s: something is missing in %+v", name, s)
			}
		}
		if src.Name == Relationships.Name && (s.Part == "" || !s.Gone && len(s.Facts.Links) != 1) {
			t.Errorf("%s: something is missing in %+v", name, s)
		}
	}
	return n, gone, numbered
}

func plain(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(path) != ".gz" {
		return b
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if b, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return b
}

// packed reads the same file in a zip and, whole and cut, in a gzip.
func packed(t *testing.T, name string, src importer.Source[company.Statement], raw []byte, want int) {
	t.Helper()
	var zipped, gzipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	member, err := z.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	g := gzip.NewWriter(&gzipped)
	for _, w := range []io.Writer{member, g} {
		if _, err := w.Write(raw); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), g.Close()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ext   string
		data  []byte
		whole bool
	}{
		{".zip", zipped.Bytes(), true},
		{".gz", gzipped.Bytes(), true},
		{".gz", gzipped.Bytes()[:gzipped.Len()/2], false},
	} {
		path := filepath.Join(t.TempDir(), "file"+c.ext)
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		opened, err := importer.Files(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := opened[0].Open(nil)
		if err != nil {
			t.Fatal(err)
		}
		n, cut := 0, false
		for _, err := range src.Read(r, opened[0].Name) {
			var bad *importer.Bad
			switch {
			case err == nil:
				n++
			case errors.As(err, &bad):
			default:
				cut = errors.Is(err, importer.ErrCutShort)
			}
		}
		r.Close()
		if cut == c.whole || c.whole && n != want {
			t.Errorf("%s as %d bytes of %s: %d of %d records, cut short %v", name, len(c.data), c.ext, n, want, cut)
		}
	}
}
