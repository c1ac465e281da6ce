package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"testing"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// finds are the promises of company.Store about finding what is kept.
var finds = []promise{
	{"a company is found by every number it goes by, and by no other", foundByIdents},
	{"idents that are kept again take the place of the old ones", identsReplaced},
	{"of several that go by a number all are found, in order", foundAll},
	{"many are held, known and found as one is; unknown ones are left out", manyAsOne},
	{"fingerprints come in the order of their keys, a source's own alone", fingerprintsInOrder},
	{"a fingerprint replaces the one with its source and key, or is dropped", fingerprintsReplaced},
	{"keys lead to their companies, unknown ones are left out", keysLead},
	{"companies come in the order of their bytes, across pages, from any place", companiesInOrder},
	{"companies stop when their visitor fails", companiesStop},
}

func foundByIdents(t *testing.T, s nodes) {
	idents := []company.Ident{
		{Kind: company.ByLEI, Value: "549300ABCDEFGHIJKL45"},
		{Kind: company.ByVAT, Value: "GB 123"},
		{Kind: company.ByVAT, Value: "GB 124"},
		{Kind: company.BySafeNo, Value: "safe"},
		{Kind: company.ByRegNo, Value: "GB 7"},
		{Kind: company.ByParent, Value: "GB-0-9"},
	}
	write(t, s, company.Update{Companies: []company.Saved{aSaved("GB-0-1", "One", idents...), aSaved("GB-0-2", "Two")}})
	for _, i := range idents {
		id, err := s.other.Find(t.Context(), i)
		if id != "GB-0-1" || err != nil {
			t.Errorf("%v leads to %q (%v)", i, id, err)
		}
		other := company.Ident{Kind: i.Kind, Value: i.Value + "x"}
		_, err = s.Find(t.Context(), other)
		wantKind(t, err, fault.Missing)
	}
	_, err := s.Find(t.Context(), company.Ident{Kind: company.ByLEI, Value: "safe"})
	wantKind(t, err, fault.Missing)
	all, err := s.FindAll(t.Context(), company.Ident{Kind: company.ByLEI, Value: "safe"}, 10)
	noError(t, err)
	if len(all) != 0 {
		t.Errorf("a number of another kind leads to %v", all)
	}
}

func identsReplaced(t *testing.T, s nodes) {
	old, now := company.Ident{Kind: company.ByLEI, Value: "old"}, company.Ident{Kind: company.ByLEI, Value: "new"}
	stays := company.Ident{Kind: company.ByVAT, Value: "stays"}
	write(t, s, company.Update{Companies: []company.Saved{aSaved("GB-0-1", "One", old, stays), aSaved("GB-0-2", "Two", old)}})
	next := aSaved("GB-0-1", "One", now, stays)
	next.New = false
	write(t, s, company.Update{Companies: []company.Saved{next}})
	for i, want := range map[company.Ident]company.ID{old: "GB-0-2", now: "GB-0-1", stays: "GB-0-1"} {
		if got, err := s.Find(t.Context(), i); got != want || err != nil {
			t.Errorf("%v leads to %q (%v), want %s", i, got, err, want)
		}
	}
}

func foundAll(t *testing.T, s nodes) {
	parent := company.Ident{Kind: company.ByParent, Value: "GB-0-0"}
	var u company.Update
	for _, n := range []int{5, 3, 9, 1, 7} {
		u.Companies = append(u.Companies, aSaved(company.NewID("GB", fmt.Sprint(n)), "x", parent))
	}
	write(t, s, u)
	want := []company.ID{"GB-0-1", "GB-0-3", "GB-0-5", "GB-0-7", "GB-0-9"}
	for _, limit := range []int{1, 3, 5, 100} {
		got, err := s.other.FindAll(t.Context(), parent, limit)
		noError(t, err)
		same(t, fmt.Sprint("at most ", limit), got, want[:min(limit, 5)])
	}
	if got, err := s.Find(t.Context(), parent); got != want[0] || err != nil {
		t.Errorf("the first is %q (%v), want %s", got, err, want[0])
	}
}

func manyAsOne(t *testing.T, s nodes) {
	lei := func(n int) company.Ident { return company.Ident{Kind: company.ByLEI, Value: fmt.Sprint("lei ", n)} }
	shared := company.Ident{Kind: company.BySafeNo, Value: "shared"}
	var u company.Update
	var ids []company.ID
	var idents []company.Ident
	for n := range 2500 {
		id := company.NewID("GB", fmt.Sprint(n))
		u.Companies = append(u.Companies, aSaved(id, fmt.Sprint("name ", n), lei(n), shared))
		ids, idents = append(ids, id, id+"x"), append(idents, lei(n), lei(-n-1), company.Ident{Kind: company.ByVAT, Value: lei(n).Value})
	}
	write(t, s, u)
	gotHeld, err := s.other.Held(t.Context(), ids)
	noError(t, err)
	known, err := s.other.Known(t.Context(), ids)
	noError(t, err)
	found, err := s.other.FindMany(t.Context(), append(idents, shared))
	noError(t, err)
	if len(gotHeld) != 2500 || len(known) != 2500 || len(found) != 2501 {
		t.Fatalf("of 2500 companies %d are held, %d known, %d found", len(gotHeld), len(known), len(found))
	}
	for n, c := range u.Companies {
		if h := gotHeld[c.ID]; string(h.Encode()) != held(t, s, c.ID) || !known[c.ID] || found[lei(n)] != c.ID {
			t.Fatalf("%s is held as %s, known: %v, found: %s", c.ID, h.Encode(), known[c.ID], found[lei(n)])
		}
	}
	if first, err := s.Find(t.Context(), shared); err != nil || found[shared] != first {
		t.Errorf("of several %s is found among many, and %s (%v) alone", found[shared], first, err)
	}
	for _, none := range [][]company.ID{nil, {}} {
		h, err1 := s.Held(t.Context(), none)
		k, err2 := s.Known(t.Context(), none)
		f, err3 := s.FindMany(t.Context(), nil)
		if len(h)+len(k)+len(f) > 0 || errors.Join(err1, err2, err3) != nil {
			t.Errorf("of none there are %v, %v, %v (%v)", h, k, f, errors.Join(err1, err2, err3))
		}
	}
}

type pair struct{ key, hash int64 }

func fingerprints(t tb, s company.Store, source string) (out []pair) {
	t.Helper()
	err := s.Fingerprints(t.Context(), source, func(key, hash int64) { out = append(out, pair{key, hash}) })
	noError(t, err)
	return out
}

// someKeys are keys from one end of the numbers to the other, in no order.
func someKeys(source string, n int) (out []company.Fingerprint) {
	for i := range n {
		key := int64(uint64(i+1) * 0x9e3779b97f4a7c15)
		out = append(out, company.Fingerprint{Source: source, Key: key, Company: company.NewID("GB", fmt.Sprint(i)), Hash: -key})
	}
	return out
}

func fingerprintsInOrder(t *testing.T, s nodes) {
	keys := someKeys("src", 5000)
	write(t, s, company.Update{Keys: append(slices.Clone(keys), someKeys("other", 3)...)})
	var want []pair
	for _, k := range keys {
		want = append(want, pair{k.Key, k.Hash})
	}
	slices.SortFunc(want, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
	if got := fingerprints(t, s.other, "src"); !slices.Equal(got, want) {
		t.Errorf("%d fingerprints, not the %d that were kept in the order of their keys", len(got), len(want))
	}
	if got := fingerprints(t, s, "nobody"); len(got) != 0 {
		t.Errorf("a source that said nothing has %v", got)
	}
}

func fingerprintsReplaced(t *testing.T, s nodes) {
	a := company.Fingerprint{Source: "a", Key: 1, Company: "GB-0-1", Hash: 1, New: true}
	b := company.Fingerprint{Source: "b", Key: 1, Company: "GB-0-1", Hash: 1}
	write(t, s, company.Update{Keys: []company.Fingerprint{a, b}})
	a.Hash, a.Company, a.New = 2, "GB-0-2", false
	second := company.Fingerprint{Source: "a", Key: -5, Company: "GB-0-1", Hash: 9}
	write(t, s.other, company.Update{Keys: []company.Fingerprint{a, second}})
	same(t, "after the second", fingerprints(t, s, "a"), []pair{{-5, 9}, {1, 2}})
	same(t, "the other source's", fingerprints(t, s, "b"), []pair{{1, 1}})
	write(t, s, company.Update{DropKeys: []company.Fingerprint{{Source: "a", Key: 1}, {Source: "a", Key: 77}}})
	same(t, "after the drop", fingerprints(t, s, "a"), []pair{{-5, 9}})
	same(t, "the other source's", fingerprints(t, s, "b"), []pair{{1, 1}})
	write(t, s, company.Update{Keys: []company.Fingerprint{a}, DropKeys: []company.Fingerprint{second}})
	same(t, "one comes as another goes", fingerprints(t, s, "a"), []pair{{1, 2}})
	a.Hash = 3
	write(t, s, company.Update{Keys: []company.Fingerprint{a}, DropKeys: []company.Fingerprint{a}})
	same(t, "one goes and is said anew", fingerprints(t, s, "a"), []pair{{1, 3}})
	at, err := s.other.Keys(t.Context(), "a", []int64{1})
	noError(t, err)
	if at[1] != "GB-0-2" {
		t.Errorf("the key leads to %q, want the company that it was said of last", at[1])
	}
}

func keysLead(t *testing.T, s nodes) {
	list := someKeys("src", 3000)
	write(t, s, company.Update{Keys: append(slices.Clone(list), company.Fingerprint{Source: "other", Key: 4, Company: "GB-0-4"})})
	ask := []int64{4, 0}
	for _, k := range list {
		ask = append(ask, k.Key)
	}
	got, err := s.other.Keys(t.Context(), "src", ask)
	noError(t, err)
	if len(got) != len(list) {
		t.Errorf("%d keys lead somewhere, want %d", len(got), len(list))
	}
	for _, k := range list {
		if got[k.Key] != k.Company {
			t.Errorf("key %d leads to %q, want %s", k.Key, got[k.Key], k.Company)
		}
	}
	if none, err := s.Keys(t.Context(), "src", nil); err != nil || len(none) != 0 {
		t.Errorf("no keys lead to %v (%v)", none, err)
	}
}

// manyCompanies keeps enough for several pages, some with names that no two
// languages sort alike, and returns them in the order of their bytes.
func manyCompanies(t tb, s company.Store) (ids []company.ID) {
	var u company.Update
	for i := range 2500 {
		u.Companies = append(u.Companies, aSaved(company.NewID("GB", fmt.Sprint(i*7919%2500)), "x"))
	}
	for _, number := range []string{"a", "B", "ä", "Ä", "Z", "é", "1-2", "1", "10", "雪", "_", "ß"} {
		u.Companies = append(u.Companies, aSaved(company.ID("AX-0-"+number), "x"))
	}
	write(t, s, u)
	for _, c := range u.Companies {
		ids = append(ids, c.ID)
	}
	slices.Sort(ids)
	return ids
}

func companiesInOrder(t *testing.T, s nodes) {
	ids := manyCompanies(t, s)
	for _, from := range []int{-1, 0, 3, 11, 999, 1000, 1001, len(ids) - 2, len(ids) - 1} {
		after := company.ID("")
		if from >= 0 {
			after = ids[from]
		}
		var got []company.ID
		err := s.other.Companies(t.Context(), after, func(h company.Held) error {
			got = append(got, h.ID)
			if len(h.Said) != 1 || h.Said[0].Facts.Name != "x" {
				t.Errorf("%s says %+v", h.ID, h.Said)
			}
			return nil
		})
		noError(t, err)
		if !slices.Equal(got, ids[from+1:]) {
			t.Errorf("after %q come %d companies, want %d in their order", after, len(got), len(ids)-from-1)
		}
	}
	if n, err := s.Count(t.Context()); n != int64(len(ids)) || err != nil {
		t.Errorf("%d companies (%v), want %d", n, err, len(ids))
	}
}

func companiesStop(t *testing.T, s nodes) {
	manyCompanies(t, s)
	enough := errors.New("enough")
	n := 0
	err := s.Companies(t.Context(), "", func(company.Held) error {
		if n++; n == 1500 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || n != 1500 {
		t.Errorf("after %d companies: %v; want the visitor's error after 1500", n, err)
	}
}
