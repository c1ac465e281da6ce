package identity

import (
	"context"
	"time"

	"bureau/internal/auth"
)

// Store is what identity asks of a database. Each method is one transaction.
// Package storetest holds every promise made here to account.
type Store interface {
	// EditConsumers loads what is held of consumers, lets edit say what to keep
	// of them, and saves that whole or, if edit fails, not at all. Unknown ones
	// are not among what edit is given, but for the rights of one that is not
	// held any more. No other edit of the same consumers happens in between. turn is the number of the import; a consumer that a
	// later turn has kept stays that turn's.
	EditConsumers(ctx context.Context, turn int64, ids []ID, edit func(map[ID]Held) (Update, error)) error

	// OldConsumers returns consumers that no turn from this one on has kept, at
	// most limit, in order.
	OldConsumers(ctx context.Context, turn int64, limit int) ([]ID, error)

	// Consumers returns what is held of consumers. Unknown ones are left out.
	Consumers(ctx context.Context, ids []ID) (map[ID]Held, error)

	// FindConsumers returns the consumers that go by all of some keys, in order,
	// at most limit.
	FindConsumers(ctx context.Context, keys []string, limit int) ([]ID, error)

	// ConsumersByKey returns who goes by each of some keys, in order. Keys that
	// nobody goes by are left out.
	ConsumersByKey(ctx context.Context, keys []string) (map[string][]ID, error)

	// ConsumerChanges returns what became different about a consumer at some
	// time or later, the newest first.
	ConsumerChanges(ctx context.Context, id ID, since time.Time) ([]Change, error)

	// AddIdentitySearch saves what a customer asked and was told.
	AddIdentitySearch(ctx context.Context, by auth.Caller, s Search) error

	// IdentitySearch returns a search of the caller's customer. Someone else's is
	// a fault.Missing, exactly like one that does not exist.
	IdentitySearch(ctx context.Context, by auth.Caller, id string) (Search, error)

	// UpdateIdentitySearch loads a search, lets edit change it and saves the
	// result, or saves nothing if edit fails. Someone else's is a fault.Missing.
	UpdateIdentitySearch(ctx context.Context, by auth.Caller, id string, edit func(*Search) error) (Search, error)

	// IdentitySearches lists searches of the caller's customer, the newest first,
	// and says how many there are on all pages.
	IdentitySearches(ctx context.Context, by auth.Caller, q SearchQuery) ([]Search, int64, error)

	// SearchesOf returns when customers searched for a consumer and why, from some
	// time on, the newest first. It does not say who.
	SearchesOf(ctx context.Context, id ID, since time.Time) ([]Enquiry, error)

	// AddLetter saves the copy that a person gets of what somebody was told about
	// them. LettersOf returns a person's, the newest first.
	AddLetter(ctx context.Context, l Letter) error
	LettersOf(ctx context.Context, id ID) ([]Letter, error)
}

// An Update is what an edit keeps.
type Update struct {
	Keep    []Kept
	Remove  []ID // with their changes; rights and letters stay
	Rights  []NewRight
	Changes []Change
	Keys    []Keyed // of who is not held, or not any more
}

// Keyed are all keys of somebody of whom nothing but rights is held.
type Keyed struct {
	Of   ID
	Keys []string
}

// Kept is a consumer to keep, with the keys by which they are found.
type Kept struct {
	Held
	Keys []string
}

// A NewRight is somebody's, who need not be known. Its ID is given by the store:
// the next one of that person.
type NewRight struct {
	Of ID
	Right
}

// A Change is one thing that became different about a consumer.
type Change struct {
	Consumer ID
	Field    Field
	At       time.Time
}

// An Enquiry is that somebody asked about a person.
type Enquiry struct {
	At     time.Time
	Reason Reason
}

// A Letter is the copy that a person gets of what a customer was told about
// them.
type Letter struct {
	Consumer ID
	At       time.Time
	Customer auth.CustomerID
	Service  string
	Told     string // in the form in which the customer got it
}

// A SearchQuery says which searches to list. What is empty does not matter.
type SearchQuery struct {
	Whole    bool // of the whole customer, not only the caller's own account
	Products []Product
	From     time.Time // this moment or later
	Until    time.Time // before this moment
	Keyword  string    // in the name or the reference
	Result   Band
	Skip     int
	Limit    int
}
