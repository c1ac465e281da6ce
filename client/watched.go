package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
)

// A WatchedCompany is a company in a portfolio: what you noted on it, and what
// the register knows.
type WatchedCompany struct {
	ID          string   `json:"id"` // its connectId
	SafeNumber  string   `json:"safeNumber"`
	Name        string   `json:"name"`
	Address     string   `json:"address"`
	Country     string   `json:"countryCode"`
	Status      string   `json:"companyStatus"`
	Band        string   `json:"ratingCommon"` // A to E
	Score       string   `json:"ratingLocal"`
	CreditLimit *float64 `json:"creditLimit"`

	Reference string `json:"personalReference"`
	Notes     string `json:"freeText"`
	Limit     string `json:"personalLimit"`

	AddedDate     string `json:"dateAdded"`
	ModifiedDate  string `json:"dateModified"`
	LastEventDate string `json:"dateLastEvent"` // empty if there is no event
}

// CompanyFilter says which companies of a portfolio to list. The zero filter
// lists all.
type CompanyFilter struct {
	Search     string // part of the name, the connectId, the reference or the notes
	Country    string
	WithEvents bool
}

// PortfolioCompanies lists a portfolio's companies in the order of their
// connectIds. An error ends the list.
func (c *Client) PortfolioCompanies(ctx context.Context, id int64, f CompanyFilter) iter.Seq2[WatchedCompany, error] {
	filter := url.Values{"searchQuery": {f.Search}, "countryCode": {f.Country}}
	if f.WithEvents {
		filter.Set("events", "true")
	}
	return pages(func(after string) ([]WatchedCompany, string, error) {
		var got struct {
			Cursor string           `json:"cursor"`
			Data   []WatchedCompany `json:"data"`
		}
		err := c.Do(ctx, Call{Method: http.MethodGet, Path: portfolioPath(id, "companies"), Query: page(filter, after), Out: &got})
		return got.Data, got.Cursor, err
	})
}

// Notes are what you note on a company. What is nil stays as it is.
type Notes struct {
	Reference *string `json:"personalReference,omitempty"`
	Notes     *string `json:"freeText,omitempty"`
	Limit     *string `json:"personalLimit,omitempty"`
}

// AddCompany puts a company, named by its connectId or safe number, into a
// portfolio. One that is in already is an ErrConflict.
func (c *Client) AddCompany(ctx context.Context, id int64, company string, n Notes) error {
	in := struct {
		ID string `json:"id"`
		Notes
	}{company, n}
	return c.create(ctx, portfolioPath(id, "companies"), nil, in, nil)
}

// PortfolioCompany reads a company of a portfolio.
func (c *Client) PortfolioCompany(ctx context.Context, id int64, company string) (WatchedCompany, error) {
	var out WatchedCompany
	err := c.get(ctx, portfolioPath(id, "companies", company), &out)
	return out, err
}

// EditCompany changes what you noted on a company.
func (c *Client) EditCompany(ctx context.Context, id int64, company string, n Notes) error {
	return c.call(ctx, http.MethodPatch, portfolioPath(id, "companies", company), n, nil)
}

// RemoveCompany takes a company out of a portfolio. One that is not in is an
// ErrNotFound.
func (c *Client) RemoveCompany(ctx context.Context, id int64, company string) error {
	return c.call(ctx, http.MethodDelete, portfolioPath(id, "companies", company), nil, nil)
}

// Those are companies of a portfolio: some by their connectIds or safe numbers,
// or all. An empty list is none of them, and refused.
type Those struct {
	IDs []string
	All bool
}

func (t Those) query(flag string) url.Values {
	if !t.All {
		return nil
	}
	return url.Values{flag: {"true"}}
}

// ClearCompanies takes companies out of a portfolio.
func (c *Client) ClearCompanies(ctx context.Context, id int64, those Those) error {
	in := struct {
		Companies []string `json:"companies"`
	}{append([]string{}, those.IDs...)}
	return c.Do(ctx, Call{
		Method: http.MethodPatch, Path: portfolioPath(id, "companies", "clear"), In: in, Query: those.query("clearAll"),
	})
}

// Moved counts pairs of portfolio and company. A pair fails where the company
// is in the other portfolio already, or is not in the first.
type Moved struct {
	Total  int `json:"totalPortfoliosCompanies"`
	Done   int `json:"successfulPortfoliosCompanies"`
	Failed int `json:"failedPortfoliosCompanies"`
}

// CopyCompanies puts companies of one portfolio into others.
func (c *Client) CopyCompanies(ctx context.Context, from int64, to []int64, those Those) (Moved, error) {
	return c.move(ctx, portfolioPath(from, "companies", "copy"), those.query("copyAll"), to, those)
}

// MoveCompanies is CopyCompanies and takes what was put elsewhere out of the
// first.
func (c *Client) MoveCompanies(ctx context.Context, from int64, to []int64, those Those) (Moved, error) {
	return c.move(ctx, portfolioPath(from, "companies", "remove"), those.query("removeAll"), to, those)
}

func (c *Client) move(ctx context.Context, path string, query url.Values, to []int64, those Those) (Moved, error) {
	type named struct {
		ID string `json:"id"`
	}
	in := struct {
		Portfolios []int64 `json:"portfolios"`
		Companies  []named `json:"companies"`
	}{append([]int64{}, to...), []named{}}
	for _, id := range those.IDs {
		in.Companies = append(in.Companies, named{id})
	}
	var out struct {
		Data Moved `json:"data"`
	}
	err := c.create(ctx, path, query, in, &out)
	return out.Data, err
}

// PortfolioCountries lists the countries of a portfolio's companies.
func (c *Client) PortfolioCountries(ctx context.Context, id int64) ([]string, error) {
	var out []string
	err := c.get(ctx, portfolioPath(id, "countries"), &out)
	return out, err
}

// A Risk is how many companies of a portfolio are in each rating band, and the
// share in per cent among those that have one.
type Risk struct {
	Total  int64   `json:"totalCompanies"`
	CountA int64   `json:"bandACount"`
	ShareA float64 `json:"bandApc"`
	CountB int64   `json:"bandBCount"`
	ShareB float64 `json:"bandBpc"`
	CountC int64   `json:"bandCCount"`
	ShareC float64 `json:"bandCpc"`
	CountD int64   `json:"bandDCount"`
	ShareD float64 `json:"bandDpc"`
	CountE int64   `json:"bandECount"`
	ShareE float64 `json:"bandEpc"`
}

// PortfolioRisk counts a portfolio's companies by rating band.
func (c *Client) PortfolioRisk(ctx context.Context, id int64) (Risk, error) {
	var out Risk
	err := c.get(ctx, portfolioPath(id, "riskSummary"), &out)
	return out, err
}
