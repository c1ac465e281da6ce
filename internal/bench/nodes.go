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
			name: "nodes", what: "processor time of GET /companies/{connectId} where three nodes on one database are asked in turn, all of theirs together",
			against: "the same with one node", unit: inMicros, goal: atMost(1.15), both: true, only: postgreSQL,
			accounts: 1, companies: 20_000,
			baseline: timeOfReads(1),
			ours:     timeOfReads(3),
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

// timeOfReads is what a read takes of the processors of so many nodes together.
func timeOfReads(nodes int) measurement {
	return func(ctx context.Context, t *site, _ sample) (sample, error) {
		l := load{Requests: t.reports(), Conns: busy, Expect: []int{200}, leaves: leftReport}
		for range nodes - 1 {
			s, err := t.another(ctx)
			if err != nil {
				return sample{}, err
			}
			defer s.stop()
			if err := s.awaitRest(ctx, t.s.Own); err != nil {
				return sample{}, err
			}
			l.Others = append(l.Others, other{s.address, s.pid})
		}
		m, err := t.load(ctx, t.bureau, l)
		if err != nil {
			return sample{}, err
		}
		each := m.CPU / float64(m.Answers[200]) * 1e6
		return sample{value: each, cpu: each}, nil
	}
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
