package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"bureau/internal/company"
)

var fingerprintColumns = []string{"source", "key", "company", "hash"}

// Fingerprints implements company.Store.
func (db *DB) Fingerprints(ctx context.Context, source string, visit func(key, hash int64)) error {
	return each(ctx, db, func(r row) error {
		var key, hash int64
		if err := r.Scan(&key, &hash); err != nil {
			return err
		}
		visit(key, hash)
		return nil
	}, `SELECT key, hash FROM statement WHERE source = $1 ORDER BY key`, source)
}

// Keys implements company.Store.
func (db *DB) Keys(ctx context.Context, source string, keys []int64) (map[int64]company.ID, error) {
	out, err := db.keysOf(ctx, db, source, keys)
	if err != nil {
		return nil, fmt.Errorf("read what %s said: %w", source, err)
	}
	return out, nil
}

func (db *DB) keysOf(ctx context.Context, t tx, source string, keys []int64) (map[int64]company.ID, error) {
	out := make(map[int64]company.ID, len(keys))
	err := pick(ctx, db, t, func(r row) error {
		var key int64
		var id company.ID
		err := r.Scan(&key, &id)
		out[key] = id
		return err
	}, `SELECT key, company FROM statement WHERE key = $1 AND source = $2`,
		`SELECT key, company FROM statement WHERE key = ANY($1) AND source = $2`, keys, source)
	return out, err
}

// keepKeys replaces fingerprints.
func (db *DB) keepKeys(ctx context.Context, t tx, u company.Update) error {
	slices.SortFunc(u.Keys, func(a, b company.Fingerprint) int { return cmp.Compare(a.Key, b.Key) })
	if db.d.name == "postgres" {
		return db.keepKeysBySource(ctx, t, u)
	}
	for i := range u.DropKeys {
		k := &u.DropKeys[i]
		if _, err := t.Exec(ctx, `DELETE FROM statement WHERE source = $1 AND key = $2`, k.Source, k.Key); err != nil {
			return err
		}
	}
	return insertRows(ctx, t, "INSERT OR FAIL INTO statement", fingerprintColumns,
		" ON CONFLICT (source, key) DO UPDATE SET company = excluded.company, hash = excluded.hash", len(u.Keys), func(i int) []any {
			k := &u.Keys[i]
			return []any{k.Source, k.Key, string(k.Company), k.Hash}
		})
}

// keepKeysBySource replaces fingerprints on PostgreSQL.
func (db *DB) keepKeysBySource(ctx context.Context, t tx, u company.Update) error {
	type lists struct{ keep, drop []company.Fingerprint }
	of := map[string]lists{}
	for _, k := range u.Keys {
		l := of[k.Source]
		l.keep = append(l.keep, k)
		of[k.Source] = l
	}
	for _, k := range u.DropKeys {
		l := of[k.Source]
		l.drop = append(l.drop, k)
		of[k.Source] = l
	}
	for source, l := range of {
		if err := db.keepKeysOf(ctx, t, source, l.keep, l.drop); err != nil {
			return err
		}
	}
	return nil
}

// keepKeysOf replaces fingerprints of one source. A key is one company's, and there the
// schema does not see to it: the database may be spread by company. So who has each key
// is looked up, under the lock of the register, and only then written, each row by its
// company: what it came to changes where it lies, and what is new is copied in.
func (db *DB) keepKeysOf(ctx context.Context, t tx, source string, keep, drop []company.Fingerprint) error {
	var look []int64
	for _, list := range [][]company.Fingerprint{keep, drop} {
		for i := range list {
			if !list[i].New {
				look = append(look, list[i].Key)
			}
		}
	}
	was, err := db.keysOf(ctx, t, source, look)
	if err != nil {
		return err
	}
	var gone, same, fresh fingerprintLists
	for i := range drop {
		if id, ok := was[drop[i].Key]; ok {
			gone.add(drop[i].Key, id, 0)
			delete(was, drop[i].Key) // it may be said anew in the same breath
		}
	}
	for i := range keep {
		k := &keep[i]
		id, ok := was[k.Key]
		if ok && id == k.Company {
			same.add(k.Key, id, k.Hash)
			continue
		}
		if ok {
			gone.add(k.Key, id, 0)
		}
		fresh.add(k.Key, k.Company, k.Hash)
	}
	if len(gone.keys) > 0 {
		_, err := t.Exec(ctx, `
			DELETE FROM statement AS s
			USING unnest($2::bigint[], $3::text[]) AS k (key, company)
			WHERE s.source = $1 AND s.key = k.key AND s.company = k.company`, source, gone.keys, gone.companies)
		if err != nil {
			return err
		}
	}
	if len(same.keys) > 0 {
		_, err := t.Exec(ctx, `
			UPDATE statement AS s SET hash = k.hash
			FROM unnest($2::bigint[], $3::text[], $4::bigint[]) AS k (key, company, hash)
			WHERE s.source = $1 AND s.key = k.key AND s.company = k.company`, source, same.keys, same.companies, same.hashes)
		if err != nil {
			return err
		}
	}
	return t.Bulk(ctx, "statement", fingerprintColumns, len(fresh.keys), func(i int) []any {
		return []any{source, fresh.keys[i], fresh.companies[i], fresh.hashes[i]}
	})
}

// fingerprintLists are fingerprints of one source, column by column.
type fingerprintLists struct {
	keys, hashes []int64
	companies    []string
}

func (l *fingerprintLists) add(key int64, of company.ID, hash int64) {
	l.keys, l.companies, l.hashes = append(l.keys, key), append(l.companies, string(of)), append(l.hashes, hash)
}
