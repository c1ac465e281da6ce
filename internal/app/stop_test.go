package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"bureau/internal/store/storetest"
)

// slow begins a login and holds its body back until the pipe is written to.
func (h *house) slow(t *testing.T, login string) (body *io.PipeWriter, answered chan *http.Response) {
	t.Helper()
	r, w := io.Pipe()
	req, err := http.NewRequest(http.MethodPost, h.Config.publicURL()+"/v1/authenticate", r)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	answered = make(chan *http.Response, 1)
	go func() {
		defer close(answered)
		res, err := h.client.Do(req)
		if err == nil {
			res.Body.Close()
			answered <- res
		}
	}()
	// The first half is read by the handler, so the request has been accepted.
	if _, err := io.WriteString(w, login[:len(login)/2]); err != nil {
		t.Fatal(err)
	}
	return w, answered
}

// awaitCall waits until a call is being answered beside the one that asks.
func (h *house) awaitCall(t *testing.T) {
	t.Helper()
	eventually(t, "the call has reached us", func() bool {
		_, body := h.get(t, "/metrics")
		return strings.Contains(body, "bureau_requests_in_flight 2")
	})
}

func TestStopFinishesAcceptedCallsAndRefusesNewOnes(t *testing.T) {
	t.Parallel()
	h := serveHouse(t, config(t))
	login := `{"username":"caller","password":"` + h.account(t, "caller") + `"}`
	body, answered := h.slow(t, login)
	h.awaitCall(t)

	stopped := make(chan error, 1)
	h.stopped = true
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		stopped <- h.serving.Stop(ctx)
	}()
	eventually(t, "new connections are refused", func() bool {
		c, err := net.Dial("tcp", h.Config.Listen)
		if err == nil {
			c.Close()
		}
		return err != nil
	})
	select {
	case err := <-stopped:
		t.Fatalf("stopped before the call was answered: %v", err)
	default:
	}
	if _, err := io.WriteString(body, login[len(login)/2:]); err != nil {
		t.Fatal(err)
	}
	body.Close()
	if res := <-answered; res == nil || res.StatusCode != http.StatusOK {
		t.Errorf("the call that was accepted got %v, want 200", res)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func TestStopGivesUpInTime(t *testing.T) {
	t.Parallel()
	h := serveHouse(t, config(t))
	body, answered := h.slow(t, `{"username":"caller","password":"never sent"}`)
	h.awaitCall(t)
	h.stopped = true
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if err := h.serving.Stop(ctx); err == nil || !strings.Contains(err.Error(), "some calls were not finished in time") {
		t.Errorf("got %v, want to hear of the unfinished call", err)
	}
	body.CloseWithError(errors.New("enough"))
	if res := <-answered; res != nil {
		t.Errorf("got %s for a call that was cut off", res.Status)
	}
}

func TestReady(t *testing.T) {
	t.Parallel()
	h := serveHouse(t, config(t))
	// A server that has just begun says what it still reads, and nothing else.
	eventually(t, "ready", func() bool {
		res, body := h.get(t, "/readyz")
		if res.StatusCode == http.StatusOK {
			return strings.Contains(body, `"ready"`)
		}
		if res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "being loaded") && !strings.Contains(body, "being made") {
			t.Errorf("got %s: %s", res.Status, body)
		}
		return false
	})
	h.serving.stops.Store(true)
	if res, body := h.get(t, "/readyz"); res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "stopping") {
		t.Errorf("while stopping: got %s: %s", res.Status, body)
	}
	if res, _ := h.get(t, "/healthz"); res.StatusCode != http.StatusOK {
		t.Errorf("a server that stops is not sick: got %s", res.Status)
	}
}

// Whoever waits for a sandbox to be ready finds it filled.
func TestReadyWhenTheSandboxIsFilled(t *testing.T) {
	t.Parallel()
	h := serveHouse(t, config(t, func(c *Config) { c.Sandbox, c.SandboxSpeed = true, 0 }))
	eventually(t, "it waits for the sandbox alone", func() bool {
		res, body := h.get(t, "/readyz")
		if res.StatusCode == http.StatusOK {
			t.Fatal("ready, and the sandbox is empty")
		}
		return strings.Contains(body, "the sandbox is being filled")
	})
	if _, err := h.OpenSandbox(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "ready", func() bool { res, _ := h.get(t, "/readyz"); return res.StatusCode == http.StatusOK })
}

func TestReadyAsksTheDatabase(t *testing.T) {
	t.Parallel()
	pg := storetest.PostgresServer(t)
	h := serveHouse(t, config(t, func(c *Config) { c.DB = Secret(pg.URL("postgres")) }))
	password := h.account(t, "caller")
	_, token := h.login(t, "caller", password)
	pg.Stop()
	eventually(t, "not ready without the database", func() bool {
		res, body := h.get(t, "/readyz")
		return res.StatusCode == http.StatusServiceUnavailable && strings.Contains(body, "the database does not answer")
	})
	if res, _ := h.get(t, "/healthz"); res.StatusCode != http.StatusOK {
		t.Errorf("the process lives: got %s", res.Status)
	}
	// Nobody gets in whose login cannot be written down; who is in may stay.
	if status, _ := h.login(t, "caller", password); status < 500 {
		t.Errorf("a login without a database: got %d", status)
	}
	if res, _ := h.get(t, "/access/users/me", "Authorization", token); res.StatusCode != http.StatusOK {
		t.Errorf("a token without a database: got %s", res.Status)
	}
	// The directory is refreshed by the clock: what only follows the log fails
	// at once, but has nothing to say when it goes on.
	eventually(t, "the log tells that it fails", func() bool {
		return strings.Contains(fmt.Sprint(h.log.lines(t, "background work fails")), "directory")
	})
	pg.Start()
	eventually(t, "ready again", func() bool {
		res, _ := h.get(t, "/readyz")
		return res.StatusCode == http.StatusOK
	})
	if status, _ := h.login(t, "caller", password); status != http.StatusOK {
		t.Errorf("a login with the database back: got %d", status)
	}
	eventually(t, "the log tells that it is well again", func() bool {
		return len(h.log.lines(t, "background work is well again")) > 0
	})
}
