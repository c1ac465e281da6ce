package canada_test

import (
	"os"
	"testing"

	"bureau/internal/importer/canada"
	"bureau/internal/importer/listfile/listtest"
)

func TestGolden(t *testing.T) {
	listtest.Golden(t, canada.Source, "canada.xml")
}

func TestSample(t *testing.T) { listtest.Sample(t, canada.Source) }

func TestCutShort(t *testing.T) {
	listtest.CutShort(t, canada.Source, "sample", canada.Source.Sample)
	cut(t, "canada.xml")
}

func cut(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	listtest.CutShort(t, canada.Source, file, string(text))
}

func FuzzRead(f *testing.F) { listtest.Robust(f, canada.Source) }
