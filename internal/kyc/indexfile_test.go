package kyc_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/fault"
	"bureau/internal/kyc"
	"bureau/internal/store"
)

// readingStore counts how often all entries are read, and may fail to tell what
// changed.
type readingStore struct {
	kyc.Store
	read     int
	noChange error
}

func (s *readingStore) Standing(ctx context.Context, visit func(kyc.Held) error) (kyc.Edition, error) {
	s.read++
	return s.Store.Standing(ctx, visit)
}

func (s *readingStore) EntryChanges(ctx context.Context, after int64, limit int) ([]kyc.Change, error) {
	if s.noChange != nil && limit > 1 {
		return nil, s.noChange
	}
	return s.Store.EntryChanges(ctx, after, limit)
}

// keptIn makes an index of a world, keeps it in a folder and returns the file.
func keptIn(t *testing.T, folder string, db *store.DB) string {
	t.Helper()
	x := &kyc.Index{Store: db, Folder: folder}
	if err := errors.Join(x.Refresh(t.Context()), x.Save(t.Context())); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, "lists.names")
}

// same says whether an index finds what one finds that was built from the store,
// and says the same of what it looked at.
func same(t *testing.T, x *kyc.Index, db *store.DB) {
	t.Helper()
	now := func() time.Time { return noon.Add(24 * time.Hour) }
	got := &kyc.Screener{Index: x, Store: db, Now: now}
	anew := &kyc.Screener{Index: &kyc.Index{Store: db}, Store: db, Now: now}
	if err := errors.Join(x.Refresh(t.Context()), anew.Index.Refresh(t.Context())); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Aleksandr Brimwick", "Yusuf Calderhill", "Totally Renamed", "Newcomer Vandersloot"} {
		who := kyc.Subject{Person: true, Name: name}
		a, ca, err1 := got.Screen(t.Context(), who, kyc.Options{})
		b, cb, err2 := anew.Screen(t.Context(), who, kyc.Options{})
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(b, a); diff != "" {
			t.Errorf("%s (-anew +restored):\n%s", name, diff)
		}
		if diff := cmp.Diff(cb, ca); diff != "" {
			t.Errorf("coverage (-anew +restored):\n%s", diff)
		}
	}
}

// A restart goes on with the index that was kept, takes in what changed since, and
// answers nobody before it has.
func TestARestartRestoresTheLists(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		world(t, db)
		folder := t.TempDir()
		path := keptIn(t, folder, db)
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v (%v): only its owner may read it", info, err)
		}
		mustTake(t, db, kyc.Intake{AcceptShrink: true},
			person(kyc.UNSanctions, "2", "Totally Renamed"), person(kyc.UNSanctions, "4", "Newcomer Vandersloot", kyc.PEPFormer),
			kyc.Record{Entry: kyc.Entry{List: kyc.Watchlist, Number: "8"}, Gone: true})

		broken := errors.New("the line is dead")
		from := &readingStore{Store: db, noChange: broken}
		x := &kyc.Index{Store: from, Folder: folder}
		if err := x.Refresh(t.Context()); !errors.Is(err, broken) {
			t.Fatalf("the log cannot be read: %v", err)
		}
		early := &kyc.Screener{Index: x, Store: db, Now: time.Now}
		if _, _, err := early.Screen(t.Context(), kyc.Subject{Person: true, Name: "Totally Renamed"}, kyc.Options{}); !errors.Is(err, fault.Busy) || x.Ready() {
			t.Errorf("asked before it knows what changed: %v (ready: %t)", err, x.Ready())
		}
		from.noChange = nil
		same(t, x, db)
		if from.read != 0 {
			t.Errorf("all entries were read %d times", from.read)
		}

		mustTake(t, db, kyc.Intake{Whole: true}, people("big", 2500)...) // more than it follows one by one
		x = &kyc.Index{Store: db, Folder: folder}
		same(t, x, db)
	})
}

// A file that is damaged, of another database or of another program is not
// believed.
func TestAForeignIndexOfListsIsNotRestored(t *testing.T) {
	db := open(t, t.TempDir()+"/test.db")
	world(t, db)
	folder := t.TempDir()
	path := keptIn(t, folder, db)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	builds := func(what string, file []byte, on *store.DB) {
		t.Helper()
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		from := &readingStore{Store: on}
		x := &kyc.Index{Store: from, Folder: folder}
		if err := x.Refresh(t.Context()); err != nil || from.read != 1 {
			t.Fatalf("%s: all entries were read %d times (%v), want once", what, from.read, err)
		}
	}
	for cut := 0; cut < len(whole); cut += 1 + len(whole)/50 {
		builds("a file that was cut", whole[:cut], db)
	}
	for at := 0; at < len(whole); at += 1 + len(whole)/200 {
		flipped := slices.Clone(whole)
		flipped[at] ^= 0x40
		builds("a file with a wrong byte", flipped, db)
	}
	other := open(t, t.TempDir()+"/other.db")
	mustTake(t, other, kyc.Intake{Whole: true}, people(kyc.UNSanctions, 10)...)
	builds("of another database", whole, other)
	builds("of a database that is not as far", whole, open(t, t.TempDir()+"/empty.db"))
	kyc.BeAnotherProgram(t)
	builds("of another program", whole, db)
}
