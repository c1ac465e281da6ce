package main

import (
	"fmt"
	"slices"
	"strings"

	"bureau/client"
)

// bankColumns are the columns that a question is made of.
var bankColumns = []string{
	"iban", "bic", "sortCode", "accountNumber", "country", "bban", "routingCode", "name", "accountType", "secondaryReference",
}

// checkFile checks the bank accounts of a CSV.
func (t *terminal) checkFile(api *client.Client, path string) error {
	w := lineWork{
		api: api, adds: []string{"result", "reasons"},
		needs: func(has func(string) bool) error {
			if slices.ContainsFunc(bankColumns, has) {
				return nil
			}
			return fmt.Errorf("its first line names none of the columns %s", strings.Join(bankColumns, ", "))
		},
		ask: func(get func(string) string) ([]string, error) {
			f, err := api.CheckBankAccount(t.ctx, client.BankQuestion{
				IBAN: get("iban"), BIC: get("bic"), SortCode: get("sortCode"), AccountNumber: get("accountNumber"), Country: get("country"),
				BBAN: get("bban"), RoutingCode: get("routingCode"), Name: get("name"), AccountType: get("accountType"),
				SecondaryReference: get("secondaryReference"),
			})
			return []string{f.Result, strings.Join(f.Reasons, "; ")}, err
		},
		tally: func(done int, by map[string]int) string {
			return fmt.Sprintf("checked %d: %d pass, %d fail, %d cannot be checked, %d refused", done,
				by[client.BankPasses], by[client.BankFails], by[client.BankUnknown], by[refusedLine])
		},
	}
	return w.run(t, path)
}
