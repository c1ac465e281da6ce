package console

import (
	"bureau/internal/auth"
	"bureau/internal/fault"
)

type accountsData struct {
	List      []auth.Account
	Roles     []auth.Role
	Operator  bool // the operator's page, with the accounts of all customers
	Of        map[auth.CustomerID]string
	Customer  auth.CustomerID
	Customers []auth.Customer
	Made      *auth.Account
	Password  string // for the console, shown once
	Action    string
	Me        auth.AccountID
}

// people shows the accounts of the visitor's own customer.
func (s *Server) people(v *visit) error { return s.showPeople(v, accountsData{}) }

func (s *Server) showPeople(v *visit, d accountsData) error {
	d.List, d.Roles, d.Action, d.Me = s.Directory.Accounts(v.account.Customer), auth.Roles(), Path+"/people", v.account.ID
	return s.show(v, page{name: "accounts", title: "People", data: d})
}

// addPerson opens an account for somebody of the visitor's customer.
func (s *Server) addPerson(v *visit) error {
	d, err := s.addAccount(v, v.account.Customer)
	if err != nil {
		return err
	}
	return s.showPeople(v, d)
}

// addAccount opens an account with a first password for the console, which is
// shown this once.
func (s *Server) addAccount(v *visit, of auth.CustomerID) (accountsData, error) {
	role, err := auth.ParseRole(v.text("role"))
	if err != nil {
		return accountsData{}, err
	}
	if v.text("email") == "" {
		return accountsData{}, fault.Invalid.Errorf("an account for the console needs an e-mail address")
	}
	first := auth.RandomPassword()
	a, _, err := s.Office.AddAccount(v.ctx(), auth.NewAccount{
		Customer: of, Email: v.text("email"), First: clip(v.text("first"), 100), Surname: clip(v.text("surname"), 100), Role: role, Chosen: first,
	})
	return accountsData{Made: &a, Password: first}, err
}

// changePerson changes an account of the visitor's own customer.
func (s *Server) changePerson(v *visit) error {
	if err := s.changeAccount(v, func(a auth.Account) bool { return a.Customer == v.account.Customer && !a.Operator }); err != nil {
		return err
	}
	return v.redirect(Path+"/people", "account")
}

// changeAccount sets a role, or shuts or opens an account that may be changed.
// Nobody changes their own: an administrator who shut themselves out would need
// the operator.
func (s *Server) changeAccount(v *visit, may func(auth.Account) bool) error {
	id, err := v.number("account")
	if err != nil {
		return err
	}
	a, ok := s.Directory.Account(auth.AccountID(id))
	if !ok || !may(a) {
		return fault.Missing.Errorf("there is no such account")
	}
	if a.ID == v.account.ID {
		return fault.Denied.Errorf("nobody changes their own role or shuts their own account")
	}
	switch v.text("act") {
	case "role":
		_, err = s.Office.SetRole(v.ctx(), a.UserKey, auth.Role(v.text("role")))
	case "disable", "enable":
		_, err = s.Office.Disable(v.ctx(), a.UserKey, v.text("act") == "disable")
	case "drop-codes":
		_, err = s.Office.DropSecond(v.ctx(), a.UserKey)
	default:
		err = fault.Invalid.Errorf("there is no such act")
	}
	return err
}
