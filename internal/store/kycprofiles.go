package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

// profileFacts are the part of a profile that is only ever read whole.
type profileFacts struct {
	Comments string         `json:",omitempty"`
	Details  kyc.Details    `json:",omitzero"`
	Premises []kyc.Premises `json:",omitempty"`
	Made     string
	Approved time.Time `json:",omitzero"`
	Judged   time.Time `json:",omitzero"`
}

func profileValues(by auth.Caller, p *kyc.Profile) ([]any, error) {
	facts, err := json.Marshal(profileFacts{p.Comments, p.Details, p.Premises, p.Made, p.Approved, p.Judged})
	if err != nil {
		return nil, fmt.Errorf("write a profile: %w", err)
	}
	folded := strings.Join([]string{p.Name, p.Details.LegalName, p.Details.TradingName, p.InternalID}, "\n")
	return []any{
		string(p.ID), int64(by.Customer), p.Name, kyc.Folded(p.Name), kyc.Folded(folded), string(p.Type), string(p.Status), string(p.Risk),
		p.InternalID, int64(p.Assigned), string(p.ReviewOn),
		stamp{&p.Created.At},
		int64(p.Created.By),
		stamp{&p.Modified.At},
		int64(p.Modified.By), string(facts), string(p.Company()),
	}, nil
}

const profileColumns = `id, name, type, status, risk, internal_id, assigned, review_on,
	created_at, created_by, modified_at, modified_by, facts,
	(SELECT COUNT(*) FROM kyc_note WHERE kyc_note.customer = kyc_profile.customer AND kyc_note.profile = kyc_profile.id)`

func readProfile(r row) (p kyc.Profile, err error) {
	var text string
	err = r.Scan(&p.ID, &p.Name, &p.Type, &p.Status, &p.Risk, &p.InternalID, &p.Assigned, &p.ReviewOn,
		stamp{&p.Created.At}, &p.Created.By, stamp{&p.Modified.At}, &p.Modified.By, &text, &p.Notes)
	if err != nil {
		return p, err
	}
	var facts profileFacts
	if err := json.Unmarshal([]byte(text), &facts); err != nil {
		return p, fmt.Errorf("read profile %s: %w", p.ID, err)
	}
	p.Comments, p.Details, p.Premises = facts.Comments, facts.Details, facts.Premises
	p.Made, p.Approved, p.Judged = facts.Made, facts.Approved, facts.Judged
	return p, nil
}

// profileError says what a database error means for profiles.
func (db *DB) profileError(doing string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sql.ErrNoRows):
		return fault.Missing.Errorf("Profile not found")
	case db.d.isTaken(err):
		return fault.Conflict.Errorf("another profile has this internalId")
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// AddProfile implements kyc.ProfileStore.
func (db *DB) AddProfile(ctx context.Context, by auth.Caller, p kyc.Profile) error {
	values, err := profileValues(by, &p)
	if err != nil {
		return err
	}
	err = db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `
			INSERT INTO kyc_profile (id, customer, name, sorted, folded, type, status, risk, internal_id, assigned, review_on,
			                         created_at, created_by, modified_at, modified_by, facts, company)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`, values...)
		return err
	})
	return db.profileError("add a profile", err)
}

// Profile implements kyc.ProfileStore.
func (db *DB) Profile(ctx context.Context, by auth.Caller, id kyc.ProfileID) (kyc.Profile, error) {
	p, err := readProfile(db.QueryRow(ctx, `
		SELECT `+profileColumns+` FROM kyc_profile
		WHERE customer = $1 AND id = $2`, by.Customer, string(id)))
	if err != nil {
		return kyc.Profile{}, db.profileError("find a profile", err)
	}
	return p, nil
}

// profileOrders are what profiles are sorted by, and when a profile has
// nothing to be sorted by. How much risk there is has an order of its own.
var profileOrders = map[kyc.ProfileSort]struct{ by, none string }{
	kyc.ByCreated:    {"created_at", ""},
	kyc.ByName:       {"sorted", ""},
	kyc.ByStatus:     {"status", ""},
	kyc.ByType:       {"type", ""},
	kyc.ByReview:     {"review_on", "review_on = ''"},
	kyc.ByModified:   {"modified_at", "modified_at = 0"},
	kyc.ByInternalID: {"internal_id", "internal_id = ''"},
	kyc.ByRisk: {
		"CASE risk WHEN 'veryLow' THEN 1 WHEN 'low' THEN 2 WHEN 'medium' THEN 3 WHEN 'high' THEN 4 ELSE 5 END",
		"risk = 'notApplicable'",
	},
}

// Profiles implements kyc.ProfileStore.
func (db *DB) Profiles(ctx context.Context, by auth.Caller, q kyc.ProfileQuery) (out []kyc.Profile, total int64, err error) {
	var assigned []string
	for _, id := range q.Assigned {
		assigned = append(assigned, fmt.Sprint(id))
	}
	where := `
		FROM kyc_profile
		WHERE customer = $1
		  AND ($2 = '' OR folded LIKE '%' || $2 || '%' ESCAPE '\')
		  AND ($3 = '' OR review_on >= $3)
		  AND ($4 = '' OR review_on <> '' AND review_on <= $4)
		  AND ($5 = 0 OR ` + db.d.oneOf("CAST(assigned AS TEXT)", "$6") + `)
		  AND ($7 = 0 OR ` + db.d.oneOf("risk", "$8") + `)
		  AND ($9 = 0 OR ` + db.d.oneOf("type", "$10") + `)
		  AND ($11 = 0 OR ` + db.d.oneOf("status", "$12") + `)
		  AND (created_at >= $13 OR $13 = 0)
		  AND (created_at < $14 OR $14 = 0)`
	args := []any{
		int64(by.Customer), literally.Replace(kyc.Folded(q.Term)), string(q.ReviewAfter), string(q.ReviewBefore),
		int64(len(assigned)), many(db.d, assigned), int64(len(q.Risks)), many(db.d, q.Risks),
		int64(len(q.Types)), many(db.d, q.Types), int64(len(q.Statuses)), many(db.d, q.Statuses),
		stamp{&q.From},
		stamp{&q.Until},
	}
	var last kyc.ProfilePlace
	if q.After != nil {
		last = *q.After
	}
	behind := ` AND ($16 = '' OR (created_at, id) > ($15, $16))`
	if q.Down {
		behind = ` AND ($16 = '' OR (created_at, id) < ($15, $16))`
	}
	order, ok := profileOrders[q.Sort]
	if !ok {
		order, q.Down = profileOrders[kyc.ByCreated], true
	}
	way := " ASC"
	if q.Down {
		way = " DESC"
	}
	if order.none != "" {
		order.none += ", "
	}
	err = db.snapshot(ctx, func(t tx) error {
		if err := t.QueryRow(ctx, `SELECT COUNT(*) `+where, args...).Scan(&total); err != nil {
			return err
		}
		return each(ctx, t, func(r row) error {
			p, err := readProfile(r)
			out = append(out, p)
			return err
		}, `SELECT `+profileColumns+where+behind+`
			ORDER BY `+order.none+order.by+way+`, created_at`+way+`, id`+way+`
			LIMIT $17 + 0 OFFSET $18 + 0`, append(args, stamp{&last.At}, string(last.ID), q.Limit, q.Skip)...)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list profiles: %w", err)
	}
	return out, total, nil
}

// UpdateProfiles implements kyc.ProfileStore. Rows are locked in the order of
// their ids, so that two calls never wait for each other.
func (db *DB) UpdateProfiles(ctx context.Context, by auth.Caller, ids []kyc.ProfileID, edit func(*kyc.Profile) error) ([]kyc.Profile, error) {
	done := map[kyc.ProfileID]kyc.Profile{}
	err := db.write(ctx, func(t tx) error {
		clear(done)
		for _, id := range slices.Sorted(slices.Values(ids)) {
			p, err := db.updateProfile(ctx, t, by, id, edit)
			if err != nil {
				return err
			}
			done[id] = p
		}
		return nil
	})
	if err != nil {
		return nil, db.profileError("change profiles", err)
	}
	out := make([]kyc.Profile, 0, len(ids))
	for _, id := range ids {
		out = append(out, done[id])
	}
	return out, nil
}

func (db *DB) updateProfile(ctx context.Context, t tx, by auth.Caller, id kyc.ProfileID, edit func(*kyc.Profile) error) (kyc.Profile, error) {
	p, err := readProfile(t.QueryRow(ctx, `
		SELECT `+profileColumns+` FROM kyc_profile
		WHERE customer = $1 AND id = $2 `+db.d.forUpdate, by.Customer, string(id)))
	if err != nil {
		return p, err
	}
	if err := edit(&p); err != nil {
		return p, err
	}
	values, err := profileValues(by, &p)
	if err != nil {
		return p, err
	}
	_, err = t.Exec(ctx, `
		UPDATE kyc_profile
		SET name = $3, sorted = $4, folded = $5, type = $6, status = $7, risk = $8, internal_id = $9, assigned = $10, review_on = $11,
		    created_at = $12, created_by = $13, modified_at = $14, modified_by = $15, facts = $16, company = $17
		WHERE id = $1 AND customer = $2`, values...)
	return p, err
}

// DeleteProfiles implements kyc.ProfileStore.
func (db *DB) DeleteProfiles(ctx context.Context, by auth.Caller, ids []kyc.ProfileID) error {
	err := db.write(ctx, func(t tx) error {
		for _, id := range slices.Sorted(slices.Values(ids)) {
			var held string
			err := t.QueryRow(ctx, `SELECT id FROM kyc_profile WHERE customer = $1 AND id = $2 `+db.d.forDelete, by.Customer, string(id)).Scan(&held)
			if err != nil {
				return err
			}
			for _, query := range []string{
				`DELETE FROM kyc_note WHERE profile = $1 AND customer = $2`,
				`DELETE FROM kyc_profile_search WHERE profile = $1 AND customer = $2`,
				`DELETE FROM kyc_profile WHERE id = $1 AND customer = $2`,
			} {
				if _, err := t.Exec(ctx, query, held, by.Customer); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return db.profileError("delete profiles", err)
}
