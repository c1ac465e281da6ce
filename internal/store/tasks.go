package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"bureau/internal/fault"
	"bureau/internal/job"
)

// nextTaskNumber is the next number of a task or a file. The lock is held to
// the commit, so that tasks become visible in the order of their numbers.
func (db *DB) nextTaskNumber(ctx context.Context, t tx) (n int64, err error) {
	if _, err := t.Exec(ctx, `UPDATE task_counter SET last = last + 1 WHERE id = $1`, 1); err != nil {
		return 0, err
	}
	err = t.QueryRow(ctx, `SELECT last FROM task_counter WHERE id = 1`).Scan(&n)
	return n, err
}

// AddTask implements job.TaskStore.
func (db *DB) AddTask(ctx context.Context, k job.Task) (job.Task, error) {
	err := db.write(ctx, func(t tx) (err error) {
		k, err = db.addTask(ctx, t, k)
		return err
	})
	if err != nil {
		return job.Task{}, fmt.Errorf("add a task: %w", err)
	}
	return k, nil
}

// addTask is AddTask in the transaction of what the task is for.
func (db *DB) addTask(ctx context.Context, t tx, k job.Task) (job.Task, error) {
	n, err := db.nextTaskNumber(ctx, t)
	if err != nil {
		return k, err
	}
	now, err := db.clock(ctx, t)
	if err != nil {
		return k, err
	}
	k.ID, k.State, k.CreatedAt = job.TaskID(n), job.Waiting, now
	_, err = t.Exec(ctx, `
		INSERT INTO task (id, kind, customer, account, about, input, file, file_size, state, done, done_of, notes,
		                  result, output, error, attempts, created_at, started_at, finished_at, due_at, owner,
		                  fence, held_until)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, 0, $9, $10, $10, 0, '', 0, $11, 0, 0, 0, '', 0, 0)`,
		k.ID, k.Kind, k.Customer, k.Account, k.About, some(k.Input), k.File, string(k.State), k.Of,
		[]byte{}, stamp{&now})
	if err != nil || k.File == 0 {
		return k, err
	}
	// A file is its customer's through its task, which therefore comes first.
	if k.FileSize, err = takeFile(ctx, t, k.File, k); err != nil {
		return k, err
	}
	_, err = t.Exec(ctx, `UPDATE task SET file_size = $2 WHERE id = $1`, k.ID, k.FileSize)
	return k, err
}

// some is b, or no bytes instead of none at all: nil would be NULL.
func some(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

const taskColumns = `id, kind, customer, account, about, input, file, file_size, state, done, done_of, notes,
	result, output, error, attempts, created_at, started_at, finished_at, fence`

func readTask(r row) (k job.Task, err error) {
	err = r.Scan(&k.ID, &k.Kind, &k.Customer, &k.Account, &k.About, &k.Input, &k.File, &k.FileSize, &k.State,
		&k.Done, &k.Of, &k.Notes, &k.Result, &k.Output, &k.Error, &k.Attempts,
		stamp{&k.CreatedAt}, stamp{&k.StartedAt}, stamp{&k.FinishedAt}, &k.Fence)
	return k, err
}

// Task implements job.TaskStore.
func (db *DB) Task(ctx context.Context, customer int64, id job.TaskID) (job.Task, error) {
	k, err := readTask(db.QueryRow(ctx, `SELECT `+taskColumns+` FROM task WHERE id = $1 AND customer = $2`, id, customer))
	if errors.Is(err, sql.ErrNoRows) {
		return job.Task{}, fault.Missing.Errorf("Task not found")
	}
	if err != nil {
		return job.Task{}, fmt.Errorf("read task %d: %w", id, err)
	}
	return k, nil
}

// Tasks implements job.TaskStore.
func (db *DB) Tasks(ctx context.Context, customer int64, q job.TaskQuery) (list []job.Task, total int64, err error) {
	if q.Before == 0 {
		q.Before = math.MaxInt64
	}
	err = db.snapshot(ctx, func(t tx) error {
		err := t.QueryRow(ctx, `SELECT COUNT(*) FROM task WHERE customer = $1 AND about = $2`, customer, q.About).Scan(&total)
		if err != nil {
			return err
		}
		return each(ctx, t, func(r row) error {
			k, err := readTask(r)
			list = append(list, k)
			return err
		}, `
			SELECT `+taskColumns+`
			FROM task
			WHERE customer = $1 AND about = $2 AND id < $3
			ORDER BY id DESC
			LIMIT $4 + 0 OFFSET $5 + 0`, customer, q.About, q.Before, q.Limit, q.Skip)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list tasks: %w", err)
	}
	return list, total, nil
}

// OpenTasks implements job.TaskStore.
func (db *DB) OpenTasks(ctx context.Context, customer int64) (n int64, err error) {
	err = db.QueryRow(ctx, `SELECT COUNT(*) FROM task WHERE customer = $1 AND state IN ('waiting', 'working')`, customer).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count tasks: %w", err)
	}
	return n, nil
}

// ClaimTask implements job.TaskStore.
func (db *DB) ClaimTask(ctx context.Context, kinds []string, owner string, life time.Duration) (k job.Task, ok bool, err error) {
	// Most of the time there is nothing to do, and nobody need wait for us to
	// find that out.
	var open int64
	err = db.QueryRow(ctx, `SELECT COUNT(*) FROM task WHERE state IN ('waiting', 'working')`).Scan(&open)
	if err != nil {
		return job.Task{}, false, fmt.Errorf("look for tasks: %w", err)
	}
	if open == 0 {
		return job.Task{}, false, nil
	}
	lock := db.d.forUpdate
	if lock != "" {
		lock += " SKIP LOCKED" // a task whose results are being saved holds up no other
	}
	err = db.write(ctx, func(t tx) error {
		now, err := db.clock(ctx, t)
		if err != nil {
			return err
		}
		k, err = readTask(t.QueryRow(ctx, `
			SELECT `+taskColumns+`
			FROM task
			WHERE state IN ('waiting', 'working')
			  AND $1 LIKE '% ' || kind || ' %'
			  AND (state = 'waiting' AND due_at <= $2 OR state = 'working' AND held_until <= $2)
			  AND NOT EXISTS (
			      SELECT 1
			      FROM task AS older
			      WHERE older.state IN ('waiting', 'working') AND older.id < task.id
			        AND older.customer = task.customer AND older.about = task.about AND task.about <> '')
			ORDER BY id
			LIMIT 1 `+lock, " "+strings.Join(kinds, " ")+" ", stamp{&now}))
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		ok = true
		k.State, k.Fence, k.Attempts = job.Working, k.Fence+1, k.Attempts+1
		if k.StartedAt.IsZero() {
			k.StartedAt = now
		}
		until := now.Add(life)
		_, err = t.Exec(ctx, `
			UPDATE task
			SET state = $2, owner = $3, fence = $4, held_until = $5, attempts = $6, started_at = $7
			WHERE id = $1`,
			k.ID, string(k.State), owner, k.Fence, stamp{&until}, k.Attempts, stamp{&k.StartedAt})
		return err
	})
	if err != nil {
		return job.Task{}, false, fmt.Errorf("claim a task: %w", err)
	}
	return k, ok, nil
}

// lockTask locks the row of a task that is being worked on, so that nobody takes it
// over before we commit, and returns the time.
func (db *DB) lockTask(ctx context.Context, t tx, k job.Task) (now time.Time, err error) {
	var one int64
	err = t.QueryRow(ctx, `SELECT 1 FROM task WHERE id = $1 AND fence = $2 AND state = 'working' `+db.d.forUpdate,
		k.ID, k.Fence).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return now, fault.Conflict.Errorf("task %d is done by another node now, or is over", k.ID)
	}
	if err != nil {
		return now, err
	}
	return db.clock(ctx, t)
}

// KeepTask implements job.TaskStore.
func (db *DB) KeepTask(ctx context.Context, k job.Task, life time.Duration) error {
	err := db.write(ctx, func(t tx) error { return db.keepTask(ctx, t, k, life) })
	return taskError("keep", k, err)
}

// keepTask is KeepTask in the transaction of a task's results.
func (db *DB) keepTask(ctx context.Context, t tx, k job.Task, life time.Duration) error {
	now, err := db.lockTask(ctx, t, k)
	if err != nil {
		return err
	}
	until := now.Add(life)
	_, err = t.Exec(ctx, `
		UPDATE task
		SET done = $2, done_of = $3, notes = $4, attempts = $5, held_until = $6
		WHERE id = $1`, k.ID, k.Done, k.Of, some(k.Notes), k.Attempts, stamp{&until})
	return err
}

// FinishTask implements job.TaskStore.
func (db *DB) FinishTask(ctx context.Context, k job.Task) error {
	k.State, k.Error = job.Done, ""
	err := db.write(ctx, func(t tx) error { return db.endTask(ctx, t, k) })
	return taskError("finish", k, err)
}

// FailTask implements job.TaskStore.
func (db *DB) FailTask(ctx context.Context, k job.Task) error {
	k.State = job.Failed
	err := db.write(ctx, func(t tx) error { return db.endTask(ctx, t, k) })
	return taskError("fail", k, err)
}

// endTask ends a task in the transaction of its results.
func (db *DB) endTask(ctx context.Context, t tx, k job.Task) error {
	now, err := db.lockTask(ctx, t, k)
	if err != nil {
		return err
	}
	var sent int64
	if err := t.QueryRow(ctx, `SELECT file FROM task WHERE id = $1`, k.ID).Scan(&sent); err != nil {
		return err
	}
	if sent != 0 {
		if err := dropContent(ctx, t, sent); err != nil {
			return err
		}
	}
	if _, err := takeFile(ctx, t, k.Output, k); err != nil {
		return err
	}
	_, err = t.Exec(ctx, `
		UPDATE task
		SET state = $2, done = $3, done_of = $4, result = $5, output = $6, error = $7,
		    file = 0, notes = $8, owner = '', held_until = 0, finished_at = $9
		WHERE id = $1`,
		k.ID, string(k.State), k.Done, k.Of, some(k.Result), k.Output, k.Error, []byte{}, stamp{&now})
	return err
}

// ReturnTask implements job.TaskStore.
func (db *DB) ReturnTask(ctx context.Context, k job.Task, after time.Duration) error {
	err := db.write(ctx, func(t tx) error {
		now, err := db.lockTask(ctx, t, k)
		if err != nil {
			return err
		}
		due := now.Add(after)
		_, err = t.Exec(ctx, `
			UPDATE task
			SET state = 'waiting', owner = '', held_until = 0, due_at = $2, attempts = $3
			WHERE id = $1`, k.ID, stamp{&due}, k.Attempts)
		return err
	})
	return taskError("return", k, err)
}

func taskError(doing string, k job.Task, err error) error {
	if err != nil {
		return fmt.Errorf("%s task %d: %w", doing, k.ID, err)
	}
	return nil
}

// ForgetTasks implements job.TaskStore.
func (db *DB) ForgetTasks(ctx context.Context, before time.Time) error {
	err := db.write(ctx, func(t tx) error {
		for _, statement := range []string{
			`DELETE FROM file WHERE task IN (SELECT id FROM task WHERE finished_at > 0 AND finished_at < $1)`,
			`DELETE FROM task WHERE finished_at > 0 AND finished_at < $1`,
			`DELETE FROM file WHERE task = 0 AND begun_at < $1`,
		} {
			if _, err := t.Exec(ctx, statement, stamp{&before}); err != nil {
				return err
			}
		}
		_, err := t.Exec(ctx, `DELETE FROM file_chunk WHERE file NOT IN (SELECT id FROM file)`)
		return err
	})
	if err != nil {
		return fmt.Errorf("forget tasks: %w", err)
	}
	return nil
}
