package identity

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"bureau/internal/company"
)

// A Record is a consumer as a file tells of them, with the numbers that we keep
// only fingerprints of.
type Record struct {
	Consumer
	BankAccounts []BankAccount `json:"bankAccounts,omitempty"`
	Papers       []Paper       `json:"documents,omitempty"`

	// Gone says that nothing is to be kept of this consumer any more.
	Gone bool `json:"gone,omitempty"`
}

// A BankAccount is a British account number.
type BankAccount struct {
	SortCode string `json:"sortCode"`
	Number   string `json:"accountNumber"`
}

// Plain is the account as it is fingerprinted: its digits.
func (b BankAccount) Plain() string { return onlyDigits(b.SortCode) + onlyDigits(b.Number) }

// A Paper is the number of an identity document.
type Paper struct {
	Kind   DocumentKind `json:"kind"`
	Number string       `json:"number"`
}

// Plain is the document as it is fingerprinted.
func (p Paper) Plain() string {
	return string(p.Kind) + " " + strings.ToUpper(strings.ReplaceAll(fold(p.Number), " ", ""))
}

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, s)
}

var numberForm = regexp.MustCompile(`^[0-9A-Za-z._/-]{1,60}$`)

// Check says what is wrong with a record. It names the field.
func (r *Record) Check() error {
	c := checker{}
	if !company.IsCountry(r.Country) {
		c.say("country", "%q is not a country: it is two capital letters, as in GB", r.Country)
	}
	if r.Country == "SE" {
		n, err := ParseSwedishNumber(r.Number, time.Now())
		switch {
		case err != nil:
			c.say("number", "%s", err)
		case !n.IsPerson():
			c.say("number", "it is an organisation's")
		default:
			r.Number = n.Digits
			c.same("birthDate", n.Birth(), &r.Birth)
		}
	} else if !numberForm.MatchString(r.Number) {
		c.say("number", "%q is not a number: it has up to 60 letters and digits", r.Number)
	}
	if r.Gone {
		return c.err()
	}
	if r.Name.Surname == "" {
		c.say("name.surname", "it is missing")
	}
	for i, n := range r.Names {
		if n.Kind != Former && n.Kind != Alias {
			c.say(fmt.Sprintf("otherNames[%d].kind", i), "%q is neither former nor alias", n.Kind)
		}
	}
	if r.Gender != "" && r.Gender != Male && r.Gender != Female {
		c.say("gender", "%q is neither male nor female", r.Gender)
	}
	c.date("birthDate", r.Birth)
	c.date("deathDate", r.Death)
	c.residences(r.Country, "addresses", r.Addresses)
	c.residences(r.Country, "electoralRoll", r.Electoral)
	c.money(r)
	for i, b := range r.BankAccounts {
		if len(onlyDigits(b.SortCode)) != 6 || len(onlyDigits(b.Number)) != 8 {
			c.say(fmt.Sprintf("bankAccounts[%d]", i), "a sort code has six digits and an account number eight")
		}
	}
	for i, p := range r.Papers {
		if !slices.Contains(DocumentKinds(), p.Kind) || strings.TrimSpace(p.Number) == "" {
			c.say(fmt.Sprintf("documents[%d]", i), "it needs a number and one of the kinds %v", DocumentKinds())
		}
	}
	if r.Person != "" {
		id, err := company.ParsePersonID(string(r.Person))
		if err != nil {
			c.say("peopleId", "%s", err)
		}
		r.Person = id
	}
	if len(r.Accounts) > 0 || len(r.Documents) > 0 {
		c.say("accountMarks", "fingerprints are made by us: give bankAccounts and documents")
	}
	return c.err()
}

// A checker gathers what is wrong.
type checker struct{ wrong []string }

func (c *checker) say(field, format string, args ...any) {
	c.wrong = append(c.wrong, field+": "+fmt.Sprintf(format, args...))
}

func (c *checker) err() error {
	if len(c.wrong) == 0 {
		return nil
	}
	return errors.New(strings.Join(c.wrong, "; "))
}

// IsDay reports whether a date is a day that there is.
func IsDay(d company.Date) bool {
	_, err := time.Parse(time.DateOnly, string(d))
	return err == nil
}

func (c *checker) date(field string, d company.Date) {
	if d != "" && !IsDay(d) {
		c.say(field, "%q is not a day such as 1970-05-31", d)
	}
}

// same takes a date that a number tells over, and refuses another.
func (c *checker) same(field string, is company.Date, said *company.Date) {
	if *said != "" && *said != is {
		c.say(field, "%s is not the day in the number, %s", *said, is)
	}
	*said = is
}

func (c *checker) residences(country, field string, list []Residence) {
	for i, r := range list {
		at := fmt.Sprintf("%s[%d]", field, i)
		c.date(at+".from", r.From)
		c.date(at+".until", r.Until)
		if r.From != "" && r.Until != "" && r.Until < r.From {
			c.say(at+".until", "it ends before it begins")
		}
		if country == "GB" && r.Country == "" && !IsBritishPost(r.PostCode) {
			c.say(at+".postCode", "%q is not a postcode", r.PostCode)
		}
	}
}

var currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)

func (c *checker) amount(field string, a Amount) {
	if a != (Amount{}) && !currencyForm.MatchString(a.Currency) {
		c.say(field, "%q is not a currency: it is three capital letters, as in GBP", a.Currency)
	}
}

func (c *checker) money(r *Record) {
	for i, j := range r.Judgments {
		at := fmt.Sprintf("judgments[%d]", i)
		if j.Date == "" {
			c.say(at+".date", "it is missing")
		}
		c.date(at+".date", j.Date)
		c.date(at+".satisfied", j.Satisfied)
		c.amount(at+".amount", j.Amount)
	}
	for i, n := range r.Insolvencies {
		at := fmt.Sprintf("insolvencies[%d]", i)
		if !slices.Contains([]string{Bankruptcy, VoluntaryArrangement, DebtRelief}, n.Kind) {
			c.say(at+".kind", "%q is none of %s, %s, %s", n.Kind, Bankruptcy, VoluntaryArrangement, DebtRelief)
		}
		if n.Date == "" {
			c.say(at+".date", "it is missing")
		}
		c.date(at+".date", n.Date)
		c.date(at+".discharged", n.Discharged)
		c.date(at+".restrictedUntil", n.Restricted)
		c.amount(at+".amount", n.Amount)
	}
	for i, n := range r.Incomes {
		c.amount(fmt.Sprintf("incomes[%d].amount", i), n.Amount)
	}
}
