package company

import (
	"strings"

	"bureau/internal/fault"
)

// A Statement is what one record of a source says about one company.
type Statement struct {
	// Which company: its country and number in the national register, or its
	// LEI, or a VAT number. At least one of the three.
	Country string // where it is registered, ISO 3166 alpha-2
	Number  string // in the national register; empty where there is none
	LEI     string
	VAT     string

	// Part tells statements of one source about one company apart, where a
	// record is about one officer, owner or relationship: its id there. Empty
	// for a record about the whole company.
	Part string

	// Gone says that the source no longer holds this record.
	Gone bool

	Facts Facts

	// Stored are Facts as they are stored, after Prepare.
	Stored []byte
}

// Naming are the numbers by which a statement names its company.
func (s *Statement) Naming() string {
	return strings.Join([]string{s.Country, s.Number, s.LEI, s.VAT}, " ")
}

// Check says what is wrong with a statement: one that names no company cannot
// be taken in.
func (s *Statement) Check() error {
	switch {
	case s.Number == "" && s.LEI == "" && s.VAT == "":
		return fault.Invalid.Errorf("the record names no company: it has no number, LEI or VAT number")
	case s.Country != "" && (len(s.Country) != 2 || !isLetters(s.Country)):
		return fault.Invalid.Errorf("%q is not a country", s.Country)
	case s.Number != "" && s.Country == "":
		return fault.Invalid.Errorf("the number %q has no country", s.Number)
	case !isPlain(s.Number) || !isPlain(s.LEI) || !isPlain(s.VAT) || !isPlain(s.Part):
		return fault.Invalid.Errorf("the number %q holds what no number does", s.Number+s.LEI+s.VAT+s.Part)
	case s.Number != "" && NewID(s.Country, s.Number).Number() == "":
		return fault.Invalid.Errorf("%q is not a number", s.Number)
	}
	return nil
}

// Prepare does what takes longest, before the register is held: the facts are
// written in the form in which they are stored.
func (s *Statement) Prepare() {
	if s.Stored == nil && !s.Gone {
		said := Said{Facts: s.Facts}
		said.clean()
		s.Facts, s.Stored = said.Facts, said.encode()
	}
}
