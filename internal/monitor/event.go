package monitor

import (
	"cmp"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
)

// An EventID is an event's number. It only grows, and no reader sees a number
// before it sees every lower one.
type EventID int64

// An Event tells a portfolio of a change. There is one for each portfolio,
// change and rule.
type Event struct {
	ID          EventID
	Customer    auth.CustomerID
	Portfolio   PortfolioID
	In          string // the portfolio's name, when the event is read
	Company     company.ID
	Name        string // of the company, when the event was made
	SafeNo      string // the company's own, when the event is read; see SafeNumber
	Country     string // of the rule: Everywhere, or the company's
	Rule        int
	Version     int   // of the rule
	Setting     int64 // which setting of the portfolio's fired
	Change      int64
	Field       company.Field
	Source      string // of the change
	Old, New    string
	Why         string
	At          time.Time // when the change happened
	CreatedAt   time.Time
	ProcessedAt time.Time // zero until somebody marks it
}

// AMLAlert is the field of an event that tells of a hit of a repeated search
// instead of a change of a company. It is in no portfolio: Portfolio is AlertsOf
// the customer, Company the number of the search, so that the alerts of one
// search stay in order, and New what package kyc says of it.
const AMLAlert company.Field = "kyc.alert"

// AlertsOf is where a customer's AML alerts are. It is no portfolio, and shared
// with nobody.
func AlertsOf(of auth.CustomerID) PortfolioID { return -PortfolioID(of) }

// IsAlert reports whether the event tells of a hit of a repeated search.
func (e *Event) IsAlert() bool { return e.Portfolio < 0 }

// Processed reports whether somebody marked the event as dealt with.
func (e *Event) Processed() bool { return !e.ProcessedAt.IsZero() }

// SafeNumber is the company's safe number, as every other answer has it: its
// own, or the one that is made of its ID.
func (e *Event) SafeNumber() string { return cmp.Or(e.SafeNo, e.Company.SafeNo()) }

// A Sort is the order of a list of events.
type Sort int

const (
	ByName Sort = iota // of the company
	ByCountry
	ByID
	ByDate // of the change
)

// EventQuery says which events to list.
type EventQuery struct {
	Portfolio PortfolioID // 0: all that the caller may see
	Company   company.ID  // "": all
	Member    bool        // only in portfolios that hold the company now
	Processed *bool       // nil: both
	From, To  time.Time   // zero: no bound; From is in, To is in
	ByCreated bool        // the bounds are about CreatedAt
	Search    string      // part of the company's name or ID, its safe number, or part of the rule's name
	Sort      Sort
	Down      bool // from the last to the first

	After *Position // only what comes behind it in this order
	Skip  int
	Limit int
}

// A Position is a place in a list of events: the last one seen.
type Position struct {
	Name    string
	Country string
	At      time.Time
	Made    time.Time
	ID      EventID
}

// Position is where an event stands.
func (e *Event) Position() Position {
	return Position{Name: SortName(e.Name), Country: e.Company.Country(), At: e.At, Made: e.CreatedAt, ID: e.ID}
}

// Events is a page of a list. More says that something comes behind it.
type Events struct {
	List  []Event
	Total int64
	More  bool
}

// Day counts the events of one day.
type Day struct {
	Day    time.Time // at midnight
	Events int64
}

// A Mark sets events of a portfolio to processed, or back.
type Mark struct {
	Portfolio PortfolioID // 0: all that the caller may change
	Event     EventID     // one, or
	UpTo      EventID     // all up to this one
	Processed bool
}
