package bank

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"bureau/internal/fault"
)

// A MatchType is which questions about a British account to answer.
type MatchType string

const (
	Validate MatchType = "Validate" // are the numbers right?
	Verify   MatchType = "Verify"   // is it the company's account?
	Both     MatchType = "Both"
)

// A MatchGBRequest asks about a British account and a company.
type MatchGBRequest struct {
	Type     MatchType
	Company  string // connectId or safe number
	SortCode string
	Number   string
	IBAN     string
	VAT      string
}

// A MatchGB is the answer. What was not asked has no words.
type MatchGB struct {
	At       time.Time
	Company  Holder
	SortCode string
	Number   string
	IBAN     string

	Scan, International, Status, VAT Answer
}

// An Answer is a state and why.
type Answer struct {
	State State
	Why   string
}

// MatchGB answers which numbers are right and whose the account is. Nothing is
// kept.
func (d *Desk) MatchGB(ctx context.Context, r MatchGBRequest) (MatchGB, error) {
	c, err := d.Register.Lookup(ctx, r.Company)
	if err != nil {
		return MatchGB{}, err
	}
	out := MatchGB{At: d.Now().UTC(), Company: holderOf(c), IBAN: plain(r.IBAN)}
	if r.SortCode == "" && r.Number == "" && r.IBAN == "" {
		return MatchGB{}, fault.Invalid.Details("Bad request", "sortCode: give sortCode and accountNumber, or iban")
	}
	f, err := d.Check(ctx, Question{IBAN: r.IBAN, SortCode: r.SortCode, Number: r.Number})
	if err != nil {
		return MatchGB{}, err
	}
	if f.British {
		out.SortCode, out.Number = f.GB.SortCode.String(), f.GB.Number.String()
	}
	if r.Type != Verify {
		out.International, out.Scan = f.answer("IBAN", "account"), f.answer("modulus")
		if r.VAT != "" {
			out.VAT = out.Company.hasVAT(r.VAT)
		}
	}
	if r.Type != Validate {
		if out.Status, err = d.status(ctx, f, out.Company); err != nil {
			return MatchGB{}, err
		}
	}
	return out, nil
}

// answer puts checks together; the first that does not pass speaks.
func (f Finding) answer(what ...string) (a Answer) {
	for _, c := range f.Checks {
		if slices.Contains(what, c.What) && (a.Why == "" || a.State == Passes) {
			a = Answer{c.State, c.Why}
		}
	}
	return a
}

// status is whose the account is.
func (d *Desk) status(ctx context.Context, f Finding, h Holder) (Answer, error) {
	if f.number == "" {
		return Answer{Fails, "the account's number is wrong"}, nil
	}
	held, err := d.held(ctx, f.country, f.number)
	if errors.Is(err, fault.Missing) {
		return Answer{Unknown, "nobody has told us who holds this account"}, nil
	}
	if err != nil {
		return Answer{}, err
	}
	s, _, why := held.belongsTo(h)
	return Answer{s, why.Text}, nil
}

// hasVAT compares a VAT number with those of the company. The letters of the
// country before it are often left out.
func (h Holder) hasVAT(text string) Answer {
	bare := func(s string) string { return strings.TrimLeft(plain(s), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") }
	switch {
	case len(h.vats) == 0:
		return Answer{Unknown, "the register knows no VAT number of this company"}
	case slices.ContainsFunc(h.vats, func(v string) bool { return bare(v) == bare(text) }):
		return Answer{Passes, "it is the company's VAT number"}
	}
	return Answer{Fails, "it is not a VAT number of this company"}
}
