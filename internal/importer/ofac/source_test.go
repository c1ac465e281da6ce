package ofac_test

import (
	"os"
	"testing"

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

func FuzzRead(f *testing.F) { listtest.Robust(f, ofac.Source) }
