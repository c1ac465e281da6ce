package notify

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/monitor"
)

// A received message is what an endpoint saw.
type received struct {
	header http.Header
	body   []byte
}

// receive posts an event to a sink and returns what arrived.
func receive(t *testing.T, p *Poster, edit func(h *monitor.Webhook)) (got received, secret string, h *monitor.Webhook) {
	t.Helper()
	s := sink(t, func(_ http.ResponseWriter, r *http.Request) {
		var b bytes.Buffer
		_, _ = b.ReadFrom(r.Body)
		got = received{r.Header.Clone(), b.Bytes()}
	})
	h, secret = hookTo(t, p, s.URL)
	if edit != nil {
		edit(h)
	}
	if a := p.Post(t.Context(), sendingTo(h)); !a.OK() {
		t.Fatalf("the answer is %+v", a)
	}
	return got, secret, h
}

// B6: what is posted passes in the public library and in our own, by either
// key; a message with one byte changed passes in neither.
func TestSignatures(t *testing.T) {
	p := newPoster(t, "127.0.0.0/8")
	got, secret, h := receive(t, p, nil)
	lib, err := standardwebhooks.NewWebhook(secret)
	must(t, err)
	public := h.Secrets[0].Public
	verify := func(r received) map[string]error {
		return map[string]error{
			"the library":    lib.Verify(r.body, r.header),
			"the secret":     client.VerifyWebhook(secret, r.header, r.body, 0),
			"the public key": client.VerifyWebhook(public, r.header, r.body, 0),
		}
	}
	for by, err := range verify(got) {
		if err != nil {
			t.Errorf("%s: %v", by, err)
		}
	}
	for i := range got.body {
		bad := received{got.header, bytes.Clone(got.body)}
		bad.body[i] ^= 1
		for by, err := range verify(bad) {
			if err == nil {
				t.Fatalf("%s takes a body with byte %d changed", by, i)
			}
		}
	}
	for _, name := range []string{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"} {
		value := got.header.Get(name)
		for i := range value {
			changed := []byte(value)
			changed[i] ^= 1
			bad := received{got.header.Clone(), got.body}
			bad.header.Set(name, string(changed))
			errs := verify(bad)
			// A change in one signature leaves the other good.
			if name == "Webhook-Signature" {
				if errs["the secret"] == nil && errs["the public key"] == nil && !insignificant(value, i) {
					t.Errorf("both signatures pass with byte %d changed", i)
				}
				continue
			}
			for by, err := range errs {
				if err == nil {
					t.Errorf("%s takes %s with byte %d changed", by, name, i)
				}
			}
		}
	}
}

// insignificant reports whether a byte of the header is the space between two
// signatures or part of a version: then the one beside it is whole.
func insignificant(value string, i int) bool { return value[i] == ' ' }

func TestOldMessagesAreRefused(t *testing.T) {
	p := newPoster(t, "127.0.0.0/8")
	for _, c := range []struct {
		off  time.Duration
		good bool
	}{{0, true}, {-4 * time.Minute, true}, {-6 * time.Minute, false}, {6 * time.Minute, false}, {-48 * time.Hour, false}} {
		p.Now = func() time.Time { return time.Now().Add(c.off) }
		got, secret, h := receive(t, p, nil)
		for _, key := range []string{secret, h.Secrets[0].Public} {
			if err := client.VerifyWebhook(key, got.header, got.body, 0); (err == nil) != c.good {
				t.Errorf("%v: got %v, want taken: %v", c.off, err, c.good)
			}
		}
	}
}

// B7: during a rotation every message passes with the old key and with the
// new; afterwards with the new one alone.
func TestRotation(t *testing.T) {
	now := time.Now()
	p := newPoster(t, "127.0.0.0/8")
	p.Now = func() time.Time { return now }
	old, oldSecret, err := p.NewSecret(1001)
	must(t, err)
	for _, c := range []struct {
		until time.Time
		good  bool
	}{{now.Add(time.Hour), true}, {now.Add(-time.Second), false}} {
		old.Until = c.until
		got, secret, h := receive(t, p, func(h *monitor.Webhook) { h.Secrets = append(h.Secrets, old) })
		for _, key := range []string{secret, h.Secrets[0].Public} {
			if err := client.VerifyWebhook(key, got.header, got.body, 0); err != nil {
				t.Errorf("the new key: %v", err)
			}
		}
		for _, key := range []string{oldSecret, old.Public} {
			if err := client.VerifyWebhook(key, got.header, got.body, 0); (err == nil) != c.good {
				t.Errorf("the old key: got %v, want taken: %v", err, c.good)
			}
		}
	}
}

func TestSecretsAreSealed(t *testing.T) {
	p := newPoster(t)
	a, shown, err := p.NewSecret(1001)
	must(t, err)
	b, other, err := p.NewSecret(1001)
	must(t, err)
	if shown == other || a.Public == b.Public {
		t.Error("two webhooks have one secret")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(shown, secretPrefix))
	must(t, err)
	if len(key) != secretSize || bytes.Contains(a.Sealed, key[:8]) {
		t.Errorf("the secret of %d bytes lies open", len(key))
	}
	for _, of := range []auth.CustomerID{1002, 0} {
		if _, err := p.Keys.signers(&monitor.Webhook{Customer: of, Secrets: []monitor.Secret{a}}, time.Now()); err == nil {
			t.Errorf("it opens for customer %d", of)
		}
	}
	if _, err := p.Keys.signers(&monitor.Webhook{Customer: 1001}, time.Now()); err == nil {
		t.Error("a webhook without a secret signs")
	}
}

// Every try of an event has the same id, and the time of the try.
func TestIDAndTime(t *testing.T) {
	p := newPoster(t, "127.0.0.0/8")
	at := time.Now().Add(-time.Minute)
	p.Now = func() time.Time { return at }
	first, _, _ := receive(t, p, nil)
	at = at.Add(time.Minute)
	second, _, _ := receive(t, p, nil)
	if a, b := first.header.Get("Webhook-Id"), second.header.Get("Webhook-Id"); a != b || a != "msg_17_7" {
		t.Errorf("got the ids %q and %q", a, b)
	}
	if got := second.header.Get("Webhook-Timestamp"); got != strconv.FormatInt(at.Unix(), 10) {
		t.Errorf("got the time %s", got)
	}
	if got := first.header.Get("Webhook-Replay"); got != "" {
		t.Errorf("it is marked as a replay: %q", got)
	}
}
