package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"bureau/internal/app"
)

type accountCmd struct {
	Add      accountAddCmd      `cmd:"" help:"Open an account and print its password, once."`
	List     accountListCmd     `cmd:"" help:"List accounts."`
	Disable  accountDisableCmd  `cmd:"" help:"Shut an account; its tokens die within a second."`
	Enable   accountEnableCmd   `cmd:"" help:"Open a shut account again."`
	Password accountPasswordCmd `cmd:"" help:"Give an account a new password."`
	Console  accountConsoleCmd  `cmd:"" help:"Change how an account signs in to the console."`
}

func (accountCmd) Help() string {
	return "Example:\n  bureau account add 1001 --first Ada --surname Brook"
}

type accountAddCmd struct {
	app.Place   `embed:""`
	app.Hashing `embed:""`
	Customer    int64  `arg:"" help:"The customer's number."`
	UserKey     string `help:"The user key (default: one is made up)." placeholder:"KEY"`
	Email       string `help:"E-mail address, for signing in to the console." placeholder:"ADDRESS"`
	Title       string `help:"Title of the person."`
	First       string `help:"First name."`
	Surname     string `help:"Surname."`
	Language    string `help:"Language, such as en-GB." placeholder:"TAG"`
	Operator    bool   `help:"May do what concerns every customer."`
	Role        string `help:"What it may do in the console: reader, analyst or admin (default: analyst)." placeholder:"ROLE"`
	Console     bool   `help:"Read a chosen password for the console from standard input."`
}

func (accountAddCmd) Help() string {
	return `Example:
  bureau account add 1001 --first Ada --surname Brook --email ada@example.com`
}

func (c accountAddCmd) Run(t *terminal) error {
	chosen := ""
	if c.Console {
		var err error
		if chosen, err = t.readPassword("password for the console: "); err != nil {
			return err
		}
	}
	config, err := app.ForPasswords(c.Place, c.Hashing)
	if err != nil {
		return err
	}
	return t.withConfig(config, func(a *app.App) error {
		v, err := a.AddAccount(t.ctx, app.AccountWish{
			Customer: c.Customer, UserKey: c.UserKey, Email: c.Email, Title: c.Title, First: c.First,
			Surname: c.Surname, Language: c.Language, Operator: c.Operator, Role: c.Role, ConsolePassword: chosen,
		})
		if err != nil {
			return err
		}
		return t.print(v, func(w io.Writer) { printPassword(w, v) })
	})
}

func printPassword(w io.Writer, v app.AccountView) {
	fmt.Fprintf(w, "user key  %s\npassword  %s\nThe password is shown this once and kept nowhere.\n", v.UserKey, v.Password)
}

type accountListCmd struct {
	app.Place `embed:""`
	Customer  int64 `help:"Only this customer's." placeholder:"ID"`
}

func (accountListCmd) Help() string { return "Example:\n  bureau account list --customer 1001" }

func (c accountListCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error {
		list := a.ListAccounts(c.Customer)
		return t.print(list, func(w io.Writer) {
			tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
			fmt.Fprintln(tw, "ID\tCUSTOMER\tUSER KEY\tE-MAIL\tNAME\tROLE\tSTATE")
			for _, v := range list {
				fmt.Fprintf(tw, "%d\t%d\t%s\t%s\t%s %s\t%s\t%s\n", v.ID, v.Customer, v.UserKey, v.Email, v.First, v.Surname, roleWord(v), v.State)
			}
			tw.Flush()
		})
	})
}

type accountDisableCmd struct {
	app.Place `embed:""`
	UserKey   string `arg:"" help:"The user key."`
}

func (accountDisableCmd) Help() string { return "Example:\n  bureau account disable user-1002" }

func (c accountDisableCmd) Run(t *terminal) error { return t.setDisabled(c.Place, c.UserKey, true) }

type accountEnableCmd struct {
	app.Place `embed:""`
	UserKey   string `arg:"" help:"The user key."`
}

func (accountEnableCmd) Help() string { return "Example:\n  bureau account enable user-1002" }

func (c accountEnableCmd) Run(t *terminal) error { return t.setDisabled(c.Place, c.UserKey, false) }

func (t *terminal) setDisabled(p app.Place, userKey string, disabled bool) error {
	return t.with(p, func(a *app.App) error {
		v, err := a.DisableAccount(t.ctx, userKey, disabled)
		if err != nil {
			return err
		}
		return t.print(v, func(w io.Writer) { fmt.Fprintf(w, "%s is %s\n", v.UserKey, v.State) })
	})
}

type accountPasswordCmd struct {
	app.Place   `embed:""`
	app.Hashing `embed:""`
	UserKey     string `arg:"" help:"The user key."`
	Chosen      bool   `help:"Read a password from standard input instead of making one."`
	Console     bool   `help:"Read a password from standard input for the console (with the e-mail address)."`
}

func (accountPasswordCmd) Help() string {
	return `Example:
  bureau account password user-1002
  echo 'a long and chosen sentence' | bureau account password user-1002 --console`
}

func (c accountPasswordCmd) Run(t *terminal) error {
	if c.Chosen && c.Console {
		return misuse{fmt.Errorf("choose --chosen (for the user key) or --console (for the e-mail address)")}
	}
	password := ""
	if c.Chosen || c.Console {
		var err error
		if password, err = t.readPassword("new password: "); err != nil {
			return err
		}
	}
	config, err := app.ForPasswords(c.Place, c.Hashing)
	if err != nil {
		return err
	}
	return t.withConfig(config, func(a *app.App) error {
		v, err := a.SetPassword(t.ctx, c.UserKey, password, c.Console)
		if err != nil {
			return err
		}
		return t.print(v, func(w io.Writer) {
			if v.Password != "" {
				printPassword(w, v)
				return
			}
			fmt.Fprintf(w, "%s has a new password; its tokens are dead\n", v.UserKey)
		})
	})
}
