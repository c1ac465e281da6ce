package monitor_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/lacktest"
	"bureau/internal/monitor"
)

// TestCourierModel lets everything happen at once, in an order that a seed
// decides: events, endpoints that fail for a company, for all or for a while,
// replays, couriers that are thrown away with messages in the air, two at the
// same time, and one that stands still and comes back. In the end every event
// was taken, in order, and no message twice unless it was under way when a
// courier was lost.
func TestCourierModel(t *testing.T) {
	t.Parallel()
	seeds := 6
	switch {
	case os.Getenv("BUREAU_PROVE") == "1":
		seeds = 300
	case lacktest.Race:
		seeds = 2
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			m := newModel(t, uint64(seed))
			for range 150 {
				m.act()
			}
			m.heal()
			m.checkAll(never)
			if n := m.checkOrder(never); n > m.mayRepeat {
				t.Errorf("%d messages were taken twice, and %d were under way when a courier was lost", n, m.mayRepeat)
			}
			for id := range m.hooks {
				if got := m.states(id); got[monitor.Delivered] == 0 || len(got) != 1 {
					t.Errorf("webhook %d: the deliveries are %v", id, got)
				}
			}
		})
	}
}

// A model is a town in which things happen by chance.
type model struct {
	*town
	couriers  []*monitor.Courier
	bad       map[string]float64 // how often an endpoint, or a company at it, fails
	mayRepeat int
}

func newModel(t *testing.T, seed uint64) *model {
	m := &model{town: newTown(t), bad: map[string]float64{}}
	m.random = rand.New(rand.NewPCG(seed, 77))
	m.later = true
	m.gather = []time.Duration{0, 4 * time.Second}[seed%2]
	for c := auth.CustomerID(1); c <= 3; c++ {
		m.hook(c, fmt.Sprintf("own%d.example.com", c))
		m.hook(c, fmt.Sprintf("shared.example.com/%d", c))
	}
	m.couriers = []*monitor.Courier{m.courier()}
	m.answer = func(s *monitor.Sending) monitor.Answer {
		fails := max(m.bad[s.Hook.URL], m.bad[s.Hook.URL+string(s.Event.Company)])
		if m.random.Float64() >= fails {
			return status(200 + m.random.IntN(3))
		}
		a := status([]int{0, 302, 400, 404, 429, 500, 503}[m.random.IntN(7)])
		if a.Status == 429 {
			a.RetryAfter = time.Duration(m.random.IntN(40)) * time.Second
		}
		return a
	}
	return m
}

// act lets one thing happen.
func (m *model) act() {
	m.t.Helper()
	switch n := m.random.IntN(100); {
	case n < 25:
		c := auth.CustomerID(1 + m.random.IntN(3))
		for range 1 + m.random.IntN(8) {
			m.happen(c, firm(m.random.IntN(4)))
		}
	case n < 60:
		m.step(m.any())
	case n < 80:
		for range m.random.IntN(6) {
			m.land()
		}
	case n < 90:
		m.pass(time.Duration(m.random.IntN(20_000)) * time.Millisecond)
	case n < 95:
		for _, id := range slices.Sorted(maps.Keys(m.hooks)) {
			h := m.hooks[id]
			if m.random.IntN(3) == 0 {
				m.bad[h.URL] = []float64{0, 0, 0.3, 1}[m.random.IntN(4)]
				m.bad[h.URL+string(firm(m.random.IntN(4)))] = []float64{0, 1}[m.random.IntN(2)]
			}
		}
	case n < 96 && len(m.events) > 0:
		for _, id := range slices.Sorted(maps.Keys(m.hooks)) {
			h := m.hooks[id]
			since := monitor.EventID(1 + m.random.IntN(len(m.events)))
			if m.random.IntN(3) == 0 {
				m.must(errOf2(m.db.Replay(m.t.Context(), by(h.Customer), id, monitor.ReplayQuery{Since: since}, 5)))
			}
		}
	case n < 98:
		m.lose()
	default:
		if len(m.couriers) < 2 { // another node
			m.couriers = append(m.couriers, m.courier())
		}
	}
}

func errOf2[A, B any](_ A, _ B, err error) error { return err }

func (m *model) any() *monitor.Courier { return m.couriers[m.random.IntN(len(m.couriers))] }

// lose throws a courier away. What it has in the air arrives or does not, and
// it never hears of it.
func (m *model) lose() {
	m.mayRepeat += m.underWay()
	i := m.random.IntN(len(m.couriers))
	if len(m.couriers) == 1 || m.random.IntN(2) == 0 {
		m.couriers[i] = m.courier()
	} else {
		m.couriers = append(m.couriers[:i], m.couriers[i+1:]...)
	}
}

// pass lets time pass. If it is long, another courier may take over what one
// has under way.
func (m *model) pass(d time.Duration) {
	if d > 7*time.Second && len(m.couriers) > 1 {
		m.mayRepeat += m.underWay()
	}
	m.now = m.now.Add(d)
}

// underWay is how many messages are in the air, or came back and are not kept.
func (m *model) underWay() int {
	m.t.Helper()
	n := len(m.air)
	seen := map[[2]int64]bool{}
	for _, c := range m.calls {
		key := [2]int64{int64(c.hook), int64(c.event)}
		if !c.taken || seen[key] {
			continue
		}
		seen[key] = true
		d, err := m.db.Delivery(m.t.Context(), by(m.hooks[c.hook].Customer), c.hook, c.event)
		m.must(err)
		if d.State != monitor.Delivered {
			n++
		}
	}
	return n
}

// heal lets everything get well and go out.
func (m *model) heal() {
	m.t.Helper()
	clear(m.bad)
	for range 3 {
		for _, c := range m.couriers {
			m.step(c)
		}
		m.pass(10 * time.Second)
		for m.land() {
		}
	}
	m.mayRepeat += m.underWay()
	m.couriers = m.couriers[:1]
	m.leaseEnds()
	m.run(m.couriers[0], 8*time.Hour)
}
