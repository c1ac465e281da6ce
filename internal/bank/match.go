package bank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// A MatchRequest asks whether an account belongs to a company.
type MatchRequest struct {
	RegistrationID string // the company's number in its register
	Country        string // of the register
	IBAN           string
	BBAN           string // with BankCountry, where there is no IBAN
	BIC            string
	Routing        string
	BankCountry    string
}

// A Match is what a customer asked about an account and a company, and what it
// was told. The account number is shown to who sent it and kept with its last
// digits only.
type Match struct {
	ID      string         `json:"-"`
	Account auth.AccountID `json:"-"` // who asked
	At      time.Time      `json:"-"`

	Number         string `json:"-"` // as it was sent, cleaned
	Masked         string `json:"masked"`
	International  bool   `json:"international,omitempty"` // Number is an IBAN
	BankCountry    string `json:"bankCountry,omitempty"`
	RegistrationID string `json:"registrationId"`
	Country        string `json:"country"`

	Company Holder    `json:"company"`
	State   State     `json:"state"`
	Score   int       `json:"score"` // 0 to 100
	Reasons []Grounds `json:"reasons"`
}

// Grounds are one reason for the answer.
type Grounds struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// The codes of grounds. Clients read them, so they stay.
const (
	companyUnknown = "COMPANY_UNKNOWN"
	companyCeased  = "COMPANY_CEASED"
	accountInvalid = "ACCOUNT_INVALID"
	accountUnknown = "ACCOUNT_UNKNOWN"
	accountChecked = "ACCOUNT_NUMBER_CHECKED"
	holderMatches  = "HOLDER_IS_COMPANY"
	holderDiffers  = "HOLDER_IS_ANOTHER_COMPANY"
	nameMatches    = "NAME_MATCHES"
	nameClose      = "NAME_IS_CLOSE"
	nameDiffers    = "NAME_DIFFERS"
)

// A Holder is the company that an account should belong to, as the register
// knows it.
type Holder struct {
	ID     company.ID     `json:"id,omitempty"` // empty if the register does not have it
	Number string         `json:"number,omitempty"`
	Name   string         `json:"name,omitempty"`
	VAT    string         `json:"vat,omitempty"`
	SafeNo string         `json:"safeNo,omitempty"`
	Form   string         `json:"form,omitempty"`
	Legal  bool           `json:"legal,omitempty"` // not a natural person
	Status company.Status `json:"status,omitempty"`

	names []string
	vats  []string
}

func holderOf(c company.Company) Holder {
	h := Holder{
		ID: c.ID, Number: c.ID.Number(), Name: c.Name, SafeNo: c.SafeNo, Form: c.Form.Text, Legal: !c.Withheld,
		Status: c.Status, vats: c.VAT,
	}
	if len(c.VAT) > 0 {
		h.VAT = c.VAT[0]
	}
	if c.Name != "" {
		h.names = append(h.names, c.Name)
	}
	for _, n := range c.Names {
		if n.Kind != company.Former {
			h.names = append(h.names, n.Text)
		}
	}
	return h
}

// company finds a company by its country and number. ok is false for one that
// the register does not have.
func (d *Desk) company(ctx context.Context, country, number string) (h Holder, ok bool, err error) {
	c, err := d.Register.Company(ctx, company.NewID(country, number))
	switch {
	case errors.Is(err, fault.Missing):
		return Holder{}, false, nil
	case err != nil:
		return Holder{}, false, err
	}
	return holderOf(c), true, nil
}

// Match answers whether an account belongs to a company, and keeps the question
// and the answer. A number that cannot be one is a fault.Invalid that names the
// field, and leaves no trace.
func (d *Desk) Match(ctx context.Context, by auth.Caller, r MatchRequest) (Match, error) {
	number, country, err := r.registration()
	if err != nil {
		return Match{}, err
	}
	f, err := d.checkMatch(ctx, r)
	if err != nil {
		return Match{}, err
	}
	m := Match{
		ID: newID(), Account: by.Account, At: d.Now().UTC().Truncate(time.Millisecond),
		RegistrationID: number, Country: country, BankCountry: f.Country,
		Number: string(f.IBAN), International: r.IBAN != "",
	}
	if !m.International {
		m.Number = plain(r.BBAN)
	}
	m.Masked = Mask(m.Number)
	h, known, err := d.company(ctx, country, number)
	if err != nil {
		return Match{}, err
	}
	m.Company = h
	if err := d.judge(ctx, &m, f, known); err != nil {
		return Match{}, err
	}
	return m, d.Store.AddBankMatch(ctx, by, m)
}

// registration checks the company's number. A French one has a check digit; of
// an establishment's fourteen digits the first nine are the company's.
func (r MatchRequest) registration() (number, country string, err error) {
	number, country = plain(strings.TrimSpace(r.RegistrationID)), strings.ToUpper(strings.TrimSpace(r.Country))
	var wrong []string
	if !company.IsCountry(country) {
		wrong = append(wrong, "countryCode: it is not a country: use two letters such as FR")
	}
	digits, ok := onlyDigits(number)
	switch {
	case number == "":
		wrong = append(wrong, "registrationId: it is missing")
	case len(number) > 50:
		wrong = append(wrong, "registrationId: it is too long")
	case country == "FR" && (!ok || len(digits) != 9 && len(digits) != 14):
		wrong = append(wrong, "registrationId: a SIREN has nine digits, and a SIRET fourteen")
	case country == "FR" && !luhn(digits[:9]):
		wrong = append(wrong, "registrationId: its check digit is wrong")
	case country == "FR":
		number = digits[:9]
	}
	if len(wrong) > 0 {
		return "", "", fault.Invalid.Details("Bad request", wrong...)
	}
	return number, country, nil
}

// checkMatch looks at the account's number, and refuses one that cannot be one.
func (d *Desk) checkMatch(ctx context.Context, r MatchRequest) (Finding, error) {
	bank := strings.ToUpper(strings.TrimSpace(r.BankCountry))
	if _, domestic := domestics[bank]; domestic && r.IBAN != "" {
		return Finding{}, fault.Invalid.Details("Bad request", "iban: "+bank+" has no IBANs: give bban and bic or routingCode")
	}
	if r.IBAN == "" && r.BBAN == "" {
		return Finding{}, fault.Invalid.Details("Bad request", "iban: it is missing")
	}
	f, err := d.Check(ctx, Question{IBAN: r.IBAN, BBAN: r.BBAN, Country: bank, BIC: r.BIC, Routing: r.Routing, countryAs: "bankCountry"})
	if err != nil {
		return f, err
	}
	if bank != "" && f.Country != "" && area(bank) != area(f.Country) {
		return f, fault.Invalid.Details("Bad request", "bankCountry: the account is one of "+f.Country)
	}
	var wrong []string
	for _, c := range f.Checks {
		if c.State == Fails && c.What != "directory" {
			wrong = append(wrong, c.Field+": "+c.Why)
		}
	}
	if len(wrong) > 0 {
		return f, fault.Invalid.Details("Bad request", wrong...)
	}
	return f, nil
}

// judge compares the account's holder with the company.
func (d *Desk) judge(ctx context.Context, m *Match, f Finding, known bool) error {
	say := func(code, format string, args ...any) {
		m.Reasons = append(m.Reasons, Grounds{code, fmt.Sprintf(format, args...)})
	}
	for _, c := range f.Checks {
		switch {
		case c.State == Fails:
			say(accountInvalid, "%s", c.Why)
		case c.State == Passes:
			say(accountChecked, "%s: %s", c.What, c.Why)
		}
	}
	switch {
	case !known:
		say(companyUnknown, "the register has no company %s in %s", m.RegistrationID, m.Country)
		m.State = Unknown
		return nil
	case m.Company.Status == company.NonActive:
		say(companyCeased, "the company is not active any more")
	}
	held, err := d.held(ctx, f.country, f.number)
	if errors.Is(err, fault.Missing) {
		say(accountUnknown, "nobody has told us who holds this account")
		m.State = Unknown
		return nil
	}
	if err != nil {
		return err
	}
	state, score, why := held.belongsTo(m.Company)
	m.State, m.Score = state.and(failsOnly(f)), int(math.Round(score*100))
	m.Reasons = append(m.Reasons, why)
	return nil
}

// failsOnly is Fails if a check of the number failed, and does not matter
// otherwise.
func failsOnly(f Finding) State {
	for _, c := range f.Checks {
		if c.State == Fails {
			return Fails
		}
	}
	return Passes
}

// belongsTo compares an account's holder with a company: by its number if that
// is known, and else by its names.
func (a Account) belongsTo(h Holder) (s State, score float64, why Grounds) {
	switch {
	case a.Company != "" && a.Company == h.ID:
		return Passes, 1, Grounds{holderMatches, "the account is held by this company"}
	case a.Company != "":
		return Fails, 0, Grounds{holderDiffers, "the account is held by another company"}
	}
	n := nearest(h.names, a.Names, Business)
	switch score = n.Score; n.Match {
	case FullMatch:
		return Passes, score, Grounds{nameMatches, "the account is held under the company's name"}
	case CloseMatch:
		return Unknown, score, Grounds{nameClose, "the account is held under a name that is close to the company's"}
	}
	return Fails, score, Grounds{nameDiffers, "the account is held under another name"}
}

// MatchByID returns a match that the caller's customer asked for.
func (d *Desk) MatchByID(ctx context.Context, by auth.Caller, id string) (Match, error) {
	return d.Store.BankMatch(ctx, by, id)
}
