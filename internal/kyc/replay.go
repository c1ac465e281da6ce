package kyc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/match"
)

// ReplayStore is what replays ask of a database.
type ReplayStore interface {
	// KYCAnswer returns a search of any customer with the hits that it was
	// answered with, and whose it is. What schedules found later is not among
	// them.
	KYCAnswer(ctx context.Context, id SearchID) (auth.CustomerID, Search, []SavedHit, error)
}

// A Replay is what became of asking a search again, on the lists as they were.
type Replay struct {
	Search   Search
	Customer auth.CustomerID
	Kept     int      // hits that it was answered with
	Found    int      // hits now
	Differs  []string // entries that were found then and not now, or the other way, or otherwise
}

// Replay asks a search again, of the versions of the lists that it was answered
// from, and holds every hit and every number in it against what was kept. A
// search that another version of the engine answered is a fault.Conflict: what
// that would have said is not imitated.
func (s *Screener) Replay(ctx context.Context, in ReplayStore, id SearchID) (r Replay, err error) {
	if !isID(string(id)) {
		return r, fault.Missing.Errorf(NoSearch)
	}
	var kept []SavedHit
	if r.Customer, r.Search, kept, err = in.KYCAnswer(ctx, id); err != nil {
		return r, err
	}
	if now := match.Version(); r.Search.Looked.Engine != now {
		return r, fault.Conflict.Errorf("the search was answered by version %s of the engine, and this is %s: only the same can answer it again", r.Search.Looked.Engine, now)
	}
	then, err := s.asOf(ctx, r.Search.Looked.Coverage)
	if err != nil {
		return r, err
	}
	hits, _, err := then.Screen(ctx, r.Search.Subject, r.Search.Options)
	if err != nil {
		return r, err
	}
	r.Kept, r.Found = len(kept), len(hits)
	r.Differs, err = differences(kept, hits)
	return r, err
}

// asOf is a screener that knows the lists as a search found them.
func (s *Screener) asOf(ctx context.Context, c Coverage) (*Screener, error) {
	var held []Held
	for _, l := range c.Lists {
		err := s.Store.EntriesOf(ctx, l.List, l.Version, func(h Held) error {
			held = append(held, h)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	index := &Index{Store: s.Store}
	if err := index.fill(held, Edition{Lists: c.Lists, Change: c.Change}); err != nil {
		return nil, err
	}
	return &Screener{Index: index, Store: s.Store, Now: func() time.Time { return s.Now() }}, nil
}

// differences holds hits against those that were kept, to the last bit of their
// numbers.
func differences(kept []SavedHit, hits []Hit) (out []string, err error) {
	was := make(map[EntryID]*SavedHit, len(kept))
	for i := range kept {
		was[kept[i].Entry] = &kept[i]
	}
	for i := range hits {
		h := &hits[i]
		old, known := was[h.ID]
		delete(was, h.ID)
		if !known {
			out = append(out, fmt.Sprintf("entry %s of %s: found now, and not then", h.Entry.Number, h.Entry.List))
			continue
		}
		a, err := json.Marshal(old.Verdict.Verdict)
		if err != nil {
			return nil, err
		}
		b, err := json.Marshal(h.Verdict)
		if err != nil {
			return nil, err
		}
		if old.Since != h.Since || old.Score != h.Score || !bytes.Equal(a, b) {
			out = append(out, fmt.Sprintf("entry %s of %s: score %d then and %d now", h.Entry.Number, h.Entry.List, old.Score, h.Score))
		}
	}
	for id, old := range was {
		out = append(out, fmt.Sprintf("entry with our number %d: found then with score %d, and not now", id, old.Score))
	}
	slices.Sort(out)
	return out, nil
}
