package bankdir

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"bureau/internal/bank"
	"bureau/internal/company"
	"bureau/internal/importer"
)

// Accounts are accounts whose holders the operator knows.
var Accounts = importer.Source[bank.Account]{
	Name:    "bank-accounts",
	Title:   "bank accounts and their holders, in our own CSV",
	Licence: "whatever the operator's own data comes under",
	Sample: "sortCode,accountNumber,iban,name,otherNames,type,companyId,reference,standing\n" +
		"990001,00000013,,EXAMPLE BAKERIES LIMITED,Example Bread|The Example Oven,Business,GB-0-09999990,,\n",
	Read: ReadAccounts,
}

var accountColumns = []column{
	{"sortCode", false},
	{"accountNumber", false},
	{"iban", false},
	{"country", false},
	{"bban", false},
	{"name", true},
	{"otherNames", false},
	{"type", true},
	{"companyId", false},
	{"reference", false},
	{"standing", false},
}

// ReadAccounts yields the accounts of a file. An account is a sort code and an
// account number, an IBAN, or a country and its national number.
func ReadAccounts(r io.Reader, _ string) iter.Seq2[bank.Account, error] {
	return func(yield func(bank.Account, error) bool) {
		for l, err := range rows(r, accountColumns) {
			var a bank.Account
			if err == nil {
				var why error
				if a, why = readAccount(l.row); why != nil {
					err = l.bad(why)
				}
			}
			var bad *importer.Bad
			if errors.As(err, &bad) {
				bad.Raw = "" // it holds somebody's account number, and would be kept in a file
			}
			if !yield(a, err) {
				return
			}
		}
	}
}

func readAccount(r row) (a bank.Account, err error) {
	switch {
	case r["iban"] != "":
		a, err = bank.NewIBANAccount(r["iban"])
	case r["sortCode"] != "" || r["accountNumber"] != "":
		a, err = bank.NewGBAccount(r["sortCode"], r["accountNumber"])
	case r["bban"] != "":
		a, err = bank.NewDomesticAccount(r["country"], r["bban"])
	default:
		err = errors.New("iban: give an iban, or sortCode and accountNumber, or country and bban")
	}
	if err != nil {
		return a, err
	}
	if a.Type, err = bank.ParseAccountType(r["type"]); err != nil {
		return a, fmt.Errorf("type: %w", err)
	}
	a.Names = []string{r["name"]}
	for other := range strings.SplitSeq(r["otherNames"], "|") {
		if other = strings.TrimSpace(other); other != "" {
			a.Names = append(a.Names, other)
		}
	}
	if r["companyId"] != "" {
		if a.Company, err = company.ParseID(r["companyId"]); err != nil {
			return a, fmt.Errorf("companyId: %w", err)
		}
	}
	a.Reference = r["reference"]
	switch s := bank.Standing(r["standing"]); s {
	case bank.Open, bank.OptedOut, bank.Switched, bank.Closed:
		a.Standing = s
	default:
		return a, fmt.Errorf("standing: %q is none of optedOut, switched, closed", r["standing"])
	}
	return a, nil
}
