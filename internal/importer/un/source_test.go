package un_test

import (
	"os"
	"testing"

	"bureau/internal/importer/listfile/listtest"
	"bureau/internal/importer/un"
)

func TestGolden(t *testing.T) {
	listtest.Golden(t, un.Source, "un.xml")
}

func TestSample(t *testing.T) { listtest.Sample(t, un.Source) }

func TestCutShort(t *testing.T) {
	listtest.CutShort(t, un.Source, "sample", un.Source.Sample)
	cut(t, "un.xml")
}

func cut(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	listtest.CutShort(t, un.Source, file, string(text))
}

func FuzzRead(f *testing.F) { listtest.Robust(f, un.Source) }
