package api

import (
	"context"
	"net/http"
	"time"

	"bureau/internal/auth"
	"bureau/internal/monitor"
)

// webhookRows are webhooks; what was delivered to them is in
// webhooks_deliveries.go. Making one and rotating take no Idempotency-Key: the
// answer holds a secret, and answers under a key are kept. A second webhook
// with the same address and filters is a 409 instead.
func (s *Server) webhookRows() []route {
	const one = "/monitoring/webhooks/{id}"
	return []route{
		get("/monitoring/webhooks", auth.Monitoring, "webhooks", "Your webhooks", s.webhooks, free,
			about("The webhooks of your company, the oldest first. Every account of it sees and changes them.")),
		post("/monitoring/webhooks", auth.Monitoring, "createWebhook", "Make a webhook", s.createWebhook, free, created, clashes,
			about("Events are posted to the address from now on, signed as Standard Webhooks (v1 and v1a), in order for each company. "+
				"Before it is kept, a signed POST of {\"type\":\"webhook.challenge\",\"challenge\":\"…\"} goes to the address: it must be answered with 2xx and the text of challenge in the body. "+
				"The secret is in this answer and in no other. At most 100 webhooks.")),
		get(one, auth.Monitoring, "webhook", "A webhook", s.webhook, free, about("Where it goes, what it carries, and whether it is disabled.")),
		patch(one, auth.Monitoring, "editWebhook", "Change a webhook", s.editWebhook, free,
			about("What is left out stays as it is. A new address is challenged like the first. Events that happen while a webhook is disabled are not sent to it; replay sends them later.")),
		del(one, auth.Monitoring, "deleteWebhook", "Delete a webhook", s.deleteWebhook, free,
			about("What is on its way to it is not sent any more.")),
		post(one+"/secret", auth.Monitoring, "rotateWebhookSecret", "Give a webhook a new secret", s.rotateWebhook, free,
			about("The new secret and public key are in the answer. For the hours of the overlap every message is signed with the old ones as well.")),
		post(one+"/test", auth.Monitoring, "testWebhook", "Send a test", s.testWebhook, free,
			about("Sends {\"type\":\"webhook.test\"} at once and answers with what the endpoint said. It is tried once.")),
		get(one+"/deliveries", auth.Monitoring, "webhookDeliveries", "What was delivered", s.deliveries, free,
			about("Deliveries of the last 30 days, the newest event first.")),
		get(one+"/deliveries/{eventId}", auth.Monitoring, "webhookDelivery", "One delivery", s.delivery, free,
			about("With every attempt: when it was, how long it took and what the endpoint said.")),
		post(one+"/replay", auth.Monitoring, "replayWebhook", "Send events again", s.replayWebhook, free, accepted,
			about("One event, or all from one on, also from before the webhook was made. They are sent when nothing else waits, each marked with the header Webhook-Replay. "+
				"At most 100,000 in one call: if there are more, next is the number to go on from.")),
	}
}

// accepted is for what answers 202.
func accepted(r *route) { r.status = http.StatusAccepted }

// WebhookJSON is a webhook. It is exported, as is whatever is embedded here, for
// huma looks into no other.
type WebhookJSON struct {
	ID             int64             `json:"id" example:"7"`
	URL            string            `json:"url" example:"https://example.com/hooks"`
	PortfolioIDs   []int64           `json:"portfolioIds" doc:"Only events in these portfolios; empty for all."`
	RuleCodes      []int             `json:"ruleCodes" doc:"Only events of these rules; empty for all."`
	Disabled       bool              `json:"disabled"`
	DisabledReason *string           `json:"disabledReason" doc:"Why it is disabled; null if it is not."`
	PublicKeys     []webhookKeysJSON `json:"publicKeys" doc:"The keys that verify v1a signatures, the newest first."`
	CreatedDate    string            `json:"createdDate" example:"2026-02-28T05:33:02"`
	ChangedDate    string            `json:"changedDate"`
}

type webhookKeysJSON struct {
	PublicKey string  `json:"publicKey" example:"whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="`
	Until     *string `json:"until" doc:"When it stops signing, after a rotation; null for the newest."`
}

func toWebhookJSON(h *monitor.Webhook, now time.Time) WebhookJSON {
	out := WebhookJSON{
		ID: int64(h.ID), URL: h.URL, PortfolioIDs: []int64{}, RuleCodes: []int{}, PublicKeys: []webhookKeysJSON{},
		Disabled: h.Disabled, DisabledReason: textOrNull(h.Reason), CreatedDate: naive(h.CreatedAt), ChangedDate: naive(h.ChangedAt),
	}
	for _, id := range h.Portfolios {
		out.PortfolioIDs = append(out.PortfolioIDs, int64(id))
	}
	out.RuleCodes = append(out.RuleCodes, h.Rules...)
	for _, k := range h.Secrets {
		if k.Until.IsZero() || k.Until.After(now) {
			out.PublicKeys = append(out.PublicKeys, webhookKeysJSON{k.Public, naiveOrNull(k.Until)})
		}
	}
	return out
}

// OneWebhookJSON is a webhook alone.
type OneWebhookJSON struct {
	CorrelationID string `json:"correlationId"`
	WebhookJSON
}

// secretWebhookJSON is a webhook with what is told once.
type secretWebhookJSON struct {
	OneWebhookJSON
	Secret    string `json:"secret" doc:"Verifies v1 signatures. Keep it: it is not told again." example:"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"`
	PublicKey string `json:"publicKey" doc:"Verifies v1a signatures."`
}

func (s *Server) one(who caller, h *monitor.Webhook) OneWebhookJSON {
	return OneWebhookJSON{who.correlation, toWebhookJSON(h, s.Webhooks.Now())}
}

func (s *Server) withSecret(who caller, h *monitor.Webhook, secret string) secretWebhookJSON {
	return secretWebhookJSON{s.one(who, h), secret, h.Secrets[0].Public}
}

type webhooksJSON struct {
	CorrelationID string        `json:"correlationId"`
	Total         int64         `json:"totalCount"`
	Data          []WebhookJSON `json:"data"`
}

func (s *Server) webhooks(ctx context.Context, in *noInput) (*reply[webhooksJSON], error) {
	list, err := s.Webhooks.List(ctx, in.by)
	if err != nil {
		return nil, err
	}
	out := webhooksJSON{CorrelationID: in.correlation, Total: int64(len(list)), Data: []WebhookJSON{}}
	for i := range list {
		out.Data = append(out.Data, toWebhookJSON(&list[i], s.Webhooks.Now()))
	}
	return ok(out), nil
}

type createWebhookIn struct {
	caller
	Body struct {
		URL          string  `json:"url" maxLength:"2000" doc:"Where to post: https, on the Internet." example:"https://example.com/hooks"`
		PortfolioIDs []int64 `json:"portfolioIds,omitempty" maxItems:"1000" doc:"Only events in these portfolios; left out or empty for all of your company's."`
		RuleCodes    []int   `json:"ruleCodes,omitempty" maxItems:"1000" doc:"Only events of these rules; left out or empty for all."`
	}
}

func (s *Server) createWebhook(ctx context.Context, in *createWebhookIn) (*reply[secretWebhookJSON], error) {
	h, secret, err := s.Webhooks.Create(ctx, in.by, monitor.Webhook{
		URL: in.Body.URL, Portfolios: portfolioIDs(in.Body.PortfolioIDs), Rules: in.Body.RuleCodes,
	})
	if err != nil {
		return nil, err
	}
	return ok(s.withSecret(in.caller, &h, secret)), nil
}

func portfolioIDs(list []int64) []monitor.PortfolioID {
	var out []monitor.PortfolioID
	for _, id := range list {
		out = append(out, monitor.PortfolioID(id))
	}
	return out
}

// WebhookIn names a webhook.
type WebhookIn struct {
	caller
	ID int64 `path:"id" minimum:"1" doc:"The webhook's number."`
}

func (in *WebhookIn) id() monitor.WebhookID { return monitor.WebhookID(in.ID) }

func (s *Server) webhook(ctx context.Context, in *WebhookIn) (*reply[OneWebhookJSON], error) {
	h, err := s.Webhooks.Webhook(ctx, in.by, in.id())
	if err != nil {
		return nil, err
	}
	return ok(s.one(in.caller, &h)), nil
}

type editWebhookIn struct {
	WebhookIn
	Body struct {
		URL          *string    `json:"url,omitempty" maxLength:"2000" doc:"A new address, which is challenged."`
		PortfolioIDs *[]int64   `json:"portfolioIds,omitempty" maxItems:"1000" doc:"Empty for all."`
		RuleCodes    *[]int     `json:"ruleCodes,omitempty" maxItems:"1000" doc:"Empty for all."`
		Disabled     *looseBool `json:"disabled,omitempty"`
	}
}

func (s *Server) editWebhook(ctx context.Context, in *editWebhookIn) (*reply[OneWebhookJSON], error) {
	c := monitor.WebhookChange{URL: in.Body.URL, Rules: in.Body.RuleCodes, Disabled: (*bool)(in.Body.Disabled)}
	if in.Body.PortfolioIDs != nil {
		ids := portfolioIDs(*in.Body.PortfolioIDs)
		c.Portfolios = &ids
	}
	h, err := s.Webhooks.Change(ctx, in.by, in.id(), c)
	if err != nil {
		return nil, err
	}
	return ok(s.one(in.caller, &h)), nil
}

func (s *Server) deleteWebhook(ctx context.Context, in *WebhookIn) (*none, error) {
	return nil, s.Webhooks.Delete(ctx, in.by, in.id())
}

type rotateWebhookIn struct {
	WebhookIn
	Body struct {
		OverlapHours *float64 `json:"overlapHours,omitempty" minimum:"0" maximum:"24" doc:"For how many hours the old secret signs as well; 24 if left out."`
	} `required:"false"`
}

func (s *Server) rotateWebhook(ctx context.Context, in *rotateWebhookIn) (*reply[secretWebhookJSON], error) {
	overlap := monitor.MaxOverlap
	if hours := in.Body.OverlapHours; hours != nil {
		overlap = time.Duration(*hours * float64(time.Hour))
	}
	h, secret, err := s.Webhooks.Rotate(ctx, in.by, in.id(), overlap)
	if err != nil {
		return nil, err
	}
	return ok(s.withSecret(in.caller, &h, secret)), nil
}
