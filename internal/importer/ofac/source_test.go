package ofac_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bureau/internal/importer"
	"bureau/internal/importer/listfile/listtest"
	"bureau/internal/importer/ofac"
)

func TestGolden(t *testing.T) {
	listtest.Golden(t, ofac.Source, "sdn.csv", "alt.csv", "add.csv", "sdn_comments.csv")
	listtest.Golden(t, ofac.Source, "consolidated.xml")
	listtest.Golden(t, ofac.Source, "sdn_advanced.xml")
}

func TestSample(t *testing.T) { listtest.Sample(t, ofac.Source) }

func TestCutShort(t *testing.T) {
	listtest.CutShort(t, ofac.Source, "sample", ofac.Source.Sample)
	cut(t, "consolidated.xml")
	cut(t, "sdn_advanced.xml")
}

func cut(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	listtest.CutShort(t, ofac.Source, file, string(text))
}

// A set is taken whole or not at all, also when one of its files was cut at a line end.
func TestCutSets(t *testing.T) {
	whole := map[string]string{}
	for _, name := range []string{"sdn.csv", "alt.csv", "add.csv"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		whole[name] = string(text)
	}
	unmarked := func(text string) string { return strings.TrimSuffix(text, "\x1a") }
	lines := func(text string, from, to int) string {
		return strings.Join(strings.SplitAfter(unmarked(text), "\n")[from:to], "")
	}
	for what, c := range map[string]struct {
		change func(set map[string]string)
		says   string // empty: it is taken
	}{
		"whole": {func(map[string]string) {}, ""},
		"passed on by somebody who leaves the marks out": {func(set map[string]string) {
			for name := range set {
				set[name] = unmarked(set[name])
			}
		}, ""},
		"the other names cut":              {func(set map[string]string) { set["alt.csv"] = lines(set["alt.csv"], 0, 2) }, "alt.csv lacks the mark at its end"},
		"the addresses cut":                {func(set map[string]string) { set["add.csv"] = lines(set["add.csv"], 0, 2) }, "add.csv lacks the mark at its end"},
		"the main file lost its first two": {func(set map[string]string) { set["sdn.csv"] = lines(set["sdn.csv"], 2, 5) + "\x1a" }, "lacks 2 entries of which others of the set speak, such as 990036"},
		"a main file with a row that cannot be read": {func(set map[string]string) {
			set["sdn.csv"] = strings.Replace(set["sdn.csv"], "990036,", "99OO36,", 1)
		}, ""},
	} {
		set := maps.Clone(whole)
		c.change(set)
		dir := t.TempDir()
		var paths []string
		for name, text := range set {
			paths = append(paths, filepath.Join(dir, name))
			if err := os.WriteFile(paths[len(paths)-1], []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got := listtest.Collect(ofac.Source, listtest.Open(t, ofac.Source, paths...), "")
		switch {
		case c.says == "" && (got.Err != nil || len(got.Records) == 0):
			t.Errorf("%s: %d entries, %v", what, len(got.Records), got.Err)
		case c.says != "" && len(got.Records) == 0:
			t.Errorf("%s: with --partial there is nothing to take in", what)
		case c.says != "" && (!errors.Is(got.Err, importer.ErrCutShort) || !strings.Contains(got.Err.Error(), c.says)):
			t.Errorf("%s: %v, want a word about %q", what, got.Err, c.says)
		}
	}
}

func FuzzRead(f *testing.F) { listtest.Robust(f, ofac.Source) }
