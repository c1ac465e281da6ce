package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"bureau/client"
)

func TestErrorsSayWhatTheServiceSaid(t *testing.T) {
	ours := `{"correlationId":"c-1","message":"Bad request","details":"page: too large","error":{"code":"BadRequest","text":"other","detail":"other"}}`
	for _, c := range []struct {
		name   string
		status int
		header map[string]string
		body   string
		want   client.Error
		kind   error
	}{
		{"our own body", 400, nil, ours, client.Error{Status: 400, Message: "Bad request", Details: "page: too large", CorrelationID: "c-1"}, client.ErrBadRequest},
		{"the error is a text", 401, nil, `{"error":"No."}`, client.Error{Status: 401, Message: "No."}, client.ErrUnauthorized},
		{
			"the error is an object", 429,
			map[string]string{"Retry-After": "90"},
			`{"error":{"code":"A","text":"B","detail":"C"}}`,
			client.Error{Status: 429, Message: "B", Details: "C", RetryAfter: 90 * time.Second},
			client.ErrTooManyRequests,
		},
		{"only a message", 301, nil, `{"message":"gone"}`, client.Error{Status: 301, Message: "gone"}, nil},
		{"plain text", 403, map[string]string{"Content-Type": "text/plain; charset=utf-8"}, "stay out", client.Error{Status: 403, Message: "stay out"}, client.ErrForbidden},
		{"empty", 404, map[string]string{"Content-Type": "text/plain"}, "", client.Error{Status: 404, Message: "Not Found"}, client.ErrNotFound},
		{"a page of a proxy", 502, map[string]string{"Content-Type": "text/html"}, "<h1>Bad gateway</h1>", client.Error{Status: 502, Message: "Bad Gateway"}, client.ErrServer},
		{"no JSON at all", 409, nil, "{", client.Error{Status: 409, Message: "Conflict"}, client.ErrConflict},
		{
			"the id is in the header only", 500,
			map[string]string{"X-Correlation-Id": "c-2"},
			`{}`,
			client.Error{Status: 500, Message: "Internal Server Error", CorrelationID: "c-2"},
			client.ErrServer,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, cl := newService()
			cl.Retries = -1
			s.answer = append(s.answer, refuse(c.status, c.header, c.body))
			_, err := cl.Me(t.Context())
			var got *client.Error
			if !errors.As(err, &got) {
				t.Fatalf("got %v, want a *client.Error", err)
			}
			if *got != c.want {
				t.Errorf("got %+v, want %+v", *got, c.want)
			}
			for _, kind := range []error{
				client.ErrBadRequest, client.ErrUnauthorized, client.ErrForbidden, client.ErrNotFound,
				client.ErrConflict, client.ErrTooManyRequests, client.ErrServer,
			} {
				if is := errors.Is(err, kind); is != (kind == c.kind) {
					t.Errorf("errors.Is(%v, %v) is %v", err, kind, is)
				}
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	for want, e := range map[string]client.Error{
		"404 Not Found":                   {Status: 404, Message: "Not Found"},
		"404 gone":                        {Status: 404, Message: "gone", Details: "gone"},
		"400 Bad: page (correlationId x)": {Status: 400, Message: "Bad", Details: "page", CorrelationID: "x"},
	} {
		if got := e.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestRetryAfterIsObeyedOnlyIfAsked(t *testing.T) {
	busy := refuse(429, map[string]string{"Retry-After": "40"}, `{"message":"Too many requests"}`)
	for _, c := range []struct {
		name    string
		maxWait time.Duration
		refused int
		want    error
		took    time.Duration
	}{
		{"not asked", 0, 1, client.ErrTooManyRequests, 0},
		{"asked", time.Minute, 1, nil, 40 * time.Second},
		{"exactly as long as may be", 40 * time.Second, 1, nil, 40 * time.Second},
		{"longer than may be", 39 * time.Second, 1, client.ErrTooManyRequests, 0},
		{"twice is longer than may be in all", time.Minute, 2, client.ErrTooManyRequests, 40 * time.Second},
		{"twice", 2 * time.Minute, 2, nil, 80 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, cl := newService()
				cl.MaxWait = c.maxWait
				for range c.refused {
					s.answer = append(s.answer, busy)
				}
				start := time.Now()
				_, err := cl.Me(t.Context())
				if !errors.Is(err, c.want) {
					t.Errorf("got %v, want %v", err, c.want)
				}
				if took := time.Since(start); took != c.took {
					t.Errorf("took %s, want %s", took, c.took)
				}
			})
		})
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := newService()
		c.MaxWait = time.Hour
		s.logins = append(s.logins, refuse(429, map[string]string{"Retry-After": "300"}, `{}`))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Me(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want context.DeadlineExceeded", err)
		}
	})
}

func TestCallIsSentAsItIs(t *testing.T) {
	s, c := newService()
	s.answer = []func() *answer{deadToken, refuse(201, nil, `{"id":7}`)}
	key := client.NewKey()
	var out struct{ ID int }
	err := c.Do(t.Context(), client.Call{
		Method: http.MethodPost, Path: "/things", Query: url.Values{"a": {"1 2"}}, Key: key,
		In: map[string]any{"name": "one"}, Out: &out,
	})
	if err != nil || out.ID != 7 {
		t.Fatalf("got %+v, %v", out, err)
	}
	if len(s.calls) != 2 {
		t.Fatalf("%d calls were sent, want 2", len(s.calls))
	}
	for i, r := range s.calls {
		if got, want := r.Method+" "+r.URL.String(), "POST https://bureau.test/v1/things?a=1+2"; got != want {
			t.Errorf("call %d: got %q, want %q", i, got, want)
		}
		if got := r.Header.Get("Idempotency-Key"); got != key {
			t.Errorf("call %d: got the key %q, want %q: a repeat must not create anew", i, got, key)
		}
		if got, want := s.bodies[i], `{"name":"one"}`; got != want {
			t.Errorf("call %d: got the body %q, want %q", i, got, want)
		}
		if got, want := r.Header.Get("Content-Type"), "application/json"; got != want {
			t.Errorf("call %d: got the content type %q, want %q", i, got, want)
		}
	}
	if client.NewKey() == key {
		t.Error("two keys are alike")
	}
}

func TestWhatCannotBeSentOrRead(t *testing.T) {
	s, c := newService()
	if err := c.Do(t.Context(), client.Call{Method: "GET", Path: "/x", In: func() {}}); err == nil {
		t.Error("a body that is no JSON was sent")
	}
	if err := c.Do(t.Context(), client.Call{Method: "GET", Path: "/%zz"}); err == nil {
		t.Error("an address that is none was called")
	}
	s.answer = append(s.answer, refuse(200, nil, `[`))
	if _, err := c.Me(t.Context()); err == nil {
		t.Error("half an answer was taken")
	}
	s.answer = append(s.answer, refuse(204, nil, ``))
	if err := c.Do(t.Context(), client.Call{Method: "DELETE", Path: "/x", Out: new(int)}); err != nil {
		t.Errorf("an empty answer: %v", err)
	}
}
