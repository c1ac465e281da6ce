package consumers_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/importer"
	"bureau/internal/importer/consumers"
)

// told is all that is made of a file, as text for people.
func told(text, name string) string {
	var b strings.Builder
	for rec, err := range consumers.Read(strings.NewReader(text), name) {
		var bad *importer.Bad
		switch {
		case errors.As(err, &bad):
			fmt.Fprintf(&b, "bad %v\n", bad)
			if bad.Raw != "" {
				fmt.Fprintf(&b, "  and somebody's data is kept: %s\n", bad.Raw)
			}
		case err != nil:
			fmt.Fprintf(&b, "error %v\n", err)
		default:
			facts, _ := json.Marshal(rec)
			fmt.Fprintf(&b, "%s\n", facts)
		}
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for _, name := range []string{"people.jsonl", "people.csv"} {
		in, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		got := told(string(in), name)
		path := filepath.Join("testdata", name+".golden")
		if os.Getenv("BUREAU_UPDATE") == "1" {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("%v (make golden writes it)", err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestSampleCanBeImported(t *testing.T) {
	if got := told(consumers.Source.Sample, "sample"); strings.Contains(got, "bad") || strings.Count(got, "\n") != 1 {
		t.Errorf("the sample is %s", got)
	}
}

func TestCutShort(t *testing.T) {
	for name, text := range map[string]string{
		"nothing": "", "half a line": `{"country":"GB"`, "half a row": "country,number,surname\nGB,1,Ex",
	} {
		var last error
		for _, err := range consumers.Read(strings.NewReader(text), name) {
			last = err
		}
		if !errors.Is(last, importer.ErrCutShort) {
			t.Errorf("%s: %v", name, last)
		}
	}
	long := `{"country":"GB","number":"` + strings.Repeat("x", 2<<20) + "\"}\n" + consumers.Source.Sample
	if got := told(long, "long"); !strings.HasPrefix(got, "bad line 1: the record is longer") || strings.Count(got, "\n") != 2 {
		t.Errorf("a long line: %.200s", got)
	}
	if got := told("country,colour\n", "csv"); !strings.Contains(got, `"colour"`) {
		t.Errorf("a column that is not ours: %s", got)
	}
}
