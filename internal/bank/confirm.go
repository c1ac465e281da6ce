package bank

import (
	"fmt"
	"strings"
)

// A Code is the answer to a payee question, in the codes that British banks use
// among each other.
type Code string

const (
	Confirmed           Code = ""
	NameDiffers         Code = "ANNM"
	NameClose           Code = "MBAM"
	IsBusiness          Code = "BANM" // the name is right, and the account a business's
	IsPersonal          Code = "PANM"
	IsBusinessNameClose Code = "BAMM"
	IsPersonalNameClose Code = "PAMM"
	AccountUnknown      Code = "AC01"
	ReferenceUnknown    Code = "IVCR"
	NotConfirmed        Code = "ACNS"
	HolderOptedOut      Code = "OPTO"
	AccountSwitched     Code = "CASS"
	BranchUnknown       Code = "SCNS"
)

var codeWords = map[Code]string{
	Confirmed:           "the name is that of the account's holder",
	NameDiffers:         "the account is held under another name",
	NameClose:           "the name is close to that of the account's holder",
	IsBusiness:          "the name is right, but it is a business account",
	IsPersonal:          "the name is right, but it is a personal account",
	IsBusinessNameClose: "the name is close, and it is a business account",
	IsPersonalNameClose: "the name is close, and it is a personal account",
	AccountUnknown:      "there is no such account among those that we hold of this branch",
	ReferenceUnknown:    "the secondary reference is not one of this account",
	NotConfirmed:        "the account is closed",
	HolderOptedOut:      "the account's holder does not want to be confirmed",
	AccountSwitched:     "the account was switched to another bank",
	BranchUnknown:       "we hold no accounts of this branch",
}

func (c Code) String() string { return codeWords[c] }

// A Payee is the answer to whether a name is that of an account's holder.
type Payee struct {
	Match     NameMatch
	Code      Code
	TypeRight bool    // the account is of the type that was asked for
	Name      string  // the holder's, shown only where the given name is close to it
	Score     float64 // of the names
	Why       string  // of the comparison
}

// State is Passes for a name that is confirmed and Fails for one that is not.
// Whatever a person should look at is Unknown.
func (p Payee) State() State {
	switch p.Code {
	case Confirmed:
		return Passes
	case NameDiffers:
		return Fails
	}
	return Unknown
}

// Text is the answer in words.
func (p Payee) Text() string {
	if p.Name == "" {
		return p.Code.String()
	}
	return fmt.Sprintf("%s: %s", p.Code, p.Name)
}

type payeeQuestion struct {
	country   string // whose number it is
	number    string
	place     string
	name      string
	kind      AccountType // may be empty: then the type does not matter
	reference string
}

// answer compares a question with what is held of the account.
func (a Account) answer(q payeeQuestion) Payee {
	switch a.Standing {
	case OptedOut:
		return Payee{Code: HolderOptedOut}
	case Switched:
		return Payee{Code: AccountSwitched}
	case Closed:
		return Payee{Code: NotConfirmed}
	}
	if a.Reference != "" && !strings.EqualFold(strings.TrimSpace(q.reference), a.Reference) {
		return Payee{Code: ReferenceUnknown}
	}
	p := Payee{TypeRight: q.kind == "" || q.kind == a.Type}
	n := nearest([]string{q.name}, a.Names, a.Type)
	p.Match, p.Score, p.Why = n.Match, n.Score, n.Why
	p.Code = codeOf(p.Match, p.TypeRight, a.Type)
	if p.Match == CloseMatch {
		p.Name = n.Held
	}
	return p
}

func codeOf(m NameMatch, typeRight bool, is AccountType) Code {
	switch {
	case m == NoMatch:
		return NameDiffers
	case m == FullMatch && typeRight:
		return Confirmed
	case m == FullMatch && is == Business:
		return IsBusiness
	case m == FullMatch:
		return IsPersonal
	case typeRight:
		return NameClose
	case is == Business:
		return IsBusinessNameClose
	}
	return IsPersonalNameClose
}
