package console

import (
	"strconv"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

type webhooksData struct {
	List   []monitor.Webhook
	Made   *monitor.Webhook
	Secret string // shown once
}

// webhooks lists where events are posted to.
func (s *Server) webhooks(v *visit) error { return s.showWebhooks(v, webhooksData{}) }

func (s *Server) showWebhooks(v *visit, d webhooksData) (err error) {
	if err := s.needs(v, auth.Monitoring, ""); err != nil {
		return err
	}
	if d.List, err = s.Webhooks.List(v.ctx(), v.by); err != nil {
		return err
	}
	return s.show(v, page{name: "webhooks", title: "Webhooks", data: d})
}

// createWebhook makes one, after its endpoint has said that it wants it, and
// shows its secret this once.
func (s *Server) createWebhook(v *visit) error {
	h, secret, err := s.Webhooks.Create(v.ctx(), v.by, monitor.Webhook{URL: v.text("url")})
	if err != nil {
		return err
	}
	return s.showWebhooks(v, webhooksData{Made: &h, Secret: secret})
}

type webhookData struct {
	monitor.Webhook
	State      string
	Deliveries []monitor.Delivery
	Next       string
	Tried      *monitor.Answer
}

// deliveryStates are the words by which deliveries are filtered.
var deliveryStates = map[string]monitor.DeliveryState{
	"waiting": monitor.Waiting, "retrying": monitor.Parked, "delivered": monitor.Delivered, "dead": monitor.Dead,
}

const deliveriesPerPage = 100

// webhook shows one, and what was delivered to it.
func (s *Server) webhook(v *visit) error { return s.showWebhook(v, nil) }

func (s *Server) showWebhook(v *visit, tried *monitor.Answer) error {
	id, err := v.number("id")
	if err != nil {
		return err
	}
	h, err := s.Webhooks.Webhook(v.ctx(), v.by, monitor.WebhookID(id))
	if err != nil {
		return err
	}
	d := webhookData{Webhook: h, State: v.query("state"), Tried: tried}
	q := monitor.DeliveryQuery{Limit: deliveriesPerPage + 1}
	if state, ok := deliveryStates[d.State]; ok {
		q.State = &state
	}
	before, _ := strconv.ParseInt(v.query("before"), 10, 64)
	q.Before = monitor.EventID(max(0, before))
	if d.Deliveries, err = s.Webhooks.Deliveries(v.ctx(), v.by, h.ID, q); err != nil {
		return err
	}
	if len(d.Deliveries) > deliveriesPerPage {
		d.Deliveries = d.Deliveries[:deliveriesPerPage]
		d.Next = v.with("before", strconv.FormatInt(int64(d.Deliveries[deliveriesPerPage-1].Event), 10))
	}
	return s.show(v, page{name: "webhook", title: "Webhook", data: d})
}

func webhookPath(id int64) string { return Path + "/webhooks/" + strconv.FormatInt(id, 10) }

// changeWebhook switches one on or off, tests it, replays or deletes it.
func (s *Server) changeWebhook(v *visit) error {
	n, err := v.number("id")
	if err != nil {
		return err
	}
	id := monitor.WebhookID(n)
	switch v.text("act") {
	case "on", "off":
		off := v.text("act") == "off"
		if _, err := s.Webhooks.Change(v.ctx(), v.by, id, monitor.WebhookChange{Disabled: &off}); err != nil {
			return err
		}
		return v.redirect(webhookPath(n), "webhook-saved")
	case "test":
		answer, err := s.Webhooks.Test(v.ctx(), v.by, id)
		if err != nil {
			return err
		}
		return s.showWebhook(v, &answer)
	case "delete":
		if err := s.Webhooks.Delete(v.ctx(), v.by, id); err != nil {
			return err
		}
		return v.redirect(Path+"/webhooks", "webhook-gone")
	}
	return fault.Invalid.Errorf("there is no such act")
}

// replay sends again: one event, or all that was given up.
func (s *Server) replay(v *visit) error {
	n, err := v.number("id")
	if err != nil {
		return err
	}
	q := monitor.ReplayQuery{Since: 1, Dead: true}
	if event, err := strconv.ParseInt(v.text("event"), 10, 64); err == nil {
		q = monitor.ReplayQuery{Event: monitor.EventID(event)}
	}
	if _, _, err := s.Webhooks.Replay(v.ctx(), v.by, monitor.WebhookID(n), q); err != nil {
		return err
	}
	return v.redirect(webhookPath(n), "replayed")
}
