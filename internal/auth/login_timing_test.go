package auth_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/lacktest"
)

// A2: how long a refusal takes must not tell whether the name exists. Samples
// of both kinds are taken in random order, so that whatever else the machine
// does falls on both alike.

// A race times two kinds of login against each other.
type race struct {
	samples int
	one     func(existing bool, i int)
}

func (r race) run() (unknown, existing []float64) {
	order := make([]bool, 0, 2*r.samples)
	for i := range 2 * r.samples {
		order = append(order, i%2 == 0)
	}
	rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for i := range min(200, len(order)) { // warm up
		r.one(i%2 == 0, -1-i)
	}
	for i, exists := range order {
		start := time.Now()
		r.one(exists, i)
		took := float64(time.Since(start))
		if exists {
			existing = append(existing, took)
		} else {
			unknown = append(unknown, took)
		}
	}
	return unknown, existing
}

// auc is the chance that one of ys is larger than one of xs: a half if nobody
// can tell them apart. It asks for order only, so a few slow ones do no harm.
func auc(xs, ys []float64) float64 {
	type sample struct {
		v   float64
		isY bool
	}
	all := make([]sample, 0, len(xs)+len(ys))
	for _, x := range xs {
		all = append(all, sample{x, false})
	}
	for _, y := range ys {
		all = append(all, sample{y, true})
	}
	slices.SortFunc(all, func(a, b sample) int { return cmp.Compare(a.v, b.v) })
	var ranks float64
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].v == all[i].v {
			j++
		}
		for _, s := range all[i:j] {
			if s.isY {
				ranks += float64(i+j+1) / 2 // the middle of equal ones
			}
		}
		i = j
	}
	n, m := float64(len(xs)), float64(len(ys))
	return (ranks - m*(m+1)/2) / (n * m)
}

// aucSlack is how far from a half pure chance takes it, five times out.
func aucSlack(n int) float64 { return 5 * math.Sqrt(float64(2*n+1)/(12*float64(n)*float64(n))) }

// welch is Welch's t of two samples without their slowest tenths.
func welch(xs, ys []float64) float64 {
	mean := func(v []float64) (m, se2 float64) {
		v = slices.Sorted(slices.Values(v))
		v = v[:len(v)*9/10]
		for _, x := range v {
			m += x / float64(len(v))
		}
		for _, x := range v {
			se2 += (x - m) * (x - m) / float64(len(v)-1) / float64(len(v))
		}
		return m, se2
	}
	mx, vx := mean(xs)
	my, vy := mean(ys)
	return (mx - my) / math.Sqrt(vx+vy)
}

// open is a plan under which no limit is ever met.
func open(cost auth.Cost) plan {
	rules := auth.DefaultLoginRules
	rules.TotalSource, rules.TotalPair = 1<<30, 1<<30
	return plan{rules: rules, cost: cost}
}

func wrong(i int) string { return fmt.Sprintf("wrong password %012d", i) }

func TestIssuedPasswordsAreRefusedInTheSameTime(t *testing.T) {
	h := newHouse(t, newClock(), open(cheap))
	h.account(h.customer("Acme"), "somebody")
	names := map[bool]string{true: "somebody", false: "nobodyat"}
	request := func(exists bool, i int) auth.LoginRequest {
		return auth.LoginRequest{Source: from(1), UserKey: names[exists], Password: wrong(i), IsReadable: true}
	}

	t.Run("the whole login", func(t *testing.T) {
		n, most := 4_000, 0.05
		switch {
		case prove():
			n, most = 100_000, 0.02
		case lacktest.Race:
			n, most = 500, aucSlack(500)
		}
		unknown, existing := race{n, func(exists bool, i int) {
			if a, err := h.login.Authenticate(t.Context(), request(exists, i)); err != nil || a.Verdict != auth.Refused {
				t.Fatalf("verdict %d, %v; want refused", a.Verdict, err)
			}
		}}.run()
		report(t, unknown, existing, most)
		if tt := welch(unknown, existing); prove() && math.Abs(tt) >= 4.5 {
			t.Errorf("Welch's t is %.2f, want below 4.5", tt)
		}
	})

	// The write to disk hides what comes before it. Without it the test sees a
	// fraction of a microsecond: a decoy that is left out.
	t.Run("the check alone", func(t *testing.T) {
		n := 20_000
		switch {
		case prove():
			n = 200_000
		case lacktest.Race:
			n = 2_000
		}
		unknown, existing := race{n, func(exists bool, i int) {
			if err := h.login.Check(t.Context(), request(exists, i)); err != nil {
				t.Fatal(err)
			}
		}}.run()
		report(t, unknown, existing, 0.1)
	})
}

func TestChosenPasswordsAreRefusedInTheSameTime(t *testing.T) {
	cost, n := auth.Cost{Memory: 1024, Time: 1, Threads: 1}, 400
	switch {
	case prove():
		cost, n = auth.DefaultCost, 2_000
	case lacktest.Race:
		n = 60
	}
	h := newHouse(t, newClock(), open(cost))
	c := h.customer("Acme")
	h.account(c, "somebody")
	if _, err := h.office.SetChosenPassword(t.Context(), "somebody", "correct horse battery", false); err != nil {
		t.Fatal(err)
	}
	h.account(c, "issued") // so that not every decoy is slow
	slow := ""
	for i := 0; slow == ""; i++ {
		if name := fmt.Sprintf("nobody%02d", i); h.login.SlowDecoy(name) {
			slow = name
		}
	}
	names := map[bool]string{true: "somebody", false: slow}
	unknown, existing := race{n, func(exists bool, i int) {
		if a := h.try(from(1), names[exists], wrong(i)); a.Verdict != auth.Refused {
			t.Fatalf("verdict %d, want refused", a.Verdict)
		}
	}}.run()
	report(t, unknown, existing, max(0.02, aucSlack(n)))
	if tt := welch(unknown, existing); prove() && math.Abs(tt) >= 4.5 {
		t.Errorf("Welch's t is %.2f, want below 4.5", tt)
	}
}

// report fails if the two kinds can be told apart.
func report(t *testing.T, unknown, existing []float64, most float64) {
	t.Helper()
	mid := func(v []float64) time.Duration { return time.Duration(slices.Sorted(slices.Values(v))[len(v)/2]) }
	a := auc(unknown, existing)
	t.Logf("unknown %s, existing %s (medians of %d); AUC %.4f, t %.2f",
		mid(unknown), mid(existing), len(unknown), a, welch(unknown, existing))
	if math.Abs(a-0.5) > most {
		t.Errorf("AUC is %.4f, want within %.3f of a half: time tells which names exist", a, most)
	}
}

// The yardstick itself: it must see a difference where there is one.
func TestYardsticks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(shift float64) (v []float64) {
		for range 5000 {
			v = append(v, r.NormFloat64()+shift)
		}
		return v
	}
	if a := auc(draw(0), draw(0)); math.Abs(a-0.5) > aucSlack(5000) {
		t.Errorf("AUC of two alike is %.4f, want a half", a)
	}
	if a := auc(draw(0), draw(0.5)); math.Abs(a-0.638) > 0.03 {
		t.Errorf("AUC of two half a deviation apart is %.4f, want 0.638", a)
	}
	if tt := welch(draw(0), draw(0)); math.Abs(tt) > 4.5 {
		t.Errorf("t of two alike is %.2f", tt)
	}
	if tt := welch(draw(0), draw(0.5)); math.Abs(tt) < 15 {
		t.Errorf("t of two half a deviation apart is %.2f, want it large", tt)
	}
}
