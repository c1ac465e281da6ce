package ofac

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// An advanced is a file in the advanced form. It is a small database: words are
// numbers that a table at its beginning explains, and what is known of one party
// stands in four places. The parties are held until the last of these was read.
type advanced struct {
	words     map[string]map[string]string // by table and ID
	types     map[string]string            // party types by sub-type
	places    map[string]kyc.Address       // locations
	documents map[string][]kyc.Identifier  // by identity
	parties   listfile.Grouped[party]
	profiles  map[string]*party
	asOf      company.Date
}

// A party is an entry as far as it was read.
type party struct {
	kyc.Entry
	profile    string
	identities []string
	listed     bool // its list was named
}

func readAdvanced(in io.Reader, name string, yield listfile.Reading) error {
	a := &advanced{
		words: map[string]map[string]string{}, types: map[string]string{}, places: map[string]kyc.Address{},
		documents: map[string][]kyc.Identifier{}, profiles: map[string]*party{},
	}
	x := listfile.NewXML(in)
	for {
		path, err := x.Next()
		if errors.Is(err, io.EOF) {
			return a.hand(name, yield)
		}
		if err == nil {
			err = a.element(x, path)
		}
		if err != nil {
			return err
		}
	}
}

// element reads one of the parts of the file.
func (a *advanced) element(x *listfile.XML, path string) error {
	rest, ok := strings.CutPrefix(path, "Sanctions/")
	if !ok {
		return nil
	}
	parts := strings.Split(rest, "/")
	switch {
	case parts[0] == "ReferenceValueSets" && len(parts) == 3:
		return a.word(x, parts[2])
	case rest == "DateOfIssue":
		var d xmlDate
		err := x.Read(&d)
		a.asOf = d.date()
		return err
	case rest == "Locations/Location":
		return a.location(x)
	case rest == "IDRegDocuments/IDRegDocument":
		return a.document(x)
	case rest == "DistinctParties/DistinctParty":
		return a.party(x)
	case rest == "SanctionsEntries/SanctionsEntry":
		return a.sanctions(x)
	}
	return nil
}

// word reads a line of one of the tables.
func (a *advanced) word(x *listfile.XML, table string) error {
	id, of := x.Attr("ID"), x.Attr("PartyTypeID")
	iso := x.Attr("ISO2")
	text, err := x.Text()
	if a.words[table] == nil {
		a.words[table] = map[string]string{}
	}
	switch {
	case table == "PartySubType":
		a.types[id] = of
	case table == "AreaCode" && len(iso) == 2:
		text = iso
	}
	a.words[table][id] = text
	return err
}

// xmlDate is a date in parts.
type xmlDate struct {
	Year  string `xml:"Year"`
	Month string `xml:"Month"`
	Day   string `xml:"Day"`
}

func (d xmlDate) date() company.Date {
	return listfile.Day(fmt.Sprintf("%s/%s/%s", d.Day, d.Month, d.Year))
}

func (a *advanced) location(x *listfile.XML) error {
	var l struct {
		ID      string `xml:"ID,attr"`
		Country struct {
			ID string `xml:"CountryID,attr"`
		} `xml:"LocationCountry"`
		Area struct {
			ID string `xml:"AreaCodeID,attr"`
		} `xml:"LocationAreaCode"`
		Parts []struct {
			Type   string   `xml:"LocPartTypeID,attr"`
			Values []string `xml:"LocationPartValue>Value"`
		} `xml:"LocationPart"`
	}
	if err := x.Read(&l); err != nil {
		return err
	}
	var p kyc.Address
	for _, part := range l.Parts {
		text := strings.Join(part.Values, ", ")
		switch strings.ToUpper(a.words["LocPartType"][part.Type]) {
		case "CITY":
			p.City = text
		case "STATE/PROVINCE", "REGION":
			p.Region = listfile.Join(", ", p.Region, text)
		case "POSTAL CODE":
			p.Post = text
		default:
			p.Line = listfile.Join(", ", p.Line, text)
		}
	}
	p.Country = listfile.Country(a.words["Country"][l.Country.ID])
	if p.Country == "" {
		p.Country = listfile.Country(a.words["AreaCode"][l.Area.ID])
	}
	a.places[l.ID] = p
	return nil
}

func (a *advanced) document(x *listfile.XML) error {
	var d struct {
		Identity string `xml:"IdentityID,attr"`
		Type     string `xml:"IDRegDocTypeID,attr"`
		Country  string `xml:"IssuedBy-CountryID,attr"`
		Number   string `xml:"IDRegistrationNo"`
	}
	if err := x.Read(&d); err != nil {
		return err
	}
	var e kyc.Entry
	clause := a.words["IDRegDocType"][d.Type] + " " + strings.TrimSpace(d.Number)
	id := kyc.Identifier{Type: kyc.OtherID, Value: d.Number, Note: a.words["IDRegDocType"][d.Type]}
	if addNumber(&e, clause) {
		id = e.Identifiers[0]
	}
	if c := listfile.Country(a.words["Country"][d.Country]); c != "" {
		id.Country = c
	}
	a.documents[d.Identity] = append(a.documents[d.Identity], id)
	return nil
}

func (a *advanced) party(x *listfile.XML) error {
	var from xmlParty
	number := x.Attr("FixedRef")
	if err := x.Read(&from); err != nil {
		return err
	}
	p, _ := a.parties.At(number)
	p.Entry = newEntry("", number, "")
	p.profile = from.Profile.ID
	a.profiles[p.profile] = p
	p.Kind = a.kind(from.Profile.SubType)
	for _, i := range from.Profile.Identities {
		p.identities = append(p.identities, i.ID)
		p.Names = append(p.Names, a.names(p.Kind, i)...)
	}
	for _, f := range from.Profile.Features {
		a.feature(&p.Entry, f)
	}
	return nil
}

func (a *advanced) kind(subType string) kyc.Kind {
	if k := kindOf(a.words["PartySubType"][subType]); k != kyc.Company {
		return k // a vessel or an aircraft
	}
	return kindOf(a.words["PartyType"][a.types[subType]])
}

// sanctions says under which programmes and since when a party is listed, and on
// which of the lists.
func (a *advanced) sanctions(x *listfile.XML) error {
	var s struct {
		Profile string `xml:"ProfileID,attr"`
		List    string `xml:"ListID,attr"`
		Events  []struct {
			Date xmlDate `xml:"Date"`
		} `xml:"EntryEvent"`
		Measures []struct {
			Comment string `xml:"Comment"`
			Type    string `xml:"SanctionsTypeID,attr"`
		} `xml:"SanctionsMeasure"`
	}
	if err := x.Read(&s); err != nil {
		return err
	}
	p := a.profiles[s.Profile]
	if p == nil {
		return nil
	}
	if word := strings.ToLower(a.words["List"][s.List]); word != "" && !p.listed {
		p.List, p.listed = kyc.OFACConsolidated, true
		if strings.Contains(word, "sdn") && !strings.Contains(word, "non") {
			p.List = kyc.OFACSDN
		}
	}
	for _, m := range s.Measures {
		switch word := a.words["SanctionsType"][m.Type]; {
		case strings.EqualFold(word, "Program"), word == "" && m.Comment != "":
			p.Programmes = append(p.Programmes, m.Comment)
		default:
			p.Measures = append(p.Measures, listfile.Join(": ", word, m.Comment))
		}
	}
	for _, e := range s.Events {
		if on := e.Date.date(); on != "" && (p.Listed == "" || on < p.Listed) {
			p.Listed = on
			p.Sources[0].Added = on
		}
	}
	return nil
}

// hand hands the parties on when all is known of them.
func (a *advanced) hand(name string, yield listfile.Reading) error {
	for _, p := range a.parties.All() {
		if p.List == "" {
			p.List = listOf(name, p.Programmes)
		}
		p.Sources[0].Title = kyc.FindList(p.List).Title
		for _, i := range p.identities {
			p.Identifiers = append(p.Identifiers, a.documents[i]...)
		}
		if !yield(kyc.Record{Entry: p.Entry, AsOf: a.asOf}, nil) {
			return nil
		}
	}
	return nil
}
