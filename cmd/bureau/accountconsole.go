package main

import (
	"errors"
	"fmt"
	"io"

	"bureau/internal/app"
)

type accountConsoleCmd struct {
	app.Place `embed:""`
	UserKey   string `arg:"" help:"The user key."`
	Email     string `help:"The e-mail address to sign in with." placeholder:"ADDRESS"`
	Role      string `help:"What it may do: reader, analyst or admin." placeholder:"ROLE"`
	DropCodes bool   `help:"Ask for no one-time code any more, for who has lost the app that makes them."`
}

func (accountConsoleCmd) Help() string {
	return `Whoever is signed in with the account is signed out.

Example:
  bureau account console user-1002 --email ada@example.com --role admin
  echo 'a long sentence of hers' | bureau account password user-1002 --console`
}

func (c accountConsoleCmd) Run(t *terminal) error {
	if c.Email == "" && c.Role == "" && !c.DropCodes {
		return misuse{errors.New("say what to change: --email, --role or --drop-codes")}
	}
	return t.with(c.Place, func(a *app.App) error {
		v, err := a.SetConsole(t.ctx, c.UserKey, app.ConsoleWish{Email: c.Email, Role: c.Role, DropCodes: c.DropCodes})
		if err != nil {
			return err
		}
		return t.print(v, func(w io.Writer) {
			email := v.Email
			if email == "" {
				email = "an address that it still needs (--email)"
			}
			fmt.Fprintf(w, "%s signs in to the console with %s, as %s\n", v.UserKey, email, roleWord(v))
		})
	})
}

// roleWord is what an account is in the console.
func roleWord(v app.AccountView) string {
	if v.Operator {
		return "operator"
	}
	return v.Role
}
