package sandbox

import (
	"testing"

	"bureau/internal/identity"
)

// Everybody can be loaded as they stand, once, and has a number that nobody has.
func TestConsumersCanBe(t *testing.T) {
	w := World{Seed: 1, PerCountry: 100}
	seen := map[identity.ID]bool{}
	hidden := 0
	for _, r := range w.Consumers() {
		if err := r.Check(); err != nil {
			t.Fatalf("%s: %v", r.ID(), err)
		}
		if seen[r.ID()] {
			t.Errorf("%s is there twice", r.ID())
		}
		seen[r.ID()] = true
		if r.Protected {
			hidden++
		}
		if r.Country == "SE" {
			n, err := identity.ParseSwedishNumber(r.Number, Birthday)
			if err != nil || !n.IsPerson() || n.Digits[8:10] < "98" {
				t.Errorf("%s is a number that somebody may have (%v)", r.Number, err)
			}
		}
	}
	if len(seen) < 200 || hidden == 0 {
		t.Errorf("%d people, %d of them hidden", len(seen), hidden)
	}
	if c := w.ConsumerExample(); c.Forename == "" || c.PostCode == "" || !identity.IsDay(w.briton(w.exampleBriton()).Birth) {
		t.Errorf("the one to try is %+v", c)
	}
}
