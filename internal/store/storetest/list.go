package storetest

import (
	"fmt"
	"testing"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

// lists are the promises of kyc.Store.
var lists = []promise{
	{"nobody sees a list before it is published", listUnseen},
	{"a version changes what it holds, ends what is gone and leaves the rest", listVersions},
	{"a version in which nothing changes makes no new one", listUnchanged},
	{"what a list said in any version can be read", listHistory},
	{"an entry that is listed again has the ID that it had", listedAgain},
	{"what was put aside twice is there once, and what was undone is not", listDrafts},
	{"an import that another overtook changes nothing", listOvertaken},
	{"what was put aside and given up leaves no trace", listDropped},
	{"lists do not disturb each other, and their log is one", listsApart},
	{"the log of entries becomes visible in order", listLogInOrder},
	{"a list is as old as its publisher says, unless it was seen to be the newest", listAge},
}

func draft(number, facts string) kyc.Draft {
	return kyc.Draft{Number: number, Hash: int64(len(facts)), Facts: []byte(facts)}
}

func beginList(t tb, s kyc.Store, list string) int64 {
	t.Helper()
	v, err := s.BeginList(t.Context(), list)
	noError(t, err)
	return v
}

func putAside(t tb, s kyc.Store, list string, version int64, drafts ...kyc.Draft) []kyc.EntryID {
	t.Helper()
	ids, err := s.PutAside(t.Context(), list, version, drafts)
	noError(t, err)
	return ids
}

func publish(t tb, s kyc.Store, list string, version int64, gone ...kyc.EntryID) kyc.Version {
	t.Helper()
	v, err := s.PublishList(t.Context(), kyc.Publication{
		List: list, Version: version, Gone: gone, File: list + ".csv", At: noon.Add(time.Duration(version) * time.Hour),
	})
	noError(t, err)
	return v
}

// standing is every list as "list/number=facts", in the order of IDs.
func standing(t tb, s kyc.Store) (out []string) {
	t.Helper()
	_, err := s.Standing(t.Context(), func(h kyc.Held) error {
		out = append(out, fmt.Sprintf("%s/%s=%s", h.List, h.Number, h.Facts))
		return nil
	})
	noError(t, err)
	return out
}

func entryLog(t tb, s kyc.Store) (out []string) {
	t.Helper()
	all, err := s.EntryChanges(t.Context(), 0, 1000)
	noError(t, err)
	for i, c := range all {
		if c.Number != int64(i+1) {
			t.Errorf("change %d has the number %d", i+1, c.Number)
		}
		out = append(out, fmt.Sprintf("%s %d %s", c.List, c.Entry, c.Kind))
	}
	return out
}

func listUnseen(t *testing.T, s nodes) {
	v := beginList(t, s, "a")
	putAside(t, s, "a", v, draft("1", "one"))
	same(t, "entries", standing(t, s.other), []string(nil))
	loaded, err := s.other.LoadedLists(t.Context())
	noError(t, err)
	same(t, "lists", loaded, []kyc.Loaded(nil))
	same(t, "log", entryLog(t, s.other), []string(nil))
	publish(t, s, "a", v)
	same(t, "entries", standing(t, s.other), []string{"a/1=one"})
	loaded, err = s.other.LoadedLists(t.Context())
	noError(t, err)
	at := noon.Add(time.Duration(v) * time.Hour)
	same(t, "lists", loaded, []kyc.Loaded{{List: "a", Version: v, File: "a.csv", Entries: 1, LoadedAt: at, AsOf: at}})
}

// threeEntries is a list of three.
func threeEntries(t tb, s kyc.Store, list string) (ids []kyc.EntryID, version int64) {
	t.Helper()
	v := beginList(t, s, list)
	ids = putAside(t, s, list, v, draft("1", "one"), draft("2", "two"), draft("3", "three"))
	publish(t, s, list, v)
	return ids, v
}

func listVersions(t *testing.T, s nodes) {
	ids, _ := threeEntries(t, s, "a")
	same(t, "ids", ids, []kyc.EntryID{1, 2, 3})
	v := beginList(t, s.other, "a")
	changed := draft("2", "two, changed")
	changed.ID = ids[1]
	more := putAside(t, s.other, "a", v, changed, draft("4", "four"))
	got := publish(t, s.other, "a", v, ids[0])
	want := kyc.Version{
		Number: v, List: "a", File: "a.csv", At: noon.Add(time.Duration(v) * time.Hour),
		Entries: 3, Added: 1, Changed: 1, Removed: 1,
	}
	same(t, "version", got, want)
	same(t, "entries", standing(t, s), []string{"a/2=two, changed", "a/3=three", "a/4=four"})
	same(t, "log", entryLog(t, s), []string{"a 1 added", "a 2 added", "a 3 added", "a 1 removed", "a 2 changed", fmt.Sprintf("a %d added", more[1])})
	last, err := s.LastEntryChange(t.Context())
	noError(t, err)
	same(t, "last", last, int64(6))
	all, err := s.ListVersions(t.Context(), "a", 1)
	noError(t, err)
	same(t, "versions", all, []kyc.Version{want})
	held, err := s.Entries(t.Context(), []kyc.EntryID{1, 2, 99})
	noError(t, err)
	if len(held) != 1 || held[2].Number != "2" || held[2].Since != v {
		t.Errorf("entries by ID: %+v", held)
	}
}

func listUnchanged(t *testing.T, s nodes) {
	_, first := threeEntries(t, s, "a")
	v := beginList(t, s, "a")
	got := publish(t, s, "a", v)
	if got.Number != first || got.Entries != 3 {
		t.Errorf("%+v, want version %d again", got, first)
	}
	same(t, "log", len(entryLog(t, s)), 3)
	all, err := s.ListVersions(t.Context(), "a", 10)
	noError(t, err)
	same(t, "versions", len(all), 1)
	_, err = s.PutAside(t.Context(), "a", v, []kyc.Draft{draft("9", "late")})
	wantKind(t, err, fault.Conflict)
}

func listHistory(t *testing.T, s nodes) {
	ids, first := threeEntries(t, s, "a")
	v := beginList(t, s, "a")
	changed := draft("2", "two, changed")
	changed.ID = ids[1]
	putAside(t, s, "a", v, changed)
	publish(t, s, "a", v, ids[0])
	for version, want := range map[int64][]string{
		first: {"1=one", "2=two", "3=three"}, v: {"2=two, changed", "3=three"}, 0: nil,
	} {
		var got []string
		noError(t, s.other.EntriesOf(t.Context(), "a", version, func(h kyc.Held) error {
			got = append(got, h.Number+"="+string(h.Facts))
			return nil
		}))
		same(t, fmt.Sprint("version ", version), got, want)
	}
	h, err := s.other.Entry(t.Context(), "a", "2", first)
	noError(t, err)
	same(t, "facts", string(h.Facts), "two")
	if !h.FirstAdded.Equal(noon.Add(time.Duration(first) * time.Hour)) {
		t.Errorf("first added at %s", h.FirstAdded)
	}
	_, err = s.Entry(t.Context(), "a", "1", v)
	wantKind(t, err, fault.Missing)
	old, err := s.EntriesSince(t.Context(), map[kyc.EntryID]int64{ids[0]: first, ids[1]: first, ids[2]: v})
	noError(t, err)
	if len(old) != 2 || string(old[ids[1]].Facts) != "two" || string(old[ids[0]].Facts) != "one" {
		t.Errorf("entries since %d: %+v", first, old)
	}
	on, err := s.VersionOn(t.Context(), "a", noon.Add(time.Duration(v)*time.Hour-time.Minute))
	noError(t, err)
	same(t, "version before the second", on.Number, first)
	_, err = s.VersionOn(t.Context(), "a", noon)
	wantKind(t, err, fault.Missing)
}

func listedAgain(t *testing.T, s nodes) {
	ids, _ := threeEntries(t, s, "a")
	v := beginList(t, s, "a")
	publish(t, s, "a", v, ids[1])
	v = beginList(t, s, "a")
	again := putAside(t, s, "a", v, draft("2", "two"))
	same(t, "id", again[0], ids[1])
	publish(t, s, "a", v)
	same(t, "entries", standing(t, s), []string{"a/1=one", "a/2=two", "a/3=three"})
	same(t, "log", entryLog(t, s)[3:], []string{"a 2 removed", "a 2 added"})
}

func listDrafts(t *testing.T, s nodes) {
	ids, _ := threeEntries(t, s, "a")
	v := beginList(t, s, "a")
	one := draft("1", "first thought")
	one.ID = ids[0]
	putAside(t, s, "a", v, one)
	one.Facts = []byte("second thought")
	two := draft("2", "a mistake")
	two.ID = ids[1]
	fresh := putAside(t, s, "a", v, one, two, draft("4", "also a mistake"))
	two.Undo = true
	putAside(t, s, "a", v, two, kyc.Draft{ID: fresh[2], Number: "4", Undo: true})
	publish(t, s, "a", v)
	same(t, "entries", standing(t, s), []string{"a/1=second thought", "a/2=two", "a/3=three"})
	same(t, "log", entryLog(t, s)[3:], []string{"a 1 changed"})
}

func listOvertaken(t *testing.T, s nodes) {
	slow := beginList(t, s, "a")
	putAside(t, s, "a", slow, draft("1", "slow"), draft("3", "slow"))
	quick := beginList(t, s.other, "a")
	_, err := s.PutAside(t.Context(), "a", slow, []kyc.Draft{draft("2", "slow")})
	wantKind(t, err, fault.Conflict)
	putAside(t, s.other, "a", quick, draft("1", "quick"))
	_, err = s.PublishList(t.Context(), kyc.Publication{List: "a", Version: slow, At: noon})
	wantKind(t, err, fault.Conflict)
	noError(t, s.DropAside(t.Context(), "a", slow)) // must not take the other's
	publish(t, s.other, "a", quick)
	same(t, "entries", standing(t, s), []string{"a/1=quick"})
	same(t, "log", entryLog(t, s), []string{"a 1 added"})
}

func listDropped(t *testing.T, s nodes) {
	_, _ = threeEntries(t, s, "a")
	v := beginList(t, s, "a")
	putAside(t, s, "a", v, draft("4", "four"))
	noError(t, s.DropAside(t.Context(), "a", v))
	_, err := s.PublishList(t.Context(), kyc.Publication{List: "a", Version: v, At: noon})
	wantKind(t, err, fault.Conflict)
	v = beginList(t, s, "a")
	ids := putAside(t, s, "a", v, draft("5", "five"))
	same(t, "id", ids[0], kyc.EntryID(4)) // as if there had never been a 4
	publish(t, s, "a", v)
	same(t, "entries", standing(t, s), []string{"a/1=one", "a/2=two", "a/3=three", "a/5=five"})
}

func listsApart(t *testing.T, s nodes) {
	threeEntries(t, s, "a")
	ids, _ := threeEntries(t, s, "b")
	v := beginList(t, s, "b")
	publish(t, s, "b", v, ids[0], 1) // 1 is a's
	same(t, "entries", standing(t, s), []string{"a/1=one", "a/2=two", "a/3=three", "b/2=two", "b/3=three"})
	same(t, "log", entryLog(t, s), []string{"a 1 added", "a 2 added", "a 3 added", "b 4 added", "b 5 added", "b 6 added", "b 4 removed"})
	var prints []string
	noError(t, s.EntryPrints(t.Context(), "b", func(number string, p kyc.Print) {
		prints = append(prints, fmt.Sprintf("%s %d %d", number, p.ID, p.Hash))
	}))
	same(t, "prints", prints, []string{"2 5 3", "3 6 5"})
}

func listLogInOrder(t *testing.T, s nodes) {
	done := make(chan error, 2)
	for i, node := range []kyc.Store{s.Store, s.other} {
		go func() { // the test waits for both below
			list := fmt.Sprint("list ", i)
			for n := range 15 {
				v, err := node.BeginList(t.Context(), list)
				if err == nil {
					_, err = node.PutAside(t.Context(), list, v, []kyc.Draft{draft(fmt.Sprint(n), "x"), draft(fmt.Sprint(n, "b"), "y")})
				}
				if err == nil {
					_, err = node.PublishList(t.Context(), kyc.Publication{List: list, Version: v, At: noon})
				}
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	seen := int64(0)
	look := func() {
		list, err := s.EntryChanges(t.Context(), seen, 100)
		noError(t, err)
		for _, c := range list {
			if c.Number != seen+1 {
				t.Fatalf("after %d came %d", seen, c.Number)
			}
			seen = c.Number
		}
	}
	for running := 2; running > 0; {
		select {
		case err := <-done:
			noError(t, err)
			running--
		default:
			look()
		}
	}
	look()
	same(t, "changes seen", seen, int64(60))
}

func listAge(t *testing.T, s nodes) {
	v := beginList(t, s, "a")
	putAside(t, s, "a", v, draft("1", "one"))
	_, err := s.PublishList(t.Context(), kyc.Publication{List: "a", Version: v, At: noon, AsOf: company.Date("2026-01-31")})
	noError(t, err)
	asOf := func() time.Time {
		t.Helper()
		all, err := s.other.LoadedLists(t.Context())
		noError(t, err)
		return all[0].AsOf
	}
	if got := asOf(); !got.Equal(time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("as of %s", got)
	}
	noError(t, s.ConfirmList(t.Context(), "a", noon))
	noError(t, s.ConfirmList(t.Context(), "a", noon.Add(-time.Hour)))
	if got := asOf(); !got.Equal(noon) {
		t.Errorf("confirmed as of %s, want %s", got, noon)
	}
}
