package monitor

import (
	"context"
	"errors"
	"slices"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// A Watched company is a member and what the register knows of it: its last
// name alone, if it has left the register since it was added.
type Watched struct {
	Member
	Facts company.Company
}

// Add puts a company into a portfolio, which may be named by its connectId or
// its safe number. The caller must have monitoring in the company's country. A
// company that is in already is a fault.Conflict.
func (s *Portfolios) Add(ctx context.Context, by auth.Caller, id PortfolioID, name string, m Member) error {
	if strings.TrimSpace(name) == "" {
		return fault.Invalid.Details("no company is named", "id: give a connectId or a safe number")
	}
	if err := m.Check(); err != nil {
		return err
	}
	c, err := s.Companies.Lookup(ctx, name)
	switch {
	case errors.Is(err, fault.Missing):
		return fault.Missing.Errorf(NoCompany)
	case errors.Is(err, fault.Invalid):
		return fault.Invalid.Details("no company is named", "id: "+quote(name)+" is neither a connectId, such as GB-0-03375464, nor a safe number that we know")
	case err != nil:
		return err
	}
	if err := s.Gate.Allow(ctx, by, auth.Monitoring, c.ID.Country()); err != nil {
		return err
	}
	m.Company = c.ID
	there, err := s.Store.AddMembers(ctx, by, id, []Member{m})
	if err == nil && len(there) > 0 {
		err = fault.Conflict.Errorf("Company is already in the portfolio")
	}
	return err
}

// meant finds out which companies names mean. What has left the register can
// still be in a portfolio, so a connectId is taken at its word.
func (s *Portfolios) meant(ctx context.Context, names []string) (ids []company.ID, unknown int, err error) {
	found, err := s.Companies.LookupAll(ctx, names)
	if err != nil {
		return nil, 0, err
	}
	ids = []company.ID{} // none, where nil would be all
	for _, name := range names {
		id, ok := found[name]
		if parsed, err := company.ParseID(name); !ok && err == nil {
			id, ok = parsed, true
		}
		if ok {
			ids = append(ids, id)
		} else {
			unknown++
		}
	}
	return ids, unknown, nil
}

// one is meant for a single name.
func (s *Portfolios) one(ctx context.Context, name string) (company.ID, error) {
	ids, _, err := s.meant(ctx, []string{name})
	if err == nil && len(ids) == 0 {
		err = fault.Missing.Errorf(NoCompany)
	}
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// Remove takes a company out of a portfolio.
func (s *Portfolios) Remove(ctx context.Context, by auth.Caller, id PortfolioID, name string) error {
	ids, _, err := s.meant(ctx, []string{name})
	if err != nil {
		return err
	}
	n, err := s.Store.RemoveMembers(ctx, by, id, ids) // whatever it means, the portfolio must be the caller's
	if err == nil && n == 0 {
		err = fault.Missing.Errorf(NoCompany)
	}
	return err
}

// Clear takes several companies out of a portfolio, or all, and returns how
// many were in.
func (s *Portfolios) Clear(ctx context.Context, by auth.Caller, id PortfolioID, names []string, all bool) (int, error) {
	ids, _, err := s.several(ctx, names, all, "clearAll")
	if err != nil {
		return 0, err
	}
	return s.Store.RemoveMembers(ctx, by, id, ids)
}

// Copy puts companies of one portfolio into others. It returns for how many
// pairs of portfolio and company that was done, and how many there were.
func (s *Portfolios) Copy(ctx context.Context, by auth.Caller, from PortfolioID, to []PortfolioID, names []string, all bool) (done, pairs int, err error) {
	return s.move(ctx, by, from, to, names, all, "copyAll", false)
}

// Move is Copy and takes what was put elsewhere out of the first.
func (s *Portfolios) Move(ctx context.Context, by auth.Caller, from PortfolioID, to []PortfolioID, names []string, all bool) (done, pairs int, err error) {
	return s.move(ctx, by, from, to, names, all, "removeAll", true)
}

func (s *Portfolios) move(ctx context.Context, by auth.Caller, from PortfolioID, to []PortfolioID, names []string, all bool, flag string, out bool) (done, pairs int, err error) {
	if len(to) == 0 || len(to) > 1000 {
		return 0, 0, fault.Invalid.Details("no portfolio to put them into", "portfolios: name from 1 to 1000 portfolios")
	}
	ids, unknown, err := s.several(ctx, names, all, flag)
	if err != nil {
		return 0, 0, err
	}
	done, pairs, err = s.Store.MoveMembers(ctx, by, from, to, ids, out)
	return done, pairs + unknown*len(to), err
}

// several is meant for a list that may stand for all; then it must be empty.
func (s *Portfolios) several(ctx context.Context, names []string, all bool, flag string) (ids []company.ID, unknown int, err error) {
	switch {
	case all && len(names) > 0:
		return nil, 0, fault.Invalid.Details("some companies or all?", "companies: must be empty with "+flag+"=true")
	case all:
		return nil, 0, nil
	case len(names) == 0:
		return nil, 0, fault.Invalid.Details("no company is named", "companies: name at least one, or set "+flag+"=true")
	}
	return s.meant(ctx, names)
}

// EditMember changes what a watcher noted on a company.
func (s *Portfolios) EditMember(ctx context.Context, by auth.Caller, id PortfolioID, name string, edit func(*Member)) error {
	of, err := s.one(ctx, name)
	if err != nil {
		return s.orNoPortfolio(ctx, by, id, err)
	}
	return s.Store.EditMember(ctx, by, id, of, func(m *Member) error {
		edit(m)
		return m.Check()
	})
}

// orNoPortfolio puts the portfolio first, where both it and a company of it
// are missing.
func (s *Portfolios) orNoPortfolio(ctx context.Context, by auth.Caller, id PortfolioID, err error) error {
	if _, _, missing := s.Store.Portfolio(ctx, by, id); missing != nil {
		return missing
	}
	return err
}

// Member returns a company of a portfolio.
func (s *Portfolios) Member(ctx context.Context, by auth.Caller, id PortfolioID, name string) (Watched, error) {
	of, err := s.one(ctx, name)
	if err != nil {
		return Watched{}, s.orNoPortfolio(ctx, by, id, err)
	}
	m, err := s.Store.Member(ctx, by, id, of)
	if err != nil {
		return Watched{}, err
	}
	list, err := s.withFacts(ctx, []Member{m})
	if err != nil {
		return Watched{}, err
	}
	return list[0], nil
}

// Members returns a page of a portfolio's companies, and how many there are in
// all.
func (s *Portfolios) Members(ctx context.Context, by auth.Caller, id PortfolioID, q MemberQuery) ([]Watched, int64, error) {
	page, err := s.Store.Members(ctx, by, id, q)
	if err != nil {
		return nil, 0, err
	}
	list, err := s.withFacts(ctx, page.List)
	return list, page.Total, err
}

func (s *Portfolios) withFacts(ctx context.Context, list []Member) ([]Watched, error) {
	ids := make([]company.ID, len(list))
	for i := range list {
		ids[i] = list[i].Company
	}
	known, err := s.Companies.Companies(ctx, ids)
	if err != nil {
		return nil, err
	}
	var names map[company.ID]string
	if gone := slices.DeleteFunc(ids, func(id company.ID) bool { _, is := known[id]; return is }); len(gone) > 0 {
		if names, err = s.Store.Names(ctx, gone); err != nil {
			return nil, err
		}
	}
	out := make([]Watched, len(list))
	for i, m := range list {
		out[i] = Watched{m, known[m.Company]}
		if out[i].Facts.Name == "" {
			out[i].Facts.Name = names[m.Company]
		}
	}
	return out, nil
}

// Countries lists the countries of a portfolio's companies.
func (s *Portfolios) Countries(ctx context.Context, by auth.Caller, id PortfolioID) ([]string, error) {
	return s.Store.Countries(ctx, by, id)
}

// Bands counts the companies of a portfolio by rating band.
func (s *Portfolios) Bands(ctx context.Context, by auth.Caller, id PortfolioID) (Bands, error) {
	return s.Store.Bands(ctx, by, id)
}
