package national

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/identity"
)

// Sweden is the door to the Swedish services.
type Sweden struct {
	Companies *company.Register
	Finder    Finder
	People    *identity.Desk
	Now       func() time.Time
}

// A Finder finds companies by their names and addresses.
type Finder interface {
	Search(ctx context.Context, c company.Criteria, p company.Page) (company.Hits, error)
}

// A Refusal is an answer that a Swedish service gives instead of a report. It is
// a fault, with the code that its clients know.
type Refusal struct {
	Code   Code
	Detail string
	About  identity.ID // the person that it tells something of, if any
	kind   fault.Kind
}

func (r *Refusal) Error() string { return string(r.Code) + " " + r.Detail }

// Unwrap makes it the fault that it is.
func (r *Refusal) Unwrap() error { return r.kind }

// A Code is why a service does not answer.
type Code string

const (
	BadLanguage   Code = "R1"
	NotAllowed    Code = "R2"
	BadInput      Code = "R3"
	NoMatch       Code = "15"
	NoReference   Code = "21" // no date to look from
	BadReference  Code = "22"
	OldReference  Code = "23"
	Inactive      Code = "S2"
	Bankrupt      Code = "S6"
	PersonDead    Code = "S200"
	PersonGone    Code = "S201" // emigrated
	PersonBlocked Code = "S202" // protected, or has objected
)

func refuse(kind fault.Kind, code Code, detail string) error {
	return &Refusal{Code: code, Detail: detail, kind: kind}
}

// Number reads a search number. A field that is empty is told as clients know
// it.
func (s *Sweden) Number(field, text string) (identity.SwedishNumber, error) {
	if strings.TrimSpace(text) == "" {
		return identity.SwedishNumber{}, refuse(fault.Invalid, NoMatch, field+": it is missing")
	}
	n, err := identity.ParseSwedishNumber(text, s.Now())
	if err != nil {
		return n, refuse(fault.Invalid, BadInput, field+": "+err.Error())
	}
	return n, nil
}

// company is the organisation with a number. A sole trader's is the person's own
// in ten digits.
func (s *Sweden) company(ctx context.Context, n identity.SwedishNumber) (company.Company, error) {
	c, err := s.Companies.Lookup(ctx, string(company.NewID("SE", n.Short())))
	if errors.Is(err, fault.Missing) || errors.Is(err, fault.Invalid) {
		return c, refuse(fault.Missing, NoMatch, "there is no organisation with this number")
	}
	return c, err
}

// active refuses a company of which no report is given.
func active(c *company.Company) error {
	text := strings.ToLower(c.StatusText)
	switch {
	case c.Status == company.NonActive || c.Dissolved != "":
		return refuse(fault.Denied, Inactive, "the organisation is not active any more")
	case c.Status == company.Pending && (strings.Contains(text, "bankrupt") || strings.Contains(text, "konkurs")):
		return refuse(fault.Denied, Bankrupt, "the organisation is bankrupt")
	}
	return nil
}

// person is the one with a number. Of who has died, left or may not be shown
// there is no report. test asks for an entry of the register's test data, which
// nobody else is told of.
func (s *Sweden) person(ctx context.Context, n identity.SwedishNumber, test bool) (identity.Held, identity.Consumer, error) {
	id := identity.NewID("SE", n.Digits)
	h, c, err := s.People.Consumer(ctx, id)
	reject := func(code Code, detail string) error {
		return &Refusal{Code: code, Detail: detail, About: id, kind: fault.Denied}
	}
	switch {
	case errors.Is(err, fault.Missing), err == nil && c.Test != test:
		return h, c, refuse(fault.Missing, NoMatch, "there is nobody with this number")
	case identity.IsHidden(err):
		return h, c, reject(PersonBlocked, "nothing is told of this person")
	case err != nil:
		return h, c, err
	case c.Death != "":
		return h, c, reject(PersonDead, "the person died on "+string(c.Death))
	case c.Emigrated != "":
		return h, c, reject(PersonGone, "the person left for "+c.Emigrated)
	}
	return h, c, nil
}

// A Report is what a company or a person is told as, in the blocks that were
// asked for.
type Report struct {
	Company  *company.Company
	Board    []Signer // of a company, where it was asked for
	Consumer *identity.Consumer
	Notices  []identity.Right
	Blocks   []Block
}

// ID is the person's, if the report is about one.
func (r *Report) ID() identity.ID {
	if r.Consumer == nil {
		return ""
	}
	return r.Consumer.ID()
}

// A Block is a part of a report.
type Block string

const (
	BasicBlock   Block = "BASIC"    // name, number, address, status
	BoardBlock   Block = "BOARD"    // who runs a company
	FiguresBlock Block = "ACCOUNTS" // of a company
	RatingBlock  Block = "RATING"   // score and limit
	RemarksBlock Block = "REMARKS"  // judgments, insolvencies, notices
	IncomesBlock Block = "INCOME"   // of a person
	FullBlock    Block = "FULL"
)

// Blocks are all of them.
func Blocks() []Block {
	return []Block{
		BasicBlock, BoardBlock, FiguresBlock, RatingBlock, RemarksBlock, IncomesBlock, FullBlock,
	}
}

// Data returns the blocks of a company or a person.
func (s *Sweden) Data(ctx context.Context, number, blocks string) (Report, error) {
	n, err := s.Number("searchnumber", number)
	if err != nil {
		return Report{}, err
	}
	var r Report
	for name := range strings.SplitSeq(blocks, ",") {
		b := Block(strings.ToUpper(strings.TrimSpace(name)))
		if !slices.Contains(Blocks(), b) {
			return Report{}, refuse(fault.Invalid, BadInput, "blockname: it is one of "+blockNames())
		}
		r.Blocks = append(r.Blocks, b)
	}
	if n.IsPerson() {
		h, c, err := s.person(ctx, n, false)
		if !errors.Is(err, fault.Missing) {
			r.Consumer, r.Notices = &c, h.Notices()
			return r, err
		}
	}
	c, err := s.company(ctx, n)
	if err == nil {
		err = active(&c)
	}
	if err == nil && r.Has(BoardBlock) {
		var b Board
		b, err = s.board(ctx, &c, func(*Board) {})
		r.Board = b.Signers
	}
	r.Company = &c
	return r, err
}

func blockNames() string {
	var out []string
	for _, b := range Blocks() {
		out = append(out, string(b))
	}
	return strings.Join(out, ", ")
}

// Has reports whether a block was asked for.
func (r *Report) Has(b Block) bool {
	return slices.Contains(r.Blocks, b) || slices.Contains(r.Blocks, FullBlock)
}

// Letter keeps the copy that a person gets of what somebody was told of them.
func (s *Sweden) Letter(ctx context.Context, by auth.Caller, id identity.ID, service, told string) error {
	return s.People.Store.AddLetter(ctx, identity.Letter{
		Consumer: id, At: s.Now().UTC().Truncate(time.Millisecond), Customer: by.Customer, Service: service, Told: told,
	})
}

// Register returns somebody of the population register. test asks for the
// register's test data, which is about nobody.
func (s *Sweden) Register(ctx context.Context, number string, test bool) (identity.Held, identity.Consumer, error) {
	n, err := s.Number("searchnumber", number)
	if err != nil {
		return identity.Held{}, identity.Consumer{}, err
	}
	if !n.IsPerson() {
		return identity.Held{}, identity.Consumer{}, refuse(fault.Invalid, BadInput, "searchnumber: it is an organisation's")
	}
	return s.person(ctx, n, test)
}
