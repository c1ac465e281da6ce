package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// A Shelf serves rows of every kind that the table will have, for tests: an id,
// a country, a body, something created, and handlers that fail.
type Shelf struct {
	// Before runs before a thing is put up. It may fail the call or hold it.
	Before func(ctx context.Context) error

	mu     sync.Mutex
	things map[string]shelved
}

type shelved struct {
	owner auth.CustomerID
	name  string
}

// Put puts something up for a customer.
func (sh *Shelf) Put(owner auth.CustomerID, name string) (id string) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.things == nil {
		sh.things = map[string]shelved{}
	}
	id = fmt.Sprintf("Thing-%d", len(sh.things)+1)
	sh.things[id] = shelved{owner, name}
	return id
}

// Len is how much is on it.
func (sh *Shelf) Len() int {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return len(sh.things)
}

type shelfThingIn struct {
	caller
	ID string `path:"id"`
}

type shelfThingJSON struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func (sh *Shelf) find(by auth.Caller, id string) (t shelved, mine, there bool) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	t, there = sh.things[id]
	return t, there && t.owner == by.Customer, there
}

func (sh *Shelf) thing(_ context.Context, in *shelfThingIn) (*reply[shelfThingJSON], error) {
	t, mine, _ := sh.find(in.by, in.ID)
	if !mine {
		return nil, fault.Missing.Errorf("Thing not found")
	}
	return ok(shelfThingJSON{in.ID, t.name}), nil
}

// leaky does what no handler may: it tells what is someone else's from what
// does not exist.
func (sh *Shelf) leaky(_ context.Context, in *shelfThingIn) (*reply[shelfThingJSON], error) {
	t, mine, there := sh.find(in.by, in.ID)
	switch {
	case there && !mine:
		return nil, fault.Denied.Errorf("not yours")
	case !there:
		return nil, fault.Missing.Errorf("Thing not found")
	}
	return ok(shelfThingJSON{in.ID, t.name}), nil
}

type shelfEchoJSON struct {
	ID string `json:"id"`
}

func shelfEcho(_ context.Context, in *shelfThingIn) (*reply[shelfEchoJSON], error) {
	return ok(shelfEchoJSON{in.ID}), nil
}

func shelfNewest(context.Context, *noInput) (*reply[shelfEchoJSON], error) {
	return ok(shelfEchoJSON{"literal"}), nil
}

type shelfPutUpIn struct {
	caller
	Body struct {
		Name  string   `json:"name" minLength:"1" maxLength:"10"`
		Count int      `json:"count,omitempty" minimum:"1" maximum:"5"`
		Tags  []string `json:"tags,omitempty" maxItems:"2"`
	}
}

func (sh *Shelf) putUp(ctx context.Context, in *shelfPutUpIn) (*reply[shelfThingJSON], error) {
	if sh.Before != nil {
		if err := sh.Before(ctx); err != nil {
			return nil, err
		}
	}
	return ok(shelfThingJSON{sh.Put(in.by.Customer, in.Body.Name), in.Body.Name}), nil
}

type shelfCountryIn struct {
	caller
	Country string `path:"countryCode" pattern:"^[A-Za-z]{2}$"`
	Page    int    `query:"page" minimum:"0" maximum:"9"`
}

func shelfInCountry(_ context.Context, in *shelfCountryIn) (*reply[shelfEchoJSON], error) {
	return ok(shelfEchoJSON{fmt.Sprintf("%s page %d", in.Country, in.Page)}), nil
}

// errShelf is a failure whose text is for our log only.
var errShelf = errors.New("the secret is plugh")

// Rows are the rows of the shelf.
func (sh *Shelf) Rows() []Row {
	fails := func(err error) func(context.Context, *noInput) (*reply[shelfEchoJSON], error) {
		return func(context.Context, *noInput) (*reply[shelfEchoJSON], error) { return nil, err }
	}
	return []Row{
		get("/test/things/{id}", auth.Monitoring, "testThing", "A thing", sh.thing),
		get("/test/echo/{id}", auth.Open, "testEcho", "An id, as it came", shelfEcho),
		get("/test/echo/newest", auth.Open, "testNewest", "A literal beside an id", shelfNewest),
		handle(http.MethodPost, "/test/things", auth.Monitoring, "createTestThing", "Put a thing up", sh.putUp,
			func(r *route) { r.creates = true }),
		get("/test/countries/{countryCode}", auth.Companies, "testCountry", "Something in a country", shelfInCountry,
			func(r *route) { r.countryOf = func(in any) string { return in.(*shelfCountryIn).Country } }),
		get("/test/broken", auth.Open, "testBroken", "Fails", fails(errShelf)),
		get("/test/busy", auth.Open, "testBusy", "Cannot now", fails(fault.Busy.After(1500*time.Millisecond, "not now"))),
		get("/test/details", auth.Open, "testDetails", "Refuses with details", fails(fault.Invalid.Details("no", "one", "two"))),
		get("/test/conflict", auth.Open, "testConflict", "Clashes", fails(fmt.Errorf("words for the log: %w", fault.Conflict.Errorf("it is there already")))),
	}
}

// Leaky is a row that a test of strangers must find.
func (sh *Shelf) Leaky() Row {
	return get("/test/leaky/{id}", auth.Monitoring, "testLeaky", "Tells too much", sh.leaky)
}

// Panics is a row with a bug.
func Panics() Row {
	return get("/test/panics", auth.Open, "testPanics", "Breaks down",
		func(context.Context, *noInput) (*reply[shelfEchoJSON], error) { panic("plugh") })
}

type reachJSON struct {
	Reached int `json:"reached"`
}

// Reaching are rows that tell how much a question to the database reaches: one
// that reads, one that makes something, and one that is not typed.
func Reaching(ask func(context.Context) (int, error)) []Row {
	typed := func(ctx context.Context, _ *noInput) (*reply[reachJSON], error) {
		n, err := ask(ctx)
		return ok(reachJSON{n}), err
	}
	raw := Row{method: http.MethodGet, pattern: "/test/reach/raw", id: "testReachRaw", product: auth.Monitoring}
	raw.register = func(s *Server, r route) {
		s.router.HandleFunc(r.method+" "+r.pattern, s.guarded(r.product, func(w http.ResponseWriter, r *http.Request, _ auth.Caller) {
			n, err := ask(r.Context())
			if err != nil {
				s.fail(w, r, err)
				return
			}
			writeJSON(w, http.StatusOK, reachJSON{n})
		}))
	}
	return []Row{
		get("/test/reach", auth.Monitoring, "testReach", "Reads", typed),
		post("/test/reach", auth.Monitoring, "testReachMade", "Makes", typed, func(r *route) { r.creates = true }),
		raw,
	}
}

// OpenDoor is a row that forgot the gate.
func OpenDoor() Row {
	return Row{
		method: http.MethodGet, pattern: "/test/open", id: "testOpen",
		register: func(s *Server, r route) {
			s.router.HandleFunc(r.method+" "+r.pattern, func(w http.ResponseWriter, _ *http.Request) {
				writeJSON(w, http.StatusOK, shelfEchoJSON{"come in"})
			})
		},
	}
}
