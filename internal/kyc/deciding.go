package kyc

import (
	"context"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// Hits lists the hits of a search, the likeliest first.
func (s *Searches) Hits(ctx context.Context, by auth.Caller, person bool, q HitQuery) (Search, Page[SavedHit], error) {
	search, err := s.Search(ctx, by, person, q.Search)
	if err != nil {
		return search, Page[SavedHit]{}, err
	}
	q.Search = search.ID
	page, err := s.Store.KYCHits(ctx, by, q)
	if err != nil {
		return search, page, err
	}
	return search, page, s.show(ctx, by, page.List)
}

// Hit returns a hit of a search, with what was decided about it, the last
// decision first.
func (s *Searches) Hit(ctx context.Context, by auth.Caller, person bool, id SearchID, hit HitID) (Search, SavedHit, []Ruling, error) {
	search, h, err := s.hit(ctx, by, person, id, hit)
	if err != nil {
		return search, h, nil, err
	}
	hits := []SavedHit{h}
	if err := s.show(ctx, by, hits); err != nil {
		return search, h, nil, err
	}
	past, err := s.Store.KYCHistory(ctx, by, h.ID)
	if err == nil && len(past) == 0 && h.Decision.quiet() {
		// It was taken over from the hit before.
		past, err = s.Store.KYCHistory(ctx, by, h.Supersedes)
	}
	return search, hits[0], past, err
}

func (s *Searches) hit(ctx context.Context, by auth.Caller, person bool, id SearchID, hit HitID) (Search, SavedHit, error) {
	search, err := s.Search(ctx, by, person, id)
	if err != nil {
		return search, SavedHit{}, err
	}
	if !isID(string(hit)) {
		return search, SavedHit{}, fault.Missing.Errorf(NoHit)
	}
	h, err := s.Store.KYCHit(ctx, by, search.ID, HitID(strings.ToLower(string(hit))))
	return search, h, err
}

// Decide keeps what somebody thinks of a hit. Without a decision only the note
// is new. An earlier decision stays in the history.
func (s *Searches) Decide(ctx context.Context, by auth.Caller, person bool, id SearchID, hit HitID, decision, note *string) (Search, SavedHit, error) {
	search, h, err := s.hit(ctx, by, person, id, hit)
	if err != nil {
		return search, h, err
	}
	var bad wrong
	is := h.Decision
	if decision != nil {
		if is, err = ParseDecision(*decision); err != nil {
			bad.say("decision", "%s", err)
		}
	}
	if note != nil {
		checkNote(*note, &bad)
	}
	if decision == nil && note == nil {
		bad.say("decision", "it is missing")
	}
	if err := bad.err(); err != nil {
		return search, h, err
	}
	hits := []SavedHit{h}
	if err := s.show(ctx, by, hits); err != nil {
		return search, h, err
	}
	kept, err := s.Store.DecideKYCHit(ctx, by, search, h.ID, func(now *SavedHit) Ruling {
		if decision != nil {
			now.Decision = is
		}
		if note != nil {
			now.Note = *note
		}
		now.DecidedAt, now.DecidedBy = s.now(), by.Account
		return Ruling{
			Hit: now.ID, Entry: now.Entry, Decision: now.Decision, Note: now.Note, At: now.DecidedAt, By: now.DecidedBy,
			Basis: newBasis(search.Subject, &hits[0].Listed),
		}
	})
	kept.Listed, kept.Earlier = hits[0].Listed, hits[0].Earlier
	return search, kept, err
}
