package auth

import (
	"context"
	"slices"
	"time"

	"bureau/internal/fault"
)

// Usages tells how much of what they bought customers have used.
type Usages struct {
	Store     Store
	Directory *Directory
	Now       func() time.Time
}

// A ContractLine is a grant and how often it was used since it began.
type ContractLine struct {
	Grant Grant
	Used  int64
}

// Contract is everything that a customer may use today. A grant for all
// countries counts the calls of all; beside grants for single countries it
// counts those that none of them covers.
func (u *Usages) Contract(ctx context.Context, id CustomerID) ([]ContractLine, error) {
	c, ok := u.Directory.Customer(id)
	if !ok {
		return nil, fault.Missing.Errorf("there is no customer %d", id)
	}
	today := DateOf(u.Now())
	var lines []ContractLine
	for _, g := range c.Grants {
		if !g.covers(g.Product, "", today) {
			continue
		}
		used, err := u.used(ctx, c, g, today)
		if err != nil {
			return nil, err
		}
		lines = append(lines, ContractLine{g, used})
	}
	slices.SortStableFunc(lines, func(a, b ContractLine) int {
		if a.Grant.Country < b.Grant.Country {
			return -1
		}
		if a.Grant.Country > b.Grant.Country {
			return 1
		}
		return 0
	})
	return lines, nil
}

func (u *Usages) used(ctx context.Context, c Customer, g Grant, today Date) (int64, error) {
	calls, err := u.Store.Usage(ctx, c.ID, g.From, today)
	if err != nil {
		return 0, err
	}
	var n int64
	for _, call := range calls {
		if call.Product != g.Product {
			continue
		}
		own := slices.ContainsFunc(c.Grants, func(o Grant) bool {
			return o.Product == g.Product && o.Country == call.Country
		})
		if call.Country == g.Country || (g.Country == Everywhere && !own) {
			n += call.Calls
		}
	}
	return n, nil
}

// Month is what was called in one month, as "2006-01", by customer, account,
// product and country.
func (u *Usages) Month(ctx context.Context, month string) ([]Usage, error) {
	first, err := time.Parse("2006-01", month)
	if err != nil {
		return nil, fault.Invalid.Errorf("%q is not a month: write it as 2006-01", month)
	}
	return u.Store.Usage(ctx, 0, DateOf(first), DateOf(first.AddDate(0, 1, -1)))
}
