package company

import (
	"context"
	"time"
)

// Store is what the register asks of a database. Package storetest holds every
// promise made here to account.
type Store interface {
	// Write holds the one lock of the register while edit looks at what is
	// held and says what to keep: no other Write, on this node or another,
	// happens in between. What edit returns is kept whole or not at all, and
	// is on disk when Write returns. Its changes get the next numbers, in
	// their order; no reader sees a number before it sees every lower one.
	Write(ctx context.Context, edit func(View) (Update, error)) error

	// Company returns what is held of a company. An unknown one is a
	// fault.Missing.
	Company(ctx context.Context, id ID) (Held, error)

	// Find returns the ID of the company with a safe number, an LEI, a VAT
	// number or a register's number. None is a fault.Missing.
	Find(ctx context.Context, what Ident) (ID, error)

	// Dossier returns a company with what is told about it elsewhere: those that call
	// it their parent by its id, and its changes, at most so many of each.
	Dossier(ctx context.Context, id ID, children, changes int) (Dossier, error)
	// FindAll returns all companies that go by an ident, in order, at most
	// limit.
	FindAll(ctx context.Context, what Ident, limit int) ([]ID, error)

	// Held, Known, Statuses and FindMany are Company and Find for many: what is
	// held of companies, whether they are known, what their status is, and who
	// goes by which ident. Unknown ones are left out.
	Held(ctx context.Context, ids []ID) (map[ID]Held, error)
	Known(ctx context.Context, ids []ID) (map[ID]bool, error)
	Statuses(ctx context.Context, ids []ID) (map[ID]Status, error)
	FindMany(ctx context.Context, idents []Ident) (map[Ident]ID, error)

	// Fingerprints calls each for every statement of a source, in the order of
	// keys.
	Fingerprints(ctx context.Context, source string, each func(key, hash int64)) error

	// Keys returns the companies of a source's statements with these keys.
	// Unknown keys are left out.
	Keys(ctx context.Context, source string, keys []int64) (map[int64]ID, error)

	// Changes returns changes with numbers above after, in order, at most
	// limit. ChangesOf returns a company's, the newest first.
	Changes(ctx context.Context, after int64, limit int) ([]Change, error)
	ChangesOf(ctx context.Context, id ID, before int64, limit int) ([]Change, error)

	// LastChange is the highest number that a reader may see.
	LastChange(ctx context.Context) (int64, error)

	// Companies calls each for every company with an ID above after, in
	// order, until each fails.
	Companies(ctx context.Context, after ID, each func(Held) error) error

	// ScoresDue returns companies whose score time alone may have changed by a
	// day, the longest due first, at most limit.
	ScoresDue(ctx context.Context, by Date, limit int) ([]ID, error)

	// Count is how many companies are held.
	Count(ctx context.Context) (int64, error)

	// BeginImport notes that a source's file is being read. If the same file
	// was begun before and not finished, it goes on where that one was: the
	// time of the first attempt is returned. FinishImport notes the result.
	BeginImport(ctx context.Context, i Import) (Import, error)
	FinishImport(ctx context.Context, i Import) error

	// Imports lists what was imported, the newest first.
	Imports(ctx context.Context, limit int) ([]Import, error)
}

// A View is the register as a Write sees it.
type View interface {
	// LastChange is the number of the last change.
	LastChange() int64
	// Held returns what is held of companies; unknown ones are left out.
	Held(ctx context.Context, ids []ID) (map[ID]Held, error)
	// Find returns the companies that go by idents; unknown ones are left out.
	Find(ctx context.Context, idents []Ident) (map[Ident]ID, error)

	// Deadlines returns when companies must file, behind one deadline and
	// before a day, in the order of days and IDs, at most limit. Undated
	// returns companies that were kept before deadlines were.
	Deadlines(ctx context.Context, after Deadline, before Date, limit int) ([]Deadline, error)
	Undated(ctx context.Context, limit int) ([]ID, error)
	// Note returns what was kept under a name by Update.Notes; "" for nothing.
	Note(ctx context.Context, name string) (string, error)
}

// A Deadline is the day on which a company's next accounts are due.
type Deadline struct {
	Day     Date
	Company ID
}

// An Ident is a number that a company goes by besides its ID.
type Ident struct {
	Kind  IdentKind
	Value string
}

// IdentKind says whose number it is.
type IdentKind string

const (
	ByLEI    IdentKind = "lei"
	ByVAT    IdentKind = "vat"
	BySafeNo IdentKind = "safe"
	ByRegNo  IdentKind = "reg"    // the value is the country and the number: "GB 03375464"
	ByParent IdentKind = "parent" // the value is the parent's LEI or ID: several companies go by it
)

// An Update is what a Write keeps.
type Update struct {
	Companies []Saved
	Removed   []ID
	Keys      []Fingerprint // replace those with the same source and key
	DropKeys  []Fingerprint // by source and key
	Changes   []Change      // their numbers are given by the store
	Notes     map[string]string
	// Reached, if any, is how far the reader has come whose results these are.
	// If another reads in its place now, nothing is kept: a fault.Conflict.
	Reached *Reached
}

// Reached is a reader's place in the log, under the fence of its lease.
type Reached struct {
	Reader string
	Number int64
	Fence  int64
}

// Saved is a company to keep, with the columns by which it is found.
type Saved struct {
	Held
	New     bool // it was not held before
	Name    string
	Country string
	Status  Status
	Band    string // of its score
	Due     Date   // of its next accounts, if the day is known
	Rerate  Date   // when its score is to be looked at again, if ever
	Idents  []Ident
}

// A Fingerprint says that a source made a statement about a company, and what
// it came to, so that the same statement need not be looked at twice.
type Fingerprint struct {
	Source  string
	Key     int64 // of the source's own name for the company
	Company ID
	Hash    int64 // of all it says
	New     bool  // nothing is held under this key
}

// An Import is one reading of a file.
type Import struct {
	ID         int64
	Source     string
	File       string // its name
	Mark       string // what tells this file from another of the same name
	StartedAt  time.Time
	FinishedAt time.Time
	Records    int64
	Refused    int64
	Unchanged  int64
	Changed    int64 // companies that became different
	Changes    int64
	Removed    int64
	Error      string
}
