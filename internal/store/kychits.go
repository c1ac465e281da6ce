package store

import (
	"context"
	"encoding/json"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

const kycHitSelect = `
	SELECT id, search, entry, since, score, verdict, decision, note, decided_at, decided_by, created_at, supersedes, current, alert
	FROM kyc_hit `

func readKYCHit(r row) (h kyc.SavedHit, err error) {
	var verdict string
	err = r.Scan(&h.ID, &h.Search, &h.Entry, &h.Since, &h.Score, &verdict, &h.Decision, &h.Note, stamp{&h.DecidedAt}, &h.DecidedBy,
		stamp{&h.CreatedAt}, &h.Supersedes, flag{&h.Current}, &h.Alert)
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal([]byte(verdict), &h.Verdict); err != nil {
		return h, fmt.Errorf("read a hit: %w", err)
	}
	return h, nil
}

// KYCHits implements kyc.SearchStore.
func (db *DB) KYCHits(ctx context.Context, by auth.Caller, q kyc.HitQuery) (page kyc.Page[kyc.SavedHit], err error) {
	decisions := q.Decisions
	if len(decisions) == 0 {
		decisions = kyc.Decisions
	}
	where := `WHERE search = $1 AND customer = $2 AND current = 1 AND ` + db.d.oneOf("decision", "$3")
	args := []any{string(q.Search), int64(by.Customer), many(db.d, decisions)}
	if err = db.QueryRow(ctx, `SELECT COUNT(*) FROM kyc_hit `+where, args...).Scan(&page.Total); err != nil {
		return page, fmt.Errorf("count hits: %w", err)
	}
	at := kyc.HitPlace{Score: 101}
	if q.After != nil {
		at = *q.After
	}
	err = each(ctx, db, func(r row) error {
		h, err := readKYCHit(r)
		page.List = append(page.List, h)
		return err
	}, kycHitSelect+where+` AND (score < $4 OR score = $4 AND id < $5)
		ORDER BY score DESC, id DESC
		LIMIT $6 + 0 OFFSET $7 + 0`, append(args, int64(at.Score), string(at.ID), q.Limit+1, q.Skip)...)
	if err != nil {
		return kyc.Page[kyc.SavedHit]{}, fmt.Errorf("list hits: %w", err)
	}
	if len(page.List) > q.Limit {
		page.List, page.More = page.List[:q.Limit], true
	}
	return page, nil
}

// KYCHit implements kyc.SearchStore.
func (db *DB) KYCHit(ctx context.Context, by auth.Caller, search kyc.SearchID, id kyc.HitID) (kyc.SavedHit, error) {
	h, err := readKYCHit(db.QueryRow(ctx, kycHitSelect+`WHERE customer = $1 AND search = $2 AND id = $3`,
		int64(by.Customer), string(search), string(id)))
	if err != nil {
		return kyc.SavedHit{}, kycError("find a hit", kyc.NoHit, err)
	}
	return h, nil
}

// KYCHitsByID implements kyc.SearchStore.
func (db *DB) KYCHitsByID(ctx context.Context, by auth.Caller, ids []kyc.HitID) (map[kyc.HitID]kyc.SavedHit, error) {
	out := make(map[kyc.HitID]kyc.SavedHit, len(ids))
	err := pick(ctx, db, db, func(r row) error {
		h, err := readKYCHit(r)
		out[h.ID] = h
		return err
	}, kycHitSelect+`WHERE id = $1 AND customer = $2`, kycHitSelect+`WHERE id = ANY($1) AND customer = $2`, texts(ids), int64(by.Customer))
	if err != nil {
		return nil, fmt.Errorf("read hits: %w", err)
	}
	return out, nil
}

// DecideKYCHit implements kyc.SearchStore.
func (db *DB) DecideKYCHit(ctx context.Context, by auth.Caller, s kyc.Search, id kyc.HitID, rule func(*kyc.SavedHit) kyc.Ruling) (h kyc.SavedHit, err error) {
	err = db.write(ctx, func(t tx) error {
		h, err = readKYCHit(t.QueryRow(ctx, kycHitSelect+`WHERE customer = $1 AND search = $2 AND id = $3 `+db.d.forUpdate,
			int64(by.Customer), string(s.ID), string(id)))
		if err != nil {
			return err
		}
		r := rule(&h)
		basis, err := json.Marshal(r.Basis)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `
			UPDATE kyc_hit SET decision = $2, note = $3, decided_at = $4, decided_by = $5
			WHERE id = $1 AND customer = $6`, string(id), string(h.Decision), h.Note, stamp{&h.DecidedAt}, int64(h.DecidedBy), int64(by.Customer))
		if err != nil {
			return err
		}
		var number int64
		if err := t.QueryRow(ctx, `SELECT COALESCE(MAX(number), 0) + 1 FROM kyc_decision WHERE hit = $1 AND customer = $2`, string(id), int64(by.Customer)).Scan(&number); err != nil {
			return err
		}
		_, err = t.Exec(ctx, `
			INSERT INTO kyc_decision (hit, number, customer, sought, entry, decision, note, decided_at, decided_by, basis)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			string(id), number, int64(by.Customer), s.Sought, int64(r.Entry), string(r.Decision), r.Note, stamp{&r.At}, int64(r.By), string(basis))
		return err
	})
	if err != nil {
		return kyc.SavedHit{}, kycError("decide about a hit", kyc.NoHit, err)
	}
	return h, nil
}

const kycRulingSelect = `SELECT hit, number, entry, decision, note, decided_at, decided_by, basis FROM kyc_decision `

func readKYCRuling(r row) (d kyc.Ruling, err error) {
	var basis string
	if err := r.Scan(&d.Hit, &d.Number, &d.Entry, &d.Decision, &d.Note, stamp{&d.At}, &d.By, &basis); err != nil {
		return d, err
	}
	if err := json.Unmarshal([]byte(basis), &d.Basis); err != nil {
		return d, fmt.Errorf("read a decision: %w", err)
	}
	return d, nil
}

// KYCRulings implements kyc.SearchStore.
func (db *DB) KYCRulings(ctx context.Context, by auth.Caller, sought string, entries []kyc.EntryID) (map[kyc.EntryID][]kyc.Ruling, error) {
	wanted := make(map[kyc.EntryID]bool, len(entries))
	for _, id := range entries {
		wanted[id] = true
	}
	out := map[kyc.EntryID][]kyc.Ruling{}
	err := db.Together(ctx, []step{readKYCRulings(by, sought, func(d kyc.Ruling) {
		if wanted[d.Entry] {
			out[d.Entry] = append(out[d.Entry], d)
		}
	})})
	if err != nil {
		return nil, fmt.Errorf("read decisions: %w", err)
	}
	return out, nil
}

// readKYCRulings reads what was decided for a subject, the oldest first.
func readKYCRulings(by auth.Caller, sought string, take func(kyc.Ruling)) step {
	return step{
		query: kycRulingSelect + `
		WHERE customer = $1 AND sought = $2
		ORDER BY decided_at, hit, number`,
		args: []any{int64(by.Customer), sought},
		read: func(r row) error {
			d, err := readKYCRuling(r)
			if err == nil {
				take(d)
			}
			return err
		},
	}
}

// KYCHistory implements kyc.SearchStore.
func (db *DB) KYCHistory(ctx context.Context, by auth.Caller, id kyc.HitID) (out []kyc.Ruling, err error) {
	err = each(ctx, db, func(r row) error {
		d, err := readKYCRuling(r)
		out = append(out, d)
		return err
	}, kycRulingSelect+`WHERE customer = $1 AND hit = $2 ORDER BY number DESC`, int64(by.Customer), string(id))
	if err != nil {
		return nil, fmt.Errorf("read decisions: %w", err)
	}
	return out, nil
}
