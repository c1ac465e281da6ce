package store

import (
	"context"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

const kycScheduleSelect = `
	SELECT c.customer, c.id, c.threshold, c.datasets, c.email, c.recipients, c.also, c.created_at, c.created_by, c.modified_at, c.modified_by,
	       s.id, s.sought, u.secret, s.person, s.asked, s.looked, s.status, s.risk, s.assigned_to, s.note, s.schedule,
	       s.created_at, s.created_by, s.modified_at, s.modified_by
	FROM kyc_schedule AS c
	JOIN kyc_search AS s ON s.customer = c.customer AND s.id = c.search
	JOIN kyc_subject AS u ON u.customer = c.customer AND u.sought = s.sought `

// A joinedRow reads the columns of a search behind those of what it is joined to.
type joinedRow struct {
	row
	before []any
}

func (j joinedRow) Scan(into ...any) error { return j.row.Scan(append(j.before, into...)...) }

func readKYCSchedule(r row) (w kyc.Watched, err error) {
	c := &w.Schedule
	c.Of, err = readKYCSearch(joinedRow{r, []any{
		&w.Customer, &c.ID, &c.Threshold,
		list[kyc.Dataset]{&c.Datasets},
		flag{&c.Email},
		list[string]{&c.Recipients},
		list[kyc.Also]{&c.Also},
		stamp{&c.CreatedAt},
		&c.CreatedBy,
		stamp{&c.ModifiedAt},
		&c.ModifiedBy,
	}})
	c.Search = c.Of.ID
	return w, err
}

// AddKYCSchedule implements kyc.SearchStore.
func (db *DB) AddKYCSchedule(ctx context.Context, by auth.Caller, s kyc.Schedule) error {
	err := db.write(ctx, func(t tx) error {
		var other string
		err := t.QueryRow(ctx, `SELECT schedule FROM kyc_search WHERE customer = $1 AND id = $2 `+db.d.forUpdate, int64(by.Customer), string(s.Search)).Scan(&other)
		if err != nil {
			return err
		}
		if other != "" {
			return fault.Conflict.Errorf("the search is on the schedule %s already", other)
		}
		version, err := db.nextKYC(ctx, t, "kyc schedule", 1)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `
			INSERT INTO kyc_schedule (id, customer, search, threshold, datasets, email, recipients, created_at, created_by, modified_at, modified_by, version)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
			string(s.ID), int64(by.Customer), string(s.Search), int64(s.Threshold), list[kyc.Dataset]{&s.Datasets}, flag{&s.Email}, list[string]{&s.Recipients},
			stamp{&s.CreatedAt}, int64(s.CreatedBy), stamp{&s.ModifiedAt}, int64(s.ModifiedBy), version)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `UPDATE kyc_search SET schedule = $3 WHERE customer = $1 AND id = $2`, int64(by.Customer), string(s.Search), string(s.ID))
		if err != nil {
			return err
		}
		return watchKYC(ctx, t, by.Customer, s.ID)
	})
	return kycError("add a schedule", kyc.NoSearch, err)
}

// nextKYC takes n numbers, and returns the first. Their row is held to the
// commit, so that numbers become visible in order.
func (db *DB) nextKYC(ctx context.Context, t tx, log string, n int64) (first int64, err error) {
	err = t.QueryRow(ctx, `SELECT last_number FROM monitor_log WHERE name = $1 `+db.d.forUpdate, log).Scan(&first)
	if err != nil {
		return 0, err
	}
	_, err = t.Exec(ctx, `UPDATE monitor_log SET last_number = $2 WHERE name = $1`, log, first+n)
	return first + 1, err
}

// KYCSchedule implements kyc.SearchStore.
func (db *DB) KYCSchedule(ctx context.Context, by auth.Caller, id kyc.ScheduleID) (kyc.Schedule, error) {
	w, err := readKYCSchedule(db.QueryRow(ctx, kycScheduleSelect+`WHERE c.customer = $1 AND c.id = $2`, int64(by.Customer), string(id)))
	if err != nil {
		return kyc.Schedule{}, kycError("find a schedule", kyc.NoSchedule, err)
	}
	return w.Schedule, nil
}

// KYCSchedules implements kyc.SearchStore.
func (db *DB) KYCSchedules(ctx context.Context, by auth.Caller, q kyc.ScheduleQuery) (page kyc.Page[kyc.Schedule], err error) {
	err = db.QueryRow(ctx, `SELECT COUNT(*) FROM kyc_schedule WHERE customer = $1 AND search <> ''`, int64(by.Customer)).Scan(&page.Total)
	if err != nil {
		return page, fmt.Errorf("count schedules: %w", err)
	}
	var at kyc.SchedulePlace
	if q.After != nil {
		at = *q.After
	}
	err = each(ctx, db, func(r row) error {
		w, err := readKYCSchedule(r)
		page.List = append(page.List, w.Schedule)
		return err
	}, kycScheduleSelect+`
		WHERE c.customer = $1 AND ($2 = '' OR (c.created_at, c.id) < ($3, $2))
		ORDER BY c.created_at DESC, c.id DESC
		LIMIT $4 + 0 OFFSET $5 + 0`, int64(by.Customer), string(at.ID), stamp{&at.At}, q.Limit+1, q.Skip)
	if err != nil {
		return kyc.Page[kyc.Schedule]{}, fmt.Errorf("list schedules: %w", err)
	}
	if len(page.List) > q.Limit {
		page.List, page.More = page.List[:q.Limit], true
	}
	return page, nil
}

// UpdateKYCSchedule implements kyc.SearchStore.
func (db *DB) UpdateKYCSchedule(ctx context.Context, by auth.Caller, id kyc.ScheduleID, edit func(*kyc.Schedule) error) (s kyc.Schedule, err error) {
	err = db.write(ctx, func(t tx) error {
		var there string
		err := t.QueryRow(ctx, `SELECT id FROM kyc_schedule WHERE customer = $1 AND id = $2 AND search <> '' `+db.d.forUpdate, int64(by.Customer), string(id)).Scan(&there)
		if err != nil {
			return err
		}
		w, err := readKYCSchedule(t.QueryRow(ctx, kycScheduleSelect+`WHERE c.customer = $1 AND c.id = $2`, int64(by.Customer), string(id)))
		if err != nil {
			return err
		}
		s = w.Schedule
		if err := edit(&s); err != nil {
			return err
		}
		version, err := db.nextKYC(ctx, t, "kyc schedule", 1)
		if err != nil {
			return err
		}
		if err := unwatchKYC(ctx, t, by.Customer, id); err != nil {
			return err
		}
		_, err = t.Exec(ctx, `
			UPDATE kyc_schedule
			SET threshold = $2, datasets = $3, email = $4, recipients = $5, modified_at = $6, modified_by = $7, version = $8
			WHERE id = $1 AND customer = $9`,
			string(id), int64(s.Threshold), list[kyc.Dataset]{&s.Datasets}, flag{&s.Email}, list[string]{&s.Recipients},
			stamp{&s.ModifiedAt}, int64(s.ModifiedBy), version, int64(by.Customer))
		if err != nil {
			return err
		}
		return watchKYC(ctx, t, by.Customer, id)
	})
	if err != nil {
		return kyc.Schedule{}, kycError("change a schedule", kyc.NoSchedule, err)
	}
	return s, nil
}

// EndKYCSchedule implements kyc.SearchStore.
func (db *DB) EndKYCSchedule(ctx context.Context, by auth.Caller, id kyc.ScheduleID) error {
	err := db.write(ctx, func(t tx) error {
		var search string
		err := t.QueryRow(ctx, `SELECT search FROM kyc_schedule WHERE customer = $1 AND id = $2 AND search <> '' `+db.d.forUpdate, int64(by.Customer), string(id)).Scan(&search)
		if err != nil {
			return err
		}
		version, err := db.nextKYC(ctx, t, "kyc schedule", 1)
		if err != nil {
			return err
		}
		if err := unwatchKYC(ctx, t, by.Customer, id); err != nil {
			return err
		}
		_, err = t.Exec(ctx, `UPDATE kyc_schedule SET search = '', recipients = '[]', version = $2 WHERE id = $1 AND customer = $3`, string(id), version, int64(by.Customer))
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `UPDATE kyc_search SET schedule = '' WHERE id = $1 AND customer = $2`, search, int64(by.Customer))
		return err
	})
	return kycError("end a schedule", kyc.NoSchedule, err)
}
