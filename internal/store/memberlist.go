package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// listedColumns are those of a member as it is shown. The last is when the
// newest event about it happened.
const listedColumns = memberColumns + `, ` + lastEvent

const lastEvent = `(SELECT COALESCE(MAX(e.at), 0) FROM event AS e WHERE e.customer = m.customer AND e.portfolio = m.portfolio AND e.company = m.company)`

func readListed(r row) (m monitor.Member, err error) {
	err = r.Scan(&m.Company, &m.Reference, &m.Notes, &m.Limit, stamp{&m.AddedAt}, stamp{&m.ChangedAt}, stamp{&m.LastEventAt})
	return m, err
}

// Member implements monitor.MemberStore.
func (db *DB) Member(ctx context.Context, by auth.Caller, id monitor.PortfolioID, of company.ID) (m monitor.Member, err error) {
	err = db.seen(ctx, by, id, func(t tx) error {
		m, err = readListed(t.QueryRow(ctx, `
			SELECT `+listedColumns+`
			FROM member AS m
			WHERE m.customer = $3 AND m.portfolio = $1 AND m.company = $2`, id, string(of), by.Customer))
		return noMember(err)
	})
	return m, memberError("read a company of a portfolio", err)
}

// noMember says that a company is not in, if that is the error.
func noMember(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.Missing.Errorf(monitor.NoCompany)
	}
	return err
}

// seen reads from one state of the database in which the caller may see a
// portfolio.
func (db *DB) seen(ctx context.Context, by auth.Caller, id monitor.PortfolioID, read func(t tx) error) error {
	return db.snapshot(ctx, func(t tx) error {
		if _, _, err := db.portfolio(ctx, t, by, id, monitor.View); err != nil {
			return err
		}
		return read(t)
	})
}

// EditMember implements monitor.MemberStore.
func (db *DB) EditMember(ctx context.Context, by auth.Caller, id monitor.PortfolioID, of company.ID, edit func(*monitor.Member) error) error {
	err := db.write(ctx, func(t tx) error {
		if _, _, err := db.lockPortfolio(ctx, t, by, id, monitor.Edit); err != nil {
			return err
		}
		m, err := readListed(t.QueryRow(ctx, `
			SELECT `+listedColumns+`
			FROM member AS m
			WHERE m.customer = $3 AND m.portfolio = $1 AND m.company = $2`, id, string(of), by.Customer))
		if err != nil {
			return noMember(err)
		}
		if err := edit(&m); err != nil {
			return err
		}
		now, err := db.clock(ctx, t)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `
			UPDATE member
			SET reference = $3, notes = $4, own_limit = $5, changed_at = $6
			WHERE customer = $7 AND portfolio = $1 AND company = $2`,
			id, string(of), m.Reference, m.Notes, m.Limit, stamp{&now}, by.Customer)
		return err
	})
	return memberError("edit a company of a portfolio", err)
}

// Members implements monitor.MemberStore.
func (db *DB) Members(ctx context.Context, by auth.Caller, id monitor.PortfolioID, q monitor.MemberQuery) (out monitor.Members, err error) {
	err = db.seen(ctx, by, id, func(t tx) error {
		if search := monitor.NewSearch(q.Search); !search.Empty() {
			out, err = db.searchMembers(ctx, t, by.Customer, id, q, search)
			return err
		}
		w := memberWhere(by.Customer, id, q)
		if err := t.QueryRow(ctx, `SELECT COUNT(*) FROM member AS m WHERE m.customer = $1 AND `+w.text(), w.args...).Scan(&out.Total); err != nil {
			return err
		}
		if db.saidOrder(q.Sort) != "" {
			out.List, err = db.sortMembers(ctx, t, by.Customer, id, q)
			return err
		}
		if q.Sort == monitor.ByCompanyID {
			w.add("m.company > " + w.arg(string(q.After)))
		}
		return each(ctx, t, func(r row) error {
			m, err := readListed(r)
			out.List = append(out.List, m)
			return err
		}, `SELECT `+listedColumns+` FROM member AS m WHERE m.customer = $1 AND `+w.text()+
			` ORDER BY `+db.memberOrder(q)+` LIMIT `+w.arg(q.Limit)+` OFFSET `+w.arg(q.Skip), w.args...)
	})
	return out, memberError("list the companies of a portfolio", err)
}

// memberOrder is what a list is sorted by.
func (db *DB) memberOrder(q monitor.MemberQuery) string {
	by := map[monitor.MemberSort]string{
		monitor.ByReference: db.caseless("m.reference"),
		monitor.ByLastEvent: lastEvent,
	}[q.Sort]
	switch {
	case by == "":
		return "m.company"
	case q.Down:
		by += " DESC"
	}
	return by + ", m.company"
}

// caseless is a column as it is sorted by: letters go by their bytes, without the
// case of the Latin ones. What else the engines call alike differs.
func (db *DB) caseless(column string) string { return `UPPER(` + column + db.d.byteOrder + `)` }

// memberWhere is the condition for all but the search and the place, behind
// "m.customer = $1 AND".
func memberWhere(of auth.CustomerID, id monitor.PortfolioID, q monitor.MemberQuery) *condition {
	w := &condition{}
	w.arg(int64(of))
	w.add("m.portfolio = " + w.arg(id))
	if q.Country != "" {
		// A company's ID begins with its country and a hyphen; the next
		// character is a full stop.
		w.add("m.company > " + w.arg(q.Country+"-") + " AND m.company < " + w.arg(q.Country+"."))
	}
	if q.Told {
		w.add("EXISTS (SELECT 1 FROM event AS e WHERE e.customer = m.customer AND e.portfolio = m.portfolio AND e.company = m.company)")
	}
	return w
}

// Countries implements monitor.MemberStore.
func (db *DB) Countries(ctx context.Context, by auth.Caller, id monitor.PortfolioID) (out []string, err error) {
	err = db.seen(ctx, by, id, func(t tx) error {
		return each(ctx, t, func(r row) error {
			var country string
			err := r.Scan(&country)
			out = append(out, country)
			return err
		}, `SELECT DISTINCT substr(company, 1, 2) FROM member WHERE customer = $2 AND portfolio = $1`, id, by.Customer)
	})
	slices.Sort(out) // PostgreSQL would sort words by its own language
	return out, memberError("list the countries of a portfolio", err)
}

// Bands implements monitor.MemberStore.
func (db *DB) Bands(ctx context.Context, by auth.Caller, id monitor.PortfolioID) (out monitor.Bands, err error) {
	out.Of = map[string]int64{}
	err = db.seen(ctx, by, id, func(t tx) error {
		return each(ctx, t, func(r row) error {
			var band string
			var n int64
			err := r.Scan(&band, &n)
			out.Total += n
			if band != "" {
				out.Of[band] = n
			}
			return err
		}, `SELECT COALESCE(c.band, ''), COUNT(*)`+watchedTables+` GROUP BY COALESCE(c.band, '')`, id, by.Customer)
	})
	return out, memberError("count the bands of a portfolio", err)
}
