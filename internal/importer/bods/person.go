package bods

import (
	"encoding/json"
	"slices"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/jsonfile"
)

type wirePerson struct {
	Type        string       `json:"personType"`
	Unspecified *unspecified `json:"unspecifiedPersonDetails"`
	Names       []struct {
		Type   string `json:"type"`
		Full   string `json:"fullName"`
		Family string `json:"familyName"`
		Given  string `json:"givenName"`
		Father string `json:"patronymicName"`
	} `json:"names"`
	Nationalities []place   `json:"nationalities"`
	Birth         string    `json:"birthDate"`
	Addresses     []address `json:"addresses"`
}

// readPerson reads who a person is. Tax numbers, the home address, the day of
// birth and political exposure stay in the file.
func (rec *record) readPerson(raw []byte) error {
	var w wirePerson
	if err := json.Unmarshal(raw, &w); err != nil {
		return jsonfile.Explain(err)
	}
	p := &company.Person{ID: rec.ID}
	rec.Party = p
	if w.Type == "anonymousPerson" || w.Type == "unknownPerson" {
		p.Protected = true
		rec.Reason = w.Unspecified.words()
		return nil
	}
	if len(w.Names) > 0 {
		n := w.Names[0]
		for _, other := range w.Names {
			if other.Type == "legal" {
				n = other
				break
			}
		}
		p.First, p.Middle, p.Surname = n.Given, n.Father, n.Family
		p.Name = strings.Join(strings.Fields(n.Full), " ")
		if p.Name == "" {
			p.Name = strings.Join(strings.Fields(n.Given+" "+n.Father+" "+n.Family), " ")
		}
	}
	var from []string
	for _, n := range w.Nationalities {
		if word := strings.TrimSpace(n.Name); word != "" {
			from = append(from, word)
		} else if n.Code != "" {
			from = append(from, n.Code)
		}
	}
	p.Nationality = strings.Join(from, ", ")
	if d := date(w.Birth); d != "" {
		p.Birth = d[:min(len(d), 7)]
	}
	for _, a := range w.Addresses {
		switch a.Type {
		case "residence":
			p.Residence = a.Country.Name
			if p.Residence == "" {
				p.Residence = a.Country.country()
			}
		case "service", "business":
			if p.Address == nil {
				at := a.domain(company.Postal)
				p.Address = &at
			}
		}
	}
	p.Protected = p.Name == ""
	return nil
}

// words say why somebody is not named.
func (u *unspecified) words() string {
	if u == nil {
		return "owner unknown"
	}
	if w := reasons[u.Reason]; w != "" {
		return w
	}
	return "owner unknown"
}

const nobody = "no beneficial owners"

var reasons = map[string]string{
	"noBeneficialOwners":                              nobody,
	"subjectUnableToConfirmOrIdentifyBeneficialOwner": "owner not identified",
	"interestedPartyHasNotProvidedInformation":        "owner has not given information",
	"subjectExemptFromDisclosure":                     "company exempt from disclosure",
	"interestedPartyExemptFromDisclosure":             "owner exempt from disclosure",
	"unknown":                                         "owner unknown",
	"informationUnknownToPublisher":                   "owner unknown",
}

// withReason puts why somebody is not named before how they own it.
func withReason(natures []string, reason string) []string {
	if reason == "" || slices.Contains(natures, reason) {
		return natures
	}
	return append([]string{reason}, natures...)
}
