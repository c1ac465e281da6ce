package api

import (
	"strconv"
	"strings"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/identity"
)

// identityAskJSON is what an identity search asks. Names are read in any case:
// older clients write them in PascalCase.
type identityAskJSON struct {
	Common struct {
		Person    personAskJSON `json:"person"`
		Reference looseText     `json:"reference,omitempty" doc:"Your own reference."`
	} `json:"common"`
	Consumer *struct {
		Reason        string    `json:"reason,omitempty" doc:"Why you look: one of the search reasons. A consumer search needs it." example:"CreditApplication"`
		ThirdParty    looseBool `json:"thirdPartyOptIn,omitempty"`
		AddressLink   looseBool `json:"addressLink,omitempty" doc:"Tell addresses that you did not name."`
		AssociateLink looseBool `json:"associateLink,omitempty"`
	} `json:"consumer,omitempty"`
	AML *struct {
		Landline    looseText `json:"landlineNumber,omitempty" doc:"Compared with the person's telephone numbers."`
		ExDirectory looseBool `json:"exDirectory,omitempty"`
		SortCode    looseText `json:"sortCode,omitempty" doc:"Six digits, with bankAccountNumber."`
		Account     looseText `json:"bankAccountNumber,omitempty" doc:"Eight digits. It is compared with the person's accounts, and not kept."`
		MultiBureau looseBool `json:"isAMLMultiBureau,omitempty"`
		Documents   *string   `json:"documents,omitempty" doc:"Not read: see the revalidation."`
	} `json:"idAml,omitempty"`
	Products []looseText `json:"products,omitempty" doc:"Consumer, Id, AML, BankMatch, AMLWithBankMatch. Without any, what the body has a part for."`
}

type personAskJSON struct {
	Name      nameJSON  `json:"currentName"`
	Previous  *nameJSON `json:"previousName,omitempty"`
	Birth     *string   `json:"dateOfBirth,omitempty" example:"1970-05-31T00:00:00"`
	Gender    *string   `json:"gender,omitempty" enum:"Unknown,Male,Female"`
	Addresses struct {
		Current   addressAskJSON  `json:"current"`
		Previous1 *addressAskJSON `json:"previous1,omitempty"`
		Previous2 *addressAskJSON `json:"previous2,omitempty"`
	} `json:"addresses"`
}

type nameJSON struct {
	Title   *string `json:"title,omitempty"`
	First   *string `json:"forename,omitempty" example:"Ada"`
	Middle  *string `json:"otherNames,omitempty"`
	Surname *string `json:"surname,omitempty" example:"Brook"`
	Suffix  *string `json:"suffix,omitempty"`
}

type addressAskJSON struct {
	Abode        looseText `json:"abodeNo,omitempty"`
	BuildingNo   looseText `json:"buildingNo,omitempty"`
	BuildingName looseText `json:"buildingName,omitempty"`
	Street       looseText `json:"street,omitempty"`
	SubStreet    looseText `json:"subStreet,omitempty"`
	City         looseText `json:"city,omitempty"`
	PostCode     looseText `json:"postCode,omitempty"`
	Organisation looseText `json:"organisation,omitempty"`
	SubBuilding  looseText `json:"subBuilding,omitempty"`
	District     looseText `json:"district,omitempty"`
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return strings.TrimSpace(*s)
}

func (n *nameJSON) domain() identity.Name {
	if n == nil {
		return identity.Name{}
	}
	return identity.Name{Title: textOf(n.Title), First: textOf(n.First), Middle: textOf(n.Middle), Surname: textOf(n.Surname), Suffix: textOf(n.Suffix)}
}

func (a *addressAskJSON) domain() identity.Residence {
	if a == nil {
		return identity.Residence{}
	}
	trim := func(s looseText) string { return strings.TrimSpace(string(s)) }
	return identity.Residence{Address: identity.Address{
		Abode: trim(a.Abode), SubBuilding: trim(a.SubBuilding), BuildingName: trim(a.BuildingName), BuildingNo: trim(a.BuildingNo),
		Street: trim(a.Street), SubStreet: trim(a.SubStreet), District: trim(a.District), City: trim(a.City), PostCode: trim(a.PostCode),
	}}
}

// question is what was asked.
func (b *identityAskJSON) question() (identity.Question, error) {
	p := &b.Common.Person
	q := identity.Question{
		Name: p.Name.domain(), Previous: p.Previous.domain(), Birth: textOf(p.Birth), Gender: textOf(p.Gender), Reference: string(b.Common.Reference),
		Addresses: [3]identity.Residence{p.Addresses.Current.domain(), p.Addresses.Previous1.domain(), p.Addresses.Previous2.domain()},
	}
	if c := b.Consumer; c != nil {
		q.Reason, q.ThirdParty = identity.Reason(c.Reason), bool(c.ThirdParty)
		q.AddressLink, q.AssociateLink = bool(c.AddressLink), bool(c.AssociateLink)
	}
	if a := b.AML; a != nil {
		q.Landline, q.ExDirectory, q.MultiBureau = strings.NewReplacer(" ", "", "+", "").Replace(string(a.Landline)), bool(a.ExDirectory), bool(a.MultiBureau)
		q.Account = identity.BankAccount{SortCode: strings.TrimSpace(string(a.SortCode)), Number: strings.TrimSpace(string(a.Account))}
	}
	for _, text := range b.Products {
		one, err := identity.ParseProduct(string(text))
		if err != nil {
			return q, fault.Invalid.Details("Bad request", "products: "+err.Error())
		}
		q.Products = append(q.Products, one)
	}
	if len(q.Products) == 0 && b.Consumer != nil {
		q.Products = append(q.Products, identity.ConsumerSearch)
	}
	if len(b.Products) == 0 && b.AML != nil {
		q.Products = append(q.Products, identity.AMLSearch)
	}
	return q, nil
}

// inputJSON is a question as it is shown again. Account numbers are not.
type inputJSON struct {
	UniqueID string `json:"uniqueId"`
	Common   struct {
		Person     personShownJSON `json:"person"`
		CustomerID int64           `json:"customerId"`
		UserID     int64           `json:"userId"`
		Reference  string          `json:"reference"`
	} `json:"common"`
	Consumer *consumerAskedJSON `json:"consumer,omitempty"`
	AML      *amlAskedJSON      `json:"idAml,omitempty"`
	Products []string           `json:"products"`
}

type personShownJSON struct {
	Name      nameShownJSON  `json:"currentName"`
	Previous  *nameShownJSON `json:"previousName,omitempty"`
	Birth     *string        `json:"dateOfBirth"`
	Gender    string         `json:"gender"`
	Addresses struct {
		Current   addressShownJSON  `json:"current"`
		Previous1 *addressShownJSON `json:"previous1,omitempty"`
		Previous2 *addressShownJSON `json:"previous2,omitempty"`
	} `json:"addresses"`
}

type nameShownJSON struct {
	Title   string `json:"title"`
	First   string `json:"forename"`
	Middle  string `json:"otherNames"`
	Surname string `json:"surname"`
	Suffix  string `json:"suffix"`
}

type addressShownJSON struct {
	Abode        string `json:"abodeNo"`
	BuildingNo   string `json:"buildingNo"`
	BuildingName string `json:"buildingName"`
	SubBuilding  string `json:"subBuilding"`
	Street       string `json:"street"`
	SubStreet    string `json:"subStreet"`
	District     string `json:"district"`
	City         string `json:"city"`
	PostCode     string `json:"postCode"`
}

type consumerAskedJSON struct {
	Reason        string `json:"reason"`
	ThirdParty    bool   `json:"thirdPartyOptIn"`
	AddressLink   bool   `json:"addressLink"`
	AssociateLink bool   `json:"associateLink"`
}

type amlAskedJSON struct {
	Landline    *int64 `json:"landlineNumber,omitempty" doc:"As a number, as clients send it: without a zero at the beginning."`
	ExDirectory bool   `json:"exDirectory"`
	MultiBureau bool   `json:"isAMLMultiBureau"`
}

func toAMLAsked(q *identity.Question) *amlAskedJSON {
	out := &amlAskedJSON{ExDirectory: q.ExDirectory, MultiBureau: q.MultiBureau}
	if n, err := strconv.ParseInt(q.Landline, 10, 64); err == nil {
		out.Landline = &n
	}
	return out
}

func toNameShown(n identity.Name) nameShownJSON {
	return nameShownJSON{n.Title, n.First, n.Middle, n.Surname, n.Suffix}
}

func toAddressShown(r identity.Residence) *addressShownJSON {
	a := r.Address
	if a == (identity.Address{}) {
		return nil
	}
	return &addressShownJSON{a.Abode, a.BuildingNo, a.BuildingName, a.SubBuilding, a.Street, a.SubStreet, a.District, a.City, a.PostCode}
}

// midnight is a day as this wire writes it; none is null.
func midnight(d company.Date) *string {
	if d == "" {
		return nil
	}
	s := string(d) + "T00:00:00"
	return &s
}

func toInputJSON(c caller, s identity.Search) (out inputJSON) {
	q := &s.Question
	out.UniqueID = s.ID
	out.Common.CustomerID, out.Common.UserID, out.Common.Reference = int64(c.by.Customer), int64(s.Account), q.Reference
	p := &out.Common.Person
	p.Name, p.Birth, p.Gender = toNameShown(q.Name), midnight(company.Date(q.Birth)), q.Gender
	if p.Gender == "" {
		p.Gender = "Unknown"
	}
	if q.Previous.Full() != "" {
		n := toNameShown(q.Previous)
		p.Previous = &n
	}
	if a := toAddressShown(q.Addresses[0]); a != nil {
		p.Addresses.Current = *a
	}
	p.Addresses.Previous1, p.Addresses.Previous2 = toAddressShown(q.Addresses[1]), toAddressShown(q.Addresses[2])
	out.Products = []string{}
	for _, one := range q.Products {
		out.Products = append(out.Products, string(one))
		if one == identity.ConsumerSearch {
			out.Consumer = &consumerAskedJSON{string(q.Reason), q.ThirdParty, q.AddressLink, q.AssociateLink}
		} else {
			out.AML = toAMLAsked(q)
		}
	}
	return out
}
