package kyc

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/biter777/countries"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// A ProfileID is a profile's number, a UUID.
type ProfileID string

// A Profile is a customer's file on somebody it does business with, or means to:
// who they are, how far their examination has come, and who looks after it. It
// belongs to the customer; every account of it sees it.
type Profile struct {
	ID         ProfileID
	Name       string
	Type       ProfileType
	Status     ProfileStatus
	Risk       RiskRating
	InternalID string         // the customer's own number; no two profiles share one
	Assigned   auth.AccountID // who looks after it; 0: nobody
	ReviewOn   company.Date   // when it is to be looked at again
	Comments   string
	Details    Details
	Premises   []Premises
	Made       string // how it came to be: manual, batch

	Created  Act
	Modified Act       // zero: never
	Approved time.Time // when its status last became approved
	Judged   time.Time // when its status last changed

	Notes int // how many there are
}

// Company is the ID that the profile's country and register number spell; empty
// if they are not known.
func (p *Profile) Company() company.ID {
	if p.Details.Country == "" || p.Details.Number == "" || p.Type == "individual" {
		return ""
	}
	return company.NewID(p.Details.Country, p.Details.Number)
}

// An Act says who did something, and when.
type Act struct {
	By auth.AccountID
	At time.Time
}

// Details are what is known of the subject of a profile. What is empty is not
// known.
type Details struct {
	LegalName       string
	TradingName     string       `json:",omitempty"`
	Aliases         []string     `json:",omitempty"`
	Activity        string       `json:",omitempty"`
	Description     string       `json:",omitempty"`
	ContactName     string       `json:",omitempty"`
	Email           string       `json:",omitempty"`
	Website         string       `json:",omitempty"`
	Telephone       string       `json:",omitempty"`
	Turnover        *Money       `json:",omitempty"`
	Assets          *Money       `json:",omitempty"` // that it manages
	Number          string       `json:",omitempty"` // in its register
	InternalContact string       `json:",omitempty"`
	InternalEmail   string       `json:",omitempty"`
	Born            company.Date `json:",omitempty"`
	Country         string       `json:",omitempty"`
	VATNo           string       `json:",omitempty"`
	Listed          *bool        `json:",omitempty"` // on an exchange
	Exchange        string       `json:",omitempty"`
	Modified        Act          `json:",omitzero"`
}

// Money is whole units of a currency.
type Money struct {
	Currency string
	Amount   int64
}

// A PremisesID is the number of an address of a profile, a UUID.
type PremisesID string

// Premises are where the subject of a profile is.
type Premises struct {
	ID          PremisesID
	Type        string
	Building    string `json:",omitempty"`
	Street      string `json:",omitempty"`
	City        string `json:",omitempty"`
	Region      string `json:",omitempty"`
	PostCode    string `json:",omitempty"`
	Country     string `json:",omitempty"`
	Description string `json:",omitempty"`
	Created     Act
	Modified    Act `json:",omitzero"`
}

// A NoteID is the number of a note, a UUID.
type NoteID string

// A Note is what somebody wrote about a profile.
type Note struct {
	ID       NoteID
	Body     string
	Archived bool
	Created  Act
	Modified Act
}

// A ProfileType is what the subject of a profile is.
type ProfileType string

// A ProfileStatus is how far the examination of a profile has come.
type ProfileStatus string

// A RiskRating is how much care somebody needs.
type RiskRating string

// The statuses that mean something to us. The rest mean something to those who
// set them.
const (
	NewProfile      ProfileStatus = "new"
	ApprovedProfile ProfileStatus = "approved"

	RiskNotApplicable RiskRating = "notApplicable"
)

// What profiles can be.
var (
	ProfileTypes    = []ProfileType{"trust", "individual", "soleTrader", "company", "plc", "partnership", "otherEntity"}
	ProfileStatuses = []ProfileStatus{NewProfile, ApprovedProfile, "declined", "pending", "cancelled", "referred", "closed", "approvedReviewDue"}
	RiskRatings     = []RiskRating{RiskNotApplicable, "veryLow", "low", "medium", "high", "veryHigh"}
	PremisesTypes   = []string{"registered", "trading", "other"}
	Currencies      = []string{"eur", "gbp", "usd", "cny", "cad", "aud", "nzd", "inr", "jpy", "chf", "zar", "dkk", "sek", "nok"}
)

// CountryCodes are the countries that profiles and searches take, by code.
func CountryCodes() []string {
	var out []string
	for _, c := range countries.All() {
		if code := c.Alpha2(); len(code) == 2 && c.IsValid() {
			out = append(out, code)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// isCountryCode reports whether a country is one of CountryCodes.
func isCountryCode(code string) bool {
	c := countries.ByName(code)
	return len(code) == 2 && c.IsValid() && c.Alpha2() == code
}

// How long texts may be, in characters.
const (
	longName = 200
	longLine = 250
	longText = 10_000
)

// complaints are what is wrong with an input, a line each with its field first.
type complaints []string

func (c *complaints) say(field, format string, args ...any) {
	*c = append(*c, field+": "+fmt.Sprintf(format, args...))
}

// fault is nil where nothing is wrong.
func (c complaints) fault() error {
	if len(c) == 0 {
		return nil
	}
	return fault.Invalid.Details("Bad request", c...)
}

// text trims a text and says if it is longer than it may be.
func (c *complaints) text(field string, s *string, most int) {
	*s = strings.TrimSpace(*s)
	if n := utf8.RuneCountInString(*s); n > most {
		c.say(field, "it has %d characters; at most %d are kept", n, most)
	}
}

func (c *complaints) needed(field string, s *string, most int) {
	c.text(field, s, most)
	if *s == "" {
		c.say(field, "it is missing")
	}
}

// oneWord says if a word is none of those there are.
func oneWord[T ~string](c *complaints, field string, word T, of []T) {
	if !slices.Contains(of, word) {
		c.say(field, "%q is none of %s", fault.Clip(string(word)), join(of))
	}
}

func (c *complaints) country(field string, s *string) {
	*s = strings.ToUpper(strings.TrimSpace(*s))
	if *s != "" && !isCountryCode(*s) {
		c.say(field, "%q is not a country: use two letters such as GB", fault.Clip(*s))
	}
}

func (c *complaints) email(field string, s *string) {
	c.text(field, s, longLine)
	if *s == "" {
		return
	}
	if a, err := mail.ParseAddress(*s); err != nil || a.Address != *s {
		c.say(field, "%q is not an e-mail address", fault.Clip(*s))
	}
}

func (c *complaints) date(field string, d *company.Date) {
	*d = company.Date(strings.TrimSpace(string(*d)))
	if day, _, ok := strings.Cut(string(*d), "T"); ok {
		*d = company.Date(day) // some clients send a time along
	}
	if *d == "" {
		return
	}
	if _, err := time.Parse(time.DateOnly, string(*d)); err != nil {
		c.say(field, "%q is not a day such as 2026-01-31", fault.Clip(string(*d)))
	}
}

func (c *complaints) money(field string, m *Money) {
	if m == nil {
		return
	}
	m.Currency = strings.ToLower(strings.TrimSpace(m.Currency))
	oneWord(c, field+".currencyCode", m.Currency, Currencies)
	if m.Amount < 0 {
		c.say(field+".amount", "it cannot be negative")
	}
}

// check tidies a profile up and says what is wrong with it.
func (p *Profile) check() error {
	var wrong complaints
	wrong.needed("name", &p.Name, longName)
	wrong.text("internalId", &p.InternalID, longLine)
	wrong.text("kycComments", &p.Comments, longText)
	wrong.date("kycReviewOn", &p.ReviewOn)
	oneWord(&wrong, "type", p.Type, ProfileTypes)
	oneWord(&wrong, "status", p.Status, ProfileStatuses)
	oneWord(&wrong, "riskRating", p.Risk, RiskRatings)
	return wrong.fault()
}

// check does the same for details. prefix is where they are in what was sent.
func (d *Details) check(prefix string, today company.Date) error {
	var wrong complaints
	wrong.needed(prefix+"legalName", &d.LegalName, longName)
	for _, line := range []struct {
		field string
		text  *string
	}{
		{"tradingName", &d.TradingName},
		{"activity", &d.Activity},
		{"contactName", &d.ContactName},
		{"website", &d.Website},
		{"telephone", &d.Telephone},
		{"organizationNumber", &d.Number},
		{"internalContact", &d.InternalContact},
		{"vatNo", &d.VATNo},
		{"exchangeName", &d.Exchange},
	} {
		wrong.text(prefix+line.field, line.text, longLine)
	}
	wrong.text(prefix+"description", &d.Description, longText)
	d.Aliases = slices.DeleteFunc(d.Aliases, func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(d.Aliases) > 50 {
		wrong.say(prefix+"aliases", "there are %d; at most 50 are kept", len(d.Aliases))
	}
	for i := range d.Aliases {
		wrong.text(prefix+"aliases", &d.Aliases[i], longName)
	}
	wrong.email(prefix+"email", &d.Email)
	wrong.email(prefix+"internalEmail", &d.InternalEmail)
	wrong.money(prefix+"turnover", d.Turnover)
	wrong.money(prefix+"assetsUnderManagement", d.Assets)
	wrong.country(prefix+"countryCode", &d.Country)
	wrong.date(prefix+"dateOfBirth", &d.Born)
	if d.Born > today {
		wrong.say(prefix+"dateOfBirth", "%s lies in the future", d.Born)
	}
	return wrong.fault()
}

func (p *Premises) check() error {
	var wrong complaints
	oneWord(&wrong, "type", p.Type, PremisesTypes)
	for _, line := range []struct {
		field string
		text  *string
	}{
		{"buildingDetails", &p.Building},
		{"street", &p.Street},
		{"city", &p.City},
		{"region", &p.Region},
		{"postalCode", &p.PostCode},
		{"description", &p.Description},
	} {
		wrong.text(line.field, line.text, longLine)
	}
	wrong.country("countryCode", &p.Country)
	return wrong.fault()
}

func (n *Note) check() error {
	var wrong complaints
	wrong.needed("body", &n.Body, longText)
	return wrong.fault()
}

// freshID is a random UUID.
func freshID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return dashed(b)
}

// dashed writes a UUID.
func dashed(b [16]byte) string {
	s := hex.EncodeToString(b[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// Folded is a text as it is searched for and sorted by: without case, and without
// the differences between letters that mean the same.
func Folded(s string) string {
	return strings.ReplaceAll(cases.Fold().String(norm.NFKC.String(strings.TrimSpace(s))), "\x00", "")
}
