package app

import (
	"strings"
	"testing"
)

func TestWebhookMetrics(t *testing.T) {
	t.Parallel()
	h := serveHouse(t, config(t))
	_, body := h.get(t, "/metrics")
	for _, want := range []string{
		`bureau_webhook_tries_total{result="delivered"} 0`, `bureau_webhook_tries_total{result="failed"} 0`,
		`bureau_webhook_tries_total{result="dead"} 0`, `bureau_webhook_oldest_seconds 0`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is not among the metrics", want)
		}
	}
}

// Only the sandbox lets webhooks go to loopback by itself.
func TestWhereWebhooksMayGo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sandbox bool
		allow   []string
		address string
		want    bool
	}{
		{false, nil, "http://127.0.0.1:9000/", false},
		{true, nil, "http://127.0.0.1:9000/", true},
		{true, nil, "http://[::1]:9000/", true},
		{true, nil, "https://10.0.0.1/", false},
		{false, []string{"10.0.0.0/8"}, "http://10.0.0.1:9000/", true},
		{false, []string{"10.0.0.0/8"}, "http://127.0.0.1:9000/", false},
		{false, nil, "https://example.com/hooks", true},
	} {
		a := &App{Config: Config{Sandbox: c.sandbox, WebhookAllow: c.allow}}
		p, err := a.newPoster()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Address(c.address); (err == nil) != c.want {
			t.Errorf("sandbox %v, %v: %s: got %v, want taken: %v", c.sandbox, c.allow, c.address, err, c.want)
		}
	}
}
