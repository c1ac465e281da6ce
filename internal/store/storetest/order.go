package storetest

import (
	"sync"
	"sync/atomic"
	"testing"

	"bureau/internal/auth"
)

// order are the promises about what a reader sees while others write.
var order = []promise{
	{"a reader meets every attempt once, in the order of the turns", inOrder},
	{"who has seen a number has seen all below it", noGaps},
	{"news waits for nobody", newsDoesNotWait},
}

// inOrder has two writers and a reader on each node, all at once.
func inOrder(t *testing.T, s nodes) {
	const each = 60
	var mu sync.Mutex
	var want []uint64 // in the order in which the turns were taken
	var writers, readers sync.WaitGroup
	var done atomic.Bool
	for w, node := range []Store{s.Store, s.other} {
		writers.Go(func() {
			for i := range uint64(each) {
				err := node.Turn(t.Context(), everything, func(auth.News) (auth.Record, error) {
					mu.Lock()
					defer mu.Unlock()
					id := uint64(w)<<32 + i
					want = append(want, id, id)
					return auth.Record{Attempts: []auth.Attempt{{At: noon, Request: id}, {At: noon, Request: id}}}, nil
				})
				if err != nil {
					t.Errorf("turn: %v", err)
					return
				}
			}
		})
	}
	got := make([][]uint64, 2)
	for r, node := range []Store{s.Store, s.other} {
		readers.Go(func() {
			var seen auth.Seen
			for last := false; ; {
				last = done.Load()
				n, err := node.News(t.Context(), seen)
				if err != nil {
					t.Errorf("news: %v", err)
					return
				}
				for _, a := range n.Attempts {
					got[r] = append(got[r], a.Request)
				}
				seen = n.Seen
				if last {
					return
				}
			}
		})
	}
	writers.Wait()
	done.Store(true)
	readers.Wait()
	for r := range got {
		same(t, "what a reader met", got[r], want)
	}
}

// noGaps has every turn add one customer and one account named after the
// turn's number.
func noGaps(t *testing.T, s nodes) {
	const each = 40
	var writers, readers sync.WaitGroup
	var done atomic.Bool
	for _, node := range []Store{s.Store, s.other} {
		writers.Go(func() {
			for range each {
				err := node.Turn(t.Context(), everything, func(n auth.News) (auth.Record, error) {
					number := n.Seen.Access + 1
					c := auth.CustomerID(number)
					return auth.Record{
						Customers: []auth.Customer{aCustomer(c, "customer "+string(rune('a'+number)))},
						Accounts:  []auth.Account{anAccount(auth.AccountID(number), c, "key "+string(rune('a'+number)))},
					}, nil
				})
				if err != nil {
					t.Errorf("turn: %v", err)
					return
				}
			}
		})
	}
	for _, node := range []Store{s.Store, s.other} {
		readers.Go(func() {
			var seen auth.Seen
			customers, accounts := map[auth.CustomerID]bool{}, map[auth.AccountID]bool{}
			for last := false; ; {
				last = done.Load()
				n, err := node.News(t.Context(), seen)
				if err != nil {
					t.Errorf("news: %v", err)
					return
				}
				for _, c := range n.Customers {
					customers[c.ID] = true
				}
				for _, a := range n.Accounts {
					accounts[a.ID] = true
					if !customers[a.Customer] {
						t.Errorf("account %d was met before its customer", a.ID)
						return
					}
				}
				if n.Seen.Access < seen.Access {
					t.Errorf("seen went back from %d to %d", seen.Access, n.Seen.Access)
				}
				seen = n.Seen
				for i := range seen.Access {
					if !customers[auth.CustomerID(i+1)] || !accounts[auth.AccountID(i+1)] {
						t.Errorf("turn %d is seen, but what turn %d added is not", seen.Access, i+1)
						return
					}
				}
				if last {
					if seen.Access != 2*each {
						t.Errorf("at the end %d turns are seen, want %d", seen.Access, 2*each)
					}
					return
				}
			}
		})
	}
	writers.Wait()
	done.Store(true)
	readers.Wait()
}

// newsDoesNotWait reads while a turn is held open.
func newsDoesNotWait(t *testing.T, s nodes) {
	turn(t, s, auth.Record{Customers: []auth.Customer{aCustomer(1, "Acme")}})
	err := s.Turn(t.Context(), everything, func(auth.News) (auth.Record, error) {
		for _, node := range []Store{s.Store, s.other} {
			if n := since(t, node, auth.Seen{}); len(n.Customers) != 1 {
				t.Errorf("%d customers during the turn, want 1", len(n.Customers))
			}
		}
		return auth.Record{Customers: []auth.Customer{aCustomer(2, "Bolt")}}, nil
	})
	noError(t, err)
}
