package kyc_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/job"
	"bureau/internal/kyc"
	"bureau/internal/match"
	"bureau/internal/match/fit"
	"bureau/internal/store"
)

// A crowd is lists that change and searches that are watched, all made up from a
// seed.
type crowd struct {
	*rand.Rand
	names *fit.Damager
	list  []kyc.Record
	next  int
}

func newCrowd(seed uint64, entries int) *crowd {
	c := &crowd{Rand: rand.New(rand.NewPCG(seed, 9)), names: fit.NewDamager(seed)}
	for range entries {
		c.list = append(c.list, c.entry())
	}
	return c
}

func (c *crowd) name(person bool) string {
	if person {
		return c.names.Person()
	}
	return c.names.Company()
}

// pick returns one of several.
func pick[T any](c *crowd, of ...T) T { return of[c.IntN(len(of))] }

func (c *crowd) entry() kyc.Record {
	c.next++
	kind := pick(c, kyc.Person, kyc.Person, kyc.Company, kyc.Vessel, kyc.Other)
	e := kyc.Entry{
		List: "test", Number: fmt.Sprint("N", c.next), Kind: kind, Names: []kyc.Name{{Text: c.name(kind == kyc.Person)}},
		Datasets: []kyc.Dataset{pick(c, kyc.SANCurrent, kyc.SANCurrent, kyc.PEPCurrent)}, Bodies: []kyc.Body{pick(c, kyc.UN, kyc.EU)},
	}
	if c.IntN(3) == 0 {
		e.Names = append(e.Names, kyc.Name{Text: c.name(kind == kyc.Person), Type: kyc.Alias, Weak: c.IntN(3) == 0})
	}
	if c.IntN(3) == 0 {
		e.Countries = []string{pick(c, "RU", "IR")}
	}
	return kyc.Record{Entry: e}
}

// request asks for one who is listed, in another spelling, or for anybody.
func (c *crowd) request() kyc.Request {
	r := kyc.Request{Person: c.IntN(2) == 0, Threshold: pick(c, 50, 60, 75, 75, 90, 100)}
	r.Name = c.name(r.Person)
	if c.IntN(3) > 0 {
		e := pick(c, c.list...)
		r.Person = e.Kind == kyc.Person
		r.Name = pick(c, e.Names...).Text
		if damaged, ok := c.names.Damage(pick(c, fit.Damages...), r.Name); ok {
			r.Name = damaged
		}
	}
	switch c.IntN(4) {
	case 0:
		r.Datasets = []string{pick(c, "SAN", "PEP")}
	case 1:
		r.Bodies = []string{pick(c, "UN", "EU")}
	case 2:
		r.Countries = []string{pick(c, "RU", "GB")}
	}
	return r
}

// turn changes lists: some entries come, some go, some are called otherwise, some
// only change in words.
func (c *crowd) turn(searches []kyc.Request) {
	for range 4 {
		i := c.IntN(len(c.list))
		e := &c.list[i].Entry
		switch c.IntN(4) {
		case 0:
			c.list = slices.Delete(c.list, i, i+1)
		case 1:
			e.Reasons = append(e.Reasons, fmt.Sprint("more words ", c.IntN(1000)))
		default:
			// Somebody who is watched gets listed, under a name of their own spelling.
			name := pick(c, searches...).Name
			if other, ok := c.names.Damage(pick(c, fit.Damages...), name); ok {
				name = other
			}
			if e.Names = append(e.Names, kyc.Name{Text: name, Type: kyc.Alias}); c.IntN(2) == 0 {
				e.Names = e.Names[len(e.Names)-1:]
				e.Names[0].Type = ""
			}
		}
	}
	c.list = append(c.list, c.entry())
}

// fresh are records as a file would have them: an intake remembers what it wrote of
// those that it is given.
func fresh(list []kyc.Record) []kyc.Record {
	out := make([]kyc.Record, len(list))
	for i := range list {
		out[i].Entry = list[i].Entry
	}
	return out
}

// watch puts searches on schedules; those of the wire that make no sense are left
// out.
func (c *crowd) watch(t *testing.T, db *store.DB, s *kyc.Searches, by auth.Caller, n int) (out []kyc.Request) {
	t.Helper()
	for len(out) < n {
		r := c.request()
		if match.Read(match.Person, r.Name).Empty() {
			continue
		}
		search := create(t, db, s, by, r)
		_, err := s.Schedule(t.Context(), by, search.ID, kyc.ScheduleWish{})
		must(t, err)
		out = append(out, r)
	}
	return out
}

// What changes of lists alarm is what screening everybody again would find: over
// entries of all kinds that come, go and change, and searches with thresholds,
// datasets, bodies and countries of their own.
func TestAlertsEqualAFullRescreeningOfACrowd(t *testing.T) {
	const seeds = uint64(4)
	onBoth(t, func(t *testing.T, db *store.DB) {
		for seed := range seeds {
			s, c := newSearches(t, db), newCrowd(seed, 40)
			s.Block = 7
			by := auth.Caller{Customer: auth.CustomerID(100 + seed), Account: 8}
			mustTake(t, db, kyc.Intake{Whole: true, AcceptShrink: true}, fresh(c.list)...)
			must(t, s.Screener.Index.Refresh(t.Context()))
			asked := c.watch(t, db, s, by, 60)
			seen := 0
			for turn := range 4 {
				after, err := db.LastEntryChange(t.Context())
				must(t, err)
				c.turn(asked)
				mustTake(t, db, kyc.Intake{Whole: true, AcceptShrink: true}, fresh(c.list)...)
				changes, err := db.EntryChanges(t.Context(), after, 1000)
				must(t, err)
				all, err := s.RescreenAll(t.Context())
				must(t, err)
				var few []kyc.Alert
				rest, err := s.Rescreen(t.Context(), changes, 0, func(found []kyc.Alert, _ int64) error {
					few = append(few, found...)
					return nil
				})
				must(t, err)
				few = append(few, rest...)
				if got, want := told(few), told(all); !slices.Equal(got, want) {
					t.Errorf("seed %d, turn %d: alerts\n%q\nwant those of a full screening\n%q", seed, turn, got, want)
				}
				seen += len(told(few))
				must(t, db.AddKYCAlerts(t.Context(), few))
			}
			if seen == 0 {
				t.Errorf("seed %d: nothing was alarmed: the test sees nothing", seed)
			}
			must(t, endAll(t, s, by))
		}
	})
}

// endAll ends all schedules of a customer.
func endAll(t *testing.T, s *kyc.Searches, by auth.Caller) error {
	page, err := s.Schedules(t.Context(), by, kyc.ScheduleQuery{Limit: 1000})
	for _, sch := range page.List {
		if _, err := s.EndSchedule(t.Context(), by, sch.ID); err != nil {
			return err
		}
	}
	return err
}

// Work that is broken off goes on where it was, though more changes came
// meanwhile, and tells of everybody once.
func TestRescreeningGoesOnAfterACrash(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		ctx, by := t.Context(), auth.Caller{Customer: 7, Account: 8}
		s := newSearches(t, db)
		s.Block = 3
		mustTake(t, db, kyc.Intake{Whole: true}, person("test", "1", "Somebody Else"))
		must(t, s.Screener.Index.Refresh(ctx))
		const watched = 100
		for range watched {
			search := create(t, db, s, by, kyc.Request{Person: true, Name: "Ambrose Quillfeather"})
			_, err := s.Schedule(ctx, by, search.ID, kyc.ScheduleWish{})
			must(t, err)
		}
		mustTake(t, db, kyc.Intake{Whole: true}, person("test", "1", "Somebody Else"), person("test", "2", "Ambrose Quillfeather"))
		crash := errors.New("the process ends here")
		attempt := func(parts int) (from int64, err error) {
			changes, err := db.EntryChanges(ctx, place(t, db), 100)
			must(t, err)
			stage, err := db.KYCStage(ctx)
			must(t, err)
			batch, from := stage.Resume(changes)
			to := job.Place{Name: kyc.WatchReader, Number: batch[len(batch)-1].Number}
			rest, err := s.Rescreen(ctx, batch, from, func(found []kyc.Alert, at int64) error {
				if parts--; parts < 0 {
					return crash
				}
				return db.SaveKYCStage(ctx, found, nil, kyc.Stage{Change: to.Number, Number: at}, to)
			})
			if err != nil {
				return from, err
			}
			return from, db.SaveKYCAlerts(ctx, kyc.News{Alerts: rest}, nil, to)
		}
		if _, err := attempt(2); !errors.Is(err, crash) {
			t.Fatalf("got %v", err)
		}
		// The list changes again, in the middle of it.
		mustTake(t, db, kyc.Intake{Whole: true}, person("test", "1", "Somebody Else"), person("test", "2", "Ambrose Quillfeather"), person("test", "3", "Quillfeather Ambrose"))
		from, err := attempt(1 << 30)
		must(t, err)
		if from == 0 {
			t.Error("it began anew")
		}
		alerts := func() int64 {
			page, err := s.Alerts(ctx, by, kyc.AlertQuery{Limit: 1})
			must(t, err)
			return page.Total
		}
		// Those who were asked before the crash hear of the later change with its own batch.
		from, err = attempt(1 << 30)
		must(t, err)
		if got := alerts(); from != 0 || got != 2*watched {
			t.Errorf("%d alerts, want two for each of %d; the later batch began behind %d", got, watched, from)
		}
	})
}

func place(t *testing.T, db *store.DB) int64 {
	t.Helper()
	n, err := db.Place(t.Context(), kyc.WatchReader)
	must(t, err)
	return n
}

// Schedules of which it was never written down whom they look for are screened in
// full, and then it is.
func TestUnwrittenSchedulesAreScreened(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		ctx, by := t.Context(), auth.Caller{Customer: 7, Account: 8}
		s := newSearches(t, db)
		mustTake(t, db, kyc.Intake{Whole: true}, person("test", "1", "Somebody Else"))
		must(t, s.Screener.Index.Refresh(ctx))
		search := create(t, db, s, by, kyc.Request{Person: true, Name: "Ambrose Quillfeather"})
		_, err := s.Schedule(ctx, by, search.ID, kyc.ScheduleWish{})
		must(t, err)
		s.Store = &unwritten{SearchStore: s.Store}
		mustTake(t, db, kyc.Intake{Whole: true}, person("test", "1", "Somebody Else"), person("test", "2", "Ambrose Quillfeather"))
		changes, err := db.EntryChanges(ctx, 1, 10)
		must(t, err)
		alerts, err := s.Rescreen(ctx, changes, 0, nil)
		must(t, err)
		if written := s.Store.(*unwritten).written; len(alerts) != 1 || len(written) != 1 {
			t.Errorf("%d alerts, %v written", len(alerts), written)
		}
	})
}

// unwritten is a store from before whom schedules look for was written down.
type unwritten struct {
	kyc.SearchStore
	written []kyc.ScheduleID
}

func (u *unwritten) KYCWatching(ctx context.Context, after int64, limit int, list []kyc.Watching) ([]kyc.Watching, error) {
	list, err := u.SearchStore.KYCWatching(ctx, after, limit, list)
	for i := range list {
		list[i].Subjects = ""
	}
	return list, err
}

func (u *unwritten) WriteKYCWatching(ctx context.Context, w kyc.Watched) error {
	u.written = append(u.written, w.Schedule.ID)
	return u.SearchStore.WriteKYCWatching(ctx, w)
}
