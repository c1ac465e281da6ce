package bank

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"bureau/internal/fault"
)

// A Question asks everything about an account at once. The account is an IBAN,
// or a sort code and an account number, or a country and its national number.
type Question struct {
	IBAN      string
	BIC       string
	SortCode  string
	Number    string
	Country   string // of BBAN
	BBAN      string
	Routing   string // the bank's code, where the country has no IBANs
	Name      string // the holder's, as the payer knows it
	Type      string // may be empty
	Secondary string

	countryAs string // what callers call Country; empty is that
}

// countryField is how a refusal names the country.
func (q *Question) countryField() string { return cmp.Or(q.countryAs, "country") }

// A Check is one thing that was looked at.
type Check struct {
	What  string // "IBAN", "modulus" …
	Field string // of the question
	State State
	Why   string
}

// A Finding is the answer: what was looked at, and what it comes to together.
type Finding struct {
	State  State
	Checks []Check

	Country string
	IBAN    IBAN // empty if it was not given and cannot be made
	British bool // and then GB is the account
	GB      GB
	Bank    Bank // without a name if the directory does not have it
	Branch  Branch
	Payee   Payee
	Asked   bool // a name was given

	// By which held accounts are found.
	country, number, place string
}

// Reasons are the words of every check that did not pass, or of all that did.
func (f Finding) Reasons() []string {
	var out []string
	for _, c := range f.Checks {
		if c.State == f.State {
			out = append(out, c.Field+": "+c.Why)
		}
	}
	return out
}

// an inquiry is a question on its way to an answer.
type inquiry struct {
	d     *Desk
	q     Question
	f     Finding
	kind  AccountType
	bic   BIC
	field string // that the account is in
}

func (i *inquiry) add(what, field string, s State, why string) {
	i.f.Checks = append(i.f.Checks, Check{what, field, s, why})
}

// Check answers a question. A question that names no account, or a number that
// cannot be one, is a fault.Invalid; check digits that do not hold are an
// answer. Nothing is kept.
func (d *Desk) Check(ctx context.Context, q Question) (Finding, error) {
	i := &inquiry{d: d, q: q}
	if err := i.parse(); err != nil {
		return Finding{}, err
	}
	if err := i.account(ctx); err != nil {
		return Finding{}, err
	}
	if i.f.number != "" {
		for _, step := range []func(context.Context) error{i.directory, i.holder} {
			if err := step(ctx); err != nil {
				return Finding{}, err
			}
		}
	}
	i.f.State = Passes
	for _, c := range i.f.Checks {
		i.f.State = i.f.State.and(c.State)
	}
	return i.f, nil
}

// parse reads what stands beside the account.
func (i *inquiry) parse() (err error) {
	var wrong []string
	if i.q.Type != "" {
		if i.kind, err = ParseAccountType(i.q.Type); err != nil {
			wrong = append(wrong, "accountType: "+err.Error())
		}
	}
	if i.q.BIC != "" {
		if i.bic, err = ParseBIC(i.q.BIC); err != nil {
			wrong = append(wrong, "bic: "+err.Error())
		}
	}
	if len([]rune(i.q.Name)) > MaxName {
		wrong = append(wrong, fmt.Sprintf("name: it is longer than %d characters", MaxName))
	}
	if len(wrong) > 0 {
		return fault.Invalid.Details("Bad request", wrong...)
	}
	return nil
}

// account looks at the number itself.
func (i *inquiry) account(ctx context.Context) error {
	switch {
	case i.q.IBAN != "":
		return i.iban(ctx)
	case i.q.SortCode != "" || i.q.Number != "":
		acc, err := ParseGB("sortCode", i.q.SortCode, "accountNumber", i.q.Number)
		if err != nil {
			return err
		}
		i.field = "sortCode"
		return i.british(ctx, acc, "accountNumber")
	case i.q.BBAN != "":
		return i.bban(ctx)
	}
	return fault.Invalid.Details("Bad request", "iban: give an IBAN, or sortCode and accountNumber, or country and bban")
}

func (i *inquiry) iban(ctx context.Context) error {
	n, err := ParseIBAN(i.q.IBAN)
	if err != nil {
		i.add("IBAN", "iban", Fails, err.Error())
		return nil
	}
	i.add("IBAN", "iban", Passes, "its form and its check digits are right")
	return i.international(ctx, n, "iban")
}

// international looks at what is inside an IBAN.
func (i *inquiry) international(ctx context.Context, n IBAN, field string) error {
	i.field, i.f.IBAN, i.f.Country = field, n, n.Country()
	i.f.country, i.f.number, i.f.place = n.Country(), n.BBAN(), n.Bank()
	if n.HasNational() {
		words := map[State]string{
			Passes:  "the national check digits hold",
			Fails:   "the national check digits do not hold: a digit is wrong",
			Unknown: "this account has no national check digit",
		}
		i.add("national check digits", field, n.National(), words[n.National()])
	}
	acc, ok := n.GB()
	if !ok {
		return nil
	}
	if i.q.SortCode != "" || i.q.Number != "" {
		given, err := ParseGB("sortCode", i.q.SortCode, "accountNumber", i.q.Number)
		switch {
		case err != nil:
			return err
		case given != acc:
			i.add("account", "accountNumber", Fails, "it is another account than the IBAN's")
		}
	}
	return i.british(ctx, acc, field)
}

func (i *inquiry) british(ctx context.Context, acc GB, field string) error {
	i.f.GB, i.f.British = acc, true
	if i.f.Country == "" {
		i.f.Country = "GB"
	}
	i.f.country, i.f.number, i.f.place = "GB", acc.key(), acc.SortCode.String()
	state, why, err := i.d.Tables.Check(ctx, acc)
	i.add("modulus", field, state, why.String())
	return err
}

// bban looks at a national number that is not British.
func (i *inquiry) bban(ctx context.Context) error {
	country := strings.ToUpper(strings.TrimSpace(i.q.Country))
	if country == "" {
		return fault.Invalid.Details("Bad request", i.q.countryField()+": it is missing beside the bban")
	}
	if f, _ := formOf(country, 0); f.length() > 0 {
		n, err := NewIBAN(country, plain(i.q.BBAN))
		if err != nil {
			return fault.Invalid.Details("Bad request", "bban: it is not an account number of "+country+": "+err.Error())
		}
		i.add("BBAN", "bban", Passes, "its form is right")
		return i.international(ctx, n, "bban")
	}
	account, code, err := parseDomestic(i.q.countryField(), country, i.q.BBAN, i.q.Routing)
	if err != nil {
		return err
	}
	if code == "" && i.bic == "" && domestics[country].code != nil {
		return fault.Invalid.Details("Bad request", "routingCode: give it or a bic beside the bban: "+country+" has "+domestics[country].words)
	}
	i.field, i.f.Country, i.f.country, i.f.number, i.f.place = "bban", country, country, code+account, code
	i.add("BBAN", "bban", Passes, "its form is right")
	if check := domestics[country].check; check != nil {
		switch ok, can := check(account, code); {
		case can && ok:
			i.add("national check digits", "bban", Passes, "the national check digits hold")
		case can:
			i.add("national check digits", "bban", Fails, "the national check digits do not hold: a digit is wrong")
		}
	}
	return nil
}

// holder compares the name with that of who holds the account.
func (i *inquiry) holder(ctx context.Context) (err error) {
	if strings.TrimSpace(i.q.Name) == "" {
		return nil
	}
	i.f.Asked = true
	i.f.Payee, err = i.d.payee(ctx, payeeQuestion{
		country: i.f.country, number: i.f.number, place: i.f.place,
		name: strings.TrimSpace(i.q.Name), kind: i.kind, reference: i.q.Secondary,
	})
	if err != nil {
		return err
	}
	i.add("payee", "name", i.f.Payee.State(), i.f.Payee.Text())
	return nil
}

// CountryOf is the country of an account, as far as that can be told before it
// is checked; "" if it cannot.
func CountryOf(iban, sortCode, country string) string {
	switch {
	case iban != "":
		if s, err := plainIBAN(iban); err == nil && len(forms[s[:2]]) > 0 {
			return s[:2]
		}
		return ""
	case sortCode != "":
		return "GB"
	}
	country = strings.ToUpper(strings.TrimSpace(country))
	if len(forms[country]) == 0 && domestics[country].account == nil {
		return ""
	}
	return country
}
