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

// KYCSettings implements kyc.SearchStore.
func (db *DB) KYCSettings(ctx context.Context, of auth.CustomerID) (s kyc.Settings, err error) {
	if err := db.Together(ctx, []step{readKYCSettings(of, &s)}); err != nil {
		return s, fmt.Errorf("read a customer's settings: %w", err)
	}
	return s, nil
}

func readKYCSettings(of auth.CustomerID, s *kyc.Settings) step {
	return step{
		query: `SELECT dob_required, bodies FROM kyc_setting WHERE customer = $1`,
		args:  []any{int64(of)},
		read:  func(r row) error { return r.Scan(flag{&s.DOBRequired}, list[kyc.Body]{&s.Bodies}) },
	}
}

// KYCBackground implements kyc.SearchStore.
func (db *DB) KYCBackground(ctx context.Context, by auth.Caller, sought string) (b kyc.Background, err error) {
	err = db.Together(ctx, []step{readKYCSettings(by.Customer, &b.Settings), readKYCRulings(by, sought, func(r kyc.Ruling) {
		b.Rulings = append(b.Rulings, r)
	})})
	if err != nil {
		return kyc.Background{}, fmt.Errorf("read what is known of a subject: %w", err)
	}
	return b, nil
}

// SetKYCSettings implements kyc.SearchStore.
func (db *DB) SetKYCSettings(ctx context.Context, of auth.CustomerID, s kyc.Settings) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `
			INSERT INTO kyc_setting (customer, dob_required, bodies) VALUES ($1, $2, $3)
			ON CONFLICT (customer) DO UPDATE SET dob_required = $2, bodies = $3`,
			int64(of), flag{&s.DOBRequired}, list[kyc.Body]{&s.Bodies})
		return err
	})
	if err != nil {
		return fmt.Errorf("keep a customer's settings: %w", err)
	}
	return nil
}

// kycAsked is the part of a search that is only ever read whole.
type kycAsked struct {
	Subject kyc.Subject `json:"subject"`
	Options kyc.Options `json:"options"`
}

func addKYCHits(ctx context.Context, t tx, of auth.CustomerID, hits []kyc.SavedHit, verdicts []string) error {
	return t.Bulk(ctx, "kyc_hit", kycHitColumns, len(hits), func(i int) []any { return hitValues(of, &hits[i], verdicts[i]) })
}

// millis is a time as stamp keeps it.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

const kycSearchSelect = `
	SELECT s.id, s.sought, u.secret, s.person, s.asked, s.looked, s.status, s.risk, s.assigned_to, s.note, s.schedule,
	       s.created_at, s.created_by, s.modified_at, s.modified_by
	FROM kyc_search AS s
	JOIN kyc_subject AS u ON u.customer = s.customer AND u.sought = s.sought `

func readKYCSearch(r row) (s kyc.Search, err error) {
	var asked, looked string
	var person bool
	err = r.Scan(&s.ID, &s.Sought, &s.Secret, flag{&person}, &asked, &looked, &s.Status, &s.Risk, &s.AssignedTo, &s.Note, &s.Schedule,
		stamp{&s.CreatedAt}, &s.CreatedBy, stamp{&s.ModifiedAt}, &s.ModifiedBy)
	if err != nil {
		return s, err
	}
	var rest kycAsked
	if err := json.Unmarshal([]byte(asked), &rest); err != nil {
		return s, fmt.Errorf("read a search: %w", err)
	}
	if err := json.Unmarshal([]byte(looked), &s.Looked); err != nil {
		return s, fmt.Errorf("read a search: %w", err)
	}
	s.Subject, s.Options = rest.Subject, rest.Options
	s.Subject.Person = person
	return s, nil
}

// kycError says what a database error means.
func kycError(doing, missing string, err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.Missing.Errorf("%s", missing)
	}
	if _, ok := fault.Of(err); ok || err == nil {
		return err
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// KYCSearch implements kyc.SearchStore.
func (db *DB) KYCSearch(ctx context.Context, by auth.Caller, id kyc.SearchID) (kyc.Search, error) {
	s, err := readKYCSearch(db.QueryRow(ctx, kycSearchSelect+`WHERE s.customer = $1 AND s.id = $2`, int64(by.Customer), string(id)))
	if err == nil {
		one := []kyc.Search{s}
		err = db.tallyKYC(ctx, db, by.Customer, one)
		s = one[0]
	}
	if err != nil {
		return kyc.Search{}, kycError("find a search", kyc.NoSearch, err)
	}
	return s, nil
}

// tallyKYC counts the hits of a customer's searches.
func (db *DB) tallyKYC(ctx context.Context, t tx, of auth.CustomerID, searches []kyc.Search) error {
	at := make(map[kyc.SearchID]*kyc.Tally, len(searches))
	ids := make([]string, len(searches))
	for i := range searches {
		at[searches[i].ID], ids[i] = &searches[i].Tally, string(searches[i].ID)
	}
	const columns = `SELECT search, decision, COUNT(*) FROM kyc_hit WHERE customer = $2 AND current = 1 AND search = `
	return pick(ctx, db, t, func(r row) error {
		var id kyc.SearchID
		var d kyc.Decision
		var n int64
		err := r.Scan(&id, &d, &n)
		if err == nil {
			at[id].Add(d, n)
		}
		return err
	}, columns+`$1 GROUP BY search, decision`, columns+`ANY($1) GROUP BY search, decision`, ids, int64(of))
}

// UpdateKYCSearch implements kyc.SearchStore.
func (db *DB) UpdateKYCSearch(ctx context.Context, by auth.Caller, id kyc.SearchID, edit func(*kyc.Search) error) (s kyc.Search, err error) {
	err = db.write(ctx, func(t tx) error {
		var there string
		err := t.QueryRow(ctx, `SELECT id FROM kyc_search WHERE customer = $1 AND id = $2 `+db.d.forUpdate, int64(by.Customer), string(id)).Scan(&there)
		if err != nil {
			return err
		}
		s, err = readKYCSearch(t.QueryRow(ctx, kycSearchSelect+`WHERE s.customer = $1 AND s.id = $2`, int64(by.Customer), string(id)))
		if err != nil {
			return err
		}
		if err := edit(&s); err != nil {
			return err
		}
		_, err = t.Exec(ctx, `
			UPDATE kyc_search SET status = $3, risk = $4, assigned_to = $5, note = $6, modified_at = $7, modified_by = $8
			WHERE customer = $1 AND id = $2`,
			int64(by.Customer), string(id), string(s.Status), string(s.Risk), int64(s.AssignedTo), s.Note,
			stamp{&s.ModifiedAt}, int64(s.ModifiedBy))
		if err != nil {
			return err
		}
		one := []kyc.Search{s}
		err = db.tallyKYC(ctx, t, by.Customer, one)
		s = one[0]
		return err
	})
	if err != nil {
		return kyc.Search{}, kycError("change a search", kyc.NoSearch, err)
	}
	return s, nil
}

// KYCSearches implements kyc.SearchStore.
func (db *DB) KYCSearches(ctx context.Context, by auth.Caller, q kyc.SearchQuery) (page kyc.Page[kyc.Search], err error) {
	scheduled := int64(2) // both
	if q.Scheduled != nil {
		scheduled = int64(b2i(*q.Scheduled))
	}
	const where = `
		WHERE s.customer = $1 AND s.person = $2
		  AND ($3 = 2 OR $3 = CASE WHEN s.schedule = '' THEN 0 ELSE 1 END)`
	args := []any{int64(by.Customer), int64(b2i(q.Person)), scheduled}
	if err = db.QueryRow(ctx, `SELECT COUNT(*) FROM kyc_search AS s`+where, args...).Scan(&page.Total); err != nil {
		return page, fmt.Errorf("count searches: %w", err)
	}
	var at kyc.SearchPlace
	if q.After != nil {
		at = *q.After
	}
	err = each(ctx, db, func(r row) error {
		s, err := readKYCSearch(r)
		page.List = append(page.List, s)
		return err
	}, kycSearchSelect+where+`
		  AND ($4 = '' OR (s.created_at, s.id) < ($5, $4))
		ORDER BY s.created_at DESC, s.id DESC
		LIMIT $6 + 0 OFFSET $7 + 0`, append(args, string(at.ID), stamp{&at.At}, q.Limit+1, q.Skip)...)
	if err == nil && len(page.List) > q.Limit {
		page.List, page.More = page.List[:q.Limit], true
	}
	if err == nil {
		err = db.tallyKYC(ctx, db, by.Customer, page.List)
	}
	if err != nil {
		return kyc.Page[kyc.Search]{}, fmt.Errorf("list searches: %w", err)
	}
	return page, nil
}
