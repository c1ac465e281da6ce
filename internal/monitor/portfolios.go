package monitor

import (
	"context"
	"fmt"
	"slices"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// What callers are told of what is not there, or not theirs.
const (
	NoPortfolio = "Portfolio not found"
	NoCompany   = "Company resource not found"
)

// Portfolios is the door to portfolios, the companies in them and their rules.
type Portfolios struct {
	Store     Store
	Companies *company.Register
	Directory *auth.Directory
	Gate      *auth.Gate
}

// Create makes a portfolio of the caller's. No rule is on in it.
func (s *Portfolios) Create(ctx context.Context, by auth.Caller, p Portfolio) (Portfolio, error) {
	if err := p.Check(); err != nil {
		return Portfolio{}, err
	}
	return s.Store.CreatePortfolio(ctx, by, p)
}

// Portfolio returns a portfolio and what the caller may do with it.
func (s *Portfolios) Portfolio(ctx context.Context, by auth.Caller, id PortfolioID) (Listed, error) {
	p, rights, err := s.Store.Portfolio(ctx, by, id)
	return listed(by, p, rights), err
}

// A Listed portfolio is one as a caller sees it.
type Listed struct {
	Portfolio
	Rights Rights
}

// listed leaves out whose default a portfolio is, unless it is the caller's.
func listed(by auth.Caller, p Portfolio, r Rights) Listed {
	p.Default = p.Default && p.Owner == by.Account
	return Listed{p, r}
}

// PortfolioQuery says which portfolios to list.
type PortfolioQuery struct {
	Search string      // part of the name
	After  PortfolioID // only numbers above
	Skip   int
	Limit  int
}

// List returns a page of the portfolios that the caller may see, in the order
// of their numbers, and how many there are in all.
func (s *Portfolios) List(ctx context.Context, by auth.Caller, q PortfolioQuery) (page []Listed, total int64, err error) {
	all, rights, err := s.Store.Portfolios(ctx, by)
	if err != nil {
		return nil, 0, err
	}
	search := NewSearch(q.Search)
	for i, p := range all {
		if !search.Empty() && !search.In(p.Name) {
			continue
		}
		total++
		if p.ID > q.After && len(page) < q.Skip+q.Limit {
			page = append(page, listed(by, p, rights[i]))
		}
	}
	return page[min(q.Skip, len(page)):], total, nil
}

// Edit changes a portfolio's name, mail and whether it is the default.
func (s *Portfolios) Edit(ctx context.Context, by auth.Caller, id PortfolioID, edit func(*Portfolio) error) error {
	return s.Store.EditPortfolio(ctx, by, id, func(p *Portfolio) error {
		if err := edit(p); err != nil {
			return err
		}
		return p.Check()
	})
}

// Delete takes a portfolio away with all that is in it.
func (s *Portfolios) Delete(ctx context.Context, by auth.Caller, id PortfolioID) error {
	return s.Store.DeletePortfolio(ctx, by, id)
}

// Shares lists who else may do what with a portfolio.
func (s *Portfolios) Shares(ctx context.Context, by auth.Caller, id PortfolioID) ([]Share, error) {
	return s.Store.Shares(ctx, by, id)
}

// MayShare says whether a caller may share a portfolio at all, which comes
// before what is wrong with how: nil, or a fault.
func (s *Portfolios) MayShare(ctx context.Context, by auth.Caller, id PortfolioID) error {
	_, has, err := s.Store.Portfolio(ctx, by, id)
	if err == nil && has&Own == 0 {
		err = fault.Denied.Errorf("only the portfolio's owner may do this")
	}
	return err
}

// Share sets what other accounts of the caller's customer may do with a
// portfolio. No rights take a share away; all takes away every one first.
func (s *Portfolios) Share(ctx context.Context, by auth.Caller, id PortfolioID, all bool, list []Share) error {
	if !all && len(list) == 0 {
		return fault.Invalid.Details("nobody to share with", "userPermissions: name at least one account, or set revokeAll")
	}
	// Every account of this customer may be named, and no other: whether those
	// exist is nobody's business here.
	ours := s.Directory.Accounts(by.Customer)
	var wrong []string
	for _, share := range list {
		switch {
		case share.Account == by.Account:
			wrong = append(wrong, fmt.Sprintf("userPermissions: %d is your own account", share.Account))
		case !slices.ContainsFunc(ours, func(a auth.Account) bool { return a.ID == share.Account }):
			wrong = append(wrong, fmt.Sprintf("userPermissions: your company has no account %d", share.Account))
		}
	}
	if len(wrong) > 0 {
		return fault.Invalid.Details("the portfolio cannot be shared like this", wrong...)
	}
	return s.Store.SharePortfolio(ctx, by, id, all, list)
}
