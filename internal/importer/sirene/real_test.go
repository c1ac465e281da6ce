package sirene_test

import (
	"testing"

	"bureau/internal/importer/sirene"
	"bureau/internal/importer/sourcetest"
)

// The files with Test in their name were made by a program that knows nothing
// of check digits: their records are refused, one by one.
func TestRealFiles(t *testing.T) {
	for _, c := range []struct {
		file            string
		statements, bad int
		isThePast       bool
	}{
		{"sample_unites_legales_OK.csv", 3, 0, false},
		{"sample_etablissements_OK.csv", 3, 0, false},
		{"sireneULTestData.csv", 0, 4, false},
		{"sireneTestData.csv", 0, 5, false},
		{"sireneHistoTestData.csv", 0, 0, true},
	} {
		t.Run(c.file, func(t *testing.T) {
			read := sourcetest.Real(t, sirene.Source, "registers", "fr-sirene", c.file)
			if len(read.Statements) != c.statements || len(read.Bad) != c.bad || (read.Err != nil) != c.isThePast {
				t.Errorf("got %d statements, %d bad, %v; want %d and %d", len(read.Statements), len(read.Bad), read.Err, c.statements, c.bad)
			}
			for _, b := range read.Bad {
				t.Log(b)
			}
		})
	}
}
