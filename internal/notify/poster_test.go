package notify

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// The message is kept beside the code, so that a change of the wire shows in
// the diff; BUREAU_UPDATE=1 rewrites it.
func TestMessageIsTheGoldenOne(t *testing.T) {
	made := time.Date(2026, 2, 28, 5, 33, 2, 123e6, time.UTC)
	events := []monitor.Event{
		{
			ID: 1017, Customer: 1001, Portfolio: 100001, In: "Suppliers \"north\"", Company: "GB-0-99000001", SafeNo: "GB90000001", Name: "Brimwick <Foods> & Söhne Ltd",
			Country: monitor.Everywhere, Rule: monitor.AllRules()[0].Code, Version: 1, Change: 77, Field: "name", Source: "test",
			Old: "Brimwick Ltd", New: "Brimwick <Foods> & Söhne Ltd", Why: "the name changed", At: made.Add(-time.Hour), CreatedAt: made,
		},
		{ID: 1018, Customer: 1001, Portfolio: 100001, In: "P", Company: "SE-0-1", Name: "A", Country: "XX", Rule: 9999, Field: "gone", At: made, CreatedAt: made, ProcessedAt: made.Add(time.Minute)},
	}
	var got strings.Builder
	for i := range events {
		got.Write(writeEvent(&events[i]))
		got.WriteString("\n")
	}
	got.Write(write(message{Type: typeChallenge, Timestamp: zulu(made), Challenge: "challenge_X"}))
	got.WriteString("\n")
	got.Write(write(message{Type: typeTest, Timestamp: zulu(made), Data: testData{7, "This is a test. Nothing happened."}}))
	got.WriteString("\n")
	const path = "testdata/messages.jsonl"
	if os.Getenv("BUREAU_UPDATE") == "1" {
		must(t, os.MkdirAll("testdata", 0o755))
		must(t, os.WriteFile(path, []byte(got.String()), 0o644))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("%s (-want +got; make golden rewrites it):\n%s", path, d)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 2, 28, 5, 33, 2, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, "120": 2 * time.Minute, " 5 ": 5 * time.Second, "-5": 0, "1.5": 0, "soon": 0, "99999999999999": 0,
		"Sat, 28 Feb 2026 05:34:02 GMT": time.Minute,
		"Sat, 28 Feb 2026 05:30:00 GMT": 0,
	} {
		if got := retryAfter(text, now); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
	s := sink(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write([]byte("slower"))
	})
	a := post(t, newPoster(t, "127.0.0.0/8"), s.URL)
	if a.Status != 429 || a.RetryAfter != 7*time.Second || a.Try.Answer != "slower" || a.Error != "" || a.Took <= 0 {
		t.Errorf("got %+v", a)
	}
}

func TestReplaysAreMarked(t *testing.T) {
	var got http.Header
	s := sink(t, func(_ http.ResponseWriter, r *http.Request) { got = r.Header })
	p := newPoster(t, "127.0.0.0/8")
	h, _ := hookTo(t, p, s.URL)
	sending := sendingTo(h)
	sending.Delivery.Replay = true
	p.Post(t.Context(), sending)
	if got.Get("Webhook-Replay") != "true" || got.Get("Webhook-Id") != "msg_17_7" || got.Get("Content-Type") != "application/json" {
		t.Errorf("got %v", got)
	}
}

// An address on the Internet has to show that it reads what it gets; one that
// the operator opened has to answer.
func TestChallenge(t *testing.T) {
	echo := func(w http.ResponseWriter, r *http.Request) {
		var m struct{ Challenge string }
		_ = json.NewDecoder(r.Body).Decode(&m)
		_, _ = w.Write([]byte(`{"challenge":"` + m.Challenge + `"}`))
	}
	for _, c := range []struct {
		name     string
		handler  http.HandlerFunc
		internet bool
		want     string // of the refusal; "" if it is taken
	}{
		{"inside, any 2xx", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, false, ""},
		{"inside, 404", http.NotFound, false, "404 came"},
		{"inside, a redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/x", http.StatusFound) }, false, "302 came"},
		{"outside, the text", echo, true, ""},
		{"outside, 2xx without the text", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("OK")) }, true, "it was not there"},
		{"outside, the text with 500", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500); echo(w, r) }, true, "500 came"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := sink(t, c.handler)
			p := newPoster(t, "127.0.0.0/8")
			h, _ := hookTo(t, p, s.URL)
			if c.internet {
				// Loopback stands for the Internet: it is reached as before,
				// and then it is not among what was opened.
				open := p.client(true)
				p.once.Do(func() { p.tls, p.plain = open, open })
				p.Guard = &Guard{}
			}
			err := p.Challenge(t.Context(), h)
			if c.want == "" {
				must(t, err)
				return
			}
			v, _ := fault.Of(err)
			if !errors.Is(err, fault.Invalid) || !strings.Contains(strings.Join(v.Details, ""), c.want) || !strings.HasPrefix(v.Details[0], "url: ") {
				t.Errorf("got %v %q, want %q", err, v.Details, c.want)
			}
		})
	}
}

// B5: challenges and tests are not a way to make us shout.
func TestChallengesAreCounted(t *testing.T) {
	calls := 0
	s := sink(t, func(http.ResponseWriter, *http.Request) { calls++ })
	p := newPoster(t, "127.0.0.0/8")
	now := time.Date(2026, 2, 28, 5, 33, 10, 0, time.UTC)
	p.Now = func() time.Time { return now }
	h, _ := hookTo(t, p, s.URL)
	refused := 0
	for i := range 2 * hostsMinute {
		h.Customer = 1001
		if i%2 == 1 { // somebody else, the same host
			h.Customer = 1002
		}
		h.Secrets[0], _, _ = p.NewSecret(h.Customer)
		_, err := p.Test(t.Context(), h)
		if errors.Is(err, fault.Exhausted) {
			refused++
			if v, _ := fault.Of(err); v.Wait != 50*time.Second {
				t.Fatalf("told to wait for %v", v.Wait)
			}
		}
	}
	if calls != hostsMinute || refused != hostsMinute {
		t.Errorf("%d calls were made and %d refused, want %d each", calls, refused, hostsMinute)
	}
	now = now.Add(time.Minute)
	if _, err := p.Test(t.Context(), h); err != nil {
		t.Errorf("in the next minute: %v", err)
	}
}
