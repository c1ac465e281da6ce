package bench

import (
	"context"
	"os"
	"path/filepath"
	"time"
)

func nodeRows() []row {
	return []row{
		{
			name: "nodes", what: "processor time of GET /companies/{connectId} where three nodes on one database are asked in turn, all of theirs together, in turn with the baseline",
			against: "the same with one node", unit: inMicros, goal: atMost(1.15), both: true, only: postgreSQL,
			accounts: 1, companies: 20_000,
			inTurn: timesOfReads,
		},
		{
			name: "idle", what: "memory of a node that rests, with 20,000 companies and the index of their names",
			against: "the bare server, which holds none", unit: inMegabytes, both: true, accounts: 1, companies: 20_000,
			baseline: func(_ context.Context, t *site, _ sample) (sample, error) { return memorySample(t.baseline) },
			ours:     atRest,
			also:     []also{{"idle: memory of a node that rests, beside its index", inMegabytes, atMost(60)}},
		},
	}
}

// timesOfReads is what a read takes of the processors of one node, and of three
// together.
func timesOfReads(ctx context.Context, t *site) (baseline, ours sample, err error) {
	const windows = 4
	var others []other
	for range 2 {
		s, err := t.another(ctx)
		if err != nil {
			return baseline, ours, err
		}
		defer s.stop()
		if err := s.awaitRest(ctx, t.s.Own); err != nil {
			return baseline, ours, err
		}
		others = append(others, other{s.address, s.pid})
	}
	var alone, together []float64
	for range windows {
		one, err := t.timeOfReads(ctx, nil)
		if err != nil {
			return baseline, ours, err
		}
		three, err := t.timeOfReads(ctx, others)
		if err != nil {
			return baseline, ours, err
		}
		alone, together = append(alone, one), append(together, three)
	}
	one, three := median(alone), median(together)
	return sample{value: one, cpu: one}, sample{value: three, cpu: three}, nil
}

// timeOfReads asks the site's server, and others in turn with it.
func (t *site) timeOfReads(ctx context.Context, others []other) (float64, error) {
	m, err := t.load(ctx, t.bureau, load{
		Requests: t.reports(), Conns: busy, Expect: []int{200}, Others: others, For: max(time.Second, t.s.window()/2), leaves: leftReport,
	})
	if err != nil {
		return 0, err
	}
	return m.CPU / float64(m.Answers[200]) * 1e6, nil
}

// another starts one more node on the site's database.
func (t *site) another(ctx context.Context) (*server, error) {
	t.w.places++
	p := t.book.place
	p.extra = append([]string{"--key-file", filepath.Join(p.data, "bureau.key")}, p.extra...)
	var err error
	if p.data, err = os.MkdirTemp(t.w.dir, "node-"); err != nil {
		return nil, err
	}
	return p.serve(ctx)
}

// resting is twice as long as a node waits until it gives back what it does not
// need, and some.
const resting = 45 * time.Second

func atRest(ctx context.Context, t *site, _ sample) (sample, error) {
	select {
	case <-ctx.Done():
		return sample{}, ctx.Err()
	case <-time.After(resting):
	}
	m, err := memorySample(t.bureau)
	if err != nil {
		return m, err
	}
	index, err := t.book.indexSize()
	m.also = []float64{m.value - index}
	return m, err
}

// indexSize is how many megabytes the index of names takes: it is kept in files
// much as it lies in memory. While it was not kept it counts as none.
func (p place) indexSize() (size float64, err error) {
	files, err := filepath.Glob(filepath.Join(p.data, "*.names"))
	for _, file := range files {
		info, serr := os.Stat(file)
		if serr != nil {
			return 0, serr
		}
		size += float64(info.Size()) / (1 << 20)
	}
	return size, err
}

func memorySample(s *server) (sample, error) {
	n, err := memoryOf(s.pid)
	return sample{value: float64(n) / (1 << 20)}, err
}
