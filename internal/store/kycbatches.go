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

// AddBatch implements kyc.BatchStore.
func (db *DB) AddBatch(ctx context.Context, by auth.Caller, b kyc.Batch, rows []kyc.BatchRow, k job.Task) error {
	err := db.write(ctx, func(t tx) error {
		if b.Profile != "" {
			if err := db.holdProfile(ctx, t, by, b.Profile); err != nil {
				return err
			}
		}
		task, err := db.addTask(ctx, t, k)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `
			INSERT INTO kyc_batch (id, customer, account, kind, name, profile, task, entries, done, failed, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0, $9)`,
			string(b.ID), int64(by.Customer), int64(by.Account), string(b.Kind), b.Name, string(b.Profile), int64(task.ID), int64(len(rows)), stamp{&b.Created.At})
		if err != nil {
			return err
		}
		return addBatchRows(ctx, t, int64(by.Customer), b.ID, rows)
	})
	if err != nil {
		return fmt.Errorf("add a batch: %w", err)
	}
	return nil
}

func addBatchRows(ctx context.Context, t tx, of int64, id kyc.BatchID, rows []kyc.BatchRow) error {
	asked := make([]string, len(rows))
	for i := range rows {
		b, err := json.Marshal(rows[i].Asked)
		if err != nil {
			return err
		}
		asked[i] = string(b)
	}
	columns := []string{"batch", "number", "id", "line", "asked", "state", "error", "noted", "ended_at", "customer"}
	return t.Bulk(ctx, "kyc_batch_row", columns, len(rows), func(i int) []any {
		r := &rows[i]
		return []any{string(id), r.Number, r.ID, r.Line, asked[i], string(r.State), r.Error, int64(0), millis(r.EndedAt), of}
	})
}

const batchTables = ` FROM kyc_batch AS b JOIN task AS t ON t.id = b.task `

const batchColumns = `b.id, b.kind, b.name, b.profile, b.account, b.created_at, b.entries, b.done, b.failed, t.state, t.error, t.started_at, t.finished_at`

func readBatch(r row) (b kyc.Batch, err error) {
	err = r.Scan(&b.ID, &b.Kind, &b.Name, &b.Profile, &b.Created.By, stamp{&b.Created.At}, &b.Rows, &b.Done, &b.Failed,
		&b.State, &b.Error, stamp{&b.StartedAt}, stamp{&b.FinishedAt})
	return b, err
}

// Batch implements kyc.BatchStore.
func (db *DB) Batch(ctx context.Context, by auth.Caller, kind kyc.BatchKind, id kyc.BatchID) (kyc.Batch, error) {
	b, err := db.batch(ctx, db, by, kind, id)
	return b, batchError("find a batch", kind, err)
}

func (db *DB) batch(ctx context.Context, t tx, by auth.Caller, kind kyc.BatchKind, id kyc.BatchID) (kyc.Batch, error) {
	return readBatch(t.QueryRow(ctx, `SELECT `+batchColumns+batchTables+`WHERE b.customer = $1 AND b.kind = $2 AND b.id = $3`,
		int64(by.Customer), string(kind), string(id)))
}

// batchError says what a database error means for a batch.
func batchError(doing string, kind kyc.BatchKind, err error) error {
	missing := kyc.NoUpload
	if kind == kyc.Job {
		missing = kyc.NoJob
	}
	return kycError(doing, missing, err)
}

// batchStatus is what Batch.Status says, so that batches can be found by it.
const batchStatus = `CASE
	WHEN b.kind = 'job' THEN CASE t.state WHEN 'waiting' THEN 'created' WHEN 'working' THEN 'processing' ELSE 'completed' END
	WHEN t.state = 'waiting' AND b.entries > 0 THEN 'queued'
	WHEN t.state = 'waiting' THEN 'submitted'
	WHEN t.state = 'working' AND b.entries > 0 THEN 'inProgress'
	WHEN t.state = 'working' THEN 'validating'
	WHEN b.entries = 0 THEN 'rejected'
	WHEN t.state = 'done' AND b.failed = 0 THEN 'completed'
	WHEN t.state = 'done' AND b.done > 0 THEN 'partiallyCompleted'
	ELSE 'failed' END`

// Batches implements kyc.BatchStore.
func (db *DB) Batches(ctx context.Context, by auth.Caller, q kyc.BatchQuery) (out []kyc.Batch, total int64, err error) {
	where := batchTables + `WHERE b.customer = $1 AND b.kind = $2 AND ($3 = 0 OR b.account = $3)`
	args := []any{int64(by.Customer), string(q.Kind), int64(q.Account)}
	if len(q.Statuses) > 0 {
		where += ` AND ` + db.d.oneOf(batchStatus, "$4")
		args = append(args, many(db.d, q.Statuses))
	}
	err = db.snapshot(ctx, func(t tx) error {
		if err := t.QueryRow(ctx, `SELECT COUNT(*)`+where, args...).Scan(&total); err != nil {
			return err
		}
		return each(ctx, t, func(r row) error {
			b, err := readBatch(r)
			out = append(out, b)
			return err
		}, fmt.Sprintf(`SELECT `+batchColumns+`%s ORDER BY b.created_at DESC, b.id DESC LIMIT $%d + 0 OFFSET $%d + 0`, where, len(args)+1, len(args)+2),
			append(args, q.Limit, q.Skip)...)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list batches: %w", err)
	}
	return out, total, nil
}

// BatchRows implements kyc.BatchStore.
func (db *DB) BatchRows(ctx context.Context, by auth.Caller, q kyc.RowQuery) (out []kyc.BatchRow, total int64, err error) {
	where := ` FROM kyc_batch_row AS r
		WHERE r.customer = $1 AND r.batch = $2 AND r.number > $3`
	args := []any{int64(by.Customer), string(q.Batch), q.After}
	if len(q.States) > 0 {
		where += ` AND ` + db.d.oneOf("r.state", "$4")
		args = append(args, many(db.d, q.States))
	}
	err = db.snapshot(ctx, func(t tx) error {
		if err := t.QueryRow(ctx, `SELECT COUNT(*)`+where, args...).Scan(&total); err != nil {
			return err
		}
		return each(ctx, t, func(r row) error {
			var one kyc.BatchRow
			var asked string
			if err := r.Scan(&one.Number, &one.ID, &one.Line, &asked, &one.State, &one.Error, stamp{&one.EndedAt}); err != nil {
				return err
			}
			out = append(out, one)
			return json.Unmarshal([]byte(asked), &out[len(out)-1].Asked)
		}, fmt.Sprintf(`SELECT r.number, r.id, r.line, r.asked, r.state, r.error, r.ended_at%s ORDER BY r.number LIMIT $%d + 0 OFFSET $%d + 0`,
			where, len(args)+1, len(args)+2), append(args, q.Limit, q.Skip)...)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list the rows of a batch: %w", err)
	}
	return out, total, nil
}

// FillBatch implements kyc.BatchStore.
func (db *DB) FillBatch(ctx context.Context, h *job.Hold, id kyc.BatchID, rows []kyc.BatchRow) error {
	err := db.write(ctx, func(t tx) error {
		if err := db.keepTask(ctx, t, h.Task, h.Life); err != nil {
			return err
		}
		n, err := t.Exec(ctx, `UPDATE kyc_batch SET entries = $2 WHERE id = $1 AND customer = $3 AND entries = 0`, string(id), int64(len(rows)), h.Task.Customer)
		if err != nil || n == 0 {
			return err
		}
		return addBatchRows(ctx, t, h.Task.Customer, id, rows)
	})
	return taskError("fill the batch of", h.Task, err)
}

// completeRows are the steps that complete the rows of batches that searches of one
// customer were asked for in, before those are kept.
func (db *DB) completeRows(of auth.CustomerID, list []*savingRow) (steps []step) {
	for _, r := range list {
		if r.Batch == nil {
			continue
		}
		// The batch comes first: nodes that complete rows of one wait for each other there.
		steps = append(steps, step{
			query: `UPDATE kyc_batch SET done = done + 1 WHERE id = $1 AND customer = $2`, args: []any{string(r.Batch.ID), int64(of)},
		}, step{
			query: `
				UPDATE kyc_batch_row SET state = 'completed', noted = 1, ended_at = $3
				WHERE customer = $4 AND batch = $1 AND number = $2 AND state = 'submitted'
				RETURNING number`,
			args: []any{string(r.Batch.ID), r.Row, stamp{&r.Search.CreatedAt}, int64(of)},
			read: func(row) error { return nil },
			none: fault.Conflict.Errorf("row %d was searched for by another", r.Row),
		})
		if r.Batch.Profile == "" {
			continue
		}
		steps = append(steps, step{
			query: `
				INSERT INTO kyc_profile_search (profile, search, at, account, customer)
				SELECT p.id, $3, $4, $5, p.customer FROM kyc_profile AS p WHERE p.id = $1 AND p.customer = $2`,
			args: []any{string(r.Batch.Profile), int64(of), string(r.Search.ID), stamp{&r.Search.CreatedAt}, int64(r.By.Account)},
		})
	}
	return steps
}

// KeepBatch implements kyc.BatchStore.
func (db *DB) KeepBatch(ctx context.Context, h *job.Hold, id kyc.BatchID, failed []kyc.BatchRow) error {
	err := db.write(ctx, func(t tx) error {
		if err := db.keepTask(ctx, t, h.Task, h.Life); err != nil {
			return err
		}
		var lost int64
		for i := range failed {
			r := &failed[i]
			n, err := t.Exec(ctx, `
				UPDATE kyc_batch_row SET state = 'failed', error = $3, ended_at = $4
				WHERE customer = $5 AND batch = $1 AND number = $2 AND state = 'submitted'`, string(id), r.Number, r.Error, stamp{&r.EndedAt}, h.Task.Customer)
			if err != nil {
				return err
			}
			lost += n
		}
		if lost == 0 {
			return nil
		}
		_, err := t.Exec(ctx, `UPDATE kyc_batch SET failed = failed + $2 WHERE id = $1 AND customer = $3`, string(id), lost, h.Task.Customer)
		return err
	})
	return taskError("keep the batch of", h.Task, err)
}

// RetryBatch implements kyc.BatchStore.
func (db *DB) RetryBatch(ctx context.Context, by auth.Caller, kind kyc.BatchKind, id kyc.BatchID, k job.Task) (b kyc.Batch, err error) {
	err = db.write(ctx, func(t tx) error {
		var there string
		err := t.QueryRow(ctx, `SELECT id FROM kyc_batch WHERE id = $1 AND customer = $2 AND kind = $3 `+db.d.forUpdate,
			string(id), int64(by.Customer), string(kind)).Scan(&there)
		if err != nil {
			return err
		}
		if b, err = db.batch(ctx, t, by, kind, id); err != nil {
			return err
		}
		switch {
		case !b.Over():
			return fault.Conflict.Errorf("the file is still being worked on")
		case b.Rows == 0:
			return fault.Conflict.Errorf("the file was rejected: correct it and upload it again")
		case b.Done == b.Rows:
			return fault.Conflict.Errorf("no row of the file has failed")
		}
		task, err := db.addTask(ctx, t, k)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `UPDATE kyc_batch_row SET state = 'submitted', error = '', ended_at = 0 WHERE customer = $2 AND batch = $1 AND state = 'failed'`,
			string(id), int64(by.Customer))
		if err != nil {
			return err
		}
		if _, err := t.Exec(ctx, `UPDATE kyc_batch SET failed = 0, task = $2 WHERE id = $1 AND customer = $3`, string(id), int64(task.ID), int64(by.Customer)); err != nil {
			return err
		}
		b, err = db.batch(ctx, t, by, kind, id)
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return kyc.Batch{}, batchError("retry a batch", kind, err)
	}
	if err != nil {
		return kyc.Batch{}, fmt.Errorf("retry a batch: %w", err)
	}
	return b, nil
}

// ForgetBatches implements kyc.BatchStore.
func (db *DB) ForgetBatches(ctx context.Context) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `DELETE FROM kyc_batch WHERE task NOT IN (SELECT id FROM task)`)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `DELETE FROM kyc_batch_row WHERE batch NOT IN (SELECT id FROM kyc_batch)`)
		return err
	})
	if err != nil {
		return fmt.Errorf("forget batches: %w", err)
	}
	return nil
}
