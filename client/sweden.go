package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
)

// A Swedish is the envelope of the Swedish services. Of a person whom nothing is
// told of, Rejection says why and there is no report.
type Swedish[T any] struct {
	Meta struct {
		LogID      int64  `json:"apiLogId"`
		TimeStamp  string `json:"timeStamp"`
		Resource   string `json:"resource"`
		RequestURL string `json:"requestUrl"`
		LodCreated bool   `json:"lodCreated"`
	} `json:"metaData"`
	Report    T `json:"report"`
	Rejection *struct {
		Code   string `json:"code"`
		Text   string `json:"text"`
		Detail string `json:"detail"`
	} `json:"error"`
}

func swedish[T any](ctx context.Context, c *Client, path string, q url.Values) (out Swedish[T], err error) {
	err = c.Do(ctx, Call{Method: http.MethodGet, Path: path, Query: q, Out: &out})
	return out, err
}

// given are the parameters that are not empty.
func given(pairs ...string) url.Values {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	return q
}

// A SwedishAddress is an address in Sweden.
type SwedishAddress struct {
	Full         string `json:"fullAddress"`
	CareOf       string `json:"careOf"`
	Zip          string `json:"zipCode"`
	Town         string `json:"town"`
	Municipality string `json:"municipality"`
	County       string `json:"county"`
}

// A SwedishUnit is an office of an organisation.
type SwedishUnit struct {
	Number    string         `json:"organizationNumber"`
	Company   string         `json:"companyName"`
	Office    string         `json:"officeType"`
	Status    string         `json:"status"`
	Employees string         `json:"employeeRange"`
	Address   SwedishAddress `json:"address"`
}

// DataUnits reads the places of an organisation.
func (c *Client) DataUnits(ctx context.Context, number, name, address, postnr string) (Swedish[[]SwedishUnit], error) {
	return swedish[[]SwedishUnit](ctx, c, "/getdataunit", given("searchnumber", number, "name", name, "address", address, "postnr", postnr))
}

// A DateCheck is when something changed, by category.
type DateCheck struct {
	Changed    bool `json:"changed"`
	Categories []struct {
		Category    string `json:"category"`
		LastChanged string `json:"lastChanged"`
	} `json:"categories"`
}

// CompanyDateCheck says what changed about a Swedish company since a date.
func (c *Client) CompanyDateCheck(ctx context.Context, number, referenceDate string) (Swedish[DateCheck], error) {
	return swedish[DateCheck](ctx, c, "/datecheck/company", given("searchnumber", number, "referencedate", referenceDate))
}

// ConsumerDateCheck says what changed about a Swedish person since a date.
func (c *Client) ConsumerDateCheck(ctx context.Context, number, referenceDate string) (Swedish[DateCheck], error) {
	return swedish[DateCheck](ctx, c, "/datecheck/consumer", given("searchnumber", number, "referencedate", referenceDate))
}

// A Signer is somebody who may sign.
type Signer struct {
	Name      string `json:"name"`
	Positions []struct {
		Code int    `json:"roleCode"`
		Name string `json:"roleName"`
	} `json:"positions"`
	PersonalNumber string `json:"personalNumber"`
}

// A Signatory is who may sign for a company.
type Signatory struct {
	CompanyID    string     `json:"companyId"`
	Coverage     string     `json:"coverage"` // complete, partial, none
	AdminSign    [][]Signer `json:"adminSign"`
	Combinations [][]Signer `json:"combinations"`
}

// Signatories says who may sign for a Swedish company.
func (c *Client) Signatories(ctx context.Context, number string) (Swedish[[]Signatory], error) {
	return swedish[[]Signatory](ctx, c, "/getsignatory", given("searchnumber", number))
}

// SwedishData reads blocks of data about a company or a person.
func (c *Client) SwedishData(ctx context.Context, number, blocks string) (Swedish[json.RawMessage], error) {
	return swedish[json.RawMessage](ctx, c, "/getdata", given("searchnumber", number, "blockname", blocks))
}

// A SwedishFound is a company or a person that was found.
type SwedishFound struct {
	Number  string         `json:"searchNumber"`
	Name    string         `json:"name"`
	Type    string         `json:"companyType"`
	Status  string         `json:"status"`
	Address SwedishAddress `json:"address"`
}

// SearchSwedishCompanies finds companies by a name or a number.
func (c *Client) SearchSwedishCompanies(ctx context.Context, nameOrNumber, companyType, address string) (Swedish[[]SwedishFound], error) {
	return swedish[[]SwedishFound](ctx, c, "/search/company", given("namesearchnumber", nameOrNumber, "companytype", companyType, "address", address))
}

// SearchSwedishPeople finds people by a name or a number.
func (c *Client) SearchSwedishPeople(ctx context.Context, nameOrNumber, address string) (Swedish[[]SwedishFound], error) {
	return swedish[[]SwedishFound](ctx, c, "/search/consumer", given("namesearchnumber", nameOrNumber, "address", address))
}

// A SwedishPerson is somebody of the population register.
type SwedishPerson struct {
	PersonalNumber string         `json:"personalNumber"`
	Coordination   bool           `json:"coordinationNumber"`
	FirstName      string         `json:"firstName"`
	LastName       string         `json:"lastName"`
	DateOfBirth    string         `json:"dateOfBirth"`
	Address        SwedishAddress `json:"registeredAddress"`
	Relations      []struct {
		Type           string `json:"type"`
		PersonalNumber string `json:"personalNumber"`
	} `json:"relations"`
}

// Population reads somebody of the population register, with their family if
// relation is true, or of its test data.
func (c *Client) Population(ctx context.Context, number string, relation, test bool) (Swedish[SwedishPerson], error) {
	q := given("searchnumber", number)
	q.Set("relation", strconv.FormatBool(relation))
	q.Set("usespartest", strconv.FormatBool(test))
	return swedish[SwedishPerson](ctx, c, "/spar", q)
}

// SwedishHealth is nil if a Swedish service is well: getdataunit, getsignatory,
// getdata or spar.
func (c *Client) SwedishHealth(ctx context.Context, service string) error {
	return c.Do(ctx, Call{Method: http.MethodGet, Path: "/" + url.PathEscape(service) + "/health"})
}
