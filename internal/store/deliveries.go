package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

const deliveryColumns = `webhook, event, customer, company, state, replay, since, next_at, tries`

func readDelivery(r row) (d monitor.Delivery, err error) {
	err = r.Scan(&d.Webhook, &d.Event, &d.Customer, &d.Company, &d.State, flag{&d.Replay}, stamp{&d.Since}, stamp{&d.NextAt},
		list[monitor.Try]{&d.Tries})
	return d, err
}

func (db *DB) deliveries(ctx context.Context, query string, args ...any) ([]monitor.Delivery, error) {
	var out []monitor.Delivery
	err := each(ctx, db, func(r row) error {
		d, err := readDelivery(r)
		out = append(out, d)
		return err
	}, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read deliveries: %w", err)
	}
	return out, nil
}

// webhooksOf reads the webhooks that are on of those whom events are for.
func (db *DB) webhooksOf(events []monitor.Event, found func(monitor.Webhook)) []step {
	var customers []int64
	for i := range events {
		customers = append(customers, int64(events[i].Customer))
	}
	slices.Sort(customers)
	const columns = `SELECT ` + webhookColumns + ` FROM webhook WHERE disabled = 0 AND customer = `
	return picking(db, func(r row) error {
		h, err := readWebhook(r)
		found(h)
		return err
	}, columns+`$1`, columns+`ANY($1)`, slices.Compact(customers))
}

// deliveriesOf are those that events make at the webhooks of each customer.
func deliveriesOf(events []monitor.Event, told map[auth.CustomerID][]monitor.Webhook, now time.Time) (out []monitor.Delivery) {
	for i := range events {
		e := &events[i]
		for j := range told[e.Customer] {
			if h := &told[e.Customer][j]; h.Wants(e) {
				out = append(out, monitor.Delivery{Webhook: h.ID, Event: e.ID, Customer: e.Customer, Company: e.Company, Since: now})
			}
		}
	}
	return out
}

func (db *DB) addDeliveries(list []monitor.Delivery) []step {
	columns := []string{"webhook", "event", "customer", "company", "state", "replay", "since", "next_at", "tries"}
	return db.inserts("delivery", columns, "", len(list), func(i int) []any {
		d := &list[i]
		return []any{
			int64(d.Webhook), int64(d.Event), int64(d.Customer), string(d.Company), int64(d.State), int64(b2i(d.Replay)),
			d.Since.UnixMilli(), int64(0), "[]",
		}
	})
}

// LastEvent implements monitor.CourierStore.
func (db *DB) LastEvent(ctx context.Context) (n monitor.EventID, err error) {
	err = db.QueryRow(ctx, `SELECT last_number FROM monitor_log WHERE name = 'event'`).Scan(&n)
	return n, err
}

// Round implements monitor.CourierStore.
func (db *DB) Round(ctx context.Context, version int64, after monitor.EventID, limit int) (r monitor.Round, err error) {
	err = db.Together(ctx, []step{
		{
			query: `SELECT ` + webhookColumns + ` FROM webhook WHERE version > $1 ORDER BY version`,
			args:  []any{version},
			read: func(w row) error {
				h, err := readWebhook(w)
				r.Webhooks = append(r.Webhooks, h)
				return err
			},
		},
		{
			query: `SELECT ` + deliveryColumns + ` FROM delivery WHERE event > $1 ORDER BY event LIMIT $2 + 0`,
			args:  []any{int64(after), limit},
			read: func(w row) error {
				d, err := readDelivery(w)
				r.Deliveries = append(r.Deliveries, d)
				return err
			},
		},
	})
	if err != nil {
		return monitor.Round{}, fmt.Errorf("read new webhooks and deliveries: %w", err)
	}
	r.Last = after
	if n := len(r.Deliveries); n > 0 {
		r.Last = r.Deliveries[n-1].Event
	}
	if len(r.Deliveries) == limit && r.Last > after+1 {
		r.Last-- // the limit may have cut an event's deliveries in two
	}
	return r, nil
}

// WaitingFor implements monitor.CourierStore.
func (db *DB) WaitingFor(ctx context.Context, of auth.CustomerID, id monitor.WebhookID, replay bool, after monitor.EventID, limit int) ([]monitor.Delivery, error) {
	return db.deliveries(ctx, `
		SELECT `+deliveryColumns+` FROM delivery
		WHERE customer = $5 AND webhook = $1 AND replay = $2 AND state = 0 AND event > $3
		ORDER BY event
		LIMIT $4 + 0`, int64(id), int64(b2i(replay)), int64(after), limit, int64(of))
}

// ParkedLanes implements monitor.CourierStore. The first ones are found by one
// walk along their index: to look from each for one before it takes for ever
// where there are many and the planner does not know.
func (db *DB) ParkedLanes(ctx context.Context, of auth.CustomerID, id monitor.WebhookID) ([]monitor.Delivery, error) {
	return db.deliveries(ctx, `
		SELECT `+deliveryColumns+` FROM delivery
		WHERE customer = $2 AND webhook = $1 AND event IN (
			SELECT MIN(event) FROM delivery WHERE customer = $2 AND webhook = $1 AND state = 1 GROUP BY replay, company)`,
		int64(id), int64(of))
}

// ParkedFor implements monitor.CourierStore.
func (db *DB) ParkedFor(ctx context.Context, of auth.CustomerID, id monitor.WebhookID, about company.ID, replay bool, limit int) ([]monitor.Delivery, error) {
	return db.deliveries(ctx, `
		SELECT `+deliveryColumns+` FROM delivery
		WHERE customer = $5 AND webhook = $1 AND replay = $2 AND company = $3 AND state = 1
		ORDER BY event
		LIMIT $4 + 0`, int64(id), int64(b2i(replay)), string(about), limit, int64(of))
}

// EventsByID implements monitor.CourierStore.
func (db *DB) EventsByID(ctx context.Context, ids map[monitor.EventID]auth.CustomerID) (map[monitor.EventID]monitor.Event, error) {
	list := make([]monitor.Event, 0, len(ids))
	asked, args := owned(db.d, ids)
	err := each(ctx, db, func(r row) error {
		e, err := readEvent(r)
		list = append(list, e)
		return err
	}, eventSelect+asked+` JOIN event AS e ON e.id = k.number AND e.customer = k.customer`, args...)
	if err == nil {
		err = db.finishAll(ctx, list)
	}
	if err != nil {
		return nil, fmt.Errorf("read events: %w", err)
	}
	out := make(map[monitor.EventID]monitor.Event, len(list))
	for i := range list {
		out[list[i].ID] = list[i]
	}
	return out, nil
}

// Settle implements monitor.CourierStore. Leases are locked first, then
// webhooks, deliveries and the log of webhooks, in the order of everyone else.
func (db *DB) Settle(ctx context.Context, list []monitor.Delivery, disable map[monitor.WebhookID]string, fences []job.Lease) error {
	err := db.write(ctx, func(t tx) error {
		var hooks []monitor.Webhook
		settle, err := db.settle(list)
		if err != nil {
			return err
		}
		steps := append(db.checkFences(fences...), db.holdWebhooks(slices.Sorted(maps.Keys(disable)), &hooks)...)
		if err := t.Together(ctx, append(steps, settle...)); err != nil {
			return err
		}
		for i := range hooks {
			h := &hooks[i]
			if h.URL == "" || h.Disabled {
				continue
			}
			h.Disabled, h.Reason = true, disable[h.ID]
			if err := db.keepWebhook(ctx, t, h); err != nil {
				return err
			}
		}
		return nil
	})
	if _, ok := fault.Of(err); err != nil && !ok {
		err = fmt.Errorf("keep deliveries: %w", err)
	}
	return err
}

// checkFences fails if another node holds one of the leases by now. They are
// locked, so nobody takes one over before we commit.
func (db *DB) checkFences(fences ...job.Lease) []step {
	names := make([]string, 0, len(fences))
	want := map[string]int64{}
	for _, l := range fences {
		names = append(names, l.Name)
		want[l.Name] = l.Fence
	}
	slices.Sort(names)
	return picking(db, func(r row) error {
		var name string
		var fence int64
		if err := r.Scan(&name, &fence); err != nil {
			return err
		}
		if fence > want[name] {
			return fault.Conflict.Errorf("%s is another node's now", name)
		}
		return nil
	}, `SELECT name, fence FROM lease WHERE name = $1`, `SELECT name, fence FROM lease WHERE name = ANY($1) ORDER BY name FOR SHARE`, names)
}

// holdWebhooks reads webhooks, which stay as they are until we commit.
func (db *DB) holdWebhooks(ids []monitor.WebhookID, to *[]monitor.Webhook) []step {
	numbers := make([]int64, len(ids))
	for i, id := range ids {
		numbers[i] = int64(id)
	}
	const columns = `SELECT ` + webhookColumns + ` FROM webhook WHERE id = `
	return picking(db, func(r row) error {
		h, err := readWebhook(r)
		*to = append(*to, h)
		return err
	}, columns+`$1`, columns+`ANY($1) ORDER BY id FOR UPDATE`, numbers)
}

// settle are the steps that write what became of deliveries.
func (db *DB) settle(settled []monitor.Delivery) (out []step, err error) {
	if db.d.name != "postgres" {
		for i := range settled {
			d := &settled[i]
			out = append(out, step{
				query: `UPDATE delivery SET state = $3, next_at = $4, tries = $5 WHERE customer = $6 AND event = $1 AND webhook = $2`,
				args:  []any{int64(d.Event), int64(d.Webhook), int64(d.State), stamp{&d.NextAt}, list[monitor.Try]{&d.Tries}, int64(d.Customer)},
			})
		}
		return out, nil
	}
	// The last word on a delivery counts: one may be parked and then sent.
	last := map[[2]int64]int{}
	for i := range settled {
		last[[2]int64{int64(settled[i].Event), int64(settled[i].Webhook)}] = i
	}
	var customers, events, hooks, states, next []int64
	var tries []string
	for i := range settled {
		d := &settled[i]
		if last[[2]int64{int64(d.Event), int64(d.Webhook)}] != i {
			continue
		}
		b, err := json.Marshal(d.Tries)
		if err != nil {
			return nil, err
		}
		if len(d.Tries) == 0 {
			b = []byte("[]")
		}
		at, _ := stamp{&d.NextAt}.Value()
		customers, events, hooks = append(customers, int64(d.Customer)), append(events, int64(d.Event)), append(hooks, int64(d.Webhook))
		states = append(states, int64(d.State))
		next, tries = append(next, at.(int64)), append(tries, string(b))
	}
	if len(events) == 0 {
		return nil, nil
	}
	return []step{{
		query: `
			UPDATE delivery AS d SET state = n.state, next_at = n.next_at, tries = n.tries
			FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
				AS n (customer, event, webhook, state, next_at, tries)
			WHERE d.customer = n.customer AND d.event = n.event AND d.webhook = n.webhook`,
		args: []any{customers, events, hooks, states, next, tries},
	}}, nil
}
