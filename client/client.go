package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// A Client calls the service in the name of one account. Many goroutines may
// share one; it must not be copied once it is in use.
type Client struct {
	BaseURL  string // such as https://bureau.example.com/v1
	Username string // the account's user key
	Password string

	// HTTP sends the requests; nil is http.DefaultClient.
	HTTP *http.Client

	// MaxWait is how long one call may wait in all when the service says that
	// it comes too often. With 0 it does not wait: it fails with
	// ErrTooManyRequests, and the error says how long to stay away.
	MaxWait time.Duration

	// Retries is how often a call that may be sent twice without harm is sent
	// again when the connection fails or a gateway does: 0 is twice, -1 never.
	Retries int

	mu       sync.Mutex
	held     string // the token in use
	expires  time.Time
	renewAt  time.Time
	renewing *renewal
}

// A Call is one request.
type Call struct {
	Method string
	Path   string // below the base address, such as /access
	Query  url.Values

	// Key is the Idempotency-Key of a call that creates something: however
	// often the call is sent with the same key, the thing is created once.
	// NewKey makes one.
	Key string

	In  any // sent as JSON; nil for no body
	Out any // filled from the JSON of the answer; nil to ignore it

	open   bool      // takes no token
	form   *form     // sent instead of In
	accept string    // instead of JSON
	write  io.Writer // takes the answer as it comes, instead of Out
}

// Do sends a call with a token. A call that is refused because of its token is
// sent once more with a fresh one, and one that may be repeated is when it did
// not get through; see Retries.
func (c *Client) Do(ctx context.Context, call Call) error {
	body, err := call.body()
	if err != nil {
		return err
	}
	left, renewed, tries := c.MaxWait, false, 0
	for {
		token := ""
		if !call.open {
			if token, err = c.token(ctx); err != nil {
				return err
			}
		}
		err = c.send(ctx, call, body, token)
		var e *Error
		switch {
		case call.repeatable() && tries < c.retries() && mayPass(ctx, err):
			if err := wait(ctx, pauseAfter(tries)); err != nil {
				return err
			}
			tries++
		case !errors.As(err, &e):
			return err
		case e.refusedToken() && !call.open && !renewed:
			renewed = true
			c.drop(token)
		case e.Status == http.StatusTooManyRequests && e.RetryAfter > 0 && e.RetryAfter <= left:
			left -= e.RetryAfter
			if err := wait(ctx, e.RetryAfter); err != nil {
				return err
			}
		default:
			return err
		}
	}
}

func (call Call) body() ([]byte, error) {
	if call.In == nil {
		return nil, nil
	}
	b, err := json.Marshal(call.In)
	if err != nil {
		return nil, fmt.Errorf("write the body of %s %s: %w", call.Method, call.Path, err)
	}
	return b, nil
}

// send sends a call once.
func (c *Client) send(ctx context.Context, call Call, body []byte, token string) error {
	address := strings.TrimRight(c.BaseURL, "/") + call.Path
	if len(call.Query) > 0 {
		address += "?" + call.Query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, call.Method, address, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s %s: %w", call.Method, call.Path, err)
	}
	r.Header.Set("Accept", cmp.Or(call.accept, "application/json"))
	switch {
	case call.form != nil:
		if err := call.form.fill(r); err != nil {
			return fmt.Errorf("%s %s: %w", call.Method, call.Path, err)
		}
	case body != nil:
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if call.Key != "" {
		r.Header.Set("Idempotency-Key", call.Key)
	}
	h := c.HTTP
	if h == nil {
		h = http.DefaultClient
	}
	resp, err := h.Do(r)
	if err != nil {
		return err // it names the method and the address
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return readError(resp)
	}
	if call.write != nil {
		if _, err := io.Copy(call.write, resp.Body); err != nil {
			return fmt.Errorf("read the answer to %s %s: %w", call.Method, call.Path, err)
		}
		return nil
	}
	if call.Out == nil || resp.StatusCode == http.StatusNoContent {
		_, err = io.Copy(io.Discard, resp.Body) // so that the connection is used again
		return err
	}
	if err := json.NewDecoder(resp.Body).Decode(call.Out); err != nil {
		return fmt.Errorf("read the answer to %s %s: %w", call.Method, call.Path, err)
	}
	return nil
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
