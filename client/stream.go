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
	return follow[Event](ctx, c, WebhookEvent, after)
}

// FollowAlerts reads AML alerts of your company as they happen, in the same way.
func (c *Client) FollowAlerts(ctx context.Context, after int64) iter.Seq2[AMLAlert, error] {
	return follow[AMLAlert](ctx, c, WebhookAlert, after)
}

// An AMLAlert tells that a repeated search found somebody, or that an entry that
// it had found left its list. It names nobody: read the hit.
type AMLAlert struct {
	ID            int64  `json:"alertId"`
	Cause         string `json:"cause"` // hit, or removed
	SearchID      string `json:"searchId"`
	SearchType    string `json:"searchType"` // individual or business
	ScheduleID    string `json:"scheduleId"`
	HitID         string `json:"hitId"`
	SupersededHit string `json:"supersededHitId"` // empty if it is the first
	List          string `json:"list"`
	EventID       int64  `json:"eventId"` // to go on from
	CreatedDate   string `json:"createdDate"`
}

// follow reads what is of one kind; what is not is passed over.
func follow[T any](ctx context.Context, c *Client, kind string, after int64) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		pause := time.Duration(0)
		for ctx.Err() == nil {
			got := false
			stop := false
			err := c.stream(ctx, after, func(m streamed) error {
				got, after = true, m.id
				if m.kind != kind {
					return nil
				}
				var one T
				if err := json.Unmarshal([]byte(m.data), &one); err != nil {
					return fmt.Errorf("read an event: %w", err)
				}
				if stop = !yield(one, nil); stop {
					return errStop
				}
				return nil
			})
			var refused *Error
			switch {
			case stop || ctx.Err() != nil:
				return
			case errors.As(err, &refused) && refused.Status == http.StatusGone:
				yield(none, fmt.Errorf("%w: %s", ErrGone, refused.Details))
				return
			case errors.As(err, &refused) && refused.Status < 500 && refused.Status != http.StatusTooManyRequests:
				yield(none, err)
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

// errStop says that the caller wants no more.
var errStop = errors.New("no more")

// A streamed is one server-sent event.
type streamed struct {
	kind string
	id   int64
	data string
}

// stream follows one connection to its end.
func (c *Client) stream(ctx context.Context, after int64, each func(streamed) error) error {
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

// readEvents reads server-sent events until the stream ends or each fails.
func readEvents(body io.Reader, each func(streamed) error) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(make([]byte, 0, 64<<10), 4<<20)
	var m streamed
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case lines.Text() == "":
			if m.kind != "" && m.id > 0 {
				if err := each(m); err != nil {
					return err
				}
			}
			m = streamed{}
		case name == "event":
			m.kind = value
		case name == "id":
			m.id, _ = strconv.ParseInt(value, 10, 64)
		case name == "data":
			m.data += value
		}
	}
	return lines.Err()
}
