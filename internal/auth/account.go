package auth

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"bureau/internal/fault"
)

type (
	CustomerID int64
	AccountID  int64
)

// A Date is a day without a time, as "2006-01-02".
type Date string

// DateOf is the day of t in UTC.
func DateOf(t time.Time) Date { return Date(t.UTC().Format(time.DateOnly)) }

// ParseDate reads a date as people write it on the command line.
func ParseDate(s string) (Date, error) {
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return "", fault.Invalid.Errorf("%q is not a date: write it as 2006-01-31", s)
	}
	return Date(s), nil
}

// MaxCredential is how many characters (Unicode code points) a user key or a
// password may have.
const MaxCredential = 30

// A Customer is a firm that pays.
type Customer struct {
	ID        CustomerID
	Name      string
	Grants    []Grant
	CreatedAt time.Time
}

// MayUse reports whether the customer bought a product for a country ("" asks
// whether it has the product anywhere).
func (c Customer) MayUse(p Product, country string, on Date) bool {
	return slices.ContainsFunc(c.Grants, func(g Grant) bool { return g.covers(p, country, on) })
}

func (c Customer) check() error {
	if strings.TrimSpace(c.Name) == "" {
		return fault.Invalid.Errorf("a customer needs a name")
	}
	if utf8.RuneCountInString(c.Name) > 200 {
		return fault.Invalid.Errorf("the customer's name is longer than 200 characters")
	}
	for _, g := range c.Grants {
		if err := g.check(); err != nil {
			return err
		}
	}
	return nil
}

// An Account is one user key of a customer: a program that calls the API, or a
// person who signs in to the console with an e-mail address. The two ways in
// are never interchangeable.
type Account struct {
	ID       AccountID
	Customer CustomerID
	UserKey  string
	Email    string // for the console; may be empty
	Title    string
	First    string
	Surname  string
	Language string // IETF, such as en-GB
	Operator bool   // may do what concerns every customer
	Role     Role   // what it may do in the console
	Disabled bool

	// Epoch grows whenever tokens issued before must die: a new password, a
	// changed permission, the account disabled.
	Epoch int64

	// Password verifies the user key's password, Console the e-mail address's.
	Password Verifier
	Console  Verifier

	// Second is the sealed secret of the one-time codes that the console asks
	// for after the password; empty if it asks for none.
	Second []byte

	CreatedAt time.Time
}

// DefaultLanguage is what an account speaks until it says otherwise.
const DefaultLanguage = "en-GB"

func (a Account) check() error {
	switch {
	case a.UserKey == "":
		return fault.Invalid.Errorf("an account needs a user key")
	case utf8.RuneCountInString(a.UserKey) > MaxCredential:
		return fault.Invalid.Errorf("the user key is longer than %d characters", MaxCredential)
	case strings.ContainsFunc(a.UserKey, func(r rune) bool { return r < ' ' || r == 0x7f || r == utf8.RuneError }):
		return fault.Invalid.Errorf("the user key holds a control character")
	case strings.Contains(a.UserKey, "@"):
		return fault.Invalid.Errorf("a user key is not an e-mail address: choose one without @")
	case a.Email != "" && !looksLikeEmail(a.Email):
		return fault.Invalid.Errorf("%q is not an e-mail address", a.Email)
	case a.Role.rank() == 0:
		return fault.Invalid.Errorf("%q is not a role; the roles are %s", string(a.Role), roleNames())
	}
	return nil
}

// looksLikeEmail keeps out what is surely none. Whether mail arrives is for
// the first mail to tell.
func looksLikeEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	return at > 0 && at < len(s)-1 && len(s) <= 254 && !strings.ContainsAny(s, " \t\r\n<>,;")
}

// A Caller is who is asking. Everything that belongs to someone takes one.
type Caller struct {
	Customer CustomerID
	Account  AccountID
}
