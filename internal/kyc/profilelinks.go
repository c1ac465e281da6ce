package kyc

import (
	"context"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// LinkStore is what the searches of a profile ask of a database. A profile or a
// search of another customer is a fault.Missing, exactly like one that does not
// exist.
type LinkStore interface {
	// LinkSearch makes a search one of a profile's. One that is already is a
	// fault.Conflict.
	LinkSearch(ctx context.Context, by auth.Caller, of ProfileID, id SearchID, at Act) error

	// UnlinkSearch takes a search from a profile. The search stays.
	UnlinkSearch(ctx context.Context, by auth.Caller, of ProfileID, id SearchID) error

	// LinkedSearches lists the searches of a profile, the newest first, with the
	// tallies of their hits, and says how many there are in all.
	LinkedSearches(ctx context.Context, by auth.Caller, of ProfileID, q LinkQuery) (list []Search, total int64, err error)
}

// A LinkQuery says which searches of a profile to list.
type LinkQuery struct {
	Scheduled   *bool // nil: both
	Skip, Limit int
}

// LinkSearch makes a search one of a profile's.
func (s *Profiles) LinkSearch(ctx context.Context, by auth.Caller, of ProfileID, id SearchID) error {
	if err := s.Links.LinkSearch(ctx, by, of, id, s.act(by)); err != nil {
		return err
	}
	return s.note(ctx, by, of, Deed{Action: SearchLinked, Search: string(id)})
}

// UnlinkSearch takes a search from a profile.
func (s *Profiles) UnlinkSearch(ctx context.Context, by auth.Caller, of ProfileID, id SearchID) error {
	if err := s.Links.UnlinkSearch(ctx, by, of, id); err != nil {
		return err
	}
	return s.note(ctx, by, of, Deed{Action: SearchRemoved, Search: string(id)})
}

// CanLink says whether searches can be linked to a profile: whether it is there,
// and whether there are not too many.
func (s *Profiles) CanLink(ctx context.Context, by auth.Caller, of ProfileID, n int) error {
	if n == 0 || n > maxAtOnce {
		return fault.Invalid.Details("Bad request", "searchIds: one call takes 1 to 1000")
	}
	_, err := s.Store.Profile(ctx, by, of)
	return err
}
