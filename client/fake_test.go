package client_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"bureau/client"
)

// A service stands in for the real one, which the tests of internal/api call
// with this client. It never touches the network, so time in these tests is
// synctest's.
type service struct {
	mu     sync.Mutex
	tokens int              // how many were given out
	life   time.Duration    // of a token
	skew   time.Duration    // how far the service's clock is ahead
	opaque bool             // the token is no JWT
	calls  []*http.Request  // all but authenticate
	bodies []string         // theirs
	answer []func() *answer // to the next calls (nil breaks off); after them comes success
	logins []func() *answer // to the next authenticate calls
	busy   chan struct{}    // authenticate waits for it to close
}

type answer struct {
	status int
	header map[string]string
	body   string
}

func (s *service) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	body := ""
	if r.Body != nil {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		body = string(b)
	}
	a := &answer{status: 200, body: `{}`}
	if strings.HasSuffix(r.URL.Path, "/authenticate") {
		var err error
		if a, err = s.authenticate(r); err != nil {
			return nil, err
		}
	} else {
		s.mu.Lock()
		s.calls, s.bodies = append(s.calls, r), append(s.bodies, body)
		if len(s.answer) > 0 {
			a, s.answer = s.answer[0](), s.answer[1:]
		}
		s.mu.Unlock()
	}
	if a == nil {
		return nil, io.ErrUnexpectedEOF
	}
	h := http.Header{"Content-Type": {"application/json"}}
	for k, v := range a.header {
		h.Set(k, v)
	}
	return &http.Response{StatusCode: a.status, Header: h, Body: io.NopCloser(strings.NewReader(a.body)), Request: r}, nil
}

func (s *service) authenticate(r *http.Request) (*answer, error) {
	s.mu.Lock()
	busy := s.busy
	s.mu.Unlock()
	if busy != nil {
		select {
		case <-busy:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.logins) > 0 {
		var a *answer
		a, s.logins = s.logins[0](), s.logins[1:]
		return a, nil
	}
	s.tokens++
	now := time.Now().Add(s.skew)
	token := fmt.Sprintf("opaque-%d", s.tokens)
	if !s.opaque {
		claims := fmt.Sprintf(`{"n":%d,"iat":%d,"exp":%d}`, s.tokens, now.Unix(), now.Add(s.life).Unix())
		token = "e30." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".c2ln"
	}
	return &answer{status: 200, body: fmt.Sprintf(`{"token":%q}`, token)}, nil
}

func (s *service) given() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tokens
}

// newService makes a service whose tokens live for an hour, and a client of it.
func newService() (*service, *client.Client) {
	s := &service{life: time.Hour}
	return s, &client.Client{
		BaseURL: "https://bureau.test/v1/", Username: "user", Password: "pass",
		HTTP: &http.Client{Transport: s},
	}
}

func refuse(status int, header map[string]string, body string) func() *answer {
	return func() *answer { return &answer{status, header, body} }
}

var deadToken = refuse(401, nil, `{"error":"Invalid token."}`)

func wantTokens(t *testing.T, s *service, want int, when string) {
	t.Helper()
	if got := s.given(); got != want {
		t.Errorf("%s: authenticated %d times, want %d", when, got, want)
	}
}

func call(t *testing.T, c *client.Client) {
	t.Helper()
	if _, err := c.Me(t.Context()); err != nil {
		t.Fatalf("call: %v", err)
	}
}
