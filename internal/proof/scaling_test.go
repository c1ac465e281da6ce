package proof

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// The capacity plan of docs/scaling.md, checked. A figure that the plan takes for
// granted stands in a table of the document, and so does every figure that it
// concludes: the first are read from there, the others have to come out.

// A figures table is what the document says, by the name in the first column.
type figures map[string]float64

var figureRow = regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\| ([0-9.,]+) \\|")

func readFigures(t *testing.T) figures {
	t.Helper()
	b, err := os.ReadFile("../../docs/scaling.md")
	if err != nil {
		t.Fatal(err)
	}
	out := figures{}
	for _, m := range figureRow.FindAllStringSubmatch(string(b), -1) {
		n, err := strconv.ParseFloat(strings.ReplaceAll(m[2], ",", ""), 64)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := out[m[1]]; ok {
			t.Errorf("the document has two figures called %s", m[1])
		}
		out[m[1]] = n
	}
	return out
}

// A queued is something that waits: since when, and whose it is.
type queued struct {
	at, began float64 // in seconds; began: when the change came that it is about
	of        uint64  // the company, or the customer
}

// station is one that works alone, on all that waits up to so many at a time: a log
// whose end is locked, or its reader. A turn takes as long as a commit and each
// of its pieces together. It returns the pieces at the times when they are done.
func station(in []queued, commit, each float64, most int) []queued {
	out := make([]queued, 0, len(in))
	free := 0.0
	for i := 0; i < len(in); {
		start, n := max(free, in[i].at), 0
		for i+n < len(in) && n < most && in[i+n].at <= start {
			n++
		}
		free = start + commit + float64(n)*each
		for _, q := range in[i : i+n] {
			q.at = free
			out = append(out, q)
		}
		i += n
	}
	return out
}

// An outcome is what a simulated half minute came to.
type outcome struct {
	changes, events  float64 // a second
	hottest          float64 // the load of the busiest log of changes: above 1 it never catches up
	eventLog         float64 // the same for the log of events
	changed, told    float64 // p99 until a change is in the log, until its events are, in seconds
	machine, oneLess float64 // the load of the busiest machine, with all and without one
}

const seconds = 30

// scale plays the plan with so many logs of changes. Companies change by a Zipf law: a few
// of them all the time, most hardly ever. Each large customer watches its share of
// the register.
func scale(f figures, logs int, seed uint64) (o outcome) {
	r := rand.New(rand.NewPCG(seed, 18))
	companies := f["companies"]
	law := rand.NewZipf(r, f["skew"], f["skew-offset"], uint64(companies)-1)
	changes := make([][]queued, logs)
	for at := 0.0; ; {
		at += r.ExpFloat64() / f["changes-a-second"]
		if at > seconds {
			break
		}
		c := law.Uint64()
		log := scatter(c, 0) % uint64(logs)
		changes[log] = append(changes[log], queued{at, at, c})
		o.changes++
	}
	const µs, ms = 1e-6, 1e-3
	customers, watched := uint64(f["large-customers"]), f["memberships-a-customer"]/companies
	shards := int(f["shards"])
	work := make([]float64, shards) // of the machines' processors, by shard
	var late, events []queued
	for log, in := range changes {
		o.hottest = max(o.hottest, float64(len(in))*f["change-us"]*µs/seconds)
		work[log%shards] += float64(len(in)) * (f["change-us"] + f["look-us"]) * µs
		kept := station(in, f["commit-ms"]*ms, f["change-us"]*µs, int(f["batch"]))
		late = append(late, kept...)
		for _, q := range station(kept, 0, f["look-us"]*µs, int(f["batch"])) {
			for customer := range customers {
				if float64(scatter(q.of, customer+1)%1_000_000)/1_000_000 < watched && r.Float64() < f["told-share"] {
					events = append(events, queued{q.at, q.began, customer})
				}
			}
		}
	}
	slices.SortFunc(events, func(a, b queued) int { return cmp.Compare(a.at, b.at) })
	for _, q := range events {
		work[scatter(q.of, 0)%uint64(shards)] += f["event-us"] * µs
	}
	o.changes, o.events = o.changes/seconds, float64(len(events))/seconds
	o.eventLog = o.events * f["event-us"] * µs
	o.changed = p99(late)
	o.told = p99(station(events, f["commit-ms"]*ms, f["event-us"]*µs, int(f["batch"])))
	o.machine = busiest(work, int(f["machines"]), f["cores"])
	o.oneLess = busiest(work, int(f["machines"])-1, f["cores"])
	return o
}

// scatter spreads numbers as a database does: evenly, and the same each time.
func scatter(n, salt uint64) uint64 {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], n)
	binary.LittleEndian.PutUint64(b[8:], salt)
	return xxhash.Sum64(b[:])
}

func p99(done []queued) float64 {
	waits := make([]float64, len(done))
	for i, q := range done {
		waits[i] = q.at - q.began
	}
	slices.Sort(waits)
	return waits[len(waits)*99/100]
}

// busiest is the load of the machine with the most work, when shards are dealt out
// to the machines in turn.
func busiest(work []float64, machines int, cores float64) (most float64) {
	of := make([]float64, machines)
	for shard, w := range work {
		of[shard%machines] += w / (cores * seconds)
	}
	return slices.Max(of)
}

// What the plan concludes is what comes of what it takes for granted, and leaves
// half of everything free.
func TestPlanHolds(t *testing.T) {
	t.Parallel()
	f := readFigures(t)
	o := scale(f, int(f["shards"]), 1)
	percent := func(x float64) float64 { return math.Round(x*1000) / 10 }
	for name, got := range map[string]float64{
		"events-a-second":        math.Round(o.events),
		"hottest-log-percent":    percent(o.hottest),
		"event-log-percent":      percent(o.eventLog),
		"change-p99-ms":          math.Round(o.changed * 1000),
		"event-p99-ms":           math.Round(o.told * 1000),
		"machine-percent":        percent(o.machine),
		"machine-percent-1-lost": percent(o.oneLess),
		"one-log-percent":        percent(scale(f, 1, 1).hottest),
		"one-log-holds":          math.Floor(1e6 / f["change-us"]),
		"log-mb-a-second":        math.Round((f["changes-a-second"]*f["change-log-bytes"]+o.events*f["event-log-bytes"])/1e5) / 10,
		"room-gb":                math.Round(room(f) / 1e9),
		"room-gb-a-machine":      math.Round(room(f) / 1e9 / f["machines"]),
		"names-gb":               math.Round(f["companies"]*f["name-bytes"]/1e8) / 10,
	} {
		if want, ok := f[name]; !ok || got != want {
			t.Errorf("%s is %v, and the document says %v", name, got, want)
		}
	}
	for seed, o := range []outcome{o, scale(f, int(f["shards"]), 2), scale(f, int(f["shards"]), 3)} {
		if o.hottest > 0.5 || o.eventLog > 0.5 || o.oneLess > 0.5 {
			t.Errorf("seed %d: something is more than half busy: %+v", seed+1, o)
		}
	}
}

// room is what a year takes, its indexes included.
func room(f figures) float64 {
	members := f["large-customers"] * f["memberships-a-customer"]
	changes := f["companies"] * (1 + f["changes-a-year"])
	events := f["companies"] * f["changes-a-year"] * f["large-customers"] * f["memberships-a-customer"] / f["companies"] * f["told-share"]
	return f["companies"]*(f["company-bytes"]+f["statement-bytes"]+f["search-key-bytes"]) +
		changes*f["change-bytes"] + members*(f["member-bytes"]+f["watcher-bytes"]) + events*f["event-bytes"]
}

// The simulation sees a plan that does not hold.
func TestSimulationSeesABadPlan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		logs  int
		spoil func(figures)
		bad   func(outcome) bool
	}{
		{"one log for all", 1, func(figures) {}, func(o outcome) bool { return o.hottest > 1 && o.changed > 1 }},
		{"one company that changes all the time", 32, func(f figures) { f["skew"], f["skew-offset"] = 3, 1 }, func(o outcome) bool { return o.hottest > 1 && o.changed > 1 }},
		{"events as slow as commits", 32, func(f figures) { f["event-us"] = 1000 }, func(o outcome) bool { return o.eventLog > 1 && o.told > 1 }},
		{"too few processors", 32, func(f figures) { f["machines"], f["cores"] = 2, 1 }, func(o outcome) bool { return o.oneLess > 1 }},
	} {
		f := readFigures(t)
		c.spoil(f)
		if o := scale(f, c.logs, 1); !c.bad(o) {
			t.Errorf("%s: it seems to hold: %+v", c.name, o)
		}
	}
}
