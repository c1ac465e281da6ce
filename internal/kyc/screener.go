package kyc

import (
	"context"
	"slices"
	"time"

	"bureau/internal/fault"
	"bureau/internal/match"
)

// A Screener looks for subjects on lists.
type Screener struct {
	Index *Index
	Store Store
	Now   func() time.Time
}

// Options say what a search looks at. The zero Options look at everything.
type Options struct {
	Threshold int       `json:"threshold"`          // 1 to 100; 0: DefaultThreshold
	Datasets  []Dataset `json:"datasets,omitempty"` // none: all
	Bodies    []Body    `json:"bodies,omitempty"`   // none: all. Who is listed for something else than sanctions passes
	Tiers     []int     `json:"tiers,omitempty"`    // of politically exposed people, 1 to 3; none: all. Whose tier is not known passes
	Kinds     []Kind    `json:"kinds,omitempty"`    // none: all that the subject can be
	Limit     int       `json:"limit,omitempty"`    // at most so many hits; 0: DefaultLimit
}

// Bounds of options.
const (
	DefaultThreshold = 75
	MinThreshold     = 50 // that customers may ask for
	MaxThreshold     = 100
	DefaultLimit     = 100
)

// A Hit is an entry that may be the subject.
type Hit struct {
	ID    EntryID
	Since int64 // the version of its list with which the entry came or last changed
	Score int   // 0 to 100
	Entry Entry
	match.Verdict
}

func (o *Options) check() error {
	if o.Threshold == 0 {
		o.Threshold = DefaultThreshold
	}
	if o.Threshold < 1 || o.Threshold > MaxThreshold {
		return fault.Invalid.Errorf("threshold: %d is not between 1 and %d", o.Threshold, MaxThreshold)
	}
	if o.Limit <= 0 {
		o.Limit = DefaultLimit
	}
	for _, d := range o.Datasets {
		if !slices.Contains(datasets, d) {
			return fault.Invalid.Errorf("datasets: there is no dataset %q", d)
		}
	}
	for _, b := range o.Bodies {
		if !slices.Contains(bodies, b) {
			return fault.Invalid.Errorf("sanctionBodies: there is no body %q", b)
		}
	}
	return nil
}

// Screen looks for a subject, and saves nothing. Hits come with the likeliest
// first.
func (s *Screener) Screen(ctx context.Context, who Subject, o Options) ([]Hit, Coverage, error) {
	if err := o.check(); err != nil {
		return nil, Coverage{}, err
	}
	q, err := who.asked()
	if err != nil {
		return nil, Coverage{}, err
	}
	cover := s.coverage(o)
	got, whole, err := s.Index.search(q, float64(o.Threshold)/100, o.Limit, o.passes())
	if err != nil {
		return nil, Coverage{}, err
	}
	cover.Cut = !whole
	hits, err := s.read(ctx, got)
	return hits, cover, err
}

// passes says of an entry whether the options look at it.
func (o Options) passes() func(indexed) bool {
	want, from := wanted(o.Datasets), setOf(bodies, o.Bodies)
	sanctions, exposed := wanted([]Dataset{SAN}), wanted([]Dataset{PEP})
	return func(i indexed) bool {
		listed := i.datasets & want
		if from != 0 && i.bodies&from == 0 {
			listed &^= sanctions // imposed by somebody who was not asked about
		}
		if len(o.Tiers) > 0 && i.tier > 0 && !slices.Contains(o.Tiers, int(i.tier)) {
			listed &^= exposed
		}
		return listed != 0 && (len(o.Kinds) == 0 || slices.Contains(o.Kinds, i.kind))
	}
}

// read fetches what is known of the entries that were found, in the versions in
// which they were found.
func (s *Screener) read(ctx context.Context, got []found) ([]Hit, error) {
	if len(got) == 0 {
		return nil, nil
	}
	since := make(map[EntryID]int64, len(got))
	for _, f := range got {
		since[f.id] = f.since
	}
	held, err := s.Store.EntriesSince(ctx, since)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, 0, len(got))
	for _, f := range got {
		h, there := held[f.id]
		if !there {
			continue // its list was purged a moment ago
		}
		e, err := h.Entry()
		if err != nil {
			return nil, err
		}
		e.addSources(h)
		hits = append(hits, Hit{ID: f.id, Since: f.since, Score: int(f.Score * 100), Entry: e, Verdict: f.Verdict})
	}
	return hits, nil
}

// addSources fills in what publishers leave out of a source: when the entry was
// added is then when we first saw it.
func (e *Entry) addSources(h Held) {
	if len(e.Sources) == 0 {
		e.Sources = []Source{{Title: FindList(e.List).Title}}
	}
	for i := range e.Sources {
		s := &e.Sources[i]
		if s.Added == "" {
			s.Added = e.Listed
		}
		if s.Added == "" {
			s.Added = dateOf(h.FirstAdded)
		}
		if len(s.Datasets) == 0 {
			s.Datasets = e.Datasets
		}
	}
}
