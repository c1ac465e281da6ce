package storetest

import (
	"cmp"
	"slices"
	"sync"
	"testing"

	"bureau/internal/auth"
)

// usage are the promises of Usage and SpendCalls.
var usage = []promise{
	{"usage adds up by customer, account, product, country and month", usageSums},
	{"usage counts the first day and the last", usageDays},
	{"usage sorts alike on every engine", usageOrder},
	{"a node hears of the calls that others counted", spendCalls},
	{"slots that are past are dropped", spendDrops},
	{"two nodes may spend calls at once", spendAtOnce},
}

func usageOf(t *testing.T, s auth.Store, c auth.CustomerID, from, to auth.Date) []auth.Usage {
	t.Helper()
	u, err := s.Usage(t.Context(), c, from, to)
	noError(t, err)
	return u
}

func usageSums(t *testing.T, s nodes) {
	turn(t, s, auth.Record{Usage: []auth.Usage{
		{Customer: 1, Account: 10, Product: auth.KYC, Country: "GB", Day: "2026-01-30", Calls: 1},
		{Customer: 1, Account: 10, Product: auth.KYC, Country: "GB", Day: "2026-01-31", Calls: 2},
		{Customer: 1, Account: 10, Product: auth.KYC, Country: "", Day: "2026-01-31", Calls: 4},
		{Customer: 1, Account: 10, Product: auth.KYC, Country: "GB", Day: "2026-02-01", Calls: 8},
		{Customer: 1, Account: 11, Product: auth.KYC, Country: "GB", Day: "2026-01-31", Calls: 16},
		{Customer: 2, Account: 12, Product: auth.KYC, Country: "GB", Day: "2026-01-31", Calls: 32},
	}})
	turn(t, s.other, auth.Record{Usage: []auth.Usage{
		{Customer: 1, Account: 10, Product: auth.KYC, Country: "GB", Day: "2026-01-31", Calls: 64},
		{Customer: 1, Account: 10, Product: auth.Companies, Country: "GB", Day: "2026-01-31", Calls: 1 << 40},
	}})
	want := []auth.Usage{
		{Customer: 1, Account: 10, Product: auth.Companies, Country: "GB", Day: "2026-01-01", Calls: 1 << 40},
		{Customer: 1, Account: 10, Product: auth.KYC, Country: "", Day: "2026-01-01", Calls: 4},
		{Customer: 1, Account: 10, Product: auth.KYC, Country: "GB", Day: "2026-01-01", Calls: 1 + 2 + 64},
		{Customer: 1, Account: 10, Product: auth.KYC, Country: "GB", Day: "2026-02-01", Calls: 8},
		{Customer: 1, Account: 11, Product: auth.KYC, Country: "GB", Day: "2026-01-01", Calls: 16},
	}
	same(t, "of one customer", usageOf(t, s, 1, "2026-01-01", "2026-12-31"), want)
	want = append(want, auth.Usage{Customer: 2, Account: 12, Product: auth.KYC, Country: "GB", Day: "2026-01-01", Calls: 32})
	same(t, "of all", usageOf(t, s, 0, "2026-01-01", "2026-12-31"), want)
	same(t, "of nobody", usageOf(t, s, 3, "2026-01-01", "2026-12-31"), []auth.Usage(nil))
}

func usageDays(t *testing.T, s nodes) {
	for i, day := range []auth.Date{"2026-01-09", "2026-01-10", "2026-01-11", "2026-01-12"} {
		turn(t, s, auth.Record{Usage: []auth.Usage{{Customer: 1, Account: 2, Product: auth.KYC, Day: day, Calls: 1 << i}}})
	}
	got := usageOf(t, s, 0, "2026-01-10", "2026-01-11")
	same(t, "two days of four", got, []auth.Usage{{Customer: 1, Account: 2, Product: auth.KYC, Day: "2026-01-01", Calls: 2 + 4}})
}

// usageOrder has products that a dictionary and a byte order sort differently.
func usageOrder(t *testing.T, s nodes) {
	var want []auth.Usage
	for _, p := range []auth.Product{"B", "a", "b-z", "ba", "z", "é"} {
		want = append(want, auth.Usage{Customer: 1, Account: 2, Product: p, Day: "2026-01-01", Calls: 1})
	}
	shuffled := slices.Clone(want)
	slices.Reverse(shuffled)
	turn(t, s, auth.Record{Usage: shuffled})
	same(t, "in order", usageOf(t, s, 0, "2026-01-01", "2026-01-31"), want)
}

func spend(t *testing.T, s auth.Store, node string, since int64, counts ...auth.CallCount) []auth.CallCount {
	t.Helper()
	others, err := s.SpendCalls(t.Context(), node, counts, since)
	noError(t, err)
	slices.SortFunc(others, func(a, b auth.CallCount) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Slot, b.Slot))
	})
	return others
}

func spendCalls(t *testing.T, s nodes) {
	none := []auth.CallCount(nil)
	same(t, "the first node", spend(t, s, "a", 0, auth.CallCount{Account: 1, Slot: 5, Calls: 2}), none)
	same(t, "the second node", spend(t, s.other, "b", 0, auth.CallCount{Account: 1, Slot: 5, Calls: 10}, auth.CallCount{Account: 2, Slot: 6, Calls: 1}),
		[]auth.CallCount{{Account: 1, Slot: 5, Calls: 2}})
	same(t, "the first node again", spend(t, s, "a", 0, auth.CallCount{Account: 1, Slot: 5, Calls: 3}),
		[]auth.CallCount{{Account: 1, Slot: 5, Calls: 10}, {Account: 2, Slot: 6, Calls: 1}})
	same(t, "a third, which counted nothing", spend(t, s, "c", 0),
		[]auth.CallCount{{Account: 1, Slot: 5, Calls: 15}, {Account: 2, Slot: 6, Calls: 1}})
	same(t, "from slot 6 on", spend(t, s.other, "c", 6), []auth.CallCount{{Account: 2, Slot: 6, Calls: 1}})
}

func spendDrops(t *testing.T, s nodes) {
	spend(t, s, "a", 0, auth.CallCount{Account: 1, Slot: 4, Calls: 1}, auth.CallCount{Account: 1, Slot: 5, Calls: 2})
	same(t, "what is left of it", spend(t, s.other, "b", 5, auth.CallCount{Account: 1, Slot: 6, Calls: 4}),
		[]auth.CallCount{{Account: 1, Slot: 5, Calls: 2}})
	same(t, "from slot 0 on", spend(t, s, "c", 0),
		[]auth.CallCount{{Account: 1, Slot: 5, Calls: 2}, {Account: 1, Slot: 6, Calls: 4}})
}

func spendAtOnce(t *testing.T, s nodes) {
	const times = 25
	var wg sync.WaitGroup
	for name, node := range map[string]Store{"a": s.Store, "b": s.other} {
		wg.Go(func() {
			for i := range int64(times) {
				// In another order each time, and dropping as they go.
				counts := []auth.CallCount{{Account: 1, Slot: 100, Calls: 1}, {Account: 2, Slot: 100, Calls: 1}, {Account: 3, Slot: i, Calls: 1}}
				if i%2 == 0 {
					slices.Reverse(counts)
				}
				if _, err := node.SpendCalls(t.Context(), name, counts, i); err != nil {
					t.Errorf("spend: %v", err)
					return
				}
			}
		})
	}
	wg.Wait()
	same(t, "at the end", spend(t, s, "c", 100),
		[]auth.CallCount{{Account: 1, Slot: 100, Calls: 2 * times}, {Account: 2, Slot: 100, Calls: 2 * times}})
}
