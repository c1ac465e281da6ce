package bis_test

import (
	"os"
	"testing"

	"bureau/internal/importer/bis"
	"bureau/internal/importer/listfile/listtest"
)

func TestGolden(t *testing.T) {
	listtest.Golden(t, bis.Source, "dpl.txt")
}

func TestSample(t *testing.T) { listtest.Sample(t, bis.Source) }

func TestCutShort(t *testing.T) {
	listtest.CutShort(t, bis.Source, "sample", bis.Source.Sample)
	cut(t, "dpl.txt")
}

func cut(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	listtest.CutShort(t, bis.Source, file, string(text))
}

func FuzzRead(f *testing.F) { listtest.Robust(f, bis.Source) }
