package store

import (
	"context"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/kyc"
)

// watchKYC writes down in short what a schedule looks for. Whoever changes one
// calls unwatchKYC before and watchKYC behind, under the lock of its row.
func watchKYC(ctx context.Context, t tx, of auth.CustomerID, id kyc.ScheduleID) error {
	w, err := readKYCSchedule(t.QueryRow(ctx, kycScheduleSelect+`WHERE c.customer = $1 AND c.id = $2`, int64(of), string(id)))
	if err != nil {
		return err
	}
	_, err = t.Exec(ctx, `
		INSERT INTO kyc_watch (version, schedule, threshold, subjects, customer)
		SELECT c.version, c.id, c.threshold, $2, c.customer FROM kyc_schedule AS c
		WHERE c.id = $1 AND c.customer = $3`, string(id), w.Schedule.PackSubjects(), int64(of))
	return err
}

func unwatchKYC(ctx context.Context, t tx, of auth.CustomerID, id kyc.ScheduleID) error {
	_, err := t.Exec(ctx, `
		DELETE FROM kyc_watch
		WHERE kyc_watch.customer = $2 AND version = (SELECT c.version FROM kyc_schedule AS c WHERE c.id = $1 AND c.customer = $2)`, string(id), int64(of))
	return err
}

// KYCWatching implements kyc.SearchStore.
func (db *DB) KYCWatching(ctx context.Context, after int64, limit int, list []kyc.Watching) ([]kyc.Watching, error) {
	err := each(ctx, db, func(r row) error {
		var w kyc.Watching
		var id string
		err := r.Scan(&w.Number, &id, &w.Threshold, &w.Subjects)
		w.Schedule = kyc.ScheduleID(id)
		list = append(list, w)
		return err
	}, `SELECT version, schedule, threshold, subjects FROM kyc_watch WHERE version > $1 ORDER BY version LIMIT $2 + 0`, after, limit)
	if err != nil {
		return nil, fmt.Errorf("read the watched: %w", err)
	}
	return list, nil
}

// WriteKYCWatching implements kyc.SearchStore.
func (db *DB) WriteKYCWatching(ctx context.Context, w kyc.Watched) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `
			UPDATE kyc_watch SET subjects = $2
			WHERE kyc_watch.customer = $3 AND subjects = ''
			  AND version = (SELECT c.version FROM kyc_schedule AS c WHERE c.id = $1 AND c.customer = $3)`,
			string(w.Schedule.ID), w.Schedule.PackSubjects(), int64(w.Customer))
		return err
	})
	if err != nil {
		return fmt.Errorf("write down whom a schedule looks for: %w", err)
	}
	return nil
}

// KYCWatchedByID implements kyc.SearchStore.
func (db *DB) KYCWatchedByID(ctx context.Context, ids []kyc.ScheduleID) (out []kyc.Watched, err error) {
	err = pick(ctx, db, db, func(r row) error {
		w, err := readKYCSchedule(r)
		out = append(out, w)
		return err
	}, kycScheduleSelect+`WHERE c.id = $1`, kycScheduleSelect+`WHERE c.id = ANY($1)`, texts(ids))
	if err != nil {
		return nil, fmt.Errorf("read schedules: %w", err)
	}
	return out, nil
}

// The names under which it is kept how far the reader of lists has come with a
// batch: the last change of it, and the last of the watched who was asked.
const (
	stageChange = kyc.WatchReader + ": batch"
	stageNumber = kyc.WatchReader + ": watched"
)

// KYCStage is how far the reader of lists had come with a batch when it was last
// kept.
func (db *DB) KYCStage(ctx context.Context) (s kyc.Stage, err error) {
	if s.Change, err = db.Place(ctx, stageChange); err != nil {
		return s, err
	}
	s.Number, err = db.Place(ctx, stageNumber)
	return s, err
}

// SaveKYCStage adds alerts with the mails that tell of them, and keeps how far
// their reader has come with a batch. The place says which lease it is under.
func (db *DB) SaveKYCStage(ctx context.Context, alerts []kyc.Alert, write AlertWriter, s kyc.Stage, under job.Place) error {
	return db.saveKYCAlerts(ctx, kyc.News{Alerts: alerts}, write, func(t tx) error {
		if err := t.Together(ctx, db.checkFences(fenceOf(under))); err != nil {
			return err
		}
		if err := keepPlace(ctx, t, stageChange, s.Change); err != nil {
			return err
		}
		return keepPlace(ctx, t, stageNumber, s.Number)
	})
}

// KYCWatched implements kyc.SearchStore.
func (db *DB) KYCWatched(ctx context.Context, after kyc.ScheduleID, limit int) (out []kyc.Watched, err error) {
	err = each(ctx, db, func(r row) error {
		w, err := readKYCSchedule(r)
		out = append(out, w)
		return err
	}, kycScheduleSelect+`WHERE c.id > $1 ORDER BY c.id LIMIT $2 + 0`, string(after), limit)
	if err != nil {
		return nil, fmt.Errorf("read schedules: %w", err)
	}
	return out, nil
}

// KYCWatchedOf implements kyc.SearchStore.
func (db *DB) KYCWatchedOf(ctx context.Context, of []company.ID) (out []kyc.WatchedFirm, err error) {
	type linked struct {
		customer int64
		schedule string
		company  company.ID
	}
	var all []linked
	// CROSS makes SQLite go from the profiles to their searches. It would rather read all
	// searches of the customer.
	err = each(ctx, db, func(r row) error {
		var l linked
		err := r.Scan(&l.customer, &l.schedule, &l.company)
		all = append(all, l)
		return err
	}, `
		SELECT DISTINCT s.customer, s.schedule, p.company
		FROM kyc_profile AS p
		CROSS JOIN kyc_profile_search AS l
		CROSS JOIN kyc_search AS s
		WHERE l.customer = p.customer AND l.profile = p.id AND s.customer = l.customer AND s.id = l.search AND p.company <> '' AND s.person = 0 AND s.schedule <> '' AND `+db.d.oneOf("p.company", "$1")+`
		ORDER BY s.schedule, p.company`, many(db.d, of))
	for i := 0; i < len(all) && err == nil; i++ {
		err = each(ctx, db, func(r row) error {
			w, err := readKYCSchedule(r)
			out = append(out, kyc.WatchedFirm{Watched: w, Company: all[i].company})
			return err
		}, kycScheduleSelect+`WHERE c.customer = $1 AND c.id = $2`, all[i].customer, all[i].schedule)
	}
	if err != nil {
		return nil, fmt.Errorf("read the schedules of companies: %w", err)
	}
	return out, nil
}
