package kyc

import (
	"context"
	"time"

	"bureau/internal/company"
)

// Store is what screening asks of a database. Each method is one transaction.
// Package storetest holds every promise made here to account.
type Store interface {
	// BeginList begins a new version of a list, and gives it a number higher
	// than any before, of any list. What an earlier begin put aside and did not
	// publish is gone, and putting more aside under it, or publishing it, is a
	// fault.Conflict.
	BeginList(ctx context.Context, list string) (version int64, err error)

	// EntryPrints visits the entries of the newest published version of a list,
	// in the order of their numbers.
	EntryPrints(ctx context.Context, list string, visit func(number string, p Print)) error

	// PutAside keeps entries for the version that was begun, each in the place
	// of the one with its number that was put aside before. Nobody sees them.
	// Entries without an ID get the next ones in their order, unless their number
	// had one before; all are returned in the order of the entries.
	PutAside(ctx context.Context, list string, version int64, entries []Draft) ([]EntryID, error)

	// PublishList puts a version in force: what was put aside takes the place of
	// what there was, what p.Gone names goes, and the rest stays. Every entry
	// that came, changed or went is a change in the log, in the order of their
	// IDs. All of it becomes visible at once. A version in which nothing changes
	// makes no new one; only its day is kept.
	PublishList(ctx context.Context, p Publication) (Version, error)

	// DropAside gives a version up that was begun. One that is not open any more
	// is left alone.
	DropAside(ctx context.Context, list string, version int64) error

	// ConfirmList says that a list was seen to be the publisher's newest.
	ConfirmList(ctx context.Context, list string, at time.Time) error

	// LoadedLists returns the lists that have a published version, by name.
	LoadedLists(ctx context.Context) ([]Loaded, error)

	// ListVersions returns the versions of a list, the newest first.
	ListVersions(ctx context.Context, list string, limit int) ([]Version, error)

	// VersionOn returns the version of a list that was in force at a moment. If
	// there was none it is a fault.Missing.
	VersionOn(ctx context.Context, list string, at time.Time) (Version, error)

	// Standing visits every entry of every list in its newest version, and
	// returns what it was: the lists and the last number of the log, all from
	// one state of the database.
	Standing(ctx context.Context, visit func(Held) error) (Edition, error)

	// EntriesOf visits the entries of a list as a version of it left them.
	EntriesOf(ctx context.Context, list string, version int64, visit func(Held) error) error

	// Entry returns an entry by its list and number, as a version of the list
	// left it. If it was not in it, it is a fault.Missing.
	Entry(ctx context.Context, list, number string, version int64) (Held, error)

	// Entries returns the newest version of each entry, published and
	// still listed. One that is not is left out.
	Entries(ctx context.Context, ids []EntryID) (map[EntryID]Held, error)

	// EntriesSince returns entries in the versions that began with the numbers
	// given, newest or not.
	EntriesSince(ctx context.Context, since map[EntryID]int64) (map[EntryID]Held, error)

	// EntryChanges returns the changes after a number, in their order. Numbers
	// become visible in order: who sees one sees all before it.
	EntryChanges(ctx context.Context, after int64, limit int) ([]Change, error)

	// LastEntryChange is the last number of the log.
	LastEntryChange(ctx context.Context) (int64, error)
}

// A Print tells whether an entry is what it was.
type Print struct {
	ID   EntryID
	Hash int64
}

// A Draft is an entry that is put aside.
type Draft struct {
	ID     EntryID // 0: give it one
	Number string
	Hash   int64
	Facts  []byte // as pack writes them
	Undo   bool   // what was put aside under its number is not: it is as it was
}

// A Publication is what is to come into force.
type Publication struct {
	List    string
	Version int64
	Gone    []EntryID
	File    string
	At      time.Time
	AsOf    company.Date // the publisher's own date; empty if it names none
}

// A Held is an entry as it is kept.
type Held struct {
	ID         EntryID
	List       string
	Number     string
	Since      int64     // the version that it came or last changed with
	FirstAdded time.Time // when it was first on the list with us
	Facts      []byte
}

// Entry reads what is kept.
func (h Held) Entry() (Entry, error) { return Unpack(h.List, h.Number, h.Facts) }

// An Edition is a state of all lists.
type Edition struct {
	Lists  []Loaded
	Change int64 // the last number of the log
}
