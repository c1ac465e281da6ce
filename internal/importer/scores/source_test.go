package scores_test

import (
	"strings"
	"testing"

	"bureau/internal/importer/scores"
	"bureau/internal/importer/sourcetest"
)

func TestGolden(t *testing.T) {
	sourcetest.Golden(t, scores.Source, "scores.csv")
	sourcetest.Golden(t, scores.Source, "scores.jsonl")
}

func TestSample(t *testing.T) {
	got := sourcetest.Collect(scores.Source, strings.NewReader(scores.Source.Sample), "sample")
	if got.Err != nil || len(got.Bad) > 0 || len(got.Statements) != 1 || got.Statements[0].Facts.Score.Value != 64 {
		t.Errorf("got %+v", got)
	}
}

func TestCutShort(t *testing.T) { sourcetest.CutShort(t, scores.Source, "scores.csv") }

func FuzzRead(f *testing.F) {
	sourcetest.Robust(f, scores.Source, "id,score\nGB-0-1,5\n", `{"id":"GB-0-1","score":5}`, "id,score\n\"", "score\n5\n")
}
