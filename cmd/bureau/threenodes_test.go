package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bureau/client"
	"bureau/internal/job"
	"bureau/internal/monitor"
	"bureau/internal/store/storetest"
)

// Three nodes on one database, of which one or two are killed every few seconds,
// while customers write and read, companies change and strangers guess
// passwords. Some node answers at any time, nothing that was acknowledged is
// lost or there twice, nobody sees what is another's, and no guess too many is
// looked at.
func TestThreeNodes(t *testing.T) {
	t.Parallel()
	length := 8 * time.Second
	if prove() {
		length = 2 * time.Minute
	}
	n := newNodes(t, storetest.Postgres(t))
	acknowledged := n.write(t)
	stop := n.serveUnderLoad(t, n.guess, n.probe)
	kills := 0
	for began := time.Now(); time.Since(began) < length; {
		time.Sleep(time.Duration(300+rand.IntN(2500)) * time.Millisecond) // when they are killed is left to chance
		kills += n.killSome(t)
	}
	stop()
	last := acknowledged()
	n.verifyAll(t, last)
	t.Logf("%d kills in %v; %d answers, the longest after %v; %d portfolios, %d guesses", kills, length, n.answers, n.longest, n.created, n.guesses)
	if kills < 2 || n.created < 10 || n.guesses < 20 {
		t.Error("too little happened")
	}
}

// nodes are three processes on one database.
type nodes struct {
	*killing
	customers []*tenant
	program   string // what each runs that is started

	mu      sync.Mutex
	at      [3]string // where each serves; empty while it does not
	process [3]*exec.Cmd
	wrong   []string
	answers int
	longest time.Duration // until any node answered
	created int
	guesses int
}

// A tenant is a customer with what it was told is kept.
type tenant struct {
	name, key, password string

	mu    sync.Mutex
	kept  map[int64]string // portfolios by number
	maybe map[string]bool  // asked for, without an answer
}

// serveUnderLoad starts the nodes, and customers who create and read, and whoever
// else is to work meanwhile, until stop is called.
func (n *nodes) serveUnderLoad(t *testing.T, more ...func(context.Context)) (stop func()) {
	t.Helper()
	for i := range n.at {
		n.start(t, i)
	}
	load, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	for _, c := range n.customers {
		work.Go(func() { n.create(load, c) })
		work.Go(func() { n.read(load, c) })
	}
	for _, do := range more {
		work.Go(func() { do(load) })
	}
	return func() {
		cancel()
		work.Wait()
	}
}

func newNodes(t *testing.T, url string) *nodes {
	t.Helper()
	n := &nodes{killing: newKilling(t, newHome(t, url)), program: "bureau"}
	for _, name := range []string{"alder", "birch"} {
		var made struct {
			ID       int64
			Password string
		}
		n.command(t, &made, "customer", "add", name, "--product", "all", "--json")
		c := &tenant{name: name, key: name + "-key", kept: map[int64]string{}, maybe: map[string]bool{}}
		n.command(t, &made, "account", "add", fmt.Sprint(made.ID), "--user-key", c.key, "--json")
		c.password = made.Password
		n.customers = append(n.customers, c)
	}
	t.Cleanup(func() {
		for i := range n.process {
			n.kill(i)
		}
	})
	return n
}

// command runs one of the operator's commands.
func (n *nodes) command(t *testing.T, out any, args ...string) {
	t.Helper()
	code, said, errs := call(t, append(args, "--data", n.data, "--db", n.url)...)
	if code != 0 {
		t.Fatal(errs)
	}
	if err := json.Unmarshal([]byte(said), out); err != nil {
		t.Fatal(err)
	}
}

func (n *nodes) broken(format string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.wrong = append(n.wrong, fmt.Sprintf(format, args...))
}

// start starts a node and waits until it serves.
func (n *nodes) start(t *testing.T, i int) {
	t.Helper()
	log, err := os.Create(filepath.Join(n.data, fmt.Sprintf("log-%d-%d", i, time.Now().UnixNano())))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	c := exec.Command(n.program, "serve", "--data", n.data, "--db", n.url, "--listen", "localhost:0", "--http")
	c.Stderr = log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	n.mu.Lock()
	n.process[i] = c
	n.mu.Unlock()
	address := awaitAddress(t, log.Name())
	n.mu.Lock()
	n.at[i] = "http://" + address
	n.mu.Unlock()
}

func (n *nodes) kill(i int) {
	if c := n.away(i); c != nil {
		_ = c.Process.Kill()
		_ = c.Wait()
	}
}

// away has nobody go to a node any more, and returns its process.
func (n *nodes) away(i int) *exec.Cmd {
	n.mu.Lock()
	defer n.mu.Unlock()
	c := n.process[i]
	n.process[i], n.at[i] = nil, ""
	return c
}

// serving are those that can be asked, in an order of chance.
func (n *nodes) serving() []int {
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []int
	for _, i := range rand.Perm(len(n.at)) {
		if n.at[i] != "" {
			out = append(out, i)
		}
	}
	return out
}

func (n *nodes) address(i int) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.at[i]
}

// killSome kills one or two of those that serve, never all, and starts them
// again.
func (n *nodes) killSome(t *testing.T) int {
	t.Helper()
	up := n.serving()
	if len(up) < 2 {
		return 0
	}
	doomed := up[:1+rand.IntN(len(up)-1)]
	var starting sync.WaitGroup
	for _, i := range doomed {
		starting.Go(func() { n.kill(i) })
	}
	starting.Wait()
	for _, i := range doomed {
		n.start(t, i)
	}
	return len(doomed)
}

// client speaks to a node for a customer.
func (n *nodes) client(address string, c *tenant) *client.Client {
	return &client.Client{
		BaseURL: address + "/v1", Username: c.key, Password: c.password, Retries: -1,
		HTTP: &http.Client{Timeout: 20 * time.Second},
	}
}

// speak lets a customer speak to any node, with a client for each.
func (n *nodes) speak(c *tenant) func() *client.Client {
	known := map[string]*client.Client{}
	return func() *client.Client {
		up := n.serving()
		if len(up) == 0 {
			return nil
		}
		at := n.address(up[0])
		if at == "" {
			return nil
		}
		if known[at] == nil {
			known[at] = n.client(at, c)
		}
		return known[at]
	}
}

// answered reports whether a node answered, whatever it said. A node that is
// killed says nothing.
func answered(err error) (*client.Error, bool) {
	e, ok := errors.AsType[*client.Error](err)
	return e, ok
}

// create makes portfolios. One whose answer was lost is asked for again, with the
// same key, from whichever node.
func (n *nodes) create(ctx context.Context, c *tenant) {
	node := n.speak(c)
	for i := 0; ctx.Err() == nil; i++ {
		name, key := fmt.Sprintf("%s %d", c.name, i), client.NewKey()
		c.mu.Lock()
		c.maybe[name] = true
		c.mu.Unlock()
		for ctx.Err() == nil {
			who := node()
			if who == nil {
				continue
			}
			var made struct {
				ID int64 `json:"portfolioId"`
			}
			err := who.Do(ctx, client.Call{
				Method: http.MethodPost, Path: "/monitoring/portfolios", Key: key, In: map[string]string{"name": name}, Out: &made,
			})
			if err == nil {
				c.mu.Lock()
				c.kept[made.ID] = name
				c.mu.Unlock()
				n.mu.Lock()
				n.created++
				n.mu.Unlock()
				break
			}
			e, ok := answered(err)
			if ok && e.Status == http.StatusConflict {
				break // whoever had it died, and nobody knows what became of it
			}
			if ok && e.Status < 500 {
				n.broken("%s asks for %q and gets %v", c.name, name, err)
				break
			}
		}
		time.Sleep(20 * time.Millisecond) // the pace of the load
	}
}

// read looks at what a customer sees, and at what it must not.
func (n *nodes) read(ctx context.Context, c *tenant) {
	node := n.speak(c)
	for ctx.Err() == nil {
		time.Sleep(30 * time.Millisecond) // the pace of the load
		who := node()
		if who == nil {
			continue
		}
		c.mu.Lock()
		want := make([]int64, 0, len(c.kept))
		for id := range c.kept {
			want = append(want, id)
		}
		c.mu.Unlock()
		n.look(ctx, who, c, want)
		for _, other := range n.customers {
			if other == c {
				continue
			}
			other.mu.Lock()
			var theirs int64
			for id := range other.kept {
				theirs = id
				break
			}
			other.mu.Unlock()
			if theirs == 0 {
				continue
			}
			if _, err := who.Portfolio(ctx, theirs); err == nil {
				n.broken("%s reads portfolio %d of %s", c.name, theirs, other.name)
			}
		}
	}
}

// look holds a list of portfolios against those that must be in it.
func (n *nodes) look(ctx context.Context, who *client.Client, c *tenant, want []int64) {
	seen := map[int64]bool{}
	for p, err := range who.Portfolios(ctx, "") {
		if err != nil {
			return // it was killed
		}
		if !strings.HasPrefix(p.Name, c.name+" ") {
			n.broken("%s sees %q", c.name, p.Name)
		}
		if seen[p.ID] {
			n.broken("%s sees portfolio %d twice", c.name, p.ID)
		}
		seen[p.ID] = true
	}
	for _, id := range want {
		if !seen[id] {
			n.broken("portfolio %d of %s was acknowledged, and a node does not show it", id, c.name)
			return
		}
	}
}

// guess tries wrong passwords. Of those that are alike five are looked at,
// whichever nodes they come to. One that got no answer may have been.
func (n *nodes) guess(ctx context.Context) {
	for i := 0; ctx.Err() == nil; i++ {
		body := fmt.Sprintf(`{"username":"nobody-%d","password":"wrong"}`, i)
		var mu sync.Mutex
		got := map[int]int{}
		var crowd sync.WaitGroup
		for range 9 {
			crowd.Go(func() {
				status := n.try(body)
				mu.Lock()
				defer mu.Unlock()
				got[status]++
			})
		}
		crowd.Wait()
		looked, refused, lost := got[http.StatusUnauthorized], got[http.StatusTooManyRequests], got[0]
		if looked > 5 || looked+lost < 5 || looked+refused+lost != 9 {
			n.broken("of 9 guesses alike the answers are %v", got)
		}
		n.mu.Lock()
		n.guesses += 9
		n.mu.Unlock()
		time.Sleep(100 * time.Millisecond) // the pace of the load
	}
}

// try sends a guess to one of the nodes, and returns the status of the answer.
func (n *nodes) try(body string) int {
	for {
		up := n.serving()
		if len(up) == 0 {
			continue
		}
		at := n.address(up[0])
		if at == "" {
			continue
		}
		r, err := http.Post(at+"/v1/authenticate", "application/json", strings.NewReader(body))
		if err != nil {
			return 0
		}
		r.Body.Close()
		return r.StatusCode
	}
}

// probe asks for an answer all the time. Some node must give it.
func (n *nodes) probe(ctx context.Context) {
	ask := &http.Client{Timeout: 5 * time.Second}
	for ctx.Err() == nil {
		began := time.Now()
		ok := false
		for !ok && time.Since(began) < 5*time.Second {
			for _, i := range n.serving() {
				r, err := ask.Get(n.address(i) + "/readyz")
				if err != nil {
					continue
				}
				r.Body.Close()
				if ok = r.StatusCode == http.StatusOK; ok {
					break
				}
			}
		}
		took := time.Since(began)
		if !ok {
			n.broken("for %v no node answered", took.Round(time.Millisecond))
		}
		n.mu.Lock()
		n.answers++
		n.longest = max(n.longest, took)
		n.mu.Unlock()
		time.Sleep(10 * time.Millisecond) // between two looks
	}
}

// settle lets the nodes evaluate all that is left.
func (n *nodes) settle(t *testing.T) {
	t.Helper()
	last, err := n.db.LastChange(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) { // between two looks
		places, err := n.db.Places(t.Context(), monitor.EngineName)
		if err != nil || time.Since(began) > patience {
			t.Fatalf("evaluation is at %v of %d (%v)", places, last, err)
		}
		done := true
		for i := range 8 {
			done = done && places[job.ShardName(monitor.EngineName, i)] >= last
		}
		if done {
			return
		}
	}
}

// verifyAll holds everything against what was acknowledged, when no one writes any
// more, and complains of what went wrong before.
func (n *nodes) verifyAll(t *testing.T, last int64) {
	t.Helper()
	n.settle(t)
	n.verify(t, last)
	n.verifyCustomers(t)
	for _, says := range n.wrong[:min(len(n.wrong), 10)] {
		t.Error(says)
	}
}

// verifyCustomers asks each node for what was acknowledged.
func (n *nodes) verifyCustomers(t *testing.T) {
	t.Helper()
	for _, i := range n.serving() {
		for _, c := range n.customers {
			names := map[string]int{}
			for p, err := range n.client(n.address(i), c).Portfolios(t.Context(), "") {
				if err != nil {
					t.Fatal(err)
				}
				names[p.Name]++
				if !c.maybe[p.Name] || names[p.Name] > 1 {
					t.Errorf("%s has %q, which it did not ask for, or twice", c.name, p.Name)
				}
			}
			for _, name := range c.kept {
				if names[name] != 1 {
					t.Errorf("%q of %s was acknowledged, and is there %d times", name, c.name, names[name])
				}
			}
		}
	}
	if up := n.serving(); len(up) != len(n.at) {
		t.Errorf("in the end %d nodes serve", len(up))
	}
}
