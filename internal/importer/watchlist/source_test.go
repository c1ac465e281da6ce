package watchlist_test

import (
	"os"
	"testing"

	"bureau/internal/importer/listfile/listtest"
	"bureau/internal/importer/watchlist"
)

func TestGolden(t *testing.T) {
	listtest.Golden(t, watchlist.Source, "watchlist.csv")
}

func TestSample(t *testing.T) { listtest.Sample(t, watchlist.Source) }

func TestCutShort(t *testing.T) {
	listtest.CutShort(t, watchlist.Source, "sample", watchlist.Source.Sample)
	cut(t, "watchlist.csv")
}

func cut(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	listtest.CutShort(t, watchlist.Source, file, string(text))
}

func FuzzRead(f *testing.F) { listtest.Robust(f, watchlist.Source) }
