package opensanctions

import (
	"encoding/json"
	"slices"
	"strings"

	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// An entity has properties that are all lists. Most hold texts; a few hold other
// entities where those are nested.
type entity struct {
	ID         string                       `json:"id"`
	Caption    string                       `json:"caption"`
	Schema     string                       `json:"schema"`
	Properties map[string][]json.RawMessage `json:"properties"`
	Referents  []string                     `json:"referents"`
	Datasets   []string                     `json:"datasets"`
	FirstSeen  string                       `json:"first_seen"`
	LastChange string                       `json:"last_change"`
}

// kinds are the schemas of those who can be listed.
var kinds = map[string]kyc.Kind{
	"Person": kyc.Person, "Company": kyc.Company, "Organization": kyc.Company, "LegalEntity": kyc.Other, "PublicBody": kyc.Company,
	"Vessel": kyc.Vessel, "Airplane": kyc.Aircraft,
}

// topics are what entities are listed for. A topic also stands for those below
// it: crime for crime.fraud.
var topics = []struct {
	topic string
	is    kyc.Dataset
}{
	{"sanction.linked", kyc.POI},
	{"sanction.counter", kyc.SANCurrent},
	{"sanction", kyc.SANCurrent},
	{"export.control", kyc.SANCurrent},
	{"role.pep", kyc.PEP},
	{"role.rca", kyc.PEPLinked},
	{"role.spy", kyc.POI},
	{"role.oligarch", kyc.POI},
	{"gov.soe", kyc.SOE},
	{"corp.disqual", kyc.DD},
	{"debarment", kyc.ENF},
	{"reg.action", kyc.ENF},
	{"reg.warn", kyc.ENF},
	{"crime", kyc.POI},
	{"wanted", kyc.POI},
	{"export.risk", kyc.POI},
	{"poi", kyc.POI},
}

// publishers are the collections whose bodies we know.
var publishers = []struct {
	dataset string
	body    kyc.Body
}{
	{"us_ofac", kyc.OFAC},
	{"un_sc", kyc.UN},
	{"un_1718", kyc.UN},
	{"eu_", kyc.EU},
	{"gb_hmt", kyc.UK},
	{"gb_fcdo", kyc.UK},
	{"ch_seco", kyc.SECO},
	{"ca_dfatd", kyc.Canada},
	{"us_bis", kyc.BIS},
}

func (e *entity) texts(properties ...string) (out []string) {
	for _, p := range properties {
		for _, raw := range e.Properties[p] {
			var s string
			if json.Unmarshal(raw, &s) == nil && s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// nested are entities inside a property.
func (e *entity) nested(property string) (out []entity) {
	for _, raw := range e.Properties[property] {
		var n entity
		if len(raw) > 0 && raw[0] == '{' && json.Unmarshal(raw, &n) == nil {
			out = append(out, n)
		}
	}
	return out
}

func (e *entity) datasets() (out []kyc.Dataset) {
	for _, have := range e.texts("topics") {
		for _, t := range topics {
			if have == t.topic || strings.HasPrefix(have, t.topic+".") {
				out = append(out, t.is)
				break
			}
		}
	}
	return out
}

func (e *entity) isListed() bool {
	return kinds[e.Schema] != "" && len(e.datasets()) > 0
}

func (e *entity) entry() kyc.Entry {
	out := kyc.Entry{
		List: kyc.OpenSanctions, Number: e.ID, Kind: kinds[e.Schema], Datasets: e.datasets(),
		Titles: e.texts("title"), Positions: e.texts("position", "education"), BirthPlaces: e.texts("birthPlace"),
		Programmes: e.texts("program", "programId"), Reasons: e.texts("reason"), Remarks: e.texts("notes", "description"),
		Listed: listfile.Day(dayOf(e.FirstSeen)),
	}
	if slices.Contains(out.Datasets, kyc.SANCurrent) {
		out.Bodies = e.bodies()
	}
	e.addNames(&out)
	for _, b := range e.texts("birthDate") {
		out.Born = append(out.Born, listfile.Dates(b)...)
	}
	for _, d := range e.texts("deathDate") {
		out.Died = append(out.Died, listfile.Dates(d)...)
	}
	for _, g := range e.texts("gender") {
		out.Gender = listfile.Gender(g)
	}
	for _, c := range e.texts("nationality", "citizenship") {
		out.Nationalities = append(out.Nationalities, strings.ToUpper(c))
	}
	for _, c := range e.texts("country", "jurisdiction", "flag", "mainCountry") {
		out.Countries = append(out.Countries, strings.ToUpper(c))
	}
	e.addFacts(&out)
	e.addSources(&out)
	return out
}

func dayOf(moment string) string {
	day, _, _ := strings.Cut(moment, "T")
	return day
}

func (e *entity) bodies() (out []kyc.Body) {
	for _, d := range e.Datasets {
		for _, p := range publishers {
			if strings.HasPrefix(d, p.dataset) {
				out = append(out, p.body)
			}
		}
	}
	if len(out) == 0 {
		out = []kyc.Body{kyc.OtherBody}
	}
	return out
}

func (e *entity) addNames(out *kyc.Entry) {
	add := func(is kyc.NameType, weak bool, list []string) {
		for _, text := range list {
			out.Names = append(out.Names, kyc.Name{Text: text, Type: is, Weak: weak})
		}
	}
	if e.Caption != "" {
		add(kyc.Primary, false, []string{e.Caption})
	}
	add(kyc.Alias, false, e.texts("name", "alias"))
	add(kyc.Alias, true, e.texts("weakAlias", "abbreviation"))
	add(kyc.Former, false, e.texts("previousName"))
	first, last := e.texts("firstName"), e.texts("lastName")
	if len(first) == 1 && len(last) == 1 && len(out.Names) > 0 {
		out.Names[0].First, out.Names[0].Last = first[0], last[0]
		out.Names[0].Middle = strings.Join(e.texts("middleName", "patronymic"), " ")
	}
}

// identifiers are the properties that hold numbers.
var identifiers = map[string]string{
	"passportNumber": kyc.Passport, "idNumber": kyc.NationalID, "socialSecurityNumber": kyc.NationalID, "taxNumber": kyc.TaxID, "vatCode": kyc.TaxID,
	"registrationNumber": kyc.Registration, "innCode": kyc.INN, "ogrnCode": kyc.OGRN, "leiCode": kyc.LEI, "swiftBic": kyc.BIC, "isin": kyc.ISIN,
	"imoNumber": kyc.IMO, "mmsi": kyc.MMSI, "callSign": kyc.CallSign, "publicKey": kyc.Wallet, "uniqueEntityId": kyc.OtherID, "serialNumber": kyc.SerialNumber,
}

var contacts = map[string]string{"phone": kyc.Telephone, "email": kyc.Email, "website": kyc.Website}

func (e *entity) addFacts(out *kyc.Entry) {
	for property, is := range identifiers {
		for _, v := range e.texts(property) {
			out.Identifiers = append(out.Identifiers, kyc.Identifier{Type: is, Value: v})
		}
	}
	for _, other := range e.Referents {
		if other != e.ID {
			out.Identifiers = append(out.Identifiers, kyc.Identifier{Type: kyc.OtherList, Value: other})
		}
	}
	for property, is := range contacts {
		for _, v := range e.texts(property) {
			out.Contacts = append(out.Contacts, kyc.Contact{Type: is, Value: v})
		}
	}
	for _, a := range e.texts("address") {
		out.Addresses = append(out.Addresses, kyc.Address{Line: a})
	}
	for _, a := range e.nested("addressEntity") {
		for _, full := range a.texts("full") {
			out.Addresses = append(out.Addresses, kyc.Address{Line: full, Country: strings.ToUpper(strings.Join(a.texts("country"), " "))})
		}
	}
	if out.Kind == kyc.Vessel {
		first := func(property string) string {
			for _, v := range e.texts(property) {
				return v
			}
			return ""
		}
		out.Ship = &kyc.Ship{
			Type: first("type"), Flag: strings.ToUpper(first("flag")), Tonnage: first("tonnage"),
			Gross: first("grossRegisteredTonnage"), Built: first("buildDate"),
		}
	}
}

// addSources names OpenSanctions itself, and the pages that it found the entity
// on. Its text is under copyright; what stands on those pages is theirs.
func (e *entity) addSources(out *kyc.Entry) {
	out.Sources = []kyc.Source{{
		Title: "OpenSanctions", Description: strings.Join(e.Datasets, ", "), Link: "https://www.opensanctions.org/entities/" + e.ID + "/",
		Added: out.Listed, Published: listfile.Day(dayOf(e.LastChange)), Copyrighted: true,
	}}
	for _, link := range e.texts("sourceUrl") {
		out.Sources = append(out.Sources, kyc.Source{Title: link, Link: link, Added: out.Listed})
	}
	for _, s := range e.nested("sanctions") {
		out.Programmes = append(out.Programmes, s.texts("program", "programId")...)
		out.Measures = append(out.Measures, s.texts("provisions")...)
		out.Reasons = append(out.Reasons, s.texts("reason")...)
		for _, link := range s.texts("sourceUrl") {
			title := link
			if by := s.texts("authority"); len(by) > 0 {
				title = by[0]
			}
			src := kyc.Source{Title: title, Link: link, Datasets: []kyc.Dataset{kyc.SANCurrent}}
			for _, on := range s.texts("listingDate", "startDate") {
				src.Added = listfile.Day(on)
				break
			}
			out.Sources = append(out.Sources, src)
		}
	}
}
