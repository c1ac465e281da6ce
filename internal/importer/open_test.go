package importer_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bureau/internal/importer"
)

const threeLines = "one\ntwo\nthree\n"

// gzipped packs a text; several in a row are one file, as some publishers do.
func gzipped(t *testing.T, texts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, text := range texts {
		w := gzip.NewWriter(&b)
		_, err := io.WriteString(w, text)
		if err := errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// bzipped is threeLines: the standard library only reads what bzip2 packs.
var bzipped, _ = base64.StdEncoding.DecodeString("QlpoOTFBWSZTWQh7fdcAAATBgAAQAkGUgCAAMQwIIaPUyIVHMjio8XckU4UJAIe33XA=")

type memberFile struct {
	name string
	body []byte
}

func zipped(t *testing.T, members ...memberFile) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		w, err := z.Create(m.name)
		if err == nil {
			_, err = w.Write(m.body)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func put(t *testing.T, name string, body []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// readThrough reads all files at a path, each as its name and what is in it,
// and counts what was read of what there is.
func readThrough(path string, stdin io.Reader) (got []string, read, size int64, err error) {
	files, err := importer.Files(path, stdin)
	if err != nil {
		return nil, 0, 0, err
	}
	for _, f := range files {
		size += f.Size
		in, err := f.Open(func(n int64) { read += n })
		if err != nil {
			return got, read, size, err
		}
		b, err := io.ReadAll(in)
		err = errors.Join(err, in.Close())
		got = append(got, f.Name+"="+string(b))
		if err != nil {
			return got, read, size, err
		}
	}
	return got, read, size, nil
}

func TestFilesAreReadAsTheyCome(t *testing.T) {
	one, two := []byte("one\n"), []byte("two\n")
	for _, test := range []struct {
		what, name string
		body       []byte
		want       []string
	}{
		{"a plain file", "list.csv", []byte(threeLines), []string{"list.csv=" + threeLines}},
		{"an empty file", "list.csv", nil, []string{"list.csv="}},
		{"a file of one byte", "list.csv", []byte{0x1f}, []string{"list.csv=\x1f"}},
		{"gzip", "list.csv.gz", gzipped(t, threeLines), []string{"list.csv=" + threeLines}},
		{"gzip in two pieces", "list.csv.gz", gzipped(t, "one\n", "two\n"), []string{"list.csv=one\ntwo\n"}},
		{"gzip under another name", "list.csv", gzipped(t, threeLines), []string{"list.csv=" + threeLines}},
		{"a plain file called .gz", "list.csv.gz", []byte(threeLines), []string{"list.csv=" + threeLines}},
		{"bzip2", "list.csv.bz2", bzipped, []string{"list.csv=" + threeLines}},
		{"bzip2 under another name", "list", bzipped, []string{"list=" + threeLines}},
		{"a zip of one", "list.zip", zipped(t, memberFile{"list.csv", one}), []string{"list.csv=one\n"}},
		{"a zip under another name", "download", zipped(t, memberFile{"list.csv", one}), []string{"list.csv=one\n"}},
		{
			"a zip of several, in the order of their names", "list.ZIP",
			zipped(t, memberFile{"b.csv", two}, memberFile{"dir/", nil}, memberFile{"dir/a.csv", one}, memberFile{"c.csv", nil}),
			[]string{"a.csv=one\n", "b.csv=two\n", "c.csv="},
		},
		{
			"a zip with what some systems add", "list.zip",
			zipped(t, memberFile{"list.csv", one}, memberFile{"__MACOSX/._list.csv", two}, memberFile{".DS_Store", two}),
			[]string{"list.csv=one\n"},
		},
		{
			"a zip with paths that lead elsewhere and names that come twice", "list.zip",
			zipped(t, memberFile{"/abs.csv", one}, memberFile{"../up.csv", two}, memberFile{"x/same.csv", one}, memberFile{"y/same.csv", two}),
			[]string{"abs.csv=one\n", "same.csv=one\n", "same.csv=two\n", "up.csv=two\n"},
		},
		{
			"gzip inside a zip", "list.zip",
			zipped(t, memberFile{"list.csv.gz", gzipped(t, threeLines)}),
			[]string{"list.csv=" + threeLines},
		},
	} {
		t.Run(test.what, func(t *testing.T) {
			path := put(t, test.name, test.body)
			for range 2 { // whole lists are read twice
				got, read, size, err := readThrough(path, nil)
				if err != nil || !slices.Equal(got, test.want) {
					t.Errorf("got %q (%v), want %q", got, err, test.want)
				}
				if read != size {
					t.Errorf("counted %d bytes of %d", read, size)
				}
			}
		})
	}
}

func TestStandardInputIsReadAsItComes(t *testing.T) {
	for what, body := range map[string][]byte{"plain": []byte(threeLines), "gzip": gzipped(t, threeLines), "bzip2": bzipped} {
		got, _, size, err := readThrough("-", bytes.NewReader(body))
		if err != nil || size != 0 || !slices.Equal(got, []string{"-=" + threeLines}) {
			t.Errorf("%s: got %q of %d (%v)", what, got, size, err)
		}
	}
	if got, _, _, err := readThrough("-", strings.NewReader("")); err != nil || !slices.Equal(got, []string{"-="}) {
		t.Errorf("empty: got %q (%v)", got, err)
	}
	_, _, _, err := readThrough("-", bytes.NewReader(zipped(t, memberFile{"a", nil})))
	if err == nil || !strings.Contains(err.Error(), "name it as a file") {
		t.Errorf("a zip on standard input: %v", err)
	}
}

func TestNothingToReadIsAnError(t *testing.T) {
	for what, path := range map[string]string{
		"a folder":        t.TempDir(),
		"no file":         filepath.Join(t.TempDir(), "none.csv"),
		"a zip of none":   put(t, "list.zip", zipped(t, memberFile{"dir/", nil}, memberFile{".hidden", nil})),
		"no zip inside":   put(t, "list.zip", []byte(threeLines)),
		"an empty .zip":   put(t, "list.zip", nil),
		"a zip in a zip":  put(t, "list.zip", zipped(t, memberFile{"b.zip", zipped(t, memberFile{"a", nil})})),
		"gzip with flaws": put(t, "list.gz", append(gzipped(t, threeLines), "rest"...)),
	} {
		if got, _, _, err := readThrough(path, nil); err == nil {
			t.Errorf("%s: read %q", what, got)
		}
	}
}

// Whatever is packed tells where it ends. Cut anywhere, it is said to be cut.
func TestPackedFileCutAnywhereIsCutShort(t *testing.T) {
	long := strings.Repeat(threeLines, 300)
	for name, body := range map[string][]byte{
		"list.csv.gz":  gzipped(t, long),
		"list.csv.bz2": bzipped,
		"list.zip":     zipped(t, memberFile{"a.csv", []byte(long)}, memberFile{"b.csv", []byte(long)}),
	} {
		for n := 4; n < len(body); n++ {
			got, _, _, err := readThrough(put(t, name, body[:n]), nil)
			if !errors.Is(err, importer.ErrCutShort) {
				t.Fatalf("%s cut at %d of %d: %v after %q", name, n, len(body), err, fmt.Sprintf("%.40q", got))
			}
		}
	}
}

func TestDamagedFileIsNotTakenForWhole(t *testing.T) {
	long := strings.Repeat(threeLines, 300)
	for name, body := range map[string][]byte{
		"list.csv.gz":  gzipped(t, long),
		"list.csv.bz2": bzipped,
		"list.zip":     zipped(t, memberFile{"a.csv", []byte(long)}),
	} {
		whole, _, _, err := readThrough(put(t, name, body), nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := range body {
			bad := bytes.Clone(body)
			bad[n] ^= 0x10
			got, _, _, err := readThrough(put(t, name, bad), nil)
			if err == nil && name != "list.zip" && n > 9 && !slices.Equal(got, whole) {
				t.Errorf("%s with a wrong byte at %d reads as something else", name, n)
			}
			if err == nil && len(got) == 1 && strings.HasPrefix(got[0], "a.csv=") && got[0] != whole[0] {
				t.Errorf("%s with a wrong byte at %d reads as something else", name, n)
			}
		}
	}
}
