package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestMetricsAreForLoopback(t *testing.T) {
	t.Parallel()
	inner := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	elsewhere := http.NotFoundHandler()
	for _, c := range []struct {
		from, header, value string
		want                int
	}{
		{"127.0.0.1:4711", "", "", http.StatusOK},
		{"[::1]:4711", "", "", http.StatusOK},
		{"[::ffff:127.0.0.1]:4711", "", "", http.StatusOK},
		{"127.9.9.9:4711", "", "", http.StatusOK},
		{"10.0.0.1:4711", "", "", http.StatusNotFound},
		{"192.0.2.1:4711", "", "", http.StatusNotFound},
		{"nonsense", "", "", http.StatusNotFound},
		{"127.0.0.1:4711", "X-Forwarded-For", "127.0.0.1", http.StatusNotFound},
		{"127.0.0.1:4711", "X-Forwarded-For", "", http.StatusNotFound},
		{"127.0.0.1:4711", "Forwarded", "for=192.0.2.1", http.StatusNotFound},
		{"127.0.0.1:4711", "X-Real-IP", "192.0.2.1", http.StatusNotFound},
	} {
		r := httptest.NewRequest("GET", "/metrics", nil)
		r.RemoteAddr = c.from
		if c.header != "" {
			r.Header.Set(c.header, c.value)
		}
		w := httptest.NewRecorder()
		loopbackOnly(inner, elsewhere).ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("from %s with %s %q: got %d, want %d", c.from, c.header, c.value, w.Code, c.want)
		}
	}
}

func TestMetricsCountByRoute(t *testing.T) {
	t.Parallel()
	h := serveHouse(t, config(t))
	h.get(t, "/access/users/me")
	h.get(t, "/ACCESS//users/me/")
	h.get(t, "/no/such/thing/Ada-Brook")
	h.do(t, "BREW", "/pot", "")
	res, body := h.get(t, "/metrics")
	if res.StatusCode != http.StatusOK {
		t.Fatalf("got %s", res.Status)
	}
	for _, want := range []string{
		`bureau_requests_total{method="GET",route="/access/users/me",status="401"} 2`,
		`bureau_requests_total{method="GET",route="(none)",status="404"} 1`,
		`bureau_requests_total{method="other",route="(none)",status="404"} 1`,
		`bureau_build_info{version="test"} 1`,
		`bureau_request_seconds_count{route="/access/users/me"} 2`,
		"go_goroutines",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is not among the metrics", want)
		}
	}
	if strings.Contains(body, "Brook") || strings.Contains(body, "BREW") {
		t.Error("a caller can make a series of its own")
	}
	eventually(t, "the background is counted", func() bool {
		_, body := h.get(t, "/metrics")
		return strings.Contains(body, `bureau_background_steps_total{result="done",work="directory"}`)
	})
}

func TestMetricsOnAnAddressOfTheirOwn(t *testing.T) {
	t.Parallel()
	c := config(t)
	other := c
	other.Listen = "127.0.0.1:0"
	l, err := other.Bind() // a free port, given back at once
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	c.MetricsListen = other.Listen
	h := serveHouse(t, c)
	if res, _ := h.get(t, "/metrics"); res.StatusCode != http.StatusNotFound {
		t.Errorf("on the main address: got %s, want 404", res.Status)
	}
	res, err := http.Get("http://" + c.MetricsListen + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("on their own address: got %s", res.Status)
	}
	res, err = http.Get("http://" + c.MetricsListen + "/access/users/me")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusNotFound {
		t.Errorf("something else is served there: got %s", res.Status)
	}
}
