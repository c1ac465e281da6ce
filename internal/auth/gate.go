package auth

import (
	"context"
	"errors"
	"strings"
	"time"

	"bureau/internal/fault"
)

// A Gate stands before every protected call.
type Gate struct {
	Tokens    *Tokens
	Directory *Directory
	Calls     *Calls
	Journal   *Journal
	Now       func() time.Time
}

// Admit finds out who is asking, spends one call of their limit, and checks
// that they have the product. The header is that of Authorization: the token,
// with or without "Bearer" before it. A fault.Stranger has no good token, a
// fault.Exhausted has called too often, a fault.Denied lacks the product.
func (g *Gate) Admit(ctx context.Context, header string, p Product) (Caller, []Quota, error) {
	a, _, err := g.Tokens.Verify(bareToken(header))
	if errors.Is(err, errBehind) {
		// A token that another node issued a moment ago must not be refused
		// here. Only a token that one of our keys signed gets this far.
		if err := g.Directory.Refresh(ctx); err != nil {
			return Caller{}, nil, err
		}
		a, _, err = g.Tokens.Verify(bareToken(header))
	}
	if err != nil {
		return Caller{}, nil, fault.Stranger.Errorf("invalid token")
	}
	by := Caller{Customer: a.Customer, Account: a.ID}
	quotas, wait := g.Calls.Spend(a.ID)
	if wait > 0 {
		return by, quotas, fault.Exhausted.After(wait, "this account has made too many calls; try again in %s", wait.Round(time.Second))
	}
	return by, quotas, g.Allow(ctx, by, p, "")
}

// Allow checks that a caller has a product in a country ("" for any), and keeps
// a refusal in the audit log.
func (g *Gate) Allow(ctx context.Context, by Caller, p Product, country string) error {
	if p == Open {
		return nil
	}
	c, ok := g.Directory.Customer(by.Customer)
	if ok && c.MayUse(p, country, DateOf(g.Now())) {
		return nil
	}
	what := string(p)
	if country != "" {
		what += " in " + country
	}
	err := g.Journal.Write(ctx, Entry{Action: CallDenied, Customer: by.Customer, Account: by.Account, Detail: what})
	if err != nil {
		return err
	}
	return fault.Denied.Errorf("no access to %s", what)
}

// Countries are where a caller may use a product: a list of countries, or
// everywhere. It is for calls that name no country, and refuses nobody.
func (g *Gate) Countries(by Caller, p Product) (list []string, everywhere bool) {
	c, _ := g.Directory.Customer(by.Customer)
	today := DateOf(g.Now())
	for _, grant := range c.Grants {
		switch {
		case !grant.covers(p, "", today):
		case grant.Country == Everywhere:
			return nil, true
		default:
			list = append(list, strings.ToUpper(grant.Country))
		}
	}
	return list, false
}

// Count notes a call that a customer made of a product; it is on disk when
// Count returns.
func (g *Gate) Count(ctx context.Context, by Caller, p Product, country string) error {
	if p == Open {
		return nil
	}
	return g.Journal.Count(ctx, g.usage(by, p, country))
}

// CountRead is Count for a call that showed people's data: who looked at what
// is kept in the audit log with it.
func (g *Gate) CountRead(ctx context.Context, by Caller, p Product, country, what string) error {
	u := g.usage(by, p, country)
	return g.Journal.put(ctx, &note{usage: &u, entry: &Entry{
		Action: PersonRead, Customer: by.Customer, Account: by.Account, Detail: what,
	}})
}

func (g *Gate) usage(by Caller, p Product, country string) Usage {
	return Usage{
		Customer: by.Customer, Account: by.Account, Product: p,
		Country: strings.ToUpper(country), Day: DateOf(g.Now()), Calls: 1,
	}
}

// bareToken takes off the scheme, in whatever case it was written.
func bareToken(header string) string {
	header = strings.TrimSpace(header)
	if len(header) > 7 && strings.EqualFold(header[:7], "bearer ") {
		return strings.TrimSpace(header[7:])
	}
	return header
}

// Still reports whether a token that was admitted would be admitted again, for
// calls that last: it costs the account nothing.
func (g *Gate) Still(header string, p Product) bool {
	a, _, err := g.Tokens.Verify(bareToken(header))
	if err != nil {
		return false
	}
	c, ok := g.Directory.Customer(a.Customer)
	return ok && (p == Open || c.MayUse(p, "", DateOf(g.Now())))
}
