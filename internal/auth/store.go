package auth

import (
	"context"
	"time"
)

// Store is what auth asks of a database. Package storetest holds every promise
// made here to account.
//
// Accounts, keys, login attempts and the audit log are one shared record with
// one order. Numbers in it become visible in order: who has seen number n has
// seen everything below n.
type Store interface {
	// News returns what was added to the record after seen. It waits for
	// nobody.
	News(ctx context.Context, seen Seen) (News, error)

	// Turn holds the one lock of the record from before it reads the news
	// until what act returns is committed: no other turn, on this node or
	// another, happens in between. If act or the commit fails, nothing is
	// added. Whatever was added when Turn returns is on disk. A user key, an
	// e-mail address or a customer's name that is already used is a
	// fault.Conflict.
	Turn(ctx context.Context, seen Seen, act func(News) (Record, error)) error

	// Carry is Turn with what other rooms have kept in the same transaction,
	// before it holds the lock. If any of it cannot be kept nothing is, act is
	// not called, and the error is an Unkept.
	Carry(ctx context.Context, seen Seen, loads []Load, act func(News) (Record, error)) error

	// AuditLog calls each for every audit entry with a number above after, in
	// order, until each fails.
	AuditLog(ctx context.Context, after int64, each func(Entry) error) error

	// AuditHead returns the last entry's number and sum with its seal, and
	// every signed head, oldest first.
	AuditHead(ctx context.Context) (Head, []SignedHead, error)

	// AuditGone returns what was let go of the audit log, oldest first.
	AuditGone(ctx context.Context) ([]Gone, error)

	// LetGo takes away the entries of a stretch, and the signed heads in it, and
	// keeps what is left of it, all or nothing. A stretch that does not follow
	// what is gone already, since another node was faster, is left alone: then
	// it is a fault.Conflict.
	LetGo(ctx context.Context, g Gone) error

	// Usage returns the calls counted for a customer (0: for all) from the
	// first day to the last, added up by customer, account, product, country
	// and month, in that order.
	Usage(ctx context.Context, customer CustomerID, from, to Date) ([]Usage, error)

	// ForgetAttempts drops login attempts made before a time, and revocations
	// of tokens that had expired by then.
	ForgetAttempts(ctx context.Context, before time.Time) error

	// SpendCalls adds one node's counts of protected calls since it last did,
	// and returns what all other nodes counted per account and slot from slot
	// since on. Slots before that may be dropped.
	SpendCalls(ctx context.Context, node string, counts []CallCount, since int64) ([]CallCount, error)
}

// Seen is how much of the record a node knows.
type Seen struct {
	Access   int64 // customers, accounts, keys, revocations
	Attempts int64 // login attempts
}

// News is what happened since, and what it takes to add more.
type News struct {
	Seen      Seen      // as of now
	Now       time.Time // by the one clock that all nodes share
	Customers []Customer
	Accounts  []Account
	Keys      []Key
	Revoked   []Revocation
	Attempts  []Attempt
	Head      Head  // only in a turn
	NextID    int64 // only in a turn: the first number not given to anyone yet
}

// A Record is what a turn adds. Customers, accounts and keys replace those with
// the same ID; a new one has an ID from NextID on.
type Record struct {
	Customers []Customer
	Accounts  []Account
	Keys      []Key
	Revoked   []Revocation
	Attempts  []Attempt
	Entries   []Entry // numbered and summed, following the head
	Head      Head    // the new one; zero if there are no entries
	Signed    *SignedHead
	Usage     []Usage
	NextID    int64 // zero if no number was taken
}

// A Revocation refuses one token until it would have expired anyway.
type Revocation struct {
	TokenID string
	Expires time.Time
}

// Usage is how often something was called.
type Usage struct {
	Customer CustomerID
	Account  AccountID
	Product  Product
	Country  string // "" where the call has none
	Day      Date   // in a sum over a month: its first
	Calls    int64
}

// A CallCount is how many protected calls an account made in one slot of time.
type CallCount struct {
	Account AccountID
	Slot    int64
	Calls   int64
}
