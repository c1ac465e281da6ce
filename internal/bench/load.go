package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A load is what one generator does.
type load struct {
	Address  string
	CertFile string
	Requests []string // sent in turn, byte for byte; see numbered
	From     int64    // the first number
	Conns    int
	Rate     float64 // requests a second in all; 0: each as soon as the last is answered
	Warm     time.Duration
	For      time.Duration // what counts, after the warm-up
	PID      int           // whose CPU is measured meanwhile; 0: nobody's
	Others   []other       // are asked in turn with the first
	Expect   []int         // every other status breaks the run off

	leaves *trace // what the server must have kept of each that was answered well
}

// An other is a further server that a load goes to.
type other struct {
	Address string
	PID     int
}

// cpu is what all the servers of a load have used.
func (l load) cpu() (sum time.Duration, known bool) {
	sum, known = cpuOf(l.PID)
	for _, o := range l.Others {
		more, ok := cpuOf(o.PID)
		sum, known = sum+more, known && ok
	}
	return sum, known
}

// numbered is replaced by a number that no other request has, of the same
// length.
const numbered = "############"

// A measured is what came of a load.
type measured struct {
	Seconds float64
	Every   map[int]int    // answers, before and after too, by status
	Answers map[int]int    // given meanwhile
	Millis  map[int]millis // how long those asked meanwhile took
	CPU     float64        // seconds that the process used; 0 if unknown
}

type millis struct{ P50, P99 float64 }

// An answer is one to a request. With a pace, what was asked in time may be
// answered later: the slowest must not be left out of how long it takes, nor
// those that come late be counted as done.
type answer struct {
	status      int
	took        time.Duration
	asked, done bool // while it counts
}

// runLoad is the generator's process.
func runLoad(in io.Reader, out io.Writer) error {
	var l load
	if err := takeOrder(in, &l); err != nil {
		return err
	}
	// It shares its cores with what it measures.
	debug.SetGCPercent(800)
	m, err := l.run()
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(m)
}

func (l load) run() (measured, error) {
	config, err := clientTLS(l.CertFile)
	if err != nil {
		return measured{}, err
	}
	conns := make([]*conn, l.Conns)
	for i := range conns {
		address := l.Address
		if at := i % (1 + len(l.Others)); at > 0 {
			address = l.Others[at-1].Address
		}
		if conns[i], err = dial(address, config); err != nil {
			return measured{}, err
		}
		defer conns[i].close()
	}
	begin := time.Now()
	from := begin.Add(l.Warm)
	until := from.Add(l.For)

	var next atomic.Int64
	next.Store(l.From)
	answers := make([][]answer, l.Conns)
	errs := make([]error, l.Conns)
	var done sync.WaitGroup
	for i, c := range conns {
		done.Go(func() { answers[i], errs[i] = l.drive(c, i, &next, begin, from, until) })
	}
	time.Sleep(time.Until(from))
	before, known := l.cpu()
	measuring := time.Now()
	time.Sleep(time.Until(until))
	after, _ := l.cpu()
	span := time.Since(measuring)
	done.Wait()
	if err := errors.Join(errs...); err != nil {
		return measured{}, err
	}
	m := tally(slices.Concat(answers...))
	m.Seconds = l.For.Seconds()
	if known {
		// The two looks at the clock may lie a little wider than the load.
		m.CPU = (after - before).Seconds() * l.For.Seconds() / span.Seconds()
	}
	return m, nil
}

// drive sends on one connection until the time is over.
func (l load) drive(c *conn, i int, next *atomic.Int64, begin, from, until time.Time) ([]answer, error) {
	var out []answer
	buffers := make([][]byte, len(l.Requests))
	for i, r := range l.Requests {
		buffers[i] = []byte(r)
	}
	due := begin
	var step time.Duration
	if l.Rate > 0 {
		step = time.Duration(float64(l.Conns) / l.Rate * float64(time.Second))
		due = begin.Add(step * time.Duration(i) / time.Duration(l.Conns))
	}
	for turn := i; ; turn++ {
		sent := time.Now()
		if l.Rate > 0 {
			if wait := due.Sub(sent); wait > 0 {
				time.Sleep(wait)
				sent = time.Now()
			} else {
				// The answer before this one was late, and this one pays for
				// it: whoever sent it did not wait.
				sent = due
			}
			due = due.Add(step)
		}
		if !sent.Before(until) {
			return out, nil
		}
		if time.Since(until) > patience {
			return nil, fmt.Errorf("%g requests a second are too many: some still wait %s after the end", l.Rate, patience)
		}
		request := buffers[turn%len(buffers)]
		number(request, l.Requests[turn%len(buffers)], next.Add(1))
		status, _, err := c.call(request, false)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(l.Expect, status) {
			return nil, fmt.Errorf("answered with %d, expected %v", status, l.Expect)
		}
		now := time.Now()
		a := answer{status: status, took: now.Sub(sent)}
		a.done = !now.Before(from) && now.Before(until)
		a.asked = !sent.Before(from)
		out = append(out, a)
	}
}

// number writes n where the text has numbered.
func number(request []byte, text string, n int64) {
	at := strings.Index(text, numbered)
	if at < 0 {
		return
	}
	for i := at + len(numbered) - 1; i >= at; i-- {
		request[i] = byte('0' + n%10)
		n /= 10
	}
}

// tally sums up answers.
func tally(answers []answer) measured {
	m := measured{Every: map[int]int{}, Answers: map[int]int{}, Millis: map[int]millis{}}
	took := map[int][]float64{}
	for _, a := range answers {
		m.Every[a.status]++
		if a.done {
			m.Answers[a.status]++
		}
		if a.asked {
			took[a.status] = append(took[a.status], float64(a.took)/float64(time.Millisecond))
		}
	}
	for status, all := range took {
		slices.Sort(all)
		m.Millis[status] = millis{percentile(all, 50), percentile(all, 99)}
	}
	return m
}
