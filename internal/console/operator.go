package console

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"bureau/internal/auth"
)

// The pages of who runs Bureau.

type customerRow struct {
	auth.Customer
	Accounts int
	Month    int64 // calls since the first of the month
}

// customers lists who pays.
func (s *Server) customers(v *visit) error {
	calls, err := s.Usage.Month(v.ctx(), s.Now().UTC().Format("2006-01"))
	if err != nil {
		return err
	}
	var list []customerRow
	for _, c := range s.Directory.Customers() {
		row := customerRow{Customer: c, Accounts: len(s.Directory.Accounts(c.ID))}
		for _, u := range calls {
			if u.Customer == c.ID {
				row.Month += u.Calls
			}
		}
		list = append(list, row)
	}
	return s.show(v, page{name: "customers", title: "Customers", here: "Customers", data: list})
}

type customerData struct {
	auth.Customer
	Lines    []auth.ContractLine
	Products []auth.Product
	Today    auth.Date
}

// customerPage shows what one customer bought and used.
func (s *Server) customerPage(v *visit) error {
	id, err := v.number("id")
	if err != nil {
		return err
	}
	lines, err := s.Usage.Contract(v.ctx(), auth.CustomerID(id))
	if err != nil {
		return err
	}
	c, _ := s.Directory.Customer(auth.CustomerID(id))
	slices.SortFunc(lines, func(a, b auth.ContractLine) int {
		return cmp.Or(cmp.Compare(a.Grant.Product, b.Grant.Product), cmp.Compare(a.Grant.Country, b.Grant.Country))
	})
	return s.show(v, page{name: "customer", title: clip(c.Name, 100), here: "Customers", data: customerData{
		c, lines, auth.Products(), auth.DateOf(s.Now()),
	}})
}

// grant gives a customer a product, or takes one away.
func (s *Server) grant(v *visit) error {
	id, err := v.number("id")
	if err != nil {
		return err
	}
	g := auth.Grant{Product: auth.Product(v.text("product")), Country: v.text("country"), From: auth.DateOf(s.Now())}
	if g.Country == "" {
		g.Country = auth.Everywhere
	}
	if n, err := strconv.ParseInt(v.text("paid"), 10, 64); err == nil {
		g.Paid = n
	}
	if _, err := s.Office.Grant(v.ctx(), auth.CustomerID(id), []auth.Grant{g}, v.text("act") == "take"); err != nil {
		return err
	}
	return v.redirect(Path+"/operator/customers/"+strconv.FormatInt(id, 10), "customer-granted")
}

// addCustomer opens the books for a customer without products.
func (s *Server) addCustomer(v *visit) error {
	c, err := s.Office.AddCustomer(v.ctx(), v.text("name"), nil)
	if err != nil {
		return err
	}
	return v.redirect(Path+"/operator/customers/"+strconv.FormatInt(int64(c.ID), 10), "customer-granted")
}

// accounts lists all accounts of all customers.
func (s *Server) accounts(v *visit) error { return s.showAccounts(v, accountsData{}) }

func (s *Server) showAccounts(v *visit, d accountsData) error {
	d.List, d.Roles, d.Action, d.Me = s.Directory.Accounts(0), auth.Roles(), Path+"/operator/accounts", v.account.ID
	d.Operator, d.Customers, d.Of = true, s.Directory.Customers(), map[auth.CustomerID]string{}
	for _, c := range d.Customers {
		d.Of[c.ID] = c.Name
	}
	return s.show(v, page{name: "accounts", title: "Accounts", here: "Accounts", data: d})
}

func (s *Server) openAccount(v *visit) error {
	of, err := v.number("customer")
	if err != nil {
		return err
	}
	d, err := s.addAccount(v, auth.CustomerID(of))
	if err != nil {
		return err
	}
	return s.showAccounts(v, d)
}

func (s *Server) changeAnyAccount(v *visit) error {
	if err := s.changeAccount(v, func(auth.Account) bool { return true }); err != nil {
		return err
	}
	return v.redirect(Path+"/operator/accounts", "account")
}

type usageData struct {
	Month, Before, After string
	Rows                 []usageRow
	Total                int64
}

type usageRow struct {
	auth.Usage
	CustomerName, UserKey string
}

// usage counts what was called in a month.
func (s *Server) usage(v *visit) error {
	month := v.query("month")
	at, err := time.Parse("2006-01", month)
	if err != nil {
		at = s.Now().UTC()
		at = time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
	}
	d := usageData{Month: at.Format("2006-01"), Before: at.AddDate(0, -1, 0).Format("2006-01")}
	if next := at.AddDate(0, 1, 0); next.Before(s.Now()) {
		d.After = next.Format("2006-01")
	}
	list, err := s.Usage.Month(v.ctx(), d.Month)
	if err != nil {
		return err
	}
	for _, u := range list {
		row := usageRow{Usage: u}
		if c, ok := s.Directory.Customer(u.Customer); ok {
			row.CustomerName = c.Name
		}
		if a, ok := s.Directory.Account(u.Account); ok {
			row.UserKey = a.UserKey
		}
		d.Total += u.Calls
		d.Rows = append(d.Rows, row)
	}
	return s.show(v, page{name: "usage", title: "Usage", here: "Usage", data: d})
}
