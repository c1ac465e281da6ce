package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

const memberColumns = `m.company, m.reference, m.notes, m.own_limit, m.added_at, m.changed_at`

func readMember(r row) (m monitor.Member, err error) {
	err = r.Scan(&m.Company, &m.Reference, &m.Notes, &m.Limit, stamp{&m.AddedAt}, stamp{&m.ChangedAt})
	return m, err
}

// AddMembers implements monitor.MemberStore.
func (db *DB) AddMembers(ctx context.Context, by auth.Caller, id monitor.PortfolioID, list []monitor.Member) (there []company.ID, err error) {
	err = db.write(ctx, func(t tx) error {
		there, err = db.addMembers(ctx, t, by, id, list)
		return err
	})
	return there, memberError("add companies to a portfolio", err)
}

func (db *DB) addMembers(ctx context.Context, t tx, by auth.Caller, id monitor.PortfolioID, list []monitor.Member) (there []company.ID, err error) {
	p, _, err := db.lockPortfolio(ctx, t, by, id, monitor.Add)
	if err != nil {
		return nil, err
	}
	list, ids := unique(list)
	if err := db.mustKnow(ctx, t, ids); err != nil {
		return nil, err
	}
	held, err := db.members(ctx, t, p, ids)
	if err != nil {
		return nil, err
	}
	fresh := make([]monitor.Member, 0, len(list))
	for _, m := range list {
		if _, ok := held[m.Company]; ok {
			there = append(there, m.Company)
		} else {
			fresh = append(fresh, m)
		}
	}
	return there, db.putMembers(ctx, t, p, fresh)
}

// unique takes each company once, as it came first.
func unique(list []monitor.Member) (out []monitor.Member, ids []company.ID) {
	seen := make(map[company.ID]bool, len(list))
	for _, m := range list {
		if !seen[m.Company] {
			seen[m.Company] = true
			out, ids = append(out, m), append(ids, m.Company)
		}
	}
	return out, ids
}

// mustKnow fails if the register does not hold all of the companies.
func (db *DB) mustKnow(ctx context.Context, t tx, ids []company.ID) error {
	known, err := db.known(ctx, t, ids)
	if err != nil {
		return err
	}
	var unknown []string
	for _, id := range ids {
		if !known[id] && len(unknown) < 10 {
			unknown = append(unknown, fmt.Sprintf("there is no company %s", id))
		}
	}
	if len(unknown) > 0 {
		return fault.Missing.Details(monitor.NoCompany, unknown...)
	}
	return nil
}

// members reads those of a portfolio's companies that are named; nil is all.
func (db *DB) members(ctx context.Context, t tx, p monitor.Portfolio, ids []company.ID) (map[company.ID]monitor.Member, error) {
	named, args := db.named(ids, p)
	out := make(map[company.ID]monitor.Member, len(ids))
	err := each(ctx, t, func(r row) error {
		m, err := readMember(r)
		out[m.Company] = m
		return err
	}, `SELECT `+memberColumns+` FROM member AS m WHERE m.customer = $2 AND m.portfolio = $1`+named, args...)
	return out, err
}

// named is the condition that a member is one of those that are named, as $3,
// and the arguments of its query, whose first two are the portfolio and its
// customer; nil names all.
func (db *DB) named(ids []company.ID, p monitor.Portfolio) (condition string, args []any) {
	if ids == nil {
		return "", []any{p.ID, p.Customer}
	}
	return " AND " + db.d.oneOf("m.company", "$3"), []any{p.ID, p.Customer, many(db.d, ids)}
}

// heldPage is how many companies of a portfolio are dealt with at once.
const heldPage = 10_000

// eachHeld calls do for those of a portfolio's companies that are named, some at a
// time; nil is all. Who watches a company lies with the company and not with the
// portfolio, so it cannot be asked for together with what is in there.
func (db *DB) eachHeld(ctx context.Context, t tx, p monitor.Portfolio, list []company.ID, do func([]company.ID) error) error {
	named, args := db.named(list, p)
	after := len(args) + 1
	for last := ""; ; {
		var ids []company.ID
		err := each(ctx, t, func(r row) error {
			err := r.Scan(&last)
			ids = append(ids, company.ID(last))
			return err
		}, `SELECT m.company FROM member AS m
			WHERE m.customer = $2 AND m.portfolio = $1`+named+` AND m.company > `+fmt.Sprint("$", after)+`
			ORDER BY m.company
			LIMIT `+fmt.Sprint("$", after+1)+` + 0`, append(args[:after-1:after-1], last, heldPage)...)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := do(ids); err != nil {
			return err
		}
		if len(ids) < heldPage {
			return nil
		}
	}
}

// putMembers adds companies that are not in, and lets them be watched from now
// on.
func (db *DB) putMembers(ctx context.Context, t tx, p monitor.Portfolio, list []monitor.Member) error {
	if len(list) == 0 {
		return nil
	}
	now, err := db.clock(ctx, t)
	if err != nil {
		return err
	}
	for i := range list {
		list[i].AddedAt, list[i].ChangedAt = now, now
	}
	if err := insertMembers(ctx, t, p, list); err != nil {
		return err
	}
	since, err := db.endOfChanges(ctx, t)
	if err != nil {
		return err
	}
	columns := []string{"company", "portfolio", "since", "until", "customer"}
	return t.Bulk(ctx, "watcher", columns, len(list), func(i int) []any {
		return []any{string(list[i].Company), int64(p.ID), since, int64(monitor.Forever), int64(p.Customer)}
	})
}

func insertMembers(ctx context.Context, t tx, p monitor.Portfolio, list []monitor.Member) error {
	columns := []string{"customer", "portfolio", "company", "reference", "notes", "own_limit", "added_at", "changed_at"}
	return t.Bulk(ctx, "member", columns, len(list), func(i int) []any {
		m := &list[i]
		return []any{
			int64(p.Customer), int64(p.ID), string(m.Company), m.Reference, m.Notes, m.Limit,
			m.AddedAt.UnixMilli(), m.ChangedAt.UnixMilli(),
		}
	})
}

// endOfChanges is the number of the last change. Nobody adds another before we
// commit: the engine must not pass a change above it without seeing what we
// wrote. Whoever writes to the register waits, so it is asked for late.
func (db *DB) endOfChanges(ctx context.Context, t tx) (n int64, err error) {
	err = t.QueryRow(ctx, `SELECT last_number FROM change_log WHERE id = 1 `+db.d.forShare).Scan(&n)
	return n, err
}

// takeMembers takes companies out that may be in, and returns how many were.
// They are watched up to now; what was watched for no change is forgotten.
func (db *DB) takeMembers(ctx context.Context, t tx, p monitor.Portfolio, ids []company.ID) (int64, error) {
	until, err := db.endOfChanges(ctx, t)
	if err != nil {
		return 0, err
	}
	err = db.eachHeld(ctx, t, p, ids, func(held []company.ID) error {
		watchers := ` WHERE portfolio = $1 AND until = 9223372036854775807 AND ` + db.d.oneOf("company", "$3") + ` AND since `
		args := []any{p.ID, until, many(db.d, held)}
		if _, err := t.Exec(ctx, `DELETE FROM watcher`+watchers+`>= $2`, args...); err != nil {
			return err
		}
		_, err := t.Exec(ctx, `UPDATE watcher SET until = $2`+watchers+`< $2`, args...)
		return err
	})
	if err != nil {
		return 0, err
	}
	named, args := db.named(ids, p)
	return t.Exec(ctx, `DELETE FROM member AS m WHERE m.customer = $2 AND m.portfolio = $1`+named, args...)
}

// RemoveMembers implements monitor.MemberStore.
func (db *DB) RemoveMembers(ctx context.Context, by auth.Caller, id monitor.PortfolioID, list []company.ID) (n int, err error) {
	err = db.write(ctx, func(t tx) error {
		p, _, err := db.lockPortfolio(ctx, t, by, id, monitor.Remove)
		if err != nil {
			return err
		}
		taken, err := db.takeMembers(ctx, t, p, list)
		n = int(taken)
		return err
	})
	if err != nil {
		return 0, memberError("remove companies from a portfolio", err)
	}
	return n, nil
}

// ReplaceMembers implements monitor.MemberStore.
func (db *DB) ReplaceMembers(ctx context.Context, by auth.Caller, id monitor.PortfolioID, list []monitor.Member) (added, removed int, err error) {
	err = db.write(ctx, func(t tx) error {
		added, removed, _, err = db.replaceMembers(ctx, t, by, id, list, monitor.Stay{})
		return err
	})
	if err != nil {
		return 0, 0, memberError("replace the companies of a portfolio", err)
	}
	return added, removed, nil
}

func (db *DB) replaceMembers(ctx context.Context, t tx, by auth.Caller, id monitor.PortfolioID, list []monitor.Member, stay monitor.Stay) (added, removed, kept int, err error) {
	p, _, err := db.lockPortfolio(ctx, t, by, id, monitor.Add|monitor.Remove)
	if err != nil {
		return 0, 0, 0, err
	}
	list, ids := unique(list)
	if err := db.mustKnow(ctx, t, ids); err != nil {
		return 0, 0, 0, err
	}
	held, err := db.members(ctx, t, p, nil)
	if err != nil {
		return 0, 0, 0, err
	}
	var fresh, other []monitor.Member
	for _, m := range list {
		was, ok := held[m.Company]
		delete(held, m.Company)
		switch {
		case !ok:
			fresh = append(fresh, m)
		case m.Reference != was.Reference || m.Notes != was.Notes || m.Limit != was.Limit:
			m.AddedAt = was.AddedAt
			other = append(other, m)
		}
	}
	gone, err := db.unneeded(ctx, t, held, stay)
	if err != nil {
		return 0, 0, 0, err
	}
	if err := db.rewriteMembers(ctx, t, p, other); err != nil {
		return 0, 0, 0, err
	}
	if len(gone) > 0 {
		if _, err := db.takeMembers(ctx, t, p, gone); err != nil {
			return 0, 0, 0, err
		}
	}
	return len(fresh), len(gone), len(held) - len(gone), db.putMembers(ctx, t, p, fresh)
}

// unneeded returns those of some members, in order, that need not stay.
func (db *DB) unneeded(ctx context.Context, t tx, held map[company.ID]monitor.Member, stay monitor.Stay) ([]company.ID, error) {
	if stay.All {
		return nil, nil
	}
	stays := make(map[company.ID]bool, len(stay.Of))
	for _, id := range stay.Of {
		stays[id] = true
	}
	out := slices.Sorted(maps.Keys(held))
	if stay.Gone {
		known, err := db.known(ctx, t, out)
		if err != nil {
			return nil, err
		}
		for _, id := range out {
			if !known[id] {
				stays[id] = true
			}
		}
	}
	return slices.DeleteFunc(out, func(id company.ID) bool { return stays[id] }), nil
}

// rewriteMembers gives companies that are in new notes.
func (db *DB) rewriteMembers(ctx context.Context, t tx, p monitor.Portfolio, list []monitor.Member) error {
	if len(list) == 0 {
		return nil
	}
	now, err := db.clock(ctx, t)
	if err != nil {
		return err
	}
	_, ids := unique(list)
	for i := range list {
		list[i].ChangedAt = now
	}
	named, args := db.named(ids, p)
	if _, err := t.Exec(ctx, `DELETE FROM member AS m WHERE m.customer = $2 AND m.portfolio = $1`+named, args...); err != nil {
		return err
	}
	return insertMembers(ctx, t, p, list)
}

// memberError is for what a caller cannot do anything about.
func memberError(doing string, err error) error {
	if _, ok := fault.Of(err); err == nil || ok {
		return err
	}
	return fmt.Errorf("%s: %w", doing, err)
}
