package match

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// An Index finds subjects by their names. Searches take no lock and may run
// beside each other and beside changes; changes wait for each other.
//
// It is a few segments, each immutable, behind one pointer. A change adds a
// small segment and marks the old entry as dead in its own; small segments are
// put together as they pile up, and Step puts together large ones.
type Index struct {
	mu        sync.Mutex // held by writers
	segments  atomic.Pointer[[]*segment]
	searchers sync.Pool
}

// NewIndex is an index of nothing.
func NewIndex() *Index {
	x := &Index{}
	x.segments.Store(&[]*segment{})
	x.searchers.New = func() any { return &searcher{best: map[uint32]int{}} }
	return x
}

// BuildIndex makes an index of n subjects. It calls at from several goroutines,
// which have ended when it returns.
func BuildIndex(n int, at func(i int) (id uint64, s Subject)) *Index {
	x := NewIndex()
	if n == 0 {
		return x
	}
	workers := min(runtime.GOMAXPROCS(0), n/1000+1)
	drafts := make([]*draft, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			d := newDraft()
			for i := w * n / workers; i < (w+1)*n/workers; i++ {
				id, s := at(i)
				d.add(id, &s)
			}
			drafts[w] = d
		})
	}
	wg.Wait()
	x.segments.Store(&[]*segment{buildSegment(drafts)})
	return x
}

// Len is how many subjects there are.
func (x *Index) Len() int {
	n := 0
	for _, s := range *x.segments.Load() {
		n += s.live()
	}
	return n
}

// Put adds a subject, or puts it in place of the one with its id.
func (x *Index) Put(id uint64, s Subject) {
	d := newDraft()
	d.add(id, &s)
	fresh := buildSegment([]*draft{d})
	x.mu.Lock()
	defer x.mu.Unlock()
	old := *x.segments.Load()
	list := append(append(make([]*segment, 0, len(old)+1), old...), fresh)
	list = settle(list, smallest)
	x.segments.Store(&list)
	// The new one is there before the old one goes: a search finds one of them.
	for _, seg := range old {
		if e, ok := seg.find(id); ok {
			seg.kill(e)
		}
	}
	x.killOlder(id, list)
}

// killOlder kills what settle may have copied before it was killed.
func (x *Index) killOlder(id uint64, list []*segment) {
	seen := false
	for i := len(list) - 1; i >= 0; i-- {
		if e, ok := list[i].find(id); ok && !list[i].isDead(e) {
			if seen {
				list[i].kill(e)
			}
			seen = true
		}
	}
}

// Delete removes a subject, and reports whether it was there.
func (x *Index) Delete(id uint64) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	was := false
	for _, s := range *x.segments.Load() {
		if e, ok := s.find(id); ok && s.kill(e) {
			was = true
		}
	}
	return was
}

const (
	// smallest is the size up to which a change itself puts segments together.
	smallest = 2048
	// fanout is how much larger each segment is than the one after it.
	fanout = 8
)

// settle puts the last segments together while they are of like size, and not
// larger than limit.
func settle(list []*segment, limit int) []*segment {
	for len(list) > 1 {
		last, before := list[len(list)-1], list[len(list)-2]
		if len(before.ids) >= fanout*len(last.ids) || len(before.ids)+len(last.ids) > limit {
			return list
		}
		list = append(list[:len(list)-2:len(list)-2], merge(before, last))
	}
	return list
}

// merge makes one segment of several; of an id in more than one the last counts.
func merge(segments ...*segment) *segment {
	var drafts []*draft
	for _, s := range segments {
		d := newDraft()
		d.addFrom(s)
		drafts = append(drafts, d)
	}
	return buildSegment(drafts)
}

// Step puts segments together that changes have left, if it is worth it, and
// reports whether it did. Searches go on meanwhile; changes wait.
func (x *Index) Step() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	old := *x.segments.Load()
	list := settle(slices.Clone(old), math.MaxInt)
	if len(list) == 1 && len(list[0].ids) > 0 && list[0].live() < len(list[0].ids)*3/4 {
		list = []*segment{merge(list[0])}
	}
	if len(list) == len(old) && (len(list) == 0 || list[0] == old[0]) {
		return false
	}
	x.segments.Store(&list)
	return true
}

// A Filter says which entries may be answers. The zero Filter lets all pass.
type Filter struct {
	// Countries are ISO 3166 alpha-2 codes. An entry of no known country passes.
	Countries []string
}

// A Candidate is a subject that may be the one asked for.
type Candidate struct {
	ID uint64
	Verdict
}

// Nearest finds the subject that shares most with q, without the weights' say, for
// the program that fits them.
func (x *Index) Nearest(q Subject) (id uint64, found bool) {
	f := filter{kind: q.Kind}
	sr := x.searchers.Get().(*searcher)
	defer x.searchers.Put(sr)
	most := float32(-1)
	for _, s := range *x.segments.Load() {
		for n := range q.Names {
			name := &q.Names[n].Name
			for _, r := range sr.gather(s, name, &f) {
				if _, share, any := sr.score(s, r.row, name, false, &models[q.Kind]); any && share > most {
					id, found, most = s.ids[s.rowEntry[r.row]], true, share
				}
			}
		}
	}
	return id, found
}

// Search finds the k subjects that are most likely the same as q, the likeliest
// first. Only subjects of its kind are found.
func (x *Index) Search(q Subject, k int, only Filter) []Candidate {
	f := filter{kind: q.Kind}
	for _, c := range only.Countries {
		f.countries = append(f.countries, land(c))
	}
	sr := x.searchers.Get().(*searcher)
	defer x.searchers.Put(sr)
	var found []finding
	for _, s := range *x.segments.Load() {
		found = sr.scan(s, &q, &f, found)
	}
	slices.SortFunc(found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(b.z, a.z), cmp.Compare(b.share, a.share), cmp.Compare(a.id(), b.id()))
	})
	out := make([]Candidate, 0, max(0, min(len(found), k)))
	for i := range found {
		if len(out) >= k {
			break
		}
		id := found[i].id()
		// A subject that is just being replaced may be seen twice.
		if !slices.ContainsFunc(out, func(c Candidate) bool { return c.ID == id }) {
			out = append(out, Candidate{id, found[i].verdict(&q, sr)})
		}
	}
	return out
}
