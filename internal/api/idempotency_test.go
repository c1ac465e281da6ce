package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"bureau/client"
	"bureau/internal/api"
	"bureau/internal/auth"
	"bureau/internal/fault"
)

// A creator puts things on a shelf, with keys.
type creator struct {
	*world
	shelf *api.Shelf
	token string
	who   login
}

func newCreator(t *testing.T) *creator {
	sh := new(api.Shelf)
	w := newWorld(t, plan{rows: sh.Rows()})
	l := w.join("acme", everywhere(auth.Monitoring)...)
	return &creator{w, sh, w.token(l), l}
}

func (c *creator) create(key, body string) answer {
	c.t.Helper()
	header := []string{"Authorization", c.token, "Content-Type", jsonType}
	if key != "" {
		header = append(header, "Idempotency-Key", key)
	}
	return c.send("POST", "/test/things", body, header...)
}

func (c *creator) wantMade(t *testing.T, want int) {
	t.Helper()
	if got := c.shelf.Len(); got != want {
		t.Errorf("%d things were made, want %d", got, want)
	}
}

func wantReplay(t *testing.T, got, first answer) {
	t.Helper()
	if got.status != first.status || got.body != first.body || got.header.Get("Content-Type") != first.header.Get("Content-Type") {
		t.Errorf("got %d %q, want the first answer: %d %q", got.status, got.body, first.status, first.body)
	}
	wantHeader(t, got, "Idempotent-Replayed", "true")
}

func TestSameKeyIsAnsweredOnce(t *testing.T) {
	c := newCreator(t)
	first := c.create("key", `{"name":"one"}`)
	if first.status != 200 || first.header.Get("Idempotent-Replayed") != "" {
		t.Fatalf("got %d %s", first.status, first.body)
	}
	wantReplay(t, c.create("key", `{"name":"one"}`), first)
	c.wantMade(t, 1)
	c.create("other", `{"name":"one"}`)
	c.create("", `{"name":"one"}`)
	c.create("", `{"name":"one"}`)
	c.wantMade(t, 4)
}

func TestSameKeyForAnotherRequestIsAConflict(t *testing.T) {
	c := newCreator(t)
	c.create("key", `{"name":"one"}`)
	if got := c.create("key", `{"name":"two"}`); got.status != 409 {
		t.Errorf("another body: got %d %s, want 409", got.status, got.body)
	}
	got := c.send("POST", "/test/things?x=y", `{"name":"one"}`, "Authorization", c.token, "Idempotency-Key", "key")
	if got.status != 409 {
		t.Errorf("another query: got %d %s, want 409", got.status, got.body)
	}
	c.wantMade(t, 1)
}

func TestKeysBelongToTheirAccount(t *testing.T) {
	c := newCreator(t)
	c.create("key", `{"name":"one"}`)
	c.token = c.world.token(c.account(auth.NewAccount{Customer: c.who.Customer, UserKey: "colleague"}))
	if got := c.create("key", `{"name":"two"}`); got.status != 200 {
		t.Errorf("a colleague's key: got %d %s, want 200", got.status, got.body)
	}
	c.wantMade(t, 2)
}

func TestWhatMadeNothingMayBeTriedAgain(t *testing.T) {
	for name, fails := range map[string]error{
		"our failure": errors.New("disk full"),
		"busy":        fault.Busy.Errorf("not now"),
		"a conflict":  fault.Conflict.Errorf("the name is taken"),
		"denied":      fault.Denied.Errorf("not yet"),
	} {
		t.Run(name, func(t *testing.T) {
			c := newCreator(t)
			c.shelf.Before = func(context.Context) error { return fails }
			if got := c.create("key", `{"name":"one"}`); got.status < 400 {
				t.Fatalf("got %d", got.status)
			}
			c.shelf.Before = nil
			first := c.create("key", `{"name":"one"}`)
			if first.status != 200 {
				t.Errorf("got %d %s, want 200", first.status, first.body)
			}
			wantReplay(t, c.create("key", `{"name":"one"}`), first)
			c.wantMade(t, 1)
		})
	}
	t.Run("a panic", func(t *testing.T) {
		c := newCreator(t)
		c.shelf.Before = func(context.Context) error { panic("plugh") }
		if got := c.create("key", `{"name":"one"}`); got.status != 500 {
			t.Fatalf("got %d, want 500", got.status)
		}
		c.shelf.Before = nil
		if got := c.create("key", `{"name":"one"}`); got.status != 200 {
			t.Errorf("got %d %s, want 200", got.status, got.body)
		}
	})
	t.Run("input that was wrong", func(t *testing.T) {
		c := newCreator(t)
		if got := c.create("key", `{"name":""}`); got.status != 400 {
			t.Fatalf("got %d, want 400", got.status)
		}
		if got := c.create("key", `{"name":"one"}`); got.status != 200 {
			t.Errorf("put right: got %d %s, want 200", got.status, got.body)
		}
	})
}

func TestKeyWhoseCallIsAtWork(t *testing.T) {
	c := newCreator(t)
	started, release := make(chan struct{}), make(chan struct{})
	c.shelf.Before = func(context.Context) error { close(started); <-release; return nil }
	first := make(chan answer)
	go func() { first <- c.create("key", `{"name":"one"}`) }()
	<-started
	if got := c.create("key", `{"name":"one"}`); got.status != 409 {
		t.Errorf("while the first is at work: got %d %s, want 409", got.status, got.body)
	}
	close(release)
	done := <-first
	wantReplay(t, c.create("key", `{"name":"one"}`), done)
	c.wantMade(t, 1)
}

func TestManyWithOneKeyMakeOneThing(t *testing.T) {
	c := newCreator(t)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if got := c.create("key", `{"name":"one"}`); got.status != 200 && got.status != 409 {
				t.Errorf("got %d %s", got.status, got.body)
			}
		})
	}
	wg.Wait()
	c.wantMade(t, 1)
	if got := c.create("key", `{"name":"one"}`); got.status != 200 {
		t.Errorf("afterwards: got %d %s, want the first answer", got.status, got.body)
	}
}

// A caller who hangs up is the one who will ask again.
func TestAnswerIsKeptForACallerWhoHungUp(t *testing.T) {
	c := newCreator(t)
	started, done := make(chan struct{}), make(chan struct{})
	c.shelf.Before = func(ctx context.Context) error {
		close(started)
		<-ctx.Done()
		return nil // too late to stop: the thing is made
	}
	ctx, hangUp := context.WithCancel(t.Context())
	go func() {
		defer close(done)
		r, err := http.NewRequestWithContext(ctx, "POST", c.url+"/test/things", strings.NewReader(`{"name":"one"}`))
		if err != nil {
			t.Error(err)
			return
		}
		r.Header.Set("Authorization", c.token)
		r.Header.Set("Idempotency-Key", "key")
		if resp, err := plain.Do(r); err == nil {
			resp.Body.Close()
		}
	}()
	<-started
	hangUp()
	<-done
	c.shelf.Before = func(context.Context) error { t.Error("it is made a second time"); return nil }
	got := answer{status: 409}
	for patience := time.Now().Add(20 * time.Second); got.status == 409 && time.Now().Before(patience); {
		got = c.create("key", `{"name":"one"}`) // 409 while the first call is being finished
	}
	if got.status != 200 {
		t.Errorf("got %d %s, want the first answer", got.status, got.body)
	}
	c.wantMade(t, 1)
}

func TestKeysAreForgottenAfterADay(t *testing.T) {
	c := newCreator(t)
	first := c.create("key", `{"name":"one"}`)
	forget := func() { must(t, c.db.ForgetReplies(t.Context(), c.clock.Now().Add(-24*time.Hour))) }
	c.clock.Step(24 * time.Hour)
	forget()
	c.token = c.world.token(c.who)
	wantReplay(t, c.create("key", `{"name":"one"}`), first)
	c.clock.Step(time.Millisecond)
	forget()
	if got := c.create("key", `{"name":"two"}`); got.status != 200 {
		t.Errorf("got %d %s, want 200", got.status, got.body)
	}
	c.wantMade(t, 2)
}

func TestKeyThatIsNone(t *testing.T) {
	c := newCreator(t)
	if got := c.create(strings.Repeat("k", 255), `{"name":"one"}`); got.status != 200 {
		t.Errorf("255 characters: got %d %s", got.status, got.body)
	}
	wantError(t, c.create(strings.Repeat("k", 256), `{"name":"one"}`), 400, "Bad request", "the Idempotency-Key is longer than 255 characters")
	large := c.create("large", `{"name":"`+strings.Repeat("x", 1<<20)+`"}`)
	wantError(t, large, 400, "Bad request", "the body could not be read, or is larger than 1048576 bytes")
	c.wantMade(t, 1)
	// Where nothing is created, a key means nothing.
	for range 2 {
		got := c.send("GET", "/test/countries/GB", "", "Authorization", c.token, "Idempotency-Key", "key")
		if got.header.Get("Idempotent-Replayed") != "" {
			t.Error("a GET was answered from memory")
		}
	}
}

func TestClientCarriesAKey(t *testing.T) {
	c := newCreator(t)
	cl := c.client(c.who)
	key := client.NewKey()
	var ids [2]struct{ ID string }
	for i := range ids {
		must(t, cl.Do(t.Context(), client.Call{
			Method: "POST", Path: "/test/things", Key: key, In: map[string]string{"name": "one"}, Out: &ids[i],
		}))
	}
	if ids[0] != ids[1] || ids[0].ID == "" {
		t.Errorf("got %v, want one thing", ids)
	}
	err := cl.Do(t.Context(), client.Call{Method: "POST", Path: "/test/things", Key: key, In: map[string]string{"name": "two"}})
	if !errors.Is(err, client.ErrConflict) {
		t.Errorf("got %v, want ErrConflict", err)
	}
	if b, err := json.Marshal(fmt.Sprint(err)); err != nil || strings.Contains(string(b), c.token) {
		t.Errorf("the error names the token: %s", b)
	}
}
