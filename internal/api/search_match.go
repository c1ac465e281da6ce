package api

import (
	"context"
	"strconv"
	"strings"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// The ratings between which a match may be asked for.
const (
	leastRating = 893
	topRating   = 999
)

type companyMatchIn struct {
	caller
	Country    string `query:"country" doc:"Two letters." example:"GB"`
	Name       string `query:"name" maxLength:"200" doc:"The company's name." example:"Tansydale Brimwik Build"`
	Threshold  string `query:"matchThreshold" doc:"The least rating of an answer, 893 to 999." example:"893"`
	RegNo      string `query:"regNo" maxLength:"100" doc:"The number in its register."`
	VATNo      string `query:"vatNo" maxLength:"100" doc:"A VAT number."`
	Street     string `query:"street" maxLength:"200" doc:"The street."`
	HouseNo    string `query:"houseNo" maxLength:"50" doc:"The number of the house."`
	City       string `query:"city" maxLength:"200" doc:"The town."`
	PostCode   string `query:"postCode" maxLength:"50" doc:"The post code."`
	Province   string `query:"province" maxLength:"200" doc:"The province or county."`
	State      string `query:"state" maxLength:"200" doc:"The same as province."`
	PhoneNo    string `query:"phoneNo" maxLength:"100" doc:"A telephone number."`
	Language   string `query:"language" doc:"Two letters: the language of the words that we add."`
	Reference1 string `query:"reference1" doc:"Your own reference."`
	Reference2 string `query:"reference2" doc:"Your own reference."`
	Reference3 string `query:"reference3" doc:"Your own reference."`
	CallRef    string `query:"callRef" doc:"Your own reference for the call."`
}

// matchCountry counts a match for its country.
func matchCountry(r *route) {
	r.countryOf = func(in any) string {
		code, err := knownCountry("country", in.(*companyMatchIn).Country)
		if err != nil {
			return "" // which the handler refuses
		}
		return code
	}
}

func (in *companyMatchIn) query() (company.MatchQuery, error) {
	var wrong wrongs
	q := company.MatchQuery{
		Name: strings.TrimSpace(in.Name), RegNo: in.RegNo, VAT: in.VATNo, Street: in.Street, House: in.HouseNo, City: in.City,
		Post: in.PostCode, Region: in.Province, Phone: in.PhoneNo, Least: leastRating,
	}
	if q.Region == "" {
		q.Region = in.State
	}
	if strings.TrimSpace(in.Country) == "" {
		wrong.say("country", "name the country, such as GB")
	} else if code, err := knownCountry("country", in.Country); err != nil {
		wrong.say("country", "%q is not a supported country: use two letters such as GB", fault.Clip(in.Country))
	} else {
		q.Country = code
	}
	if q.Name == "" {
		wrong.say("name", "name the company that you mean")
	}
	if text := strings.TrimSpace(in.Threshold); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < leastRating || n > topRating {
			wrong.say("matchThreshold", "%q is not a number from %d to %d", fault.Clip(text), leastRating, topRating)
		}
		q.Least = n
	}
	if in.Language != "" && !twoLetters.MatchString(in.Language) {
		wrong.say("language", "%q is not a language: use two letters such as en", fault.Clip(in.Language))
	}
	return q, wrong.fault()
}

type companyMatchJSON struct {
	CorrelationID string               `json:"correlationId"`
	Total         int                  `json:"totalMatches"`
	Matched       []matchedCompanyJSON `json:"matchedCompanies" doc:"The likeliest first."`
	Messages      []noteJSON           `json:"messages"`
}

type matchedCompanyJSON struct {
	Confidence     int              `json:"matchScoreConfidence" minimum:"893" maximum:"999" doc:"How sure it is that this is the company."`
	ID             string           `json:"id"`
	Country        string           `json:"country"`
	RegNo          string           `json:"regNo,omitempty"`
	SafeNo         string           `json:"safeNo"`
	Name           string           `json:"name"`
	PhoneNumber    *int64           `json:"phoneNumber,omitempty" doc:"The digits of its telephone number."`
	Address        matchAddressJSON `json:"address"`
	Status         string           `json:"status,omitempty"`
	Type           string           `json:"type"`
	OfficeType     string           `json:"officeType"`
	LatestAccounts *string          `json:"dateOfLatestAccounts"`
	LatestChange   *string          `json:"dateOfLatestChange"`
	Plan           explainPlanJSON  `json:"matchScoreExplainPlan"`
	Reasons        []string         `json:"reasons" doc:"Why, in words, what matters most first."`
}

type matchAddressJSON struct {
	SimpleValue string `json:"simpleValue"`
	Street      string `json:"street,omitempty"`
	City        string `json:"city,omitempty"`
	PostCode    string `json:"postcode,omitempty"`
	Country     string `json:"country,omitempty"`
	State       string `json:"state,omitempty"`
}

// explainPlanJSON grades each part: A agrees, B is close, F differs, Z was not
// asked for or is not known.
type explainPlanJSON struct {
	Score    int    `json:"matchScore"`
	Alpha    string `json:"matchScoreAlpha" doc:"All grades in one word: name, words, legal form, register number, VAT number, street, house, city, province, post code, country, telephone."`
	LocalID  string `json:"matchScoreLocalId"`
	Name     string `json:"matchScoreName" doc:"A agrees, B is close, F differs, Z was not asked for or is not known."`
	HouseNo  string `json:"matchScoreHouseNo"`
	Street   string `json:"matchScoreStreet"`
	POBox    string `json:"matchScorePoBox"`
	City     string `json:"matchScoreCity"`
	State    string `json:"matchScoreState"`
	PostCode string `json:"matchScorePostCode"`
	Country  string `json:"matchScoreCountry"`
	VATNo    string `json:"matchScoreVatNo"`
	RegNo    string `json:"matchScoreRegNo"`
	PhoneNo  string `json:"matchScorePhoneNo"`
	Simple   string `json:"matchScoreSimpleValue"`
	Num      string `json:"matchScoreNum" doc:"How likely it is, in per cent."`
}

func toPlanJSON(m *company.Matched) explainPlanJSON {
	g := &m.Grades
	return explainPlanJSON{
		Score: m.Rating, Alpha: g.String(), LocalID: g.RegNo, Name: g.Name, HouseNo: g.House, Street: g.Street, POBox: "Z",
		City: g.City, State: g.Region, PostCode: g.Post, Country: g.Country, VATNo: g.VAT, RegNo: g.RegNo, PhoneNo: g.Phone,
		Simple: "Z", Num: strconv.Itoa(int(m.Hit.Chance * 100)),
	}
}

func (s *Server) companyMatch(ctx context.Context, in *companyMatchIn) (*reply[companyMatchJSON], error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	list, err := s.Finder.Match(ctx, q)
	if err != nil {
		return nil, err
	}
	out := companyMatchJSON{
		CorrelationID: in.correlation, Total: len(list), Matched: []matchedCompanyJSON{}, Messages: messages(len(list), false, 0),
	}
	words := wordsIn(in.Language)
	for i := range list {
		m := &list[i]
		address, known := mainAddress(m.Facts)
		f := words.found(&m.Hit, m.Office(), placeOrNil(address, known))
		j := matchedCompanyJSON{
			Confidence: m.Rating, ID: f.ID, Country: f.Country, RegNo: f.RegNo, SafeNo: f.SafeNo, Name: f.Name,
			Status: f.Status, Type: f.Type, OfficeType: f.OfficeType, LatestAccounts: f.LatestAccounts, LatestChange: f.LatestChange,
			Plan: toPlanJSON(m), Reasons: orEmpty(m.Why),
		}
		if known {
			j.Address = matchAddressJSON{address.Line(), streetOf(address), address.City, address.Post, address.Country, address.Region}
		}
		if len(f.PhoneNumbers) > 0 {
			j.PhoneNumber = phoneDigits(f.PhoneNumbers[0])
		}
		out.Matched = append(out.Matched, j)
	}
	return ok(out), nil
}

// phoneDigits is a telephone number as the number that clients expect here.
func phoneDigits(text string) *int64 {
	digits := strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, text)
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return nil
	}
	return &n
}
