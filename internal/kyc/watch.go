package kyc

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"bureau/internal/auth"
	"bureau/internal/match"
)

// A Watched is a schedule of any customer, with its search.
type Watched struct {
	Customer auth.CustomerID
	Schedule Schedule
}

// An Alert is a hit that a schedule found.
type Alert struct {
	SavedHit
	Customer auth.CustomerID
	Schedule ScheduleID
	Person   bool
	List     string // whose entry it is

	Cause      NoticeCause
	At         time.Time
	Recipients []string // who wants to hear of it by mail
	Number     int64    // given when it is kept
}

// News are what a change of lists or companies means for schedules.
type News struct {
	Alerts []Alert
	Also   map[ScheduleID]OtherAlso // whom those look for from now on, in the place of before
}

// The names under which readers have their places: two in the log of lists, two
// in the register's.
const (
	WatchReader       = "kyc alerts"
	ListedEntryReader = "kyc listed entries"

	FirmReader       = "kyc companies"
	ListedFirmReader = "kyc listed companies"
)

// watchedAtOnce is how many of the watched are read at once, unless Searches says
// otherwise. What was found is kept after so many such blocks, or so many alerts:
// more would be lost in a crash, or lie in memory.
const (
	watchedAtOnce = 10_000
	keepBlocks    = 10
	keepAlerts    = 500
)

// A Stage is how far the work on a batch of changes has come, which takes a while
// when very many are watched.
type Stage struct {
	Change int64 // the last of the batch
	Number int64 // the last of the watched who was asked
}

// Resume is the part of a batch that an earlier attempt was at, and how far that
// had come. A batch that is another than the stage's begins anew.
func (s Stage) Resume(batch []Change) ([]Change, int64) {
	for i := range batch {
		if batch[i].Number == s.Change {
			return batch[:i+1], s.Number
		}
	}
	return batch, 0
}

// Rescreen finds what changes of lists mean for the searches that are on a
// schedule. Only subjects that a changed entry is near to are screened again: the
// changed entries are a net through which all who are watched are passed, by the
// same engine that a search asks. It begins behind one of the watched. What it
// finds is kept as it goes, with how far it has come; it returns the rest.
func (s *Searches) Rescreen(ctx context.Context, changes []Change, after int64, keep func([]Alert, int64) error) ([]Alert, error) {
	if err := s.Screener.Index.Refresh(ctx); err != nil {
		return nil, err
	}
	found, err := s.left(ctx, changes)
	if err != nil {
		return nil, err
	}
	net, err := s.net(ctx, changes)
	if err != nil || net.Len() == 0 {
		return found, err
	}
	var block []Watching
	reader := match.NewReader()
	size := cmp.Or(s.Block, watchedAtOnce)
	for asked := 1; ; asked++ {
		if block, err = s.Store.KYCWatching(ctx, after, size, block[:0]); err != nil {
			return nil, err
		}
		near, err := nearTo(net, reader.Read, block)
		if err != nil {
			return nil, err
		}
		alerts, err := s.rescreenThose(ctx, near)
		if err != nil {
			return nil, err
		}
		found = append(found, alerts...)
		if len(block) < size {
			return found, nil
		}
		after = block[len(block)-1].Number
		if asked%keepBlocks == 0 || len(found) >= keepAlerts {
			if err := keep(found, after); err != nil {
				return nil, err
			}
			found = nil
		}
	}
}

// nearTo are those of the watched who get caught in a net. Those of whom it is not
// written down whom they look for do.
func nearTo(net *match.Net, read func(match.Kind, string) match.Name, block []Watching) (near []Watching, err error) {
	for i := range block {
		w := &block[i]
		caught := w.Subjects == ""
		if !caught {
			err = w.subjects(read, func(q *match.Subject) bool {
				caught = net.Catches(q, float64(w.Threshold)/100)
				return caught
			})
			if err != nil {
				return nil, err
			}
		}
		if caught {
			near = append(near, *w)
		}
	}
	return near, nil
}

// rescreenThose screens some of the watched again.
func (s *Searches) rescreenThose(ctx context.Context, near []Watching) (out []Alert, err error) {
	if len(near) == 0 {
		return nil, nil
	}
	ids, unwritten := make([]ScheduleID, len(near)), map[ScheduleID]bool{}
	for i, w := range near {
		ids[i] = w.Schedule
		if w.Subjects == "" {
			unwritten[w.Schedule] = true
		}
	}
	list, err := s.Store.KYCWatchedByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	if out, err = s.rescreenEach(ctx, list); err != nil {
		return nil, err
	}
	for _, w := range list {
		if unwritten[w.Schedule.ID] {
			if err := s.Store.WriteKYCWatching(ctx, w); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// rescreenEach is rescreen for all of a list.
func (s *Searches) rescreenEach(ctx context.Context, list []Watched) (out []Alert, err error) {
	for _, w := range list {
		alerts, err := s.rescreen(ctx, w)
		if err != nil {
			return nil, err
		}
		out = append(out, alerts...)
	}
	return out, nil
}

// left are the alerts of entries that left their list, for whoever has a hit on
// one and did not judge it false.
func (s *Searches) left(ctx context.Context, changes []Change) (out []Alert, err error) {
	lists := map[EntryID]string{}
	for _, c := range changes {
		delete(lists, c.Entry) // it may have come back since
		if c.Kind == Removed {
			lists[c.Entry] = c.List
		}
	}
	hits, err := s.Store.KYCHitsOn(ctx, slices.Sorted(maps.Keys(lists)))
	for _, a := range hits {
		if a.Decision.quiet() {
			continue
		}
		a.List, a.Cause, a.At = lists[a.Entry], EntryLeft, s.now()
		out = append(out, a)
	}
	return out, err
}

// RescreenAll screens everybody who is on a schedule again. Rescreen finds the
// same, with less work.
func (s *Searches) RescreenAll(ctx context.Context) (out []Alert, err error) {
	if err := s.Screener.Index.Refresh(ctx); err != nil {
		return nil, err
	}
	for after := ScheduleID(""); ; {
		list, err := s.Store.KYCWatched(ctx, after, watchedAtOnce)
		if err != nil {
			return nil, err
		}
		alerts, err := s.rescreenEach(ctx, list)
		if err != nil {
			return nil, err
		}
		if out = append(out, alerts...); len(list) < watchedAtOnce {
			return out, nil
		}
		after = list[len(list)-1].Schedule.ID
	}
}

// net is made of the entries that changed, as they are now.
func (s *Searches) net(ctx context.Context, changes []Change) (*match.Net, error) {
	ids := make([]EntryID, len(changes))
	for i, c := range changes {
		ids[i] = c.Entry
	}
	slices.Sort(ids)
	held, err := s.Screener.Store.Entries(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	read, err := readAll(slices.Collect(maps.Values(held)))
	if err != nil {
		return nil, err
	}
	var slots []slot
	for i := range read {
		for _, k := range read[i].kind.matchKinds() {
			slots = append(slots, slot{&read[i], k})
		}
	}
	return match.NewNet(len(slots), func(i int) (uint64, match.Subject) {
		return slotID(slots[i].of.id, slots[i].kind), slots[i].of.entry.matched(slots[i].kind)
	}), nil
}

// rescreen asks a search again, and returns what is new. Who was found before is
// news only if the hit was judged false and something changed that matters.
func (s *Searches) rescreen(ctx context.Context, w Watched) ([]Alert, error) {
	search := w.Schedule.Of
	by := auth.Caller{Customer: w.Customer}
	var was map[EntryID]*SavedHit
	var out []Alert
	for _, who := range w.Schedule.subjects() {
		o := search.Options
		o.Threshold, o.Datasets = w.Schedule.Threshold, w.Schedule.Datasets
		hits, _, err := s.Screener.Screen(ctx, who.Subject, o)
		if err != nil {
			return nil, err
		}
		if len(hits) == 0 {
			continue
		}
		if was == nil {
			if was, err = s.known(ctx, by, search.ID); err != nil {
				return nil, err
			}
		}
		fresh := slices.DeleteFunc(hits, func(h Hit) bool {
			old, known := was[h.ID]
			return known && (old == nil || old.Verdict.Left.IsZero() && (!old.Decision.quiet() || old.Since == h.Since))
		})
		kept, err := s.judge(ctx, by, search, who.Subject, fresh)
		if err != nil {
			return nil, err
		}
		for i, h := range kept {
			if h.Decision.quiet() {
				continue // judged before, and nothing changed that matters
			}
			if old := was[h.Entry]; old != nil {
				h.Supersedes = old.ID
			}
			if who.Why != "" {
				h.Verdict.Changes = append([]string{who.Why}, h.Verdict.Changes...)
			}
			was[h.Entry] = nil // it is told of once, whoever of them it is near to
			out = append(out, w.alert(h, fresh[i].Entry.List))
		}
	}
	return out, nil
}

// alert is a hit that a schedule found.
func (w Watched) alert(h SavedHit, list string) Alert {
	a := Alert{
		SavedHit: h, Customer: w.Customer, Schedule: w.Schedule.ID, Person: w.Schedule.Of.Subject.Person, List: list, Cause: NewHit, At: h.CreatedAt,
	}
	if w.Schedule.Email {
		a.Recipients = w.Schedule.Recipients
	}
	return a
}

// known are the current hits of a search, by their entries.
func (s *Searches) known(ctx context.Context, by auth.Caller, id SearchID) (map[EntryID]*SavedHit, error) {
	page, err := s.Store.KYCHits(ctx, by, HitQuery{Search: id, Limit: 1 << 20})
	was := make(map[EntryID]*SavedHit, len(page.List))
	for i := range page.List {
		was[page.List[i].Entry] = &page.List[i]
	}
	return was, err
}
