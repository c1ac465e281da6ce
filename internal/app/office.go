package app

import (
	"context"
	"slices"
	"time"

	"bureau/internal/auth"
)

// What the commands show and take: plain values, printed as they are with
// --json. No secret is in any of them but a password that was just made.

// Terms are what a grant says.
type Terms struct {
	Products, Countries []string
	From, Until         string
	Paid                int64
}

// CustomerView is a customer as commands show it.
type CustomerView struct {
	ID     int64       `json:"id"`
	Name   string      `json:"name"`
	Grants []GrantView `json:"grants"`
}

// GrantView is one product in one country.
type GrantView struct {
	Product string `json:"product"`
	Country string `json:"country"`
	From    string `json:"from"`
	Until   string `json:"until,omitempty"`
	Paid    int64  `json:"paid"`
}

// AccountView is an account as commands show it.
type AccountView struct {
	ID       int64  `json:"id"`
	Customer int64  `json:"customer"`
	UserKey  string `json:"userKey"`
	Email    string `json:"email,omitempty"`
	First    string `json:"firstName,omitempty"`
	Surname  string `json:"surname,omitempty"`
	Operator bool   `json:"operator"`
	Role     string `json:"role"`
	Codes    bool   `json:"codes"` // the console asks for one-time codes
	State    string `json:"state"`
	Password string `json:"password,omitempty"`
}

// AccountWish is what a new account is to be.
type AccountWish struct {
	Customer                                        int64
	UserKey, Email, Title, First, Surname, Language string
	Operator                                        bool
	Role, ConsolePassword                           string
}

// KeyView is a signing key as commands show it.
type KeyView struct {
	ID         string `json:"id"`
	Alg        string `json:"alg"`
	ActiveFrom string `json:"activeFrom"`
	State      string `json:"state"`
}

// UsageView is a line of the usage export.
type UsageView struct {
	Month        string `json:"month"`
	Customer     int64  `json:"customer"`
	CustomerName string `json:"customerName"`
	Account      int64  `json:"account"`
	UserKey      string `json:"userKey"`
	Product      string `json:"product"`
	Country      string `json:"country"`
	Calls        int64  `json:"calls"`
}

func (t Terms) grants(today auth.Date) ([]auth.Grant, error) {
	products := t.Products
	if slices.Contains(products, "all") {
		products = nil
		for _, p := range auth.Products() {
			products = append(products, string(p))
		}
	}
	countries := t.Countries
	if len(countries) == 0 {
		countries = []string{auth.Everywhere}
	}
	from, until := today, auth.Date("")
	var err error
	if t.From != "" {
		if from, err = auth.ParseDate(t.From); err != nil {
			return nil, err
		}
	}
	if t.Until != "" {
		if until, err = auth.ParseDate(t.Until); err != nil {
			return nil, err
		}
	}
	var out []auth.Grant
	for _, p := range products {
		for _, c := range countries {
			out = append(out, auth.Grant{Product: auth.Product(p), Country: c, From: from, Until: until, Paid: t.Paid})
		}
	}
	return out, nil
}

// AddCustomer adds a customer.
func (a *App) AddCustomer(ctx context.Context, name string, t Terms) (CustomerView, error) {
	grants, err := t.grants(auth.DateOf(time.Now()))
	if err != nil {
		return CustomerView{}, err
	}
	c, err := a.Office.AddCustomer(ctx, name, grants)
	return toCustomerView(c), err
}

// GrantCustomer gives a customer products, or takes them away.
func (a *App) GrantCustomer(ctx context.Context, id int64, t Terms, take bool) (CustomerView, error) {
	grants, err := t.grants(auth.DateOf(time.Now()))
	if err != nil {
		return CustomerView{}, err
	}
	c, err := a.Office.Grant(ctx, auth.CustomerID(id), grants, take)
	return toCustomerView(c), err
}

// ListCustomers lists customers.
func (a *App) ListCustomers() []CustomerView {
	out := []CustomerView{}
	for _, c := range a.Directory.Customers() {
		out = append(out, toCustomerView(c))
	}
	return out
}

func toCustomerView(c auth.Customer) CustomerView {
	v := CustomerView{ID: int64(c.ID), Name: c.Name, Grants: []GrantView{}}
	for _, g := range c.Grants {
		v.Grants = append(v.Grants, GrantView{string(g.Product), g.Country, string(g.From), string(g.Until), g.Paid})
	}
	return v
}

// AddAccount opens an account.
func (a *App) AddAccount(ctx context.Context, w AccountWish) (AccountView, error) {
	role, err := roleOf(w.Role)
	if err != nil {
		return AccountView{}, err
	}
	acc, password, err := a.Office.AddAccount(ctx, auth.NewAccount{
		Customer: auth.CustomerID(w.Customer), UserKey: w.UserKey, Email: w.Email, Title: w.Title, First: w.First,
		Surname: w.Surname, Language: w.Language, Operator: w.Operator, Role: role, Chosen: w.ConsolePassword,
	})
	v := toAccountView(acc)
	v.Password = password
	return v, err
}

// roleOf reads a role; none is the usual one.
func roleOf(text string) (auth.Role, error) {
	if text == "" {
		return "", nil
	}
	return auth.ParseRole(text)
}

// ConsoleWish is what is to change about how an account signs in to the console.
type ConsoleWish struct {
	Email, Role string // empty: as it is
	DropCodes   bool
}

// SetConsole changes how an account signs in to the console.
func (a *App) SetConsole(ctx context.Context, userKey string, w ConsoleWish) (v AccountView, err error) {
	role, err := roleOf(w.Role)
	if err != nil {
		return v, err
	}
	var acc auth.Account
	if w.Email != "" {
		if acc, err = a.Office.SetEmail(ctx, userKey, w.Email); err != nil {
			return v, err
		}
	}
	if role != "" {
		if acc, err = a.Office.SetRole(ctx, userKey, role); err != nil {
			return v, err
		}
	}
	if w.DropCodes {
		acc, err = a.Office.DropSecond(ctx, userKey)
	}
	return toAccountView(acc), err
}

// ListAccounts lists a customer's accounts, or everybody's.
func (a *App) ListAccounts(customer int64) []AccountView {
	out := []AccountView{}
	for _, acc := range a.Directory.Accounts(auth.CustomerID(customer)) {
		out = append(out, toAccountView(acc))
	}
	return out
}

// DisableAccount shuts an account or opens it again.
func (a *App) DisableAccount(ctx context.Context, userKey string, disabled bool) (AccountView, error) {
	acc, err := a.Office.Disable(ctx, userKey, disabled)
	return toAccountView(acc), err
}

// SetPassword gives an account a new password: a made one if none is given.
func (a *App) SetPassword(ctx context.Context, userKey, password string, console bool) (AccountView, error) {
	if password == "" {
		acc, issued, err := a.Office.ResetPassword(ctx, userKey)
		v := toAccountView(acc)
		v.Password = issued
		return v, err
	}
	acc, err := a.Office.SetChosenPassword(ctx, userKey, password, console)
	return toAccountView(acc), err
}

func toAccountView(a auth.Account) AccountView {
	v := AccountView{
		ID: int64(a.ID), Customer: int64(a.Customer), UserKey: a.UserKey, Email: a.Email,
		First: a.First, Surname: a.Surname, Operator: a.Operator, Role: string(a.Role), Codes: len(a.Second) > 0, State: "enabled",
	}
	if a.Disabled {
		v.State = "disabled"
	}
	return v
}

// RevokeTokens kills one token, or all of an account.
func (a *App) RevokeTokens(ctx context.Context, tokenID, userKey string) error {
	if userKey != "" {
		_, err := a.Office.RevokeAll(ctx, userKey)
		return err
	}
	return a.Office.RevokeToken(ctx, tokenID)
}

// ListKeys lists the keys that sign tokens, and the audit log's.
func (a *App) ListKeys() []KeyView {
	out := []KeyView{}
	for _, k := range a.Directory.Keys() {
		out = append(out, toKeyView(k))
	}
	return out
}

// RotateKey makes a new signing key now.
func (a *App) RotateKey(ctx context.Context, revoke bool) (KeyView, error) {
	k, err := a.Office.RotateKey(ctx, revoke)
	return toKeyView(k), err
}

func toKeyView(k auth.Key) KeyView {
	v := KeyView{ID: k.ID, Alg: k.Alg, ActiveFrom: k.ActiveAt.UTC().Format(time.RFC3339), State: "token key"}
	switch {
	case k.Revoked:
		v.State = "revoked"
	case k.Audit:
		v.State = "audit key"
	}
	return v
}

// UsageOf is what was called in a month.
func (a *App) UsageOf(ctx context.Context, month string) ([]UsageView, error) {
	list, err := a.Usage.Month(ctx, month)
	if err != nil {
		return nil, err
	}
	out := []UsageView{}
	for _, u := range list {
		v := UsageView{
			Month: month, Customer: int64(u.Customer), Account: int64(u.Account),
			Product: string(u.Product), Country: u.Country, Calls: u.Calls,
		}
		if c, ok := a.Directory.Customer(u.Customer); ok {
			v.CustomerName = c.Name
		}
		if acc, ok := a.Directory.Account(u.Account); ok {
			v.UserKey = acc.UserKey
		}
		out = append(out, v)
	}
	return out, nil
}
