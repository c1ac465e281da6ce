package bank

import (
	"context"
	"errors"

	"bureau/internal/fault"
)

// directory looks the bank up, where banks of the country were imported.
func (i *inquiry) directory(ctx context.Context) (err error) {
	if i.f.British {
		if i.f.Branch, err = i.d.branchIfKnown(ctx, i.f.GB.SortCode); err != nil {
			return err
		}
	}
	code := i.f.place
	if i.f.IBAN != "" {
		code = i.f.IBAN.Bank()
	}
	switch {
	case i.f.Branch.Known():
		i.add("directory", i.field, Passes, "the sort code is a branch of "+i.f.Branch.Bank)
		i.compareBIC([]string{i.f.Branch.BIC, i.f.Branch.ChapsBIC})
		return nil
	case i.f.British && i.f.IBAN == "":
		return nil
	}
	i.f.Bank, err = i.d.bank(ctx, i.f.Country, code)
	switch {
	case errors.Is(err, fault.Missing):
		return i.noBank(ctx, code)
	case err != nil:
		return err
	case i.f.Bank.Withdrawn:
		i.add("directory", i.field, Fails, "the bank code "+code+" is withdrawn"+successor(i.f.Bank))
	default:
		i.add("directory", i.field, Passes, "the bank is "+i.f.Bank.Name)
	}
	i.compareBIC(i.f.Bank.BICs)
	return nil
}

func successor(b Bank) string {
	if b.Successor == "" {
		return ""
	}
	return ", and " + b.Successor + " took its place"
}

// noBank says that a code is in no directory, if there is one to look it up in.
func (i *inquiry) noBank(ctx context.Context, code string) error {
	there, err := i.d.Store.HasBankRecords(ctx, BankRecord, i.f.Country)
	if err == nil && there && code != "" {
		i.add("directory", i.field, Unknown, "the directory of "+i.f.Country+" has no bank "+code)
	}
	i.compareBIC(nil)
	return err
}

// compareBIC compares the given BIC with those of the bank.
func (i *inquiry) compareBIC(known []string) {
	if i.bic == "" {
		return
	}
	some := false
	for _, k := range known {
		if i.bic.same(k) {
			i.add("BIC", "bic", Passes, "it is the bank's")
			return
		}
		some = some || k != ""
	}
	switch {
	case some:
		i.add("BIC", "bic", Fails, "it is another bank's than the account's")
	case area(i.bic.Country()) != area(i.f.Country):
		i.add("BIC", "bic", Fails, "it is a bank of "+i.bic.Country()+" and the account one of "+i.f.Country)
	default:
		i.add("BIC", "bic", Unknown, "the directory does not know the BIC of the account's bank")
	}
}

// area is the country whose account numbers a territory may use: a bank on
// Jersey has a BIC of Jersey and accounts of either.
func area(country string) string {
	switch country {
	case "IM", "JE", "GG":
		return "GB"
	case "GF", "GP", "MQ", "RE", "PF", "TF", "YT", "NC", "BL", "MF", "PM", "WF":
		return "FR"
	case "AX":
		return "FI"
	}
	return country
}
