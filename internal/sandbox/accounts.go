package sandbox

import (
	"context"
	"errors"
	"slices"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// A Card is what sandbox.json holds: how to get in, and things to try.
type Card struct {
	BaseURL       string `json:"baseUrl"`
	Username      string `json:"username"`
	Password      string `json:"password"`
	OtherUsername string `json:"otherUsername"`
	OtherPassword string `json:"otherPassword"`
	BareUsername  string `json:"bareUsername"`
	BarePassword  string `json:"barePassword"`
	Email         string `json:"email"`
	EmailPassword string `json:"emailPassword"`

	CompanyID     string `json:"companyId"`
	SortCode      string `json:"sortCode"`
	AccountNumber string `json:"accountNumber"`
	IBAN          string `json:"iban"`

	ListedPerson   string `json:"listedPerson"`
	ListedBusiness string `json:"listedBusiness"`

	SwedishNumber string     `json:"swedishNumber"` // a company's
	SwedishPerson string     `json:"swedishPerson"`
	Consumer      PersonCard `json:"consumer"`
}

// UserKey is the first account's.
const UserKey = "sandbox"

// tenant is a customer of the sandbox with one account.
type tenant struct {
	customer string
	userKey  string
	email    string
	first    string
	surname  string
	grants   []auth.Grant
	operator bool
}

func tenants() []tenant {
	return []tenant{
		{"Sandbox Trading", UserKey, "ada@sandbox.example", "Ada", "Brook", everything(), true},
		{"Other Sandbox Trading", "sandbox-other", "", "Otto", "Vale", everything(), false},
		{"Sandbox Without Products", "sandbox-bare", "", "Bea", "Field", nil, false},
	}
}

func everything() []auth.Grant {
	var out []auth.Grant
	for _, p := range auth.Products() {
		for _, c := range Countries() {
			out = append(out, auth.Grant{Product: p, Country: c, From: "2020-01-01", Paid: 10_000})
		}
		out = append(out, auth.Grant{Product: p, Country: auth.Everywhere, From: "2020-01-01"})
	}
	return out
}

// Accounts makes the sandbox's customers and accounts where they are missing.
// known is the card of an earlier start: its passwords still hold. A password
// that is not on it was lost, so a new one is made. A database with customers
// of its own is refused: what is invented must not mix with what is not.
func Accounts(ctx context.Context, o *auth.Office, d *auth.Directory, known Card) (Card, error) {
	if isSomeoneElses(d) {
		return known, errors.New("the database holds customers who are not the sandbox's: give the sandbox a folder of its own with --data")
	}
	card := known
	for i, t := range tenants() {
		user, password := card.slot(i)
		lost := *password == "" || *user != t.userKey || !exists(d, t.userKey)
		if lost {
			var err error
			*user = t.userKey
			if *password, err = admit(ctx, o, d, t); err != nil {
				return card, err
			}
		}
		if t.email == "" || !lost && card.Email == t.email && card.EmailPassword != "" {
			continue
		}
		card.Email = t.email
		card.EmailPassword = auth.RandomPassword()
		if _, err := o.SetChosenPassword(ctx, t.userKey, card.EmailPassword, true); err != nil {
			return card, err
		}
	}
	return card, nil
}

// isSomeoneElses reports whether a database has customers and never was a
// sandbox.
func isSomeoneElses(d *auth.Directory) bool {
	others := false
	for _, c := range d.Customers() {
		if slices.ContainsFunc(tenants(), func(t tenant) bool { return t.customer == c.Name }) {
			return false
		}
		others = true
	}
	return others
}

func (c *Card) slot(i int) (user, password *string) {
	switch i {
	case 0:
		return &c.Username, &c.Password
	case 1:
		return &c.OtherUsername, &c.OtherPassword
	}
	return &c.BareUsername, &c.BarePassword
}

func exists(d *auth.Directory, userKey string) bool {
	for _, a := range d.Accounts(0) {
		if a.UserKey == userKey {
			return true
		}
	}
	return false
}

// admit opens a tenant's account, or gives it a new password.
func admit(ctx context.Context, o *auth.Office, d *auth.Directory, t tenant) (password string, err error) {
	if exists(d, t.userKey) {
		_, password, err = o.ResetPassword(ctx, t.userKey)
		return password, err
	}
	c, err := o.AddCustomer(ctx, t.customer, t.grants)
	if errors.Is(err, fault.Conflict) {
		for _, have := range d.Customers() {
			if have.Name == t.customer {
				c, err = have, nil
			}
		}
	}
	if err != nil {
		return "", err
	}
	_, password, err = o.AddAccount(ctx, auth.NewAccount{
		Customer: c.ID, UserKey: t.userKey, Email: t.email, First: t.first, Surname: t.surname, Operator: t.operator,
	})
	return password, err
}
