package api_test

import (
	"path"
	"slices"
	"testing"

	"bureau/client"
	"bureau/internal/auth"
)

func TestSearchesOfAProfile(t *testing.T) {
	w := newWorld(t, plan{})
	l, other := w.join("acme", everywhere(auth.KYC)...), w.join("other", everywhere(auth.KYC)...)
	c, ctx := w.client(l), t.Context()
	p := w.profile(l)
	person, _ := screened(w, l, client.Individuals)
	business, _ := screened(w, l, client.Businesses)
	strangers, _ := screened(w, other, client.Individuals)
	ids := []string{path.Base(person), path.Base(business)}

	got, err := c.LinkSearches(ctx, p.ID, append(slices.Clone(ids), path.Base(strangers), noID))
	must(t, err)
	if !slices.Equal(got.Successful, ids) || len(got.Failed) != 2 || got.Failed[0].Error.Status != 404 || got.Failed[0].Error.Detail != got.Failed[1].Error.Detail {
		t.Errorf("linked %+v", got)
	}
	if got, err = c.LinkSearches(ctx, p.ID, ids[:1]); err != nil || len(got.Failed) != 1 || got.Failed[0].Error.Status != 409 {
		t.Errorf("linked twice: %+v (%v)", got, err)
	}
	list, total, err := c.ProfileSearches(ctx, p.ID, client.LinkFilter{})
	must(t, err)
	types := map[string]string{}
	for _, s := range list {
		types[s.ID] = s.Type
	}
	if total != 2 || types[ids[0]] != "individual" || types[ids[1]] != "business" {
		t.Errorf("the searches are %+v of %d", list, total)
	}
	if got, err = c.UnlinkSearches(ctx, p.ID, ids[:1]); err != nil || len(got.Successful) != 1 {
		t.Errorf("unlinked %+v (%v)", got, err)
	}
	if _, err := c.Screening(ctx, client.Individuals, ids[0]); err != nil {
		t.Errorf("the search is gone too: %v", err)
	}
	// Searches are in the same trail as profiles.
	trail, _, err := c.KYCAudits(ctx, client.KYCAuditFilter{})
	if err != nil || actions(trail) != "searchRemoved searchLinked searchLinked created created created" || trail[3].Category != "amlSearch" ||
		trail[3].Payload["searchId"] != ids[1] {
		t.Errorf("the trail says %q: %+v (%v)", actions(trail), trail, err)
	}
}
