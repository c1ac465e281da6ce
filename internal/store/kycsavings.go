package store

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

// Searches that come at the same time are kept together, in the turn of the record
// that counts them and notes them in the audit log: one commit for all of it.

// errPurged is what the search for a subject fails with that is purged at that moment.
var errPurged = errors.New("the subject was purged meanwhile")

// errOutside is what a customer's call that would write for another customer fails with.
var errOutside = errors.New("what is to be kept belongs to another customer than the call")

// A savingRow is a search as it is written.
type savingRow struct {
	*kyc.Saving
	asked, looked string
	verdicts      []string
	secret        []byte // the subject's, once it was read
}

func newSavingRow(s *kyc.Saving) (r *savingRow, err error) {
	r = &savingRow{Saving: s, verdicts: make([]string, len(s.Hits))}
	if r.asked, err = jsonText(kycAsked{s.Search.Subject, s.Search.Options}); err != nil {
		return r, fmt.Errorf("write a search: %w", err)
	}
	if r.looked, err = jsonText(s.Search.Looked); err != nil {
		return r, fmt.Errorf("write a search: %w", err)
	}
	for i := range s.Hits {
		if r.verdicts[i], err = jsonText(s.Hits[i].Verdict); err != nil {
			return r, fmt.Errorf("write a hit: %w", err)
		}
	}
	return r, nil
}

func jsonText(v any) (string, error) {
	b, err := json.Marshal(v)
	return string(b), err
}

// kept says whether a search was kept, once its steps were run.
func (r *savingRow) kept() error {
	if r.secret == nil {
		return errPurged
	}
	r.Search.Secret = r.secret
	return nil
}

// keepParcels are the steps that keep what a turn carries, each behind the wall of the
// customer whose call handed it in, and whether they did.
func (db *DB) keepParcels(loads []auth.Load) (steps []step, kept func() error, err error) {
	type lot struct {
		wall   auth.CustomerID
		walled bool
		rows   []*savingRow
	}
	var lots []lot
	var all []*savingRow
	for _, l := range loads {
		s, ok := l.Parcel.(*kyc.Saving)
		if !ok {
			return nil, nil, fmt.Errorf("nobody knows how to keep a %T", l.Parcel)
		}
		if l.Walled && l.Wall != s.By.Customer {
			return nil, nil, errOutside
		}
		row, err := newSavingRow(s)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, row)
		i := slices.IndexFunc(lots, func(o lot) bool { return o.walled == l.Walled && o.wall == s.By.Customer })
		if i < 0 {
			i = len(lots)
			lots = append(lots, lot{wall: s.By.Customer, walled: l.Walled})
		}
		lots[i].rows = append(lots[i].rows, row)
	}
	// Two nodes that keep the same subjects wait for each other in the same order.
	slices.SortFunc(lots, func(a, b lot) int { return cmp.Compare(a.wall, b.wall) })
	for _, l := range lots {
		if l.walled {
			steps = append(steps, db.within(l.wall)...)
		}
		steps = append(steps, db.completeRows(l.wall, l.rows)...)
		steps = append(steps, db.keepSearches(l.wall, l.rows)...)
		if l.walled {
			steps = append(steps, db.without()...)
		}
	}
	return steps, func() error {
		for _, row := range all {
			if err := row.kept(); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// keepSearches are the steps that keep searches of one customer. The secret of a
// subject is that of the first search for it.
func (db *DB) keepSearches(of auth.CustomerID, list []*savingRow) []step {
	slices.SortStableFunc(list, func(a, b *savingRow) int { return cmp.Compare(a.Search.Sought, b.Search.Sought) })
	subjects := slices.CompactFunc(slices.Clone(list), func(a, b *savingRow) bool { return a.Search.Sought == b.Search.Sought })
	sought := make([]string, len(subjects))
	for i := range subjects {
		sought[i] = subjects[i].Search.Sought
	}
	steps := db.inserts("kyc_subject", []string{"customer", "sought", "secret", "created_at"}, " ON CONFLICT (customer, sought) DO NOTHING",
		len(subjects), func(i int) []any {
			s := &subjects[i].Search
			return []any{int64(of), s.Sought, s.Secret, millis(s.CreatedAt)}
		})
	steps = append(steps, step{
		query: `SELECT sought, secret FROM kyc_subject WHERE customer = $1 AND ` + db.d.oneOf("sought", "$2") + ` ` + db.d.forKey,
		args:  []any{int64(of), many(db.d, sought)},
		read: func(r row) error {
			var who string
			var secret []byte
			if err := r.Scan(&who, &secret); err != nil {
				return err
			}
			for i := range list {
				if list[i].Search.Sought == who {
					list[i].secret = secret
				}
			}
			return nil
		},
	})
	steps = append(steps, db.inserts("kyc_search", kycSearchColumns, "", len(list), func(i int) []any {
		return list[i].values(of)
	})...)
	type place struct{ of, hit int }
	var hits []place
	for i := range list {
		for h := range list[i].Hits {
			hits = append(hits, place{i, h})
		}
	}
	return append(steps, db.inserts("kyc_hit", kycHitColumns, "", len(hits), func(i int) []any {
		at := hits[i]
		return hitValues(of, &list[at.of].Hits[at.hit], list[at.of].verdicts[at.hit])
	})...)
}

var kycSearchColumns = []string{
	"id", "customer", "sought", "person", "asked", "looked", "status", "risk", "assigned_to", "note", "schedule",
	"created_at", "created_by", "modified_at", "modified_by",
}

func (r *savingRow) values(of auth.CustomerID) []any {
	s := &r.Search
	return []any{
		string(s.ID), int64(of), s.Sought, int64(b2i(s.Subject.Person)), r.asked, r.looked,
		string(s.Status), string(s.Risk), int64(s.AssignedTo), s.Note, string(s.Schedule),
		millis(s.CreatedAt), int64(s.CreatedBy), millis(s.ModifiedAt), int64(s.ModifiedBy),
	}
}

var kycHitColumns = []string{
	"id", "customer", "search", "entry", "since", "score", "verdict", "decision", "note", "decided_at", "decided_by",
	"created_at", "supersedes", "current", "alert",
}

func hitValues(of auth.CustomerID, h *kyc.SavedHit, verdict string) []any {
	return []any{
		string(h.ID), int64(of), string(h.Search), int64(h.Entry), h.Since, int64(h.Score), verdict,
		string(h.Decision), h.Note, millis(h.DecidedAt), int64(h.DecidedBy), millis(h.CreatedAt),
		string(h.Supersedes), int64(b2i(h.Current)), h.Alert,
	}
}
