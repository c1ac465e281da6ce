package store

import (
	"context"
	"slices"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/monitor"
)

// A company lies elsewhere than the portfolios that it is in (docs/scaling.md). But who
// watches it lies beside it, and whoever has it in a portfolio does: what the register
// says of a portfolio's companies is asked for by way of the watchers.
const watchedTables = `
	FROM watcher AS w
	LEFT JOIN company AS c ON c.id = w.company
	WHERE w.portfolio = $1 AND w.customer = $2 AND w.until = 9223372036854775807`

// saidOrder is what companies are sorted by; "" if it is nothing that the register
// says.
func (db *DB) saidOrder(by monitor.MemberSort) string {
	switch by {
	case monitor.ByCompany:
		return db.caseless("COALESCE(c.name, '')")
	case monitor.ByStatus:
		return db.caseless("COALESCE(c.status, '')")
	case monitor.ByBand:
		return `CASE WHEN COALESCE(c.band, '') = '' THEN 'Z' ELSE ` + db.caseless("c.band") + ` END` // those without one last
	}
	return ""
}

// watchedWhere is the condition for what of a query goes by the company alone, behind
// watchedTables.
func watchedWhere(of auth.CustomerID, id monitor.PortfolioID, q monitor.MemberQuery) *condition {
	w := &condition{}
	w.arg(id)
	w.arg(int64(of))
	if q.Country != "" {
		w.add("w.company > " + w.arg(q.Country+"-") + " AND w.company < " + w.arg(q.Country+"."))
	}
	return w
}

// sortMembers is a page of a portfolio in an order of the register's.
func (db *DB) sortMembers(ctx context.Context, t tx, of auth.CustomerID, id monitor.PortfolioID, q monitor.MemberQuery) ([]monitor.Member, error) {
	w := watchedWhere(of, id, q)
	var page []company.ID
	read := func(r row) error {
		var id company.ID
		err := r.Scan(&id)
		page = append(page, id)
		return err
	}
	if q.Told { // which is not known where the companies are
		m := memberWhere(of, id, q)
		if err := each(ctx, t, read, `SELECT m.company FROM member AS m WHERE m.customer = $1 AND `+m.text(), m.args...); err != nil {
			return nil, err
		}
		w.add(db.d.oneOf("w.company", w.arg(many(db.d, page))))
		page = nil
	}
	order := db.saidOrder(q.Sort)
	if q.Down {
		order += " DESC"
	}
	err := each(ctx, t, read, `SELECT w.company`+watchedTables+w.behind()+`
		ORDER BY `+order+`, w.company
		LIMIT `+w.arg(q.Limit)+` + 0 OFFSET `+w.arg(q.Skip)+` + 0`, w.args...)
	if err != nil {
		return nil, err
	}
	return db.listed(ctx, t, of, id, page)
}

// listed are members as they are shown, in the order in which they are named.
func (db *DB) listed(ctx context.Context, t tx, of auth.CustomerID, id monitor.PortfolioID, page []company.ID) (list []monitor.Member, err error) {
	if len(page) == 0 {
		return nil, nil
	}
	named, args := db.named(page, monitor.Portfolio{ID: id, Customer: of})
	err = each(ctx, t, func(r row) error {
		m, err := readListed(r)
		list = append(list, m)
		return err
	}, `SELECT `+listedColumns+` FROM member AS m WHERE m.customer = $2 AND m.portfolio = $1`+named, args...)
	place := make(map[company.ID]int, len(page))
	for i, id := range page {
		place[id] = i
	}
	slices.SortFunc(list, func(a, b monitor.Member) int { return place[a.Company] - place[b.Company] })
	return list, err
}
