package offeneregister_test

import (
	"strings"
	"testing"

	"bureau/internal/importer/offeneregister"
	"bureau/internal/importer/sourcetest"
)

func TestRealFiles(t *testing.T) {
	for _, c := range []struct {
		file       string
		statements int
	}{
		{"5_de_companies.jsonl", 5},
		{"100_de_companies_formatted.json", 100},
	} {
		t.Run(c.file, func(t *testing.T) {
			read := sourcetest.Real(t, offeneregister.Source, "registers", "de-offeneregister", c.file)
			if len(read.Statements) != c.statements || len(read.Bad) != 0 || read.Err != nil {
				t.Errorf("got %d statements, bad %v, %v; want %d", len(read.Statements), read.Bad, read.Err, c.statements)
			}
			for _, s := range read.Statements {
				for _, o := range s.Facts.Officers {
					if o.Company && strings.ContainsAny(o.Name, ",;") || strings.Contains(o.Name, "Befugnis") {
						t.Errorf("%s: an officer is called %q", s.Number, o.Name)
					}
				}
				for _, a := range s.Facts.Addresses {
					if len(a.Lines) > 0 && a.Post == "" {
						t.Logf("%s: %q stays as it is", s.Number, a.Lines)
					}
				}
			}
		})
	}
}
