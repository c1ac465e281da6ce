package api

import (
	"context"
	"slices"

	"bureau/internal/auth"
)

// fieldJSON says what a parameter takes.
type fieldJSON struct {
	Required *bool  `json:"required,omitempty"`
	Optional *bool  `json:"optional,omitempty"`
	Min      *int   `json:"minLength,omitempty"`
	Max      *int   `json:"maxLength,omitempty"`
	Allowed  []any  `json:"allowedValues,omitempty"`
	Pattern  string `json:"validationRegExp,omitempty"`
}

func required(need bool, min, max int) fieldJSON {
	f := fieldJSON{Required: &need}
	if max > 0 {
		f.Min, f.Max = &min, &max
	}
	return f
}

func optional(values ...any) fieldJSON {
	yes := true
	return fieldJSON{Optional: &yes, Allowed: values}
}

// criteriaSetJSON is a set of criteria that make a search: those that are
// required together lead to companies, the others narrow it down.
type criteriaSetJSON struct {
	ID               *fieldJSON      `json:"id,omitempty"`
	SafeNo           *fieldJSON      `json:"safeNo,omitempty"`
	RegNo            *fieldJSON      `json:"regNo,omitempty"`
	VATNo            *fieldJSON      `json:"vatNo,omitempty"`
	Name             *fieldJSON      `json:"name,omitempty"`
	TradeName        *fieldJSON      `json:"tradeName,omitempty"`
	Acronym          *fieldJSON      `json:"acronym,omitempty"`
	Exact            *fieldJSON      `json:"exact,omitempty"`
	Type             *fieldJSON      `json:"type,omitempty"`
	OfficeType       *fieldJSON      `json:"officeType,omitempty"`
	Status           *fieldJSON      `json:"status,omitempty"`
	Address          *addressSetJSON `json:"address,omitempty"`
	PhoneNumber      *fieldJSON      `json:"phoneNumber,omitempty"`
	Website          *fieldJSON      `json:"website,omitempty"`
	TradingNames     *fieldJSON      `json:"includeTradingNames,omitempty"`
	TradingAddresses *fieldJSON      `json:"includeTradingAddresses,omitempty"`
	PreviousNames    *fieldJSON      `json:"includePreviousName,omitempty"`
}

type addressSetJSON struct {
	SimpleValue *fieldJSON `json:"simpleValue,omitempty"`
	Street      *fieldJSON `json:"street,omitempty"`
	HouseNo     *fieldJSON `json:"houseNo,omitempty"`
	City        *fieldJSON `json:"city,omitempty"`
	PostCode    *fieldJSON `json:"postCode,omitempty"`
	Province    *fieldJSON `json:"province,omitempty"`
}

// criteriaSets are the sets of a search for companies, the same in every
// country: each is led by another criterion.
func criteriaSets() []criteriaSetJSON {
	narrow := func() criteriaSetJSON {
		text := func(min, max int) *fieldJSON { f := required(false, min, max); return &f }
		pick := func(values ...any) *fieldJSON { f := optional(values...); return &f }
		return criteriaSetJSON{
			Type: pick("NotSet", "Ltd", "NonLtd", "NonLtdNonReg"), Status: pick("Active", "NonActive", "Pending", "Other"),
			OfficeType: pick("registered", "trading", "headOffice", "branch", "subsidiary", "other"),
			Address: &addressSetJSON{
				SimpleValue: text(2, 300), Street: text(2, 200), HouseNo: text(1, 50), City: text(2, 200), PostCode: text(1, 50), Province: text(2, 200),
			},
			Name: text(2, 200), TradeName: text(2, 200), Acronym: text(2, 200), Exact: pick(true, false),
			TradingNames: pick(true, false), TradingAddresses: pick(true, false), PreviousNames: pick(true, false),
		}
	}
	must := func(into **fieldJSON, min, max int, pattern string) {
		f := required(true, min, max)
		f.Pattern = pattern
		*into = &f
	}
	var out []criteriaSetJSON
	for _, lead := range []func(*criteriaSetJSON){
		func(s *criteriaSetJSON) { must(&s.ID, 5, 100, "^[A-Za-z]{2}[0-9]{0,3}-[0-9A-Za-z]{1,3}-.+$") },
		func(s *criteriaSetJSON) { must(&s.SafeNo, 1, 100, "") },
		func(s *criteriaSetJSON) { must(&s.RegNo, 1, 100, "") },
		func(s *criteriaSetJSON) { must(&s.VATNo, 1, 100, "") },
		func(s *criteriaSetJSON) { must(&s.Name, 2, 200, "") },
		func(s *criteriaSetJSON) { must(&s.TradeName, 2, 200, "") },
		func(s *criteriaSetJSON) { must(&s.Acronym, 2, 200, "") },
		func(s *criteriaSetJSON) { must(&s.Address.SimpleValue, 2, 300, "") },
		func(s *criteriaSetJSON) { must(&s.Address.PostCode, 1, 50, "") },
		func(s *criteriaSetJSON) { must(&s.Address.Street, 2, 200, "") },
		func(s *criteriaSetJSON) { must(&s.Address.City, 2, 200, "") },
		func(s *criteriaSetJSON) { must(&s.Address.Province, 2, 200, "") },
		func(s *criteriaSetJSON) { must(&s.PhoneNumber, 5, 300, "") },
		func(s *criteriaSetJSON) { must(&s.Website, 3, 300, "") },
	} {
		s := narrow()
		lead(&s)
		out = append(out, s)
	}
	return out
}

type criteriaIn struct {
	caller
	Countries string `query:"countries" doc:"Two-letter codes with commas between them." example:"GB"`
}

type companyCriteriaJSON struct {
	CorrelationID string            `json:"correlationId"`
	Countries     []string          `json:"countries"`
	Languages     []string          `json:"languages"`
	CriteriaSets  []criteriaSetJSON `json:"criteriaSets"`
}

func (s *Server) companyCriteria(ctx context.Context, in *criteriaIn) (*reply[companyCriteriaJSON], error) {
	list, err := s.criteriaCountries(ctx, in, auth.Companies)
	if err != nil {
		return nil, err
	}
	return ok(companyCriteriaJSON{in.correlation, list, Languages(), criteriaSets()}), nil
}

// criteriaCountries are the countries that criteria are asked for.
func (s *Server) criteriaCountries(ctx context.Context, in *criteriaIn, p auth.Product) ([]string, error) {
	var wrong wrongs
	list, all, listed := countriesAsked(in.Countries, &wrong)
	if len(splitList(in.Countries)) == 0 {
		wrong.say("countries", "name at least one country, such as GB")
	}
	if err := wrong.fault(); err != nil {
		return nil, err
	}
	allowed, err := s.allowed(ctx, in.by, p, list, all)
	switch {
	case err != nil:
		return nil, err
	case listed:
		return []string{listedCompanies}, nil
	case all && allowed == nil:
		return []string{anyCountry}, nil
	}
	return orEmpty(allowed), nil
}

type peopleCriteriaJSON struct {
	CorrelationID string                 `json:"correlationId"`
	Countries     []peopleCriteriaOfJSON `json:"countriesCriteria"`
	CustomData    []customDatum          `json:"customData"`
	Messages      []noteJSON             `json:"messages"`
}

type peopleCriteriaOfJSON struct {
	Country string          `json:"country"`
	Schemas []peopleSetJSON `json:"schemas"`
}

type peopleSetJSON struct {
	ID          *fieldJSON `json:"id,omitempty"`
	FirstName   *fieldJSON `json:"firstName,omitempty"`
	LastName    *fieldJSON `json:"lastName,omitempty"`
	FullName    *fieldJSON `json:"fullName,omitempty"`
	LocalNumber *fieldJSON `json:"localDirectorNumber,omitempty"`
	Birth       *fieldJSON `json:"dateOfBirth,omitempty"`
	CompanyID   *fieldJSON `json:"companyId,omitempty"`
	CompanyName *fieldJSON `json:"companyName,omitempty"`
	CompanyNo   *fieldJSON `json:"companyRegistrationNumber,omitempty"`
}

// peopleSets are the sets of a search for people, the same in every country.
func peopleSets() []peopleSetJSON {
	var out []peopleSetJSON
	for _, lead := range []func(*peopleSetJSON) **fieldJSON{
		func(s *peopleSetJSON) **fieldJSON { return &s.ID },
		func(s *peopleSetJSON) **fieldJSON { return &s.LastName },
		func(s *peopleSetJSON) **fieldJSON { return &s.FullName },
		func(s *peopleSetJSON) **fieldJSON { return &s.LocalNumber },
		func(s *peopleSetJSON) **fieldJSON { return &s.CompanyID },
		func(s *peopleSetJSON) **fieldJSON { return &s.CompanyNo },
	} {
		text := func(min, max int) *fieldJSON { f := required(false, min, max); return &f }
		birth := required(false, 7, 10)
		birth.Pattern = birthDate.String()
		s := peopleSetJSON{FirstName: text(1, 200), LastName: text(2, 200), Birth: &birth, CompanyName: text(2, 200)}
		must := required(true, 1, 200)
		*lead(&s) = &must
		out = append(out, s)
	}
	return out
}

func (s *Server) peopleCriteria(ctx context.Context, in *criteriaIn) (*reply[peopleCriteriaJSON], error) {
	if len(splitList(in.Countries)) == 0 {
		in.Countries = anyCountry // here they may be left out
	}
	list, err := s.criteriaCountries(ctx, in, auth.People)
	if err != nil {
		return nil, err
	}
	out := peopleCriteriaJSON{
		CorrelationID: in.correlation, Countries: []peopleCriteriaOfJSON{}, CustomData: []customDatum{}, Messages: []noteJSON{},
	}
	for _, country := range slices.Compact(list) {
		out.Countries = append(out.Countries, peopleCriteriaOfJSON{country, peopleSets()})
	}
	return ok(out), nil
}
