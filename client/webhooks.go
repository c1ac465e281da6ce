package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A Webhook is an address that events are posted to. VerifyWebhook checks what
// arrives there.
type Webhook struct {
	ID             int64              `json:"id"`
	URL            string             `json:"url"`
	PortfolioIDs   []int64            `json:"portfolioIds"` // empty: all
	RuleCodes      []int              `json:"ruleCodes"`    // empty: all
	Disabled       bool               `json:"disabled"`
	DisabledReason string             `json:"disabledReason"`
	PublicKeys     []WebhookPublicKey `json:"publicKeys"` // the newest first
	Created        Time               `json:"createdDate"`
	Changed        Time               `json:"changedDate"`

	// What signs is told when a webhook is made and when its secret is
	// rotated, and never again.
	Secret    string `json:"secret,omitempty"`
	PublicKey string `json:"publicKey,omitempty"`
}

// A WebhookPublicKey verifies what is posted to a webhook. An old one signs
// until a time.
type WebhookPublicKey struct {
	Key   string `json:"publicKey"`
	Until Time   `json:"until,omitzero"`
}

func webhookPath(id int64, more ...string) string {
	path := "/monitoring/webhooks/" + strconv.FormatInt(id, 10)
	for _, m := range more {
		path += "/" + m
	}
	return path
}

// Webhooks lists the webhooks of your company.
func (c *Client) Webhooks(ctx context.Context) ([]Webhook, error) {
	var out struct {
		Data []Webhook `json:"data"`
	}
	err := c.get(ctx, "/monitoring/webhooks", &out)
	return out.Data, err
}

// A NewWebhook says where events shall be posted, and which. Without filters
// all are.
type NewWebhook struct {
	URL          string  `json:"url"`
	PortfolioIDs []int64 `json:"portfolioIds,omitempty"`
	RuleCodes    []int   `json:"ruleCodes,omitempty"`
}

// CreateWebhook makes a webhook. Its address is challenged first: it has to
// answer a WebhookMessage of the type WebhookChallenge with the text of its
// challenge. Keep the secret; it is not told again.
func (c *Client) CreateWebhook(ctx context.Context, w NewWebhook) (out Webhook, err error) {
	err = c.call(ctx, http.MethodPost, "/monitoring/webhooks", w, &out)
	return out, err
}

// Webhook reads one webhook.
func (c *Client) Webhook(ctx context.Context, id int64) (out Webhook, err error) {
	err = c.get(ctx, webhookPath(id), &out)
	return out, err
}

// A WebhookEdit says what to change; nil leaves a thing as it is.
type WebhookEdit struct {
	URL          *string  `json:"url,omitempty"`
	PortfolioIDs *[]int64 `json:"portfolioIds,omitempty"`
	RuleCodes    *[]int   `json:"ruleCodes,omitempty"`
	Disabled     *bool    `json:"disabled,omitempty"`
}

// EditWebhook changes a webhook. A new address is challenged.
func (c *Client) EditWebhook(ctx context.Context, id int64, e WebhookEdit) (out Webhook, err error) {
	err = c.call(ctx, http.MethodPatch, webhookPath(id), e, &out)
	return out, err
}

// DeleteWebhook takes a webhook away.
func (c *Client) DeleteWebhook(ctx context.Context, id int64) error {
	return c.call(ctx, http.MethodDelete, webhookPath(id), nil, nil)
}

// RotateWebhookSecret gives a webhook a new secret. For the time of the
// overlap, at most a day, the old one signs as well.
func (c *Client) RotateWebhookSecret(ctx context.Context, id int64, overlap time.Duration) (out Webhook, err error) {
	in := map[string]float64{"overlapHours": overlap.Hours()}
	err = c.call(ctx, http.MethodPost, webhookPath(id, "secret"), in, &out)
	return out, err
}

// A WebhookAttempt is one try to deliver something.
type WebhookAttempt struct {
	At         Time   `json:"at"`
	DurationMs int64  `json:"durationMs"`
	Status     int    `json:"status"` // 0: there was no answer
	Error      string `json:"error"`
	Answer     string `json:"answer"` // the beginning of what the endpoint said
}

// OK reports whether the endpoint took it.
func (a *WebhookAttempt) OK() bool { return a.Status >= 200 && a.Status <= 299 }

// TestWebhook sends a test now, once, and returns what the endpoint said.
func (c *Client) TestWebhook(ctx context.Context, id int64) (out WebhookAttempt, err error) {
	err = c.call(ctx, http.MethodPost, webhookPath(id, "test"), nil, &out)
	return out, err
}

// A WebhookDelivery is an event on its way to a webhook, or that was.
type WebhookDelivery struct {
	EventID      int64            `json:"eventId"`
	CompanyID    string           `json:"companyId"`
	State        string           `json:"state"` // waiting, retrying, delivered or dead
	Replay       bool             `json:"replay"`
	Created      Time             `json:"createdDate"`
	Next         Time             `json:"nextDate,omitzero"`
	AttemptCount int              `json:"attemptCount"`
	LastStatus   int              `json:"lastStatus"`
	Attempts     []WebhookAttempt `json:"attempts,omitempty"` // only of one that was asked for alone
}

// WebhookDeliveries lists deliveries of the last 30 days, the newest event
// first; state "" is all.
func (c *Client) WebhookDeliveries(ctx context.Context, id int64, state string) iter.Seq2[WebhookDelivery, error] {
	filter := url.Values{"state": {state}}
	return pages(func(after string) ([]WebhookDelivery, string, error) {
		var out struct {
			Data   []WebhookDelivery `json:"data"`
			Cursor string            `json:"cursor"`
		}
		err := c.Do(ctx, Call{Method: http.MethodGet, Path: webhookPath(id, "deliveries"), Query: page(filter, after), Out: &out})
		return out.Data, out.Cursor, err
	})
}

// WebhookDelivery reads one delivery with its attempts.
func (c *Client) WebhookDelivery(ctx context.Context, id, event int64) (out WebhookDelivery, err error) {
	err = c.get(ctx, webhookPath(id, "deliveries", strconv.FormatInt(event, 10)), &out)
	return out, err
}

// A WebhookReplay says what to send again: one event, or all from a number on.
type WebhookReplay struct {
	EventID  int64 // one, or
	Since    int64 // all with this number or a higher one
	DeadOnly bool  // of those, only what was given up
}

// ReplayWebhook sends events again and returns how many.
func (c *Client) ReplayWebhook(ctx context.Context, id int64, r WebhookReplay) (total int, err error) {
	in := map[string]any{"deadOnly": r.DeadOnly}
	if r.EventID != 0 {
		in["eventId"] = r.EventID
	} else {
		in["since"] = r.Since
	}
	for {
		var out struct {
			Count int    `json:"count"`
			Next  *int64 `json:"next"`
		}
		if err := c.call(ctx, http.MethodPost, webhookPath(id, "replay"), in, &out); err != nil {
			return total, err
		}
		if total += out.Count; out.Next == nil {
			return total, nil
		}
		in["since"] = *out.Next
	}
}
