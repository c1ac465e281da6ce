package uk

import (
	"errors"
	"io"
	"regexp"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// readTable puts the rows of each entry together.
func readTable(in io.Reader, t listfile.Table, list, key string, add func(*kyc.Entry, listfile.Row), yield listfile.Reading) error {
	var all listfile.Grouped[kyc.Entry]
	var asOf company.Date
	above := func(line []string) {
		for _, cell := range line {
			if on := listfile.Day(strings.TrimSpace(strings.TrimPrefix(cell, "Report Date:"))); on != "" {
				asOf = on
			}
		}
	}
	if list == kyc.UKOFSI {
		// One edition has no line end behind its last row. That row is whole if
		// its number, which comes last, is one that was there before.
		t.Ends = func(r listfile.Row) bool { return all.Find(r.Text(key)) != nil }
	}
	for row, err := range t.Rows(in, above) {
		number := row.Text(key)
		if err == nil && number == "" {
			err = row.Bad(errors.New("it has no " + key))
		}
		var bad *importer.Bad
		switch {
		case errors.As(err, &bad):
			if !yield(kyc.Record{}, err) {
				return nil
			}
			continue
		case err != nil:
			return err
		}
		e, fresh := all.At(number)
		if fresh {
			*e = newEntry(list, number)
		}
		add(e, row)
	}
	for _, e := range all.All() {
		if !yield(kyc.Record{Entry: *e, AsOf: asOf}, nil) {
			return nil
		}
	}
	return nil
}

// ofsiTable is OFSI's list, in the form of 2022 and the one before.
var ofsiTable = listfile.Table{Must: []string{"Name 6", "Group ID", "Group Type", "Alias Type"}, Above: 2, Loose: true}

// unReference stands in the middle of other information.
var unReference = regexp.MustCompile(`(?i)\bUN Ref(?:erence)?[\s.:]*(?:Number:?\s*)?([A-Z]{2,3}[a-z]?\.[A-Z0-9.]*[A-Z0-9])`)

func addOFSIRow(e *kyc.Entry, r listfile.Row) {
	e.Kind = kindOf(r.Text("Group Type"))
	n := parts(e.Kind, r.Text("Name 1"), r.Text("Name 2"), r.Text("Name 3"), r.Text("Name 4"), r.Text("Name 5"), r.Text("Name 6"))
	switch strings.ToLower(r.Text("Alias Type")) {
	case "prime alias", "primary name":
	case "fka":
		n.Type = kyc.Former
	default:
		n.Type = kyc.Alias
	}
	n.Weak = strings.HasPrefix(strings.ToLower(r.Text("Alias Quality")), "low")
	e.Names = append(e.Names, n)
	if own := r.Text("Name Non-Latin Script"); own != "" {
		e.Names = append(e.Names, kyc.Name{Text: own, Type: kyc.Alias})
	}
	addBirths(e, r.Text("DOB"))
	addNationalities(e, r.Text("Nationality"))
	if at := listfile.Join(", ", r.Text("Town of Birth"), r.Text("Country of Birth")); at != "" {
		e.BirthPlaces = append(e.BirthPlaces, at)
	}
	if r.Has("Passport Number") {
		addNumbers(e, kyc.Passport, r.Text("Passport Number"), r.Text("Passport Details"))
		addNumbers(e, kyc.NationalID, r.Text("National Identification Number"), r.Text("National Identification Details"))
	} else {
		addNumbers(e, kyc.Passport, r.Text("Passport Details"), "")
		addNumbers(e, kyc.NationalID, r.Text("NI Number"), "")
	}
	e.Titles = append(e.Titles, r.Text("Title"))
	e.Positions = append(e.Positions, listfile.Numbered(r.Text("Position"))...)
	e.Addresses = append(e.Addresses, kyc.Address{
		Line: listfile.Join(", ", r.Text("Address 1"), r.Text("Address 2"), r.Text("Address 3"), r.Text("Address 4"), r.Text("Address 5")),
		City: r.Text("Address 6"), Post: r.Text("Post/Zip Code"), Country: listfile.Country(r.Text("Country")),
	})
	other := r.Text("Other Information")
	e.Remarks = append(e.Remarks, other)
	if m := unReference.FindStringSubmatch(other); m != nil {
		e.Identifiers = append(e.Identifiers, kyc.Identifier{Type: kyc.UNReference, Value: m[1]})
	}
	e.Programmes = append(e.Programmes, r.Text("Regime"))
	dates(e, r.Text("Listed On"), r.Text("Last Updated"))
}

// listTable is the UK Sanctions List.
var listTable = listfile.Table{Must: []string{"Unique ID", "Name 6", "Name type", "Designation Type"}, Above: 2, Loose: true}

func addListRow(e *kyc.Entry, r listfile.Row) {
	e.Kind = kindOf(r.Text("Designation Type"))
	n := parts(e.Kind, r.Text("Name 1"), r.Text("Name 2"), r.Text("Name 3"), r.Text("Name 4"), r.Text("Name 5"), r.Text("Name 6"))
	nameType(&n, r.Text("Name type"), r.Text("Alias strength"))
	e.Names = append(e.Names, n)
	if own := r.Text("Name non-latin script"); own != "" {
		e.Names = append(e.Names, kyc.Name{Text: own, Type: kyc.Alias})
	}
	e.Titles = append(e.Titles, r.Text("Title"))
	e.Positions = append(e.Positions, listfile.Numbered(r.Text("Position"))...)
	e.Programmes = append(e.Programmes, r.Text("Regime Name"))
	e.Measures = append(e.Measures, listfile.Fields(r.Text("Sanctions Imposed"), "|")...)
	e.Remarks = append(e.Remarks, r.Text("Other Information"))
	e.Reasons = append(e.Reasons, r.Text("UK Statement of Reasons"))
	e.Addresses = append(e.Addresses, kyc.Address{
		Line: listfile.Join(", ", r.Text("Address Line 1"), r.Text("Address Line 2"), r.Text("Address Line 3"), r.Text("Address Line 4"), r.Text("Address Line 5")),
		City: r.Text("Address Line 6"), Post: r.Text("Address Postal Code"), Country: listfile.Country(r.Text("Address Country")),
	})
	addContacts(e, kyc.Telephone, r.Text("Phone number"))
	addContacts(e, kyc.Website, r.Text("Website"))
	addContacts(e, kyc.Email, r.Text("Email address"))
	addBirths(e, r.Text("D.O.B"))
	addNationalities(e, r.Text("Nationality(/ies)"))
	addNumbers(e, kyc.NationalID, r.Text("National Identifier number"), r.Text("National Identifier additional information"))
	addNumbers(e, kyc.Passport, r.Text("Passport number"), r.Text("Passport additional information"))
	addNumbers(e, kyc.Registration, r.Text("Business registration number (s)"), "")
	if g := listfile.Gender(r.Text("Gender")); g != "" {
		e.Gender = g
	}
	if at := listfile.Join(", ", r.Text("Town of birth"), r.Text("Country of birth")); at != "" {
		e.BirthPlaces = append(e.BirthPlaces, at)
	}
	addRelated(e, r.Text("Subsidiaries"), r.Text("Parent company"))
	otherNumbers(e, r.Text("OFSI Group ID"), r.Text("UN Reference Number"))
	if e.Kind == kyc.Vessel {
		addShip(e, shipFacts{
			r.Text("IMO number"), r.Text("Current owner/operator (s)"), r.Text("Previous owner/operator (s)"), r.Text("Current believed flag of ship"),
			r.Text("Previous flags"), r.Text("Type of ship"), r.Text("Tonnage of ship"), r.Text("Length of ship"), r.Text("Year Built"),
			r.Text("Hull identification number (HIN)"),
		})
	}
	dates(e, r.Text("Date Designated"), r.Text("Last Updated"))
}
