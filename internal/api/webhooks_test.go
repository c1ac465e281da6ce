package api_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/routers/legacy"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/monitor"
)

// anyAge is a tolerance for messages of a world whose clock stands elsewhere.
const anyAge = 1 << 62

// A webhook from its beginning to its end, through our own client.
func TestWebhook(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(3)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	portfolio := w.watched(acme, "Mine", 3)
	ctx := t.Context()

	h, err := acme.CreateWebhook(ctx, client.NewWebhook{URL: w.receiver.URL + "/mine", PortfolioIDs: []int64{portfolio}})
	must(t, err)
	challenge := w.receiver.take()
	if len(challenge) != 1 || client.VerifyWebhook(h.Secret, challenge[0].header, challenge[0].body, anyAge) != nil {
		t.Errorf("the challenge came as %+v", challenge)
	}
	if h.ID == 0 || !strings.HasPrefix(h.Secret, "whsec_") || !strings.HasPrefix(h.PublicKey, "whpk_") || h.Disabled {
		t.Errorf("made %+v", h)
	}
	// The secret is told once.
	for _, path := range []string{"/monitoring/webhooks", fmt.Sprintf("/monitoring/webhooks/%d", h.ID)} {
		if got := w.send("GET", path, "", "Authorization", acme.token); strings.Contains(got.body, "whsec_") || !strings.Contains(got.body, h.PublicKey) {
			t.Errorf("%s: %s", path, got.body)
		}
	}

	w.rename("GB-0-1", "Old", "New & <Co>")
	w.deliver()
	got := w.receiver.take()
	if len(got) != 1 || got[0].path != "/mine" {
		t.Fatalf("%d messages came", len(got))
	}
	for _, key := range []string{h.Secret, h.PublicKey} {
		if err := client.VerifyWebhook(key, got[0].header, got[0].body, anyAge); err != nil {
			t.Errorf("%.6s…: %v", key, err)
		}
	}
	// The event is the one of the list, key by key, and its place in the order.
	var message struct{ Data json.RawMessage }
	must(t, json.Unmarshal(got[0].body, &message))
	var list struct{ Data []json.RawMessage }
	must(t, json.Unmarshal([]byte(w.send("GET", "/monitoring/notificationEvents", "", "Authorization", acme.token).body), &list))
	if want := strings.TrimSuffix(string(list.Data[0]), "}") + `,"sequence":1}`; string(message.Data) != want {
		t.Errorf("the message has\n%s, the list\n%s", message.Data, want)
	}
	read, err := client.ReadWebhook(got[0].body)
	must(t, err)
	if read.Type != client.WebhookEvent || read.Event.NewValue != "New & <Co>" || read.Sequence != 1 || read.Event.Company.ID != "GB-0-1" {
		t.Errorf("read %+v", read)
	}

	d, err := acme.WebhookDelivery(ctx, h.ID, 1)
	must(t, err)
	if d.State != "delivered" || len(d.Attempts) != 1 || d.Attempts[0].Status != 200 || d.Attempts[0].Answer != "said the receiver" {
		t.Errorf("the delivery is %+v", d)
	}
	w.rotates(acme, h)
	w.failsAndReplays(acme, h)

	must(t, acme.DeleteWebhook(ctx, h.ID))
	if _, err := acme.Webhook(ctx, h.ID); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("after it was deleted: %v", err)
	}
	w.receiver.take()
	w.rename("GB-0-1", "New", "Newest")
	w.deliver()
	if n := len(w.receiver.take()); n != 0 {
		t.Errorf("%d messages came to a webhook that is gone", n)
	}
}

// rotates gives a webhook a new secret and looks at what is signed meanwhile.
func (w *world) rotates(acme *desk, h client.Webhook) {
	w.t.Helper()
	next, err := acme.RotateWebhookSecret(w.t.Context(), h.ID, 2*time.Hour)
	must(w.t, err)
	if next.Secret == h.Secret || next.PublicKey == h.PublicKey || len(next.PublicKeys) != 2 || next.PublicKeys[1].Until.IsZero() {
		w.t.Errorf("rotated to %+v", next)
	}
	for _, c := range []struct {
		after time.Duration
		old   bool
	}{{0, true}, {time.Hour + 59*time.Minute, true}, {2 * time.Minute, false}} {
		w.clock.Step(c.after)
		acme.token = w.token(acme.login)
		a, err := acme.TestWebhook(w.t.Context(), h.ID)
		if must(w.t, err); !a.OK() {
			w.t.Errorf("the test got %+v", a)
		}
		got := w.receiver.take()
		for key, want := range map[string]bool{next.Secret: true, next.PublicKey: true, h.Secret: c.old, h.PublicKey: c.old} {
			if err := client.VerifyWebhook(key, got[0].header, got[0].body, anyAge); (err == nil) != want {
				w.t.Errorf("after %v, %.10s…: %v, want taken: %v", c.after, key, err, want)
			}
		}
	}
}

// failsAndReplays lets an endpoint fail, and sends again what was sent.
func (w *world) failsAndReplays(acme *desk, h client.Webhook) {
	w.t.Helper()
	ctx := w.t.Context()
	w.receiver.answers(503)
	w.rename("GB-0-2", "Old", "Two")
	w.deliver()
	if a, err := acme.TestWebhook(ctx, h.ID); err != nil || a.OK() || a.Status != 503 {
		w.t.Errorf("the test got %+v, %v", a, err)
	}
	var failing []client.WebhookDelivery
	for d, err := range acme.WebhookDeliveries(ctx, h.ID, "retrying") {
		must(w.t, err)
		failing = append(failing, d)
	}
	if len(failing) != 1 || failing[0].EventID != 2 || failing[0].LastStatus != 503 || failing[0].Next.IsZero() {
		w.t.Errorf("failing: %+v", failing)
	}
	w.receiver.answers(200)
	w.clock.Step(time.Minute)
	w.deliver()
	w.receiver.take()
	if n, err := acme.ReplayWebhook(ctx, h.ID, client.WebhookReplay{Since: 0}); err != nil || n != 2 {
		w.t.Errorf("replayed %d, %v; want 2", n, err)
	}
	if n, err := acme.ReplayWebhook(ctx, h.ID, client.WebhookReplay{EventID: 1}); err != nil || n != 0 {
		w.t.Errorf("what waits was replayed %d times, %v", n, err)
	}
	w.deliver()
	got := w.receiver.take()
	if len(got) != 2 || got[0].header.Get("Webhook-Replay") != "true" || got[0].header.Get("Webhook-Id") == got[1].header.Get("Webhook-Id") {
		w.t.Errorf("%d messages came again", len(got))
	}
	if _, err := acme.ReplayWebhook(ctx, h.ID, client.WebhookReplay{EventID: 99}); !errors.Is(err, client.ErrNotFound) {
		w.t.Errorf("an event that is not there: %v", err)
	}
	if n, err := acme.ReplayWebhook(ctx, h.ID, client.WebhookReplay{Since: 1, DeadOnly: true}); err != nil || n != 0 {
		w.t.Errorf("none is dead, and %d are sent again, %v", n, err)
	}
}

// Filters, and being switched off, decide what comes.
func TestWebhookIsChanged(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(3)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	w.watched(acme, "Mine", 3)
	h := w.newWebhook(acme.login)
	came := func(want int) {
		t.Helper()
		w.receiver.take()
		w.rename("GB-0-1", "a", "b")
		w.deliver()
		if n := len(w.receiver.take()); n != want {
			t.Errorf("%d messages came, want %d", n, want)
		}
	}
	edit := func(e client.WebhookEdit) client.Webhook {
		t.Helper()
		h, err := acme.EditWebhook(t.Context(), h.ID, e)
		must(t, err)
		return h
	}
	yes, no := true, false
	came(1)
	w.clock.Step(time.Minute)
	if got := edit(client.WebhookEdit{}); !got.Changed.Equal(h.Changed.Time) {
		t.Errorf("nothing was asked for, and it is changed at %v instead of %v", got.Changed, h.Changed)
	}
	edit(client.WebhookEdit{RuleCodes: &[]int{105}})
	came(0)
	edit(client.WebhookEdit{RuleCodes: &[]int{5001, 105, 5001}})
	came(1)
	if got := edit(client.WebhookEdit{Disabled: &yes}); !got.Disabled || got.DisabledReason == "" {
		t.Errorf("got %+v", got)
	}
	came(0)
	edit(client.WebhookEdit{Disabled: &no})
	came(1)
	// A new address is challenged, and the old one stays if it does not want.
	moved := w.receiver.URL + "/moved"
	w.receiver.answers(404)
	if _, err := acme.EditWebhook(t.Context(), h.ID, client.WebhookEdit{URL: &moved}); !errors.Is(err, client.ErrBadRequest) {
		t.Errorf("got %v", err)
	}
	w.receiver.answers(200)
	if got, err := acme.Webhook(t.Context(), h.ID); err != nil || got.URL != h.URL {
		t.Errorf("got %+v, %v", got, err)
	}
	if got := edit(client.WebhookEdit{URL: &moved}); got.URL != moved {
		t.Errorf("got %+v", got)
	}
	// 410 switches it off.
	w.receiver.answers(410)
	w.rename("GB-0-1", "a", "b")
	w.deliver()
	if got, err := acme.Webhook(t.Context(), h.ID); err != nil || !got.Disabled || !strings.Contains(got.DisabledReason, "410") {
		t.Errorf("got %+v, %v", got, err)
	}
}

// What is refused names the field and leaves nothing behind.
func TestWebhookRefusals(t *testing.T) {
	w := newWorld(t, plan{})
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	other := w.desk(w.join("other", everywhere(auth.Products()...)...))
	theirs := w.newPortfolio(other.login, "theirs")
	long := make([]string, 1001)
	for i := range long {
		long[i] = fmt.Sprint(i + 1)
	}
	for _, c := range []struct{ body, want string }{
		{`{}`, "url"},
		{`{"url":""}`, "url: "},
		{`{"url":7}`, "url: "},
		{`{"url":"http://example.com/"}`, "url: "},
		{`{"url":"https://192.168.0.1/"}`, "url: webhooks do not go to this address"},
		{`{"url":"https://me@example.com/"}`, "url: it holds a user name"},
		{`{"url":"https://example.com:25/"}`, "url: port 25"},
		{fmt.Sprintf(`{"url":"%s/x","ruleCodes":[77777]}`, w.receiver.URL), "ruleCodes: there is no rule 77777"},
		{fmt.Sprintf(`{"url":"%s/x","portfolioIds":[%d]}`, w.receiver.URL, theirs), "portfolioIds: you have no such portfolio"},
		{fmt.Sprintf(`{"url":"%s/x","portfolioIds":[999999]}`, w.receiver.URL), "portfolioIds: you have no such portfolio"},
		{fmt.Sprintf(`{"url":"%s/x","portfolioIds":[%s]}`, w.receiver.URL, strings.Join(long, ",")), "portfolioIds: "},
		{`nonsense`, ""},
	} {
		got := w.send("POST", "/v1/monitoring/webhooks", c.body, "Authorization", acme.token, "Content-Type", jsonType)
		if got.status != 400 || !strings.Contains(got.body, c.want) {
			t.Errorf("%.60s: got %d %s, want 400 and %q", c.body, got.status, got.body, c.want)
		}
	}
	w.receiver.answers(500)
	if _, err := acme.CreateWebhook(t.Context(), client.NewWebhook{URL: w.receiver.URL}); err == nil || !strings.Contains(err.Error(), "challenge") {
		t.Errorf("an endpoint that does not want: %v", err)
	}
	w.receiver.answers(200)
	if list, err := acme.Webhooks(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("%d webhooks were kept, %v", len(list), err)
	}
	h := w.newWebhook(acme.login)
	if _, err := acme.CreateWebhook(t.Context(), client.NewWebhook{URL: h.URL}); !errors.Is(err, client.ErrConflict) {
		t.Errorf("the same once more: %v", err)
	}
	by := auth.Caller{Customer: acme.login.Customer, Account: acme.login.Account}
	for i := range monitor.MaxWebhooks - 1 {
		_, err := w.db.CreateWebhook(t.Context(), by, monitor.Webhook{URL: fmt.Sprint("https://example.com/", i)}, monitor.MaxWebhooks)
		must(t, err)
	}
	if _, err := acme.CreateWebhook(t.Context(), client.NewWebhook{URL: w.receiver.URL + "/more"}); !errors.Is(err, client.ErrConflict) {
		t.Errorf("one too many: %v", err)
	}
	// A cursor belongs to its list.
	for i := range 3 {
		p := w.newPortfolio(acme.login, fmt.Sprint("p", i))
		_, err := w.db.Tell(t.Context(), []monitor.Event{{Customer: by.Customer, Portfolio: monitor.PortfolioID(p), Company: "GB-0-1", Country: "XX", Rule: 5001, Change: int64(i + 1), At: w.clock.Now()}}, nil)
		must(t, err)
	}
	list := fmt.Sprintf("/v1/monitoring/webhooks/%d/deliveries?pageSize=2", h.ID)
	var page struct {
		Data   []struct{ EventID int64 }
		Cursor string
	}
	must(t, json.Unmarshal([]byte(w.send("GET", list, "", "Authorization", acme.token).body), &page))
	if len(page.Data) != 2 || page.Cursor == "" {
		t.Fatalf("got %+v", page)
	}
	if got := w.send("GET", list+"&after="+page.Cursor, "", "Authorization", acme.token); got.status != 200 || strings.Count(got.body, "eventId") != 1 {
		t.Errorf("the next page: %d %s", got.status, got.body)
	}
	for _, bad := range []string{"&state=dead&after=" + page.Cursor, "&after=x"} {
		if got := w.send("GET", list+bad, "", "Authorization", acme.token); got.status != 400 {
			t.Errorf("%.20s: got %d", bad, got.status)
		}
	}
}

// B7: no secret lies open in the database, in answers that are kept, or in the
// log.
func TestWebhookSecretsAreSealed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bureau.db")
	w := newWorld(t, plan{url: path})
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	var secrets [][]byte
	keep := func(h client.Webhook) {
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(h.Secret, "whsec_"))
		must(t, err)
		secrets = append(secrets, raw, []byte(strings.TrimPrefix(h.Secret, "whsec_")))
	}
	// Also not when a client sends an Idempotency-Key.
	body := fmt.Sprintf(`{"url":%q}`, w.receiver.URL+"/keyed")
	got := w.send("POST", "/v1/monitoring/webhooks", body, "Authorization", acme.token, "Content-Type", jsonType, "Idempotency-Key", "k")
	var h client.Webhook
	must(t, json.Unmarshal([]byte(got.body), &h))
	keep(h)
	h, err := acme.RotateWebhookSecret(t.Context(), h.ID, time.Hour)
	must(t, err)
	keep(h)
	files, err := filepath.Glob(path + "*")
	must(t, err)
	for _, f := range files {
		b, err := os.ReadFile(f)
		must(t, err)
		for _, s := range secrets {
			if bytes.Contains(b, s) {
				t.Errorf("a secret lies open in %s", filepath.Base(f))
			}
		}
	}
	if len(files) == 0 || strings.Contains(w.log.String(), "whsec_") {
		t.Errorf("%d files were read; the log holds a secret: %v", len(files), strings.Contains(w.log.String(), "whsec_"))
	}
}

// The answers of a webhook that is there are as the document says.
func TestWebhookAnswersAreAsDocumented(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(3)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	w.watched(acme, "Mine", 3)
	h := w.newWebhook(acme.login)
	w.rename("GB-0-1", "a", "b")
	w.deliver()
	router, err := legacy.NewRouter(document(t, w))
	must(t, err)
	one := fmt.Sprintf("/monitoring/webhooks/%d", h.ID)
	for _, e := range []example{
		{"", "GET", "/monitoring/webhooks", "", 200, ""},
		{"", "POST", "/monitoring/webhooks", fmt.Sprintf(`{"url":"%s/doc"}`, w.receiver.URL), 201, ""},
		{"", "POST", "/monitoring/webhooks", fmt.Sprintf(`{"url":"%s/doc"}`, w.receiver.URL), 409, ""},
		{"", "GET", one, "", 200, ""},
		{"", "PATCH", one, `{"ruleCodes":[5001]}`, 200, ""},
		{"", "POST", one + "/secret", `{}`, 200, ""},
		{"", "POST", one + "/test", "", 200, ""},
		{"", "GET", one + "/deliveries?state=delivered", "", 200, ""},
		{"", "GET", one + "/deliveries/1", "", 200, ""},
		{"", "POST", one + "/replay", `{"eventId":1}`, 202, ""},
		{"", "DELETE", one, "", 204, ""},
	} {
		got := w.send(e.method, "/v1"+e.path, e.body, "Authorization", acme.token, "Content-Type", jsonType)
		if got.status != e.status {
			t.Errorf("%s %s: got %d %s, want %d", e.method, e.path, got.status, got.body, e.status)
		}
		if err := holds(t.Context(), router, e, got); err != nil {
			t.Errorf("%s %s: %d %s\nis not as documented: %v", e.method, e.path, got.status, got.body, err)
		}
	}
}
