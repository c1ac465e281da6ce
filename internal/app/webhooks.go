package app

import (
	"context"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"bureau/internal/monitor"
	"bureau/internal/notify"
)

// keepDeliveries is how long what was delivered can be asked for.
const keepDeliveries = 30 * 24 * time.Hour

// loopback is where the sandbox's webhooks may go: whoever tries Bureau out has
// a receiver on the same machine.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// newPoster makes what speaks to webhooks.
func (a *App) newPoster() (*notify.Poster, error) {
	allow, err := prefixes(a.Config.WebhookAllow)
	if err != nil {
		return nil, err
	}
	if a.Config.Sandbox {
		allow = append(allow, loopback...)
	}
	return &notify.Poster{Guard: &notify.Guard{Allow: allow}, Keys: &notify.Keys{Safe: a.Vault}, Now: time.Now}, nil
}

// webhooks makes the door to webhooks.
func (a *App) webhooks(p *notify.Poster) *monitor.Webhooks {
	return &monitor.Webhooks{Store: a.DB, Sender: p, Now: time.Now, Replays: a.Config.WebhookReplays}
}

// deliver brings events to webhooks until ctx is done and what is under way
// came back, in goroutines that s waits for.
func (s *Serving) deliver(ctx context.Context, p *notify.Poster) {
	counts := s.metrics.deliveries()
	courier := &monitor.Courier{
		Store: s.app.DB, Jobs: s.app.DB, Post: p.Post, Owner: s.app.Calls.Node,
		Wake: &s.app.DB.Signals.Events, Now: time.Now, Random: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
		Go: s.work.Go, Landed: counts.landed,
		Slots: 256, PerCustomer: 64, PerHost: notify.AtHost, PerWebhook: 32, Gather: 10 * time.Millisecond,
	}
	s.work.Go(func() { courier.Run(ctx, s.failing(ctx, "webhooks")) })
	for _, w := range []work{
		{"webhooks' backlog", 15 * time.Second, func(ctx context.Context) error {
			b, err := s.app.DB.Backlog(ctx)
			if err == nil {
				counts.behind(b, time.Now())
			}
			return err
		}},
		{"old deliveries", time.Hour, s.app.forgetDeliveries},
	} {
		s.work.Go(func() { s.app.run(ctx, w, s.metrics) })
	}
}

// forgetDeliveries takes away what was delivered long ago.
func (a *App) forgetDeliveries(ctx context.Context) error {
	const batch = 5000
	before := time.Now().Add(-keepDeliveries)
	for {
		n, err := a.DB.ForgetDeliveries(ctx, before, batch)
		if err != nil || n < batch {
			return err
		}
	}
}

// deliveryCounts are what an operator watches of webhooks.
type deliveryCounts struct {
	tries   *prometheus.CounterVec
	waiting *prometheus.GaugeVec
	oldest  prometheus.Gauge
}

func (m *metrics) deliveries() *deliveryCounts {
	c := &deliveryCounts{
		tries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bureau_webhook_tries_total", Help: "Deliveries that were tried: delivered, failed (tried again later) or dead (given up).",
		}, []string{"result"}),
		waiting: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "bureau_webhook_waiting", Help: "Deliveries that were not taken yet: waiting, or retrying behind one that failed.",
		}, []string{"state"}),
		oldest: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "bureau_webhook_oldest_seconds", Help: "How long the oldest of them waits.",
		}),
	}
	for _, state := range []monitor.DeliveryState{monitor.Delivered, monitor.Parked, monitor.Dead} {
		c.tries.WithLabelValues(resultWord(state))
	}
	m.registry.MustRegister(c.tries, c.waiting, c.oldest)
	return c
}

func resultWord(s monitor.DeliveryState) string {
	if s == monitor.Parked {
		return "failed"
	}
	return s.String()
}

func (c *deliveryCounts) landed(s monitor.DeliveryState) {
	c.tries.WithLabelValues(resultWord(s)).Inc()
}

func (c *deliveryCounts) behind(b monitor.Backlog, now time.Time) {
	c.waiting.WithLabelValues(monitor.Waiting.String()).Set(float64(b.Waiting))
	c.waiting.WithLabelValues(monitor.Parked.String()).Set(float64(b.Parked))
	age := 0.0
	if !b.Oldest.IsZero() {
		age = max(0, now.Sub(b.Oldest).Seconds())
	}
	c.oldest.Set(age)
}
