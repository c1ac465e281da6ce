package monitor

import (
	"strings"
	"time"
	"unicode/utf8"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// A PortfolioID is a portfolio's number.
type PortfolioID int64

// A Portfolio is a list of companies that an account watches. Others of its
// customer see it when it is shared with them.
type Portfolio struct {
	ID        PortfolioID
	Customer  auth.CustomerID
	Owner     auth.AccountID
	Name      string
	Default   bool // the one of its owner's that is meant when none is named
	Digest    Digest
	CreatedAt time.Time
	ChangedAt time.Time
}

// A Digest says how events are told by mail.
type Digest struct {
	Subject   string
	Language  string // "en"
	Frequency Frequency
	To        []Recipient
}

// A Frequency is how many days go between two mails. 0 sends none.
type Frequency int

// A Recipient gets a portfolio's mail.
type Recipient struct {
	First   string `json:"f,omitempty"`
	Last    string `json:"l,omitempty"`
	Address string `json:"a"`
}

// Rights are what an account may do with a portfolio that is shared with it.
type Rights uint8

const (
	View   Rights = 1 << iota // see it, its companies, its rules and its events
	Add                       // put companies in
	Edit                      // change its name, mail, rules, a company's notes; mark events as processed
	Remove                    // take companies out
	Own                       // delete it and share it: its owner alone
)

// rightWords are the rights that can be given, as they are written.
var rightWords = []struct {
	right Rights
	word  string
}{{View, "view"}, {Add, "add"}, {Edit, "edit"}, {Remove, "remove"}}

func (r Rights) String() string {
	var out []string
	for _, w := range rightWords {
		if r&w.right != 0 {
			out = append(out, w.word)
		}
	}
	return strings.Join(out, ",")
}

// ParseRights reads rights as words with commas between them. Every right
// includes the right to see; none at all is the empty text.
func ParseRights(s string) (Rights, error) {
	var r Rights
next:
	for word := range strings.SplitSeq(s, ",") {
		word = strings.ToLower(strings.TrimSpace(word))
		if word == "" || word == "none" {
			continue
		}
		if word == "all" {
			r |= View | Add | Edit | Remove
			continue
		}
		for _, w := range rightWords {
			if w.word == word {
				r |= w.right | View
				continue next
			}
		}
		return 0, fault.Invalid.Errorf("permissions: %q is none of view, add, edit, remove, all, none", word)
	}
	return r, nil
}

// A Share is what one account may do with a portfolio of another.
type Share struct {
	Account auth.AccountID
	Rights  Rights
}

// Check tidies what a customer wrote of a portfolio and says what is wrong.
func (p *Portfolio) Check() error {
	p.Name = strings.TrimSpace(p.Name)
	p.Digest.Subject = strings.TrimSpace(p.Digest.Subject)
	var wrong []string
	switch {
	case p.Name == "":
		wrong = append(wrong, "name: a portfolio needs a name")
	case utf8.RuneCountInString(p.Name) > 200 || !isPlain(p.Name):
		wrong = append(wrong, "name: at most 200 characters on one line")
	}
	if utf8.RuneCountInString(p.Digest.Subject) > 200 || !isPlain(p.Digest.Subject) {
		wrong = append(wrong, "emailSubject: at most 200 characters on one line")
	}
	if l := len(p.Digest.Language); l != 0 && (l > 12 || !isPlain(p.Digest.Language)) {
		wrong = append(wrong, `emailLanguage: a language such as "en"`)
	}
	if p.Digest.Frequency < 0 || p.Digest.Frequency > 31 {
		wrong = append(wrong, "frequency: the number of days between two mails, from 1 to 31; 0 for none")
	}
	if len(p.Digest.To) > 50 {
		wrong = append(wrong, "emails: at most 50")
	}
	for _, to := range p.Digest.To {
		if !isAddress(to.Address) {
			wrong = append(wrong, "emails: "+quote(to.Address)+" is not an e-mail address")
		}
		if !isPlain(to.First+to.Last) || len(to.First)+len(to.Last) > 400 {
			wrong = append(wrong, "emails: a name is at most 200 characters on one line")
		}
	}
	if len(wrong) > 0 {
		return fault.Invalid.Details("the portfolio cannot be kept like this", wrong...)
	}
	return nil
}
