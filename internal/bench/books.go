package bench

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A trace is what the server keeps of something before it answers, and where it
// is found.
type trace struct {
	what, where string
	query       string
}

var (
	leftLogin     = &trace{"logins", "in the audit log", `SELECT COUNT(*) FROM audit WHERE action = 'login'`}
	leftScreening = &trace{"screenings", "in the audit log", `SELECT COUNT(*) FROM audit WHERE action = 'screened'`}
	leftReport    = &trace{"reports", "in the usage", `SELECT CAST(COALESCE(SUM(calls), 0) AS BIGINT) FROM usage WHERE product = 'companies'`}
	leftCompany   = &trace{"imported companies", "in the register", `SELECT COUNT(*) FROM company`}
)

// A book says how much of each kind a server has acknowledged.
type book struct {
	place
	acknowledged map[*trace]int64
}

func (w *workshop) openBook(p place) *book {
	b := &book{p, map[*trace]int64{}}
	w.books = append(w.books, b)
	return b
}

// add adds n answers that leave t. Where no book is kept nothing is to be found
// later.
func (b *book) add(t *trace, n int) {
	if b != nil && t != nil && n > 0 {
		b.acknowledged[t] += int64(n)
	}
}

// balance counts from the other end what the servers have acknowledged: in their
// databases, behind their backs, and at the endpoints.
func (w *workshop) balance(ctx context.Context) (*Statement, error) {
	s := w.kept
	s.Lost = slices.Concat([]string{}, s.Lost) // [] in JSON, not null
	for _, b := range w.books {
		for _, t := range []*trace{leftLogin, leftReport, leftScreening} {
			if n := b.acknowledged[t]; n > 0 {
				if err := s.look(ctx, b.address(), t, n); err != nil {
					return nil, err
				}
			}
		}
		if err := b.verifyAudit(ctx, &s); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.mailrooms)) {
		t, err := w.mailrooms[name].trail(ctx)
		if err != nil {
			return nil, err
		}
		s.follow(t)
	}
	return &s, nil
}

// look counts what a database has of what was acknowledged.
func (s *Statement) look(ctx context.Context, address string, t *trace, acknowledged int64) error {
	db, err := openDatabase(ctx, address)
	if err != nil {
		return err
	}
	defer db.close()
	found, err := askNumber(ctx, db, t.query)
	if err != nil {
		return fmt.Errorf("count the %s %s: %w", t.what, t.where, err)
	}
	s.count(t.what, t.where, acknowledged, found)
	return nil
}

// verifyAudit has the program read its own audit log: an entry that is there but
// not as it was written is as good as lost.
func (b *book) verifyAudit(ctx context.Context, s *Statement) error {
	err := b.run(ctx, "", nil, "audit", "verify")
	if err != nil && strings.Contains(err.Error(), "is not as it was written") {
		s.Lost = append(s.Lost, "an audit log is not as it was written")
		return nil
	}
	return err
}

// trail reads the way of every change and event through a mailroom: from its
// database, and from the endpoint.
func (m *mailroom) trail(ctx context.Context) (t trail, err error) {
	if t, err = readTrail(ctx, m.address()); err != nil {
		return t, err
	}
	t.acknowledged, t.kept = m.acknowledged, m.kept
	return t, m.ask(ctx, "/receipts", &t.got)
}

func readTrail(ctx context.Context, address string) (t trail, err error) {
	db, err := openDatabase(ctx, address)
	if err != nil {
		return t, err
	}
	defer db.close()
	err = eachRow(ctx, db, 2, `SELECT number, new FROM change WHERE source = 'bench' ORDER BY number`, func(r []any) {
		t.changes = append(t.changes, loggedChange{r[0].(int64), r[1].(string)})
	})
	if err != nil {
		return t, fmt.Errorf("read the log of changes: %w", err)
	}
	err = eachRow(ctx, db, 2, `SELECT id, change FROM event WHERE source = 'bench' ORDER BY id`, func(r []any) {
		t.events = append(t.events, keptEvent{r[0].(int64), r[1].(int64)})
	})
	if err != nil {
		return t, fmt.Errorf("read the events: %w", err)
	}
	return t, nil
}
