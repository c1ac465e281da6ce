package eu_test

import (
	"os"
	"testing"

	"bureau/internal/importer/eu"
	"bureau/internal/importer/listfile/listtest"
)

func TestGolden(t *testing.T) {
	listtest.Golden(t, eu.Source, "eu.csv")
	listtest.Golden(t, eu.Source, "eu.xml")
}

func TestSample(t *testing.T) { listtest.Sample(t, eu.Source) }

func TestCutShort(t *testing.T) {
	listtest.CutShort(t, eu.Source, "sample", eu.Source.Sample)
	cut(t, "eu.csv")
	cut(t, "eu.xml")
}

func cut(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	listtest.CutShort(t, eu.Source, file, string(text))
}

func FuzzRead(f *testing.F) { listtest.Robust(f, eu.Source) }
