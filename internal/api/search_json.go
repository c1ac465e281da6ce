package api

import (
	"cmp"
	"strings"

	"bureau/internal/company"
)

// FoundJSON is a company, or one of its places, in the answer to a search.
type FoundJSON struct {
	ID                string            `json:"id" example:"GB-0-99000001"`
	Country           string            `json:"country" example:"GB"`
	RegNo             string            `json:"regNo,omitempty"`
	SafeNo            string            `json:"safeNo"`
	IDType            string            `json:"idType,omitempty"`
	Name              string            `json:"name"`
	Type              string            `json:"type" enum:"NotSet,Ltd,NonLtd,NonLtdNonReg"`
	OfficeType        string            `json:"officeType" enum:"registered,trading,headOffice,branch,subsidiary,franchise,franchisor,singleOffice,other"`
	Status            string            `json:"status,omitempty" enum:"Active,NonActive,Pending,Other"`
	StatusDescription string            `json:"statusDescription,omitempty"`
	VATNo             []string          `json:"vatNo"`
	Address           *foundAddressJSON `json:"address,omitempty"`
	Activity          *activityJSON     `json:"activity,omitempty"`
	ActivityCode      *string           `json:"activityCode"`
	LegalForm         string            `json:"legalForm,omitempty"`
	LEI               string            `json:"lei,omitempty"`
	TradingNames      []string          `json:"tradingNames"`
	PreviousNames     []string          `json:"previousNames"`
	PhoneNumbers      []string          `json:"phoneNumbers"`
	Websites          []string          `json:"websites"`
	LatestAccounts    *string           `json:"dateOfLatestAccounts" doc:"The end of the last year that there are figures of."`
	LatestChange      *string           `json:"dateOfLatestChange" doc:"When the register last heard something new."`
	MatchScore        *int              `json:"matchScore,omitempty" doc:"How near its name is to the one that was asked for, up to 999; from 893 on it is a match."`
}

// foundAddressJSON has the post code and the house number under both names that
// clients read.
type foundAddressJSON struct {
	Type        string `json:"type,omitempty"`
	SimpleValue string `json:"simpleValue"`
	Street      string `json:"street,omitempty"`
	HouseNo     string `json:"houseNo,omitempty"`
	HouseNumber string `json:"houseNumber,omitempty"`
	City        string `json:"city,omitempty"`
	PostCode    string `json:"postCode,omitempty"`
	PostalCode  string `json:"postalCode,omitempty"`
	Province    string `json:"province,omitempty"`
	Telephone   string `json:"telephone,omitempty"`
	Country     string `json:"country,omitempty"`
}

// wordsIn is the writer of a language, or of English where we do not speak it.
func wordsIn(language string) reportWriter {
	words, ok := speak(strings.ToLower(cmp.Or(language, "en")))
	if !ok {
		words, _ = speak("en")
	}
	return reportWriter{words}
}

func (w reportWriter) foundAddress(a *company.Address, phone string) *foundAddressJSON {
	if a == nil {
		return nil
	}
	return &foundAddressJSON{
		Type: w.words.addresses[a.Kind], SimpleValue: a.Line(), Street: streetOf(*a), HouseNo: a.House, HouseNumber: a.House,
		City: a.City, PostCode: a.Post, PostalCode: a.Post, Province: a.Region, Telephone: phone, Country: a.Country,
	}
}

// found writes a hit at one of its places.
func (w reportWriter) found(h *company.Hit, office company.Office, at *company.Address) FoundJSON {
	c := &h.Company
	out := FoundJSON{
		ID: string(c.ID), Country: c.ID.Country(), RegNo: c.RegNo, SafeNo: cmp.Or(c.SafeNo, c.ID.SafeNo()),
		Name: c.Name, Type: kindOut(c.Kind), OfficeType: string(office), VATNo: orEmpty(c.VAT), LegalForm: c.Form.Text, LEI: c.LEI,
		Activity: mainActivity(c.Activities), TradingNames: []string{}, PreviousNames: []string{},
		PhoneNumbers: orEmpty(c.Phones), Websites: orEmpty(c.Websites), LatestChange: naiveOrNull(h.Changed),
	}
	if c.RegNo != "" {
		out.IDType = "RegistrationNumber"
	}
	if st := w.status(c.Facts); st != nil {
		out.Status, out.StatusDescription = st.Status, st.Description
	}
	if out.Activity != nil {
		out.ActivityCode = textOrNull(out.Activity.Code)
	}
	for _, n := range c.Names {
		switch n.Kind {
		case company.Trading:
			out.TradingNames = append(out.TradingNames, n.Text)
		case company.Former:
			out.PreviousNames = append(out.PreviousNames, n.Text)
		}
	}
	if len(c.Accounts) > 0 {
		out.LatestAccounts = textOrNull(dateOut(c.Accounts[0].End))
	}
	if h.Score > 0 {
		rating := company.Rating(h.Score)
		out.MatchScore = &rating
	}
	phone := ""
	if len(c.Phones) > 0 && office == c.Office() {
		phone = c.Phones[0]
	}
	out.Address = w.foundAddress(at, phone)
	return out
}

func kindOut(k company.Kind) string {
	return cmp.Or(string(k), string(company.KindNotSet))
}
