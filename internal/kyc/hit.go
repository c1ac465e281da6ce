package kyc

import (
	"context"
	"time"

	"bureau/internal/auth"
	"bureau/internal/match"
)

// A HitID is the number of a hit that was kept: a random UUID.
type HitID string

// A SavedHit is a hit of a search that was kept, and what was decided about it.
type SavedHit struct {
	ID        HitID
	Search    SearchID
	Entry     EntryID
	Since     int64 // the version of its list in which the entry was found
	Score     int
	Verdict   Verdict
	Decision  Decision
	Note      string
	DecidedAt time.Time // zero until somebody decided
	DecidedBy auth.AccountID
	CreatedAt time.Time

	// Supersedes is an earlier hit of the same subject and entry, of this search
	// or another; empty if there is none. Current is false once a later hit of
	// the same search took its place.
	Supersedes HitID
	Current    bool
	Alert      int64 // the number of the alert that told of it; 0 if none did

	// What follows is there when a hit is read to be shown.
	Listed  Entry
	Earlier *SavedHit
}

// A Verdict is how a subject and an entry compare.
type Verdict struct {
	match.Verdict
	Match   string   // the name of the entry that is nearest
	Changes []string // what changed since an earlier hit was decided
	// Left is when the entry left its list, once that was told of.
	Left time.Time `json:",omitzero"`
}

// A HitQuery says which hits to list: the likeliest first.
type HitQuery struct {
	Search    SearchID
	Decisions []Decision // none: all
	After     *HitPlace
	Skip      int
	Limit     int
}

// A HitPlace is a place in a list of hits: the last one seen.
type HitPlace struct {
	Score int
	ID    HitID
}

// nearest is the name of an entry that a subject is nearest to.
func (e *Entry) nearest(q match.Subject) string {
	best, score := e.Main(), -1.0
	if len(e.Names) == 1 {
		return best
	}
	for _, n := range e.Names {
		one := match.Subject{Kind: q.Kind, Names: []match.Alias{{Name: match.Read(q.Kind, n.Text)}}}
		if one.Names[0].Name.Empty() {
			continue
		}
		if s := match.Compare(match.Subject{Kind: q.Kind, Names: q.Names}, one).Score; s > score {
			best, score = n.Text, s
		}
	}
	return best
}

// show fills in what hits are of.
func (s *Searches) show(ctx context.Context, by auth.Caller, hits []SavedHit) error {
	all := make([]*SavedHit, 0, 2*len(hits))
	var earlier []HitID
	for i := range hits {
		all = append(all, &hits[i])
		if hits[i].Supersedes != "" {
			earlier = append(earlier, hits[i].Supersedes)
		}
	}
	if len(earlier) > 0 {
		held, err := s.Store.KYCHitsByID(ctx, by, earlier)
		if err != nil {
			return err
		}
		for i := range hits {
			if e, ok := held[hits[i].Supersedes]; ok {
				hits[i].Earlier = &e
				all = append(all, &e)
			}
		}
	}
	return s.list(ctx, all)
}

// list reads the entries of hits, each in the version in which it was found. An
// entry is asked for once in a round, so that two of its versions take two.
func (s *Searches) list(ctx context.Context, hits []*SavedHit) error {
	for len(hits) > 0 {
		since := map[EntryID]int64{}
		var now, later []*SavedHit
		for _, h := range hits {
			if v, asked := since[h.Entry]; asked && v != h.Since {
				later = append(later, h)
				continue
			}
			since[h.Entry] = h.Since
			now = append(now, h)
		}
		held, err := s.Screener.Store.EntriesSince(ctx, since)
		if err != nil {
			return err
		}
		for _, h := range now {
			kept, there := held[h.Entry]
			if !there {
				continue
			}
			if h.Listed, err = kept.Entry(); err != nil {
				return err
			}
			h.Listed.addSources(kept)
		}
		hits = later
	}
	return nil
}
