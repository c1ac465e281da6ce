package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"bureau/internal/app"
)

type tokenCmd struct {
	Revoke tokenRevokeCmd `cmd:"" help:"Kill one token, or all of an account."`
}

func (tokenCmd) Help() string { return "Example:\n  bureau token revoke --account user-1002" }

type tokenRevokeCmd struct {
	app.Place `embed:""`
	ID        string `arg:"" optional:"" help:"The token's jti (the audit log has it)."`
	Account   string `help:"All tokens of this user key." placeholder:"KEY"`
}

func (tokenRevokeCmd) Help() string {
	return `Example:
  bureau token revoke 5f2b9c0e7a1d4e6f8091a2b3c4d5e6f7
  bureau token revoke --account user-1002`
}

func (c tokenRevokeCmd) Run(t *terminal) error {
	if (c.ID == "") == (c.Account == "") {
		return misuse{fmt.Errorf("name one token by its jti, or an account with --account")}
	}
	return t.with(c.Place, func(a *app.App) error {
		if err := a.RevokeTokens(t.ctx, c.ID, c.Account); err != nil {
			return err
		}
		return t.print(map[string]string{"revoked": c.ID + c.Account}, func(w io.Writer) { fmt.Fprintln(w, "revoked") })
	})
}

type keyCmd struct {
	List   keyListCmd   `cmd:"" help:"List signing keys."`
	Rotate keyRotateCmd `cmd:"" help:"Make a new signing key now."`
}

func (keyCmd) Help() string { return "Example:\n  bureau key list" }

type keyListCmd struct {
	app.Place `embed:""`
}

func (keyListCmd) Help() string { return "Example:\n  bureau key list" }

func (c keyListCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error {
		list := a.ListKeys()
		return t.print(list, func(w io.Writer) {
			tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
			fmt.Fprintln(tw, "KEY\tALG\tACTIVE FROM\tSTATE")
			for _, k := range list {
				fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", k.ID, k.Alg, k.ActiveFrom, k.State)
			}
			tw.Flush()
		})
	})
}

type keyRotateCmd struct {
	app.Place `embed:""`
	RevokeOld bool `help:"Refuse every token that was signed so far: for a key that fell into wrong hands."`
}

func (keyRotateCmd) Help() string {
	return `Example:
  bureau key rotate
  bureau key rotate --revoke-old`
}

func (c keyRotateCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error {
		k, err := a.RotateKey(t.ctx, c.RevokeOld)
		if err != nil {
			return err
		}
		return t.print(k, func(w io.Writer) { fmt.Fprintf(w, "key %s signs from %s\n", k.ID, k.ActiveFrom) })
	})
}

type usageCmd struct {
	app.Place `embed:""`
	Month     string `help:"The month." required:"" placeholder:"2006-01"`
}

func (usageCmd) Help() string { return "Example:\n  bureau usage --month 2026-10 > usage.csv" }

func (c usageCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error {
		list, err := a.UsageOf(t.ctx, c.Month)
		if err != nil {
			return err
		}
		return t.print(list, func(w io.Writer) {
			fmt.Fprintln(w, "month,customer,customerName,account,userKey,product,country,calls")
			for _, u := range list {
				fmt.Fprintf(w, "%s,%d,%s,%d,%s,%s,%s,%d\n", u.Month, u.Customer, csvField(u.CustomerName),
					u.Account, csvField(u.UserKey), u.Product, u.Country, u.Calls)
			}
		})
	})
}

type auditCmd struct {
	Verify auditVerifyCmd `cmd:"" help:"Read the whole log and find what was changed or is missing."`
}

func (auditCmd) Help() string { return "Example:\n  bureau audit verify" }

type auditVerifyCmd struct {
	app.Place `embed:""`
}

func (auditVerifyCmd) Help() string { return "Example:\n  bureau audit verify" }

func (c auditVerifyCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error {
		f, err := a.VerifyAudit(t.ctx)
		if err != nil {
			return err
		}
		if f.Problem != "" {
			return fmt.Errorf("the audit log is not as it was written: %s", f.Problem)
		}
		months := append([]string{}, f.Months()...)
		return t.print(map[string]any{"entries": f.Entries, "signedHeads": f.Signed, "goneMonths": months, "ok": true}, func(w io.Writer) {
			fmt.Fprintf(w, "%d entries and %d signed heads: all as written\n", f.Entries, f.Signed)
			if len(months) > 0 {
				fmt.Fprintf(w, "The log begins behind entry %d. What came before was let go as --keep-audit says, and is signed: %s\n",
					f.Gone[len(f.Gone)-1].Last, strings.Join(months, ", "))
			}
		})
	})
}
