package identity

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// A Search is one question of a customer about an identity, and what it was
// told. Of account and document numbers it keeps fingerprints.
type Search struct {
	ID       string
	Account  auth.AccountID // who asked
	At       time.Time
	Service  Service
	Question Question

	Consumer ID       // who was found, if it is one
	Options  []Option // who it may be, if there are several
	Answer   Answer

	Revalidated time.Time
	Withheld    bool // the person may not be shown any more; it is not kept
}

// Service says which service a search belongs to.
type Service string

const (
	IdentitySearchService Service = "identity"
	IDVService            Service = "idv"
)

// An Answer is what a search told. It is kept as it was.
type Answer struct {
	Report *Report `json:"report,omitempty"`
	AML    *AML    `json:"aml,omitempty"`
	Bank   *bool   `json:"bank,omitempty"` // the account is the person's
	IDV    *IDV    `json:"idv,omitempty"`
	Result Band    `json:"result,omitempty"`
}

// An Option is one line of a pick-list: a person or an address that may be
// meant.
type Option struct {
	Label    string `json:"label"`
	Consumer ID     `json:"consumer"`
}

// MaxOptions is how long a pick-list may be. Beyond it the question says too
// little.
const MaxOptions = 20

// Search answers who somebody is, and keeps question and answer. A question that
// makes no sense is a fault.Invalid that names each field, and leaves no trace.
func (d *Desk) Search(ctx context.Context, by auth.Caller, q Question) (Search, error) {
	if err := q.check(d.Now()); err != nil {
		return Search{}, err
	}
	if q.Account != (BankAccount{}) {
		q.AccountMark = d.Fingerprint(q.Account.Plain())
	}
	s := Search{ID: newSearchID(), Account: by.Account, At: d.now(), Service: IdentitySearchService, Question: q}
	list, err := d.find(ctx, q.wanted())
	if err != nil {
		return Search{}, err
	}
	best := leaders(list)
	if len(best) > MaxOptions {
		return Search{}, fault.Invalid.Details("Bad request", fmt.Sprintf("common.person: %d people fit alike: say more of the address or the date of birth", len(best)))
	}
	if len(best) > 1 {
		s.Options = options(best)
		return s, d.Store.AddIdentitySearch(ctx, by, s)
	}
	var found *Candidate
	if len(best) == 1 {
		found = &best[0]
	}
	if err := d.answer(ctx, &s, found); err != nil {
		return Search{}, err
	}
	return s, d.Store.AddIdentitySearch(ctx, by, s)
}

func (d *Desk) now() time.Time { return d.Now().UTC().Truncate(time.Millisecond) }

func (q *Question) wanted() Wanted {
	w := Wanted{Country: "GB", Names: []Name{q.Name}, Birth: company.Date(q.Birth)}
	if q.Previous.Full() != "" {
		w.Names = append(w.Names, q.Previous)
	}
	for _, r := range q.Addresses {
		if r.PostCode != "" {
			w.Addresses = append(w.Addresses, r.Address)
		}
	}
	return w
}

// options are what a pick-list shows: addresses where they differ, and names
// with the year of birth where they do not.
func options(list []Candidate) []Option {
	var out []Option
	lines := map[string]bool{}
	for _, c := range list {
		lines[c.address()] = true
	}
	for _, c := range list {
		label := c.address()
		if len(lines) < len(list) {
			label = words(c.Consumer.Name.Full(), year(c.Consumer.Birth)) + ", " + label
		}
		out = append(out, Option{label, c.ID()})
	}
	return out
}

func year(d company.Date) string {
	if len(d) < 4 {
		return ""
	}
	return "(" + string(d[:4]) + ")"
}

// address is the line of where a candidate lives, as far as it was asked for.
func (c *Candidate) address() string {
	if c.Lives >= 0 {
		return c.Addresses[c.Lives].Line()
	}
	r, _ := c.Current()
	return r.Line()
}

// answer fills in what is told of who was found, who may be nobody.
func (d *Desk) answer(ctx context.Context, s *Search, found *Candidate) error {
	q := &s.Question
	s.Answer = Answer{Result: Fail}
	if found != nil {
		s.Consumer, s.Answer.Result = found.ID(), Refer
	}
	if q.wantsAML() {
		aml, err := d.aml(ctx, q, found)
		if err != nil {
			return err
		}
		s.Answer.AML, s.Answer.Result = &aml, aml.Band
	}
	if q.AccountMark != "" {
		is := found != nil && slices.Contains(found.Accounts, Account{q.AccountMark})
		s.Answer.Bank = &is
	}
	if q.has(ConsumerSearch) && found != nil {
		report, err := d.report(ctx, s, found)
		if err != nil {
			return err
		}
		s.Answer.Report = &report
	}
	return nil
}

// Resolve answers a search that had a pick-list with the option that was chosen:
// its number, counted from 1.
func (d *Desk) Resolve(ctx context.Context, by auth.Caller, id string, chosen []string) (Search, error) {
	s, err := d.Store.IdentitySearch(ctx, by, id)
	if err != nil {
		return Search{}, err
	}
	if len(s.Options) == 0 {
		return Search{}, fault.Invalid.Details("Bad request", "uniqueId: this search has no pick-list to resolve")
	}
	if len(chosen) != 1 {
		return Search{}, fault.Invalid.Details("Bad request", "resolved: choose one option")
	}
	n, err := strconv.Atoi(strings.TrimSpace(chosen[0]))
	if err != nil || n < 1 || n > len(s.Options) {
		return Search{}, fault.Invalid.Details("Bad request", fmt.Sprintf("resolved: it is the value of an option, 1 to %d", len(s.Options)))
	}
	held, err := d.Store.Consumers(ctx, []ID{s.Options[n-1].Consumer})
	if err != nil {
		return Search{}, err
	}
	var found *Candidate
	for _, h := range held {
		if c, ok := s.Question.wanted().grade(h); ok {
			found = &c
		}
	}
	if err := d.answer(ctx, &s, found); err != nil {
		return Search{}, err
	}
	return d.Store.UpdateIdentitySearch(ctx, by, id, func(kept *Search) error {
		kept.Consumer, kept.Answer, kept.Options = s.Consumer, s.Answer, nil
		return nil
	})
}

// Revalidate looks at the documents that somebody showed since, and answers the
// search anew with them.
func (d *Desk) Revalidate(ctx context.Context, by auth.Caller, id string, papers []Paper, account BankAccount) (Search, error) {
	s, err := d.Found(ctx, by, id)
	switch {
	case err != nil:
		return Search{}, err
	case len(papers) == 0 && account == (BankAccount{}):
		return Search{}, fault.Invalid.Details("Bad request", "documents: there is none: give passport, driversLicense, electricitySupplier, europeanIDCard, niNumber or bankAccountDetails")
	case len(s.Options) > 0:
		return Search{}, fault.Invalid.Details("Bad request", "uniqueId: resolve the pick-list of this search first")
	case s.Answer.AML == nil:
		return Search{}, fault.Invalid.Details("Bad request", "uniqueId: only an AML or Id search can be revalidated")
	}
	if account != (BankAccount{}) {
		s.Question.AccountMark = d.Fingerprint(account.Plain())
	}
	var found *Candidate
	if s.Consumer != "" && !s.Withheld {
		held, err := d.Store.Consumers(ctx, []ID{s.Consumer})
		if err != nil {
			return Search{}, err
		}
		for _, h := range held {
			if c, ok := s.Question.wanted().grade(h); ok {
				found = &c
			}
		}
	}
	if err := d.answer(ctx, &s, found); err != nil {
		return Search{}, err
	}
	d.papers(&s, found, papers)
	at := d.now()
	return d.Store.UpdateIdentitySearch(ctx, by, id, func(kept *Search) error {
		kept.Answer, kept.Revalidated, kept.Question.AccountMark = s.Answer, at, s.Question.AccountMark
		return nil
	})
}

// Found returns a search of the caller's customer. Of somebody who may not be
// shown any more it says nothing but the question.
func (d *Desk) Found(ctx context.Context, by auth.Caller, id string) (Search, error) {
	s, err := d.Store.IdentitySearch(ctx, by, id)
	if err != nil {
		return Search{}, err
	}
	list := []Search{s}
	err = d.withhold(ctx, list)
	return list[0], err
}

// withhold takes out of answers what may not be shown any more.
func (d *Desk) withhold(ctx context.Context, list []Search) error {
	var ids []ID
	for _, s := range list {
		if s.Consumer != "" {
			ids = append(ids, s.Consumer)
		}
		for _, o := range s.Options {
			ids = append(ids, o.Consumer)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	held, err := d.Store.Consumers(ctx, slices.Compact(ids))
	if err != nil {
		return err
	}
	hidden := func(id ID) bool {
		h, ok := held[id]
		if !ok {
			return false // erased since: what was told stays the customer's own record
		}
		_, shown := h.Shown()
		return !shown
	}
	for i := range list {
		s := &list[i]
		if s.Consumer != "" && hidden(s.Consumer) {
			s.Answer, s.Withheld = Answer{}, true
		}
		s.Options = slices.DeleteFunc(s.Options, func(o Option) bool { return hidden(o.Consumer) })
	}
	return nil
}

// SetReference gives a search another reference.
func (d *Desk) SetReference(ctx context.Context, by auth.Caller, id, reference string) error {
	reference = strings.TrimSpace(reference)
	if len([]rune(reference)) > MaxReference {
		return fault.Invalid.Details("Bad request", fmt.Sprintf("reference: it is longer than %d characters", MaxReference))
	}
	_, err := d.Store.UpdateIdentitySearch(ctx, by, id, func(s *Search) error {
		s.Question.Reference = reference
		return nil
	})
	return err
}

// Searches lists what the caller's customer asked, the newest first.
func (d *Desk) Searches(ctx context.Context, by auth.Caller, q SearchQuery) ([]Search, int64, error) {
	list, total, err := d.Store.IdentitySearches(ctx, by, q)
	if err != nil {
		return nil, 0, err
	}
	return list, total, d.withhold(ctx, list)
}

// Sought is a text as searches are looked for by it.
func Sought(text string) string { return fold(text) }

// Sought is what a keyword is looked for in: the name and the reference.
func (s *Search) Sought() string { return Sought(words(s.Question.Name.Full(), s.Question.Reference)) }

// newSearchID is 32 digits of chance.
func newSearchID() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
