package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/monitor"
	"bureau/internal/store"
)

// TestKilledServerTellsEachChangeOnce kills a server with no warning, again and
// again, while another process writes changes. Every change that was
// acknowledged is told to whoever asked for it, once; and a server that starts
// goes on evaluating at once, although the dead one held all the leases.
func TestKilledServerTellsEachChangeOnce(t *testing.T) {
	if url := os.Getenv("BUREAU_WRITE_TO"); url != "" {
		writeForEver(t, url) // this is the other process
	}
	t.Parallel()
	kills := 10
	if prove() {
		kills = 100
	}
	for name, url := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKilling(t, newHome(t, url(t)))
			acknowledged := k.write(t)
			var waits []time.Duration
			for i := range kills {
				waits = append(waits, k.serveAndKill(t, i%3 == 0)...)
			}
			last := acknowledged()
			k.serveToTheEnd(t)
			k.verify(t, last)
			slices.Sort(waits)
			middle, most := waits[len(waits)/2], waits[len(waits)-1]
			t.Logf("%d kills; from listening to the first event: median %v, at most %v", kills, middle, most)
			// The leases of the dead last nine seconds.
			if middle > 2*time.Second || most > 5*time.Second {
				t.Errorf("evaluation went on after %v, and %v at most; want at once", middle, most)
			}
		})
	}
}

// A killing is a database with some portfolios, and who asked for what.
type killing struct {
	home
	db   *store.DB
	asks map[monitor.PortfolioID][]company.Field
}

var victim = auth.Caller{Customer: 1, Account: 1}

const victims = 40 // companies

func victimID(i int) company.ID { return company.NewID("GB", fmt.Sprintf("%08d", i)) }

func newKilling(t *testing.T, h home) *killing {
	t.Helper()
	k := &killing{home: h, db: h.open(t), asks: map[monitor.PortfolioID][]company.Field{}}
	t.Cleanup(func() { k.db.Close() })
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var u company.Update
	var members []monitor.Member
	for i := range victims {
		u.Companies = append(u.Companies, company.Saved{
			Held: company.Held{ID: victimID(i)}, New: true, Name: fmt.Sprint("Example ", i), Country: "GB", Status: company.Active,
		})
		members = append(members, monitor.Member{Company: victimID(i)})
	}
	must(k.db.Write(t.Context(), func(company.View) (company.Update, error) { return u, nil }))
	for i, rules := range []map[int]company.Field{
		{5001: company.FieldName}, {5008: company.FieldActivity}, {5001: company.FieldName, 5055: company.FieldEmployees}, {},
	} {
		p, err := k.db.CreatePortfolio(t.Context(), victim, monitor.Portfolio{Name: fmt.Sprint("list ", i)})
		must(err)
		_, err = k.db.AddMembers(t.Context(), victim, p.ID, members)
		must(err)
		for code, field := range rules {
			must(k.db.SwitchRules(t.Context(), victim, p.ID, monitor.Everywhere, []monitor.Switch{{Code: code, On: true}}))
			k.asks[p.ID] = append(k.asks[p.ID], field)
		}
	}
	return k
}

func (k *killing) address() string {
	if k.url != "" {
		return k.url
	}
	return filepath.Join(k.data, "bureau.db")
}

// write starts a process that writes changes. What is returned kills it, too,
// and tells the number of the last change that it was sure of.
func (k *killing) write(t *testing.T) (acknowledged func() int64) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestKilledServerTellsEachChangeOnce$")
	c.Env = append(os.Environ(), "BUREAU_WRITE_TO="+k.address())
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	last := make(chan int64, 1)
	go func() { // until the process is dead
		var n int64
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if text, ok := strings.CutPrefix(lines.Text(), "kept "); ok {
				n, _ = strconv.ParseInt(text, 10, 64)
			}
		}
		last <- n
	}()
	return func() int64 {
		_ = c.Process.Kill()
		n := <-last
		_ = c.Wait()
		return n
	}
}

// writeForEver is what that process does.
func writeForEver(t *testing.T, url string) {
	db, err := store.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	fields := []company.Field{company.FieldName, company.FieldActivity, company.FieldEmployees, company.Website}
	for i := 0; ; i++ { // until it is killed
		var last int64
		err := db.Write(t.Context(), func(v company.View) (u company.Update, err error) {
			for j := range 1 + rand.IntN(8) {
				u.Changes = append(u.Changes, company.Change{
					Company: victimID(rand.IntN(victims)), Field: fields[(i+j)%len(fields)],
					Old: fmt.Sprint(i), New: fmt.Sprint(i + 1), Source: "writer", At: time.Now(),
				})
			}
			last = v.LastChange() + int64(len(u.Changes))
			return u, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("kept", last)
		time.Sleep(2 * time.Millisecond) // the pace of the load
	}
}

// serve starts the server and waits until it listens.
func (k *killing) serve(t *testing.T) (*exec.Cmd, time.Time) {
	t.Helper()
	log, err := os.CreateTemp(k.data, "log")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	args := []string{"serve", "--data", k.data, "--listen", "localhost:0", "--http"}
	if k.url != "" {
		args = append(args, "--db", k.url)
	}
	c := exec.Command("bureau", args...)
	c.Stderr = log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	awaitAddress(t, log.Name())
	return c, time.Now()
}

// serveAndKill lets a server live for a moment. Unless it is killed early, it
// is waited for until its first event, and how long that took is returned.
func (k *killing) serveAndKill(t *testing.T, early bool) (waited []time.Duration) {
	t.Helper()
	before := k.events(t)
	c, listening := k.serve(t)
	if !early {
		for k.events(t) == before {
			if time.Since(listening) > patience {
				t.Fatal("the server evaluates nothing")
			}
			time.Sleep(2 * time.Millisecond) // between two looks
		}
		waited = append(waited, time.Since(listening))
	}
	time.Sleep(time.Duration(rand.IntN(150)) * time.Millisecond) // when it is killed is left to chance
	_ = c.Process.Kill()
	_ = c.Wait()
	return waited
}

// events is the number of the last event.
func (k *killing) events(t *testing.T) (n int64) {
	t.Helper()
	if err := k.db.QueryRow(t.Context(), `SELECT last_number FROM monitor_log WHERE name = 'event'`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// serveToTheEnd lets a server evaluate all that is left.
func (k *killing) serveToTheEnd(t *testing.T) {
	t.Helper()
	last, err := k.db.LastChange(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, began := k.serve(t)
	for done := false; !done; {
		places, err := k.db.Places(t.Context(), monitor.EngineName)
		if err != nil || time.Since(began) > patience {
			t.Fatalf("evaluation is at %v of %d (%v)", places, last, err)
		}
		done = true
		for i := range 8 {
			done = done && places[job.ShardName(monitor.EngineName, i)] >= last
		}
		time.Sleep(5 * time.Millisecond) // between two looks
	}
	_ = c.Process.Kill()
	_ = c.Wait()
}

// verify holds the events against the log of changes.
func (k *killing) verify(t *testing.T, acknowledged int64) {
	t.Helper()
	type id struct {
		portfolio monitor.PortfolioID
		change    int64
	}
	missing := map[id]bool{}
	number := int64(0)
	for {
		list, err := k.db.Changes(t.Context(), number, 5000)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			if number++; c.Number != number {
				t.Fatalf("change %d comes after %d", c.Number, number-1)
			}
			for p, fields := range k.asks {
				if slices.Contains(fields, c.Field) {
					missing[id{p, number}] = true
				}
			}
		}
		if len(list) == 0 {
			break
		}
	}
	if acknowledged == 0 || number < acknowledged {
		t.Errorf("%d changes were acknowledged, and %d are there", acknowledged, number)
	}
	want := len(missing)
	q := monitor.EventQuery{Sort: monitor.ByID, Limit: 5000}
	for {
		page, err := k.db.Events(t.Context(), victim, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.List {
			if !missing[id{e.Portfolio, e.Change}] {
				t.Fatalf("nobody asked for %+v, or it is there twice", e)
			}
			delete(missing, id{e.Portfolio, e.Change})
			at := e.Position()
			q.After = &at
		}
		if !page.More {
			break
		}
	}
	if len(missing) > 0 {
		t.Errorf("%d of %d events are missing", len(missing), want)
	}
	t.Logf("%d changes, %d of them acknowledged; %d events", number, acknowledged, want)
}
