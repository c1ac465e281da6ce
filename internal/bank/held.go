package bank

import (
	"errors"
	"strings"

	"bureau/internal/fault"
)

// NewGBAccount is the account with a sort code and an account number.
func NewGBAccount(code, number string) (Account, error) {
	acc, err := ParseGB("sortCode", code, "accountNumber", number)
	if err != nil {
		return Account{}, inWords(err)
	}
	return acc.account(), nil
}

func (acc GB) account() Account {
	return Account{Country: "GB", Number: acc.key(), Place: acc.SortCode.String()}
}

// NewIBANAccount is the account with an IBAN. That of a British account is the
// same as the one with its sort code and account number.
func NewIBANAccount(text string) (Account, error) {
	n, err := ParseIBAN(text)
	if err != nil {
		return Account{}, errors.New("iban: " + err.Error())
	}
	if acc, ok := n.GB(); ok {
		return acc.account(), nil
	}
	return Account{Country: n.Country(), Number: n.BBAN(), Place: n.Bank()}, nil
}

// NewDomesticAccount is the account with a national number, in a country with
// IBANs or without. Where there are none, the bank's code goes before it, with a
// blank between.
func NewDomesticAccount(country, bban string) (Account, error) {
	country = strings.ToUpper(country)
	if f, _ := formOf(country, 0); f.length() > 0 {
		n, err := NewIBAN(country, plain(bban))
		if err != nil {
			return Account{}, errors.New("bban: " + err.Error())
		}
		return NewIBANAccount(string(n))
	}
	code, number, ok := strings.Cut(strings.TrimSpace(bban), " ")
	if !ok {
		code, number = "", code
	}
	number, code, err := parseDomestic("country", country, number, code)
	if err != nil {
		return Account{}, inWords(err)
	}
	return Account{Country: country, Number: code + number, Place: code}, nil
}

// inWords puts everything that a fault names into one sentence.
func inWords(err error) error {
	if v, ok := fault.Of(err); ok && len(v.Details) > 0 {
		return errors.New(strings.Join(v.Details, "; "))
	}
	return err
}
