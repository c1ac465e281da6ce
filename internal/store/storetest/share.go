package storetest

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// shares are the promises of monitor.PortfolioStore about sharing.
var shares = []promise{
	{"each right lets do what it is for, and nothing else", rightsApart},
	{"shares are replaced one by one, taken away, or all at once", sharesReplaced},
	{"a share holds inside the customer alone", shareInsideCustomer},
	{"a right that is taken away while somebody waits is gone", rightTakenAway},
}

func share(t tb, s monitor.PortfolioStore, id monitor.PortfolioID, r monitor.Rights) {
	t.Helper()
	noError(t, s.SharePortfolio(t.Context(), ann, id, false, []monitor.Share{{Account: bob.Account, Rights: r}}))
}

func rightsApart(t *testing.T, s nodes) {
	someCompanies(t, s, 2)
	for _, right := range []monitor.Rights{
		monitor.View, monitor.View | monitor.Add, monitor.View | monitor.Edit, monitor.View | monitor.Remove,
		monitor.View | monitor.Add | monitor.Remove, monitor.View | monitor.Add | monitor.Edit | monitor.Remove,
	} {
		p := create(t, s, ann, aPortfolio("shared: "+right.String()))
		to := create(t, s, bob, aPortfolio("own: "+right.String()))
		share(t, s, p.ID, right)
		all := deeds(s.other, t, p.ID, to.ID)
		for _, name := range []string{ // those that need a company before those that take it away
			"AddMembers", "ReplaceMembers", "CopyInto", "Portfolio", "Shares", "Members", "Search", "Member", "Countries", "Bands", "Settings",
			"EditPortfolio", "SetDefault", "EditMember", "SwitchRules", "SwitchAllOff", "Copy", "Move", "RemoveMembers", "Share", "Delete",
		} {
			add(t, s, ann, p.ID, "GB-0-1")
			d, ok := all[name]
			if !ok {
				t.Fatalf("there is no deed %s", name)
			}
			delete(all, name)
			err := d.do(bob)
			if d.needs&^right == 0 {
				if err != nil {
					t.Errorf("%s with %q: %v", name, right, err)
				}
			} else {
				wantKind(t, err, fault.Denied)
			}
		}
		if len(all) > 0 {
			t.Errorf("nobody tried %v", all)
		}
		got, rights, err := s.Portfolio(t.Context(), bob, p.ID)
		if noError(t, err); rights != right || got.Default {
			t.Errorf("bob has %q, want %q; it is the default: %v", rights, right, got.Default)
		}
	}
}

func sharesReplaced(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one"))
	want := func(list ...monitor.Share) {
		t.Helper()
		got, err := s.other.Shares(t.Context(), ann, p.ID)
		noError(t, err)
		same(t, "shares", got, list)
	}
	set := func(all bool, list ...monitor.Share) {
		t.Helper()
		noError(t, s.SharePortfolio(t.Context(), ann, p.ID, all, list))
	}
	want()
	set(false, monitor.Share{Account: 9, Rights: monitor.View}, monitor.Share{Account: 5, Rights: monitor.View | monitor.Add})
	want(monitor.Share{Account: 5, Rights: monitor.View | monitor.Add}, monitor.Share{Account: 9, Rights: monitor.View})
	set(false, monitor.Share{Account: 9, Rights: monitor.View | monitor.Edit})
	want(monitor.Share{Account: 5, Rights: monitor.View | monitor.Add}, monitor.Share{Account: 9, Rights: monitor.View | monitor.Edit})
	set(false, monitor.Share{Account: 5}, monitor.Share{Account: 7})
	want(monitor.Share{Account: 9, Rights: monitor.View | monitor.Edit})
	set(true, monitor.Share{Account: 3, Rights: monitor.View})
	want(monitor.Share{Account: 3, Rights: monitor.View})
	set(true)
	want()
	if _, _, err := s.Portfolio(t.Context(), bob, p.ID); !errors.Is(err, fault.Missing) {
		t.Errorf("bob, whose share was taken away, gets %v", err)
	}
}

func shareInsideCustomer(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one"))
	noError(t, s.SharePortfolio(t.Context(), ann, p.ID, false, []monitor.Share{{Account: eve.Account, Rights: monitor.View}}))
	if _, _, err := s.Portfolio(t.Context(), eve, p.ID); !errors.Is(err, fault.Missing) {
		t.Errorf("another customer's account gets %v", err)
	}
	list, _, err := s.Portfolios(t.Context(), eve)
	noError(t, err)
	if len(list) != 0 {
		t.Errorf("another customer's account sees %v", list)
	}
}

// rightTakenAway has edits wait for a portfolio while the right to them is taken
// away: those that come after must not go through.
func rightTakenAway(t *testing.T, s nodes) {
	someCompanies(t, s, 1)
	p := create(t, s, ann, aPortfolio("one"))
	add(t, s, ann, p.ID, "GB-0-1")
	for range 5 {
		share(t, s, p.ID, monitor.View|monitor.Edit)
		var mu sync.Mutex
		var order []string
		note := func(what string) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, what)
		}
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				for range 5 {
					err := s.other.EditMember(t.Context(), bob, p.ID, "GB-0-1", func(*monitor.Member) error { note("edit"); return nil })
					if err != nil && !errors.Is(err, fault.Missing) {
						t.Errorf("bob: %v", err)
					}
				}
			})
		}
		wg.Go(func() {
			noErrorf(t, s.EditMember(t.Context(), ann, p.ID, "GB-0-1", func(*monitor.Member) error { return nil })) // so that some are at work
			noErrorf(t, s.SharePortfolio(t.Context(), ann, p.ID, true, nil))
			note("taken away")
		})
		wg.Wait()
		if late := len(order) - slices.Index(order, "taken away") - 1; late > 0 {
			t.Errorf("%d edits went through after the right was taken away", late)
		}
		if _, err := s.Members(t.Context(), bob, p.ID, monitor.MemberQuery{}); !errors.Is(err, fault.Missing) {
			t.Errorf("bob still sees it: %v", err)
		}
	}
}
