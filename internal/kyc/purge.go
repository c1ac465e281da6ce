package kyc

import (
	"context"
	"time"

	"bureau/internal/auth"
)

// A SubjectKey names somebody whom a customer searched for, without a name.
type SubjectKey struct {
	Customer auth.CustomerID
	Sought   string
}

// A Purge is what was removed of a subject, and what is left of it: nothing,
// unless something went wrong.
type Purge struct {
	Of       SubjectKey
	Searches []SearchID
	Removed  map[string]int64 // rows, by table
	Left     map[string]int64 // rows that still are about the subject, by table
	Named    int64            // entries of the audit log that named it by a hash; its key is gone
	Profiles int64            // to which its searches were linked. They stay: they are files of their own
}

// PurgeStore is what purging asks of a database.
type PurgeStore interface {
	ReplayStore

	// PurgeSubject removes all that is held on a subject, in one transaction:
	// its searches with their hits, decisions, schedules and links, the rows of
	// batches that made them or for which same holds, reports that may name it,
	// answers kept for repeated calls, and the secret that ties the audit log's
	// hash to it. The audit log itself stays as it is.
	PurgeSubject(ctx context.Context, of SubjectKey, mark func(secret []byte) string, same func(BatchLine) bool) (Purge, error)

	// Traces counts rows that are about a subject or its searches, by table;
	// tables without any are left out.
	Traces(ctx context.Context, of SubjectKey, ids []SearchID) (map[string]int64, error)

	// OldSubjects returns subjects none of whose searches was made or changed
	// since a time, or is on a schedule, at most limit.
	OldSubjects(ctx context.Context, before time.Time, limit int) ([]SubjectKey, error)
}

// Purge removes the subject of a search, with every search for it, and counts
// what is left.
func (s *Searches) Purge(ctx context.Context, in PurgeStore, id SearchID) (Purge, error) {
	customer, search, _, err := in.KYCAnswer(ctx, id)
	if err != nil {
		return Purge{}, err
	}
	return s.purge(ctx, in, SubjectKey{customer, search.Sought})
}

// PurgeOld removes subjects that nobody has searched for since a time, and says
// how many.
func (s *Searches) PurgeOld(ctx context.Context, in PurgeStore, before time.Time) (n int, err error) {
	const atOnce = 100
	for {
		list, err := in.OldSubjects(ctx, before, atOnce)
		if err != nil {
			return n, err
		}
		for _, of := range list {
			if _, err := s.purge(ctx, in, of); err != nil {
				return n, err
			}
			n++
		}
		if len(list) < atOnce {
			return n, nil
		}
	}
}

func (s *Searches) purge(ctx context.Context, in PurgeStore, of SubjectKey) (Purge, error) {
	p, err := in.PurgeSubject(ctx, of, func(secret []byte) string { return s.Mark(Search{Secret: secret, Sought: of.Sought}) }, func(l BatchLine) bool {
		r, _ := l.request()
		who := Subject{Person: r.Person, Name: clean(r.Name), First: clean(r.First), Middle: clean(r.Middle), Last: clean(r.Last)}
		return s.Fingerprint(who.sought()) == of.Sought
	})
	if err != nil {
		return p, err
	}
	p.Left, err = in.Traces(ctx, of, p.Searches)
	return p, err
}
