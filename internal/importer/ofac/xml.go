package ofac

import (
	"errors"
	"io"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// xmlEntry is an sdnEntry.
type xmlEntry struct {
	UID      string   `xml:"uid"`
	First    string   `xml:"firstName"`
	Last     string   `xml:"lastName"`
	Title    string   `xml:"title"`
	Type     string   `xml:"sdnType"`
	Remarks  string   `xml:"remarks"`
	Programs []string `xml:"programList>program"`
	IDs      []struct {
		Type    string `xml:"idType"`
		Number  string `xml:"idNumber"`
		Country string `xml:"idCountry"`
		Issued  string `xml:"issueDate"`
		Expires string `xml:"expirationDate"`
	} `xml:"idList>id"`
	AKAs []struct {
		Type     string `xml:"type"`
		Category string `xml:"category"`
		First    string `xml:"firstName"`
		Last     string `xml:"lastName"`
	} `xml:"akaList>aka"`
	Addresses []struct {
		Line1   string `xml:"address1"`
		Line2   string `xml:"address2"`
		Line3   string `xml:"address3"`
		City    string `xml:"city"`
		State   string `xml:"stateOrProvince"`
		Post    string `xml:"postalCode"`
		Country string `xml:"country"`
	} `xml:"addressList>address"`
	Nationalities []string `xml:"nationalityList>nationality>country"`
	Citizenships  []string `xml:"citizenshipList>citizenship>country"`
	Births        []string `xml:"dateOfBirthList>dateOfBirthItem>dateOfBirth"`
	Places        []string `xml:"placeOfBirthList>placeOfBirthItem>placeOfBirth"`
	Vessel        *struct {
		CallSign string `xml:"callSign"`
		Type     string `xml:"vesselType"`
		Flag     string `xml:"vesselFlag"`
		Owner    string `xml:"vesselOwner"`
		Tonnage  string `xml:"tonnage"`
		Gross    string `xml:"grossRegisteredTonnage"`
	} `xml:"vesselInfo"`
}

func readXML(in io.Reader, name string, yield listfile.Reading) error {
	x := listfile.NewXML(in)
	list := ""
	var asOf company.Date
	for {
		path, err := x.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch path {
		case "sdnList/publshInformation/Publish_Date":
			text, err := x.Text()
			if err != nil {
				return err
			}
			asOf = listfile.AmericanDay(text)
		case "sdnList/sdnEntry":
			var from xmlEntry
			if err := x.Read(&from); err != nil {
				return err
			}
			if list == "" {
				list = listOf(name, from.Programs)
			}
			if from.UID == "" {
				if !yield(kyc.Record{}, x.Bad(from.Last, errors.New("it has no uid"))) {
					return nil
				}
				continue
			}
			if !yield(kyc.Record{Entry: from.entry(list), AsOf: asOf}, nil) {
				return nil
			}
		}
	}
}

func (f *xmlEntry) entry(list string) kyc.Entry {
	e := newEntry(list, f.UID, "")
	e.Kind = kindOf(f.Type)
	e.Names = []kyc.Name{partsOf(e.Kind, f.First, f.Last)}
	for _, a := range f.AKAs {
		n := partsOf(e.Kind, a.First, a.Last)
		n.Type, n.Weak = typeOf(a.Type), strings.EqualFold(a.Category, "weak")
		e.Names = append(e.Names, n)
	}
	e.Programmes = f.Programs
	e.Titles = listfile.Fields(f.Title, ";")
	for _, a := range f.Addresses {
		e.Addresses = append(e.Addresses, kyc.Address{
			Line: listfile.Join(", ", a.Line1, a.Line2, a.Line3), City: a.City, Region: a.State, Post: a.Post, Country: listfile.Country(a.Country),
		})
	}
	for _, c := range append(f.Nationalities, f.Citizenships...) {
		e.Nationalities = append(e.Nationalities, listfile.Country(c))
	}
	for _, b := range f.Births {
		e.Born = append(e.Born, listfile.Dates(b)...)
	}
	e.BirthPlaces = f.Places
	if v := f.Vessel; v != nil {
		e.Ship = &kyc.Ship{Type: v.Type, Flag: listfile.Country(v.Flag), Owner: v.Owner, Tonnage: v.Tonnage, Gross: v.Gross}
		if v.CallSign != "" {
			e.Identifiers = append(e.Identifiers, kyc.Identifier{Type: kyc.CallSign, Value: v.CallSign})
		}
	}
	for _, id := range f.IDs {
		f.addID(&e, id.Type, id.Number, id.Country, id.Issued, id.Expires)
	}
	// The links stand in brackets here, and without in the CSV files.
	addRemarks(&e, strings.NewReplacer("(Linked To:", "Linked To:").Replace(strings.TrimSuffix(f.Remarks, ")")))
	return e
}

// addID takes an id, which is any clause that is no remark, a gender too.
func (f *xmlEntry) addID(e *kyc.Entry, is, number, country, issued, expires string) {
	clause := strings.TrimSpace(is + " " + number)
	if country != "" {
		clause += " (" + country + ")"
	}
	if issued != "" {
		clause += " issued " + issued
	}
	if expires != "" {
		clause += ", expires " + expires
	}
	if !addClause(e, clause) {
		e.Remarks = append(e.Remarks, clause)
	}
}

// partsOf is a name in two parts, of which companies have but the last.
func partsOf(kind kyc.Kind, first, last string) kyc.Name {
	if kind != kyc.Person || first == "" {
		return kyc.Name{Text: listfile.Join(" ", first, last)}
	}
	return listfile.PersonName(first, "", last)
}
