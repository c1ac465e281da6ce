package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"bureau/internal/company"
	"bureau/internal/job"
)

// CompanyIDs implements company.SearchStore.
func (db *DB) CompanyIDs(ctx context.Context, visit func(company.ID)) error {
	err := each(ctx, db, func(r row) error {
		var id string
		err := r.Scan(&id)
		visit(company.ID(id))
		return err
	}, `SELECT id FROM company ORDER BY id`)
	if err != nil {
		return fmt.Errorf("list companies: %w", err)
	}
	return nil
}

// SaveKeys replaces the keys of companies, and saves how far their reader has
// come, in one transaction.
func (db *DB) SaveKeys(ctx context.Context, list []company.Keyed, to job.Place) error {
	type held struct {
		of company.ID
		company.Key
	}
	var rows []held
	for _, k := range list {
		for _, key := range k.Keys {
			rows = append(rows, held{k.Company, key})
		}
	}
	err := db.write(ctx, func(t tx) error {
		if err := db.savePlace(ctx, t, to); err != nil {
			return err
		}
		for _, k := range list {
			if _, err := t.Exec(ctx, `DELETE FROM search_key WHERE company = $1`, string(k.Company)); err != nil {
				return err
			}
		}
		return t.Bulk(ctx, "search_key", []string{"company", "kind", "value"}, len(rows), func(i int) []any {
			return []any{string(rows[i].of), string(rows[i].Kind), rows[i].Value}
		})
	})
	db.wrote()
	if err != nil {
		return fmt.Errorf("keep what companies are looked for by: %w", err)
	}
	return nil
}

// KeyHolders implements company.SearchStore. Companies are in the order of their
// countries, since an ID begins with it: each country is a stretch of them.
func (db *DB) KeyHolders(ctx context.Context, q company.KeyQuery) ([]company.ID, error) {
	where := `kind = $1 AND value = $2`
	end := q.Value
	if q.Prefix {
		where, end = `kind = $1 AND value >= $2 AND value < $6`, q.Value+"\U0010ffff"
	}
	var out []company.ID
	for _, stretch := range stretches(q.Countries) {
		args := []any{string(q.Kind), q.Value, max(stretch[0], string(q.After)), stretch[1], q.Limit - len(out)}
		if q.Prefix {
			args = append(args, end)
		}
		err := each(ctx, db.public(), func(r row) error {
			var id company.ID
			err := r.Scan(&id)
			out = append(out, id)
			return err
		}, `SELECT DISTINCT company FROM search_key WHERE `+where+`
			AND company > $3 AND company < $4
			ORDER BY company
			LIMIT $5 + 0`, args...)
		if err != nil {
			return nil, fmt.Errorf("find companies by %s: %w", q.Kind, err)
		}
		if len(out) >= q.Limit {
			break
		}
	}
	return out, nil
}

// stretches are where the companies of countries begin and end, in order. A
// company's ID begins with its country and a hyphen, behind which a full stop
// comes; all begin with capital letters.
func stretches(countries []string) (out [][2]string) {
	if len(countries) == 0 {
		return [][2]string{{"", "a"}}
	}
	sorted := slices.Clone(countries)
	slices.Sort(sorted)
	for _, c := range slices.Compact(sorted) {
		out = append(out, [2]string{c + "-", c + "."})
	}
	return out
}

// KeysBehind implements company.SearchStore.
func (db *DB) KeysBehind(ctx context.Context) (int64, error) {
	at, err := db.Place(ctx, company.KeyReader)
	if err != nil {
		return 0, err
	}
	last, err := db.LastChange(ctx)
	return last - at, err
}

// Numbered implements company.SearchStore. The usual question, for one ID or one
// number, is put without lists: PostgreSQL plans a question with lists anew each
// time, which takes longer than to answer it.
func (db *DB) Numbered(ctx context.Context, q company.NumberQuery) ([]company.Numbered, error) {
	const shown = `
		SELECT c.id, c.said, COALESCE((SELECT h.at FROM change h WHERE h.company = c.id ORDER BY h.number DESC LIMIT 1), 0)
		FROM company c `
	query, args := shown+`WHERE c.id = $1`, []any{"", string(q.Kind), "", q.Limit}
	switch {
	case len(q.IDs) == 1 && len(q.Values) == 0:
		args = []any{string(q.IDs[0])}
	case len(q.IDs) == 1 && len(q.Values) == 1:
		query = shown + `JOIN (
			SELECT $1 AS id
			UNION ALL
			SELECT company FROM company_ident WHERE kind = $2 AND value = $3 AND company <> $1
		) AS n ON n.id = c.id
		LIMIT $4 + 0` // the few that there are get their order below
		args[0], args[2] = string(q.IDs[0]), q.Values[0]
	default:
		query = shown + `WHERE c.id IN (
			SELECT id FROM company WHERE ` + db.d.oneOf("id", "$1") + `
			UNION ALL
			SELECT company FROM company_ident WHERE kind = $2 AND ` + db.d.oneOf("value", "$3") + `
		)
		ORDER BY 1
		LIMIT $4 + 0`
		args[0], args[2] = many(db.d, q.IDs), many(db.d, q.Values)
	}
	var out []company.Numbered
	err := db.public().Together(ctx, []step{{query: query, args: args, read: func(r row) error {
		var id company.ID
		var said []byte
		var n company.Numbered
		if err := r.Scan(&id, &said, stamp{&n.Changed}); err != nil {
			return err
		}
		var err error
		n.Held, err = readCompany(id, said)
		out = append(out, n)
		return err
	}}})
	if err != nil {
		return nil, fmt.Errorf("read companies by their numbers: %w", err)
	}
	slices.SortFunc(out, func(a, b company.Numbered) int { return cmp.Compare(a.ID, b.ID) })
	return out, nil
}

// LatestChanges implements company.SearchStore.
func (db *DB) LatestChanges(ctx context.Context, ids []company.ID) (map[company.ID]time.Time, error) {
	out := make(map[company.ID]time.Time, len(ids))
	err := pick(ctx, db, db.public(), func(r row) error {
		var id company.ID
		var at time.Time
		err := r.Scan(&id, stamp{&at})
		out[id] = at
		return err
	}, `SELECT company, at FROM change WHERE company = $1 ORDER BY number DESC LIMIT 1`,
		`SELECT company, at FROM change WHERE number IN (SELECT MAX(number) FROM change WHERE company = ANY($1) GROUP BY company)`, texts(ids))
	if err != nil {
		return nil, fmt.Errorf("read the latest changes: %w", err)
	}
	return out, nil
}

// Lands implements company.SearchStore. It jumps from one country to the next:
// there are few, and many companies in each.
func (db *DB) Lands(ctx context.Context) ([]string, error) {
	var out []string
	for after := ""; ; after = out[len(out)-1] + "." {
		var id company.ID
		err := db.QueryRow(ctx, `SELECT COALESCE(MIN(id), '') FROM company WHERE id > $1`, after).Scan(&id)
		if err != nil {
			return nil, fmt.Errorf("list the countries of companies: %w", err)
		}
		if id == "" {
			return out, nil
		}
		out = append(out, id.Country())
	}
}
