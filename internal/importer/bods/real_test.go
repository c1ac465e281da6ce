package bods_test

import (
	"testing"

	"bureau/internal/importer/bods"
	"bureau/internal/importer/sourcetest"
)

// What is refused here has a subject that no register knows: a ministry, a
// trust, a nomination.
func TestRealFiles(t *testing.T) {
	for _, c := range []struct {
		file            string
		statements, bad int
		old             bool
	}{
		{"bods-0.4-sample_300_statements.json", 200, 0, false},
		{"example-bods-package-fi-soe.json", 6, 1, false},
		{"example-fermcat.json", 4, 0, false},
		{"example-full-pep-declaration.json", 2, 0, false},
		{"example-indirect-ownership.json", 5, 0, false},
		{"example-joint-ownership.json", 2, 2, false},
		{"example-nomination.json", 3, 2, false},
		{"example-plc-entity-statement.json", 1, 0, false},
		{"example-tecido.json", 4, 0, false},
		{"bods-0.2-pep_status_1.json", 0, 0, true},
	} {
		t.Run(c.file, func(t *testing.T) {
			read := sourcetest.Real(t, bods.Source, "registers", "bods", c.file)
			if len(read.Statements) != c.statements || len(read.Bad) != c.bad || (read.Err != nil) != c.old {
				t.Errorf("got %d statements, %d bad, %v; want %d and %d", len(read.Statements), len(read.Bad), read.Err, c.statements, c.bad)
			}
			for _, b := range read.Bad {
				t.Log(b)
			}
		})
	}
}
