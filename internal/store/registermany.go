package store

import (
	"context"
	"fmt"

	"bureau/internal/company"
)

// Held implements company.Store.
func (db *DB) Held(ctx context.Context, ids []company.ID) (map[company.ID]company.Held, error) {
	return db.heldMany(ctx, db.public(), ids, readCompany) // nobody writes them back
}

// FindMany implements company.Store.
func (db *DB) FindMany(ctx context.Context, idents []company.Ident) (map[company.Ident]company.ID, error) {
	return db.findMany(ctx, db, idents)
}

// Known implements company.Store.
func (db *DB) Known(ctx context.Context, ids []company.ID) (map[company.ID]bool, error) {
	known, err := db.known(ctx, db, ids)
	if err != nil {
		return nil, fmt.Errorf("look for companies: %w", err)
	}
	return known, nil
}

func (db *DB) known(ctx context.Context, t tx, ids []company.ID) (map[company.ID]bool, error) {
	out := make(map[company.ID]bool, len(ids))
	err := pick(ctx, db, t, func(r row) error {
		var id company.ID
		err := r.Scan(&id)
		out[id] = true
		return err
	}, `SELECT id FROM company WHERE id = $1`, `SELECT id FROM company WHERE id = ANY($1)`, texts(ids))
	return out, err
}

// Statuses implements company.Store.
func (db *DB) Statuses(ctx context.Context, ids []company.ID) (map[company.ID]company.Status, error) {
	out := make(map[company.ID]company.Status, len(ids))
	err := pick(ctx, db, db, func(r row) error {
		var id, status string
		err := r.Scan(&id, &status)
		out[company.ID(id)] = company.Status(status)
		return err
	}, `SELECT id, status FROM company WHERE id = $1`, `SELECT id, status FROM company WHERE id = ANY($1)`, texts(ids))
	if err != nil {
		return nil, fmt.Errorf("read statuses: %w", err)
	}
	return out, nil
}

func (db *DB) heldMany(ctx context.Context, t tx, ids []company.ID, read func(company.ID, []byte) (company.Held, error)) (map[company.ID]company.Held, error) {
	out := make(map[company.ID]company.Held, len(ids))
	err := pick(ctx, db, t, func(r row) error {
		var id company.ID
		var said []byte
		if err := r.Scan(&id, &said); err != nil {
			return err
		}
		h, err := read(id, said)
		out[id] = h
		return err
	}, `SELECT id, said FROM company WHERE id = $1`, `SELECT id, said FROM company WHERE id = ANY($1)`, texts(ids))
	if err != nil {
		return nil, fmt.Errorf("read companies: %w", err)
	}
	return out, nil
}

func (db *DB) findMany(ctx context.Context, t tx, idents []company.Ident) (map[company.Ident]company.ID, error) {
	byKind := map[company.IdentKind][]string{}
	for _, i := range idents {
		byKind[i.Kind] = append(byKind[i.Kind], i.Value)
	}
	out := map[company.Ident]company.ID{}
	for kind, values := range byKind {
		err := pick(ctx, db, t, func(r row) error {
			var i company.Ident
			var id company.ID
			if err := r.Scan(&i.Kind, &i.Value, &id); err != nil {
				return err
			}
			if first, ok := out[i]; !ok || id < first {
				out[i] = id
			}
			return nil
		}, `SELECT kind, value, company FROM company_ident WHERE kind = $2 AND value = $1`,
			`SELECT kind, value, company FROM company_ident WHERE kind = $2 AND value = ANY($1)`,
			values, string(kind))
		if err != nil {
			return nil, fmt.Errorf("find companies: %w", err)
		}
	}
	return out, nil
}
