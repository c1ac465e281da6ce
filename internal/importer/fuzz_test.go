package importer

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// FuzzFiles holds that whatever stands in a file, packed or not, opening it and
// reading what it holds ends, and that all of a plain file comes out of it.
func FuzzFiles(f *testing.F) {
	var gz, zipped, twice bytes.Buffer
	w := gzip.NewWriter(&gz)
	_, _ = w.Write([]byte("a,b\n1,2\n"))
	_ = w.Close()
	z := zip.NewWriter(&zipped)
	for _, name := range []string{"b.csv", "a/.hidden", "a/a.csv"} {
		m, err := z.Create(name)
		if err != nil {
			f.Fatal(err)
		}
		_, _ = m.Write([]byte("x\n"))
	}
	_ = z.Close()
	z = zip.NewWriter(&twice)
	m, err := z.Create("inner.gz")
	if err != nil {
		f.Fatal(err)
	}
	_, _ = m.Write(gz.Bytes())
	_ = z.Close()
	for _, seed := range [][]byte{
		gz.Bytes(), zipped.Bytes(), twice.Bytes(), gz.Bytes()[:12], zipped.Bytes()[:40], []byte("BZh91AY&SY"), []byte("PK\x05\x06"),
		[]byte("plain\n"), nil,
	} {
		f.Add(seed, "file")
		f.Add(seed, "file.zip")
	}
	const most = 1 << 20 // what is packed may be a thousand times as large
	f.Fuzz(func(t *testing.T, b []byte, name string) {
		if name != "file.zip" && name != "file.gz" {
			name = "file"
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		files, err := Files(path, nil)
		if err != nil {
			return
		}
		for _, one := range files {
			in, err := one.Open(nil)
			if err != nil {
				continue
			}
			got, err := io.ReadAll(io.LimitReader(in, most))
			if _, packed := in.(*packed); !packed {
				t.Errorf("%s is read as %T", one.Name, in)
			}
			if err == nil && len(files) == 1 && plain(b) && !bytes.Equal(got, b) {
				t.Errorf("%q comes out as %q", b, got)
			}
			in.Close()
		}
	})
}

// plain reports whether a file is none of those that are unpacked.
func plain(b []byte) bool {
	for _, head := range []string{"\x1f\x8b", "BZh", "PK"} {
		if bytes.HasPrefix(b, []byte(head)) {
			return false
		}
	}
	return true
}
