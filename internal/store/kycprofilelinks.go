package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

// LinkSearch implements kyc.LinkStore.
func (db *DB) LinkSearch(ctx context.Context, by auth.Caller, of kyc.ProfileID, id kyc.SearchID, at kyc.Act) error {
	err := db.write(ctx, func(t tx) error {
		if err := db.holdProfile(ctx, t, by, of); err != nil {
			return err
		}
		var there string
		err := t.QueryRow(ctx, `SELECT id FROM kyc_search WHERE customer = $1 AND id = $2 `+db.d.forKey, int64(by.Customer), string(id)).Scan(&there)
		if errors.Is(err, sql.ErrNoRows) {
			return fault.Missing.Errorf(kyc.NoSearch)
		}
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `INSERT INTO kyc_profile_search (profile, search, at, account, customer) VALUES ($1, $2, $3, $4, $5)`,
			string(of), string(id), stamp{&at.At}, int64(at.By), int64(by.Customer))
		return err
	})
	return db.linkError("link a search", err)
}

// linkError says what a database error means for a link.
func (db *DB) linkError(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case db.d.isTaken(err):
		return fault.Conflict.Errorf("the search is linked to this profile already")
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// UnlinkSearch implements kyc.LinkStore.
func (db *DB) UnlinkSearch(ctx context.Context, by auth.Caller, of kyc.ProfileID, id kyc.SearchID) error {
	err := db.write(ctx, func(t tx) error {
		if err := db.holdProfile(ctx, t, by, of); err != nil {
			return err
		}
		n, err := t.Exec(ctx, `DELETE FROM kyc_profile_search WHERE customer = $3 AND profile = $1 AND search = $2`, string(of), string(id), int64(by.Customer))
		if err == nil && n == 0 {
			err = fault.Missing.Errorf(kyc.NoSearch)
		}
		return err
	})
	return db.linkError("unlink a search", err)
}

// LinkedSearches implements kyc.LinkStore.
func (db *DB) LinkedSearches(ctx context.Context, by auth.Caller, of kyc.ProfileID, q kyc.LinkQuery) (out []kyc.Search, total int64, err error) {
	scheduled := int64(2) // both
	if q.Scheduled != nil {
		scheduled = int64(b2i(*q.Scheduled))
	}
	err = db.snapshot(ctx, func(t tx) error {
		var one int64
		err := t.QueryRow(ctx, `SELECT 1 FROM kyc_profile WHERE customer = $1 AND id = $2`, int64(by.Customer), string(of)).Scan(&one)
		if errors.Is(err, sql.ErrNoRows) {
			return fault.Missing.Errorf("Profile not found")
		}
		if err != nil {
			return err
		}
		const where = `
			WHERE s.customer = $1
			  AND s.id IN (SELECT l.search FROM kyc_profile_search AS l WHERE l.customer = $1 AND l.profile = $2)
			  AND ($3 = 2 OR $3 = CASE WHEN s.schedule = '' THEN 0 ELSE 1 END)`
		args := []any{int64(by.Customer), string(of), scheduled}
		if err := t.QueryRow(ctx, `SELECT COUNT(*) FROM kyc_search AS s`+where, args...).Scan(&total); err != nil {
			return err
		}
		err = each(ctx, t, func(r row) error {
			s, err := readKYCSearch(r)
			out = append(out, s)
			return err
		}, kycSearchSelect+where+` ORDER BY s.created_at DESC, s.id DESC LIMIT $4 + 0 OFFSET $5 + 0`, append(args, q.Limit, q.Skip)...)
		if err != nil {
			return err
		}
		return db.tallyKYC(ctx, t, by.Customer, out)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list the searches of a profile: %w", err)
	}
	return out, total, nil
}
