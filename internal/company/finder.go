package company

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"bureau/internal/fault"
	"bureau/internal/match"
)

// A Finder finds companies and people. Names it finds in an index that it holds
// in memory, made from the register and kept current from its log; everything
// else it finds in the database.
type Finder struct {
	Register *Register
	Store    SearchStore
	Folder   string // where the index is kept between two runs; empty is nowhere

	// Veil says who of some people may not be found. Without it everybody may.
	Veil func(ctx context.Context, people []PersonID) (map[PersonID]bool, error)

	held  atomic.Pointer[namesHeld] // nil until it is ready
	mu    sync.Mutex                // held by Step and Save
	next  *namesHeld                // as far as it has come
	until int64                     // the change it must know before it is ready
	saved int64                     // the change up to which it was saved, and one more

	done, all atomic.Int64 // companies read, while it is built
}

// namesHeld is all that is held of names.
type namesHeld struct {
	companies, people *nameIndex
	place             int64 // the last change that is in it
}

// A nameIndex is an index and what its numbers stand for.
type nameIndex struct {
	index   *match.Index
	numbers *numbers
}

// stepBatch is how many changes are taken in at once.
const stepBatch = 2000

// Step takes in what happened since the last time, and reports whether there is
// more. The first step makes the index: from the file that Save wrote, or from
// the whole register.
func (f *Finder) Step(ctx context.Context) (more bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.next == nil {
		if err := f.open(ctx); err != nil {
			return false, err
		}
	}
	changes, err := f.Store.Changes(ctx, f.next.place, stepBatch)
	if err != nil {
		return false, fmt.Errorf("read the log for names: %w", err)
	}
	if len(changes) == stepBatch {
		if far, err := f.farBehind(ctx); err != nil || far {
			return true, errors.Join(err, f.rebuild(ctx))
		}
	}
	if err := f.take(ctx, changes); err != nil {
		return false, fmt.Errorf("take in changed names: %w", err)
	}
	if f.next.place >= f.until {
		f.held.Store(f.next)
	}
	return len(changes) == stepBatch, nil
}

// open makes the index, from what was saved if that is of this register.
func (f *Finder) open(ctx context.Context) (err error) {
	if f.until, err = f.Store.LastChange(ctx); err != nil {
		return fmt.Errorf("read the end of the log: %w", err)
	}
	if f.Folder != "" {
		f.next, err = f.load(ctx)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return err
		case !errors.Is(err, fs.ErrNotExist):
			// It is only a copy: whatever is wrong with it, it can be made anew.
			f.next = nil
		}
	}
	return f.rebuild(ctx)
}

// farBehind reports whether it is faster to make the index anew than to take in
// one change after the other.
func (f *Finder) farBehind(ctx context.Context) (bool, error) {
	last, err := f.Store.LastChange(ctx)
	behind := last - f.next.place
	return behind > int64(f.next.companies.index.Len()/2), err
}

// rebuild makes the index from the register. Searches use the old one meanwhile.
func (f *Finder) rebuild(ctx context.Context) error {
	fresh, err := f.build(ctx)
	if err != nil {
		return fmt.Errorf("make the index of names: %w", err)
	}
	f.next = fresh
	if f.next.place >= f.until {
		f.held.Store(f.next)
	}
	return nil
}

// take takes in changes: each company that they are about, as it is now.
func (f *Finder) take(ctx context.Context, changes []Change) error {
	ids := touched(changes, nameFields)
	for len(ids) > 0 {
		n := min(len(ids), 200)
		found, err := f.Register.Companies(ctx, ids[:n])
		if err != nil {
			return err
		}
		for _, id := range ids[:n] {
			c, ok := found[id]
			if !ok {
				f.next.companies.remove(string(id))
				continue
			}
			f.next.companies.put(string(id), c.subject())
			if err := f.takePeople(ctx, &c, found); err != nil {
				return err
			}
		}
		ids = ids[n:]
	}
	if len(changes) > 0 {
		f.next.place = changes[len(changes)-1].Number
	}
	return nil
}

// put keeps a subject in the index; one without a name is not in it.
func (x *nameIndex) put(id string, s match.Subject) {
	if len(s.Names) == 0 {
		x.remove(id)
		return
	}
	x.index.Put(x.numbers.give(id), s)
}

func (x *nameIndex) remove(id string) {
	if number, ok := x.numbers.of(id); ok {
		x.index.Delete(number)
	}
}

// Tidy puts together what changes have left of the index, if it is worth it.
func (f *Finder) Tidy(context.Context) error {
	if held := f.held.Load(); held != nil {
		held.companies.index.Step()
		held.people.index.Step()
	}
	return nil
}

// Ready reports whether names can be searched for; if not, why says how far it
// has come.
func (f *Finder) Ready() (why string, ok bool) {
	if f.held.Load() != nil {
		return "", true
	}
	if all := f.all.Load(); all > 0 {
		return fmt.Sprintf("the index of names is being made: %d of %d companies are in it", f.done.Load(), all), false
	}
	return "the index of names is being made", false
}

// names is the index, or a fault.Busy while there is none.
func (f *Finder) names() (*namesHeld, error) {
	held := f.held.Load()
	if held == nil {
		why, _ := f.Ready()
		return nil, fault.Busy.After(2*time.Second, "%s; searches by number, address or telephone work already", why)
	}
	return held, nil
}

// Size is how many companies and people can be found by name.
func (f *Finder) Size() (companies, people int) {
	held := f.held.Load()
	if held == nil {
		return 0, 0
	}
	return held.companies.index.Len(), held.people.index.Len()
}
