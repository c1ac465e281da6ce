package proof

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/monitor"
)

// An endpoint is where a webhook's events arrive. What it hears is held to the
// promises as it hears it.
type endpoint struct {
	id       monitor.WebhookID
	customer auth.CustomerID
	all      float64                // how often it fails
	bad      map[company.ID]float64 // how often it fails for a company
	lanes    map[company.ID]*heard
	r        *rand.Rand
}

// heard is what an endpoint heard of one company: the events in the order in
// which they came the first time, and whether the last of them was taken.
type heard struct {
	events []monitor.EventID
	taken  bool
}

// A sending is an event on its way to a webhook.
type sending struct {
	hook  monitor.WebhookID
	event monitor.EventID
}

// post brings a message to its endpoint, or not quite.
func (n *node) post(_ context.Context, s *monitor.Sending) monitor.Answer {
	w := n.w
	w.sent(n, s)
	defer n.landed(s)
	r := w.source(fmt.Sprintf("%s sends %d to %d, try %d", n.name, s.Delivery.Event, s.Hook.ID, len(s.Delivery.Tries)))
	at := time.Now()
	takes := func() time.Duration {
		d := time.Duration(1 + r.Int64N(int64(200*time.Millisecond)))
		if w.now().stall > 0 && r.IntN(50) == 0 {
			d += time.Duration(r.Int64N(int64(15 * time.Second)))
		}
		return d
	}
	time.Sleep(takes())
	if n.awake(r) != nil && r.IntN(2) == 0 {
		return monitor.Answer{Try: monitor.Try{At: at, Error: "it never left"}}
	}
	a := w.hear(s, r)
	time.Sleep(takes())
	if n.awake(r) == nil && r.Float64() < w.now().lost {
		w.count("answers of endpoints lost", 1)
		a = monitor.Answer{Try: monitor.Try{Error: "no answer"}}
	}
	a.At = at
	return a
}

// landed notes that a message is no longer under way.
func (n *node) landed(s *monitor.Sending) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.air, lane{s.Hook.ID, s.Delivery.Company})
}

// A lane is one company's way to one webhook.
type lane struct {
	hook monitor.WebhookID
	of   company.ID
}

// sent holds a message to what may be sent at all: nothing that is known to be
// delivered, to nobody but its customer, and one at a time of each company.
func (w *world) sent(n *node, s *monitor.Sending) {
	n.mu.Lock()
	beside := n.air[lane{s.Hook.ID, s.Delivery.Company}]
	n.air[lane{s.Hook.ID, s.Delivery.Company}] = s.Delivery.Event
	n.mu.Unlock()
	if beside > 0 {
		w.broken("%s sends event %d of %s to webhook %d while event %d is under way", n.name, s.Delivery.Event, s.Delivery.Company, s.Hook.ID, beside)
	}
	w.mu.Lock()
	kept := w.kept[sending{s.Hook.ID, s.Delivery.Event}]
	// While the database's clock has just jumped, a node may think that it
	// holds what is another's.
	excused := time.Since(w.jumped) < 10*time.Second
	w.mu.Unlock()
	if kept && !excused {
		w.broken("%s sends event %d to webhook %d, which is known to have taken it", n.name, s.Delivery.Event, s.Hook.ID)
	}
	if s.Event.ID != s.Delivery.Event || s.Event.Customer != s.Hook.Customer {
		w.broken("webhook %d of customer %d gets event %d of customer %d", s.Hook.ID, s.Hook.Customer, s.Event.ID, s.Event.Customer)
	}
}

// hear is a message that arrives.
func (w *world) hear(s *monitor.Sending, r *rand.Rand) monitor.Answer {
	w.mu.Lock()
	e := w.endpoint(s.Hook.ID)
	var answer monitor.Answer
	answer.Status = 200 + r.IntN(3)
	fails := max(e.all, e.bad[s.Event.Company])
	if draw, status := r.Float64(), r.IntN(7); draw < fails {
		answer.Status = []int{0, 302, 400, 404, 429, 500, 503}[status]
		if answer.Status == 429 {
			answer.RetryAfter = time.Duration(r.IntN(30)) * time.Second
		}
	}
	l := e.lanes[s.Event.Company]
	if l == nil {
		l = &heard{taken: true}
		e.lanes[s.Event.Company] = l
	}
	var early monitor.EventID
	id := s.Event.ID
	switch last := len(l.events) - 1; {
	case last < 0 || id > l.events[last]:
		if !l.taken {
			early = l.events[last]
		}
		l.events, l.taken = append(l.events, id), answer.OK()
	case id == l.events[last]:
		l.taken = l.taken || answer.OK()
	}
	fmt.Fprintln(w.trace, time.Now().UnixNano(), s.Hook.ID, id, answer.Status)
	w.counts["messages"]++
	if !answer.OK() {
		w.counts["refused messages"]++
	}
	w.mu.Unlock()
	if early > 0 {
		w.broken("webhook %d hears event %d of %s before it took event %d", s.Hook.ID, id, s.Event.Company, early)
	}
	return answer
}

// endpoint finds one; the world's lock is held.
func (w *world) endpoint(id monitor.WebhookID) *endpoint {
	for _, e := range w.hooks {
		if e.id == id {
			return e
		}
	}
	panic(fmt.Sprintf("there is no webhook %d", id))
}

// mood makes endpoints fail, for a company or for all, or get well.
func (w *world) mood() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.hooks {
		if e.r.IntN(3) == 0 {
			e.all = []float64{0, 0, 0.3, 1}[e.r.IntN(4)]
			e.bad[w.companies[e.r.IntN(len(w.companies))]] = []float64{0, 1}[e.r.IntN(2)]
		}
	}
}
