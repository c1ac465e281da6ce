package storetest

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// registers are the promises of company.Store about writing.
var registers = []promise{
	{"writes of two nodes to one company lose nothing", writesExclude},
	{"a write keeps nothing if its edit fails", editFails},
	{"a write keeps nothing if one part of it is refused", updateRefused},
	{"a write that panics lets the next one through", editPanics},
	{"a write sees what the one before it kept, and leaves out what is unknown", writeSees},
	{"a write of nothing changes nothing", writeOfNothing},
	{"reading waits for no write", readingDoesNotWait},
	{"what is said comes back as it was kept, short or long", saidComesBack},
	{"a company that is kept again takes the place of the old one", companyReplaced},
	{"a company that is removed is missing, and its changes stay", companyRemoved},
}

// aSaved is a new company with one statement and whatever idents.
func aSaved(id company.ID, name string, idents ...company.Ident) company.Saved {
	return company.Saved{
		Held: company.Held{ID: id, Said: []company.Said{{Source: "src", Facts: company.Facts{Name: name, Status: company.Active}}}},
		New:  true, Name: name, Country: id.Country(), Status: company.Active, Idents: idents,
	}
}

func aChange(id company.ID, new string) company.Change {
	return company.Change{Company: id, Field: company.FieldName, New: new, Source: "src", At: noon}
}

// write keeps an update, and fails the test if that fails.
func write(t tb, s company.Store, u company.Update) {
	t.Helper()
	if err := s.Write(t.Context(), func(company.View) (company.Update, error) { return u, nil }); err != nil {
		t.Fatalf("write: %v", err)
	}
}

// held is what is kept of a company, as it is stored.
func held(t tb, s company.Store, id company.ID) string {
	t.Helper()
	h, err := s.Company(t.Context(), id)
	if err != nil {
		t.Fatalf("company %s: %v", id, err)
	}
	return string(h.Encode())
}

func log(t tb, s company.Store) []company.Change {
	t.Helper()
	list, err := s.Changes(t.Context(), 0, 1_000_000)
	if err != nil {
		t.Fatalf("changes: %v", err)
	}
	return list
}

// writesExclude has everybody read a number and write it back one higher.
func writesExclude(t *testing.T, s nodes) {
	const workers, times = 3, 10
	const id = company.ID("GB-0-1")
	write(t, s, company.Update{Companies: []company.Saved{aSaved(id, "0")}})
	var wg sync.WaitGroup
	for _, node := range []Store{s.Store, s.other} {
		for range workers {
			wg.Go(func() {
				for range times {
					err := node.Write(t.Context(), func(v company.View) (company.Update, error) {
						was, err := v.Held(t.Context(), []company.ID{id})
						if err != nil {
							return company.Update{}, err
						}
						n, err := strconv.Atoi(was[id].Said[0].Facts.Name)
						next := aSaved(id, strconv.Itoa(n+1))
						next.New = false
						return company.Update{Companies: []company.Saved{next}, Changes: []company.Change{aChange(id, next.Name)}}, err
					})
					if err != nil {
						t.Errorf("write: %v", err)
						return
					}
				}
			})
		}
	}
	wg.Wait()
	for i, c := range log(t, s) {
		if c.Number != int64(i+1) || c.New != strconv.Itoa(i+1) {
			t.Errorf("change %d is number %d and says %s", i+1, c.Number, c.New)
		}
	}
	h, err := s.other.Company(t.Context(), id)
	noError(t, err)
	if got := h.Said[0].Facts.Name; got != strconv.Itoa(2*workers*times) {
		t.Errorf("after %d writes the count is %s", 2*workers*times, got)
	}
}

// everyPart is an update with something of everything.
func everyPart() company.Update {
	return company.Update{
		Companies: []company.Saved{aSaved("GB-0-1", "One", company.Ident{Kind: company.ByLEI, Value: "L"})},
		Keys:      []company.Fingerprint{{Source: "src", Key: 1, Company: "GB-0-1", Hash: 2}},
		Changes:   []company.Change{aChange("GB-0-1", "One")},
	}
}

func editFails(t *testing.T, s nodes) {
	wrong := errors.New("changed my mind")
	err := s.Write(t.Context(), func(company.View) (company.Update, error) { return everyPart(), wrong })
	if !errors.Is(err, wrong) {
		t.Errorf("got %v, want the edit's error", err)
	}
	emptyRegister(t, s, 0)
	err = s.Write(t.Context(), func(company.View) (company.Update, error) {
		return everyPart(), fault.Missing.Errorf("no such thing")
	})
	wantKind(t, err, fault.Missing)
	emptyRegister(t, s, 0)
}

// updateRefused adds the same new company twice, behind everything else.
func updateRefused(t *testing.T, s nodes) {
	write(t, s, company.Update{Changes: []company.Change{aChange("GB-0-0", "before")}})
	u := everyPart()
	for i := range 40 { // among many, wherever the engine divides them
		u.Companies = append(u.Companies, aSaved(company.NewID("GB", strconv.Itoa(100+i)), "x"))
	}
	u.Companies = append(u.Companies, u.Companies[20])
	if err := s.Write(t.Context(), func(company.View) (company.Update, error) { return u, nil }); err == nil {
		t.Error("a company was added twice")
	}
	emptyRegister(t, s, 1)
	// Numbers go on where they were.
	write(t, s.other, company.Update{Changes: []company.Change{aChange("GB-0-0", "after")}})
	if got := log(t, s); len(got) != 2 || got[1].Number != 2 {
		t.Errorf("the log: %+v", got)
	}
}

// emptyRegister fails unless nothing but changes is kept, and of those so many.
func emptyRegister(t *testing.T, s nodes, changes int) {
	t.Helper()
	for _, node := range []Store{s.Store, s.other} {
		if n, err := node.Count(t.Context()); n != 0 || err != nil {
			t.Errorf("%d companies (%v), want none", n, err)
		}
		_, err := node.Find(t.Context(), company.Ident{Kind: company.ByLEI, Value: "L"})
		wantKind(t, err, fault.Missing)
		if got := fingerprints(t, node, "src"); len(got) != 0 {
			t.Errorf("fingerprints: %v, want none", got)
		}
		if got := log(t, node); len(got) != changes {
			t.Errorf("%d changes, want %d", len(got), changes)
		}
		if n, err := node.LastChange(t.Context()); n != int64(changes) || err != nil {
			t.Errorf("the last change is %d (%v), want %d", n, err, changes)
		}
	}
}

func editPanics(t *testing.T, s nodes) {
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = s.Write(t.Context(), func(company.View) (company.Update, error) { panic("a bug") })
	}()
	write(t, s.other, everyPart())
	write(t, s.Store, company.Update{Companies: []company.Saved{aSaved("GB-0-2", "Two")}})
	if n, err := s.Count(t.Context()); n != 2 || err != nil {
		t.Errorf("%d companies (%v), want 2", n, err)
	}
}

func writeSees(t *testing.T, s nodes) {
	lei := company.Ident{Kind: company.ByLEI, Value: "L"}
	vat := company.Ident{Kind: company.ByVAT, Value: "L"} // the same text, another kind
	for i, node := range []Store{s.Store, s.other, s.Store} {
		id := company.NewID("GB", strconv.Itoa(i))
		err := node.Write(t.Context(), func(v company.View) (company.Update, error) {
			if v.LastChange() != int64(i) {
				t.Errorf("write %d sees the last change %d", i, v.LastChange())
			}
			seen, err := v.Held(t.Context(), []company.ID{"GB-0-0", "GB-0-1", "GB-0-2", "XX-0-9"})
			noError(t, err)
			if len(seen) != i {
				t.Errorf("write %d sees %d companies", i, len(seen))
			}
			found, err := v.Find(t.Context(), []company.Ident{lei, vat, {Kind: company.BySafeNo, Value: "0"}, lei})
			noError(t, err)
			if _, wrong := found[vat]; wrong || (i > 0) != (found[lei] == "GB-0-0") || len(found) != min(i, 1) {
				t.Errorf("write %d finds %v", i, found)
			}
			for _, ids := range [][]company.ID{nil, {}} {
				if none, err := v.Held(t.Context(), ids); err != nil || len(none) != 0 {
					t.Errorf("of no companies %v (%v) is held", none, err)
				}
			}
			if none, err := v.Find(t.Context(), nil); err != nil || len(none) != 0 {
				t.Errorf("by no idents %v (%v) is found", none, err)
			}
			// Of several companies the first goes by the number.
			return company.Update{
				Companies: []company.Saved{aSaved(id, "x", lei)}, Changes: []company.Change{aChange(id, "x")},
			}, nil
		})
		noError(t, err)
	}
}

func writeOfNothing(t *testing.T, s nodes) {
	write(t, s, company.Update{})
	write(t, s, company.Update{Removed: []company.ID{"GB-0-77"}, DropKeys: []company.Fingerprint{{Source: "src", Key: 5}}})
	emptyRegister(t, s, 0)
}

func readingDoesNotWait(t *testing.T, s nodes) {
	write(t, s, everyPart())
	err := s.Write(t.Context(), func(company.View) (company.Update, error) {
		for _, node := range []Store{s.Store, s.other} {
			held(t, node, "GB-0-1")
			if got := log(t, node); len(got) != 1 {
				t.Errorf("%d changes during a write, want 1", len(got))
			}
		}
		return company.Update{Changes: []company.Change{aChange("GB-0-1", "x")}}, nil
	})
	noError(t, err)
}

func companyReplaced(t *testing.T, s nodes) {
	write(t, s, company.Update{Companies: []company.Saved{aSaved("GB-0-1", "One"), aSaved("GB-0-2", "Two")}})
	two := held(t, s, "GB-0-2")
	next := aSaved("GB-0-1", "Uno")
	next.New = false
	next.Said = append(next.Said, company.Said{Source: "zzz", Part: "p", Key: -7, Facts: company.Facts{SafeNo: "S"}})
	write(t, s.other, company.Update{Companies: []company.Saved{next}})
	if got, want := held(t, s, "GB-0-1"), string(next.Encode()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := held(t, s, "GB-0-2"); got != two {
		t.Errorf("another company became %s", got)
	}
	if n, err := s.Count(t.Context()); n != 2 || err != nil {
		t.Errorf("%d companies (%v), want 2", n, err)
	}
}

func companyRemoved(t *testing.T, s nodes) {
	write(t, s, everyPart())
	write(t, s, company.Update{Companies: []company.Saved{aSaved("GB-0-2", "Two")}})
	write(t, s.other, company.Update{
		Removed: []company.ID{"GB-0-1"},
		Changes: []company.Change{{Company: "GB-0-1", Field: company.Removed, Old: "One", Source: "src", At: noon}},
	})
	_, err := s.Company(t.Context(), "GB-0-1")
	wantKind(t, err, fault.Missing)
	_, err = s.Find(t.Context(), company.Ident{Kind: company.ByLEI, Value: "L"})
	wantKind(t, err, fault.Missing)
	if got := log(t, s); len(got) != 2 || got[1].Field != company.Removed || got[1].Old != "One" {
		t.Errorf("the log: %+v", got)
	}
	if n, err := s.Count(t.Context()); n != 1 || err != nil {
		t.Errorf("%d companies (%v), want 1", n, err)
	}
	// It may come back, as new.
	write(t, s, company.Update{Companies: []company.Saved{aSaved("GB-0-1", "One again")}})
	if got := held(t, s, "GB-0-1"); got != string(aSaved("GB-0-1", "One again").Encode()) {
		t.Errorf("it came back as %s", got)
	}
}

// saidComesBack keeps texts around the length from which they are packed, and
// far beyond, of sorts that pack well and that do not.
func saidComesBack(t *testing.T, s nodes) {
	_, err := s.Company(t.Context(), "GB-0-404")
	wantKind(t, err, fault.Missing)
	var u company.Update
	want := map[company.ID]string{}
	for i, size := range []int{0, 1, 900, 960, 1024, 1100, 5000, 100_000, 3_000_000} {
		for j, alike := range []bool{true, false} {
			id := company.NewID("GB", fmt.Sprintf("%d-%d", i, j))
			c := aSaved(id, text(size, alike))
			c.Name = "Åsa 雪"
			u.Companies = append(u.Companies, c)
			want[id] = string(c.Encode())
		}
	}
	write(t, s, u)
	for id, text := range want {
		if got := held(t, s.other, id); got != text {
			t.Errorf("%s came back with %d bytes, want %d", id, len(got), len(text))
		}
	}
}

// text is a text of some length, of one letter or of many.
func text(size int, alike bool) string {
	b := make([]rune, size)
	n := uint32(size + 1)
	for i := range b {
		if b[i] = 'x'; !alike {
			n = n*1664525 + 1013904223
			b[i] = rune('A' + n>>24)
		}
	}
	return string(b)
}
