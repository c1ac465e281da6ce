package monitor

import (
	"context"
	"slices"
	"strconv"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// The limits of webhooks.
const (
	MaxWebhooks = 100            // of one customer
	MaxFilter   = 1000           // portfolios or rules in one filter
	MaxOverlap  = 24 * time.Hour // for which an old secret goes on signing
	MaxReplays  = 1_000_000      // that wait to be sent again to one webhook
)

// replayBatch is how many events are looked at in one transaction to make them
// wait again, and replayBatches how many such in one call.
const (
	replayBatch   = 2000
	replayBatches = 50
)

// A Sender speaks to endpoints. Package notify has the real one.
type Sender interface {
	// Address checks where a webhook shall go, without asking anyone, and
	// returns it in its usual form.
	Address(text string) (string, error)

	// NewSecret makes what signs a customer's deliveries. shown is for the
	// customer's eyes, once.
	NewSecret(of auth.CustomerID) (s Secret, shown string, err error)

	// Challenge finds out whether an endpoint wants to hear from us. If it
	// does not, the fault says what was expected of it.
	Challenge(ctx context.Context, h *Webhook) error

	// Test sends an event that never happened.
	Test(ctx context.Context, h *Webhook) (Answer, error)
}

// Webhooks is the door to webhooks and to what was delivered to them.
type Webhooks struct {
	Store   WebhookStore
	Sender  Sender
	Now     func() time.Time
	Replays int // events that one webhook may be asked to send again in a day; 0: any number
}

// Create makes a webhook, after its endpoint has said that it wants it. The
// secret is told here and never again.
func (s *Webhooks) Create(ctx context.Context, by auth.Caller, h Webhook) (_ Webhook, secret string, err error) {
	if h.URL, err = s.Sender.Address(h.URL); err != nil {
		return Webhook{}, "", err
	}
	if err := h.checkFilters(); err != nil {
		return Webhook{}, "", err
	}
	first, secret, err := s.Sender.NewSecret(by.Customer)
	if err != nil {
		return Webhook{}, "", err
	}
	h.Customer, h.Account, h.Secrets = by.Customer, by.Account, []Secret{first}
	if err := s.Sender.Challenge(ctx, &h); err != nil {
		return Webhook{}, "", err
	}
	h, err = s.Store.CreateWebhook(ctx, by, h, MaxWebhooks)
	return h, secret, nameFilter(err)
}

// nameFilter says of a portfolio that is not there where it was named.
func nameFilter(err error) error {
	if v, ok := fault.Of(err); ok && v.Kind == fault.Missing && v.Text == NoPortfolio {
		return fault.Invalid.Details("Bad request", "portfolioIds: you have no such portfolio")
	}
	return err
}

// checkFilters puts the filters in order and says what is wrong with them.
func (h *Webhook) checkFilters() error {
	slices.Sort(h.Portfolios)
	h.Portfolios = slices.Compact(h.Portfolios)
	slices.Sort(h.Rules)
	h.Rules = slices.Compact(h.Rules)
	var wrong []string
	if len(h.Portfolios) > MaxFilter {
		wrong = append(wrong, "portfolioIds: more than "+strconv.Itoa(MaxFilter))
	}
	if len(h.Rules) > MaxFilter {
		wrong = append(wrong, "ruleCodes: more than "+strconv.Itoa(MaxFilter))
	}
	for _, code := range h.Rules {
		if !slices.ContainsFunc(AllRules(), func(r *Rule) bool { return r.Code == code }) {
			wrong = append(wrong, "ruleCodes: there is no rule "+strconv.Itoa(code))
			break
		}
	}
	if len(wrong) > 0 {
		return fault.Invalid.Details("Bad request", wrong...)
	}
	return nil
}

// Webhook returns one webhook, List all of the customer's.
func (s *Webhooks) Webhook(ctx context.Context, by auth.Caller, id WebhookID) (Webhook, error) {
	return s.Store.Webhook(ctx, by, id)
}

// List returns the customer's webhooks, the oldest first.
func (s *Webhooks) List(ctx context.Context, by auth.Caller) ([]Webhook, error) {
	return s.Store.Webhooks(ctx, by)
}

// A WebhookChange says what to change; nil leaves a thing as it is.
type WebhookChange struct {
	URL        *string
	Portfolios *[]PortfolioID
	Rules      *[]int
	Disabled   *bool
}

// Change changes a webhook. A new address has to say that it wants it.
func (s *Webhooks) Change(ctx context.Context, by auth.Caller, id WebhookID, c WebhookChange) (Webhook, error) {
	h, err := s.Store.Webhook(ctx, by, id)
	if err != nil || c == (WebhookChange{}) {
		return h, err
	}
	address := h.URL
	if c.URL != nil {
		if address, err = s.Sender.Address(*c.URL); err != nil {
			return Webhook{}, err
		}
	}
	edit := func(h *Webhook) error {
		h.URL = address
		if c.Portfolios != nil {
			h.Portfolios = slices.Clone(*c.Portfolios)
		}
		if c.Rules != nil {
			h.Rules = slices.Clone(*c.Rules)
		}
		if c.Disabled != nil {
			h.Disabled, h.Reason = *c.Disabled, ""
			if h.Disabled {
				h.Reason = "switched off by its owner"
			}
		}
		return h.checkFilters()
	}
	was := h.URL
	if err := edit(&h); err != nil {
		return Webhook{}, err
	}
	if address != was {
		if err := s.Sender.Challenge(ctx, &h); err != nil {
			return Webhook{}, err
		}
	}
	h, err = s.Store.EditWebhook(ctx, by, id, func(h *Webhook) error {
		if c.URL == nil {
			address = h.URL // somebody else may have changed it
		}
		return edit(h)
	})
	return h, nameFilter(err)
}

// Delete takes a webhook away, with what is on its way to it.
func (s *Webhooks) Delete(ctx context.Context, by auth.Caller, id WebhookID) error {
	return s.Store.DeleteWebhook(ctx, by, id)
}

// Rotate gives a webhook a new secret. For the time of the overlap the one
// before signs too.
func (s *Webhooks) Rotate(ctx context.Context, by auth.Caller, id WebhookID, overlap time.Duration) (_ Webhook, secret string, err error) {
	if overlap < 0 || overlap > MaxOverlap {
		return Webhook{}, "", fault.Invalid.Details("Bad request", "overlapHours: from 0 to 24")
	}
	next, secret, err := s.Sender.NewSecret(by.Customer)
	if err != nil {
		return Webhook{}, "", err
	}
	now := s.Now()
	h, err := s.Store.EditWebhook(ctx, by, id, func(h *Webhook) error {
		kept := []Secret{next}
		for _, old := range h.Secrets {
			if old.Until.IsZero() || old.Until.After(now.Add(overlap)) {
				old.Until = now.Add(overlap).UTC().Truncate(time.Millisecond)
			}
			// Who rotates again and again still has few that sign.
			if old.Until.After(now) && len(kept) < 4 {
				kept = append(kept, old)
			}
		}
		h.Secrets = kept
		return nil
	})
	return h, secret, err
}

// Test sends a test event at once and returns what the endpoint said. A
// disabled webhook can be tested too: that is how one finds out whether it can
// be switched on again.
func (s *Webhooks) Test(ctx context.Context, by auth.Caller, id WebhookID) (Answer, error) {
	h, err := s.Store.Webhook(ctx, by, id)
	if err != nil {
		return Answer{}, err
	}
	return s.Sender.Test(ctx, &h)
}

// Deliveries lists what was, is or will be delivered to a webhook.
func (s *Webhooks) Deliveries(ctx context.Context, by auth.Caller, id WebhookID, q DeliveryQuery) ([]Delivery, error) {
	return s.Store.Deliveries(ctx, by, id, q)
}

// Delivery returns one delivery with its tries.
func (s *Webhooks) Delivery(ctx context.Context, by auth.Caller, id WebhookID, event EventID) (Delivery, error) {
	return s.Store.Delivery(ctx, by, id, event)
}

// Replay sends events again, after everything else that is to be sent. It
// returns how many, and if there are more than it takes at once or than may
// wait, the event to go on from.
func (s *Webhooks) Replay(ctx context.Context, by auth.Caller, id WebhookID, q ReplayQuery) (total int, next EventID, err error) {
	if (q.Event == 0) == (q.Since == 0) {
		return 0, 0, fault.Invalid.Details("Bad request", "give either eventId or since")
	}
	q.Most, q.Daily = MaxReplays, s.Replays
	for range replayBatches {
		n, last, err := s.Store.Replay(ctx, by, id, q, replayBatch)
		if _, ok := fault.Of(err); ok && total > 0 {
			break // what came before is on its way
		}
		if err != nil {
			return 0, 0, err
		}
		if total += n; last == 0 || q.Event != 0 {
			return total, 0, nil
		}
		q.Since = last + 1
	}
	return total, q.Since, nil
}
