package client

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
)

// A CompanySearch says which companies to find. All that is set must hold.
type CompanySearch struct {
	Countries []string // two letters each; none is needed beside ID or SafeNo

	ID, SafeNo, RegNo, VATNo string

	Name, TradeName, Acronym string
	Exact                    bool // the name must be equal

	Address, Street, HouseNo, City, Province string
	PostCode                                 string // SW1* finds all that begin so

	PhoneNo, Website string

	Status     string // Active, NonActive, Pending, Other
	Type       string // Ltd, NonLtd …
	OfficeType string // registered, branch …

	Language string
}

func (s CompanySearch) values() url.Values {
	q := url.Values{}
	for name, v := range map[string]string{
		"countries": strings.Join(s.Countries, ","), "id": s.ID, "safeNo": s.SafeNo, "regNo": s.RegNo, "vatNo": s.VATNo,
		"name": s.Name, "tradeName": s.TradeName, "acronym": s.Acronym, "address": s.Address, "street": s.Street,
		"houseNo": s.HouseNo, "city": s.City, "province": s.Province, "postCode": s.PostCode, "phoneNo": s.PhoneNo,
		"website": s.Website, "status": s.Status, "type": s.Type, "officeType": s.OfficeType, "language": s.Language,
	} {
		if v != "" {
			q.Set(name, v)
		}
	}
	if s.Exact {
		q.Set("exact", "true")
	}
	return q
}

// A Page is which part of a list to fetch: a number from 1, or what follows the
// cursor of the answer before.
type Page struct {
	Number int
	Size   int
	After  string
}

func (p Page) into(q url.Values) url.Values {
	if p.Number > 0 {
		q.Set("page", strconv.Itoa(p.Number))
	}
	if p.Size > 0 {
		q.Set("pageSize", strconv.Itoa(p.Size))
	}
	if p.After != "" {
		q.Set("after", p.After)
	}
	return q
}

// A FoundAddress is where a company is.
type FoundAddress struct {
	Type     string `json:"type"`
	Line     string `json:"simpleValue"`
	Street   string `json:"street"`
	HouseNo  string `json:"houseNo"`
	City     string `json:"city"`
	PostCode string `json:"postCode"`
	Province string `json:"province"`
	Country  string `json:"country"`
}

// A FoundCompany is a company, or one of its places, that a search found.
type FoundCompany struct {
	ID            string       `json:"id"`
	Country       string       `json:"country"`
	RegNo         string       `json:"regNo"`
	SafeNo        string       `json:"safeNo"`
	Name          string       `json:"name"`
	Type          string       `json:"type"`
	OfficeType    string       `json:"officeType"`
	Status        string       `json:"status"`
	VATNo         []string     `json:"vatNo"`
	Address       FoundAddress `json:"address"`
	LegalForm     string       `json:"legalForm"`
	LEI           string       `json:"lei"`
	TradingNames  []string     `json:"tradingNames"`
	PreviousNames []string     `json:"previousNames"`
	PhoneNumbers  []string     `json:"phoneNumbers"`
	MatchScore    int          `json:"matchScore"` // up to 999; 0 where no name was asked for
}

// A Message says something about an answer: NoResults, TooManyResults …
type Message struct {
	Type string `json:"type"`
	Code string `json:"code"`
	Text string `json:"text"`
}

// FoundCompanies are a page of what was found.
type FoundCompanies struct {
	Total     int            `json:"totalSize"`
	Cursor    string         `json:"cursor"` // of the next page; empty at the end
	Companies []FoundCompany `json:"companies"`
	Messages  []Message      `json:"messages"`
}

// SearchCompanies finds companies, the likeliest first where a name is asked
// for.
func (c *Client) SearchCompanies(ctx context.Context, s CompanySearch, p Page) (FoundCompanies, error) {
	var out FoundCompanies
	err := c.Do(ctx, Call{Method: "GET", Path: "/companies", Query: p.into(s.values()), Out: &out})
	return out, err
}

// SearchEverywhere finds the places of companies in all countries. The countries
// of the search are left out.
func (c *Client) SearchEverywhere(ctx context.Context, s CompanySearch, p Page) (FoundCompanies, error) {
	var out FoundCompanies
	s.Countries = nil
	err := c.Do(ctx, Call{Method: "GET", Path: "/companies/global", Query: p.into(s.values()), Out: &out})
	return out, err
}

// CompanyCriteria reads what companies of some countries can be searched by, as
// it comes.
func (c *Client) CompanyCriteria(ctx context.Context, countries ...string) (json.RawMessage, error) {
	var out json.RawMessage
	q := url.Values{"countries": {strings.Join(countries, ",")}}
	err := c.Do(ctx, Call{Method: "GET", Path: "/companies/searchcriteria", Query: q, Out: &out})
	return out, err
}

// A CompanyMatch asks which company is meant by a name and what else is known.
type CompanyMatch struct {
	Country   string
	Name      string
	Threshold int // 893 to 999; 0 is 893

	RegNo, VATNo, Street, HouseNo, City, PostCode, Province, PhoneNo string
}

// A MatchedCompany is one that may be meant.
type MatchedCompany struct {
	Confidence int    `json:"matchScoreConfidence"` // 893 to 999
	ID         string `json:"id"`
	Country    string `json:"country"`
	RegNo      string `json:"regNo"`
	SafeNo     string `json:"safeNo"`
	Name       string `json:"name"`
	Status     string `json:"status"`
	Address    struct {
		Line     string `json:"simpleValue"`
		City     string `json:"city"`
		PostCode string `json:"postcode"`
	} `json:"address"`
	Plan    map[string]any `json:"matchScoreExplainPlan"` // a grade for each part
	Reasons []string       `json:"reasons"`
}

// MatchCompany finds the companies that are meant, the likeliest first.
func (c *Client) MatchCompany(ctx context.Context, m CompanyMatch) ([]MatchedCompany, error) {
	q := url.Values{"country": {m.Country}, "name": {m.Name}}
	if m.Threshold != 0 {
		q.Set("matchThreshold", strconv.Itoa(m.Threshold))
	}
	for name, v := range map[string]string{
		"regNo": m.RegNo, "vatNo": m.VATNo, "street": m.Street, "houseNo": m.HouseNo, "city": m.City,
		"postCode": m.PostCode, "province": m.Province, "phoneNo": m.PhoneNo,
	} {
		if v != "" {
			q.Set(name, v)
		}
	}
	var out struct {
		Matched []MatchedCompany `json:"matchedCompanies"`
	}
	err := c.Do(ctx, Call{Method: "GET", Path: "/companies/match", Query: q, Out: &out})
	return out.Matched, err
}
