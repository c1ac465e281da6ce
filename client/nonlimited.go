package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
)

const nonLimitedPath = "/localSolutions/DE/nonLtdCompanies"

// NonLimitedCriteria are what German non-limited companies are found by, and why
// a report may be read.
type NonLimitedCriteria struct {
	CriteriaSets []json.RawMessage `json:"criteriaSets"`
	Languages    []string          `json:"languages"`
	Country      []string          `json:"country"`
	Reasons      []string          `json:"reasons"`
}

// NonLimitedCriteria reads them.
func (c *Client) NonLimitedCriteria(ctx context.Context) (NonLimitedCriteria, error) {
	var out NonLimitedCriteria
	err := c.get(ctx, nonLimitedPath+"/searchcriteria", &out)
	return out, err
}

// A NonLimitedMatch is a company that was found.
type NonLimitedMatch struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	Form     string `json:"legalForm"`
	Status   string `json:"status"`
	Street   string `json:"street"`
	PostCode string `json:"postCode"`
	City     string `json:"city"`
}

// SearchNonLimited finds German companies that are not limited.
func (c *Client) SearchNonLimited(ctx context.Context, name, city string) ([]NonLimitedMatch, error) {
	var out struct {
		Matches []NonLimitedMatch `json:"matches"`
	}
	err := c.Do(ctx, Call{Method: http.MethodGet, Path: nonLimitedPath, Query: given("name", name, "city", city), Out: &out})
	return out.Matches, err
}

// A NonLimitedReport is a report, as JSON and as a PDF.
type NonLimitedReport struct {
	PDF         []byte          `json:"pdfFile"`
	Status      string          `json:"status"`
	CompanyData json.RawMessage `json:"companyData"`
}

// NonLimitedReport reads a report for a reason.
func (c *Client) NonLimitedReport(ctx context.Context, id int64, reason string) (NonLimitedReport, error) {
	var out NonLimitedReport
	path := nonLimitedPath + "/" + url.PathEscape(strconv.FormatInt(id, 10))
	err := c.Do(ctx, Call{Method: http.MethodGet, Path: path, Query: given("reason", reason), Out: &out})
	return out, err
}

// An IdentityVerification is whether somebody is known.
type IdentityVerification struct {
	MatchRate string `json:"matchRate"` // fullMatch, partialMatch, noMatch
	FullName  string `json:"fullName"`
	Sources   []struct {
		Category  string `json:"category"`
		MatchType string `json:"matchType"`
	} `json:"sources"`
	ID          string `json:"id"`
	IDVSearchID string `json:"idvSearchId"`
}

// A Verifiable is who is to be verified.
type Verifiable struct {
	Name        string `json:"name"`
	DateOfBirth string `json:"dateOfBirth"`
	Address     string `json:"address"`
	City        string `json:"city,omitempty"`
	Country     string `json:"country"`
	PostalCode  string `json:"postalCode,omitempty"`
	ID          string `json:"id"` // your own
}

// VerifyIdentity says whether somebody is known.
func (c *Client) VerifyIdentity(ctx context.Context, who Verifiable) (IdentityVerification, error) {
	var out IdentityVerification
	err := c.Do(ctx, Call{Method: http.MethodPost, Path: "/protect/idv/gdc/search", In: who, Out: &out})
	return out, err
}

// IdentityFile reads the report of a verification, a PDF.
func (c *Client) IdentityFile(ctx context.Context, idvSearchID string) ([]byte, error) {
	var out []byte // base64 in JSON
	err := c.Do(ctx, Call{Method: http.MethodGet, Path: "/protect/idv/file", Query: given("idvSearchId", idvSearchID), Out: &out})
	return out, err
}
