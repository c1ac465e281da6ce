package monitor

import (
	"context"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
)

// Store is what monitoring asks of a database. Package storetest holds every
// promise made here to account.
//
// Every method with a caller sees and changes only what the caller may: its own
// portfolios and those shared with it. What belongs to others is a
// fault.Missing, like what does not exist; what may be seen but not done is a
// fault.Denied.
type Store interface {
	PortfolioStore
	MemberStore
	RuleStore
	QuietStore
	EventStore
}

// PortfolioStore keeps portfolios.
type PortfolioStore interface {
	// CreatePortfolio keeps a new portfolio of the caller's and returns it with
	// its number. A name that the caller has given already is a fault.Conflict.
	// A new default takes the place of the last one.
	CreatePortfolio(ctx context.Context, by auth.Caller, p Portfolio) (Portfolio, error)

	// Portfolio returns a portfolio and what the caller may do with it.
	Portfolio(ctx context.Context, by auth.Caller, id PortfolioID) (Portfolio, Rights, error)

	// Portfolios lists what the caller may see, in the order of their numbers.
	Portfolios(ctx context.Context, by auth.Caller) ([]Portfolio, []Rights, error)

	// EditPortfolio changes a portfolio. Nobody else changes it meanwhile. To
	// set Default needs Own.
	EditPortfolio(ctx context.Context, by auth.Caller, id PortfolioID, edit func(*Portfolio) error) error

	// DeletePortfolio takes a portfolio away with its companies, rules, shares
	// and events.
	DeletePortfolio(ctx context.Context, by auth.Caller, id PortfolioID) error

	// Shares lists who may do what with a portfolio, in the order of accounts.
	// SharePortfolio replaces the rights of those named; no rights take a share
	// away. all takes away every share first.
	Shares(ctx context.Context, by auth.Caller, id PortfolioID) ([]Share, error)
	SharePortfolio(ctx context.Context, by auth.Caller, id PortfolioID, all bool, list []Share) error
}

// MemberStore keeps the companies in portfolios. What is added is watched for
// the changes that come after; what is removed, for those that came before.
type MemberStore interface {
	// AddMembers puts companies in. Those that are there already stay as they
	// are and are returned. A company that the register does not know is a
	// fault.Missing, and none is put in.
	AddMembers(ctx context.Context, by auth.Caller, id PortfolioID, list []Member) (there []company.ID, err error)

	// ReplaceMembers makes the list the portfolio's whole content, and needs
	// both Add and Remove. Notes of companies that stay are replaced.
	ReplaceMembers(ctx context.Context, by auth.Caller, id PortfolioID, list []Member) (added, removed int, err error)

	// RemoveMembers takes companies out; nil takes out all. It returns how many
	// were in.
	RemoveMembers(ctx context.Context, by auth.Caller, id PortfolioID, list []company.ID) (int, error)

	// MoveMembers puts companies of one portfolio into others, with their
	// notes, and takes them out of the first if out is set; nil means all. It
	// returns for how many pairs of portfolio and company that was done, and
	// how many there were: a company that is there already, or is not in the
	// first, is not done. What was put into none of the others stays in the
	// first.
	MoveMembers(ctx context.Context, by auth.Caller, from PortfolioID, to []PortfolioID, list []company.ID, out bool) (done, all int, err error)

	// Member returns a company of a portfolio; EditMember changes its notes.
	Member(ctx context.Context, by auth.Caller, id PortfolioID, of company.ID) (Member, error)
	EditMember(ctx context.Context, by auth.Caller, id PortfolioID, of company.ID, edit func(*Member) error) error

	// Members lists a portfolio's companies, in the order of their IDs or the
	// one that is asked for, the same on every engine; Countries lists their
	// countries, in order, and Bands counts them by band.
	Members(ctx context.Context, by auth.Caller, id PortfolioID, q MemberQuery) (Members, error)
	Countries(ctx context.Context, by auth.Caller, id PortfolioID) ([]string, error)
	Bands(ctx context.Context, by auth.Caller, id PortfolioID) (Bands, error)

	// Names is that of EngineStore.
	Names(ctx context.Context, of []company.ID) (map[company.ID]string, error)
}

// RuleStore keeps which rules are on.
type RuleStore interface {
	// Settings returns the rules that are on, in the order of country and
	// code.
	Settings(ctx context.Context, by auth.Caller, id PortfolioID) ([]Setting, error)

	// SwitchRules sets rules of a country, which were checked; others stay. What
	// is left out of a switch stays as well: Switch.Over decides, and nobody
	// else changes the rule meanwhile. If one cannot be set, none is. What is
	// set to what it is already keeps its version. SwitchAllOff does what its
	// name says.
	SwitchRules(ctx context.Context, by auth.Caller, id PortfolioID, country string, list []Switch) error
	SwitchAllOff(ctx context.Context, by auth.Caller, id PortfolioID) error
}

// EventStore keeps events for those who read them.
type EventStore interface {
	// Events lists events. Their total is exact, and is not counted row by row
	// unless Search or Company is set; of a day that From or To cuts, at most
	// half is. A company without events that is not in the portfolio that was
	// asked about is a fault.Missing.
	Events(ctx context.Context, by auth.Caller, q EventQuery) (Events, error)

	// EventsByDay counts events by the day of their change, from one day to
	// another, both included; days without events are left out. Portfolio 0 is
	// all that the caller may see.
	EventsByDay(ctx context.Context, by auth.Caller, id PortfolioID, from, to time.Time) ([]Day, error)

	// MarkEvents sets events to processed, or back, and returns how many were
	// not so before. To mark an event twice is to mark it once; the time of
	// the first mark stays. One event that is not there is a fault.Missing.
	MarkEvents(ctx context.Context, by auth.Caller, m Mark) (int64, error)

	// ForgetEvents takes away at most limit events that were made before the
	// day of a time, and returns how many.
	ForgetEvents(ctx context.Context, before time.Time, limit int) (int64, error)
}

// EngineStore is what the engine asks of a database. It speaks for nobody: what
// it reads is told only to those who may see it.
type EngineStore interface {
	// RulesAfter returns the settings, and the silences and windows, that were made or
	// ended since a number each, in order. Numbers become visible in order; to end
	// one gives it a new one.
	RulesAfter(ctx context.Context, settings, quiets int64) ([]Setting, []Quiet, error)

	// Watchers calls each for the portfolios that watch some companies. Where it is
	// no more trouble, as for a few, it returns what they are called as well.
	Watchers(ctx context.Context, of []company.ID, each func(Watcher)) (map[company.ID]string, error)

	// Names returns what companies are called or, where they are gone, what
	// they were called last. Those that never were are left out.
	Names(ctx context.Context, of []company.ID) (map[company.ID]string, error)

	// Tell keeps events and how far their makers have come, in one transaction.
	// The events get the next numbers, in their order. Events of portfolios
	// that are gone, and events that are there already, are left out. A fence
	// that was passed by another is a fault.Conflict, and nothing is kept. A
	// place without a number stays where it is. It returns how many events were
	// kept.
	Tell(ctx context.Context, events []Event, to []job.Place) (int, error)

	// Unwatch forgets the watchers that ended at or before a change that every
	// shard has passed. Settings stay: they say why an event was told.
	Unwatch(ctx context.Context, before int64) error
}

// A Watcher is a portfolio that watches a company, for the changes with numbers
// above Since, up to Until.
type Watcher struct {
	Company   company.ID
	Portfolio PortfolioID
	Customer  auth.CustomerID
	Since     int64
	Until     int64
}
