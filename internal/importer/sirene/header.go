package sirene

import (
	"errors"
	"fmt"
	"strings"

	"bureau/internal/company"
)

// A header says in which column a name stands. Columns count from 1, so that 0
// is one that the file does not have.
type header map[string]int

func newHeader(names []string) header {
	h := make(header, len(names))
	for i, name := range names {
		h[strings.TrimSpace(name)] = i + 1
	}
	return h
}

func (h header) has(name string) bool { return h[name] > 0 }

// A row is what stands in the columns of one record.
type row []string

// at is the text of a column, without what the publisher hides.
func (r row) at(column int) string {
	if column == 0 || column > len(r) {
		return ""
	}
	s := strings.TrimSpace(r[column-1])
	if s == hidden {
		return ""
	}
	if strings.ContainsAny(s, "\r\n") {
		return strings.Join(strings.Fields(s), " ")
	}
	return s
}

// hidden is what the publisher writes in place of something it keeps back.
const hidden = "[ND]"

// hides reports whether a column of the record is kept back.
func (r row) hides(columns ...int) bool {
	for _, c := range columns {
		if c > 0 && c <= len(r) && strings.TrimSpace(r[c-1]) == hidden {
			return true
		}
	}
	return false
}

// reader finds out what the file holds.
func (h header) reader() (func(row) (company.Statement, error), error) {
	switch {
	case h.has("siret") && h.has("dateFin"), h.has("siren") && h.has("dateFin"):
		return nil, errors.New("this is a file of the past (Historique): StockUniteLegale and StockEtablissement say what is")
	case h.has("siret"):
		if err := h.need("siren", "etatAdministratifEtablissement", "etablissementSiege"); err != nil {
			return nil, err
		}
		return newEstablishments(h).read, nil
	case h.has("siren"):
		if err := h.need("etatAdministratifUniteLegale", "categorieJuridiqueUniteLegale"); err != nil {
			return nil, err
		}
		return newUnits(h).read, nil
	}
	return nil, errors.New("this is no SIRENE file: its first line has no column siren")
}

func (h header) need(names ...string) error {
	for _, name := range names {
		if !h.has(name) {
			return fmt.Errorf("this is no whole SIRENE file: its first line has no column %s", name)
		}
	}
	return nil
}

// date reads a day. What is no day was not said; 1900-01-01 is the publisher's
// word for unknown.
func date(s string) company.Date {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' || s[:10] == "1900-01-01" {
		return ""
	}
	for i := range 10 {
		if i != 4 && i != 7 && (s[i] < '0' || s[i] > '9') {
			return ""
		}
	}
	if m, d := s[5:7], s[8:10]; m < "01" || m > "12" || d < "01" || d > "31" {
		return ""
	}
	return company.Date(s[:10])
}

// shown reports whether the publisher shows everything: O, or nothing said. P
// is shown in part, N was not shown at all; what we do not know counts as that.
func shown(status string) bool { return status == "O" || status == "" }
