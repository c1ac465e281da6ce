package console

import (
	"strings"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// A sharer is a colleague, and what they may do with a portfolio.
type sharer struct {
	auth.Account
	Rights monitor.Rights
}

// May is what they may do, in words.
func (s sharer) May() string {
	out := []string{"see it"}
	for _, w := range []struct {
		right monitor.Rights
		words string
	}{{monitor.Add, "add companies"}, {monitor.Remove, "remove companies"}, {monitor.Edit, "change its rules, name and mail, mark its events"}} {
		if s.Rights&w.right != 0 {
			out = append(out, w.words)
		}
	}
	return strings.Join(out, ", ")
}

// sharing is with whom a portfolio is shared, and with whom it could be.
type sharing struct {
	With   []sharer
	Others []auth.Account
}

// sharing reads it, for the portfolio's owner.
func (s *Server) sharing(v *visit, id monitor.PortfolioID) (*sharing, error) {
	shares, err := s.Portfolios.Shares(v.ctx(), v.by, id)
	if err != nil {
		return nil, err
	}
	rights := map[auth.AccountID]monitor.Rights{}
	for _, one := range shares {
		rights[one.Account] = one.Rights
	}
	d := &sharing{}
	for _, a := range s.Directory.Accounts(v.account.Customer) {
		switch {
		case rights[a.ID] != 0:
			d.With = append(d.With, sharer{a, rights[a.ID]})
		case a.ID != v.account.ID && !a.Disabled:
			d.Others = append(d.Others, a)
		}
	}
	return d, nil
}

// sharePortfolio lets a colleague see a portfolio, or no longer.
func (s *Server) sharePortfolio(v *visit) error {
	id, err := v.number("id")
	if err != nil {
		return err
	}
	with, err := v.number("account")
	if err != nil {
		return fault.Invalid.Errorf("choose with whom to share the portfolio")
	}
	rights, err := monitor.ParseRights(v.text("rights"))
	if err != nil {
		return err
	}
	portfolio := monitor.PortfolioID(id)
	// Whoever may not share it is told so, whatever else is wrong.
	if err := s.Portfolios.MayShare(v.ctx(), v.by, portfolio); err != nil {
		return err
	}
	err = s.Portfolios.Share(v.ctx(), v.by, portfolio, false, []monitor.Share{{Account: auth.AccountID(with), Rights: rights}})
	if err != nil {
		return err
	}
	said := "shared"
	if rights == 0 {
		said = "unshared"
	}
	return v.redirect(portfolioPath(portfolio)+"/edit", said)
}
