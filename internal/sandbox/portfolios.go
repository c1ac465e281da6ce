package sandbox

import (
	"context"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/monitor"
)

// watch is a portfolio of the sandbox: every so many companies of some
// countries, and the rules that are on.
type watch struct {
	name      string
	countries []string
	every     int
	digest    monitor.Digest
	rules     []monitor.Switch
}

func watches() []watch {
	on := func(code int, values ...string) monitor.Switch {
		s := monitor.Switch{Code: code, On: true}
		copy(s.Values[:], values)
		return s
	}
	return []watch{
		{
			"Customers",
			[]string{"GB", "IE", "DE", "FR", "NL"},
			2,
			monitor.Digest{Language: "en", Frequency: 1, To: []monitor.Recipient{{First: "Ada", Last: "Brook", Address: "ada@sandbox.example"}}},
			[]monitor.Switch{on(101, "1", "Any"), on(102, "true"), on(105), on(107), on(5001), on(5003), on(5010), on(5051)},
		},
		{
			"Suppliers",
			[]string{"SE", "NO", "IT", "ES"},
			4,
			monitor.Digest{},
			[]monitor.Switch{on(101, "1"), on(5003), on(5031), on(5063)},
		},
	}
}

// Portfolios gives an account its portfolios, unless it has some.
func (w World) Portfolios(ctx context.Context, s monitor.Store, by auth.Caller) error {
	have, _, err := s.Portfolios(ctx, by)
	if err != nil || len(have) > 0 {
		return err
	}
	for i, p := range watches() {
		if err := w.portfolio(ctx, s, by, p, i == 0); err != nil {
			return fmt.Errorf("make the portfolio %s: %w", p.name, err)
		}
	}
	return nil
}

func (w World) portfolio(ctx context.Context, s monitor.Store, by auth.Caller, p watch, first bool) error {
	made, err := s.CreatePortfolio(ctx, by, monitor.Portfolio{Name: p.name, Default: first, Digest: p.digest})
	if err != nil {
		return err
	}
	rules, err := monitor.CheckSwitches(monitor.Everywhere, p.rules)
	if err != nil {
		return err
	}
	if err := s.SwitchRules(ctx, by, made.ID, monitor.Everywhere, rules); err != nil {
		return err
	}
	var list []monitor.Member
	for _, country := range p.countries {
		for n := 0; n < w.PerCountry; n += p.every {
			list = append(list, monitor.Member{Company: w.ID(country, n), Reference: reference(country, n)})
		}
	}
	_, err = s.AddMembers(ctx, by, made.ID, list)
	return err
}

// reference is what the account calls a company in its own books.
func reference(country string, n int) string { return fmt.Sprintf("%s-%04d", country, 1000+n) }
