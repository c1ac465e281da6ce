package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// A row is something that Bureau does, what it is held against, and how near it
// must come.
type row struct {
	name     string
	what     string
	against  string
	unit     func(float64) string
	goal     goal   // of the ratio, on SQLite
	both     bool   // the goals are for PostgreSQL too
	whole    bool   // the goals are for all of the data: a small part of it meets them easily, and says nothing
	offline  bool   // it needs no server: it makes its own places
	only     string // the engine that it is measured on, if not on both
	certain  bool   // it comes out the same each time, so one round says all
	accounts int    // how many there are, and whether their passwords are chosen
	chosen   bool
	baseline measurement
	ours     measurement
	inTurn   pairing // measures both instead, a while each in turn
	also     []also

	companies int // how many are in the register before the server starts
}

// A measurement is one half of a round. Ours is told what the baseline did.
type measurement func(ctx context.Context, t *site, baseline sample) (sample, error)

// A pairing is a whole round. A machine that is not ours alone slows down for seconds at
// a time: where what is compared is how long something takes, the two are measured in turn,
// and each has its share of that.
type pairing func(ctx context.Context, t *site) (baseline, ours sample, err error)

// round is one of a row.
func (b *row) round(ctx context.Context, t *site) (baseline, ours sample, err error) {
	if b.inTurn != nil {
		return b.inTurn(ctx, t)
	}
	if baseline, err = b.baseline(ctx, t, sample{}); err != nil {
		return baseline, ours, fmt.Errorf("the baseline: %w", err)
	}
	ours, err = b.ours(ctx, t, baseline)
	return baseline, ours, err
}

// An also is a further figure of ours. It has no baseline.
type also struct {
	name string
	unit func(float64) string
	goal goal
}

// busy is how many connections a heavy load has: enough for a slow disk not to
// leave the cores idle, and for one that waits not to hold up the pace.
const busy = 256

// rows is the table. To add a row is to add it here.
func rows() []row {
	return append([]row{
		{
			name: "tokens", what: "tokens for issued passwords",
			against: "reads the same JSON and only signs", unit: perSecond, goal: atLeast(0.6), accounts: 16,
			baseline: rate(theBaseline, (*site).logins, nil),
			ours:     rate(theBureau, (*site).logins, leftLogin),
		},
		{
			name: "chosen", what: "chosen passwords checked, four times too many arriving",
			against: "a bare process that only hashes", unit: perSecond, goal: atLeast(0.8), accounts: 4, chosen: true,
			baseline: hashes,
			ours:     overload,
			also: []also{
				{"chosen: median of the 429s", inMillis, atMost(5)},
				{"chosen: 429s", perSecond, goal{}},
				{"chosen: p99 of those admitted", inMillis, goal{}},
			},
		},
		{
			name: "me", what: "GET /access/users/me",
			against: "writes a JSON body of the same size", unit: perSecond, goal: atLeast(0.6), accounts: 1,
			baseline: rate(theBaseline, (*site).whoAmI, nil),
			ours:     rate(theBureau, (*site).whoAmI, nil),
		},
		{
			name: "flood", what: "p99 of GET /access/users/me, 500/s, while 2,000 refused logins/s arrive, in turn with the baseline",
			against: "the same without the logins", unit: inMillis, goal: atMost(2), accounts: 16,
			inTurn: flooded,
			also:   []also{{"flood: logins refused", perSecond, goal{}}},
		},
		{
			name: "import", what: "200,000 companies of a made-up file in the British register's format, read twice and taken into an empty database",
			against: "the bare bulk insert of the same rows, all their columns, into one table with a key", unit: perSecond,
			goal: atLeast(0.4), both: true, offline: true,
			baseline: insertBare,
			ours:     importTwice,
			also:     []also{{"import: the same file again, against the first time", asTimes, atLeast(2)}},
		},
		{
			name: "company", what: "GET /companies/{connectId}",
			against: "reads the company's row by its key and writes its columns", unit: perSecond,
			goal: atLeast(0.3), both: true, accounts: 1, companies: 20_000,
			baseline: rate(theBaseline, (*site).reports, nil),
			ours:     rate(theBureau, (*site).reports, leftReport),
		},
	}, slices.Concat(monitorRows(), pageRows(), webhookRows(), streamRows(), matchRows(), findRows(), kycRows(), nodeRows())...)
}

func theBaseline(t *site) *server { return t.baseline }
func theBureau(t *site) *server   { return t.bureau }

// rate is how many requests are answered well when all connections ask as fast
// as they can, each of which leaves something behind, or nothing.
func rate(on func(*site) *server, requests func(*site) []string, leaves *trace) measurement {
	return func(ctx context.Context, t *site, _ sample) (sample, error) {
		m, err := t.load(ctx, on(t), load{Requests: requests(t), Conns: busy, Expect: []int{200}, leaves: leaves})
		if err != nil {
			return sample{}, err
		}
		n := float64(m.Answers[200])
		return sample{value: n / m.Seconds, cpu: m.CPU / n * 1e6}, nil
	}
}

// The cost that Bureau hashes chosen passwords with.
const hashMemory, hashTime = 19 * 1024, 2

func hashes(ctx context.Context, t *site, _ sample) (sample, error) {
	h, err := ask[hashed](ctx, "hash", hashing{For: t.s.window(), Memory: hashMemory, Time: hashTime})
	return sample{value: h.Rate, cpu: h.CPU * 1e6}, err
}

// overload sends wrong passwords for accounts whose passwords are chosen, each
// one new: neither a remembered success nor a shared hash can help. What is
// answered with 401 was hashed.
func overload(ctx context.Context, t *site, bare sample) (sample, error) {
	m, err := t.load(ctx, t.bureau, load{
		Requests: t.wrongs(), Conns: busy, Rate: 4 * bare.value, Expect: []int{401, 429},
	})
	if err != nil {
		return sample{}, err
	}
	if m.Answers[401] == 0 || m.Answers[429] == 0 {
		return sample{}, fmt.Errorf("it was no overload: %v", m.Answers)
	}
	n := float64(m.Answers[401])
	return sample{value: n / m.Seconds, cpu: m.CPU / n * 1e6, also: []float64{
		m.Millis[429].P50, float64(m.Answers[429]) / m.Seconds, m.Millis[401].P99,
	}}, nil
}

// perFlood is how many refused logins arrive in a second.
const perFlood = 2000

// flooded measures how long calls take without the logins and beside them. The p99 of
// a way is the median of its windows' own.
func flooded(ctx context.Context, t *site) (baseline, ours sample, err error) {
	const windows = 4
	each := max(time.Second, t.s.window()/2) // a thousand calls have only ten that matter
	var quiet, beside, refused []float64
	for range windows {
		alone, err := p99(ctx, t, each)
		if err != nil {
			return baseline, ours, err
		}
		p, r, err := p99BesideFlood(ctx, t, each)
		if err != nil {
			return baseline, ours, err
		}
		quiet, beside, refused = append(quiet, alone), append(beside, p), append(refused, r)
	}
	if median(refused) < 0.9*perFlood {
		return baseline, ours, errors.New("the flood did not arrive")
	}
	return sample{value: median(quiet)}, sample{value: median(beside), also: []float64{median(refused)}}, nil
}

// p99 is how long the slowest of a moderate number of calls take. They come at
// fixed times whether or not those before were answered.
func p99(ctx context.Context, t *site, each time.Duration) (float64, error) {
	m, err := t.load(ctx, t.bureau, load{
		Requests: t.whoAmI(), Conns: 32, Rate: 500, Expect: []int{200}, For: each,
	})
	return m.Millis[200].P99, err
}

// p99BesideFlood is p99 while refused logins arrive from another process, and how
// many of them do in a second.
func p99BesideFlood(ctx context.Context, t *site, each time.Duration) (p, refused float64, err error) {
	var flood measured
	var both errgroup.Group
	both.Go(func() (err error) {
		// It begins before the calls that count and ends after them.
		flood, err = t.load(ctx, t.bureau, load{
			Requests: t.wrongs(), Conns: busy, Rate: perFlood, Expect: []int{401, 429}, For: each + time.Second,
		})
		return err
	})
	both.Go(func() (err error) {
		p, err = p99(ctx, t, each)
		return err
	})
	if err := both.Wait(); err != nil {
		return 0, 0, err
	}
	return p, float64(flood.Answers[401]+flood.Answers[429]) / flood.Seconds, nil
}
