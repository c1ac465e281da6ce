package brreg_test

import (
	"testing"

	"bureau/internal/importer/brreg"
	"bureau/internal/importer/sourcetest"
)

// Most of these files come from other programs' tests: their numbers have wrong
// check digits, and are refused for that alone.
func TestRealFiles(t *testing.T) {
	for _, c := range []struct {
		file            string
		statements, bad int
	}{
		{"entity_923609016.json", 1, 0},
		{"search_asa_5.json", 5, 0},
		{"roles_923609016.json", 1, 0},
		{"enheter-roller-enhet-response.json", 1, 0},
		{"enheter-roller-person-response.json", 1, 0},
		{"enheter-details-response.json", 0, 1},
		{"enheter-details-deleted-response.json", 0, 1},
		{"enheter-search-response.json", 0, 1},
		{"underenheter-details-response.json", 0, 1},
		{"underenheter-details-deleted-response.json", 0, 1},
		{"underenheter-search-response.json", 0, 1},
		{"nav-lastned-alle-response.json", 0, 2},
		{"nav-underenhet-response.json", 9, 1},
		{"nav-oppdatering-underenhet-response.json", 0, 6},
	} {
		t.Run(c.file, func(t *testing.T) {
			read := sourcetest.Real(t, brreg.Source, "registers", "no-brreg", c.file)
			if len(read.Statements) != c.statements || len(read.Bad) != c.bad || read.Err != nil {
				t.Errorf("got %d statements, %d bad, %v; want %d and %d", len(read.Statements), len(read.Bad), read.Err, c.statements, c.bad)
			}
			for _, b := range read.Bad {
				t.Log(b)
			}
		})
	}
}
