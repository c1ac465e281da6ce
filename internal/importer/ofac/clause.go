package ofac

import (
	"regexp"
	"strings"

	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// numbers are the clauses that give a number, and what it is. The longest that
// fits counts.
var numbers = []struct{ words, is string }{
	{"Stateless Person Passport", kyc.Passport},
	{"Diplomatic Passport", kyc.Passport},
	{"Passport", kyc.Passport},
	{"Travel Document Number", kyc.Passport},
	{"Cedula No.", kyc.NationalID},
	{"Cedula de Ciudadania", kyc.NationalID},
	{"Cedula de Residencia", kyc.NationalID},
	{"National ID No.", kyc.NationalID},
	{"National Foreign ID Number", kyc.NationalID},
	{"Identity Card", kyc.NationalID},
	{"Identification Number IMO", kyc.IMO},
	{"Identification Number", kyc.NationalID},
	{"Turkish Identification Number", kyc.NationalID},
	{"Personal ID Card", kyc.NationalID},
	{"Stateless Person ID Card", kyc.NationalID},
	{"Citizen's Card Number", kyc.NationalID},
	{"Birth Certificate Number", kyc.NationalID},
	{"Residency Number", kyc.NationalID},
	{"Driver's License No.", kyc.NationalID},
	{"Electoral Registry No.", kyc.NationalID},
	{"D.N.I.", kyc.NationalID},
	{"C.U.R.P.", kyc.NationalID},
	{"C.U.I.P.", kyc.NationalID},
	{"SSN", kyc.NationalID},
	{"I.F.E.", kyc.NationalID},
	{"Tax ID No.", kyc.TaxID},
	{"R.F.C.", kyc.TaxID},
	{"C.U.I.T.", kyc.TaxID},
	{"V.A.T. Number", kyc.TaxID},
	{"Fiscal Code", kyc.TaxID},
	{"Italian Fiscal Code", kyc.TaxID},
	{"Romanian Tax Registration", kyc.TaxID},
	{"NIT #", kyc.TaxID},
	{"RUC #", kyc.TaxID},
	{"RIF #", kyc.TaxID},
	{"RTN", kyc.TaxID},
	{"Company Number IMO", kyc.IMO},
	{"Company Number", kyc.Registration},
	{"UK Company Number", kyc.Registration},
	{"Registration Number", kyc.Registration},
	{"Registration ID", kyc.Registration},
	{"Registered Charity No.", kyc.Registration},
	{"Business Registration Number", kyc.Registration},
	{"Business Registration Document #", kyc.Registration},
	{"Business Number", kyc.Registration},
	{"Commercial Registry Number", kyc.Registration},
	{"Chamber of Commerce Number", kyc.Registration},
	{"Certificate of Incorporation Number", kyc.Registration},
	{"Enterprise Number", kyc.Registration},
	{"Economic Register Number (CBLS)", kyc.Registration},
	{"Public Registration Number", kyc.Registration},
	{"Matricula Mercantil No", kyc.Registration},
	{"Folio Mercantil No.", kyc.Registration},
	{"Numero Unico de Identificacao", kyc.Registration},
	{"Unified Social Credit Code (USCC)", kyc.Registration},
	{"Government Gazette Number", kyc.Registration},
	{"Trade License No.", kyc.Registration},
	{"License", kyc.Registration},
	{"C.R. No.", kyc.Registration},
	{"D-U-N-S Number", kyc.OtherID},
	{"SWIFT/BIC", kyc.BIC},
	{"Legal Entity Number", kyc.LEI},
	{"BIK (RU)", kyc.OtherID},
	{"ISIN", kyc.ISIN},
	{"MMSI", kyc.MMSI},
	{"Vessel Registration Identification", kyc.IMO},
	{"Aircraft Tail Number", kyc.TailNumber},
	{"Aircraft Manufacturer's Serial Number (MSN)", kyc.SerialNumber},
	{"Aircraft Construction Number (also called L/N or S/N or F/N)", kyc.SerialNumber},
	{"Previous Aircraft Tail Number", kyc.TailNumber},
	{"Digital Currency Address", kyc.Wallet},
}

// contacts are the clauses that say how to reach somebody.
var contacts = []struct{ words, is string }{
	{"Email Address", kyc.Email},
	{"Website", kyc.Website},
	{"Telephone", kyc.Telephone},
	{"Phone Number", kyc.Telephone},
	{"Fax", kyc.Fax},
}

var (
	quotedName = regexp.MustCompile(`^([afn]\.k\.a\.) '(.+)'$`)
	bracket    = regexp.MustCompile(`^(.*?)\s*\(([^()]+)\)\s*(.*)$`)
	currency   = regexp.MustCompile(`^Digital Currency Address - (\S+)\s+(\S+)`)
)

// addRemarks takes remarks apart. What is none of the clauses that are known
// stays a remark.
func addRemarks(e *kyc.Entry, remarks string) {
	remarks = strings.TrimSuffix(strings.TrimSpace(remarks), ".")
	for clause := range strings.SplitSeq(remarks, "; ") {
		clause = strings.TrimSuffix(strings.TrimSpace(clause), ".")
		if bare := strings.TrimPrefix(clause, "alt. "); bare == "" || addClause(e, bare) {
			continue
		}
		e.Remarks = append(e.Remarks, clause)
	}
}

// addClause takes one clause, and reports whether it is one that it knows.
func addClause(e *kyc.Entry, clause string) bool {
	if m := quotedName.FindStringSubmatch(clause); m != nil {
		n := nameOf(e.Kind, m[2])
		n.Type, n.Weak = typeOf(m[1]), true
		e.Names = append(e.Names, n)
		return true
	}
	word, rest, _ := strings.Cut(clause, " ")
	switch word {
	case "DOB":
		return addBirth(e, rest)
	case "POB":
		e.BirthPlaces = append(e.BirthPlaces, rest)
		return true
	case "nationality", "citizen":
		e.Nationalities = append(e.Nationalities, listfile.Country(rest))
		return true
	case "Gender":
		e.Gender = listfile.Gender(rest)
		return e.Gender != ""
	case "Title:":
		e.Titles = append(e.Titles, rest)
		return true
	}
	if who, ok := strings.CutPrefix(clause, "Linked To:"); ok {
		e.Links = append(e.Links, kyc.Link{Relation: "linked to", Name: who})
		return true
	}
	if flag, ok := strings.CutPrefix(clause, "Former Vessel Flag "); ok {
		ship(e).FormerFlags = append(ship(e).FormerFlags, listfile.Country(flag))
		return true
	}
	if year, ok := strings.CutPrefix(clause, "Vessel Year of Build "); ok {
		ship(e).Built = year
		return true
	}
	for _, c := range contacts {
		if value, ok := strings.CutPrefix(clause, c.words+" "); ok {
			e.Contacts = append(e.Contacts, kyc.Contact{Type: c.is, Value: value})
			return true
		}
	}
	return addNumber(e, clause)
}

func addBirth(e *kyc.Entry, text string) bool {
	dates := listfile.Dates(text)
	e.Born = append(e.Born, dates...)
	return len(dates) > 0
}

// addNumber reads "Passport A0181988 (Somalia) issued 01 Oct 2001".
func addNumber(e *kyc.Entry, clause string) bool {
	if m := currency.FindStringSubmatch(clause); m != nil {
		e.Identifiers = append(e.Identifiers, kyc.Identifier{Type: kyc.Wallet, Value: m[2], Note: m[1]})
		return true
	}
	longest := -1
	for i, n := range numbers {
		if strings.HasPrefix(clause, n.words+" ") && (longest < 0 || len(n.words) > len(numbers[longest].words)) {
			longest = i
		}
	}
	if longest < 0 {
		return false
	}
	n := numbers[longest]
	value := strings.TrimSpace(clause[len(n.words):])
	id := kyc.Identifier{Type: n.is, Note: n.words}
	if m := bracket.FindStringSubmatch(value); m != nil {
		if code := listfile.Code(m[2]); code != "" {
			value, id.Country = m[1], code
			id.Note = listfile.Join(", ", id.Note, m[3])
		}
	}
	if words, more, ok := strings.Cut(value, " issued "); ok {
		value, id.Note = words, id.Note+", issued "+more
	}
	if n.is == kyc.IMO {
		value = strings.TrimSpace(strings.TrimPrefix(value, "IMO"))
	}
	if id.Value = strings.TrimSpace(value); id.Value == "" {
		return false
	}
	e.Identifiers = append(e.Identifiers, id)
	return true
}

func ship(e *kyc.Entry) *kyc.Ship {
	if e.Ship == nil {
		e.Ship = &kyc.Ship{}
	}
	return e.Ship
}
