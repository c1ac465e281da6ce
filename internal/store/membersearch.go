package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/monitor"
)

// A sought is a member as it is searched and sorted.
type sought struct {
	id               company.ID
	key              string // what it is sorted by, unless that is
	told             int64  // when its last event was
	name, safe       string
	reference, notes string
}

// searchMembers looks through all companies of a portfolio, here: the engines
// do not agree on which letters are alike. It does so some at a time, and keeps only
// those that may be on the page.
func (db *DB) searchMembers(ctx context.Context, t tx, of auth.CustomerID, id monitor.PortfolioID, q monitor.MemberQuery, search monitor.Search) (out monitor.Members, err error) {
	first := firsts{want: q.Skip + q.Limit, down: q.Down && q.Sort != monitor.ByCompanyID}
	for last, more := company.ID(""), true; more; {
		list, err := db.watchedBehind(ctx, t, of, id, q, last)
		if err != nil || len(list) == 0 {
			return out, err
		}
		was := last
		last, more = list[len(list)-1].id, len(list) == heldPage
		if list, err = db.addWords(ctx, t, of, id, q, list, was); err != nil {
			return out, err
		}
		for i := range list {
			m := &list[i]
			if !slices.ContainsFunc([]string{m.name, string(m.id), cmp.Or(m.safe, m.id.SafeNo()), m.reference, m.notes}, search.In) {
				continue
			}
			out.Total++
			if q.Sort != monitor.ByCompanyID || m.id > q.After {
				first.add(m)
			}
		}
	}
	first.cut()
	var page []company.ID
	for _, m := range first.list[min(q.Skip, len(first.list)):] {
		page = append(page, m.id)
	}
	out.List, err = db.listed(ctx, t, of, id, page)
	return out, err
}

// watchedBehind are some companies of a portfolio in the order of their IDs, with what
// the register says of them.
func (db *DB) watchedBehind(ctx context.Context, t tx, of auth.CustomerID, id monitor.PortfolioID, q monitor.MemberQuery, last company.ID) (list []sought, err error) {
	w := watchedWhere(of, id, q)
	w.add("w.company > " + w.arg(string(last)))
	order := db.saidOrder(q.Sort)
	if order != "" {
		order = ", " + order
	}
	var m sought
	into := []any{&m.id, &m.name, &m.safe, &m.key}
	if order == "" {
		into = into[:3]
	}
	var gone []company.ID
	err = each(ctx, t, func(r row) error {
		err := r.Scan(into...)
		if m.name == "" {
			gone = append(gone, m.id)
		}
		list = append(list, m)
		return err
	}, `
		SELECT w.company, COALESCE(c.name, ''),
			COALESCE((SELECT MIN(i.value) FROM company_ident AS i WHERE i.company = w.company AND i.kind = 'safe'), '')`+order+watchedTables+w.behind()+`
		ORDER BY w.company
		LIMIT `+w.arg(heldPage)+` + 0`, w.args...)
	if err != nil || len(gone) == 0 {
		return list, err
	}
	// One that left the register is found by the name that it had.
	err = each(ctx, t, func(r row) error {
		var id company.ID
		var name string
		if err := r.Scan(&id, &name); err != nil {
			return err
		}
		i, _ := slices.BinarySearchFunc(list, id, func(m sought, id company.ID) int { return cmp.Compare(m.id, id) })
		list[i].name = name
		return nil
	}, `SELECT company, old FROM change WHERE field = 'removed' AND `+db.d.oneOf("company", "$1")+` ORDER BY number`, many(db.d, gone))
	return list, err
}

// addWords adds what the customer says of companies, which are all that there are
// behind a company up to the last of them, and leaves out those that the query does.
func (db *DB) addWords(ctx context.Context, t tx, of auth.CustomerID, id monitor.PortfolioID, q monitor.MemberQuery, list []sought, behind company.ID) ([]sought, error) {
	w := memberWhere(of, id, q)
	w.add("m.company > " + w.arg(string(behind)) + " AND m.company <= " + w.arg(string(list[len(list)-1].id)))
	told := `0`
	switch {
	case q.Sort == monitor.ByLastEvent:
		told = lastEvent
	case !q.Told:
		w.add("(m.reference <> '' OR m.notes <> '')") // of most nothing is said
	}
	at, kept := 0, 0
	var m sought
	err := each(ctx, t, func(r row) error {
		if err := r.Scan(&m.id, &m.reference, &m.notes, &m.told); err != nil {
			return err
		}
		for at < len(list) && list[at].id < m.id {
			at++
		}
		if at == len(list) || list[at].id != m.id {
			return nil
		}
		to := &list[at]
		to.reference, to.notes, to.told = m.reference, m.notes, m.told
		if q.Sort == monitor.ByReference {
			to.key = upper(m.reference)
		}
		if q.Told {
			list[kept] = *to
			kept++
		}
		return nil
	}, `SELECT m.company, m.reference, m.notes, `+told+` FROM member AS m WHERE m.customer = $1 AND `+w.text()+` ORDER BY m.company`, w.args...)
	if q.Told {
		list = list[:kept]
	}
	return list, err
}

// upper is a text without the case of its Latin letters, as the engines have it.
func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// firsts keeps the first members of an order, as many as are wanted and for a while
// some more.
type firsts struct {
	want int
	down bool
	list []*sought
	full bool // it was cut: what comes behind the last that was left is not wanted
}

func (f *firsts) compare(a, b *sought) int {
	by := cmp.Or(cmp.Compare(a.told, b.told), strings.Compare(a.key, b.key))
	if f.down {
		by = -by
	}
	return cmp.Or(by, cmp.Compare(a.id, b.id))
}

func (f *firsts) add(m *sought) {
	if f.full && (f.want == 0 || f.compare(m, f.list[f.want-1]) > 0) {
		return
	}
	if f.list = append(f.list, m); len(f.list) >= 2*f.want+100 {
		f.cut()
	}
}

func (f *firsts) cut() {
	slices.SortFunc(f.list, f.compare)
	if len(f.list) >= f.want {
		f.list, f.full = f.list[:f.want], true
	}
}
