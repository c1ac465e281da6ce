package sec_test

import (
	"testing"

	"bureau/internal/importer/sec"
	"bureau/internal/importer/sourcetest"
)

func TestRealFiles(t *testing.T) {
	for _, c := range []struct {
		file       string
		statements int
	}{
		{"submissions-sample.json", 1},
		{"company_tickers.json", 8049},
	} {
		t.Run(c.file, func(t *testing.T) {
			read := sourcetest.Real(t, sec.Source, "registers", "sec", c.file)
			if len(read.Statements) != c.statements || len(read.Bad) != 0 || read.Err != nil {
				t.Errorf("got %d statements, bad %v, %v; want %d", len(read.Statements), read.Bad, read.Err, c.statements)
			}
		})
	}
}
