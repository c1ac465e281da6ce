package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
)

// Write implements company.Store.
func (db *DB) Write(ctx context.Context, edit func(company.View) (company.Update, error)) error {
	changed := false
	err := db.write(ctx, func(t tx) error {
		v := &view{db: db, t: t}
		err := t.QueryRow(ctx, `SELECT last_number FROM change_log WHERE id = 1 `+db.d.forUpdate).Scan(&v.last)
		if err != nil {
			return err
		}
		u, err := edit(v)
		if err != nil {
			return err
		}
		changed = len(u.Changes) > 0
		return db.keep(ctx, t, v.last, u)
	})
	db.wrote() // whatever we heard of the commit
	if err != nil {
		return fmt.Errorf("write the register: %w", err)
	}
	if changed {
		db.Signals.raise(changesMade)
	}
	return nil
}

// view is the register as a Write sees it.
type view struct {
	db   *DB
	t    tx
	last int64
}

func (v *view) LastChange() int64 { return v.last }

func (v *view) Held(ctx context.Context, ids []company.ID) (map[company.ID]company.Held, error) {
	return v.db.heldMany(ctx, v.t, ids, decode)
}

func (v *view) Find(ctx context.Context, idents []company.Ident) (map[company.Ident]company.ID, error) {
	return v.db.findMany(ctx, v.t, idents)
}

// pick reads the rows for many values, in one question. A few are asked for one
// by one where that costs no trip over the network.
func pick[T string | int64](ctx context.Context, db *DB, t tx, read func(row) error, one, many string, values []T, args ...any) error {
	return t.Together(ctx, picking(db, read, one, many, values, args...))
}

// picking are the steps of pick.
func picking[T string | int64](db *DB, read func(row) error, one, many string, values []T, args ...any) (out []step) {
	if len(values) == 0 {
		return nil
	}
	if db.d.name == "postgres" {
		return []step{{query: many, args: append([]any{values}, args...), read: read}}
	}
	const few = 3
	if len(values) > few && strings.Contains(many, "= ANY($1)") {
		list, err := json.Marshal(values)
		if err != nil {
			panic(err) // texts and numbers can be written
		}
		return []step{{query: listInSQLite.Replace(many), args: append([]any{string(list)}, args...), read: read}}
	}
	for _, v := range values {
		out = append(out, step{query: one, args: append([]any{v}, args...), read: read})
	}
	return out
}

// listInSQLite puts a question about many values as SQLite understands it: a
// list is JSON there, and nothing needs to be locked, since one writes at a time.
var listInSQLite = strings.NewReplacer("= ANY($1)", "IN (SELECT value FROM json_each($1))", " FOR SHARE", "", " FOR KEY SHARE", "", " FOR UPDATE", "")

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

// keep writes an update and moves the end of the log.
func (db *DB) keep(ctx context.Context, t tx, last int64, u company.Update) error {
	if err := db.keepCompanies(ctx, t, u.Companies); err != nil {
		return err
	}
	for _, id := range u.Removed {
		if _, err := t.Exec(ctx, `DELETE FROM company WHERE id = $1`, string(id)); err != nil {
			return err
		}
		if _, err := t.Exec(ctx, `DELETE FROM company_ident WHERE company = $1`, string(id)); err != nil {
			return err
		}
	}
	if err := db.keepKeys(ctx, t, u); err != nil {
		return err
	}
	if u.Reached != nil {
		if err := db.savePlace(ctx, t, job.Place{Name: u.Reached.Reader, Number: u.Reached.Number, Fence: u.Reached.Fence}); err != nil {
			return err
		}
	}
	if err := keepNotes(ctx, t, u.Notes); err != nil || len(u.Changes) == 0 {
		return err
	}
	columns := []string{"number", "company", "field", "item", "old", "new", "source", "at"}
	err := t.Bulk(ctx, "change", columns, len(u.Changes), func(i int) []any {
		c := &u.Changes[i]
		return []any{
			last + int64(i) + 1, string(c.Company), string(c.Field), c.Item, c.Old, c.New,
			c.Source, c.At.UnixMilli(),
		}
	})
	if err != nil {
		return err
	}
	_, err = t.Exec(ctx, `UPDATE change_log SET last_number = $1 WHERE id = 1`, last+int64(len(u.Changes)))
	if err != nil {
		return err
	}
	return t.Together(ctx, db.tell(changesMade))
}

func (db *DB) keepCompanies(ctx context.Context, t tx, list []company.Saved) error {
	var fresh []company.Saved
	for _, c := range list {
		if c.New {
			fresh = append(fresh, c)
			continue
		}
		_, err := t.Exec(ctx, `UPDATE company SET name = $2, status = $3, band = $4, accounts_due = $5, rerate = $6, said = $7 WHERE id = $1`,
			string(c.ID), c.Name, string(c.Status), c.Band, string(c.Due), string(c.Rerate), pack(c.Encode()))
		if err != nil {
			return err
		}
		if _, err := t.Exec(ctx, `DELETE FROM company_ident WHERE company = $1`, string(c.ID)); err != nil {
			return err
		}
	}
	// In the order of the index, which then takes the rows in at fewer places.
	slices.SortFunc(fresh, func(a, b company.Saved) int { return cmp.Compare(a.ID, b.ID) })
	columns := []string{"id", "country", "name", "status", "band", "accounts_due", "rerate", "said"}
	err := t.Bulk(ctx, "company", columns, len(fresh), func(i int) []any {
		c := &fresh[i]
		return []any{string(c.ID), c.Country, c.Name, string(c.Status), c.Band, string(c.Due), string(c.Rerate), pack(c.Encode())}
	})
	if err != nil {
		return err
	}
	type named struct {
		company.Ident
		of company.ID
	}
	var idents []named
	for _, c := range list {
		for _, i := range c.Idents {
			idents = append(idents, named{i, c.ID})
		}
	}
	return t.Bulk(ctx, "company_ident", []string{"kind", "value", "company"}, len(idents), func(i int) []any {
		return []any{string(idents[i].Kind), idents[i].Value, string(idents[i].of)}
	})
}

// Company implements company.Store.
func (db *DB) Company(ctx context.Context, id company.ID) (company.Held, error) {
	var h company.Held
	return h, db.public().Together(ctx, []step{readSaid(id, &h)})
}

// Dossier implements company.Store.
func (db *DB) Dossier(ctx context.Context, id company.ID, children, changes int) (d company.Dossier, err error) {
	steps := []step{readSaid(id, &d.Held), findIdents(company.Ident{Kind: company.ByParent, Value: string(id)}, children, &d.Children)}
	if changes > 0 {
		steps = append(steps, readChangesOf(id, 0, changes, &d.History))
	}
	return d, db.public().Together(ctx, steps)
}

func readSaid(id company.ID, into *company.Held) step {
	return step{
		query: `SELECT said FROM company WHERE id = $1`,
		args:  []any{string(id)},
		read: func(r row) (err error) {
			var said []byte
			if err := r.Scan(&said); err != nil {
				return err
			}
			*into, err = readCompany(id, said)
			return err
		},
		none: fault.Missing.Errorf("Company resource not found"),
		of: func(err error) error {
			if errors.Is(err, fault.Missing) {
				return err
			}
			return fmt.Errorf("read company %s: %w", id, err)
		},
	}
}

// Find implements company.Store.
func (db *DB) Find(ctx context.Context, what company.Ident) (id company.ID, err error) {
	err = db.public().QueryRow(ctx, `
		SELECT company FROM company_ident
		WHERE kind = $1 AND value = $2
		ORDER BY company
		LIMIT 1`, string(what.Kind), what.Value).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", fault.Missing.Errorf("Company resource not found")
	}
	if err != nil {
		return "", fmt.Errorf("find a company: %w", err)
	}
	return id, nil
}

// FindAll implements company.Store. SQLite prepares a statement anew each time
// that a bare LIMIT $3 is bound, which takes longer than to run it.
func (db *DB) FindAll(ctx context.Context, what company.Ident, limit int) ([]company.ID, error) {
	var out []company.ID
	if err := db.public().Together(ctx, []step{findIdents(what, limit, &out)}); err != nil {
		return nil, fmt.Errorf("find companies: %w", err)
	}
	return out, nil
}

func findIdents(what company.Ident, limit int, into *[]company.ID) step {
	return step{
		query: `
		SELECT company FROM company_ident
		WHERE kind = $1 AND value = $2
		ORDER BY company
		LIMIT $3 + 0`,
		args: []any{string(what.Kind), what.Value, limit},
		read: func(r row) error {
			var id company.ID
			err := r.Scan(&id)
			*into = append(*into, id)
			return err
		},
	}
}

// Count implements company.Store.
func (db *DB) Count(ctx context.Context) (n int64, err error) {
	err = db.QueryRow(ctx, `SELECT COUNT(*) FROM company`).Scan(&n)
	return n, err
}

// Companies implements company.Store.
func (db *DB) Companies(ctx context.Context, after company.ID, visit func(company.Held) error) error {
	const page = 1000
	for {
		var list []company.Held
		err := each(ctx, db, func(r row) error {
			var id company.ID
			var said []byte
			if err := r.Scan(&id, &said); err != nil {
				return err
			}
			h, err := readCompany(id, said)
			list = append(list, h)
			return err
		}, `SELECT id, said FROM company WHERE id > $1 ORDER BY id LIMIT $2 + 0`, string(after), page)
		if err != nil {
			return fmt.Errorf("read companies: %w", err)
		}
		for _, h := range list {
			if err := visit(h); err != nil {
				return err
			}
			after = h.ID
		}
		if len(list) < page {
			return nil
		}
	}
}

// readCompany reads what is kept of a company, for who does not change it.
func readCompany(id company.ID, said []byte) (company.Held, error) {
	text, err := unpack(said)
	if err != nil {
		return company.Held{}, fmt.Errorf("read company %s: %w", id, err)
	}
	return company.Read(id, text)
}

// decode reads what is kept of a company.
func decode(id company.ID, said []byte) (company.Held, error) {
	text, err := unpack(said)
	if err != nil {
		return company.Held{}, fmt.Errorf("read company %s: %w", id, err)
	}
	return company.Decode(id, text)
}
