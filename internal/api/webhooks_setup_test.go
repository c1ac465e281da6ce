package api_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"bureau/client"
	"bureau/internal/job"
	"bureau/internal/monitor"
	"bureau/internal/notify"
)

// A receiver is an endpoint on loopback, which these worlds allow.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	got    []posted
}

// A posted message is what came to an endpoint.
type posted struct {
	path   string
	header http.Header
	body   []byte
}

func newReceiver(t testing.TB) *receiver {
	r := &receiver{status: http.StatusOK}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		b, _ := io.ReadAll(q.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.got = append(r.got, posted{q.URL.Path, q.Header.Clone(), b})
		w.WriteHeader(r.status)
		_, _ = io.WriteString(w, "said the receiver")
	}))
	t.Cleanup(r.Close)
	return r
}

// answers sets what it answers with from now on.
func (r *receiver) answers(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// take returns what came since the last time.
func (r *receiver) take() []posted {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.got
	r.got = nil
	return out
}

// webhooks gives the server what speaks to endpoints.
func (w *world) webhooks() *monitor.Webhooks {
	w.receiver = newReceiver(w.t)
	w.poster = &notify.Poster{
		Guard: &notify.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, Keys: &notify.Keys{Safe: w.server.Vault}, Now: w.clock.Now,
	}
	w.courier = &monitor.Courier{
		Store: w.db, Jobs: w.db, Post: w.poster.Post, Owner: "test courier", Wake: new(job.Signal), Now: w.clock.Now,
		Random: rand.New(rand.NewPCG(1, 1)), Go: func(f func()) { f() }, Slots: 10, PerCustomer: 10, PerHost: 10, PerWebhook: 10,
	}
	return &monitor.Webhooks{Store: w.db, Sender: w.poster, Now: w.clock.Now}
}

// deliver lets the courier do what it can now.
func (w *world) deliver() {
	w.t.Helper()
	for range 50 {
		_, err := w.courier.Step(w.t.Context())
		must(w.t, err)
	}
}

// newWebhook makes a webhook to the receiver, each time at another path.
func (w *world) newWebhook(of login) client.Webhook {
	w.t.Helper()
	w.hooks++
	h, err := w.client(of).CreateWebhook(w.t.Context(), client.NewWebhook{URL: fmt.Sprintf("%s/hook/%d", w.receiver.URL, w.hooks)})
	must(w.t, err)
	return h
}

// webhookFixture is how a stranger tries a webhook, at a path below it.
func webhookFixture(below, body string) fixture {
	return fixture{
		theirs: func(w *world, owner login) string {
			return fmt.Sprintf("/monitoring/webhooks/%d%s", w.newWebhook(owner).ID, below)
		},
		random: "/monitoring/webhooks/999999" + below, body: body,
	}
}

// webhookFixtures are those of all rows of webhooks.
func webhookFixtures() map[string]fixture {
	deliveryOf := func(below, body string) fixture {
		f := webhookFixture("", body)
		f.theirs = func(w *world, owner login) string {
			h, p := w.newWebhook(owner), w.newPortfolio(owner, fmt.Sprint("told ", w.hooks))
			n, err := w.db.Tell(w.t.Context(), []monitor.Event{{
				Customer: owner.Customer, Portfolio: monitor.PortfolioID(p), Company: "GB-0-1", Country: "XX", Rule: 5001, Change: int64(w.hooks), At: w.clock.Now(),
			}}, nil)
			must(w.t, err)
			last, err := w.db.LastEvent(w.t.Context())
			if must(w.t, err); n != 1 {
				w.t.Fatal("no event was made")
			}
			return strings.ReplaceAll(fmt.Sprintf("/monitoring/webhooks/%d%s", h.ID, below), "LAST", fmt.Sprint(last))
		}
		f.random = "/monitoring/webhooks/999999" + strings.ReplaceAll(below, "LAST", "1")
		return f
	}
	return map[string]fixture{
		"webhook":             webhookFixture("", ""),
		"editWebhook":         webhookFixture("", `{"disabled":true}`),
		"deleteWebhook":       webhookFixture("", ""),
		"rotateWebhookSecret": webhookFixture("/secret", `{"overlapHours":1}`),
		"testWebhook":         webhookFixture("/test", ""),
		"webhookDeliveries":   webhookFixture("/deliveries", ""),
		"webhookDelivery":     deliveryOf("/deliveries/LAST", ""),
		"replayWebhook":       webhookFixture("/replay", `{"since":1}`),
	}
}

// webhookExamples are what the document's test sends.
func webhookExamples() []example {
	const one = "/monitoring/webhooks/999999"
	return []example{
		{"webhooks", "GET", "/monitoring/webhooks", "", 200, "acme"},
		{"webhooks", "GET", "/monitoring/webhooks", "", 403, "bare"},
		{"createWebhook", "POST", "/monitoring/webhooks", `{"url":"https://10.0.0.1/"}`, 400, "acme"},
		{"createWebhook", "POST", "/monitoring/webhooks", `{}`, 400, "acme"},
		{"webhook", "GET", one, "", 404, "acme"},
		{"editWebhook", "PATCH", one, `{"disabled":true}`, 404, "acme"},
		{"deleteWebhook", "DELETE", one, "", 404, "acme"},
		{"rotateWebhookSecret", "POST", one + "/secret", `{"overlapHours":25}`, 400, "acme"},
		{"rotateWebhookSecret", "POST", one + "/secret", `{}`, 404, "acme"},
		{"testWebhook", "POST", one + "/test", "", 404, "acme"},
		{"webhookDeliveries", "GET", one + "/deliveries", "", 404, "acme"},
		{"webhookDeliveries", "GET", one + "/deliveries?state=lost", "", 400, "acme"},
		{"webhookDelivery", "GET", one + "/deliveries/1", "", 404, "acme"},
		{"replayWebhook", "POST", one + "/replay", `{"since":1}`, 404, "acme"},
		{"replayWebhook", "POST", one + "/replay", `{}`, 400, "acme"},
	}
}
