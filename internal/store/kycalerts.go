package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
)

// AddKYCAlerts implements kyc.SearchStore.
func (db *DB) AddKYCAlerts(ctx context.Context, list []kyc.Alert) error {
	return db.saveKYCAlerts(ctx, kyc.News{Alerts: list}, nil, nil)
}

// SaveKYCAlerts adds alerts with the mails that tell of them, and keeps how far
// their reader has come.
func (db *DB) SaveKYCAlerts(ctx context.Context, n kyc.News, write AlertWriter, to job.Place) error {
	return db.saveKYCAlerts(ctx, n, write, func(t tx) error { return db.savePlace(ctx, t, to) })
}

// An AlertWriter writes the mails that tell of alerts.
type AlertWriter func([]kyc.Alert) ([]monitor.Mail, error)

func (db *DB) saveKYCAlerts(ctx context.Context, n kyc.News, write AlertWriter, place func(tx) error) error {
	told := false
	err := db.write(ctx, func(t tx) error {
		if err := db.keepAlso(ctx, t, n.Also); err != nil {
			return err
		}
		fresh, err := db.addKYCAlerts(ctx, t, n.Alerts)
		if err != nil {
			return err
		}
		if write != nil {
			mails, err := write(fresh)
			if err == nil {
				err = db.keepMails(ctx, t, mails)
			}
			if err != nil {
				return err
			}
		}
		if place != nil {
			if err := place(t); err != nil {
				return err
			}
		}
		told = len(fresh) > 0
		events := make([]monitor.Event, len(fresh))
		for i := range fresh {
			events[i] = alertEvent(&fresh[i])
		}
		return db.keepEvents(ctx, t, events) // last, since it holds up all others who make events
	})
	if err != nil {
		return fmt.Errorf("save alerts: %w", err)
	}
	if told {
		db.Signals.raise(eventsMade)
	}
	return nil
}

// addKYCAlerts keeps the hits of alerts, and returns those that are news.
// Whoever adds alerts holds the row of their numbers, so that nobody tells of the
// same entry in between.
func (db *DB) addKYCAlerts(ctx context.Context, t tx, list []kyc.Alert) (fresh []kyc.Alert, err error) {
	if len(list) == 0 {
		return nil, nil
	}
	first, err := db.nextKYC(ctx, t, "kyc alert", 0)
	if err != nil {
		return nil, err
	}
	for i := range list {
		a := list[i]
		a.Number = first + int64(len(fresh))
		add := db.addKYCAlert
		if a.Cause == kyc.EntryLeft {
			add = db.endKYCHit
		}
		is, err := add(ctx, t, &a)
		if err != nil {
			return nil, err
		}
		if is {
			fresh = append(fresh, a)
		}
	}
	_, err = db.nextKYC(ctx, t, "kyc alert", int64(len(fresh)))
	return fresh, err
}

// endKYCHit notes that the entry of a hit left its list. That it did before is
// not news.
func (db *DB) endKYCHit(ctx context.Context, t tx, a *kyc.Alert) (fresh bool, err error) {
	var now kyc.SavedHit
	err = each(ctx, t, func(r row) (err error) {
		now, err = readKYCHit(r)
		return err
	}, kycHitSelect+`WHERE id = $1 AND customer = $2 AND current = 1 `+db.d.forUpdate, string(a.ID), int64(a.Customer))
	if err != nil || now.ID == "" || !now.Verdict.Left.IsZero() {
		return false, err
	}
	now.Verdict.Left = a.At
	verdict, err := json.Marshal(now.Verdict)
	if err != nil {
		return false, err
	}
	_, err = t.Exec(ctx, `UPDATE kyc_hit SET verdict = $2 WHERE id = $1 AND customer = $3`, string(a.ID), string(verdict), int64(a.Customer))
	return err == nil, err
}

// KYCHitsOn implements kyc.SearchStore.
func (db *DB) KYCHitsOn(ctx context.Context, entries []kyc.EntryID) (out []kyc.Alert, err error) {
	read := func(r row) error {
		var a kyc.Alert
		var mail bool
		var err error
		a.SavedHit, err = readKYCHit(joinedRow{r, []any{&a.Customer, &a.Schedule, flag{&a.Person}, flag{&mail}, list[string]{&a.Recipients}}})
		if !mail {
			a.Recipients = nil
		}
		if err == nil && a.Verdict.Left.IsZero() {
			out = append(out, a)
		}
		return err
	}
	const query = `
		SELECT s.customer, s.schedule, s.person, c.email, c.recipients,
		       h.id, h.search, h.entry, h.since, h.score, h.verdict, h.decision, h.note, h.decided_at, h.decided_by,
		       h.created_at, h.supersedes, h.current, h.alert
		FROM kyc_hit AS h
		JOIN kyc_search AS s ON s.customer = h.customer AND s.id = h.search
		JOIN kyc_schedule AS c ON c.customer = h.customer AND c.id = s.schedule
		WHERE h.current = 1 AND h.entry = `
	ids := make([]int64, len(entries))
	for i, id := range entries {
		ids[i] = int64(id)
	}
	if err := pick(ctx, db, db, read, query+`$1`, query+`ANY($1)`, ids); err != nil {
		return nil, fmt.Errorf("read the hits on entries: %w", err)
	}
	return out, nil
}

// addKYCAlert keeps the hit of an alert. One that another has told of meanwhile,
// or whose search is gone, is not news.
func (db *DB) addKYCAlert(ctx context.Context, t tx, a *kyc.Alert) (fresh bool, err error) {
	var there, now string
	err = each(ctx, t, func(r row) error { return r.Scan(&there) }, `SELECT id FROM kyc_search WHERE id = $1 AND customer = $2`, string(a.Search), int64(a.Customer))
	if err != nil || there == "" {
		return false, err
	}
	err = each(ctx, t, func(r row) error { return r.Scan(&now) },
		`SELECT id FROM kyc_hit WHERE customer = $3 AND search = $1 AND entry = $2 AND current = 1`, string(a.Search), int64(a.Entry), int64(a.Customer))
	if err != nil || now != "" && now != string(a.Supersedes) {
		return false, err
	}
	if a.Supersedes != "" {
		_, err := t.Exec(ctx, `UPDATE kyc_hit SET current = 0 WHERE id = $1 AND search = $2 AND customer = $3`, string(a.Supersedes), string(a.Search), int64(a.Customer))
		if err != nil {
			return false, err
		}
	}
	a.Alert = a.Number
	verdict, err := json.Marshal(a.Verdict)
	if err != nil {
		return false, err
	}
	return true, addKYCHits(ctx, t, a.Customer, []kyc.SavedHit{a.SavedHit}, []string{string(verdict)})
}

// alertEvent is an alert as it goes out. Its number makes it the only one.
func alertEvent(a *kyc.Alert) monitor.Event {
	return monitor.Event{
		Customer: a.Customer, Portfolio: monitor.AlertsOf(a.Customer), Company: company.ID(a.Search), Country: monitor.Everywhere,
		Change: a.Number, Field: monitor.AMLAlert, Source: a.List, New: a.Notice().Encode(), At: a.At,
	}
}

// keepAlso keeps whom schedules look for besides the subjects of their searches.
func (db *DB) keepAlso(ctx context.Context, t tx, also map[kyc.ScheduleID]kyc.OtherAlso) error {
	if len(also) == 0 {
		return nil
	}
	// All rows are locked before their log is, as by everyone else.
	ids := slices.Sorted(maps.Keys(also))
	for _, id := range ids {
		err := each(ctx, t, func(r row) error { var s string; return r.Scan(&s) }, `SELECT id FROM kyc_schedule WHERE id = $1 AND customer = $2 `+db.d.forUpdate, string(id), int64(also[id].Customer))
		if err != nil {
			return err
		}
	}
	version, err := db.nextKYC(ctx, t, "kyc schedule", int64(len(ids)))
	if err != nil {
		return err
	}
	for i, id := range ids {
		others := also[id]
		if err := unwatchKYC(ctx, t, others.Customer, id); err != nil {
			return err
		}
		n, err := t.Exec(ctx, `UPDATE kyc_schedule SET also = $2, version = $3 WHERE id = $1 AND customer = $4 AND search <> ''`,
			string(id), list[kyc.Also]{&others.List}, version+int64(i), int64(others.Customer))
		if err != nil {
			return err
		}
		if n == 0 {
			continue // it ended
		}
		if err := watchKYC(ctx, t, others.Customer, id); err != nil {
			return err
		}
	}
	return nil
}

// KYCAlerts implements kyc.SearchStore.
func (db *DB) KYCAlerts(ctx context.Context, by auth.Caller, q kyc.AlertQuery) (page kyc.Page[kyc.Alert], err error) {
	decisions := q.Decisions
	if len(decisions) == 0 {
		decisions = kyc.Decisions
	}
	where := ` WHERE h.customer = $1 AND h.alert > 0 AND h.current = 1 AND ` + db.d.oneOf("h.decision", "$2")
	args := []any{int64(by.Customer), many(db.d, decisions)}
	if err = db.QueryRow(ctx, `SELECT COUNT(*) FROM kyc_hit AS h`+where, args...).Scan(&page.Total); err != nil {
		return page, fmt.Errorf("count alerts: %w", err)
	}
	err = each(ctx, db, func(r row) error {
		a := kyc.Alert{Customer: by.Customer}
		var err error
		a.SavedHit, err = readKYCHit(joinedRow{r, []any{&a.Schedule, flag{&a.Person}}})
		page.List = append(page.List, a)
		return err
	}, `
		SELECT s.schedule, s.person, h.id, h.search, h.entry, h.since, h.score, h.verdict, h.decision, h.note, h.decided_at, h.decided_by,
		       h.created_at, h.supersedes, h.current, h.alert
		FROM kyc_hit AS h
		JOIN kyc_search AS s ON s.customer = h.customer AND s.id = h.search`+where+`
		  AND (h.alert < $3 OR $3 = 0)
		ORDER BY h.alert DESC
		LIMIT $4 + 0 OFFSET $5 + 0`, append(args, q.After, q.Limit+1, q.Skip)...)
	if err != nil {
		return kyc.Page[kyc.Alert]{}, fmt.Errorf("list alerts: %w", err)
	}
	if len(page.List) > q.Limit {
		page.List, page.More = page.List[:q.Limit], true
	}
	return page, nil
}
