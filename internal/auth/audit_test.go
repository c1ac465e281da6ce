package auth_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/lacktest"
)

// verify reads the audit log and fails on an error of ours.
func (h *house) verify() auth.Finding {
	h.t.Helper()
	f, err := auth.VerifyAudit(h.t.Context(), h.store, h.vault, h.dir.Keys())
	if err != nil {
		h.t.Fatal(err)
	}
	return f
}

// busyDay fills the log with one of everything and signs it twice.
func busyDay(t *testing.T, h *house) {
	t.Helper()
	ctx := t.Context()
	c := h.customer("Acme", auth.Companies)
	_, password := h.account(c, "acme-api")
	token := h.token("acme-api", password)
	h.try(from(2), "acme-api", wrong(1))
	h.try(from(2), "nobody", wrong(1))
	if err := h.journal.Sign(ctx); err != nil {
		t.Fatal(err)
	}
	h.shared.Step(time.Second)
	if _, _, err := h.gate.Admit(ctx, token, auth.KYC); err == nil {
		t.Fatal("a product was used that nobody bought")
	}
	err := h.journal.Write(ctx, auth.Entry{Action: auth.PersonRead, Customer: c.ID, Person: h.vault.Person("someone"), Detail: "identity"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.office.RotateKey(ctx, true); err != nil {
		t.Fatal(err)
	}
	if err := h.journal.Sign(ctx); err != nil {
		t.Fatal(err)
	}
}

func TestAuditLogOfAnHonestDay(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		h := openHouse(t, url, newClock(), plan{})
		busyDay(t, h)
		if f := h.verify(); f.Problem != "" || f.Entries < 10 || f.Signed < 2 {
			t.Errorf("finding %+v, want no problem in at least 10 entries and 2 signed heads", f)
		}
		other, err := auth.NewVault(make([]byte, auth.MasterKeySize))
		if err != nil {
			t.Fatal(err)
		}
		f, err := auth.VerifyAudit(t.Context(), h.store, other, h.dir.Keys())
		if err != nil || f.Problem == "" {
			t.Errorf("with another key file: %+v, %v; want a problem", f, err)
		}
	})
}

// A23: whoever can write to the database can change the log, but not unseen.
func TestTamperingIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bureau.db")
	h := openHouse(t, path, newClock(), plan{})
	busyDay(t, h)
	last := h.verify().Entries
	raw, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(off)")
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()

	// tamper runs statements, expects words of the finding, and undoes it all.
	tamper := func(name, want string, statements ...string) {
		t.Helper()
		save(t, raw)
		for _, s := range statements {
			if _, err := raw.Exec(s); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if f := h.verify(); !strings.Contains(f.Problem, want) || f.Problem == "" {
			t.Errorf("%s: finding %q, want it to say %q", name, f.Problem, want)
		}
		restore(t, raw)
		if f := h.verify(); f.Problem != "" {
			t.Fatalf("%s: not undone: %s", name, f.Problem)
		}
	}
	for n := int64(1); n <= last; n++ {
		if lacktest.Race && n%4 != 1 {
			continue
		}
		entry := fmt.Sprintf("entry %d ", n)
		for _, column := range []string{"at", "customer", "account"} {
			tamper(fmt.Sprint(column, " of ", n), entry, fmt.Sprintf(`UPDATE audit SET %s = %s + 1 WHERE number = %d`, column, column, n))
		}
		for _, column := range []string{"action", "person", "source", "detail"} {
			tamper(fmt.Sprint(column, " of ", n), entry, fmt.Sprintf(`UPDATE audit SET %s = %s || 'x' WHERE number = %d`, column, column, n))
		}
		tamper(fmt.Sprint("sum of ", n), entry, fmt.Sprintf(`UPDATE audit SET sum = randomblob(32) WHERE number = %d`, n))
		tamper(fmt.Sprint("number of ", n), fmt.Sprintf("%d", n), fmt.Sprintf(`UPDATE audit SET number = 1000000 WHERE number = %d`, n))
		tamper(fmt.Sprint("row ", n, " deleted"), fmt.Sprintf("%d", n), fmt.Sprintf(`DELETE FROM audit WHERE number = %d`, n))
		if n < last {
			tamper(fmt.Sprint("rows ", n, " and the next swapped"), entry,
				fmt.Sprintf(`UPDATE audit SET number = -1 WHERE number = %d`, n),
				fmt.Sprintf(`UPDATE audit SET number = %d WHERE number = %d`, n, n+1),
				fmt.Sprintf(`UPDATE audit SET number = %d WHERE number = -1`, n+1))
		}
	}
	tamper("a field moved into its neighbour", "entry 3 ", `UPDATE audit SET person = action, action = person WHERE number = 3`)
	tail := []string{`DELETE FROM audit WHERE number > 5`, `DELETE FROM audit_signed WHERE number > 5`}
	head := `UPDATE record SET audit_number = 5, audit_sum = (SELECT sum FROM audit WHERE number = 5)`
	tamper("the tail cut", "ends at entry 5", tail...)
	tamper("the tail cut and the end moved", "not as Bureau wrote it", append(tail, head)...)
	tamper("the end forged", "not as Bureau wrote it", append(tail, head, `UPDATE record SET audit_seal = randomblob(32)`)...)
	tamper("everything wiped", "empty", `DELETE FROM audit`, `DELETE FROM audit_signed`,
		`UPDATE record SET audit_number = 0, audit_sum = x'', audit_seal = x''`)
	tamper("a row behind the end", "did not write it",
		fmt.Sprintf(`INSERT INTO audit SELECT %d, at, action, customer, account, person, source, detail, sum FROM audit WHERE number = 1`, last+1))
	tamper("a signature changed", "signed head", `UPDATE audit_signed SET signature = randomblob(64)`)
	tamper("a signed sum changed", "signed head", `UPDATE audit_signed SET sum = randomblob(32)`)
	tamper("a signed head for another entry", "signed head", `UPDATE audit_signed SET number = number - 1`)
	tamper("a signer that nobody knows", "unknown", `UPDATE audit_signed SET key_id = 'other'`)
}

// saved are the tables that a thief of the database would change.
var saved = []string{"audit", "audit_signed", "audit_gone", "record"}

func save(t *testing.T, raw *sql.DB) {
	t.Helper()
	for _, table := range saved {
		if _, err := raw.Exec(fmt.Sprintf(`CREATE TABLE saved_%s AS SELECT * FROM %s`, table, table)); err != nil {
			t.Fatal(err)
		}
	}
}

func restore(t *testing.T, raw *sql.DB) {
	t.Helper()
	for _, table := range saved {
		if _, err := raw.Exec(fmt.Sprintf(`DELETE FROM %s; INSERT INTO %s SELECT * FROM saved_%s; DROP TABLE saved_%s`, table, table, table, table)); err != nil {
			t.Fatal(err)
		}
	}
}

// A23: nobody is let in, and nothing is changed, that the log does not know of.
func TestFullDiskLetsNobodyIn(t *testing.T) {
	for _, mode := range []int32{full, cut} {
		t.Run(fmt.Sprint("mode ", mode), func(t *testing.T) {
			ctx := t.Context()
			var broken *brokenStore
			h := newHouse(t, newClock(), plan{store: func(s auth.Store) auth.Store {
				broken = &brokenStore{Store: s}
				return broken
			}})
			c := h.customer("Acme", auth.Companies)
			_, password := h.account(c, "acme-api")
			token := h.token("acme-api", password)

			broken.mode.Store(mode)
			a, err := h.login.Authenticate(ctx, auth.LoginRequest{Source: from(1), UserKey: "acme-api", Password: password, IsReadable: true})
			if !errors.Is(err, errBroken) || a.Token != "" || a.Verdict == auth.Granted {
				t.Errorf("login: %+v, %v; want an error and no token", a, err)
			}
			if _, _, err := h.office.AddAccount(ctx, auth.NewAccount{Customer: c.ID, UserKey: "late"}); err == nil {
				t.Error("an account was added that is not written")
			}
			if err := h.gate.Count(ctx, auth.Caller{Customer: c.ID}, auth.Companies, "GB"); err == nil {
				t.Error("a call was counted that is not written")
			}
			if err := h.gate.Allow(ctx, auth.Caller{Customer: c.ID}, auth.KYC, "GB"); err == nil {
				t.Error("a product was allowed that nobody bought")
			}
			// What needs no writing goes on.
			if _, _, err := h.gate.Admit(ctx, token, auth.Companies); err != nil {
				t.Errorf("a good token meanwhile: %v", err)
			}

			broken.mode.Store(sound)
			h.token("acme-api", password)
			if _, there := h.dir.Customer(c.ID); !there {
				t.Error("the customer is forgotten")
			}
			if f := h.verify(); f.Problem != "" {
				t.Errorf("the log afterwards: %s", f.Problem)
			}
		})
	}
}

// A journal that has stopped answers with an error, and keeps nobody waiting.
func TestStoppedJournalAnswers(t *testing.T) {
	h := newHouse(t, newClock(), plan{})
	_, password := h.account(h.customer("Acme"), "acme-api")
	h.stop()
	_, err := h.login.Authenticate(context.Background(), auth.LoginRequest{Source: from(1), UserKey: "acme-api", Password: password, IsReadable: true})
	if err == nil {
		t.Error("a stopped journal lets someone in")
	}
}
