package bench

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"bureau/internal/match"
	"bureau/internal/match/fit"
)

// judgeSizes shows how speed and memory grow with the list.
func judgeSizes(out io.Writer) error {
	lines := [][]string{{
		"names", "from", "built in", "saved in", "restored in", "MB", "bytes a name",
		"CPU", "median", "p95", "found", "CPU, every word mistyped", "found", "queries/s, 8 at once",
	}}
	for _, n := range []int{10_000, 100_000, 1_200_000, 5_000_000} {
		names, source := sharedData.companyNames(n)
		before := heap()
		start := time.Now()
		x := indexOf(match.Company, names)
		built := time.Since(start)
		used := heap() - before
		x, saved, restored, err := throughFile(x)
		if err != nil {
			return err
		}
		two, all := mistyped(names, 500, 2), mistyped(names, 500, len(names))
		some, every := timeQueries(x, names, two), timeQueries(x, names, all)
		short := func(d time.Duration) string { return d.Round(10 * time.Millisecond).String() }
		lines = append(lines, []string{
			strconv.Itoa(n), source, short(built), short(saved), short(restored), figure(used / 1e6), figure(used / float64(n)),
			inMillis(some.cpu), inMillis(percentile(some.took, 50)), inMillis(percentile(some.took, 95)), three(some.found),
			inMillis(every.cpu), three(every.found), figure(together(x, two, 8)),
		})
		runtime.KeepAlive(x)
	}
	var b strings.Builder
	writeTable(&b, lines)
	_, err := fmt.Fprintln(out, b.String())
	return err
}

// throughFile saves an index and restores it, as a restart does.
func throughFile(x *match.Index) (restored *match.Index, save, load time.Duration, err error) {
	f, err := os.CreateTemp("", "names")
	if err != nil {
		return nil, 0, 0, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	start := time.Now()
	if err := x.Save(f); err != nil {
		return nil, 0, 0, err
	}
	save = time.Since(start)
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, 0, 0, err
	}
	start = time.Now()
	restored, err = match.Load(f)
	return restored, save, time.Since(start), err
}

func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// A query is a mistyped name and the place of the right one.
type query struct {
	text string
	want int
}

// mistyped damages n names: a typo in each of so many of their words.
func mistyped(names []string, n, words int) []query {
	d := fit.NewDamager(31)
	var out []query
	for i := 0; len(out) < n; i++ {
		at := (i*104_729 + 7) % len(names)
		if text, ok := mistype(d, names[at], words, i); ok {
			out = append(out, query{text, at})
		}
	}
	return out
}

// mistype makes a typo in each of some words of a name, beginning with the nth.
func mistype(d *fit.Damager, name string, words, nth int) (text string, ok bool) {
	parts := strings.Fields(name)
	for i := range parts {
		at := (nth + i) % len(parts)
		if words == 0 {
			break
		}
		if typo, done := d.Damage("typo", parts[at]); done {
			parts[at], ok = typo, true
			words--
		}
	}
	return strings.Join(parts, " "), ok
}

// A timing is what queries took, in ms, sorted; the CPU one took; and how many
// found what they should.
type timing struct {
	took       []float64
	cpu, found float64
}

// timeQueries asks one after the other.
func timeQueries(x *match.Index, names []string, queries []query) (t timing) {
	words := func(name string) string { return strings.Join(match.Read(match.Company, name).Words(), " ") }
	search := func(q query) []match.Candidate {
		return x.Search(match.NewSubject(match.Company, q.text), 10, match.Filter{})
	}
	search(queries[0]) // makes room for the rest
	answers := make([][]match.Candidate, len(queries))
	before := ownCPU()
	for i, q := range queries {
		start := time.Now()
		answers[i] = search(q)
		t.took = append(t.took, float64(time.Since(start).Microseconds())/1e3)
	}
	t.cpu = 1e3 * (ownCPU() - before).Seconds() / float64(len(queries))
	for i, q := range queries {
		want := words(names[q.want])
		if slices.ContainsFunc(answers[i], func(c match.Candidate) bool { return words(names[c.ID]) == want }) {
			t.found++
		}
	}
	t.found /= float64(len(queries))
	slices.Sort(t.took)
	return t
}

// together is how many queries a second are answered to several at once.
func together(x *match.Index, queries []query, clients int) float64 {
	start := time.Now()
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			for i := c; i < len(queries); i += clients {
				x.Search(match.NewSubject(match.Company, queries[i].text), 10, match.Filter{})
			}
		})
	}
	wg.Wait()
	return float64(len(queries)) / time.Since(start).Seconds()
}
