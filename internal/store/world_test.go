package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bureau/internal/auth"
)

// A world is a database that has been in use for a while.
type world struct {
	db      *DB
	vault   *auth.Vault
	journal *auth.Journal
	office  *auth.Office
}

// newWorld starts a journal on a database; it stops with the test.
func newWorld(t *testing.T, db *DB) world {
	t.Helper()
	vault, err := auth.NewVault(bytes.Repeat([]byte{7}, auth.MasterKeySize))
	if err != nil {
		t.Fatal(err)
	}
	d, err := auth.NewDirectory(t.Context(), db, vault, auth.DefaultLoginRules, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	w := world{db: db, vault: vault, journal: auth.NewJournal(d)}
	w.office = &auth.Office{Journal: w.journal, Schedule: auth.DefaultKeySchedule}
	ctx, stop := context.WithCancel(context.Background())
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		w.journal.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-stopped
	})
	if err := w.office.StepKeys(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

// odd are texts that have a way of coming back as something else.
var odd = []string{
	"", "plain", "Åsa Öl", "雪", "🜁", "quote\"s and \\slashes\\", "two\nlines\ttabbed\r", "<&>", "\u2028\u2029", "\x01\x7f", "'); DROP TABLE",
	"[1]", `{"x":"AA=="}`, "null", " ", "\ufffd",
}

// fill puts something into every table.
func (w world) fill(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	must(w.db.CheckKey(ctx, w.vault.Check()))
	for i, name := range odd {
		c, err := w.office.AddCustomer(ctx, fmt.Sprint(i, name), []auth.Grant{{Product: auth.KYC, Country: "SE"}})
		must(err)
		_, _, err = w.office.AddAccount(ctx, auth.NewAccount{Customer: c.ID, First: name})
		must(err)
	}
	must(w.office.RevokeToken(ctx, "00112233445566778899aabbccddeeff"))
	_, err := w.office.RotateKey(ctx, true)
	must(err)
	_, err = w.journal.Forget(ctx, time.Now().AddDate(0, 2, 0), 0)
	must(err)
	var wg sync.WaitGroup
	for i := range 2500 { // some batches, without waiting for each
		wg.Go(func() {
			must(w.journal.Write(ctx, auth.Entry{Action: auth.PersonRead, Person: odd[i%len(odd)], Detail: fmt.Sprint(i)}))
		})
	}
	wg.Wait()
	must(w.journal.Count(ctx, auth.Usage{Customer: 1, Account: 2, Product: auth.KYC, Day: "2026-01-01", Calls: math.MaxInt64}))
	must(w.journal.Count(ctx, auth.Usage{Customer: 1, Account: 2, Product: auth.KYC, Country: "SE", Day: "2026-01-01", Calls: math.MinInt64}))
	must(w.journal.Sign(ctx))
	must(w.db.Turn(ctx, auth.Seen{}, func(n auth.News) (auth.Record, error) {
		return auth.Record{Attempts: []auth.Attempt{{At: n.Now, Source: 1 << 63, Closed: true}, {At: n.Now}}}, nil
	}))
	for _, node := range []string{"b", "B", "a", "ä", "Z", "z-1", "za"} { // no two languages sort them alike
		_, err := w.db.SpendCalls(ctx, node, []auth.CallCount{{Account: 1, Slot: 5, Calls: 1}}, 0)
		must(err)
	}
	for i, name := range odd {
		_, _, err := w.db.BeginReply(ctx, auth.Caller{Account: 1}, name, [32]byte{byte(i)})
		must(err)
	}
	w.fillRest(t)
	must(w.db.FinishReply(ctx, auth.Caller{Account: 1}, "plain", auth.Reply{Status: 200, Body: bytes.Repeat([]byte{0, 255}, maxBytes/2+1)}))
}

// fillRest puts made-up rows into the tables that are still empty.
func (w world) fillRest(t *testing.T) {
	t.Helper()
	err := w.db.write(t.Context(), func(to tx) error {
		all, err := w.db.tables(t.Context(), to)
		if err != nil {
			return err
		}
		for _, table := range all {
			var n int
			if err := to.QueryRow(t.Context(), "SELECT COUNT(*) FROM "+table.name).Scan(&n); err != nil {
				return err
			}
			if n > 0 {
				continue
			}
			err := to.Bulk(t.Context(), table.name, table.columns, len(odd), func(i int) (row []any) {
				for _, c := range table.columns {
					switch table.kinds[c] {
					case number:
						row = append(row, int64(i))
					case words:
						row = append(row, odd[i])
					default:
						row = append(row, []byte(odd[i]))
					}
				}
				return row
			})
			if err != nil {
				return fmt.Errorf("table %s takes no made-up rows (fill it by hand): %w", table.name, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// rows are all rows of all tables, each as one text.
func (w world) rows(t *testing.T) (out []string) {
	t.Helper()
	all, err := w.db.tables(t.Context(), w.db)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range all {
		cells := make([]value, len(table.columns))
		into := make([]any, len(cells))
		for i := range cells {
			into[i] = &cells[i]
		}
		before := len(out)
		err := each(t.Context(), w.db, func(r row) error {
			err := r.Scan(into...)
			text := table.name
			for _, c := range cells {
				if b, ok := c.v.([]byte); ok {
					text += fmt.Sprintf(" %d:%x", len(b), b)
				} else {
					text += fmt.Sprintf(" %T:%q", c.v, fmt.Sprint(c.v))
				}
			}
			out = append(out, text)
			return err
		}, "SELECT "+strings.Join(table.columns, ", ")+" FROM "+table.name)
		if err != nil {
			t.Fatal(err)
		}
		if len(out) == before {
			t.Errorf("table %s is empty: the test must put something into it", table.name)
		}
	}
	slices.Sort(out)
	return out
}

// verify fails unless the audit log is whole and ends where the record says.
func verify(t *testing.T, db *DB, vault *auth.Vault) {
	t.Helper()
	n, err := db.News(t.Context(), auth.Seen{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := auth.VerifyAudit(t.Context(), db, vault, n.Keys)
	if err != nil || f.Problem != "" || f.Entries == 0 || f.Signed == 0 {
		t.Errorf("the audit log: %+v (%v)", f, err)
	}
}

func backup(t *testing.T, db *DB) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := db.Backup(t.Context(), &b, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// unpacked are the lines of a backup, without their ends.
func unpacked(t *testing.T, b []byte) []string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func packed(t *testing.T, lines []string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for _, line := range lines {
		if _, err := io.WriteString(z, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
