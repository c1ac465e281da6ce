package storetest

import (
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

// profileLinks are the promises of kyc.LinkStore.
var profileLinks = []promise{
	{"searches are linked to a profile once, and unlinked", searchesLinked},
	{"neither someone else's search nor someone else's profile is linked", linksAreOwned},
}

func linkedTo(t *testing.T, s kyc.LinkStore, q kyc.LinkQuery) (ids string, total int64) {
	t.Helper()
	list, total, err := s.LinkedSearches(t.Context(), ann, "p", q)
	noError(t, err)
	for _, one := range list {
		ids += string(one.ID)
	}
	return ids, total
}

func searchesLinked(t *testing.T, s nodes) {
	noError(t, s.AddProfile(t.Context(), ann, someProfile("p", 0)))
	at := kyc.Act{By: ann.Account, At: noon}
	for i, id := range []string{"a", "b", "c"} {
		addLinkable(t, s, ann, id, i)
		noError(t, s.LinkSearch(t.Context(), ann, "p", kyc.SearchID(id), at))
	}
	wantKind(t, s.other.LinkSearch(t.Context(), ann, "p", "a", at), fault.Conflict)
	if ids, total := linkedTo(t, s.other, kyc.LinkQuery{Limit: 9}); ids != "cba" || total != 3 {
		t.Errorf("linked are %s of %d", ids, total)
	}
	if ids, total := linkedTo(t, s, kyc.LinkQuery{Limit: 1, Skip: 1}); ids != "b" || total != 3 {
		t.Errorf("a page is %s of %d", ids, total)
	}
	no, yes := false, true
	if ids, _ := linkedTo(t, s, kyc.LinkQuery{Limit: 9, Scheduled: &no}); ids != "cba" {
		t.Errorf("on no schedule are %s", ids)
	}
	if ids, _ := linkedTo(t, s, kyc.LinkQuery{Limit: 9, Scheduled: &yes}); ids != "" {
		t.Errorf("on a schedule are %s", ids)
	}
	noError(t, s.UnlinkSearch(t.Context(), ann, "p", "b"))
	wantKind(t, s.other.UnlinkSearch(t.Context(), ann, "p", "b"), fault.Missing)
	if ids, total := linkedTo(t, s.other, kyc.LinkQuery{Limit: 9}); ids != "ca" || total != 2 {
		t.Errorf("linked are %s of %d", ids, total)
	}
	noError(t, s.DeleteProfiles(t.Context(), ann, []kyc.ProfileID{"p"}))
	noError(t, s.AddProfile(t.Context(), ann, someProfile("p", 0)))
	if ids, _ := linkedTo(t, s, kyc.LinkQuery{Limit: 9}); ids != "" {
		t.Errorf("a new profile has %s", ids)
	}
}

func linksAreOwned(t *testing.T, s nodes) {
	noError(t, s.AddProfile(t.Context(), ann, someProfile("p", 0)))
	noError(t, s.AddProfile(t.Context(), carol, someProfile("q", 0)))
	addLinkable(t, s, ann, "a", 0)
	at := kyc.Act{By: carol.Account, At: noon}
	wantKind(t, s.LinkSearch(t.Context(), carol, "q", "a", at), fault.Missing)
	wantKind(t, s.LinkSearch(t.Context(), carol, "p", "a", at), fault.Missing)
	noError(t, s.LinkSearch(t.Context(), ann, "p", "a", at))
	wantKind(t, s.UnlinkSearch(t.Context(), carol, "p", "a"), fault.Missing)
	_, _, err := s.LinkedSearches(t.Context(), carol, "p", kyc.LinkQuery{Limit: 9})
	wantKind(t, err, fault.Missing)
}

// addLinkable keeps a search, each newer than the one before.
func addLinkable(t *testing.T, s auth.Store, by auth.Caller, id string, hour int) {
	t.Helper()
	search := aSearch(hour+1, "Brook")
	search.ID, search.CreatedAt = kyc.SearchID(id), noon.Add(time.Duration(hour)*time.Hour)
	addSearch(t, s, by, search)
}
