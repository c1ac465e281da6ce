package gleif

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/company"
	"bureau/internal/importer"
)

// sourceOf is the source that a file of testdata is for.
func sourceOf(name string) importer.Source[company.Statement] {
	if strings.HasPrefix(filepath.Base(name), "lei") {
		return LEI
	}
	return Relationships
}

// A line of a golden file: what was said, or what is wrong.
type line struct {
	Country string        `json:",omitempty"`
	Number  string        `json:",omitempty"`
	LEI     string        `json:",omitempty"`
	VAT     string        `json:",omitempty"`
	Part    string        `json:",omitempty"`
	Gone    bool          `json:",omitempty"`
	Facts   company.Facts `json:",omitzero"`
	Line    int64         `json:",omitempty"`
	Bad     string        `json:",omitempty"`
	Raw     string        `json:",omitempty"`
}

func TestFixtures(t *testing.T) {
	files, err := filepath.Glob("testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range files {
		if strings.HasSuffix(name, ".golden") || strings.Contains(name, "fuzz") {
			continue
		}
		n++
		t.Run(filepath.Base(name), func(t *testing.T) {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			var got strings.Builder
			enc := json.NewEncoder(&got)
			enc.SetIndent("", "  ")
			enc.SetEscapeHTML(false)
			for s, err := range sourceOf(name).Read(f, filepath.Base(name)) {
				l := line{
					Country: s.Country, Number: s.Number, LEI: s.LEI, VAT: s.VAT,
					Part: s.Part, Gone: s.Gone, Facts: s.Facts,
				}
				if err != nil {
					var bad *importer.Bad
					if !errors.As(err, &bad) {
						t.Fatal(err)
					}
					l.Bad, l.Line, l.Raw = bad.Err.Error(), bad.Line, bad.Raw
				}
				if err := enc.Encode(l); err != nil {
					t.Fatal(err)
				}
			}
			golden(t, name+".golden", got.String())
		})
	}
	if n != 9 {
		t.Errorf("%d fixtures were read, want 9: three kinds in three formats", n)
	}
}

// golden compares with a file of testdata; BUREAU_UPDATE=1 rewrites it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if os.Getenv("BUREAU_UPDATE") == "1" {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestSamples(t *testing.T) {
	for _, src := range []importer.Source[company.Statement]{LEI, Relationships} {
		var said []company.Statement
		for s, err := range src.Read(strings.NewReader(src.Sample), "sample") {
			if err != nil {
				t.Errorf("%s: %v", src.Name, err)
			}
			said = append(said, s)
		}
		if len(said) != 1 || said[0].LEI != "984500B0REAU00000135" {
			t.Errorf("the sample of %s says %+v, want one statement", src.Name, said)
		}
	}
}

// readAll reads a text: the statements, the bad records, and what ended it.
func readAll(src importer.Source[company.Statement], text string) (said []company.Statement, bad []*importer.Bad, end error) {
	for s, err := range src.Read(strings.NewReader(text), "test") {
		var b *importer.Bad
		switch {
		case errors.As(err, &b):
			bad = append(bad, b)
		case err != nil:
			end = err
		default:
			said = append(said, s)
		}
	}
	return said, bad, end
}

// A file may be cut anywhere. Wherever it is, we must notice, or have read
// everything.
func TestCutAnywhere(t *testing.T) {
	for _, name := range []string{"lei.xml", "lei.json", "rr.xml", "rr.json", "repex.xml", "repex.json"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		whole := strings.TrimSpace(string(b))
		for n := 0; n < len(whole); n += 1 + len(whole)/700 {
			_, _, err := readAll(sourceOf(name), whole[:n])
			if !errors.Is(err, importer.ErrCutShort) {
				t.Fatalf("%s cut to %d of %d bytes: %v, want ErrCutShort", name, n, len(whole), err)
			}
		}
		if _, _, err := readAll(sourceOf(name), whole); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A CSV has no end mark, so only a cut inside a row can be seen, and not that
// of a last cell which is empty anyway.
func TestCutCSV(t *testing.T) {
	b, err := os.ReadFile("testdata/lei.csv")
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.TrimRight(string(b), "\n")
	head := strings.IndexByte(whole, '\n') + 1
	last := strings.LastIndex(whole, "\n\"9845") + 1
	for n := last + 1; n < len(whole)-2; n++ {
		if _, _, err := readAll(LEI, whole[:n]); !errors.Is(err, importer.ErrCutShort) {
			t.Fatalf("cut to %d of %d bytes: %v, want ErrCutShort", n, len(whole), err)
		}
	}
	if _, _, err := readAll(LEI, whole[:head]); err != nil {
		t.Errorf("a file without rows: %v", err)
	}
	if _, _, err := readAll(LEI, ""); !errors.Is(err, importer.ErrCutShort) {
		t.Errorf("an empty file: %v, want ErrCutShort", err)
	}
}

func TestCountNotReached(t *testing.T) {
	full := strings.Replace(LEI.Sample, "DELTA", "FULL", 1)
	promise := func(s, n string) string { return strings.Replace(s, "RecordCount>1<", "RecordCount>"+n+"<", 1) }
	for _, c := range []struct {
		name, text string
		short      bool
	}{
		{"as many as promised", full, false},
		{"one short of a full file", promise(full, "2"), true},
		{"one short of a delta", promise(LEI.Sample, "2"), false},
		{"more than promised", promise(full, "0"), false},
		{"no number", promise(full, "many"), false},
	} {
		said, bad, end := readAll(LEI, c.text)
		if len(said) != 1 || end != nil {
			t.Errorf("%s: %d statements, ended by %v", c.name, len(said), end)
		}
		if got := len(bad) == 1 && errors.Is(bad[0], importer.ErrCutShort); got != c.short || !got && len(bad) > 0 {
			t.Errorf("%s: bad records %v", c.name, bad)
		}
	}
}

func TestNotOurs(t *testing.T) {
	for _, c := range []struct {
		name string
		src  importer.Source[company.Statement]
		text string
		want string
	}{
		{"the other source", LEI, Relationships.Sample, "import it as gleif-relationships"},
		{"the other way round", Relationships, LEI.Sample, "import it as gleif"},
		{"another XML", LEI, "<html></html>", "begins with <html>"},
		{"another JSON", LEI, `{"meta":{"a":[1,"]"]},"data":[]}`, "no list of records"},
		{"a JSON list", LEI, `[]`, "'[' where '{' should be"},
		{"another CSV", LEI, "a,b,c,d\n", `begin with "a,b,c"`},
		{"another encoding", LEI, `<?xml version="1.0" encoding="UTF-16"?><LEIData/>`, "utf-16"},
		{"a DTD", LEI, `<!DOCTYPE LEIData><LEIData/>`, "DTD"},
		{"tags that cross", LEI, `<LEIData><LEIRecords></LEIData></LEIRecords>`, "ends with </LEIData>"},
	} {
		_, _, err := readAll(c.src, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, importer.ErrCutShort) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// Whoever stops reading early is not called again.
func TestStop(t *testing.T) {
	b, err := os.ReadFile("testdata/lei.xml")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range LEI.Read(strings.NewReader(string(b)), "lei.xml") {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d records after stopping at 2", n)
	}
}
