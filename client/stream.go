package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ErrGone says that events behind the cursor are no longer kept: read them from
// the lists as far as there are some, or begin anew.
var ErrGone = errors.New("events behind the cursor are no longer kept")

// Follow reads events as they happen, beginning behind an event; with 0, at
// what is to come. It connects again when the connection breaks and renews the
// token when it ends, and neither skips nor repeats an event. It ends when ctx
// does, when the caller breaks off, or with an error that trying again would
// not mend.
func (c *Client) Follow(ctx context.Context, after int64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		pause := time.Duration(0)
		for ctx.Err() == nil {
			got := false
			stop := false
			err := c.stream(ctx, after, func(e Event) bool {
				got, after = true, e.ID
				stop = !yield(e, nil)
				return !stop
			})
			var refused *Error
			switch {
			case stop || ctx.Err() != nil:
				return
			case errors.As(err, &refused) && refused.Status == http.StatusGone:
				yield(Event{}, fmt.Errorf("%w: %s", ErrGone, refused.Details))
				return
			case errors.As(err, &refused) && refused.Status < 500 && refused.Status != http.StatusTooManyRequests:
				yield(Event{}, err)
				return
			}
			if pause = min(2*pause+250*time.Millisecond, 15*time.Second); got {
				pause = 0
			}
			if wait(ctx, pause) != nil {
				return
			}
		}
	}
}

// stream follows one connection to its end.
func (c *Client) stream(ctx context.Context, after int64, each func(Event) bool) error {
	for renewed := false; ; renewed = true {
		token, err := c.token(ctx)
		if err != nil {
			return err
		}
		resp, err := c.openStream(ctx, after, token)
		if err != nil {
			return err
		}
		if resp.StatusCode != http.StatusOK {
			err := readError(resp)
			resp.Body.Close()
			var e *Error
			if errors.As(err, &e) && e.refusedToken() && !renewed {
				c.drop(token)
				continue
			}
			return err
		}
		defer resp.Body.Close()
		return readEvents(resp.Body, each)
	}
}

func (c *Client) openStream(ctx context.Context, after int64, token string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(c.BaseURL, "/")+"/monitoring/notificationEvents/stream", nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Authorization", "Bearer "+token)
	if after > 0 {
		r.Header.Set("Last-Event-ID", strconv.FormatInt(after, 10))
	}
	h := c.HTTP
	if h == nil {
		h = http.DefaultClient
	}
	return h.Do(r)
}

// readEvents reads server-sent events until the stream ends or each wants no
// more.
func readEvents(body io.Reader, each func(Event) bool) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(make([]byte, 0, 64<<10), 4<<20)
	var kind, data string
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case lines.Text() == "":
			if kind == "monitoring.event" {
				var e Event
				if err := json.Unmarshal([]byte(data), &e); err != nil {
					return fmt.Errorf("read an event: %w", err)
				}
				if !each(e) {
					return nil
				}
			}
			kind, data = "", ""
		case name == "event":
			kind = value
		case name == "data":
			data += value
		}
	}
	return lines.Err()
}
