package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// AddSession implements auth.SessionStore.
func (db *DB) AddSession(ctx context.Context, s auth.Session, instead auth.SessionKey) error {
	err := db.write(ctx, func(t tx) error {
		if instead != (auth.SessionKey{}) {
			if _, err := t.Exec(ctx, `DELETE FROM console_session WHERE key = $1`, instead[:]); err != nil {
				return err
			}
		}
		_, err := t.Exec(ctx, `
			INSERT INTO console_session (key, account, epoch, waiting, agent, source, created_at, seen_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			s.Key[:], int64(s.Account), s.Epoch, flag{&s.Waiting}, s.Agent, s.Source, stamp{&s.CreatedAt}, stamp{&s.SeenAt})
		return err
	})
	if err != nil {
		return fmt.Errorf("begin a session: %w", err)
	}
	return nil
}

const sessionColumns = `key, account, epoch, waiting, agent, source, created_at, seen_at`

func readSession(r row) (s auth.Session, err error) {
	err = r.Scan(sum{(*[32]byte)(&s.Key)}, &s.Account, &s.Epoch, flag{&s.Waiting}, &s.Agent, &s.Source, stamp{&s.CreatedAt}, stamp{&s.SeenAt})
	return s, err
}

// Session implements auth.SessionStore.
func (db *DB) Session(ctx context.Context, key auth.SessionKey) (auth.Session, error) {
	s, err := readSession(db.QueryRow(ctx, `SELECT `+sessionColumns+` FROM console_session WHERE key = $1`, key[:]))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return s, fault.Missing.Errorf("no such session")
	case err != nil:
		return s, fmt.Errorf("read a session: %w", err)
	}
	return s, nil
}

// SeeSession implements auth.SessionStore.
func (db *DB) SeeSession(ctx context.Context, key auth.SessionKey, at time.Time) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `UPDATE console_session SET seen_at = $2 WHERE key = $1`, key[:], stamp{&at})
		return err
	})
	if err != nil {
		return fmt.Errorf("note the use of a session: %w", err)
	}
	return nil
}

// Sessions implements auth.SessionStore.
func (db *DB) Sessions(ctx context.Context, of auth.AccountID) (out []auth.Session, err error) {
	err = each(ctx, db, func(r row) error {
		s, err := readSession(r)
		out = append(out, s)
		return err
	}, `SELECT `+sessionColumns+` FROM console_session WHERE account = $1 ORDER BY seen_at DESC, key`, int64(of))
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	return out, nil
}

// EndSessions implements auth.SessionStore.
func (db *DB) EndSessions(ctx context.Context, of auth.AccountID, end func(auth.SessionKey) bool) (n int, err error) {
	err = db.write(ctx, func(t tx) error {
		n = 0
		var keys []auth.SessionKey
		err := each(ctx, t, func(r row) error {
			var k auth.SessionKey
			err := r.Scan(sum{(*[32]byte)(&k)})
			keys = append(keys, k)
			return err
		}, `SELECT key FROM console_session WHERE account = $1`, int64(of))
		if err != nil {
			return err
		}
		for _, k := range keys {
			if !end(k) {
				continue
			}
			gone, err := t.Exec(ctx, `DELETE FROM console_session WHERE key = $1`, k[:])
			if err != nil {
				return err
			}
			n += int(gone)
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("end sessions: %w", err)
	}
	return n, nil
}

// ForgetSessions implements auth.SessionStore.
func (db *DB) ForgetSessions(ctx context.Context, seen, created time.Time) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `DELETE FROM console_session WHERE seen_at < $1 OR created_at < $2`, stamp{&seen}, stamp{&created})
		return err
	})
	if err != nil {
		return fmt.Errorf("forget old sessions: %w", err)
	}
	return nil
}

// SpendCode implements auth.SessionStore.
func (db *DB) SpendCode(ctx context.Context, of auth.AccountID, step int64, now, since time.Time, most int) error {
	var verdict error // what is wrong must be written down, so it is no reason to roll back
	err := db.write(ctx, func(t tx) error {
		verdict = nil
		_, err := t.Exec(ctx, `
			INSERT INTO console_code (account, step, wrong, since) VALUES ($1, 0, 0, $2)
			ON CONFLICT (account) DO NOTHING`, int64(of), stamp{&now})
		if err != nil {
			return err
		}
		var last, wrong int64
		var from time.Time
		err = t.QueryRow(ctx, `SELECT step, wrong, since FROM console_code WHERE account = $1 `+db.d.forUpdate, int64(of)).
			Scan(&last, &wrong, stamp{&from})
		if err != nil {
			return err
		}
		if from.Before(since) {
			from, wrong = now, 0
		}
		switch {
		case wrong >= int64(most):
			wait := max(time.Second, from.Sub(since))
			verdict = fault.Exhausted.After(wait, "too many wrong codes; try again in %s", wait.Round(time.Second))
			return nil
		case step <= last:
			wrong++
			verdict = fault.Stranger.Errorf("that code is wrong, or was used already")
		default:
			last, wrong, from = step, 0, now
		}
		_, err = t.Exec(ctx, `UPDATE console_code SET step = $2, wrong = $3, since = $4 WHERE account = $1`,
			int64(of), last, wrong, stamp{&from})
		return err
	})
	if err != nil {
		return fmt.Errorf("note a one-time code: %w", err)
	}
	return verdict
}
