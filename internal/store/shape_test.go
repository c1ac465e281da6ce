package store

import (
	"os"
	"testing"
)

// What the doctor compares a database with is what the migrations make.
func TestShapeIsThatOfAFreshSchema(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		db := open(t, url)
		got, err := db.readIndexes(t.Context(), db)
		must(t, err)
		if db.d.name == "postgres" {
			walls, err := db.walls(t.Context(), db)
			must(t, err)
			for table, w := range walls {
				if len(w.policies) != 1 || !w.on {
					t.Errorf("%s: %+v, want security on and one policy", table, w)
				}
				got["wall of "+table] = w.policies[wallPolicy]
			}
		}
		file := "shape/" + db.d.name + ".txt"
		if os.Getenv("BUREAU_UPDATE") == "1" {
			must(t, os.WriteFile(file, []byte(got.String()), 0o644))
			return
		}
		want, err := os.ReadFile(file)
		must(t, err)
		if got.String() != string(want) {
			t.Errorf("%s is not what the migrations make; make golden writes it:\n%s", file, got)
		}
	})
}
