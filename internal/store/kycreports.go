package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/kyc"
)

// AddReport implements kyc.ReportStore.
func (db *DB) AddReport(ctx context.Context, by auth.Caller, r kyc.Report, k job.Task) error {
	criteria, err := json.Marshal(r.Criteria)
	if err != nil {
		return fmt.Errorf("write a report: %w", err)
	}
	err = db.write(ctx, func(t tx) error {
		task, err := db.addTask(ctx, t, k)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `
			INSERT INTO kyc_report (id, customer, account, task, type, format, file_name, folded, criteria, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			string(r.ID), int64(by.Customer), int64(by.Account), int64(task.ID), string(r.Type), string(r.Format), r.FileName,
			kyc.Folded(r.FileName), string(criteria), stamp{&r.Created.At})
		return err
	})
	switch {
	case err == nil:
		return nil
	case db.d.isTaken(err):
		return fault.Conflict.Errorf("another report has this fileName")
	}
	return fmt.Errorf("add a report: %w", err)
}

// A report is read together with its task; the time of its last change is when
// the task ended, began or was made.
const reportColumns = `r.id, r.account, r.type, r.format, r.file_name, r.criteria, r.created_at,
	t.state, t.done, t.error, t.output,
	CASE WHEN t.finished_at > 0 THEN t.finished_at WHEN t.started_at > 0 THEN t.started_at ELSE t.created_at END`

const reportTables = ` FROM kyc_report AS r JOIN task AS t ON t.id = r.task `

func readReport(r row) (out kyc.Report, err error) {
	var criteria string
	err = r.Scan(&out.ID, &out.Created.By, &out.Type, &out.Format, &out.FileName, &criteria, stamp{&out.Created.At},
		&out.State, &out.Rows, &out.Error, &out.Contents, stamp{&out.Changed})
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal([]byte(criteria), &out.Criteria); err != nil {
		return out, fmt.Errorf("read report %s: %w", out.ID, err)
	}
	return out, nil
}

// Report implements kyc.ReportStore.
func (db *DB) Report(ctx context.Context, by auth.Caller, id kyc.ReportID) (kyc.Report, error) {
	r, err := readReport(db.QueryRow(ctx, `SELECT `+reportColumns+reportTables+`WHERE r.customer = $1 AND r.id = $2`, int64(by.Customer), string(id)))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return kyc.Report{}, fault.Missing.Errorf("Report not found")
	case err != nil:
		return kyc.Report{}, fmt.Errorf("find a report: %w", err)
	}
	return r, nil
}

// Reports implements kyc.ReportStore.
func (db *DB) Reports(ctx context.Context, by auth.Caller, q kyc.ReportQuery) (out []kyc.Report, total int64, err error) {
	where := reportTables + `
		WHERE r.customer = $1
		  AND ($2 = '' OR r.type = $2)
		  AND ($3 = '' OR r.folded LIKE '%' || $3 || '%' ESCAPE '\')`
	args := []any{int64(by.Customer), string(q.Type), literally.Replace(kyc.Folded(q.Term))}
	err = db.snapshot(ctx, func(t tx) error {
		if err := t.QueryRow(ctx, `SELECT COUNT(*)`+where, args...).Scan(&total); err != nil {
			return err
		}
		return each(ctx, t, func(r row) error {
			one, err := readReport(r)
			out = append(out, one)
			return err
		}, `SELECT `+reportColumns+where+` ORDER BY r.created_at DESC, r.id DESC LIMIT $4 + 0 OFFSET $5 + 0`, append(args, q.Limit, q.Skip)...)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list reports: %w", err)
	}
	return out, total, nil
}

// ForgetReports implements kyc.ReportStore.
func (db *DB) ForgetReports(ctx context.Context) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `DELETE FROM kyc_report WHERE task NOT IN (SELECT id FROM task)`)
		return err
	})
	if err != nil {
		return fmt.Errorf("forget reports: %w", err)
	}
	return nil
}
