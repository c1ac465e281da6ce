package uk_test

import (
	"os"
	"testing"

	"bureau/internal/importer/listfile/listtest"
	"bureau/internal/importer/uk"
)

func TestGolden(t *testing.T) {
	listtest.Golden(t, uk.Source, "uk-list.csv")
	listtest.Golden(t, uk.Source, "uk-list.xml")
	listtest.Golden(t, uk.Source, "ofsi.csv")
	listtest.Golden(t, uk.Source, "ofsi2022.csv")
}

func TestSample(t *testing.T) { listtest.Sample(t, uk.Source) }

func TestCutShort(t *testing.T) {
	listtest.CutShort(t, uk.Source, "sample", uk.Source.Sample)
	cut(t, "uk-list.csv")
	cut(t, "uk-list.xml")
}

func cut(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	listtest.CutShort(t, uk.Source, file, string(text))
}

func FuzzRead(f *testing.F) { listtest.Robust(f, uk.Source) }
