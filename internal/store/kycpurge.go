package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

// KYCAnswer implements kyc.ReplayStore.
func (db *DB) KYCAnswer(ctx context.Context, id kyc.SearchID) (of auth.CustomerID, s kyc.Search, hits []kyc.SavedHit, err error) {
	err = db.snapshot(ctx, func(t tx) error {
		err := t.QueryRow(ctx, `SELECT customer FROM kyc_search WHERE id = $1`, string(id)).Scan(&of)
		if err != nil {
			return err
		}
		if s, err = readKYCSearch(t.QueryRow(ctx, kycSearchSelect+`WHERE s.customer = $1 AND s.id = $2`, int64(of), string(id))); err != nil {
			return err
		}
		return each(ctx, t, func(r row) error {
			h, err := readKYCHit(r)
			hits = append(hits, h)
			return err
		}, kycHitSelect+`WHERE search = $1 AND customer = $2 AND alert = 0 ORDER BY score DESC, id DESC`, string(id), int64(of))
	})
	return of, s, hits, kycError("read a search's answer", kyc.NoSearch, err)
}

// ofSearch are the tables that hold something of a search, and how. A schedule
// that ended has no search any more, nor anything else of it.
var ofSearch = []struct{ table, column string }{
	{"kyc_hit", "search"},
	{"kyc_schedule", "search"},
	{"kyc_profile_search", "search"},
	{"kyc_batch_row", "id"},
	{"kyc_search", "id"},
}

// PurgeSubject implements kyc.PurgeStore.
func (db *DB) PurgeSubject(ctx context.Context, of kyc.SubjectKey, mark func([]byte) string, same func(kyc.BatchLine) bool) (p kyc.Purge, err error) {
	err = db.write(ctx, func(t tx) error {
		p = kyc.Purge{Of: of, Removed: map[string]int64{}}
		var secret []byte
		var since time.Time
		err := t.QueryRow(ctx, `SELECT secret, created_at FROM kyc_subject WHERE customer = $1 AND sought = $2 `+db.d.forUpdate,
			int64(of.Customer), of.Sought).Scan(&secret, stamp{&since})
		if err != nil {
			return err
		}
		err = t.QueryRow(ctx, `SELECT COUNT(*) FROM audit WHERE customer = $1 AND person = $2`, int64(of.Customer), mark(secret)).Scan(&p.Named)
		if err != nil {
			return err
		}
		err = t.QueryRow(ctx, `
			SELECT COUNT(DISTINCT l.profile) FROM kyc_profile_search AS l JOIN kyc_search AS s ON s.customer = l.customer AND s.id = l.search
			WHERE s.customer = $1 AND s.sought = $2`, int64(of.Customer), of.Sought).Scan(&p.Profiles)
		if err != nil {
			return err
		}
		if p.Searches, err = db.searchesFor(ctx, t, of); err != nil {
			return err
		}
		return db.purge(ctx, t, &p, since, same)
	})
	if errors.Is(err, sql.ErrNoRows) {
		return p, fault.Missing.Errorf(kyc.NoSearch)
	}
	if err != nil {
		return p, fmt.Errorf("purge a subject: %w", err)
	}
	return p, nil
}

func (db *DB) searchesFor(ctx context.Context, t tx, of kyc.SubjectKey) (ids []kyc.SearchID, err error) {
	err = each(ctx, t, func(r row) error {
		var id kyc.SearchID
		err := r.Scan(&id)
		ids = append(ids, id)
		return err
	}, `SELECT id FROM kyc_search WHERE customer = $1 AND sought = $2 ORDER BY id`, int64(of.Customer), of.Sought)
	return ids, err
}

func (db *DB) purge(ctx context.Context, t tx, p *kyc.Purge, since time.Time, same func(kyc.BatchLine) bool) error {
	drop := func(table, where string, args ...any) error {
		n, err := t.Exec(ctx, `DELETE FROM `+table+` WHERE `+where, args...)
		p.Removed[table] += n
		return err
	}
	for _, id := range p.Searches {
		const watched = `customer = $1 AND version IN (SELECT c.version FROM kyc_schedule AS c WHERE c.customer = $1 AND c.search = $2)`
		if err := drop("kyc_watch", watched, int64(p.Of.Customer), string(id)); err != nil {
			return err
		}
		for _, at := range ofSearch {
			if err := drop(at.table, `customer = $1 AND `+at.column+` = $2`, int64(p.Of.Customer), string(id)); err != nil {
				return err
			}
		}
	}
	if err := db.purgeRows(ctx, t, p, same, drop); err != nil {
		return err
	}
	by := []any{int64(p.Of.Customer), p.Of.Sought}
	for _, table := range []string{"kyc_decision", "kyc_subject"} {
		if err := drop(table, `customer = $1 AND sought = $2`, by...); err != nil {
			return err
		}
	}
	// Reports are tables of many; those that may name the subject are made anew
	// by whoever needs them.
	const reports = `customer = $1 AND created_at >= $2 AND type IN ('amlScreen', 'monitorSearch', 'amlAlert')`
	args := []any{int64(p.Of.Customer), stamp{&since}}
	const made = `(SELECT id FROM file WHERE task IN (SELECT task FROM kyc_report WHERE ` + reports + `))`
	if err := drop("file_chunk", `file IN `+made, args...); err != nil {
		return err
	}
	if err := drop("file", `id IN `+made, args...); err != nil {
		return err
	}
	if err := drop("kyc_report", reports, args...); err != nil {
		return err
	}
	return drop("idempotent_reply", `name LIKE 'search%' AND account IN (SELECT id FROM account WHERE customer = $1)`, int64(p.Of.Customer))
}

// purgeRows removes rows of batches that name the subject and made no search.
func (db *DB) purgeRows(ctx context.Context, t tx, p *kyc.Purge, same func(kyc.BatchLine) bool, drop func(table, where string, args ...any) error) error {
	type place struct {
		batch  string
		number int64
	}
	var found []place
	err := each(ctx, t, func(r row) error {
		var at place
		var asked string
		var line kyc.BatchLine
		if err := r.Scan(&at.batch, &at.number, &asked); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(asked), &line); err != nil {
			return err
		}
		if same(line) {
			found = append(found, at)
		}
		return nil
	}, `SELECT batch, number, asked FROM kyc_batch_row WHERE customer = $1`, int64(p.Of.Customer))
	for _, at := range found {
		if err == nil {
			err = drop("kyc_batch_row", `customer = $3 AND batch = $1 AND number = $2`, at.batch, at.number, int64(p.Of.Customer))
		}
	}
	return err
}

// Traces implements kyc.PurgeStore.
func (db *DB) Traces(ctx context.Context, of kyc.SubjectKey, ids []kyc.SearchID) (map[string]int64, error) {
	out := map[string]int64{}
	count := func(table, where string, args ...any) error {
		var n int64
		err := db.QueryRow(ctx, `SELECT COUNT(*) FROM `+table+` WHERE `+where, args...).Scan(&n)
		if n > 0 {
			out[table] += n
		}
		return err
	}
	for _, table := range []string{"kyc_subject", "kyc_search", "kyc_decision"} {
		if err := count(table, `customer = $1 AND sought = $2`, int64(of.Customer), of.Sought); err != nil {
			return nil, fmt.Errorf("look for a subject: %w", err)
		}
	}
	for _, id := range ids {
		for _, at := range ofSearch {
			if err := count(at.table, `customer = $1 AND `+at.column+` = $2`, int64(of.Customer), string(id)); err != nil {
				return nil, fmt.Errorf("look for a search: %w", err)
			}
		}
	}
	return out, nil
}

// OldSubjects implements kyc.PurgeStore.
func (db *DB) OldSubjects(ctx context.Context, before time.Time, limit int) (out []kyc.SubjectKey, err error) {
	err = each(ctx, db, func(r row) error {
		var k kyc.SubjectKey
		err := r.Scan(&k.Customer, &k.Sought)
		out = append(out, k)
		return err
	}, `
		SELECT u.customer, u.sought FROM kyc_subject AS u
		WHERE u.created_at < $1 AND NOT EXISTS (
			SELECT 1 FROM kyc_search AS s
			WHERE s.customer = u.customer AND s.sought = u.sought AND (s.created_at >= $1 OR s.modified_at >= $1 OR s.schedule <> ''))
		ORDER BY u.created_at LIMIT $2 + 0`, stamp{&before}, limit)
	if err != nil {
		return nil, fmt.Errorf("find old subjects: %w", err)
	}
	return out, nil
}
