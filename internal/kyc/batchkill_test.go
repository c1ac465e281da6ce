package kyc_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/job"
	"bureau/internal/kyc"
	"bureau/internal/store"
	"bureau/internal/store/storetest"
)

const batchHolder = 7

// A process that screens a file is killed with no warning, again and again. In
// the end every row has one search, and the audit log tells of each once.
func TestKilledBatchScreensEachRowOnce(t *testing.T) {
	if url := os.Getenv("BUREAU_SCREEN_ON"); url != "" {
		screenForEver(t, url) // this is the other process
	}
	for name, url := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "test.db") },
		"postgres": func(t *testing.T) string { return storetest.Postgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := url(t)
			db := open(t, at)
			mustTake(t, db, kyc.Intake{Whole: true}, person("test", "1", "Casimir Thistlewood"))
			by := auth.Caller{Customer: batchHolder, Account: 8}
			const rows = 400
			batches, _ := newBatches(t, db)
			b := uploadRows(t, batches, by, rows)
			var err error
			chance := rand.New(rand.NewPCG(3, uint64(len(name))))
			for range 5 {
				screenAndKill(t, at, 1+chance.IntN(2), time.Duration(chance.IntN(30))*time.Millisecond)
			}
			screenAndKill(t, at, 1<<30, 0)
			if b, err = batches.Get(t.Context(), by, kyc.Upload, string(b.ID)); err != nil || b.Status() != "completed" || b.Done != rows {
				t.Fatalf("got %+v %v", b, err)
			}
			page, err := db.KYCSearches(t.Context(), by, kyc.SearchQuery{Person: true, Limit: 2 * rows})
			must(t, err)
			deeds, _, err := db.Deeds(t.Context(), by, kyc.DeedQuery{Limit: 2 * rows})
			must(t, err)
			if len(deeds) != rows {
				t.Errorf("the audit log tells of %d searches, want %d", len(deeds), rows)
			}
			noted := map[string]bool{}
			for _, d := range deeds {
				noted[d.Detail] = true
			}
			subjects := map[string]bool{}
			for _, s := range page.List {
				subjects[s.Subject.Name] = true
				if !noted[kyc.Deed{Category: kyc.OfSearch, Action: kyc.Created, Search: string(s.ID), Batch: string(b.ID)}.Detail()] {
					t.Errorf("the audit log does not tell of search %s", s.ID)
				}
			}
			if len(page.List) != rows || len(subjects) != rows {
				t.Errorf("%d searches for %d subjects, want %d of each", len(page.List), len(subjects), rows)
			}
		})
	}
}

// screenAndKill starts a process that screens, and kills it a while after it has
// kept its progress so often, or waits for its end.
func screenAndKill(t *testing.T, url string, kept int, while time.Duration) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestKilledBatchScreensEachRowOnce$")
	c.Env = append(os.Environ(), "BUREAU_SCREEN_ON="+url)
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	defer c.Wait()
	defer c.Process.Kill()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() == "over" {
			return
		}
		if lines.Text() == "kept" {
			kept--
		}
		if kept == 0 {
			time.Sleep(while) // somewhere in the next rows
			return
		}
	}
	t.Fatal("the process ended by itself")
}

// telling says when progress was kept.
type telling struct{ kyc.BatchStore }

func (s telling) KeepBatch(ctx context.Context, h *job.Hold, id kyc.BatchID, failed []kyc.BatchRow) error {
	err := s.BatchStore.KeepBatch(ctx, h, id, failed)
	fmt.Println("kept")
	return err
}

func newBatches(t *testing.T, db *store.DB) (*kyc.Batches, *auth.Journal) {
	t.Helper()
	dir, err := auth.NewDirectory(t.Context(), db, testVault(t), auth.DefaultLoginRules, time.Now)
	must(t, err)
	journal := auth.NewJournal(dir)
	s := newSearches(t, db)
	must(t, s.Screener.Index.Refresh(t.Context()))
	return &kyc.Batches{Store: db, Searches: s, Gate: &auth.Gate{Journal: journal, Directory: dir, Now: time.Now}, Wake: new(job.Signal), Now: time.Now}, journal
}

func screenForEver(t *testing.T, url string) {
	db := open(t, url)
	batches, journal := newBatches(t, db)
	batches.Store = telling{db}
	go journal.Run(t.Context()) // until the process is dead
	w := &job.Worker{Kinds: batches.Kinds(), Store: db, Owner: fmt.Sprint(os.Getpid()), Life: 300 * time.Millisecond, Wake: batches.Wake}
	for {
		worked, err := w.Step(t.Context())
		if err != nil {
			fmt.Println(err)
		}
		if open, err := db.OpenTasks(t.Context(), batchHolder); err == nil && open == 0 {
			fmt.Println("over")
		}
		if !worked {
			time.Sleep(20 * time.Millisecond) // until the dead one's time is over
		}
	}
}

// uploadRows uploads a file of people who are all near one on the list.
func uploadRows(t *testing.T, batches *kyc.Batches, by auth.Caller, rows int) kyc.Batch {
	t.Helper()
	file := "type,name\n"
	for i := range rows {
		file += fmt.Sprintf("individual,Casimir Thistlewood the %d.\n", i)
	}
	received, err := batches.Receive(t.Context(), strings.NewReader(file))
	must(t, err)
	b, err := batches.Upload(t.Context(), by, "people.csv", received)
	must(t, err)
	return b
}
