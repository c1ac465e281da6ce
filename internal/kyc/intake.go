package kyc

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// A Record is what a file says about one entry.
type Record struct {
	Entry
	Gone bool         // a feed says that it is not listed any more; only its list and number are set
	AsOf company.Date // the day that the file speaks of; empty if it names none

	encoded []byte
}

// Check brings a record into its form and says what is wrong with it.
func (r *Record) Check() error {
	if r.tidy(); r.Gone {
		r.Names, r.Datasets = []Name{{Text: "-"}}, []Dataset{SAN} // nobody reads them
		r.Kind = Other
	}
	return r.check()
}

// Prepare writes a record as it is kept, while others are being taken in.
func (r *Record) Prepare() {
	if b, err := r.encode(); err == nil {
		r.encoded = b
	}
}

// An Intake takes the records of one import in. A list is changed at the end, at
// once, or not at all: until then what was read is put aside.
type Intake struct {
	Store        Store
	File         string
	Whole        bool   // what the file does not hold is gone
	Only         string // the list that it is the whole of, also without an entry; empty: the entries say
	AcceptShrink bool
	AcceptOlder  bool
	Now          func() time.Time
	Result

	lists  map[string]*intakeList
	unread company.Unread
}

// Refused is told of each record that cannot be read: whom it may be about stays
// on the list.
func (in *Intake) Refused(raw string) { in.unread.Add(raw) }

// Naming is how a record that makes no sense may still be known.
func (r *Record) Naming() string { return r.Number }

// A Result is what an intake came to.
type Result struct {
	New, Changed, Unchanged, Removed int64
	Versions                         []Version // that came into force
}

// shrinkLimit is the part of a list that one import may take away without the
// operator's word. A file that is whole and still much too short has happened to
// every publisher.
const shrinkLimit = 5 // a fifth

// An intakeList is one list that the file speaks of.
type intakeList struct {
	name    string
	version int64
	before  map[string]Print
	seen    map[string]state
	asOf    company.Date
}

// A state is what became of an entry in this import.
type state struct {
	id EntryID
	is standing
}

type standing uint8

const (
	unchanged standing = iota + 1
	aside
	gone
)

// Add takes the next records.
func (in *Intake) Add(ctx context.Context, batch []Record) error {
	byList := map[string][]*Record{}
	for i := range batch {
		r := &batch[i]
		byList[r.List] = append(byList[r.List], r)
	}
	for _, name := range slices.Sorted(maps.Keys(byList)) {
		l, err := in.list(ctx, name)
		if err != nil {
			return err
		}
		if err := in.add(ctx, l, byList[name]); err != nil {
			return err
		}
	}
	return nil
}

// list begins a version of a list when its first record comes.
func (in *Intake) list(ctx context.Context, name string) (*intakeList, error) {
	if l := in.lists[name]; l != nil {
		return l, nil
	}
	l := &intakeList{name: name, before: map[string]Print{}, seen: map[string]state{}}
	var err error
	if l.version, err = in.Store.BeginList(ctx, name); err != nil {
		return nil, err
	}
	err = in.Store.EntryPrints(ctx, name, func(number string, p Print) { l.before[number] = p })
	if err != nil {
		return nil, err
	}
	if in.lists == nil {
		in.lists = map[string]*intakeList{}
	}
	in.lists[name] = l
	return l, nil
}

// add puts aside what is new or different. Of several records with one number
// the last holds.
func (in *Intake) add(ctx context.Context, l *intakeList, records []*Record) error {
	drafts := map[string]Draft{}
	var order []string
	put := func(d Draft) {
		if _, again := drafts[d.Number]; !again {
			order = append(order, d.Number)
		}
		drafts[d.Number] = d
	}
	for _, r := range records {
		if r.AsOf != "" {
			l.asOf = r.AsOf
		}
		was, known := l.before[r.Number]
		last := l.seen[r.Number]
		if r.Gone {
			if last.is == aside {
				put(Draft{ID: last.id, Number: r.Number, Undo: true})
			}
			l.seen[r.Number] = state{was.ID, gone}
			continue
		}
		if r.encoded == nil {
			r.Prepare()
		}
		hash := fingerprint(r.encoded)
		if known && was.Hash == hash {
			if last.is == aside {
				put(Draft{ID: was.ID, Number: r.Number, Undo: true})
			}
			l.seen[r.Number] = state{was.ID, unchanged}
			continue
		}
		put(Draft{ID: max(was.ID, last.id), Number: r.Number, Hash: hash, Facts: pack(r.encoded)})
		l.seen[r.Number] = state{max(was.ID, last.id), aside}
	}
	list := make([]Draft, len(order))
	for i, number := range order {
		list[i] = drafts[number]
	}
	if len(list) == 0 {
		return nil
	}
	ids, err := in.Store.PutAside(ctx, l.name, l.version, list)
	if err != nil {
		return err
	}
	for i, d := range list {
		if s := l.seen[d.Number]; s.is == aside {
			l.seen[d.Number] = state{ids[i], aside}
		}
	}
	return nil
}

// tally counts what a list comes to, and names what goes.
func (l *intakeList) tally(whole bool, unread *company.Unread) (res Result, goes []EntryID) {
	for number, s := range l.seen {
		was, known := l.before[number]
		switch {
		case s.is == unchanged:
			res.Unchanged++
		case s.is == gone && known:
			goes = append(goes, was.ID)
		case s.is == aside && known:
			res.Changed++
		case s.is == aside:
			res.New++
		}
	}
	if whole {
		for number, was := range l.before {
			if _, seen := l.seen[number]; !seen && !unread.MayName(number) {
				goes = append(goes, was.ID)
			}
		}
	}
	slices.Sort(goes)
	res.Removed = int64(len(goes))
	return res, goes
}

// shrinks says whether a list would lose more than it may.
func (l *intakeList) shrinks(res Result) bool {
	before := int64(len(l.before))
	after := before + res.New - res.Removed
	return (before-after)*shrinkLimit > before
}

// allowed says why a list is held for the operator's word.
func (in *Intake) allowed(ctx context.Context, l *intakeList) error {
	res, _ := l.tally(in.Whole, &in.unread)
	if !in.AcceptShrink && l.shrinks(res) {
		before := int64(len(l.before))
		return fault.Conflict.Errorf(
			"%s would shrink from %d entries to %d, by more than a fifth: nothing was changed. "+
				"If that is what its publisher did, import it again with --accept-shrink", l.name, before, before+res.New-res.Removed)
	}
	if in.AcceptOlder || !in.Whole || l.asOf == "" {
		return nil
	}
	last, err := in.Store.ListVersions(ctx, l.name, 1)
	if err != nil {
		return err
	}
	if len(last) > 0 && last[0].AsOf > l.asOf {
		return fault.Conflict.Errorf(
			"the file is %s of %s, and what is loaded is of %s: nothing was changed. "+
				"To go back to the older one, import it again with --accept-older", l.name, l.asOf, last[0].AsOf)
	}
	return nil
}

// Finish puts the new versions in force. If one of the lists would shrink too
// much, or become older, none is changed.
func (in *Intake) Finish(ctx context.Context) error {
	now := in.Now().UTC().Truncate(time.Millisecond)
	if in.Whole && in.Only != "" {
		if _, err := in.list(ctx, in.Only); err != nil {
			return err
		}
	}
	names := slices.Sorted(maps.Keys(in.lists))
	for _, name := range names {
		if err := in.allowed(ctx, in.lists[name]); err != nil {
			in.Drop(ctx)
			return err
		}
	}
	for _, name := range names {
		l := in.lists[name]
		res, goes := l.tally(in.Whole, &in.unread)
		v, err := in.Store.PublishList(ctx, Publication{
			List: name, Version: l.version, Gone: goes, File: in.File, At: now, AsOf: l.asOf,
		})
		if err != nil {
			return fmt.Errorf("publish %s: %w", name, err)
		}
		in.New += res.New
		in.Changed += res.Changed
		in.Unchanged += res.Unchanged
		in.Removed += res.Removed
		in.Versions = append(in.Versions, v)
	}
	in.lists = nil
	return nil
}

// Drop gives up what was not finished. It is not an error if that fails: the
// next import of the list takes it away.
func (in *Intake) Drop(ctx context.Context) {
	for name, l := range in.lists {
		_ = in.Store.DropAside(context.WithoutCancel(ctx), name, l.version)
	}
	in.lists = nil
}
