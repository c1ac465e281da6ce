package bench

import (
	"context"
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

// seen is what the endpoint verified since it was cleared.
type seen struct {
	Count       int // events, each once however often it came
	First, Last time.Time
	Arrived     map[string]int64 // when each new value first came, in nanoseconds
}

// Receipts are what the endpoint verified since it began, in the order in which it
// came.
type receipts struct {
	Arrivals []arrival
	Refused  int // messages that could not be verified
}

// An arrival is one message: an event, which may come more than once.
type arrival struct {
	Hook    string
	Event   int64
	Company string
}

// A message is a request to the endpoint.
type message struct {
	Header http.Header
	Body   string
	at     time.Time // when it came
}

// An endpoint verifies both signatures of every message and notes when it came.
type endpoint struct {
	keys map[string][]string

	mu      sync.Mutex
	seen    seen
	got     receipts
	events  map[int64]bool // that have come
	kept    []message      // some, for the bare loop
	waiting []message      // to be verified when somebody asks
}

// The paths at which an endpoint takes messages. Where it is measured how soon
// one comes they are verified later: endpoints do not share the sender's cores.
const (
	pathAtOnce = "/"
	pathLater  = "/later"
	pathBare   = "/bare"
)

func newEndpoint(keys map[string][]string) *endpoint {
	return &endpoint{keys: keys, seen: seen{Arrived: map[string]int64{}}, events: map[int64]bool{}}
}

// runSink is the endpoint's process.
func runSink(in io.Reader, _ io.Writer) error {
	var o sinkOrder
	if err := takeOrder(in, &o); err != nil {
		return err
	}
	// It shares its cores with what it measures.
	debug.SetGCPercent(800)
	return (&http.Server{Addr: o.Address, Handler: newEndpoint(o.Keys).handler(), ReadHeaderTimeout: time.Minute}).ListenAndServe()
}

func (e *endpoint) handler() http.Handler {
	mux := http.NewServeMux()
	post := func(path string, take func(m message)) {
		mux.HandleFunc("POST "+path, func(_ http.ResponseWriter, r *http.Request) {
			at := time.Now()
			if body, err := io.ReadAll(io.LimitReader(r.Body, largest)); err == nil {
				take(message{r.Header, string(body), at})
			}
		})
	}
	post(pathAtOnce+"{$}", func(m message) { e.take(m, true) })
	post(pathBare, func(m message) { e.take(m, false) })
	post(pathLater, e.putOff)
	for path, what := range map[string]func() any{
		"GET /seen":     func() any { return e.seen },
		"GET /receipts": func() any { return e.got },
		"GET /messages": func() any { return e.kept },
		"GET /clear": func() any {
			e.seen = seen{Arrived: map[string]int64{}}
			return e.seen
		},
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			e.catchUp()
			e.answer(w, what)
		})
	}
	mux.HandleFunc("GET /count", func(w http.ResponseWriter, _ *http.Request) {
		e.answer(w, func() any { return e.seen.Count + len(e.waiting) })
	})
	return mux
}

func (e *endpoint) answer(w io.Writer, what func() any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	_ = json.NewEncoder(w).Encode(what())
}

// putOff keeps a message that is verified later.
func (e *endpoint) putOff(m message) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.waiting = append(e.waiting, m)
}

// catchUp verifies what was put off.
func (e *endpoint) catchUp() {
	e.mu.Lock()
	list := e.waiting
	e.waiting = nil
	e.mu.Unlock()
	for _, m := range list {
		e.take(m, true)
	}
}

// take verifies a message. Those of the bare loop are posted many times over,
// and are no news.
func (e *endpoint) take(m message, news bool) {
	id := m.Header.Get("Webhook-Id")
	hook := id[strings.LastIndexByte(id, '_')+1:]
	body := []byte(m.Body)
	bad := len(e.keys[hook]) == 0
	for _, key := range e.keys[hook] {
		bad = bad || client.VerifyWebhook(key, m.Header, body, time.Hour) != nil
	}
	told, err := client.ReadWebhook(body)
	e.mu.Lock()
	defer e.mu.Unlock()
	if bad || err != nil {
		e.got.Refused++
		return
	}
	if news {
		e.got.Arrivals = append(e.got.Arrivals, arrival{hook, told.Event.ID, told.Event.Company.ID})
		if e.events[told.Event.ID] {
			return
		}
		e.events[told.Event.ID] = true
	}
	if e.seen.Count++; e.seen.Count == 1 {
		e.seen.First = m.at
	}
	e.seen.Last = m.at
	if value := told.Event.NewValue; e.seen.Arrived[value] == 0 && strings.Contains(value, "#") {
		e.seen.Arrived[value] = m.at.UnixNano()
	}
	if len(e.kept) < 1000 {
		e.kept = append(e.kept, m)
	}
}

// asker asks endpoints: one that does not answer is not waited for.
var asker = &http.Client{Timeout: patience}

// askSink asks an endpoint what it has seen.
func askSink(ctx context.Context, address, path string, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+path, nil)
	if err != nil {
		return err
	}
	resp, err := asker.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(into)
}

// stall is how long nothing new comes before what is missing is taken for lost.
const stall = 20 * time.Second

// awaitMessages waits until an endpoint has seen so many since it was cleared, or
// nothing new comes for some time: whoever counts them will see what is missing.
func awaitMessages(ctx context.Context, address string, n int, stall time.Duration) error {
	before, since := 0, time.Now()
	for {
		var count int
		if err := askSink(ctx, address, "/count", &count); err != nil {
			return err
		}
		if count > before {
			before, since = count, time.Now()
		}
		if count >= n || time.Since(since) > stall {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// changeValue is the new value of the n-th change of a kind of customer.
func changeValue(kind string, n int) string { return fmt.Sprintf("%s #%d", kind, n) }
