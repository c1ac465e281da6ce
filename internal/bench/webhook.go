package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"bureau/internal/app"
	"bureau/internal/auth"
	"bureau/internal/monitor"
	"bureau/internal/notify"
)

// webhookRows are the rows of webhooks: how fast events are delivered, how soon
// after a change, and what one customer's many do to the others.
func webhookRows() []row {
	return []row{
		{
			name: "deliver", what: "events delivered to 8 webhooks: each kept before and after, signed twice, both signatures verified by the endpoint",
			against: "a loop that posts the same bodies over as many connections, signed beforehand", unit: perSecond,
			goal: atLeast(0.4), both: true, offline: true,
			baseline: postBare,
			ours:     deliver,
		},
		{
			name: "told", what: "p99 from the commit of a change to the first byte at a webhook, of 10 customers with 10 changes/s each, while another has 1,000/s, in turn with the baseline; what came is verified afterwards",
			against: "the same ten with nobody else there", unit: inMillis, goal: atMost(1.5), both: true, offline: true,
			inTurn: tellBesideOne,
			also: []also{
				{"told: p50 of all, at 1,100 changes/s", inMillis, atMost(20)},
				{"told: p99 of all, at 1,100 changes/s", inMillis, atMost(250)},
				{"told: p99 of the ten when all eleven have 100 changes/s", inMillis, goal{}},
				{"told: p99 of the ten beside the one, against that", asTimes, atMost(1.5)},
			},
		},
	}
}

// connections is how many messages are under way at once, on both sides: as
// many as a courier has to one host.
const connections = 64

// A mailroom is a database with customers that have webhooks, all to one
// endpoint.
type mailroom struct {
	place
	sink    string              // its address
	path    string              // there
	keys    map[string][]string // by webhook
	folders map[auth.CustomerID]monitor.PortfolioID
	told    int

	acknowledged []string // the new values of changes whose commit returned
	kept         int      // events that were stored without a change
}

// mailroom makes one, once for an engine, whose messages go to a path of the endpoint.
func (t *site) mailroom(ctx context.Context, customers int, path string) (*mailroom, error) {
	name := fmt.Sprint(t.engine, customers)
	if m := t.w.mailrooms[name]; m != nil {
		return m, nil
	}
	m := &mailroom{path: path, keys: map[string][]string{}, folders: map[auth.CustomerID]monitor.PortfolioID{}}
	var err error
	if m.place, err = t.w.newPlace(ctx, "mail", t.engine); err != nil {
		return nil, err
	}
	if m.sink, err = freeAddress(); err != nil {
		return nil, err
	}
	if err = m.open(ctx, func(a *app.App) error { return m.fill(ctx, a, customers) }); err != nil {
		return nil, err
	}
	c, in, err := start(ctx, "sink", sinkOrder{Address: m.sink, Keys: m.keys}, io.Discard)
	if err != nil {
		return nil, err
	}
	t.w.stops = append(t.w.stops, func() {
		in.Close()
		_ = c.Wait()
	})
	if err := await(ctx, m.sink, nil); err != nil {
		return nil, err
	}
	if t.w.mailrooms == nil {
		t.w.mailrooms = map[string]*mailroom{}
	}
	t.w.mailrooms[name] = m
	return m, nil
}

// fill makes the customers, each with a portfolio and a webhook.
func (m *mailroom) fill(ctx context.Context, a *app.App, customers int) error {
	keys := &notify.Keys{Safe: a.Vault}
	for c := auth.CustomerID(1); c <= auth.CustomerID(customers); c++ {
		by := auth.Caller{Customer: c, Account: auth.AccountID(c)}
		p, err := a.DB.CreatePortfolio(ctx, by, monitor.Portfolio{Name: "list"})
		if err != nil {
			return err
		}
		m.folders[c] = p.ID
		secret, shown, err := keys.NewSecret(c)
		if err != nil {
			return err
		}
		h, err := a.DB.CreateWebhook(ctx, by, monitor.Webhook{URL: "http://" + m.sink + m.path, Secrets: []monitor.Secret{secret}}, 100)
		if err != nil {
			return err
		}
		m.keys[fmt.Sprint(h.ID)] = []string{shown, secret.Public}
	}
	return nil
}

// open opens the house in this process.
func (m *mailroom) open(ctx context.Context, use func(*app.App) error) error {
	a, err := app.Open(ctx, app.ForCommand(app.Place{Data: m.data, DB: app.Secret(m.db)}), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer a.Close()
	return use(a)
}

// tell makes events, with their deliveries, that nobody delivers yet.
func (m *mailroom) tell(ctx context.Context, n int) error {
	return m.open(ctx, func(a *app.App) error {
		for at := 0; at < n; at += 2000 {
			var list []monitor.Event
			for i := range min(2000, n-at) {
				m.told++
				c := auth.CustomerID(1 + i%len(m.folders))
				list = append(list, monitor.Event{
					Customer: c, Portfolio: m.folders[c], Company: benchCompany(m.told % 1000), Name: "Example Trading Ltd",
					Country: monitor.Everywhere, Rule: 5001, Version: 1, Change: int64(m.told), Field: "name", Source: "bench",
					Old: "Former Name Ltd", New: "Present Name Ltd", Why: "The name changed from Former Name Ltd to Present Name Ltd", At: time.Now(),
				})
			}
			kept, err := a.DB.Tell(ctx, list, nil)
			if err != nil {
				return err
			}
			m.kept += kept
		}
		return nil
	})
}

// ask asks the endpoint what it has seen.
func (m *mailroom) ask(ctx context.Context, path string, into any) error {
	return askSink(ctx, m.sink, path, into)
}

// awaitCount waits for so many messages, and says what the endpoint has seen.
func (m *mailroom) awaitCount(ctx context.Context, n int) (s seen, err error) {
	if err := awaitMessages(ctx, m.sink, n, stall); err != nil {
		return s, err
	}
	if err := m.ask(ctx, "/seen", &s); err != nil {
		return s, err
	}
	if s.Count == 0 {
		return s, errors.New("no message came")
	}
	return s, nil
}

// deliveriesEach is how many events a measurement delivers.
const deliveriesEach = 12_000

func (t *site) deliveriesEach() int { return t.s.part(deliveriesEach, deliveriesEach, ownDeliveries) }

// deliver lets a server deliver what waits.
func deliver(ctx context.Context, t *site, _ sample) (sample, error) {
	m, err := t.mailroom(ctx, 8, pathAtOnce)
	if err != nil {
		return sample{}, err
	}
	if err := m.tell(ctx, t.deliveriesEach()); err != nil {
		return sample{}, err
	}
	var s seen
	if err := m.ask(ctx, "/clear", &s); err != nil {
		return sample{}, err
	}
	m.extra = []string{"--webhook-allow", "127.0.0.0/8"}
	server, err := m.serve(ctx)
	if err != nil {
		return sample{}, err
	}
	defer server.stop()
	if s, err = m.awaitCount(ctx, t.deliveriesEach()); err != nil {
		return sample{}, err
	}
	used := cpuOrZero(server.pid)
	return sample{value: float64(s.Count) / s.Last.Sub(s.First).Seconds(), cpu: used.Seconds() / float64(s.Count) * 1e6}, nil
}

// postBare posts what the endpoint has seen before, once more.
func postBare(ctx context.Context, t *site, _ sample) (sample, error) {
	m, err := t.mailroom(ctx, 8, pathAtOnce)
	if err != nil {
		return sample{}, err
	}
	if m.told == 0 { // bodies to post
		if _, err := deliver(ctx, t, sample{}); err != nil {
			return sample{}, err
		}
	}
	var list []message
	if err := m.ask(ctx, "/messages", &list); err != nil {
		return sample{}, err
	}
	var s seen
	if err := m.ask(ctx, "/clear", &s); err != nil {
		return sample{}, err
	}
	p, err := ask[posted](ctx, "post", posting{To: "http://" + m.sink + pathBare, Messages: list, Count: t.deliveriesEach()})
	if err != nil {
		return sample{}, err
	}
	if s, err = m.awaitCount(ctx, t.deliveriesEach()); err != nil {
		return sample{}, err
	}
	return sample{value: float64(s.Count) / s.Last.Sub(s.First).Seconds(), cpu: p.CPU / float64(s.Count) * 1e6}, nil
}

// A posting is what the bare loop is told.
type posting struct {
	To       string
	Messages []message
	Count    int
}

type posted struct{ CPU float64 }

// runPost is the bare loop's process.
func runPost(in io.Reader, out io.Writer) error {
	var p posting
	if err := takeOrder(in, &p); err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections, DisableCompression: true}}
	before := ownCPU()
	var all sync.WaitGroup
	var mu sync.Mutex
	var failed error
	for n := range connections {
		all.Go(func() {
			for i := n; i < p.Count; i += connections {
				if err := p.Messages[i%len(p.Messages)].post(client, p.To); err != nil {
					mu.Lock()
					failed = err
					mu.Unlock()
					return
				}
			}
		})
	}
	all.Wait()
	if failed != nil {
		return failed
	}
	return json.NewEncoder(out).Encode(posted{CPU: (ownCPU() - before).Seconds()})
}

func (m *message) post(client *http.Client, to string) error {
	r, err := http.NewRequest(http.MethodPost, to, strings.NewReader(m.Body))
	if err != nil {
		return err
	}
	r.Header = m.Header
	resp, err := client.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the endpoint answered %s", resp.Status)
	}
	return nil
}

// The ways in which companies change while it is measured how soon ten customers
// are told: theirs alone, beside those of one that has a hundred times as much as each,
// and evenly. The machine is ten times as busy beside the one, whosever the load is;
// what it costs the ten when everybody has the same share of that tells how much is the
// neighbour's doing.
const (
	byThemselves = iota
	besideOne
	evenly
	ways
)

// tellBesideOne measures them, two seconds each. The p99 of a way is the median of its
// windows' own.
func tellBesideOne(ctx context.Context, t *site) (themselves, beside sample, err error) {
	const each = 2 * time.Second
	order := []window{byThemselves: {1, 0, each}, besideOne: {1, 10, each}, evenly: {10, 1, each}}
	times := int(max(10*time.Second, t.s.window()) / each)
	if t.s.Own { // by a user, who waits for it
		order, times = order[:evenly], max(1, int(t.s.window()/each))
	}
	ten, all, err := t.tellAtPace(ctx, slices.Repeat(order, times))
	if err != nil {
		return themselves, beside, err
	}
	of := func(times [][]float64, way int, p float64) float64 {
		var out []float64
		for i := way; i < len(times); i += len(order) {
			out = append(out, percentile(times[i], p))
		}
		return median(out)
	}
	themselves.value, beside.value = of(ten, byThemselves, 99), of(ten, besideOne, 99)
	beside.also = []float64{of(all, besideOne, 50), of(all, besideOne, 99)}
	if len(order) == ways {
		even := of(ten, evenly, 99)
		beside.also = append(beside.also, even, beside.value/even)
	}
	return themselves, beside, nil
}

// tellAtPace lets companies change for a while and returns how many
// milliseconds went from each commit to the first byte, in order and by window: for
// the ten, and for all.
func (t *site) tellAtPace(ctx context.Context, windows []window) (ten, all [][]float64, err error) {
	m, err := t.mailroom(ctx, tenCustomers+1, pathLater)
	if err != nil {
		return nil, nil, err
	}
	var s seen
	if err := m.ask(ctx, "/clear", &s); err != nil {
		return nil, nil, err
	}
	c, err := ask[changed](ctx, "change", changing{
		Data: m.data, DB: m.db, Folders: m.folders, Windows: windows, Sink: m.sink, Stall: stall,
	})
	if err != nil {
		return nil, nil, err
	}
	if s, err = m.awaitCount(ctx, len(c.Commits)); err != nil {
		return nil, nil, err
	}
	ten, all = make([][]float64, len(windows)), make([][]float64, len(windows))
	for value, commit := range c.Commits {
		m.acknowledged = append(m.acknowledged, value)
		at, ok := s.Arrived[value]
		if !ok {
			continue // it is lost, and the statement at the end says so
		}
		took := float64(at-commit.At) / 1e6
		all[commit.Window] = append(all[commit.Window], took)
		if strings.HasPrefix(value, "ten") {
			ten[commit.Window] = append(ten[commit.Window], took)
		}
	}
	for i := range windows {
		if len(ten[i]) == 0 {
			return nil, nil, errors.New("no change of the ten was told")
		}
		slices.Sort(ten[i])
		slices.Sort(all[i])
	}
	return ten, all, nil
}
