package seco_test

import (
	"os"
	"testing"

	"bureau/internal/importer/listfile/listtest"
	"bureau/internal/importer/seco"
)

func TestGolden(t *testing.T) {
	listtest.Golden(t, seco.Source, "seco.xml")
}

func TestSample(t *testing.T) { listtest.Sample(t, seco.Source) }

func TestCutShort(t *testing.T) {
	listtest.CutShort(t, seco.Source, "sample", seco.Source.Sample)
	cut(t, "seco.xml")
}

func cut(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	listtest.CutShort(t, seco.Source, file, string(text))
}

func FuzzRead(f *testing.F) { listtest.Robust(f, seco.Source) }
