package main

import (
	"fmt"
	"io"
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
func judgeSizes(out io.Writer) {
	lines := [][]string{{"names", "from", "built in", "MB", "bytes a name", "median", "p95", "found", "queries/s, 8 at once"}}
	for _, n := range []int{10_000, 100_000, 1_200_000, 5_000_000} {
		names, source := companyNames(n)
		before := heap()
		start := time.Now()
		x := indexOf(match.Company, names)
		built := time.Since(start)
		used := heap() - before
		queries := mistyped(names, 500)
		took, found := timeQueries(x, names, queries)
		lines = append(lines, []string{
			strconv.Itoa(n), source, built.Round(100 * time.Millisecond).String(),
			figure(used / 1e6), figure(used / float64(n)), inMillis(percentile(took, 50)), inMillis(percentile(took, 95)), three(found),
			figure(together(x, queries, 8)),
		})
		runtime.KeepAlive(x)
	}
	var b strings.Builder
	writeTable(&b, lines)
	io.WriteString(out, b.String())
	fmt.Fprintln(out)
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

func mistyped(names []string, n int) []query {
	d := fit.NewDamager(31)
	var out []query
	for i := 0; len(out) < n; i++ {
		at := (i*104_729 + 7) % len(names)
		text, ok := d.Damage("typo", names[at])
		if !ok {
			continue
		}
		// A second word, where there is one.
		if more, ok := d.Damage("typo", text); ok {
			text = more
		}
		out = append(out, query{text, at})
	}
	return out
}

// timeQueries asks one after the other; the times are in ms, sorted.
func timeQueries(x *match.Index, names []string, queries []query) (took []float64, found float64) {
	words := func(name string) string { return strings.Join(match.Read(match.Company, name).Words(), " ") }
	for _, q := range queries {
		start := time.Now()
		hits := x.Search(match.NewSubject(match.Company, q.text), 10, match.Filter{})
		took = append(took, float64(time.Since(start).Microseconds())/1e3)
		want := words(names[q.want])
		if slices.ContainsFunc(hits, func(c match.Candidate) bool { return words(names[c.ID]) == want }) {
			found++
		}
	}
	slices.Sort(took)
	return took, found / float64(len(queries))
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
