package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// webhooks are the promises of monitor.WebhookStore about webhooks themselves.
var webhooks = []promise{
	{"a webhook comes back as it was made, for every account of its customer and no other", webhookKept},
	{"a portfolio of a stranger, a second of the same kind and one too many are refused", webhookRefused},
	{"many nodes that make webhooks at once make no more than the most", webhooksAtOnce},
	{"an edit of a webhook is kept whole or not at all, and two lose nothing", webhookEdited},
	{"a webhook outlives a portfolio of its filter, and can be changed then", webhookWithoutPortfolio},
	{"a webhook that goes takes its deliveries along, and couriers hear of it", webhookGone},
	{"versions of webhooks become visible in order", webhookVersions},
}

func aWebhook(url string) monitor.Webhook {
	return monitor.Webhook{URL: url, Secrets: []monitor.Secret{{Sealed: []byte{1, 2, 3}, Public: "whpk_x"}}}
}

func hook(t tb, s monitor.WebhookStore, by auth.Caller, h monitor.Webhook) monitor.Webhook {
	t.Helper()
	h, err := s.CreateWebhook(t.Context(), by, h, 100)
	noError(t, err)
	return h
}

func webhookKept(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one")).ID
	full := aWebhook("https://example.com/a")
	full.Portfolios, full.Rules = []monitor.PortfolioID{p}, []int{101, 105}
	full.Secrets = append(full.Secrets, monitor.Secret{Sealed: []byte{4}, Public: "whpk_y", Until: noon})
	a, b := hook(t, s, ann, full), hook(t, s.other, ann, aWebhook("https://example.com/b"))
	hook(t, s, eve, aWebhook("https://example.com/c"))
	if a.ID == 0 || a.ID == b.ID || a.Customer != ann.Customer || a.Account != ann.Account || a.CreatedAt.IsZero() {
		t.Errorf("got %+v and %+v", a, b)
	}
	for _, by := range []auth.Caller{ann, bob} {
		list, err := s.other.Webhooks(t.Context(), by)
		noError(t, err)
		if d := cmp.Diff([]monitor.Webhook{a, b}, list, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("(-made +listed):\n%s", d)
		}
		one, err := s.Webhook(t.Context(), by, a.ID)
		noError(t, err)
		if d := cmp.Diff(a, one, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("(-made +found):\n%s", d)
		}
	}
	ctx := t.Context()
	for _, err := range []error{
		errOf(s.Webhook(ctx, eve, a.ID)), errOf(s.Webhook(ctx, ann, 1<<40)), s.DeleteWebhook(ctx, eve, a.ID),
		errOf(s.EditWebhook(ctx, eve, a.ID, func(*monitor.Webhook) error { t.Error("a stranger edits"); return nil })),
		errOf(s.Deliveries(ctx, eve, a.ID, monitor.DeliveryQuery{Limit: 1})), errOf(s.Delivery(ctx, eve, a.ID, 1)),
	} {
		wantKind(t, err, fault.Missing)
	}
	_, _, err := s.Replay(ctx, eve, a.ID, monitor.ReplayQuery{Since: 1}, 10)
	wantKind(t, err, fault.Missing)
}

func errOf[T any](_ T, err error) error { return err }

func webhookRefused(t *testing.T, s nodes) {
	theirs := create(t, s, eve, aPortfolio("one")).ID
	h := aWebhook("https://example.com/a")
	h.Portfolios = []monitor.PortfolioID{theirs}
	wantKind(t, errOf(s.CreateWebhook(t.Context(), ann, h, 100)), fault.Missing)
	hook(t, s, ann, aWebhook("https://example.com/a"))
	wantKind(t, errOf(s.CreateWebhook(t.Context(), bob, aWebhook("https://example.com/a"), 100)), fault.Conflict)
	other := aWebhook("https://example.com/a")
	other.Rules = []int{101}
	hook(t, s, ann, other)
	wantKind(t, errOf(s.CreateWebhook(t.Context(), ann, aWebhook("https://example.com/b"), 2)), fault.Conflict)
	hook(t, s, eve, aWebhook("https://example.com/a")) // who has her own count
	list, err := s.Webhooks(t.Context(), ann)
	noError(t, err)
	if len(list) != 2 {
		t.Errorf("there are %d webhooks, want 2", len(list))
	}
}

func webhooksAtOnce(t *testing.T, s nodes) {
	const most = 5
	var all sync.WaitGroup
	for n, node := range []Store{s.Store, s.other, s.Store, s.other} {
		all.Go(func() {
			for i := range 4 {
				_, err := node.CreateWebhook(t.Context(), ann, aWebhook(fmt.Sprintf("https://example.com/%d/%d", n, i)), most)
				if err != nil && !errors.Is(err, fault.Conflict) {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	list, err := s.Webhooks(t.Context(), ann)
	noError(t, err)
	if len(list) != most {
		t.Errorf("there are %d webhooks, want %d", len(list), most)
	}
}

func webhookEdited(t *testing.T, s nodes) {
	h := hook(t, s, ann, aWebhook("https://example.com/a"))
	enough := errors.New("enough")
	_, err := s.EditWebhook(t.Context(), ann, h.ID, func(h *monitor.Webhook) error {
		h.URL = "https://example.com/b"
		return enough
	})
	if !errors.Is(err, enough) {
		t.Errorf("got %v, want the edit's own error", err)
	}
	theirs := create(t, s, eve, aPortfolio("one")).ID
	_, err = s.EditWebhook(t.Context(), ann, h.ID, func(h *monitor.Webhook) error {
		h.URL, h.Portfolios = "https://example.com/b", []monitor.PortfolioID{theirs}
		return nil
	})
	wantKind(t, err, fault.Missing)
	same, err := s.Webhook(t.Context(), ann, h.ID)
	noError(t, err)
	if d := cmp.Diff(h, same, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("an edit that failed changed it (-before +after):\n%s", d)
	}
	const each = 10
	var all sync.WaitGroup
	for _, node := range []Store{s.Store, s.other} {
		all.Go(func() {
			for range each {
				_, err := node.EditWebhook(t.Context(), ann, h.ID, func(h *monitor.Webhook) error {
					h.Rules = append(h.Rules, len(h.Rules))
					return nil
				})
				noErrorf(t, err)
			}
		})
	}
	all.Wait()
	got, err := s.Webhook(t.Context(), ann, h.ID)
	noError(t, err)
	if len(got.Rules) != 2*each || got.Version <= h.Version {
		t.Errorf("got %+v after %d edits", got, 2*each)
	}
}

func webhookWithoutPortfolio(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one")).ID
	h := aWebhook("https://example.com/a")
	h.Portfolios = []monitor.PortfolioID{p}
	h = hook(t, s, ann, h)
	noError(t, s.DeletePortfolio(t.Context(), ann, p))
	got, err := s.EditWebhook(t.Context(), ann, h.ID, func(h *monitor.Webhook) error {
		h.Disabled, h.Reason = true, "a reason"
		return nil
	})
	if err != nil || !got.Disabled || got.Reason != "a reason" || !slices.Equal(got.Portfolios, h.Portfolios) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func webhookGone(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one")).ID
	h := hook(t, s, ann, aWebhook("https://example.com/a"))
	tellSome(t, s, p, 1, 3)
	noError(t, s.DeleteWebhook(t.Context(), bob, h.ID))
	wantKind(t, errOf(s.Webhook(t.Context(), ann, h.ID)), fault.Missing)
	wantKind(t, s.DeleteWebhook(t.Context(), ann, h.ID), fault.Missing)
	wantKind(t, errOf(s.Delivery(t.Context(), ann, h.ID, 1)), fault.Missing)
	news, err := s.other.Round(t.Context(), h.Version, 0, 10)
	noError(t, err)
	if list := news.Webhooks; len(list) != 1 || list[0].ID != h.ID || list[0].URL != "" {
		t.Errorf("couriers hear %+v", list)
	}
	tellSome(t, s, p, 10, 3)
	waiting, err := s.WaitingFor(t.Context(), h.Customer, h.ID, false, 0, 100)
	if err != nil || len(waiting) != 0 {
		t.Errorf("%d deliveries wait for it, %v", len(waiting), err)
	}
	hook(t, s, ann, aWebhook("https://example.com/a")) // its place is free
}

// webhookVersions has two nodes edit and a reader that goes on behind the last
// version that it saw: in the end it has seen the last of each.
func webhookVersions(t *testing.T, s nodes) {
	const each = 15
	var ids []monitor.WebhookID
	for i := range 4 {
		ids = append(ids, hook(t, s, ann, aWebhook(fmt.Sprint("https://example.com/", i))).ID)
	}
	var editors sync.WaitGroup
	for n, node := range []Store{s.Store, s.other, s.Store, s.other} {
		editors.Go(func() {
			for range each {
				noErrorf(t, errOf(node.EditWebhook(t.Context(), ann, ids[n], func(h *monitor.Webhook) error {
					h.Replays++
					return nil
				})))
			}
		})
	}
	done := make(chan struct{})
	go func() {
		editors.Wait()
		close(done)
	}()
	seen := map[monitor.WebhookID]int64{}
	version := int64(0)
	for last := false; ; {
		news, err := s.other.Round(t.Context(), version, 0, 10)
		noError(t, err)
		for _, h := range news.Webhooks {
			if h.Version <= version {
				t.Fatalf("version %d comes after %d", h.Version, version)
			}
			seen[h.ID], version = h.Replays, h.Version
		}
		if last {
			break
		}
		select {
		case <-done:
			last = true
		case <-time.After(time.Millisecond):
		}
	}
	for _, id := range ids {
		if seen[id] != each {
			t.Errorf("of webhook %d the reader saw %d edits, want %d", id, seen[id], each)
		}
	}
}
