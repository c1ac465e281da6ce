package monitor

import (
	"context"
	"slices"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
)

// A WebhookID is a webhook's number.
type WebhookID int64

// A Webhook is an address that a customer wants events posted to. It carries
// the events of all the customer's portfolios, or of some.
type Webhook struct {
	ID         WebhookID
	Customer   auth.CustomerID
	Account    auth.AccountID // who made it
	URL        string
	Portfolios []PortfolioID // empty: all
	Rules      []int         // codes; empty: all
	Disabled   bool
	Reason     string   // why it is disabled
	Secrets    []Secret // the newest first
	CreatedAt  time.Time
	ChangedAt  time.Time
	Version    int64     // grows with every change
	Replays    int64     // how often something was asked for again
	ReplayDay  time.Time // the last day on which something was, in UTC
	Replayed   int       // how many events on that day
}

// ReplaysLeft is how many more events may be asked for again, of so many in a
// day.
func (h *Webhook) ReplaysLeft(daily int, now time.Time) int {
	if !h.ReplayDay.Equal(dayOf(now)) {
		return daily
	}
	return max(0, daily-h.Replayed)
}

// CountReplays counts events that were asked for again.
func (h *Webhook) CountReplays(n int, now time.Time) {
	if today := dayOf(now); !h.ReplayDay.Equal(today) {
		h.ReplayDay, h.Replayed = today, 0
	}
	h.Replayed += n
	h.Replays++
}

func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// A Secret signs what is posted. It is sealed; only the sender opens it. The
// public key checks one of the two signatures and may be shown to anyone.
type Secret struct {
	Sealed []byte    `json:"s"`
	Public string    `json:"p"`
	Until  time.Time `json:"u,omitzero"` // zero for the newest; an old one signs until then
}

// Wants reports whether a webhook carries an event.
func (h *Webhook) Wants(e *Event) bool {
	return !h.Disabled && h.Customer == e.Customer &&
		(len(h.Portfolios) == 0 || slices.Contains(h.Portfolios, e.Portfolio)) &&
		(len(h.Rules) == 0 || slices.Contains(h.Rules, e.Rule))
}

// A DeliveryState says what becomes of a delivery.
type DeliveryState int

const (
	Waiting   DeliveryState = iota // to be sent when its turn comes
	Parked                         // behind one of its company that failed
	Delivered                      // the endpoint took it
	Dead                           // given up; a replay sends it again
)

func (s DeliveryState) String() string {
	return [...]string{"waiting", "retrying", "delivered", "dead"}[s]
}

// A Delivery is one event on its way to one webhook.
type Delivery struct {
	Webhook  WebhookID
	Event    EventID
	Customer auth.CustomerID
	Company  company.ID
	State    DeliveryState
	Replay   bool      // sent again because somebody asked
	Since    time.Time // when it was first to be sent
	NextAt   time.Time // when to try again
	Tries    []Try
}

// A Try is one attempt at a delivery.
type Try struct {
	At     time.Time     `json:"a"`
	Took   time.Duration `json:"t"`
	Status int           `json:"s,omitempty"` // 0: there was no answer
	Error  string        `json:"e,omitempty"`
	Answer string        `json:"b,omitempty"` // the beginning of what came back
}

// DeliveryQuery says which deliveries to list, the newest first.
type DeliveryQuery struct {
	State  *DeliveryState
	Before EventID // only lower ones; 0: from the newest
	Limit  int
}

// ReplayQuery says what to send again: one event, or all from one on.
type ReplayQuery struct {
	Event EventID
	Since EventID // all with this number or a higher one
	Dead  bool    // of those, only what was given up
	Most  int     // so many may wait to be sent again; 0: any number
	Daily int     // so many may be asked for in a day; 0: any number
}

// A Backlog is what was not delivered yet, without replays.
type Backlog struct {
	Waiting int64     // to be sent
	Parked  int64     // behind one of their company that failed
	Oldest  time.Time // when the oldest of both was first to be sent
}

// WebhookStore keeps webhooks. They belong to the customer: every account of it
// sees and changes them.
type WebhookStore interface {
	// CreateWebhook keeps a webhook and returns it with its number. Portfolios
	// that are not the customer's are a fault.Missing. One webhook more than
	// most, and a second one with the same address and filters, are a
	// fault.Conflict.
	CreateWebhook(ctx context.Context, by auth.Caller, h Webhook, most int) (Webhook, error)
	Webhook(ctx context.Context, by auth.Caller, id WebhookID) (Webhook, error)
	Webhooks(ctx context.Context, by auth.Caller) ([]Webhook, error)

	// EditWebhook changes a webhook, or nothing if edit fails. Nobody else
	// changes it meanwhile. Portfolios that edit adds must be the customer's.
	EditWebhook(ctx context.Context, by auth.Caller, id WebhookID, edit func(*Webhook) error) (Webhook, error)

	// DeleteWebhook takes a webhook away with its deliveries.
	DeleteWebhook(ctx context.Context, by auth.Caller, id WebhookID) error

	// Deliveries lists a webhook's deliveries, Delivery returns one.
	Deliveries(ctx context.Context, by auth.Caller, id WebhookID, q DeliveryQuery) ([]Delivery, error)
	Delivery(ctx context.Context, by auth.Caller, id WebhookID, event EventID) (Delivery, error)

	// Replay makes events wait for delivery again, at most limit of them from
	// the oldest on, and returns how many, and the last that was looked at, 0
	// if there are no more. Events from before the webhook was made count too.
	// What waits already stays as it is. While as many as q.Most wait to be
	// sent again, and when q.Daily were asked for today, it is a
	// fault.Exhausted.
	Replay(ctx context.Context, by auth.Caller, id WebhookID, q ReplayQuery, limit int) (n int, last EventID, err error)

	// ForgetDeliveries takes away at most limit deliveries whose event was made
	// before a time and that were not asked for again since: those that are
	// done with, and those of disabled webhooks.
	ForgetDeliveries(ctx context.Context, before time.Time, limit int) (int64, error)

	// Backlog says what is on its way to webhooks that are not disabled.
	Backlog(ctx context.Context) (Backlog, error)
}

// A Round is what is new for a courier.
type Round struct {
	Webhooks   []Webhook  // by their versions, also deleted ones, which have no URL
	Deliveries []Delivery // by their events
	Last       EventID    // all deliveries up to those of this event are among them
}

// CourierStore is what a Courier asks of a database. Deliveries are made in the
// transaction that makes their event.
type CourierStore interface {
	// LastEvent is the number of the newest event.
	LastEvent(ctx context.Context) (EventID, error)

	// Round returns the webhooks that were made or changed since a version, and
	// the deliveries of events above a number. Versions become visible in order.
	// There may be more deliveries if they are as many as the limit, which is more
	// than one event has.
	Round(ctx context.Context, version int64, after EventID, limit int) (Round, error)

	// WaitingFor returns a webhook's waiting deliveries of events above a
	// number, in order: those of replays, or the others. Whose webhook it is
	// says where they are kept.
	WaitingFor(ctx context.Context, of auth.CustomerID, id WebhookID, replay bool, after EventID, limit int) ([]Delivery, error)

	// ParkedLanes returns the first parked delivery of each company of a
	// webhook, of replays and of the others; ParkedFor returns those of one
	// company, in order.
	ParkedLanes(ctx context.Context, of auth.CustomerID, id WebhookID) ([]Delivery, error)
	ParkedFor(ctx context.Context, of auth.CustomerID, id WebhookID, about company.ID, replay bool, limit int) ([]Delivery, error)

	// EventsByID returns events by their numbers and whose they are; those that
	// are gone are left out.
	EventsByID(ctx context.Context, ids map[EventID]auth.CustomerID) (map[EventID]Event, error)

	// Settle keeps what became of deliveries, and disables webhooks with a
	// reason, in one transaction. A fence that was passed by another node is a
	// fault.Conflict, and nothing is kept. A delivery that was deleted is left
	// alone.
	Settle(ctx context.Context, list []Delivery, disable map[WebhookID]string, fences []job.Lease) error
}
