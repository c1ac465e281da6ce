package uk

import (
	"errors"
	"io"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// A designation is an entry of the UK Sanctions List in XML.
type designation struct {
	Updated    string `xml:"LastUpdated"`
	Designated string `xml:"DateDesignated"`
	ID         string `xml:"UniqueID"`
	OFSI       string `xml:"OFSIGroupID"`
	UN         string `xml:"UNReferenceNumber"`
	Names      []struct {
		Name1    string `xml:"Name1"`
		Name2    string `xml:"Name2"`
		Name3    string `xml:"Name3"`
		Name4    string `xml:"Name4"`
		Name5    string `xml:"Name5"`
		Name6    string `xml:"Name6"`
		Type     string `xml:"NameType"`
		Strength string `xml:"AliasStrength"`
	} `xml:"Names>Name"`
	Own []struct {
		Text string `xml:"NameNonLatinScript"`
	} `xml:"NonLatinNames>NonLatinName"`
	Titles    []string `xml:"Titles>Title"`
	Regime    string   `xml:"RegimeName"`
	Kind      string   `xml:"IndividualEntityShip"`
	Imposed   string   `xml:"SanctionsImposed"`
	Other     string   `xml:"OtherInformation"`
	Reasons   string   `xml:"UKStatementofReasons"`
	Addresses []struct {
		Line1   string `xml:"AddressLine1"`
		Line2   string `xml:"AddressLine2"`
		Line3   string `xml:"AddressLine3"`
		Line4   string `xml:"AddressLine4"`
		Line5   string `xml:"AddressLine5"`
		Line6   string `xml:"AddressLine6"`
		Post    string `xml:"AddressPostalCode"`
		Country string `xml:"AddressCountry"`
	} `xml:"Addresses>Address"`
	Phones   []string      `xml:"PhoneNumbers>PhoneNumber"`
	Websites []string      `xml:"Websites>Website"`
	Emails   []string      `xml:"EmailAddresses>EmailAddress"`
	People   []individual  `xml:"IndividualDetails>Individual"`
	Firms    []firm        `xml:"EntityDetails>Entity"`
	Ships    []shipElement `xml:"ShipDetails>Ship"`
}

type individual struct {
	Births        []string `xml:"DOBs>DOB"`
	Nationalities []string `xml:"Nationalities>Nationality"`
	National      []struct {
		Number string `xml:"NationalIdentifierNumber"`
		Note   string `xml:"NationalIdentifierAdditionalInformation"`
	} `xml:"NationalIdentifierDetails>NationalIdentifier"`
	Passports []struct {
		Number string `xml:"PassportNumber"`
		Note   string `xml:"PassportAdditionalInformation"`
	} `xml:"PassportDetails>Passport"`
	Positions []string `xml:"Positions>Position"`
	Genders   []string `xml:"Genders>Gender"`
	Places    []struct {
		Town    string `xml:"TownOfBirth"`
		Country string `xml:"CountryOfBirth"`
	} `xml:"BirthDetails>Location"`
}

type firm struct {
	Subsidiaries  []string `xml:"Subsidiaries>Subsidiary"`
	Parents       []string `xml:"ParentCompanies>ParentCompany"`
	Registrations []string `xml:"BusinessRegistrationNumbers>BusinessRegistrationNumber"`
}

type shipElement struct {
	IMO         []string `xml:"IMONumbers>IMONumber"`
	Owners      []string `xml:"CurrentOwnerOperators>CurrentOwnerOperator"`
	Former      []string `xml:"PreviousOwnerOperators>PreviousOwnerOperator"`
	Flags       []string `xml:"CurrentBelievedFlagOfShips>CurrentBelievedFlagOfShip"`
	FormerFlags []string `xml:"PreviousFlags>PreviousFlag"`
	Types       []string `xml:"TypeOfShipDetails>TypeOfShip"`
	Tonnage     []string `xml:"TonnageOfShipDetails>TonnageOfShip"`
	Length      []string `xml:"LengthOfShipDetails>LengthOfShip"`
	Built       []string `xml:"YearsBuilt>YearBuilt"`
	Hulls       []string `xml:"HullIdentificationNumbers>HullIdentificationNumber"`
}

func readXML(in io.Reader, yield listfile.Reading) error {
	x := listfile.NewXML(in)
	var asOf company.Date
	for {
		path, err := x.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case !strings.HasPrefix(path, "Designations"):
			return errOtherFile
		case path == "Designations/DateGenerated":
			text, err := x.Text()
			if err != nil {
				return err
			}
			asOf = listfile.Day(text)
			continue
		case path != "Designations/Designation":
			continue
		}
		var from designation
		if err := x.Read(&from); err != nil {
			return err
		}
		rec := kyc.Record{Entry: from.entry(), AsOf: asOf}
		if strings.TrimSpace(from.ID) == "" {
			err = x.Bad(rec.Main(), errors.New("it has no UniqueID"))
		}
		if !yield(rec, err) {
			return nil
		}
	}
}

func (d *designation) entry() kyc.Entry {
	e := newEntry(kyc.UKSanctions, strings.TrimSpace(d.ID))
	e.Kind = kindOf(d.Kind)
	for _, n := range d.Names {
		name := parts(e.Kind, n.Name1, n.Name2, n.Name3, n.Name4, n.Name5, n.Name6)
		nameType(&name, n.Type, n.Strength)
		e.Names = append(e.Names, name)
	}
	for _, n := range d.Own {
		e.Names = append(e.Names, kyc.Name{Text: n.Text, Type: kyc.Alias})
	}
	e.Titles = d.Titles
	e.Programmes = []string{d.Regime}
	e.Measures = listfile.Fields(d.Imposed, "|")
	e.Remarks, e.Reasons = []string{d.Other}, []string{d.Reasons}
	for _, a := range d.Addresses {
		e.Addresses = append(e.Addresses, kyc.Address{
			Line: listfile.Join(", ", a.Line1, a.Line2, a.Line3, a.Line4, a.Line5),
			City: a.Line6, Post: a.Post, Country: listfile.Country(a.Country),
		})
	}
	for is, list := range map[string][]string{kyc.Telephone: d.Phones, kyc.Website: d.Websites, kyc.Email: d.Emails} {
		for _, text := range list {
			addContacts(&e, is, text)
		}
	}
	otherNumbers(&e, d.OFSI, d.UN)
	for _, p := range d.People {
		p.add(&e)
	}
	for _, f := range d.Firms {
		addRelated(&e, strings.Join(f.Subsidiaries, "; "), strings.Join(f.Parents, "; "))
		for _, number := range f.Registrations {
			addNumbers(&e, kyc.Registration, number, "")
		}
	}
	for _, s := range d.Ships {
		one := func(list []string) string { return strings.Join(list, ", ") }
		addShip(&e, shipFacts{
			imo: one(s.IMO), owner: one(s.Owners), formerOwner: one(s.Former), flag: one(s.Flags), formerFlags: one(s.FormerFlags),
			is: one(s.Types), tonnage: one(s.Tonnage), length: one(s.Length), built: one(s.Built), hull: one(s.Hulls),
		})
	}
	dates(&e, d.Designated, d.Updated)
	return e
}

func (p *individual) add(e *kyc.Entry) {
	for _, b := range p.Births {
		addBirths(e, b)
	}
	for _, n := range p.Nationalities {
		addNationalities(e, n)
	}
	for _, id := range p.National {
		addNumbers(e, kyc.NationalID, id.Number, id.Note)
	}
	for _, id := range p.Passports {
		addNumbers(e, kyc.Passport, id.Number, id.Note)
	}
	for _, g := range p.Genders {
		e.Gender = listfile.Gender(g)
	}
	e.Positions = append(e.Positions, p.Positions...)
	for _, at := range p.Places {
		e.BirthPlaces = append(e.BirthPlaces, listfile.Join(", ", at.Town, at.Country))
	}
}
