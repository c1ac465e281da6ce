package bank

import (
	"encoding/json"
	"fmt"
	"strings"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// A Branch is what the directory says of a sort code.
type Branch struct {
	SortCode SortCode `json:"-"`
	Bank     string   `json:"b,omitempty"`
	Name     string   `json:"n,omitempty"` // of the branch
	Address  string   `json:"a,omitempty"`
	Post     string   `json:"p,omitempty"`
	Country  string   `json:"c,omitempty"`
	Phone    string   `json:"t,omitempty"`
	BIC      string   `json:"i,omitempty"`
	ChapsBIC string   `json:"ci,omitempty"`

	// What can be paid to and collected from its accounts.
	Chaps          bool `json:"ch,omitempty"`
	Cheques        bool `json:"cq,omitempty"`
	DirectDebit    bool `json:"dd,omitempty"`
	FasterPayments bool `json:"fp,omitempty"`
	Bacs           bool `json:"ba,omitempty"`
}

// Known reports whether the directory has the branch.
func (b Branch) Known() bool { return b.Bank != "" }

// Check says what is wrong with a branch.
func (b *Branch) Check() error {
	if b.Bank == "" {
		return fault.Invalid.Errorf("sort code %s has no bank", b.SortCode)
	}
	return nil
}

// A Bank is what the directory says of a bank's code in a country.
type Bank struct {
	Country string   `json:"-"` // ISO 3166 alpha-2
	Code    string   `json:"-"` // as it stands in the national account number
	Name    string   `json:"n"`
	Short   string   `json:"s,omitempty"`
	BICs    []string `json:"i,omitempty"` // the main one first
	City    string   `json:"c,omitempty"`
	Post    string   `json:"p,omitempty"`

	// A code that is being withdrawn, and the one that takes its place.
	Withdrawn bool   `json:"w,omitempty"`
	Successor string `json:"x,omitempty"`
}

// Check says what is wrong with a bank.
func (b *Bank) Check() error {
	switch {
	case len(b.Country) != 2:
		return fault.Invalid.Errorf("%q is not a country", b.Country)
	case b.Code == "":
		return fault.Invalid.Errorf("the bank %q has no code", b.Name)
	case b.Name == "":
		return fault.Invalid.Errorf("the bank code %s has no name", b.Code)
	}
	return nil
}

// AccountType is what an account is for.
type AccountType string

const (
	Business AccountType = "Business"
	Personal AccountType = "Personal"
)

// ParseAccountType reads an account type in any case.
func ParseAccountType(text string) (AccountType, error) {
	for _, t := range []AccountType{Business, Personal} {
		if strings.EqualFold(strings.TrimSpace(text), string(t)) {
			return t, nil
		}
	}
	return "", fault.Invalid.Errorf("it is Business or Personal")
}

// Standing is what may be said about an account.
type Standing string

const (
	Open     Standing = ""
	OptedOut Standing = "optedOut" // the holder does not want to be confirmed
	Switched Standing = "switched" // it moved to another bank
	Closed   Standing = "closed"
)

// An Account is one whose holder the operator knows.
type Account struct {
	Country string `json:"-"` // whose national number it is
	Number  string `json:"-"` // the whole national number: sort code and account number, or BBAN
	Place   string `json:"-"` // the part of it that names the bank or branch

	Names     []string    `json:"n"` // the holder's first, then joint holders and trading names
	Type      AccountType `json:"t"`
	Company   company.ID  `json:"c,omitempty"` // the holder, where it is a company of the register
	Reference string      `json:"r,omitempty"` // a building society's roll number, a collection account's reference
	Standing  Standing    `json:"s,omitempty"`
}

// Check says what is wrong with an account.
func (a *Account) Check() error {
	if len(a.Names) == 0 {
		return fault.Invalid.Errorf("the account has no holder")
	}
	return nil
}

// The kinds of record that are imported and found again by one key.
const (
	BranchRecord  = "branch"
	BankRecord    = "bank"
	AccountRecord = "account"
)

// A Record is a branch, a bank or an account as it is stored.
type Record struct {
	Key   string
	Place string // the country of a bank, the branch of an account
	Facts string
}

func (b *Branch) record() Record { return Record{Key: b.SortCode.String(), Facts: encode(b)} }

func (b *Bank) record() Record {
	return Record{Key: bankKey(b.Country, b.Code), Place: b.Country, Facts: encode(b)}
}

func bankKey(country, code string) string { return country + " " + code }

// record stores an account under a fingerprint: what was never written in clear
// cannot be read by whoever gets hold of the database.
func (a *Account) record(fingerprint func(string) string) Record {
	return Record{Key: fingerprint(accountKey(a.Country, a.Number)), Place: a.Country + " " + a.Place, Facts: encode(a)}
}

func accountKey(country, number string) string { return country + " " + number }

func encode(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("write %T: %v", v, err)) // our own types
	}
	return string(out)
}

func decode(facts string, into any) error {
	if err := json.Unmarshal([]byte(facts), into); err != nil {
		return fmt.Errorf("read %T: %w", into, err)
	}
	return nil
}
