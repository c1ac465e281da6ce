package kyc

import (
	"context"

	"bureau/internal/auth"
)

// A Dossier is a search with hits of it, to be filed.
type Dossier struct {
	Search Search
	Hits   []Filed
}

// A Filed is a hit with every decision about it, the last first.
type Filed struct {
	SavedHit
	Past []Ruling
}

// Dossier gathers a search and some of its hits, or all that are current if none
// is named.
func (s *Searches) Dossier(ctx context.Context, by auth.Caller, person bool, id SearchID, only []HitID) (d Dossier, err error) {
	if d.Search, err = s.Search(ctx, by, person, id); err != nil {
		return d, err
	}
	if len(only) == 0 {
		page, err := s.Store.KYCHits(ctx, by, HitQuery{Search: d.Search.ID, Limit: maxHits})
		if err != nil {
			return d, err
		}
		for i := range page.List {
			only = append(only, page.List[i].ID)
		}
	}
	for _, hit := range only {
		_, h, past, err := s.Hit(ctx, by, person, d.Search.ID, hit)
		if err != nil {
			return d, err
		}
		d.Hits = append(d.Hits, Filed{h, past})
	}
	return d, nil
}
