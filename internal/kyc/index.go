package kyc

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"bureau/internal/fault"
	"bureau/internal/match"
)

// An Index holds the names of all entries in memory. It is built from the store,
// or restored from a file, and follows the log of changes; searches may run
// meanwhile.
type Index struct {
	Store  Store
	Folder string // where it is kept between two runs; empty if it is not

	turn  sync.Mutex // one builds, follows or saves at a time
	saved int64      // the last change in the file, and one more

	mu      sync.RWMutex // guards what is below
	ready   bool         // it was up to date once
	names   *match.Index
	entries map[EntryID]indexed
	numbers map[string][]EntryID // who is named by a company's number
	edition Edition
	census  *census
}

// indexed is what is asked of an entry before it is read.
type indexed struct {
	list     string
	kind     Kind
	datasets set
	bodies   set
	tier     uint8
	since    int64
}

// rebuildFrom is how many changes are worth building the index anew: a first
// import of a list is all changes.
const rebuildFrom = 2000

// Ready reports whether the index holds the lists as they were at the start or
// later.
func (x *Index) Ready() bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.ready
}

// Edition is the state of the lists that the index holds.
func (x *Index) Edition() Edition {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return Edition{Lists: slices.Clone(x.edition.Lists), Change: x.edition.Change}
}

// Refresh brings the index up to date with the store: it restores or builds it
// the first time, and then reads the log.
func (x *Index) Refresh(ctx context.Context) error {
	x.turn.Lock()
	defer x.turn.Unlock()
	if !x.Ready() && (x.Folder == "" || x.restore(ctx) != nil) {
		return x.build(ctx)
	}
	last, err := x.Store.LastEntryChange(ctx)
	if err != nil {
		return err
	}
	x.mu.RLock()
	behind := last - x.edition.Change
	x.mu.RUnlock()
	switch {
	case behind <= 0:
		return x.seeLists(ctx)
	case behind > rebuildFrom:
		return x.build(ctx)
	}
	return x.follow(ctx)
}

// seeLists learns what became of lists without a change: that one was loaded
// again, or confirmed.
func (x *Index) seeLists(ctx context.Context) error {
	lists, err := x.Store.LoadedLists(ctx)
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.edition.Lists, x.ready = lists, true
	return nil
}

// build reads all entries. Searches use the old index until the new one stands.
func (x *Index) build(ctx context.Context) error {
	var held []Held
	edition, err := x.Store.Standing(ctx, func(h Held) error {
		held = append(held, h)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read the lists: %w", err)
	}
	return x.fill(held, edition)
}

// fill makes the index of entries.
func (x *Index) fill(held []Held, edition Edition) error {
	read, err := readAll(held)
	if err != nil {
		return err
	}
	var slots []slot
	entries := make(map[EntryID]indexed, len(read))
	numbers := map[string][]EntryID{}
	census := newCensus()
	for i := range read {
		r := &read[i]
		entries[r.id] = r.indexed
		census.add(r.indexed, 1)
		addNumbers(numbers, r)
		for _, k := range r.kind.matchKinds() {
			slots = append(slots, slot{r, k})
		}
	}
	names := match.BuildIndex(len(slots), func(i int) (uint64, match.Subject) {
		s := slots[i]
		return slotID(s.of.id, s.kind), s.of.entry.matched(s.kind)
	})
	x.mu.Lock()
	defer x.mu.Unlock()
	x.names, x.entries, x.numbers, x.edition, x.census, x.ready = names, entries, numbers, edition, census, true
	return nil
}

// A slot is an entry under one of its kinds.
type slot struct {
	of   *readEntry
	kind match.Kind
}

// slotID is an entry's id among names: the last bit tells under which kind.
func slotID(id EntryID, k match.Kind) uint64 { return uint64(id)<<1 | uint64(k)&1 }

type readEntry struct {
	id    EntryID
	entry Entry
	indexed
}

// readAll reads entries on all processors.
func readAll(held []Held) ([]readEntry, error) {
	out := make([]readEntry, len(held))
	const part = 500
	var wg sync.WaitGroup
	turns := make(chan int)
	errs := make(chan error, 1)
	for range 4 {
		wg.Go(func() { // readAll waits for it below
			for from := range turns {
				for i := from; i < min(from+part, len(held)); i++ {
					var err error
					if out[i], err = readHeld(held[i]); err != nil {
						select {
						case errs <- err:
						default:
						}
					}
				}
			}
		})
	}
	for from := 0; from < len(held); from += part {
		turns <- from
	}
	close(turns)
	wg.Wait()
	select {
	case err := <-errs:
		return nil, err
	default:
		return out, nil
	}
}

func readHeld(h Held) (readEntry, error) {
	e, err := h.Entry()
	return readEntry{h.ID, e, indexed{
		list: h.List, kind: e.Kind, since: h.Since,
		datasets: setOf(datasets, e.Datasets), bodies: setOf(bodies, e.Bodies), tier: uint8(e.PEPTier),
	}}, err
}

// follow reads the log. The lists are those of the moment before: an entry may
// be newer than its list says for as long as it takes to read a few thousand.
func (x *Index) follow(ctx context.Context) error {
	x.mu.RLock()
	after := x.edition.Change
	x.mu.RUnlock()
	lists, err := x.Store.LoadedLists(ctx)
	if err != nil {
		return err
	}
	for {
		changes, err := x.Store.EntryChanges(ctx, after, rebuildFrom)
		if err != nil {
			return err
		}
		if len(changes) == 0 {
			break
		}
		if err := x.take(ctx, changes); err != nil {
			return err
		}
		after = changes[len(changes)-1].Number
	}
	x.names.Step()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.edition, x.ready = Edition{Lists: lists, Change: after}, true
	return nil
}

// take puts changed entries into the index.
func (x *Index) take(ctx context.Context, changes []Change) error {
	ids := make([]EntryID, len(changes))
	for i, c := range changes {
		ids[i] = c.Entry
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	held, err := x.Store.Entries(ctx, ids)
	if err != nil {
		return fmt.Errorf("read changed entries: %w", err)
	}
	for _, id := range ids {
		h, there := held[id]
		var r readEntry
		if there {
			if r, err = readHeld(h); err != nil {
				return err
			}
		}
		x.put(id, r, there)
	}
	return nil
}

func (x *Index) put(id EntryID, r readEntry, there bool) {
	var kinds []match.Kind
	if there {
		kinds = r.kind.matchKinds()
		for _, k := range kinds {
			x.names.Put(slotID(id, k), r.entry.matched(k))
		}
	}
	for _, k := range []match.Kind{match.Person, match.Company} {
		if !slices.Contains(kinds, k) {
			x.names.Delete(slotID(id, k))
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if was, known := x.entries[id]; known {
		x.census.add(was, -1)
		delete(x.entries, id)
	}
	if there {
		x.entries[id] = r.indexed
		x.census.add(r.indexed, 1)
		addNumbers(x.numbers, &r)
	}
}

// addNumbers adds the numbers by which an entry names a company. One that an
// entry lost stays until the index is built anew: who asks looks at the entry.
func addNumbers(numbers map[string][]EntryID, r *readEntry) {
	if !r.entry.sanctioned() {
		return
	}
	for _, n := range r.entry.numbers() {
		if of := numbers[n.String()]; !slices.Contains(of, r.id) {
			numbers[n.String()] = append(of, r.id)
		}
	}
}

// numbered are the entries that may name a company by a number.
func (x *Index) numbered(n string) []EntryID {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return slices.Clone(x.numbers[n])
}

// A found is an entry that a search brought up.
type found struct {
	id EntryID
	indexed
	match.Verdict
}

// errNotReady is the answer while the lists are being read.
var errNotReady = fault.Busy.Errorf("the lists are still being loaded; try again in a moment")

// search finds the entries that score at least as much as least, the likeliest
// first, and among them those that pass, at most limit; whole says that there
// are no more. The names come sorted, so that the first below the threshold is
// the end of them.
func (x *Index) search(q match.Subject, least float64, limit int, pass func(indexed) bool) (out []found, whole bool, err error) {
	x.mu.RLock()
	names, ready := x.names, x.ready
	x.mu.RUnlock()
	if !ready {
		return nil, false, errNotReady
	}
	for k := firstLook; ; k *= 4 {
		candidates := names.Search(q, k, match.Filter{})
		out, left := []found(nil), 0
		x.mu.RLock()
		for _, c := range candidates {
			id := EntryID(c.ID >> 1)
			i, known := x.entries[id]
			switch {
			case c.Score < least || !known || !pass(i):
			case len(out) < limit:
				out = append(out, found{id, i, c.Verdict})
			default:
				left++
			}
		}
		x.mu.RUnlock()
		all := len(candidates) < k || candidates[k-1].Score < least
		if all || left > 0 || k >= lastLook {
			return out, all && left == 0, nil
		}
	}
}

// How many names a search looks at: few at first, since most subjects are on no
// list, and more only where all of those are near.
const (
	firstLook = 8
	lastLook  = 512
)
