package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

// profiles are the promises of kyc.ProfileStore and kyc.TrailStore.
var profiles = []promise{
	{"a profile comes back as it was kept", profileComesBack},
	{"someone else's profile is missing", profileIsOwned},
	{"no two profiles of a customer share an internal number", profileNumbers},
	{"profiles are listed by what they are, in the order that was asked for", profilesListed},
	{"profiles are changed all together or not at all", profilesTogether},
	{"two edits of a profile at once are both seen", profileEdits},
	{"profiles go with their notes, all together or not at all", profilesGo},
	{"a note comes back as it was written, and is changed and deleted", noteComesBack},
	{"notes are listed by what is in them and the newest first", notesListed},
	{"notes of someone else's profile are missing", notesAreOwned},
	{"what was done is listed by what it was, for its customer alone", deedsListed},
}

func someProfile(id string, hour int) kyc.Profile {
	yes := true
	at := noon.Add(time.Duration(hour) * time.Hour)
	return kyc.Profile{
		ID: kyc.ProfileID(id), Name: "Åda Brook 100%", Type: "individual", Status: kyc.NewProfile, Risk: "low", ReviewOn: "2027-01-31",
		Comments: "c", Made: "manual", Created: kyc.Act{By: ann.Account, At: at}, Judged: at,
		Details: kyc.Details{
			LegalName: "Ada Brook", Aliases: []string{"A."}, Turnover: &kyc.Money{Currency: "gbp", Amount: 12}, Born: "1970-05-31", Listed: &yes,
		},
		Premises: []kyc.Premises{{ID: "p", Type: "trading", City: "Leeds", Created: kyc.Act{By: 1, At: at}}},
	}
}

func profileComesBack(t *testing.T, s nodes) {
	want := someProfile("a", 0)
	noError(t, s.AddProfile(t.Context(), ann, want))
	got, err := s.other.Profile(t.Context(), ann, "a")
	noError(t, err)
	same(t, "profile", got, want)
	bare := kyc.Profile{ID: "b", Name: "B", Type: "trust", Status: kyc.NewProfile, Risk: "high", Created: kyc.Act{By: 3, At: noon}}
	noError(t, s.AddProfile(t.Context(), ann, bare))
	got, err = s.other.Profile(t.Context(), ann, "b")
	noError(t, err)
	same(t, "bare profile", got, bare)
	changed, err := s.other.UpdateProfiles(t.Context(), ann, []kyc.ProfileID{"b", "a"}, func(p *kyc.Profile) error {
		p.Name, p.Modified, p.Premises, p.Assigned = "N "+string(p.ID), kyc.Act{By: 5, At: noon.Add(time.Minute)}, nil, 8
		p.Approved = noon
		return nil
	})
	noError(t, err)
	if len(changed) != 2 || changed[0].ID != "b" || changed[1].ID != "a" {
		t.Fatalf("they came back as %+v", changed)
	}
	got, err = s.Profile(t.Context(), ann, "a")
	noError(t, err)
	same(t, "changed", got, changed[1])
	if got.Name != "N a" || got.Assigned != 8 || !got.Approved.Equal(noon) || got.Modified.By != 5 {
		t.Errorf("it is %+v", got)
	}
}

func profileIsOwned(t *testing.T, s nodes) {
	noError(t, s.AddProfile(t.Context(), ann, someProfile("a", 0)))
	_, err := s.Profile(t.Context(), carol, "a")
	_, none := s.Profile(t.Context(), carol, "b")
	wantKind(t, err, fault.Missing)
	if none == nil || err.Error() != none.Error() {
		t.Errorf("%v and %v can be told apart", err, none)
	}
	_, err = s.UpdateProfiles(t.Context(), carol, []kyc.ProfileID{"a"}, func(*kyc.Profile) error { return nil })
	wantKind(t, err, fault.Missing)
	wantKind(t, s.DeleteProfiles(t.Context(), carol, []kyc.ProfileID{"a"}), fault.Missing)
	list, total, err := s.Profiles(t.Context(), carol, kyc.ProfileQuery{Limit: 9})
	if len(list) != 0 || total != 0 || err != nil {
		t.Errorf("carol sees %v", list)
	}
	if _, err := s.Profile(t.Context(), ann, "a"); err != nil {
		t.Errorf("it is gone: %v", err)
	}
}

func profileNumbers(t *testing.T, s nodes) {
	numbered := func(id, number string) kyc.Profile {
		p := someProfile(id, 0)
		p.InternalID = number
		return p
	}
	noError(t, s.AddProfile(t.Context(), ann, numbered("a", "7")))
	wantKind(t, s.other.AddProfile(t.Context(), ann, numbered("b", "7")), fault.Conflict)
	noError(t, s.AddProfile(t.Context(), carol, numbered("c", "7")))
	noError(t, s.AddProfile(t.Context(), ann, numbered("d", "")))
	noError(t, s.AddProfile(t.Context(), ann, numbered("e", "")))
	_, err := s.UpdateProfiles(t.Context(), ann, []kyc.ProfileID{"d"}, func(p *kyc.Profile) error {
		p.InternalID = "7"
		return nil
	})
	wantKind(t, err, fault.Conflict)
}

func profilesListed(t *testing.T, s nodes) {
	for i, id := range []string{"a", "b", "c", "d"} {
		p := someProfile(id, i)
		switch id {
		case "a":
			p.Risk, p.ReviewOn = "veryHigh", ""
		case "b":
			p.Name, p.Assigned, p.Risk = "zoe", 7, "medium"
		case "c":
			p.Name, p.InternalID, p.Assigned, p.ReviewOn = "Bea_x", "N-9", 8, "2026-06-01"
		case "d":
			p.Details.LegalName, p.Risk = "Vale & Söhne", "notApplicable"
		}
		noError(t, s.AddProfile(t.Context(), ann, p))
	}
	for _, c := range []struct {
		what  string
		q     kyc.ProfileQuery
		want  string
		total int64
	}{
		{"all", kyc.ProfileQuery{Limit: 9}, "dcba", 4},
		{"a page", kyc.ProfileQuery{Limit: 2, Skip: 1}, "cb", 4},
		{"part of a legal name", kyc.ProfileQuery{Limit: 9, Term: "SÖHNE"}, "d", 1},
		{"part of an internal number", kyc.ProfileQuery{Limit: 9, Term: "n-9"}, "c", 1},
		{"a sign that means something to the database", kyc.ProfileQuery{Limit: 9, Term: "a_x"}, "c", 1},
		{"nothing like it", kyc.ProfileQuery{Limit: 9, Term: "b_o"}, "", 0},
		{"those of two people", kyc.ProfileQuery{Limit: 9, Assigned: []auth.AccountID{7, 8}}, "cb", 2},
		{"nobody's", kyc.ProfileQuery{Limit: 9, Assigned: []auth.AccountID{0}}, "da", 2},
		{"two risks", kyc.ProfileQuery{Limit: 9, Risks: []kyc.RiskRating{"low", "medium"}}, "cb", 2},
		{"to be reviewed from a day on", kyc.ProfileQuery{Limit: 9, ReviewAfter: "2027-01-31"}, "db", 2},
		{"to be reviewed up to a day", kyc.ProfileQuery{Limit: 9, ReviewBefore: "2026-06-01"}, "c", 1},
		{"by name", kyc.ProfileQuery{Limit: 9, Sort: kyc.ByName}, "cbad", 4},
		{"by risk, what has none last", kyc.ProfileQuery{Limit: 9, Sort: kyc.ByRisk}, "cbad", 4},
		{"by risk, downwards", kyc.ProfileQuery{Limit: 9, Sort: kyc.ByRisk, Down: true}, "abcd", 4},
		{"by review", kyc.ProfileQuery{Limit: 9, Sort: kyc.ByReview}, "cbda", 4},
		{"by review, downwards", kyc.ProfileQuery{Limit: 9, Sort: kyc.ByReview, Down: true}, "dbca", 4},
		{"by age", kyc.ProfileQuery{Limit: 9, Sort: kyc.ByCreated}, "abcd", 4},
	} {
		list, total, err := s.other.Profiles(t.Context(), ann, c.q)
		noError(t, err)
		var got strings.Builder
		for _, p := range list {
			got.WriteString(string(p.ID))
		}
		if got.String() != c.want || total != c.total {
			t.Errorf("%s: %q of %d, want %q of %d", c.what, got.String(), total, c.want, c.total)
		}
	}
	for _, by := range kyc.ProfileSorts {
		list, _, err := s.Profiles(t.Context(), ann, kyc.ProfileQuery{Limit: 9, Sort: by})
		if len(list) != 4 || err != nil {
			t.Errorf("by %s: %d (%v)", by, len(list), err)
		}
	}
}

func profilesTogether(t *testing.T, s nodes) {
	noError(t, s.AddProfile(t.Context(), ann, someProfile("a", 0)))
	noError(t, s.AddProfile(t.Context(), ann, someProfile("b", 0)))
	rename := func(p *kyc.Profile) error {
		p.Name = "lost"
		return nil
	}
	_, err := s.UpdateProfiles(t.Context(), ann, []kyc.ProfileID{"a", "b", "none"}, rename)
	wantKind(t, err, fault.Missing)
	enough := errors.New("enough")
	_, err = s.UpdateProfiles(t.Context(), ann, []kyc.ProfileID{"a", "b"}, func(p *kyc.Profile) error {
		if p.ID == "b" {
			return enough
		}
		return rename(p)
	})
	if !errors.Is(err, enough) {
		t.Errorf("got %v, want the edit's own error", err)
	}
	got, err := s.other.Profile(t.Context(), ann, "a")
	noError(t, err)
	same(t, "name", got.Name, someProfile("a", 0).Name)
}

func profileEdits(t *testing.T, s nodes) {
	noError(t, s.AddProfile(t.Context(), ann, someProfile("a", 0)))
	var done sync.WaitGroup
	for i := range 8 {
		node := s.Store
		if i%2 == 1 {
			node = s.other
		}
		done.Go(func() {
			_, err := node.UpdateProfiles(t.Context(), ann, []kyc.ProfileID{"a"}, func(p *kyc.Profile) error {
				p.Details.Aliases = append(p.Details.Aliases, fmt.Sprint(i))
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	got, err := s.Profile(t.Context(), ann, "a")
	noError(t, err)
	if n := len(got.Details.Aliases); n != 9 {
		t.Errorf("%d of 8 edits are there", n-1)
	}
}

func someNote(id string, hour int, body string) kyc.Note {
	return kyc.Note{ID: kyc.NoteID(id), Body: body, Created: kyc.Act{By: ann.Account, At: noon.Add(time.Duration(hour) * time.Hour)}}
}

func profilesGo(t *testing.T, s nodes) {
	for _, id := range []string{"a", "b"} {
		noError(t, s.AddProfile(t.Context(), ann, someProfile(id, 0)))
	}
	noError(t, s.AddNote(t.Context(), ann, "a", someNote("n", 0, "x")))
	wantKind(t, s.DeleteProfiles(t.Context(), ann, []kyc.ProfileID{"a", "none"}), fault.Missing)
	if got, err := s.other.Profile(t.Context(), ann, "a"); err != nil || got.Notes != 1 {
		t.Errorf("it has %d notes (%v)", got.Notes, err)
	}
	noError(t, s.DeleteProfiles(t.Context(), ann, []kyc.ProfileID{"a"}))
	_, err := s.other.Profile(t.Context(), ann, "a")
	wantKind(t, err, fault.Missing)
	_, err = s.Note(t.Context(), ann, "a", "n")
	wantKind(t, err, fault.Missing)
	noError(t, s.AddProfile(t.Context(), ann, someProfile("a", 0)))
	if got, err := s.other.Profile(t.Context(), ann, "a"); err != nil || got.Notes != 0 {
		t.Errorf("a new one has %d notes (%v)", got.Notes, err)
	}
}

func noteComesBack(t *testing.T, s nodes) {
	noError(t, s.AddProfile(t.Context(), ann, someProfile("a", 0)))
	want := someNote("n", 1, "Él dijo\nsí")
	noError(t, s.AddNote(t.Context(), ann, "a", want))
	got, err := s.other.Note(t.Context(), ann, "a", "n")
	noError(t, err)
	same(t, "note", got, want)
	changed, err := s.other.UpdateNote(t.Context(), ann, "a", "n", func(n *kyc.Note) error {
		n.Body, n.Archived, n.Modified = "other", true, kyc.Act{By: 4, At: noon}
		return nil
	})
	noError(t, err)
	got, err = s.Note(t.Context(), ann, "a", "n")
	noError(t, err)
	same(t, "changed", got, changed)
	enough := errors.New("enough")
	_, err = s.UpdateNote(t.Context(), ann, "a", "n", func(n *kyc.Note) error {
		n.Body = "lost"
		return enough
	})
	if !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
	got, err = s.Note(t.Context(), ann, "a", "n")
	noError(t, err)
	same(t, "after an edit that failed", got, changed)
	noError(t, s.DeleteNote(t.Context(), ann, "a", "n"))
	wantKind(t, s.other.DeleteNote(t.Context(), ann, "a", "n"), fault.Missing)
}

func notesListed(t *testing.T, s nodes) {
	noError(t, s.AddProfile(t.Context(), ann, someProfile("a", 0)))
	for i, body := range []string{"Über uns", "50% of it", "older"} {
		n := someNote(fmt.Sprint(i), i, body)
		n.Archived = i == 2
		noError(t, s.AddNote(t.Context(), ann, "a", n))
	}
	yes, no := true, false
	for _, c := range []struct {
		what  string
		q     kyc.NoteQuery
		want  string
		total int64
	}{
		{"all", kyc.NoteQuery{Limit: 9}, "210", 3},
		{"a page", kyc.NoteQuery{Limit: 1, Skip: 1}, "1", 3},
		{"archived", kyc.NoteQuery{Limit: 9, Archived: &yes}, "2", 1},
		{"not archived", kyc.NoteQuery{Limit: 9, Archived: &no}, "10", 2},
		{"a word", kyc.NoteQuery{Limit: 9, Term: "ÜBER"}, "0", 1},
		{"a sign", kyc.NoteQuery{Limit: 9, Term: "0% o"}, "1", 1},
	} {
		list, total, err := s.other.Notes(t.Context(), ann, "a", c.q)
		noError(t, err)
		got := ""
		for _, n := range list {
			got += string(n.ID)
		}
		if got != c.want || total != c.total {
			t.Errorf("%s: %q of %d, want %q of %d", c.what, got, total, c.want, c.total)
		}
	}
}

func notesAreOwned(t *testing.T, s nodes) {
	noError(t, s.AddProfile(t.Context(), ann, someProfile("a", 0)))
	noError(t, s.AddProfile(t.Context(), carol, someProfile("c", 0)))
	noError(t, s.AddNote(t.Context(), ann, "a", someNote("n", 0, "x")))
	for _, of := range []kyc.ProfileID{"a", "c", "none"} {
		_, err := s.Note(t.Context(), carol, of, "n")
		wantKind(t, err, fault.Missing)
		_, err = s.UpdateNote(t.Context(), carol, of, "n", func(*kyc.Note) error { return nil })
		wantKind(t, err, fault.Missing)
		wantKind(t, s.DeleteNote(t.Context(), carol, of, "n"), fault.Missing)
	}
	wantKind(t, s.AddNote(t.Context(), carol, "a", someNote("m", 0, "x")), fault.Missing)
	_, _, err := s.Notes(t.Context(), carol, "a", kyc.NoteQuery{Limit: 9})
	wantKind(t, err, fault.Missing)
	if _, err := s.Note(t.Context(), ann, "a", "n"); err != nil {
		t.Errorf("it is gone: %v", err)
	}
}

func deedsListed(t *testing.T, s nodes) {
	deeds := []kyc.Deed{
		{Category: kyc.OfProfile, Action: kyc.Created, Profile: "a"},
		{Category: kyc.OfProfile, Action: kyc.Updated, Subcategory: kyc.OfDetails, Profile: "a", Field: "profile", To: "new"},
		{Category: kyc.OfProfile, Action: kyc.Created, Profile: "b"},
		{Category: kyc.OfSearch, Action: kyc.Created, Search: "s"},
	}
	log, head := entries(0, int64(len(deeds))+2)
	for i := range log {
		e := &log[i]
		e.Customer, e.Account = ann.Customer, auth.AccountID(i)
		if i < len(deeds) {
			detail, err := json.Marshal(deeds[i])
			noError(t, err)
			e.Action, e.Detail = auth.KYCDone, string(detail)
		}
	}
	log[len(log)-1] = log[0] // another customer's
	last := &log[len(log)-1]
	last.Number, last.Customer = int64(len(log)), carol.Customer
	turn(t, s, auth.Record{Entries: log, Head: head})
	for _, c := range []struct {
		what string
		q    kyc.DeedQuery
		want []int64
	}{
		{"all", kyc.DeedQuery{}, []int64{4, 3, 2, 1}},
		{"the oldest first", kyc.DeedQuery{Up: true}, []int64{1, 2, 3, 4}},
		{"a category", kyc.DeedQuery{Categories: []kyc.DeedCategory{kyc.OfSearch}}, []int64{4}},
		{"a subcategory", kyc.DeedQuery{Subcategories: []kyc.DeedSubcategory{kyc.OfDetails}}, []int64{2}},
		{"two profiles and an action", kyc.DeedQuery{Profiles: []kyc.ProfileID{"a", "b"}, Actions: []kyc.DeedAction{kyc.Created}}, []int64{3, 1}},
		{"somebody's", kyc.DeedQuery{Accounts: []auth.AccountID{1, 2}}, []int64{3, 2}},
		{"what it was changed to", kyc.DeedQuery{To: []string{"new"}}, []int64{2}},
		{"a search", kyc.DeedQuery{Searches: []string{"s"}}, []int64{4}},
		{"a time", kyc.DeedQuery{From: noon.Add(2 * time.Millisecond), Until: noon.Add(3 * time.Millisecond)}, []int64{2}},
		{"before a number", kyc.DeedQuery{Before: 3}, []int64{2, 1}},
		{"a sign that means something to the database", kyc.DeedQuery{Profiles: []kyc.ProfileID{"_"}}, nil},
	} {
		c.q.Limit = 9
		list, total, err := s.other.Deeds(t.Context(), ann, c.q)
		noError(t, err)
		var got []int64
		for _, e := range list {
			got = append(got, e.Number)
		}
		if c.q.Before > 0 {
			total -= 2 // it counts those behind too
		}
		if !slices.Equal(got, c.want) || total != int64(len(c.want)) {
			t.Errorf("%s: %v of %d, want %v", c.what, got, total, c.want)
		}
	}
	list, total, err := s.Deeds(t.Context(), ann, kyc.DeedQuery{Limit: 1, Skip: 1})
	if len(list) != 1 || list[0].Number != 3 || total != 4 || err != nil {
		t.Errorf("a page is %v of %d (%v)", list, total, err)
	}
	same(t, "entry", list, log[2:3])
}
