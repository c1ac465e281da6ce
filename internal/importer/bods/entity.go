package bods

import (
	"encoding/json"
	"slices"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/jsonfile"
)

type wireEntity struct {
	Type struct {
		Type    string `json:"type"`
		Details string `json:"details"`
	} `json:"entityType"`
	Unspecified  *unspecified `json:"unspecifiedEntityDetails"`
	Name         string       `json:"name"`
	OtherNames   []string     `json:"alternateNames"`
	Jurisdiction place        `json:"jurisdiction"`
	Identifiers  []identifier `json:"identifiers"`
	Founded      string       `json:"foundingDate"`
	Dissolved    string       `json:"dissolutionDate"`
	Addresses    []address    `json:"addresses"`
	Listing      struct {
		Securities []struct {
			Security struct {
				Scheme string `json:"idScheme"`
				ID     string `json:"id"`
				Ticker string `json:"ticker"`
			} `json:"security"`
		} `json:"securitiesListings"`
	} `json:"publicListing"`
}

type place struct {
	Name string `json:"name"`
	Code string `json:"code"`
}

type address struct {
	Type    string `json:"type"`
	Address string `json:"address"`
	Post    string `json:"postCode"`
	Country place  `json:"country"`
}

// unspecified is why somebody is not named.
type unspecified struct {
	Reason string `json:"reason"`
}

func (rec *record) readEntity(raw []byte) error {
	var w wireEntity
	if err := json.Unmarshal(raw, &w); err != nil {
		return jsonfile.Explain(err)
	}
	who := identify(w.Identifiers, w.Jurisdiction)
	f := &company.Facts{}
	f.Name, f.LEI = strings.TrimSpace(w.Name), who.lei
	f.RegNo, f.Register = who.written, who.register
	f.OtherIDs = who.others
	f.Jurisdiction = w.Jurisdiction.code()
	f.Form.Text = w.Type.Details
	f.Founded, f.Dissolved = date(w.Founded), date(w.Dissolved)
	if f.Dissolved != "" {
		f.Status, f.StatusSince = company.NonActive, f.Dissolved
	}
	for _, n := range w.OtherNames {
		if n = strings.TrimSpace(n); n != "" && n != f.Name {
			f.Names = append(f.Names, company.Name{Text: n, Kind: company.Alternative})
		}
	}
	for _, l := range w.Listing.Securities {
		add := func(scheme, id string) {
			o := company.OtherID{Scheme: scheme, ID: id}
			if id != "" && !slices.Contains(f.OtherIDs, o) {
				f.OtherIDs = append(f.OtherIDs, o)
			}
		}
		add(strings.ToUpper(l.Security.Scheme), l.Security.ID)
		add("ticker", l.Security.Ticker)
	}
	for _, a := range w.Addresses {
		if kind, ok := addressKinds[a.Type]; ok {
			f.Addresses = append(f.Addresses, a.domain(kind))
		}
	}
	rec.entity = f
	rec.Party = &company.Person{
		ID: rec.ID, Company: true, Name: f.Name, RegNo: who.number, Country: who.country, LEI: who.lei,
	}
	if w.Type.Type == "anonymousEntity" || w.Type.Type == "unknownEntity" {
		rec.Party.Protected = true
		rec.Reason = w.Unspecified.words()
	}
	return nil
}

// addressKinds are what an entity's addresses are for.
var addressKinds = map[string]company.AddressKind{
	"registered": company.Registered, "business": company.TradingPlace, "alternative": company.Postal,
	"service": company.Postal,
}

func (a address) domain(kind company.AddressKind) company.Address {
	out := company.Address{Kind: kind, Post: a.Post, Country: a.Country.country()}
	for line := range strings.FieldsFuncSeq(a.Address, func(c rune) bool { return c == ',' || c == '\n' || c == '\r' }) {
		line = strings.TrimSpace(line)
		if line != "" && line != a.Post {
			out.Lines = append(out.Lines, line)
		}
	}
	return out
}

// date reads a date or the date of a time, as far as it is known.
func date(s string) company.Date {
	s = s[:min(len(s), 10)]
	for i := range len(s) {
		if dash := i == 4 || i == 7; dash != (s[i] == '-') || !dash && (s[i] < '0' || s[i] > '9') {
			return ""
		}
	}
	switch len(s) {
	case 4, 7, 10:
		return company.Date(s)
	}
	return ""
}
