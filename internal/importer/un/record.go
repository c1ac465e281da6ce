package un

import (
	"regexp"
	"strings"

	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// A record is an INDIVIDUAL or an ENTITY.
type record struct {
	DataID       string   `xml:"DATAID"`
	First        string   `xml:"FIRST_NAME"`
	Second       string   `xml:"SECOND_NAME"`
	Third        string   `xml:"THIRD_NAME"`
	Fourth       string   `xml:"FOURTH_NAME"`
	Programme    string   `xml:"UN_LIST_TYPE"`
	Reference    string   `xml:"REFERENCE_NUMBER"`
	Listed       string   `xml:"LISTED_ON"`
	Gender       string   `xml:"GENDER"`
	Original     string   `xml:"NAME_ORIGINAL_SCRIPT"`
	Comments     string   `xml:"COMMENTS1"`
	Titles       []string `xml:"TITLE>VALUE"`
	Designations []string `xml:"DESIGNATION>VALUE"`
	Nations      []string `xml:"NATIONALITY>VALUE"`
	Updated      []string `xml:"LAST_DAY_UPDATED>VALUE"`

	Aliases   []alias    `xml:"INDIVIDUAL_ALIAS"`
	Names     []alias    `xml:"ENTITY_ALIAS"`
	Addresses []place    `xml:"INDIVIDUAL_ADDRESS"`
	Offices   []place    `xml:"ENTITY_ADDRESS"`
	Births    []birth    `xml:"INDIVIDUAL_DATE_OF_BIRTH"`
	Places    []place    `xml:"INDIVIDUAL_PLACE_OF_BIRTH"`
	Documents []document `xml:"INDIVIDUAL_DOCUMENT"`
}

type alias struct {
	Quality string `xml:"QUALITY"`
	Name    string `xml:"ALIAS_NAME"`
	Note    string `xml:"NOTE"`
}

type place struct {
	Street  string `xml:"STREET"`
	City    string `xml:"CITY"`
	Region  string `xml:"STATE_PROVINCE"`
	Post    string `xml:"ZIP_CODE"`
	Country string `xml:"COUNTRY"`
	Note    string `xml:"NOTE"`
}

type birth struct {
	Type string `xml:"TYPE_OF_DATE"`
	Date string `xml:"DATE"`
	Year string `xml:"YEAR"`
	From string `xml:"FROM_YEAR"`
	To   string `xml:"TO_YEAR"`
}

type document struct {
	Type    string `xml:"TYPE_OF_DOCUMENT"`
	Type2   string `xml:"TYPE_OF_DOCUMENT2"`
	Number  string `xml:"NUMBER"`
	Issuer  string `xml:"ISSUING_COUNTRY"`
	Country string `xml:"COUNTRY_OF_ISSUE"`
	Note    string `xml:"NOTE"`
}

func (r *record) entry(kind kyc.Kind) kyc.Entry {
	number := strings.TrimSpace(r.Reference)
	e := kyc.Entry{
		List: kyc.UNSanctions, Number: number, Kind: kind, Gender: listfile.Gender(r.Gender),
		Datasets: []kyc.Dataset{kyc.SANCurrent}, Bodies: []kyc.Body{kyc.UN},
		Programmes: []string{r.Programme}, Listed: listfile.Day(r.Listed),
		Titles: r.Titles, Positions: r.Designations, Remarks: []string{r.Comments},
		Identifiers: []kyc.Identifier{{Type: kyc.UNReference, Value: number}},
	}
	if r.DataID != "" {
		e.Identifiers = append(e.Identifiers, kyc.Identifier{Type: kyc.OtherID, Value: r.DataID, Note: "DATAID"})
	}
	e.Sources = []kyc.Source{{
		Title: kyc.FindList(e.List).Title, Link: "https://main.un.org/securitycouncil/en/content/un-sc-consolidated-list",
		Added: e.Listed, Published: listfile.Day(latest(r.Updated)),
	}}
	r.addNames(&e)
	for _, n := range r.Nations {
		e.Nationalities = append(e.Nationalities, listfile.Country(n))
	}
	for _, b := range r.Births {
		if d, ok := b.date(); ok {
			e.Born = append(e.Born, d)
		}
	}
	for _, p := range r.Places {
		e.BirthPlaces = append(e.BirthPlaces, listfile.Join(", ", p.Street, p.City, p.Region, p.Country))
	}
	for _, p := range append(r.Addresses, r.Offices...) {
		e.Addresses = append(e.Addresses, kyc.Address{
			Line: p.Street, City: p.City, Region: p.Region, Post: p.Post, Country: listfile.Country(p.Country), Note: p.Note,
		})
	}
	for _, d := range r.Documents {
		e.Identifiers = append(e.Identifiers, d.identifiers()...)
	}
	return e
}

func latest(days []string) (last string) {
	for _, d := range days {
		last = max(last, strings.TrimSpace(d))
	}
	return last
}

// addNames adds the names. The four parts of a person's are given names first,
// without telling which is the family's.
func (r *record) addNames(e *kyc.Entry) {
	e.Names = []kyc.Name{{Text: listfile.Join(" ", r.First, r.Second, r.Third, r.Fourth)}}
	if r.Original != "" {
		e.Names = append(e.Names, kyc.Name{Text: r.Original, Type: kyc.Alias})
	}
	for _, a := range append(r.Aliases, r.Names...) {
		is := kyc.Alias
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Quality)), "f.k.a") {
			is = kyc.Former
		}
		for _, text := range spellings(a.Name) {
			e.Names = append(e.Names, kyc.Name{Text: text, Type: is, Weak: strings.EqualFold(strings.TrimSpace(a.Quality), "low")})
		}
	}
}

var inBrackets = regexp.MustCompile(`^([^()]+)\(([^()]*;[^()]*)\)$`)

// spellings takes apart what one alias may hold: "a) … b) …", names between
// semicolons, and a name in its own script with spellings in brackets behind.
func spellings(text string) (out []string) {
	text = strings.ReplaceAll(text, "(original script)", "")
	for _, part := range listfile.Numbered(text) {
		if m := inBrackets.FindStringSubmatch(strings.TrimSpace(part)); m != nil {
			part = m[1] + ";" + m[2]
		}
		out = append(out, listfile.Fields(part, ";")...)
	}
	return out
}

func (b *birth) date() (kyc.Date, bool) {
	about := strings.EqualFold(b.Type, "APPROXIMATELY")
	text := b.Date
	switch {
	case b.From != "" || b.To != "":
		text = strings.TrimSpace(b.From) + " to " + strings.TrimSpace(b.To)
		if b.To == "" || b.From == "" {
			text = b.From + b.To
		}
	case text == "":
		text = b.Year
	}
	// Some dates carry a zone: 1970-01-31+02:00, 1970-01-31Z.
	if text = strings.TrimSpace(text); len(text) > 10 && text[4] == '-' {
		text = text[:10]
	}
	d, ok := listfile.Date(text)
	d.About = d.About || about
	return d, ok
}

// identifiers are the numbers of a document; a cell may hold several.
func (d *document) identifiers() (out []kyc.Identifier) {
	word := strings.Join(strings.Fields(d.Type), " ")
	is := kyc.NationalID
	if w := strings.ToLower(word); strings.Contains(w, "passport") || strings.Contains(w, "pasaporte") || strings.Contains(w, "passeport") {
		is = kyc.Passport
	}
	country := d.Issuer
	if country == "" {
		country = d.Country
	}
	for _, number := range listfile.Numbered(d.Number) {
		out = append(out, kyc.Identifier{
			Type: is, Value: number, Country: listfile.Country(country), Note: listfile.Join(", ", d.Type2, d.Note),
		})
	}
	return out
}
