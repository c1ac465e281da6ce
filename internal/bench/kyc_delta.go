package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"time"

	"bureau/internal/kyc"
	"bureau/internal/match"
	"bureau/internal/store"
)

const (
	watchMany   = 1_000_000
	watchChange = 1_000
)

// A watchedLists says what a change of lists took.
type watchedLists struct {
	CPU    float64 // s
	Near   float64
	Alerts float64
	MB     float64 // at most, of the heap
}

// watchPlace is a database with lists and very many who are watched, made once for
// each engine.
func (t *site) watchPlace(ctx context.Context) (string, error) {
	if at := t.w.watching[t.engine]; at != "" {
		return at, nil
	}
	began := time.Now()
	p, err := t.w.newPlace(ctx, "watching", t.engine)
	if err != nil {
		return "", err
	}
	if err := p.importLists(ctx, t.s.data(), 0); err != nil {
		return "", err
	}
	db, err := openDatabase(ctx, p.address())
	if err != nil {
		return "", err
	}
	defer db.close()
	n := watchMany
	if t.s.Small {
		n /= 100
	}
	if err := fillWatched(ctx, db, watchedNames(n)); err != nil {
		return "", err
	}
	for _, statement := range p.settle() {
		if err := db.exec(ctx, statement); err != nil {
			return "", err
		}
	}
	if t.w.watching == nil {
		t.w.watching = map[string]string{}
	}
	t.w.watching[t.engine] = p.address()
	t.w.say("%s: %d are watched, made in %v", t.engine, n, time.Since(began).Round(time.Second))
	return p.address(), nil
}

// watchedNames are people and companies as customers have them, half and half: the
// given and family names of the Febrl data in new pairs, and real companies of
// Britain and Germany; made-up ones where those are not at hand.
func watchedNames(n int) []sought {
	people := ordinaryPeople()
	companies, _ := sharedData.companyNames(min(n, 1_000_000))
	british := sharedData.innocentNames(match.Company, 1<<20)
	out := make([]sought, n)
	for i := range out {
		switch i % 4 {
		case 0, 2:
			out[i] = sought{true, repair(people, i)}
		case 1:
			out[i] = sought{false, companies[i*7919%len(companies)]}
		case 3:
			out[i] = sought{false, british[i*104_729%len(british)]}
		}
		if r := []rune(out[i].Name); len(r) > longestSought {
			out[i].Name = string(r[:longestSought])
		}
	}
	return out
}

// ordinaryPeople are the names of the Febrl data, or made-up ones.
func ordinaryPeople() []string {
	people, err := febrlNames()
	if err != nil {
		return sharedData.innocentNames(match.Person, 20_000)
	}
	return people
}

// longestSought is the length of name that a search takes.
const longestSought = 200

// repair puts the first part of one name before the last of another.
func repair(names []string, i int) string {
	a, b := names[i*7919%len(names)], names[(i/len(names)*31+i%7)%len(names)]
	first, _ := cutName(a)
	_, last := cutName(b)
	return first + " " + last
}

func cutName(name string) (first, last string) {
	for i := len(name) - 1; i > 0; i-- {
		if name[i] == ' ' {
			return name[:i], name[i+1:]
		}
	}
	return name, name
}

// fillWatched puts searches on schedules, straight into their tables.
func fillWatched(ctx context.Context, db database, who []sought) error {
	const at, part = int64(1_760_000_000_000), 50_000
	for from := 0; from < len(who); from += part {
		var subjects, searches, schedules, watched [][]any
		for i := from; i < min(from+part, len(who)); i++ {
			id := func(of string) string { return fmt.Sprintf("%s%07d-0000-4000-8000-%012d", of, i*7919%9_999_991, i) }
			hash, kind, person := fmt.Sprintf("%064x", i), "b", int64(0)
			if who[i].Person {
				kind, person = "p", 1
			}
			text, err := json.Marshal(map[string]any{
				"subject": map[string]any{"name": who[i].Name, "person": who[i].Person},
				"options": map[string]any{"threshold": 75, "datasets": []string{"SAN"}, "limit": 500},
			})
			if err != nil {
				return err
			}
			subjects = append(subjects, []any{int64(1), hash, []byte("0123456789abcdef"), at})
			searches = append(searches, []any{id("1"), int64(1), hash, person, string(text), "{}", "new", "notApplicable", int64(0), "", id("2"), at, int64(1), at, int64(1)})
			schedules = append(schedules, []any{id("2"), int64(1), id("1"), int64(75), `["SAN"]`, int64(0), "[]", at, int64(1), at, int64(1), int64(i + 1)})
			watched = append(watched, []any{int64(i + 1), id("2"), int64(75), kind + "\x1f" + who[i].Name})
		}
		for _, t := range []struct {
			name    string
			columns []string
			rows    [][]any
		}{
			{"kyc_subject", []string{"customer", "sought", "secret", "created_at"}, subjects},
			{"kyc_search", []string{
				"id", "customer", "sought", "person", "asked", "looked", "status", "risk", "assigned_to", "note", "schedule",
				"created_at", "created_by", "modified_at", "modified_by",
			}, searches},
			{"kyc_schedule", []string{
				"id", "customer", "search", "threshold", "datasets", "email", "recipients", "created_at", "created_by", "modified_at", "modified_by", "version",
			}, schedules},
			{"kyc_watch", []string{"version", "schedule", "threshold", "subjects"}, watched},
		} {
			if err := insertValues(ctx, db, t.name, t.columns, t.rows); err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
		}
	}
	return nil
}

func watchBare(ctx context.Context, t *site, _ sample) (sample, error) {
	at, err := t.watchPlace(ctx)
	if err != nil {
		return sample{}, err
	}
	db, err := openDatabase(ctx, at)
	if err != nil {
		return sample{}, err
	}
	defer db.close()
	n, before := 0.0, ownCPU()
	err = eachRow(ctx, db, 4, `SELECT version, schedule, threshold, subjects FROM kyc_watch ORDER BY version`, func([]any) { n++ })
	used := (ownCPU() - before).Seconds()
	return sample{value: used, cpu: used / n * 1e6}, err
}

func watchOurs(ctx context.Context, t *site, _ sample) (sample, error) {
	at, err := t.watchPlace(ctx)
	if err != nil {
		return sample{}, err
	}
	n, change := watchMany, watchChange
	if t.s.Small {
		n /= 100
	}
	got, err := ask[watchedLists](ctx, "watch", screening{Address: at, Entries: change})
	return sample{value: got.CPU, cpu: got.CPU / float64(n) * 1e6, also: []float64{got.CPU, got.Near, got.Alerts, got.MB}}, err
}

// watchLists finds what changes mean for the watched. The entries stand in the
// lists already; loading those is not on its clock.
func watchLists(ctx context.Context, s *kyc.Searches, db *store.DB, o screening) (any, error) {
	all, err := db.EntryChanges(ctx, 0, 1<<20)
	if err != nil {
		return nil, err
	}
	var changes []kyc.Change
	for i := 0; i < len(all) && len(changes) < o.Entries; i += max(1, len(all)/o.Entries) {
		changes = append(changes, all[i])
	}
	counting := &countingStore{SearchStore: s.Store}
	s.Store = counting
	var r watchedLists
	keep := func(found []kyc.Alert, _ int64) error {
		r.Alerts += float64(len(found))
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		r.MB = max(r.MB, float64(m.HeapAlloc)/1e6)
		return nil
	}
	before := ownCPU()
	rest, err := s.Rescreen(ctx, changes, 0, keep)
	if err != nil {
		return nil, err
	}
	r.CPU = (ownCPU() - before).Seconds()
	_ = keep(rest, 0)
	r.Near = float64(counting.near)
	return r, nil
}

// countingStore counts those who are read in full.
type countingStore struct {
	kyc.SearchStore
	near int
}

func (c *countingStore) KYCWatchedByID(ctx context.Context, ids []kyc.ScheduleID) ([]kyc.Watched, error) {
	c.near += len(ids)
	return c.SearchStore.KYCWatchedByID(ctx, ids)
}
