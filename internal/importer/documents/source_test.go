package documents_test

import (
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
	"bureau/internal/importer/documents"
)

func folder(t testing.TB, dir string) *documents.Folder {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return &documents.Folder{Root: root, Known: func(id company.ID) (bool, error) { return id == "GB-0-09999990", nil }}
}

// told is what a manifest comes to, bad records too.
func told(f *documents.Folder, manifest string) string {
	var b strings.Builder
	for item, err := range f.Read(strings.NewReader(manifest), "manifest") {
		var bad *importer.Bad
		switch {
		case errors.As(err, &bad):
			fmt.Fprintf(&b, "bad %v\n", bad)
		case err != nil:
			fmt.Fprintf(&b, "error %v\n", err)
		default:
			fmt.Fprintf(&b, "%s: %+v\n", item.File, item.Document)
		}
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	manifest, err := os.ReadFile("testdata/manifest.csv")
	if err != nil {
		t.Fatal(err)
	}
	got := told(folder(t, "testdata"), string(manifest))
	const golden = "testdata/manifest.csv.golden"
	if os.Getenv("BUREAU_UPDATE") == "1" {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Both formats say the same.
func TestJSONLines(t *testing.T) {
	f := folder(t, "testdata")
	lines := told(f, `{"file":"scans/a.pdf","company":"GB-0-09999990","type":"accounts","filed":"2026-04-02","reference":"AA"}`+"\n"+`{"fil":1}`+"\n")
	table := told(f, "File,company,TYPE,filed,reference\nscans/a.pdf,GB-0-09999990,accounts,2026-04-02,AA\n")
	if first, rest, _ := strings.Cut(lines, "\n"); first+"\n" != table || !strings.HasPrefix(rest, "bad line 2") {
		t.Errorf("got %s and %s", lines, table)
	}
}

func TestContentIsRead(t *testing.T) {
	for item, err := range folder(t, "testdata").Read(strings.NewReader("file,company,type\nscans/a.pdf,GB-0-09999990,accounts\n"), "") {
		if err != nil {
			t.Fatal(err)
		}
		in, err := item.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(in)
		in.Close()
		if err != nil || !strings.HasPrefix(string(b), "%PDF-1.4") {
			t.Errorf("got %q (%v)", b, err)
		}
	}
}

// A link that leads out of the folder is not followed.
func TestLinksStayInside(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret.pdf")
	if err := os.WriteFile(secret, []byte("%PDF-secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, "link.pdf")); err != nil {
		t.Fatal(err)
	}
	if got := told(folder(t, dir), "file,company,type\nlink.pdf,GB-0-09999990,accounts\n"); !strings.HasPrefix(got, "bad line 2: file:") {
		t.Errorf("got %s", got)
	}
}

func TestCutShort(t *testing.T) {
	f := folder(t, "testdata")
	for _, manifest := range []string{"", "file,comp", "file,company,type\nscans/a.pdf,GB-0-0999", "file,company,type\n\"scans"} {
		if got := told(f, manifest); !strings.Contains(got, "cut short") {
			t.Errorf("%q: got %s", manifest, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(documents.Sample))
	f.Add([]byte(`{"file":"..","company":"GB-0-09999990","type":"other"}`))
	in := folder(f, "testdata")
	f.Fuzz(func(t *testing.T, manifest []byte) { told(in, string(manifest)) })
}
