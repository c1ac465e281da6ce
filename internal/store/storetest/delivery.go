package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

// deliveries are the promises of monitor.CourierStore, and those of
// monitor.WebhookStore about deliveries.
var deliveries = []promise{
	{"an event comes with its deliveries: one for each webhook that carries it, or none of both", deliveriesMade},
	{"a disabled webhook gets no deliveries", deliveriesDisabled},
	{"which webhooks have something new is found behind a number, however small the page", deliveriesNoticed},
	{"what was settled comes back, and leaves the lines of what waits and what failed", deliveriesSettled},
	{"a fence that was passed settles and disables nothing", settleFenced},
	{"settling disables webhooks, with a reason, and leaves a deleted one alone", settleDisables},
	{"deliveries are listed by state, the newest first", deliveriesListed},
	{"a replay makes events wait again: one, all, or the dead ones, and none that waits", replayed},
	{"a replay stops where enough wait", replayQuota},
	{"a replay stops where enough were asked for on a day", replayDaily},
	{"old deliveries that are done with are forgotten, and no others", deliveriesForgotten},
	{"the backlog counts what is on its way, and since when", backlogCounted},
	{"events are read by number; those that are gone are left out", eventsByID},
}

// A desk is where things are settled: a webhook with some events of some companies.
type desk struct {
	nodes
	p monitor.PortfolioID
	h monitor.Webhook
}

func newDesk(t *testing.T, s nodes, n int) *desk {
	t.Helper()
	d := &desk{nodes: s, p: create(t, s, ann, aPortfolio("one")).ID, h: hook(t, s, ann, aWebhook("https://example.com/a"))}
	d.tell(t, 1, n)
	return d
}

// tell makes events of three companies in turn.
func (d *desk) tell(t tb, from, n int) {
	t.Helper()
	list := someEvents([]monitor.PortfolioID{d.p}, from, n)
	for i := range list {
		list[i].Company = []company.ID{"GB-0-1", "GB-0-2", "GB-0-3"}[i%3]
	}
	kept, err := d.Tell(t.Context(), list, nil)
	noError(t, err)
	if kept != n {
		t.Fatalf("told %d of %d", kept, n)
	}
}

func (d *desk) waiting(t tb, replay bool) []monitor.Delivery {
	t.Helper()
	list, err := d.other.WaitingFor(t.Context(), ann.Customer, d.h.ID, replay, 0, 1000)
	noError(t, err)
	return list
}

func (d *desk) settle(t tb, state monitor.DeliveryState, list ...monitor.Delivery) {
	t.Helper()
	for i := range list {
		list[i].State = state
	}
	noError(t, d.Settle(t.Context(), list, nil, nil))
}

func numbersOf(list []monitor.Delivery) (out []monitor.EventID) {
	for i := range list {
		out = append(out, list[i].Event)
	}
	return out
}

func deliveriesMade(t *testing.T, s nodes) {
	a, b := create(t, s, ann, aPortfolio("a")).ID, create(t, s, ann, aPortfolio("b")).ID
	all := hook(t, s, ann, aWebhook("https://example.com/all"))
	some := aWebhook("https://example.com/b")
	some.Portfolios = []monitor.PortfolioID{b}
	some = hook(t, s, ann, some)
	rule := aWebhook("https://example.com/rule")
	rule.Rules = []int{999}
	rule = hook(t, s, ann, rule)
	theirs := hook(t, s, eve, aWebhook("https://example.com/eve"))
	_, err := s.Tell(t.Context(), someEvents([]monitor.PortfolioID{a, b}, 1, 4), nil)
	noError(t, err)
	for _, h := range []monitor.Webhook{all, some, rule, theirs} {
		id, want := h.ID, map[monitor.WebhookID][]monitor.EventID{all.ID: {1, 2, 3, 4}, some.ID: {2, 4}}[h.ID]
		list, err := s.other.WaitingFor(t.Context(), h.Customer, id, false, 0, 10)
		noError(t, err)
		if got := numbersOf(list); !slices.Equal(got, want) {
			t.Errorf("webhook %d: deliveries of %v, want %v", id, got, want)
		}
		for _, d := range list {
			if d.Since.IsZero() || d.Customer != ann.Customer || d.Company != "GB-0-1" || len(d.Tries) != 0 || d.State != monitor.Waiting {
				t.Errorf("got %+v", d)
			}
		}
	}
	// Events that are refused leave no deliveries behind.
	held := takeShare(t, s, "a", 0)[:1]
	takeShare(t, s.other, "b", time.Hour)
	_, err = s.Tell(t.Context(), someEvents([]monitor.PortfolioID{a}, 50, 2), []job.Place{{Name: held[0].Name, Number: 1, Fence: held[0].Fence}})
	wantKind(t, err, fault.Conflict)
	if list, err := s.WaitingFor(t.Context(), ann.Customer, all.ID, false, 4, 10); err != nil || len(list) != 0 {
		t.Errorf("%d deliveries of events that were not kept (%v)", len(list), err)
	}
}

func deliveriesDisabled(t *testing.T, s nodes) {
	d := newDesk(t, s, 2)
	for i, off := range []bool{true, false} {
		_, err := s.EditWebhook(t.Context(), ann, d.h.ID, func(h *monitor.Webhook) error {
			h.Disabled = off
			return nil
		})
		noError(t, err)
		d.tell(t, 10+i, 1)
	}
	if got := numbersOf(d.waiting(t, false)); !slices.Equal(got, []monitor.EventID{1, 2, 4}) {
		t.Errorf("deliveries of %v, want 1, 2 and 4", got)
	}
}

func deliveriesNoticed(t *testing.T, s nodes) {
	d := newDesk(t, s, 5)
	second := hook(t, s, ann, aWebhook("https://example.com/b"))
	third := hook(t, s, ann, aWebhook("https://example.com/c"))
	d.tell(t, 20, 4)
	last, err := s.LastEvent(t.Context())
	if err != nil || last != 9 {
		t.Fatalf("the last event is %d, %v", last, err)
	}
	for _, page := range []int{4, 5, 7, 100} {
		met := map[monitor.WebhookID]bool{}
		at := monitor.EventID(0)
		for range 100 {
			news, err := s.other.Round(t.Context(), 0, at, page)
			noError(t, err)
			for _, d := range news.Deliveries {
				met[d.Webhook] = true
			}
			at = news.Last
			if len(news.Deliveries) < page {
				break
			}
		}
		if at != 9 || len(met) != 3 || !met[second.ID] || !met[third.ID] {
			t.Errorf("with pages of %d: at %d, met %v", page, at, met)
		}
	}
	if news, err := s.Round(t.Context(), 0, 9, 10); err != nil || len(news.Deliveries) != 0 || news.Last != 9 {
		t.Errorf("behind the last: %v, %v", news, err)
	}
}

func deliveriesSettled(t *testing.T, s nodes) {
	d := newDesk(t, s, 9) // three of each company
	list := d.waiting(t, false)
	took := monitor.Try{At: noon, Took: 5 * time.Millisecond, Status: 200, Answer: "thank you"}
	list[0].Tries = []monitor.Try{{At: noon, Error: "no answer"}, took}
	list[0].State = monitor.Delivered
	d.settle(t, monitor.Delivered, list[0])
	list[1].NextAt = noon.Add(time.Hour)
	d.settle(t, monitor.Parked, list[1], list[4], list[7])
	d.settle(t, monitor.Dead, list[2])
	if got := numbersOf(d.waiting(t, false)); !slices.Equal(got, []monitor.EventID{4, 6, 7, 9}) {
		t.Errorf("waiting: %v", got)
	}
	after, err := s.WaitingFor(t.Context(), ann.Customer, d.h.ID, false, 6, 1)
	noError(t, err)
	if got := numbersOf(after); !slices.Equal(got, []monitor.EventID{7}) {
		t.Errorf("behind 6 comes %v", got)
	}
	lanes, err := s.other.ParkedLanes(t.Context(), ann.Customer, d.h.ID)
	noError(t, err)
	if len(lanes) != 1 || lanes[0].Event != 2 || !lanes[0].NextAt.Equal(noon.Add(time.Hour)) {
		t.Errorf("the lanes are %+v", lanes)
	}
	behind, err := s.ParkedFor(t.Context(), ann.Customer, d.h.ID, "GB-0-2", false, 2)
	noError(t, err)
	if got := numbersOf(behind); !slices.Equal(got, []monitor.EventID{2, 5}) {
		t.Errorf("parked: %v", got)
	}
	one, err := s.other.Delivery(t.Context(), ann, d.h.ID, 1)
	noError(t, err)
	if diff := cmp.Diff(list[0], one, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-settled +found):\n%s", diff)
	}
	// The last word on a delivery counts.
	twice := []monitor.Delivery{list[3], list[3]}
	twice[0].State, twice[1].State = monitor.Parked, monitor.Delivered
	noError(t, s.Settle(t.Context(), twice, nil, nil))
	if one, err = s.Delivery(t.Context(), ann, d.h.ID, 4); err != nil || one.State != monitor.Delivered {
		t.Errorf("got %+v, %v", one, err)
	}
}

func settleFenced(t *testing.T, s nodes) {
	d := newDesk(t, s, 3)
	old := takeShare(t, s, "a", 0)
	takeShare(t, s.other, "b", time.Hour)
	list := d.waiting(t, false)
	list[0].State = monitor.Delivered
	err := s.Settle(t.Context(), list[:1], map[monitor.WebhookID]string{d.h.ID: "gone"}, old)
	wantKind(t, err, fault.Conflict)
	h, err := s.Webhook(t.Context(), ann, d.h.ID)
	if err != nil || h.Disabled || len(d.waiting(t, false)) != 3 {
		t.Errorf("something was kept: %+v, %d wait, %v", h, len(d.waiting(t, false)), err)
	}
}

func settleDisables(t *testing.T, s nodes) {
	d := newDesk(t, s, 3)
	gone := hook(t, s, ann, aWebhook("https://example.com/b"))
	noError(t, s.DeleteWebhook(t.Context(), ann, gone.ID))
	held := takeShare(t, s, "a", time.Hour)
	lost := monitor.Delivery{Webhook: gone.ID, Customer: ann.Customer, Event: 1, State: monitor.Delivered}
	err := s.Settle(t.Context(), []monitor.Delivery{lost}, map[monitor.WebhookID]string{d.h.ID: "the reason", gone.ID: "x", 1 << 40: "y"}, held)
	noError(t, err)
	h, err := s.other.Webhook(t.Context(), ann, d.h.ID)
	if err != nil || !h.Disabled || h.Reason != "the reason" || h.Version <= d.h.Version {
		t.Errorf("got %+v, %v", h, err)
	}
	wantKind(t, errOf(s.Webhook(t.Context(), ann, gone.ID)), fault.Missing)
	wantKind(t, errOf(s.Delivery(t.Context(), ann, gone.ID, 1)), fault.Missing)
}

func deliveriesListed(t *testing.T, s nodes) {
	d := newDesk(t, s, 7)
	d.settle(t, monitor.Dead, d.waiting(t, false)[1], d.waiting(t, false)[4])
	dead := monitor.Dead
	for _, c := range []struct {
		q    monitor.DeliveryQuery
		want []monitor.EventID
	}{
		{monitor.DeliveryQuery{Limit: 3}, []monitor.EventID{7, 6, 5}},
		{monitor.DeliveryQuery{Limit: 3, Before: 5}, []monitor.EventID{4, 3, 2}},
		{monitor.DeliveryQuery{Limit: 9, State: &dead}, []monitor.EventID{5, 2}},
		{monitor.DeliveryQuery{Limit: 9, State: &dead, Before: 5}, []monitor.EventID{2}},
	} {
		list, err := s.other.Deliveries(t.Context(), bob, d.h.ID, c.q)
		noError(t, err)
		if got := numbersOf(list); !slices.Equal(got, c.want) {
			t.Errorf("%+v: got %v, want %v", c.q, got, c.want)
		}
	}
}

func replayed(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("early")).ID
	tellSome(t, s, p, 1, 2) // 1 and 2: before there was a webhook
	d := &desk{nodes: s, p: p, h: hook(t, s, ann, aWebhook("https://example.com/a"))}
	d.tell(t, 10, 4) // 3 to 6
	list := d.waiting(t, false)
	d.settle(t, monitor.Delivered, list[0])
	d.settle(t, monitor.Dead, list[1])
	d.settle(t, monitor.Parked, list[2])
	replay := func(q monitor.ReplayQuery, limit, want int, more monitor.EventID) {
		t.Helper()
		n, last, err := s.other.Replay(t.Context(), bob, d.h.ID, q, limit)
		if err != nil || n != want || last != more {
			t.Errorf("%+v: got %d, up to %d, %v; want %d, up to %d", q, n, last, err, want, more)
		}
	}
	before, err := s.Webhook(t.Context(), ann, d.h.ID)
	noError(t, err)
	replay(monitor.ReplayQuery{Since: 1, Dead: true}, 100, 1, 0) // 4
	replay(monitor.ReplayQuery{Event: 6}, 100, 0, 0)             // it waits
	replay(monitor.ReplayQuery{Event: 3}, 100, 1, 0)
	replay(monitor.ReplayQuery{Since: 1}, 2, 2, 2) // 1 and 2
	replay(monitor.ReplayQuery{Since: 3}, 100, 0, 0)
	if got := numbersOf(d.waiting(t, true)); !slices.Equal(got, []monitor.EventID{1, 2, 3, 4}) {
		t.Errorf("sent again: %v, want 1 to 4", got)
	}
	if got := numbersOf(d.waiting(t, false)); !slices.Equal(got, []monitor.EventID{6}) {
		t.Errorf("waiting: %v, want 6", got)
	}
	h, err := s.Webhook(t.Context(), ann, d.h.ID)
	if err != nil || h.Replays != before.Replays+3 || h.Version <= before.Version {
		t.Errorf("couriers hear of %d replays (%v), want 3", h.Replays-before.Replays, err)
	}
	_, _, err = s.Replay(t.Context(), ann, d.h.ID, monitor.ReplayQuery{Event: 77}, 1)
	wantKind(t, err, fault.Missing)
}

func replayQuota(t *testing.T, s nodes) {
	d := newDesk(t, s, 9)
	d.settle(t, monitor.Delivered, d.waiting(t, false)...)
	q := monitor.ReplayQuery{Since: 1, Most: 5}
	n, last, err := s.Replay(t.Context(), ann, d.h.ID, q, 100)
	if err != nil || n != 5 || last != 5 {
		t.Errorf("got %d, up to %d, %v; want 5", n, last, err)
	}
	_, _, err = s.Replay(t.Context(), ann, d.h.ID, q, 100)
	wantKind(t, err, fault.Exhausted)
	d.settle(t, monitor.Delivered, d.waiting(t, true)[:2]...)
	if n, _, err = s.Replay(t.Context(), ann, d.h.ID, q, 100); err != nil || n != 2 {
		t.Errorf("with room for two: %d, %v", n, err)
	}
}

func replayDaily(t *testing.T, s nodes) {
	d := newDesk(t, s, 9)
	d.settle(t, monitor.Delivered, d.waiting(t, false)...)
	ask := func(node Store, q monitor.ReplayQuery, want int) {
		t.Helper()
		q.Daily = 5
		if n, _, err := node.Replay(t.Context(), ann, d.h.ID, q, 100); err != nil || n != want {
			t.Errorf("got %d, %v; want %d", n, err, want)
		}
	}
	ask(s, monitor.ReplayQuery{Event: 9}, 1)
	ask(s, monitor.ReplayQuery{Event: 9}, 0) // it waits already, and costs nothing
	ask(s.other, monitor.ReplayQuery{Since: 1}, 4)
	// What was sent since makes no room.
	d.settle(t, monitor.Delivered, d.waiting(t, true)...)
	_, _, err := s.Replay(t.Context(), ann, d.h.ID, monitor.ReplayQuery{Since: 1, Daily: 5}, 100)
	wantKind(t, err, fault.Exhausted)
	if f, _ := fault.Of(err); f.Wait <= 0 || f.Wait > 24*time.Hour {
		t.Errorf("ask again after %v, want by the end of the day", f.Wait)
	}
	if n := len(d.waiting(t, true)); n != 0 {
		t.Errorf("%d wait although there was no room", n)
	}
	// Another webhook has its own.
	d.h = hook(t, s, ann, aWebhook("https://example.com/b"))
	ask(s, monitor.ReplayQuery{Since: 1}, 5)
	h, err := s.Webhook(t.Context(), ann, d.h.ID)
	if err != nil || h.Replayed != 5 || h.ReplayDay.IsZero() {
		t.Errorf("kept %d on %v (%v)", h.Replayed, h.ReplayDay, err)
	}
	// And tomorrow is another day.
	_, err = s.EditWebhook(t.Context(), ann, d.h.ID, func(h *monitor.Webhook) error {
		h.ReplayDay = h.ReplayDay.AddDate(0, 0, -1)
		return nil
	})
	noError(t, err)
	ask(s, monitor.ReplayQuery{Since: 1}, 4) // the rest; five wait still
}

func deliveriesForgotten(t *testing.T, s nodes) {
	d := newDesk(t, s, 6)
	list := d.waiting(t, false)
	d.settle(t, monitor.Delivered, list[0], list[1])
	d.settle(t, monitor.Dead, list[2])
	d.settle(t, monitor.Parked, list[3])
	forget := func(before time.Time, limit int, want int64) {
		t.Helper()
		n, err := s.other.ForgetDeliveries(t.Context(), before, limit)
		if err != nil || n != want {
			t.Errorf("before %v: forgot %d, %v, want %d", before, n, err, want)
		}
	}
	made := list[0].Since
	forget(made.Add(-time.Second), 100, 0)
	forget(made.Add(time.Hour), 2, 2)
	forget(made.Add(time.Hour), 100, 1)
	forget(made.Add(time.Hour), 100, 0)
	if n := len(d.waiting(t, false)); n != 2 {
		t.Errorf("%d wait, want 2", n)
	}
	_, err := s.EditWebhook(t.Context(), ann, d.h.ID, func(h *monitor.Webhook) error {
		h.Disabled = true
		return nil
	})
	noError(t, err)
	forget(made.Add(time.Hour), 100, 3)
}

func backlogCounted(t *testing.T, s nodes) {
	if b, err := s.Backlog(t.Context()); err != nil || b != (monitor.Backlog{}) {
		t.Errorf("of nothing: %+v, %v", b, err)
	}
	d := newDesk(t, s, 6)
	list := d.waiting(t, false)
	d.settle(t, monitor.Delivered, list[0])
	d.settle(t, monitor.Parked, list[1], list[4])
	b, err := s.other.Backlog(t.Context())
	if err != nil || b.Waiting != 3 || b.Parked != 2 || !b.Oldest.Equal(list[1].Since) {
		t.Errorf("got %+v, %v", b, err)
	}
	_, err = s.EditWebhook(t.Context(), ann, d.h.ID, func(h *monitor.Webhook) error {
		h.Disabled = true
		return nil
	})
	noError(t, err)
	if b, err := s.Backlog(t.Context()); err != nil || b != (monitor.Backlog{}) {
		t.Errorf("of a disabled webhook: %+v, %v", b, err)
	}
}

func eventsByID(t *testing.T, s nodes) {
	d := newDesk(t, s, 3)
	got, err := s.other.EventsByID(t.Context(), map[monitor.EventID]auth.CustomerID{1: ann.Customer, 2: eve.Customer, 3: ann.Customer, 77: ann.Customer})
	noError(t, err)
	if len(got) != 2 || got[1].In != "one" || got[3].Company != "GB-0-3" || got[1].Portfolio != d.p {
		t.Errorf("got %+v", got)
	}
}
