package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"bureau/client"
)

// A sinkOrder is what the endpoint is told: where it listens, and the keys of
// each webhook.
type sinkOrder struct {
	Address string
	Keys    map[string][]string
}

// seen is what the endpoint saw since it was cleared.
type seen struct {
	Count       int
	Bad         int // could not be verified
	First, Last time.Time
	Arrived     map[string]int64 // when each new value first came, in nanoseconds
}

// A message is a request to the endpoint.
type message struct {
	Header http.Header
	Body   string
}

// An endpoint verifies both signatures of every message and notes when it came.
type endpoint struct {
	keys map[string][]string

	mu   sync.Mutex
	seen seen
	kept []message // some, for the bare loop
}

// runSink is the endpoint's process.
func runSink(in io.Reader, _ io.Writer) error {
	var o sinkOrder
	if err := takeOrder(in, &o); err != nil {
		return err
	}
	// It shares its cores with what it measures.
	debug.SetGCPercent(800)
	e := &endpoint{keys: o.Keys, seen: seen{Arrived: map[string]int64{}}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /", e.take)
	mux.HandleFunc("GET /seen", func(w http.ResponseWriter, _ *http.Request) { e.tell(w, func() any { return e.seen }) })
	mux.HandleFunc("GET /messages", func(w http.ResponseWriter, _ *http.Request) { e.tell(w, func() any { return e.kept }) })
	mux.HandleFunc("GET /clear", func(w http.ResponseWriter, _ *http.Request) {
		e.tell(w, func() any {
			e.seen = seen{Arrived: map[string]int64{}}
			return e.seen
		})
	})
	return (&http.Server{Addr: o.Address, Handler: mux, ReadHeaderTimeout: time.Minute}).ListenAndServe()
}

func (e *endpoint) tell(w http.ResponseWriter, what func() any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	_ = json.NewEncoder(w).Encode(what())
}

func (e *endpoint) take(_ http.ResponseWriter, r *http.Request) {
	at := time.Now()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	id := r.Header.Get("Webhook-Id")
	hook := id[strings.LastIndexByte(id, '_')+1:]
	bad := len(e.keys[hook]) == 0
	for _, key := range e.keys[hook] {
		bad = bad || client.VerifyWebhook(key, r.Header, body, time.Hour) != nil
	}
	m, err := client.ReadWebhook(body)
	e.mu.Lock()
	defer e.mu.Unlock()
	if bad || err != nil {
		e.seen.Bad++
	}
	if e.seen.Count++; e.seen.Count == 1 {
		e.seen.First = at
	}
	e.seen.Last = at
	if value := m.Event.NewValue; e.seen.Arrived[value] == 0 && strings.Contains(value, "#") {
		e.seen.Arrived[value] = at.UnixNano()
	}
	if len(e.kept) < 1000 {
		e.kept = append(e.kept, message{r.Header.Clone(), string(body)})
	}
}

// changeValue is the new value of the n-th change of a kind of customer.
func changeValue(kind string, n int) string { return fmt.Sprintf("%s #%d", kind, n) }
