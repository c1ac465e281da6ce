package sandbox

import (
	"path/filepath"
	"testing"
	"time"

	"bureau/internal/kyc"
	"bureau/internal/match"
	"bureau/internal/store"
)

func TestListIsThereOnceAndIsFound(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "sandbox.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	w := World{Seed: 1, PerCountry: 50}
	for range 2 {
		if err := w.FillList(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	loaded, err := db.LoadedLists(t.Context())
	if err != nil || len(loaded) != 1 || loaded[0].Entries != int64(len(w.Listed())) {
		t.Fatalf("loaded: %+v (%v), want %d entries", loaded, err, len(w.Listed()))
	}
	s := &kyc.Screener{Index: &kyc.Index{Store: db}, Store: db, Now: func() time.Time { return Birthday }}
	if err := s.Index.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	person, business := w.ListExample()
	for _, who := range []kyc.Subject{{Person: true, Name: person}, {Name: business}} {
		hits, _, err := s.Screen(t.Context(), who, kyc.Options{})
		if err != nil || len(hits) == 0 || hits[0].Score != 100 || hits[0].Entry.Main() != who.Name {
			t.Errorf("%s: %+v (%v)", who.Name, hits, err)
		}
	}
}

// The clock lists somebody every day, and the same again when a tick is repeated.
func TestListGrowsEveryDay(t *testing.T) {
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "sandbox.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	w := World{Seed: 1, PerCountry: 50}
	if err := w.FillList(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		at := tickTime(TicksPerDay)
		if err := addListed(t.Context(), db, at, w.listedOn(1, at)); err != nil {
			t.Fatal(err)
		}
	}
	loaded, err := db.LoadedLists(t.Context())
	if want := int64(len(w.Listed()) + 1); err != nil || loaded[0].Entries != want {
		t.Errorf("%+v (%v), want %d entries", loaded, err, want)
	}
}

func TestShipsHaveNumbersThatCanBe(t *testing.T) {
	for _, r := range DefaultWorld.Listed() {
		for _, id := range r.Identifiers {
			if id.Type == kyc.IMO && !(match.Identifier{Kind: "imo", Value: id.Value}).Valid() {
				t.Errorf("%s: %s is no IMO number", r.Main(), id.Value)
			}
		}
	}
}
