package storetest

import (
	"errors"
	"sync"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// turns are the promises of Turn.
var turns = []promise{
	{"turns of two nodes happen one after the other", exclusive},
	{"a turn adds nothing if its act fails", actFails},
	{"a turn adds nothing if one part of it is refused", partRefused},
	{"a turn that panics lets the next one through", actPanics},
	{"a used name, user key or address is a conflict", conflicts},
	{"many accounts have no e-mail address", noEmails},
	{"a turn of nothing adds nothing", turnOfNothing},
	{"a turn sees what the one before it added", turnSees},
	{"next id is where the last turn left it", nextID},
}

// exclusive has everybody read a number and write it back one higher. A turn
// that did not hold the lock while its act ran would lose some.
func exclusive(t *testing.T, s nodes) {
	const workers, times = 4, 15
	first := ends(t, s).NextID
	var mu sync.Mutex
	taken := map[int64]bool{}
	var wg sync.WaitGroup
	for _, node := range []Store{s.Store, s.other} {
		for range workers {
			wg.Go(func() {
				for range times {
					var mine int64
					err := node.Turn(t.Context(), everything, func(n auth.News) (auth.Record, error) {
						mine = n.NextID
						return auth.Record{NextID: n.NextID + 1}, nil
					})
					if err != nil {
						t.Errorf("turn: %v", err)
						return
					}
					mu.Lock()
					if taken[mine] {
						t.Errorf("two turns took the number %d", mine)
					}
					taken[mine] = true
					mu.Unlock()
				}
			})
		}
	}
	wg.Wait()
	if got, want := ends(t, s).NextID, first+2*workers*times; got != want {
		t.Errorf("after all turns the next number is %d, want %d", got, want)
	}
}

// full is a record with something of everything.
func full(n auth.News) auth.Record {
	return auth.Record{
		Customers: []auth.Customer{aCustomer(1, "Acme")},
		Accounts:  []auth.Account{anAccount(2, 1, "acme")},
		Keys:      []auth.Key{aKey("k")},
		Revoked:   []auth.Revocation{{TokenID: "t", Expires: noon}},
		Attempts:  []auth.Attempt{{At: noon, Source: 1}},
		Entries:   []auth.Entry{{Number: n.Head.Number + 1, At: noon, Action: auth.LoggedIn}},
		Head:      auth.Head{Number: n.Head.Number + 1, Sum: [32]byte{1}},
		Signed:    &auth.SignedHead{Number: n.Head.Number + 1, At: noon, KeyID: "k", Signature: []byte{1}},
		Usage:     []auth.Usage{{Customer: 1, Account: 2, Product: auth.KYC, Day: "2026-03-01", Calls: 1}},
		NextID:    n.NextID + 1,
	}
}

func actFails(t *testing.T, s nodes) {
	before := ends(t, s)
	wrong := errors.New("changed my mind")
	err := s.Turn(t.Context(), auth.Seen{}, func(n auth.News) (auth.Record, error) { return full(n), wrong })
	if !errors.Is(err, wrong) {
		t.Errorf("got %v, want the act's error", err)
	}
	unchanged(t, s, before)

	refused := fault.Missing.Errorf("no such thing")
	err = s.Turn(t.Context(), auth.Seen{}, func(auth.News) (auth.Record, error) { return auth.Record{}, refused })
	wantKind(t, err, fault.Missing)
}

// partRefused gives an account to a customer that does not exist.
func partRefused(t *testing.T, s nodes) {
	before := ends(t, s)
	err := s.Turn(t.Context(), auth.Seen{}, func(n auth.News) (auth.Record, error) {
		rec := full(n)
		rec.Accounts = append(rec.Accounts, anAccount(3, 77, "nobody's"))
		return rec, nil
	})
	if err == nil {
		t.Error("an account without a customer was taken")
	}
	unchanged(t, s, before)
}

// unchanged fails unless the record is empty and its ends are as they were.
func unchanged(t *testing.T, s nodes, before auth.News) {
	t.Helper()
	for _, node := range []Store{s.Store, s.other} {
		same(t, "what was added", since(t, node, auth.Seen{}), auth.News{})
		after := ends(t, node)
		if after.Head != before.Head || after.NextID != before.NextID {
			t.Errorf("head and next id are %v, %d; they were %v, %d", after.Head.Number, after.NextID, before.Head.Number, before.NextID)
		}
		same(t, "audit log", logOf(t, node, 0), []auth.Entry(nil))
		calls, err := node.Usage(t.Context(), 0, "2000-01-01", "2099-12-31")
		noError(t, err)
		same(t, "usage", calls, []auth.Usage(nil))
		_, signed, err := node.AuditHead(t.Context())
		noError(t, err)
		same(t, "signed heads", signed, []auth.SignedHead(nil))
	}
}

func actPanics(t *testing.T, s nodes) {
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = s.Turn(t.Context(), auth.Seen{}, func(auth.News) (auth.Record, error) { panic("a bug") })
	}()
	turn(t, s.other, auth.Record{Customers: []auth.Customer{aCustomer(1, "Acme")}})
	turn(t, s.Store, auth.Record{Customers: []auth.Customer{aCustomer(2, "Bolt")}})
	if n := since(t, s, auth.Seen{}); len(n.Customers) != 2 {
		t.Errorf("%d customers, want 2", len(n.Customers))
	}
}

func conflicts(t *testing.T, s nodes) {
	a := anAccount(2, 1, "acme")
	a.Email = "a@acme.test"
	turn(t, s, auth.Record{Customers: []auth.Customer{aCustomer(1, "Acme")}, Accounts: []auth.Account{a}})
	before := since(t, s, auth.Seen{})

	sameEmail := anAccount(3, 1, "other")
	sameEmail.Email = a.Email
	for _, it := range []struct {
		what, says string
		rec        auth.Record
	}{
		{"a customer's name", `there is already a customer called "Acme"`, auth.Record{Customers: []auth.Customer{aCustomer(9, "Acme")}}},
		{"a user key", `the user key "acme" is already used`, auth.Record{Accounts: []auth.Account{anAccount(3, 1, "acme")}}},
		{"an e-mail address", `the user key "other" or the e-mail address "a@acme.test" is already used`, auth.Record{Accounts: []auth.Account{sameEmail}}},
	} {
		err := s.other.Turn(t.Context(), everything, func(auth.News) (auth.Record, error) { return it.rec, nil })
		wantKind(t, err, fault.Conflict)
		if v, _ := fault.Of(err); v.Text != it.says {
			t.Errorf("%s: got %q, want %q", it.what, v.Text, it.says)
		}
	}
	same(t, "after three conflicts", since(t, s, auth.Seen{}), before)

	// Case matters: these are credentials, not words.
	turn(t, s, auth.Record{Accounts: []auth.Account{anAccount(3, 1, "ACME")}})
}

func noEmails(t *testing.T, s nodes) {
	turn(t, s, auth.Record{
		Customers: []auth.Customer{aCustomer(1, "Acme")},
		Accounts:  []auth.Account{anAccount(2, 1, "a"), anAccount(3, 1, "b")},
	})
	for _, a := range since(t, s, auth.Seen{}).Accounts {
		if a.Email != "" {
			t.Errorf("account %d has the address %q, want none", a.ID, a.Email)
		}
	}
}

func turnOfNothing(t *testing.T, s nodes) {
	before := ends(t, s)
	turn(t, s, auth.Record{})
	unchanged(t, s, before)
}

func turnSees(t *testing.T, s nodes) {
	var want auth.Head
	for i := range int64(3) {
		for _, node := range []Store{s.Store, s.other} {
			number := 2*i + 1
			if node == s.other {
				number++
			}
			err := node.Turn(t.Context(), auth.Seen{}, func(n auth.News) (auth.Record, error) {
				if n.Head != want {
					t.Errorf("turn %d sees the head %v, want %v", number, n.Head, want)
				}
				if got := len(n.Attempts); int64(got) != number-1 {
					t.Errorf("turn %d sees %d attempts, want %d", number, got, number-1)
				}
				rec := full(n)
				want = rec.Head
				return rec, nil
			})
			noError(t, err)
		}
	}
}

func nextID(t *testing.T, s nodes) {
	first := ends(t, s).NextID
	if first <= 0 {
		t.Fatalf("the first number is %d", first)
	}
	turn(t, s, auth.Record{NextID: first + 10})
	turn(t, s.other, auth.Record{Customers: []auth.Customer{aCustomer(1, "Acme")}}) // takes none
	if got := ends(t, s).NextID; got != first+10 {
		t.Errorf("the next number is %d, want %d", got, first+10)
	}
}
