package notify

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"strconv"
	"sync"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// NewSecret implements monitor.Sender.
func (p *Poster) NewSecret(of auth.CustomerID) (monitor.Secret, string, error) {
	return p.Keys.NewSecret(of)
}

// Challenge implements monitor.Sender. Someone on the Internet has to show that
// they read what we sent: otherwise a webhook could be aimed at anyone.
func (p *Poster) Challenge(ctx context.Context, h *monitor.Webhook) error {
	if err := p.meter.spend(h, p.Now()); err != nil {
		return err
	}
	text := "challenge_" + rand.Text()
	got := p.send(ctx, &outgoing{
		hook: h, id: "msg_" + rand.Text(), body: write(message{Type: typeChallenge, Timestamp: zulu(p.Now()), Challenge: text}),
	})
	expected := `an answer of 2xx to our POST of {"type":"webhook.challenge","challenge":"…"} was expected, with the text of challenge in its body`
	switch {
	case got.Status == 0:
		return refuse("%s, and there was no answer", expected)
	case !got.OK():
		return refuse("%s, and %d came", expected, got.Status)
	case !p.allows(got.from) && !bytes.Contains(got.body, []byte(text)):
		return refuse("%s, and it was not there", expected)
	}
	return nil
}

// Test implements monitor.Sender.
func (p *Poster) Test(ctx context.Context, h *monitor.Webhook) (monitor.Answer, error) {
	if err := p.meter.spend(h, p.Now()); err != nil {
		return monitor.Answer{}, err
	}
	return p.send(ctx, &outgoing{
		hook: h, id: "msg_" + rand.Text(),
		body: write(message{Type: typeTest, Timestamp: zulu(p.Now()), Data: testData{
			WebhookID: int64(h.ID), Message: "This is a test. Nothing happened.",
		}}),
	}).Answer, nil
}

// How many messages callers may have sent in a minute without an event: those of
// one customer, and to one host whoever asks.
const (
	customersMinute = 60
	hostsMinute     = 60
)

// A meter counts messages of the current minute on this node.
type meter struct {
	mu     sync.Mutex
	minute time.Time
	counts map[string]int
}

func (m *meter) spend(h *monitor.Webhook, now time.Time) error {
	host := ""
	if u, err := url.Parse(h.URL); err == nil {
		host = u.Hostname()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if minute := now.Truncate(time.Minute); !minute.Equal(m.minute) {
		m.minute, m.counts = minute, map[string]int{}
	}
	wait := m.minute.Add(time.Minute).Sub(now)
	for _, c := range []struct {
		key  string
		most int
		of   string
	}{
		{"customer " + strconv.FormatInt(int64(h.Customer), 10), customersMinute, "for you"},
		{"host " + host, hostsMinute, "to this host"},
	} {
		if m.counts[c.key] >= c.most {
			return fault.Exhausted.After(wait, "%s", fmt.Sprintf("%d challenges and tests were sent %s in this minute", c.most, c.of))
		}
		m.counts[c.key]++
	}
	return nil
}
