package national

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// NonLimited is the door to German companies that are not limited. Behind many
// of them is one person, so nobody reads one without a reason.
type NonLimited struct {
	Companies *company.Register
	Finder    Finder
	Numbers   NumberStore
	Now       func() time.Time

	// Veil says who of some people may not be shown.
	Veil func(ctx context.Context, people []company.PersonID) (map[company.PersonID]bool, error)
}

// A NumberStore gives companies numbers, for an interface that knows them by
// nothing else. Package storetest holds every promise made here to account.
type NumberStore interface {
	// CompanyNumbers returns the numbers of companies, and gives one to each that
	// has none. A company keeps its number for good.
	CompanyNumbers(ctx context.Context, ids []company.ID) (map[company.ID]int64, error)
	// NumberedCompany returns the company with a number. An unknown one is a
	// fault.Missing.
	NumberedCompany(ctx context.Context, number int64) (company.ID, error)
}

// A NonLimitedQuestion says which companies to find.
type NonLimitedQuestion struct {
	Name, City, Street, House, Post, Phone string
}

// A NonLimitedMatch is a company with its number.
type NonLimitedMatch struct {
	Number int64
	company.Company
}

// maxMatches is how many companies one search tells.
const maxMatches = 50

// Search finds companies.
func (d *NonLimited) Search(ctx context.Context, q NonLimitedQuestion) ([]NonLimitedMatch, error) {
	var wrong []string
	for _, f := range [][2]string{{"name", q.Name}, {"city", q.City}} {
		switch n := len([]rune(strings.TrimSpace(f[1]))); {
		case n == 0:
			wrong = append(wrong, f[0]+": it is missing")
		case n < 2:
			wrong = append(wrong, f[0]+": it is too short: at least 2 characters")
		}
	}
	if len(wrong) > 0 {
		return nil, fault.Invalid.Details("Bad request", wrong...)
	}
	c := company.Criteria{
		Countries: []string{"DE"}, Kind: company.KindFilter(company.NonLtd), Name: strings.TrimSpace(q.Name), City: strings.TrimSpace(q.City),
		Street: strings.TrimSpace(q.Street), House: strings.TrimSpace(q.House), Post: strings.TrimSpace(q.Post),
	}
	if q.Phone != "" {
		c.Phones = []string{q.Phone}
	}
	hits, err := d.Finder.Search(ctx, c, company.Page{Limit: maxMatches})
	if err != nil {
		return nil, err
	}
	var ids []company.ID
	for _, h := range hits.List {
		if !h.Withheld {
			ids = append(ids, h.ID)
		}
	}
	numbers, err := d.Numbers.CompanyNumbers(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := []NonLimitedMatch{}
	for _, h := range hits.List {
		if n := numbers[h.ID]; n != 0 {
			out = append(out, NonLimitedMatch{n, h.Company})
		}
	}
	return out, nil
}

// NonLimitedReasons are why a report may be read.
func NonLimitedReasons() []string {
	return []string{
		"CreditEnquiry", "CreditDecision", "CreditAssessmentFutureBusiness", "CreditAssessmentExistingBusiness",
		"CollectionCheck", "Purchase", "LeasingOrRent", "InsuranceContract",
	}
}

// Report returns a company. Without a reason it is refused.
func (d *NonLimited) Report(ctx context.Context, number int64, reason string) (company.Company, string, error) {
	i := slices.IndexFunc(NonLimitedReasons(), func(r string) bool { return strings.EqualFold(r, strings.TrimSpace(reason)) })
	if i < 0 {
		return company.Company{}, "", fault.Invalid.Details("Bad request", "reason: say why you read it, with one of "+strings.Join(NonLimitedReasons(), ", "))
	}
	missing := fault.Missing.Errorf("Company not found")
	id, err := d.Numbers.NumberedCompany(ctx, number)
	if err != nil {
		return company.Company{}, "", err
	}
	c, err := d.Companies.Company(ctx, id)
	switch {
	case errors.Is(err, fault.Missing), err == nil && (c.Withheld || c.Kind != company.NonLtd || c.ID.Country() != "DE"):
		return company.Company{}, "", missing
	case err != nil:
		return company.Company{}, "", err
	}
	hidden, err := d.Veil(ctx, c.People())
	if err != nil {
		return company.Company{}, "", err
	}
	c.Veil(hidden)
	return c, NonLimitedReasons()[i], nil
}
