package api

import (
	"context"

	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// AttemptJSON is one try of a delivery.
type AttemptJSON struct {
	At         string  `json:"at" doc:"When it began." example:"2026-02-28T05:33:02"`
	DurationMs *int64  `json:"durationMs" doc:"How long it took; null if there was no answer."`
	Status     *int    `json:"status" doc:"The status of the answer; null if there was none."`
	Error      *string `json:"error" doc:"What went wrong beside the status."`
	Answer     *string `json:"answer" doc:"The beginning of the answer's body; of the last attempts only."`
}

func toAttemptJSON(t *monitor.Try) AttemptJSON {
	out := AttemptJSON{At: naive(t.At), Error: textOrNull(t.Error), Answer: textOrNull(t.Answer)}
	if t.Status != 0 {
		took, status := t.Took.Milliseconds(), t.Status
		out.DurationMs, out.Status = &took, &status
	}
	return out
}

type testWebhookJSON struct {
	CorrelationID string `json:"correlationId"`
	OK            bool   `json:"ok" doc:"The endpoint answered with 2xx."`
	AttemptJSON
}

func (s *Server) testWebhook(ctx context.Context, in *WebhookIn) (*reply[testWebhookJSON], error) {
	a, err := s.Webhooks.Test(ctx, in.by, in.id())
	if err != nil {
		return nil, err
	}
	return ok(testWebhookJSON{in.correlation, a.OK(), toAttemptJSON(&a.Try)}), nil
}

// DeliveryJSON is a delivery.
type DeliveryJSON struct {
	EventID     int64   `json:"eventId"`
	CompanyID   string  `json:"companyId" example:"GB-0-99000001" doc:"Of an AML alert it is the searchId."`
	State       string  `json:"state" enum:"waiting,retrying,delivered,dead" doc:"waiting: to be sent. retrying: it failed, or waits behind one of its company that did. delivered: the endpoint took it. dead: given up after three days; replay sends it again."`
	Replay      bool    `json:"replay" doc:"It is sent again because somebody asked."`
	CreatedDate string  `json:"createdDate" doc:"When it was first to be sent, or was last asked for again."`
	NextDate    *string `json:"nextDate" doc:"When it is tried again; null if it waits for no time."`
	Attempts    int     `json:"attemptCount"`
	LastStatus  *int    `json:"lastStatus" doc:"The status of the last answer; null if there was none."`
}

func toDeliveryJSON(d *monitor.Delivery) DeliveryJSON {
	out := DeliveryJSON{
		EventID: int64(d.Event), CompanyID: string(d.Company), State: d.State.String(), Replay: d.Replay,
		CreatedDate: naive(d.Since), NextDate: naiveOrNull(d.NextAt), Attempts: len(d.Tries),
	}
	if n := len(d.Tries); n > 0 {
		out.LastStatus = toAttemptJSON(&d.Tries[n-1]).Status
	}
	return out
}

var deliveryStates = map[string]monitor.DeliveryState{
	monitor.Waiting.String(): monitor.Waiting, monitor.Parked.String(): monitor.Parked,
	monitor.Delivered.String(): monitor.Delivered, monitor.Dead.String(): monitor.Dead,
}

type deliveriesIn struct {
	WebhookIn
	State string `query:"state" enum:"waiting,retrying,delivered,dead" doc:"Only deliveries in this state."`
	Size  int    `query:"pageSize" minimum:"1" maximum:"1000" default:"50" doc:"Deliveries in one answer."`
	After string `query:"after" doc:"Only what comes behind: the cursor of the answer before, with the same filters."`
}

type deliveriesJSON struct {
	CorrelationID string         `json:"correlationId"`
	Data          []DeliveryJSON `json:"data"`
	Cursor        *string        `json:"cursor" doc:"Hand it back as after to read on; null at the end."`
}

func (s *Server) deliveries(ctx context.Context, in *deliveriesIn) (*reply[deliveriesJSON], error) {
	q := monitor.DeliveryQuery{Limit: in.Size + 1}
	if state, given := deliveryStates[in.State]; given {
		q.State = &state
	}
	list := "deliveries of " + decimal(in.ID) + "\x00" + in.State
	if in.After != "" {
		if err := s.openCursor(in.by, list, in.After, &q.Before); err != nil {
			return nil, err
		}
	}
	found, err := s.Webhooks.Deliveries(ctx, in.by, in.id(), q)
	if err != nil {
		return nil, err
	}
	page, more := onPage(found, in.Size)
	out := deliveriesJSON{CorrelationID: in.correlation, Data: []DeliveryJSON{}}
	for i := range page {
		out.Data = append(out.Data, toDeliveryJSON(&page[i]))
	}
	if more {
		c := s.sealCursor(in.by, list, page[len(page)-1].Event)
		out.Cursor = &c
	}
	return ok(out), nil
}

type deliveryIn struct {
	WebhookIn
	Event int64 `path:"eventId" minimum:"1" doc:"The event's number."`
}

type oneDeliveryJSON struct {
	CorrelationID string `json:"correlationId"`
	DeliveryJSON
	Tries []AttemptJSON `json:"attempts" doc:"The oldest first."`
}

func (s *Server) delivery(ctx context.Context, in *deliveryIn) (*reply[oneDeliveryJSON], error) {
	d, err := s.Webhooks.Delivery(ctx, in.by, in.id(), monitor.EventID(in.Event))
	if err != nil {
		return nil, err
	}
	out := oneDeliveryJSON{CorrelationID: in.correlation, DeliveryJSON: toDeliveryJSON(&d), Tries: []AttemptJSON{}}
	for i := range d.Tries {
		out.Tries = append(out.Tries, toAttemptJSON(&d.Tries[i]))
	}
	return ok(out), nil
}

type replayWebhookIn struct {
	WebhookIn
	Body struct {
		EventID  *int64    `json:"eventId,omitempty" minimum:"1" doc:"One event."`
		Since    *int64    `json:"since,omitempty" minimum:"0" doc:"All events with this number or a higher one."`
		DeadOnly looseBool `json:"deadOnly,omitempty" doc:"Of those, only what was given up."`
	}
}

type replayJSON struct {
	CorrelationID string `json:"correlationId"`
	Count         int    `json:"count" doc:"How many events are sent again. What waits already is not counted."`
	Next          *int64 `json:"next" doc:"Where to go on with since, if there are more; null if there are not."`
}

func (s *Server) replayWebhook(ctx context.Context, in *replayWebhookIn) (*reply[replayJSON], error) {
	q := monitor.ReplayQuery{Dead: bool(in.Body.DeadOnly)}
	switch {
	case (in.Body.EventID == nil) == (in.Body.Since == nil):
		return nil, fault.Invalid.Details("Bad request", "give either eventId or since")
	case in.Body.EventID != nil:
		q.Event = monitor.EventID(*in.Body.EventID)
	default:
		q.Since = monitor.EventID(max(1, *in.Body.Since))
	}
	n, next, err := s.Webhooks.Replay(ctx, in.by, in.id(), q)
	if err != nil {
		return nil, err
	}
	out := replayJSON{CorrelationID: in.correlation, Count: n}
	if next != 0 {
		out.Next = (*int64)(&next)
	}
	return ok(out), nil
}
