package kyc

import (
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
	Also   map[ScheduleID][]Also // whom those look for from now on, in the place of before
}

// The names under which readers have their places: two in the log of lists, two
// in the register's.
const (
	WatchReader       = "kyc alerts"
	ListedEntryReader = "kyc listed entries"

	FirmReader       = "kyc companies"
	ListedFirmReader = "kyc listed companies"
)

// watchedAtOnce is how many schedules are read at once.
const watchedAtOnce = 2000

// Rescreen finds what changes of lists mean for the searches that are on a
// schedule. Only subjects that a changed entry is near to are screened again:
// the changed entries are an index of their own, and every subject is looked up
// in it, by the same engine that a search asks.
func (s *Searches) Rescreen(ctx context.Context, changes []Change) ([]Alert, error) {
	if err := s.Screener.Index.Refresh(ctx); err != nil {
		return nil, err
	}
	left, err := s.left(ctx, changes)
	if err != nil {
		return nil, err
	}
	delta, err := s.delta(ctx, changes)
	if err != nil || delta.Len() == 0 {
		return left, err
	}
	found, err := s.rescreenIf(ctx, func(w Watched) (bool, error) {
		for _, who := range w.Schedule.subjects() {
			q, err := who.Subject.asked()
			if err != nil {
				return false, err
			}
			near := delta.Search(q, 1, match.Filter{})
			if len(near) > 0 && near[0].Score >= float64(w.Schedule.Threshold)/100 {
				return true, nil
			}
		}
		return false, nil
	})
	return append(left, found...), err
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
func (s *Searches) RescreenAll(ctx context.Context) ([]Alert, error) {
	if err := s.Screener.Index.Refresh(ctx); err != nil {
		return nil, err
	}
	return s.rescreenIf(ctx, func(Watched) (bool, error) { return true, nil })
}

func (s *Searches) rescreenIf(ctx context.Context, touched func(Watched) (bool, error)) (out []Alert, err error) {
	for after := ScheduleID(""); ; {
		list, err := s.Store.KYCWatched(ctx, after, watchedAtOnce)
		if err != nil {
			return nil, err
		}
		for _, w := range list {
			is, err := touched(w)
			if err != nil {
				return nil, err
			}
			if !is {
				continue
			}
			alerts, err := s.rescreen(ctx, w)
			if err != nil {
				return nil, err
			}
			out = append(out, alerts...)
		}
		if len(list) < watchedAtOnce {
			return out, nil
		}
		after = list[len(list)-1].Schedule.ID
	}
}

// delta is an index of the entries that changed, as they are now.
func (s *Searches) delta(ctx context.Context, changes []Change) (*match.Index, error) {
	var ids []EntryID
	for _, c := range changes {
		ids = append(ids, c.Entry)
	}
	slices.Sort(ids)
	held, err := s.Screener.Store.Entries(ctx, slices.Compact(ids))
	if err != nil {
		return nil, err
	}
	read := make([]readEntry, 0, len(held))
	for _, h := range held {
		r, err := readHeld(h)
		if err != nil {
			return nil, err
		}
		read = append(read, r)
	}
	var slots []slot
	for i := range read {
		for _, k := range read[i].kind.matchKinds() {
			slots = append(slots, slot{&read[i], k})
		}
	}
	return match.BuildIndex(len(slots), func(i int) (uint64, match.Subject) {
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
