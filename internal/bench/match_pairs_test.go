package bench

import (
	"math"
	"slices"
	"testing"

	"bureau/internal/match"
)

// The baseline of pairs scores as its authors say.
func TestPlainScore(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"Martha", "Marhta", 0.961},
		{"Dwayne", "Duane", 0.84},
		{"Dixon", "Dicksonx", 0.813},
		{"Martha Dixon", "Dixon, Martha", 1},
		{"abc", "xyz", 0},
		{"", "xyz", 0},
	} {
		for _, got := range []float64{plainScore(c.a, c.b), plainScore(c.b, c.a)} {
			if math.Abs(got-c.want) > 0.001 {
				t.Errorf("%s, %s: %.3f, want %.3f", c.a, c.b, got, c.want)
			}
		}
	}
}

// Names of one owner are the same, and strangers share a word; there are as many of both.
func TestClusterPairs(t *testing.T) {
	names := []clustered{
		{"Nordwind Bau", "1", match.Company},
		{"Nordwind Bau GmbH", "1", match.Company},
		{"NORDWIND BAU", "1", match.Company},
		{"Nordwind Reederei", "2", match.Company},
		{"Nordwind", "2", match.Person},
		{"Havelland Reederei", "3", match.Company},
	}
	owner := map[string]string{}
	for _, n := range names {
		owner[n.name] = n.owner
	}
	pairs := clusterPairs(slices.Clone(names))
	same := 0
	for _, p := range pairs {
		if p.Same != (owner[p.A] == owner[p.B]) {
			t.Errorf("%s and %s: said to be the same: %v", p.A, p.B, p.Same)
		}
		if p.Same {
			same++
		}
		if p.Kind == match.Person {
			t.Errorf("%s and %s are of two kinds", p.A, p.B)
		}
	}
	if same == 0 || 2*same != len(pairs) {
		t.Errorf("%d of %d pairs are the same, want half", same, len(pairs))
	}
}
