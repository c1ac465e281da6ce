package client_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"bureau/client"
)

// What may be sent twice is sent again when it did not get through; nothing else
// is.
func TestWhatIsSafeIsSentAgain(t *testing.T) {
	gateway := refuse(502, nil, "")
	busy := refuse(503, nil, "")
	later := refuse(503, map[string]string{"Retry-After": "30"}, "")
	broken := func() *answer { return nil }
	get, put := client.Call{Method: "GET", Path: "/x"}, client.Call{Method: "PUT", Path: "/x", In: 1}
	post, keyed := client.Call{Method: "POST", Path: "/x", In: 1}, client.Call{Method: "POST", Path: "/x", In: 1, Key: "k"}
	for _, c := range []struct {
		name    string
		call    client.Call
		answers []func() *answer
		retries int
		sent    int
		fails   bool
	}{
		{"a reading, broken off once", get, []func() *answer{broken}, 0, 2, false},
		{"a reading, broken off twice", get, []func() *answer{broken, gateway}, 0, 3, false},
		{"a reading, broken off three times", get, []func() *answer{broken, busy, gateway}, 0, 3, true},
		{"a reading, never again", get, []func() *answer{broken}, -1, 1, true},
		{"a reading, three times again", get, []func() *answer{broken, broken, broken}, 3, 4, false},
		{"what sets", put, []func() *answer{gateway}, 0, 2, false},
		{"what creates", post, []func() *answer{gateway}, 0, 1, true},
		{"what creates, under a key", keyed, []func() *answer{broken}, 0, 2, false},
		{"what deletes", client.Call{Method: "DELETE", Path: "/x"}, []func() *answer{broken}, 0, 1, true},
		{"what failed inside", get, []func() *answer{refuse(500, nil, "")}, 0, 1, true},
		{"what is busy for longer", get, []func() *answer{later}, 0, 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, cl := newService()
				cl.Retries = c.retries
				call(t, cl) // so that there is a token
				s.calls, s.bodies, s.answer = nil, nil, c.answers
				err := cl.Do(t.Context(), c.call)
				if len(s.calls) != c.sent || (err != nil) != c.fails {
					t.Errorf("sent %d times and got %v, want %d and failed: %v", len(s.calls), err, c.sent, c.fails)
				}
				for i, r := range s.calls {
					if r.Header.Get("Idempotency-Key") != c.call.Key || s.bodies[i] != s.bodies[0] {
						t.Errorf("the call was sent otherwise the second time")
					}
				}
			})
		})
	}
}

func TestSendingAgainEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, cl := newService()
		call(t, cl)
		for range 10 {
			s.answer = append(s.answer, func() *answer { return nil })
		}
		cl.Retries = 10
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := cl.Do(ctx, client.Call{Method: http.MethodGet, Path: "/x"})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the end of the context", err)
		}
	})
}
