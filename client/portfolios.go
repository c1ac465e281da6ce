package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
)

// A Portfolio is a list of companies that are watched, and the rules by which
// they are.
type Portfolio struct {
	ID          int64
	Name        string
	IsDefault   bool
	Shared      bool   // it belongs to another account
	Permissions string // what you may do with it: "view,add,edit,remove"
	Mail        Mail   // a list tells only who gets it
}

// Mail says how a portfolio's events are told by mail.
type Mail struct {
	Subject  string
	Language string // "en"
	Days     int    // between two mails; 0 sends none
	To       []Recipient
}

// A Recipient gets a portfolio's mail.
type Recipient struct {
	FirstName string `json:"firstName,omitempty"`
	LastName  string `json:"lastName,omitempty"`
	Address   string `json:"emailAddress"`
}

// portfolioWire is a portfolio as it is sent, in a list or alone.
type portfolioWire struct {
	ID          int64       `json:"portfolioId"`
	Name        string      `json:"name"`
	IsDefault   bool        `json:"isDefault"`
	IsShared    int         `json:"isSharedPortfolio"`
	Permissions string      `json:"permissions"`
	Subject     string      `json:"emailSubject"`
	Language    string      `json:"emailLanguage"`
	Frequency   string      `json:"frequency"`
	Emails      []Recipient `json:"emails"`
}

func (w portfolioWire) portfolio() Portfolio {
	days, _ := strconv.Atoi(w.Frequency) // empty in a list
	return Portfolio{
		ID: w.ID, Name: w.Name, IsDefault: w.IsDefault, Shared: w.IsShared == 1, Permissions: w.Permissions,
		Mail: Mail{Subject: w.Subject, Language: w.Language, Days: days, To: w.Emails},
	}
}

func portfolioPath(id int64, more ...string) string {
	path := "/monitoring/portfolios/" + strconv.FormatInt(id, 10)
	for _, m := range more {
		path += "/" + url.PathEscape(m)
	}
	return path
}

// Portfolios lists your portfolios and those shared with you, in the order of
// their numbers. A search leaves those whose names hold it; an error ends the
// list.
func (c *Client) Portfolios(ctx context.Context, search string) iter.Seq2[Portfolio, error] {
	return pages(func(after string) ([]Portfolio, string, error) {
		var got struct {
			Cursor string `json:"cursor"`
			Data   struct {
				Portfolios []portfolioWire `json:"portfolios"`
			} `json:"data"`
		}
		err := c.Do(ctx, Call{
			Method: http.MethodGet, Path: "/monitoring/portfolios", Out: &got,
			Query: page(url.Values{"searchQuery": {search}}, after),
		})
		var out []Portfolio
		for _, w := range got.Data.Portfolios {
			out = append(out, w.portfolio())
		}
		return out, got.Cursor, err
	})
}

// A PortfolioEdit is what to set of a portfolio. What is nil stays as it is.
type PortfolioEdit struct {
	Name      *string      `json:"name,omitempty"`
	IsDefault *bool        `json:"isDefault,omitempty"`
	To        *[]Recipient `json:"emails,omitempty"`
	Subject   *string      `json:"emailSubject,omitempty"`
	Language  *string      `json:"emailLanguage,omitempty"`
	Days      *int         `json:"frequency,omitempty"` // between two mails; 0 sends none
}

// CreatePortfolio makes a portfolio, which needs a name. A name that you have
// given already is an ErrConflict.
func (c *Client) CreatePortfolio(ctx context.Context, p PortfolioEdit) (Portfolio, error) {
	var w portfolioWire
	err := c.create(ctx, "/monitoring/portfolios", nil, p, &w)
	out := w.portfolio()
	out.Permissions = "view,add,edit,remove"
	return out, err
}

// Portfolio reads a portfolio.
func (c *Client) Portfolio(ctx context.Context, id int64) (Portfolio, error) {
	var w portfolioWire
	err := c.get(ctx, portfolioPath(id), &w)
	return w.portfolio(), err
}

// EditPortfolio changes a portfolio.
func (c *Client) EditPortfolio(ctx context.Context, id int64, p PortfolioEdit) error {
	return c.call(ctx, http.MethodPatch, portfolioPath(id), p, nil)
}

// DeletePortfolio takes a portfolio away with its companies, rules and events.
func (c *Client) DeletePortfolio(ctx context.Context, id int64) error {
	return c.call(ctx, http.MethodDelete, portfolioPath(id), nil, nil)
}

// A Share is what a colleague's account may do with a portfolio.
type Share struct {
	AccountID   int64
	Username    string // told, not taken
	Permissions string // "view,add"; "all"; "none" takes the share away
}

// PortfolioShares lists who else may do what with a portfolio.
func (c *Client) PortfolioShares(ctx context.Context, id int64) ([]Share, error) {
	var got struct {
		Data struct {
			List []struct {
				AccountID   int64  `json:"csUserId"`
				Username    string `json:"userName"`
				Permissions string `json:"permission"`
			} `json:"userPermission"`
		} `json:"data"`
	}
	err := c.get(ctx, portfolioPath(id, "sharingPermissions"), &got)
	var out []Share
	for _, s := range got.Data.List {
		out = append(out, Share(s))
	}
	return out, err
}

// SharePortfolio sets what colleagues may do with a portfolio. Those who are
// not named keep what they have, unless revokeAll is set.
func (c *Client) SharePortfolio(ctx context.Context, id int64, revokeAll bool, list ...Share) error {
	type share struct {
		AccountID   int64  `json:"csUserId"`
		Permissions string `json:"permissions"`
	}
	in := struct {
		RevokeAll bool    `json:"revokeAll"`
		Shares    []share `json:"userPermissions,omitempty"`
	}{RevokeAll: revokeAll}
	for _, s := range list {
		in.Shares = append(in.Shares, share{s.AccountID, s.Permissions})
	}
	return c.call(ctx, http.MethodPatch, portfolioPath(id, "sharingPermissions"), in, nil)
}

// A MonitoringUser is your account as monitoring knows it.
type MonitoringUser struct {
	CountryCode     string `json:"countryCode"`
	CreatedDate     string `json:"createdDate"`
	CustomerID      int64  `json:"csCustomerId"`
	AccountID       int64  `json:"csUserId"`
	LanguageCode    string `json:"languageCode"`
	ContractEndDate string `json:"contractEndDate"` // empty if there is no end
}

// MonitoringUser tells whose token this is.
func (c *Client) MonitoringUser(ctx context.Context) (MonitoringUser, error) {
	var list []MonitoringUser
	if err := c.get(ctx, "/monitoring/user/details", &list); err != nil || len(list) == 0 {
		return MonitoringUser{}, err
	}
	return list[0], nil
}
