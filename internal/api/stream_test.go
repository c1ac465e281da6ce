package api_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
)

// upTo reads a stream up to a line that begins so, and returns the numbers of
// the events before it.
func upTo(t *testing.T, lines <-chan string, mark string) (ids []int, line string) {
	t.Helper()
	for line := range lines {
		if text, ok := strings.CutPrefix(line, "id: "); ok {
			n, err := strconv.Atoi(text)
			must(t, err)
			ids = append(ids, n)
		}
		if strings.HasPrefix(line, mark) {
			return ids, line
		}
	}
	return ids, ""
}

// B15: a reader for whom too much waits is told so and dropped; it goes on
// behind the last event that it has, and misses none.
func TestSlowReaderGoesOn(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(1)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	w.watched(acme, "Mine", 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	lines := w.follow(ctx, acme.token, "0")
	_, _ = upTo(t, lines, ": following")
	for n := range 20 { // at once, and three may wait
		must(t, w.db.Write(ctx, func(company.View) (company.Update, error) {
			return company.Update{Changes: []company.Change{
				{Company: "GB-0-1", Field: company.FieldName, Old: strconv.Itoa(n), New: strconv.Itoa(n + 1), Source: "src", At: w.clock.Now()},
			}}, nil
		}))
	}
	w.rename("GB-0-1", "20", "21")
	_, err := w.server.Hub.Step(ctx)
	must(t, err)
	got, end := upTo(t, lines, `data: {"reason"`)
	if !strings.Contains(end, "too slow") || len(got) > 3 {
		t.Fatalf("it got %v and then %q", got, end)
	}
	if rest, _ := upTo(t, lines, "\x00"); len(rest) != 0 {
		t.Errorf("after its end it got %v", rest)
	}
	after := 0
	if len(got) > 0 {
		after = got[len(got)-1]
	}
	more, _ := upTo(t, w.follow(ctx, acme.token, strconv.Itoa(after)), "id: 21")
	for i, n := range append(got, more...) {
		if n != i+1 {
			t.Fatalf("event %d is the %dth that came", n, i+1)
		}
	}
	if len(got)+len(more) != 21 {
		t.Errorf("%d events came, want 21", len(got)+len(more))
	}
	w.server.Hub.Stop()
}

// A cursor that no event has is refused, not waited for.
func TestStreamFromTheFuture(t *testing.T) {
	w := newWorld(t, plan{})
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	got := w.send("GET", "/monitoring/notificationEvents/stream?after=7", "", "Authorization", acme.token)
	if got.status != 400 || !strings.Contains(got.body, "after: there is no event 7") {
		t.Errorf("got %d %s, want 400", got.status, got.body)
	}
}

// A stream that ends leaves its place to the next.
func TestEndedStreamMakesRoom(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(1)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	w.watched(acme, "Mine", 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	first, second := w.follow(ctx, acme.token, "0"), w.follow(ctx, acme.token, "0")
	if got := w.send("GET", "/monitoring/notificationEvents/stream?after=0", "", "Authorization", acme.token); got.status != 429 {
		t.Errorf("a third stream: got %d, want 429", got.status)
	}
	w.clock.Step(time.Hour + time.Minute) // the tokens end
	must(t, w.server.Hub.Sweep(ctx))
	for _, lines := range []<-chan string{first, second} {
		if _, end := upTo(t, lines, `data: {"reason"`); !strings.Contains(end, "the token ended") {
			t.Errorf("it ended with %q", end)
		}
		for range lines { // to the end of the connection: then its place is free
		}
	}
	acme.token = w.token(acme.login)
	_, line := upTo(t, w.follow(ctx, acme.token, "0"), ": following")
	if line == "" {
		t.Error("there is no room")
	}
	w.server.Hub.Stop()
}
