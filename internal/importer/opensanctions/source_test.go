package opensanctions_test

import (
	"testing"

	"bureau/internal/importer/listfile/listtest"
	"bureau/internal/importer/opensanctions"
)

func TestGolden(t *testing.T) {
	listtest.Golden(t, opensanctions.Source, "entities.ftm.json")
	listtest.Golden(t, opensanctions.Source, "entities.delta.json")
}

func TestSample(t *testing.T) { listtest.Sample(t, opensanctions.Source) }

func TestCutShort(t *testing.T) {
	listtest.CutShort(t, opensanctions.Source, "sample", opensanctions.Source.Sample)
}

func FuzzRead(f *testing.F) { listtest.Robust(f, opensanctions.Source) }
