package kyc_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"bureau/internal/kyc"
	"bureau/internal/store"
	"bureau/internal/store/storetest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// onBoth runs a test on a fresh database of each kind.
func onBoth(t *testing.T, test func(t *testing.T, db *store.DB)) {
	for name, url := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "test.db") },
		"postgres": func(t *testing.T) string { return storetest.Postgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t, url(t)))
		})
	}
}

func open(t *testing.T, url string) *store.DB {
	t.Helper()
	db, err := storetest.Open(t.Context(), url, store.Open)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// person is an entry that has a name and little else.
func person(list, number, name string, datasets ...kyc.Dataset) kyc.Record {
	if len(datasets) == 0 {
		datasets = []kyc.Dataset{kyc.SANCurrent}
	}
	return kyc.Record{Entry: kyc.Entry{
		List: list, Number: number, Kind: kyc.Person, Names: []kyc.Name{{Text: name}}, Datasets: datasets, Bodies: []kyc.Body{kyc.UN},
	}}
}

// people are n entries with names of their own.
func people(list string, n int) []kyc.Record {
	var out []kyc.Record
	for i := range n {
		out = append(out, person(list, fmt.Sprint("N", i), fmt.Sprintf("Person %c%c Number%d", 'A'+i%26, 'a'+i/26, i)))
	}
	return out
}

// take imports records as one file, at some time.
func take(t *testing.T, db kyc.Store, in kyc.Intake, records ...kyc.Record) (kyc.Result, error) {
	t.Helper()
	in.Store = db
	if in.Now == nil {
		in.Now = func() time.Time { return noon }
	}
	for i := range records {
		if err := records[i].Check(); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Add(t.Context(), records); err != nil {
		return kyc.Result{}, err
	}
	err := in.Finish(t.Context())
	return in.Result, err
}

func mustTake(t *testing.T, db kyc.Store, in kyc.Intake, records ...kyc.Record) kyc.Result {
	t.Helper()
	got, err := take(t, db, in, records...)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func counts(r kyc.Result) string {
	return fmt.Sprintf("%d new, %d changed, %d unchanged, %d removed", r.New, r.Changed, r.Unchanged, r.Removed)
}

// held are the numbers and main names on a list now.
func held(t *testing.T, db kyc.Store, list string) map[string]string {
	t.Helper()
	out := map[string]string{}
	_, err := db.Standing(t.Context(), func(h kyc.Held) error {
		e, err := h.Entry()
		if h.List == list {
			out[h.Number] = e.Main()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
