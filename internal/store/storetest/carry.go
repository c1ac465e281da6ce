package storetest

import (
	"errors"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

// carries are the promises of Carry.
var carries = []promise{
	{"what a turn carries is kept with what it adds", carried},
	{"subjects that one turn looks for twice have one secret", carriedTwice},
	{"nothing of a turn is kept if its act fails", carriedInVain},
	{"nothing of a turn is kept if a part of what it carries is another customer's", carriedOutside},
	{"nothing of a turn is kept if a part of what it carries is refused", carriedRefused},
}

// load is a search that a call of a customer hands in.
func load(by auth.Caller, s kyc.Search, hits ...kyc.SavedHit) auth.Load {
	return auth.Load{Parcel: &kyc.Saving{By: by, Search: s, Hits: hits}, Wall: by.Customer, Walled: true}
}

func carried(t *testing.T, s nodes) {
	one, two := aSearch(1, "Brook"), aSearch(2, "Hill")
	var hits []kyc.SavedHit
	for i := range 45 { // more than one statement of the engine that has few rows in each
		hits = append(hits, aHit(one, i+1, 60+i%40, kyc.Undecided))
	}
	other := aSearch(3, "Brook") // of another customer
	loads := []auth.Load{load(ann, one, hits...), load(carol, other, aHit(other, 1, 99, kyc.Undecided)), load(ann, two)}
	called := 0
	err := s.Carry(t.Context(), everything, loads, func(n auth.News) (auth.Record, error) {
		called++
		rec := full(n)
		rec.Customers, rec.Accounts = nil, nil
		return rec, nil
	})
	noError(t, err)
	same(t, "calls of act", called, 1)
	same(t, "entries of the log", len(logOf(t, s.other, 0)), 1)
	for _, it := range []struct {
		by   auth.Caller
		want kyc.Search
		hits []kyc.SavedHit
	}{{ann, one, hits}, {ann, two, nil}, {carol, other, []kyc.SavedHit{aHit(other, 1, 99, kyc.Undecided)}}} {
		got, err := s.other.KYCSearch(t.Context(), it.by, it.want.ID)
		noError(t, err)
		it.want.Tally = kyc.Tally{Total: int64(len(it.hits)), Undecided: int64(len(it.hits))}
		same(t, "search", got, it.want)
		for _, h := range it.hits {
			kept, err := s.other.KYCHit(t.Context(), it.by, it.want.ID, h.ID)
			noError(t, err)
			same(t, "hit", kept, h)
		}
	}
	if _, err := s.KYCSearch(t.Context(), carol, one.ID); err == nil {
		t.Error("a search is shown to another customer")
	}
}

// secretOf is the secret that a load was told.
func secretOf(l auth.Load) []byte { return l.Parcel.(*kyc.Saving).Search.Secret }

func carriedTwice(t *testing.T, s nodes) {
	before := addSearch(t, s, ann, aSearch(1, "Hill"))
	loads := []auth.Load{
		load(ann, aSearch(2, "Brook")), load(ann, aSearch(3, "Hill")), load(ann, aSearch(4, "Brook")), load(carol, aSearch(5, "Brook")),
	}
	noError(t, s.other.Carry(t.Context(), everything, loads, func(auth.News) (auth.Record, error) {
		same(t, "the secret when the entry is made", secretOf(loads[1]), before.Secret)
		return auth.Record{}, nil
	}))
	same(t, "the secret of who was known", secretOf(loads[1]), before.Secret)
	same(t, "the secret of who was looked for first", secretOf(loads[0]), aSearch(2, "").Secret)
	same(t, "the secret of who was looked for again", secretOf(loads[2]), aSearch(2, "").Secret)
	same(t, "another customer's secret", secretOf(loads[3]), aSearch(5, "").Secret)
	got, err := s.KYCSearch(t.Context(), ann, aSearch(4, "").ID)
	noError(t, err)
	same(t, "the secret that is kept", got.Secret, aSearch(2, "").Secret)
}

// notKept fails if there is a search, or anything in the record.
func notKept(t *testing.T, s nodes, before auth.News, ids ...kyc.SearchID) {
	t.Helper()
	unchanged(t, s, before)
	for _, by := range []auth.Caller{ann, carol} {
		for _, id := range ids {
			if _, err := s.KYCSearch(t.Context(), by, id); err == nil {
				t.Errorf("%s was kept", id)
			}
		}
	}
}

func carriedInVain(t *testing.T, s nodes) {
	before, wrong := ends(t, s), errors.New("changed my mind")
	one := aSearch(1, "Brook")
	err := s.Carry(t.Context(), everything, []auth.Load{load(ann, one)}, func(n auth.News) (auth.Record, error) { return full(n), wrong })
	if !errors.Is(err, wrong) || errors.As(err, new(auth.Unkept)) {
		t.Errorf("got %v, want the act's error", err)
	}
	notKept(t, s, before, one.ID)
}

// unkept takes a turn that must fail because of what it carries.
func unkept(t *testing.T, s nodes, loads ...auth.Load) {
	t.Helper()
	err := s.Carry(t.Context(), everything, loads, func(n auth.News) (auth.Record, error) {
		t.Error("act was called")
		return full(n), nil
	})
	if !errors.As(err, new(auth.Unkept)) {
		t.Errorf("got %v, want that it could not be kept", err)
	}
}

func carriedOutside(t *testing.T, s nodes) {
	before := ends(t, s)
	one, two := aSearch(1, "Brook"), aSearch(2, "Hill")
	astray := load(carol, two)
	astray.Wall = ann.Customer
	unkept(t, s, load(ann, one), astray)
	notKept(t, s, before, one.ID, two.ID)
}

func carriedRefused(t *testing.T, s nodes) {
	before := ends(t, s)
	one, two := aSearch(1, "Brook"), aSearch(2, "Hill")
	unkept(t, s, load(ann, one, aHit(one, 1, 80, kyc.Undecided), aHit(one, 1, 80, kyc.Undecided)), load(ann, two)) // a hit's id twice
	notKept(t, s, before, one.ID, two.ID)
}
