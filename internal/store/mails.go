package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"bureau/internal/fault"
	"bureau/internal/monitor"
)

const mailColumns = `key, kind, customer, portfolio, recipient, recipient_name, subject, body_text, body_html,
	unsubscribe, message_id, state, tries, first_at, next_at, fence, error, created_at, ended_at`

func readMail(r row) (m monitor.Mail, err error) {
	err = r.Scan(&m.Key, &m.Kind, &m.Customer, &m.Portfolio, &m.To.Address, &m.To.Last, &m.Subject, &m.Text, &m.HTML,
		&m.Unsubscribe, &m.MessageID, &m.State, &m.Tries, stamp{&m.FirstAt}, stamp{&m.NextAt}, &m.Fence, &m.Error,
		stamp{&m.CreatedAt}, stamp{&m.EndedAt})
	return m, err
}

// KeepMails implements monitor.MailStore.
func (db *DB) KeepMails(ctx context.Context, list []monitor.Mail) error {
	err := db.write(ctx, func(t tx) error { return db.keepMails(ctx, t, list) })
	return mailError("keep mails", err)
}

// keepMails is KeepMails in the transaction that decides to send them.
func (db *DB) keepMails(ctx context.Context, t tx, list []monitor.Mail) error {
	if len(list) == 0 {
		return nil
	}
	now, err := db.clock(ctx, t)
	if err != nil {
		return err
	}
	for i := range list {
		m := &list[i]
		_, err := t.Exec(ctx, `
			INSERT INTO mail (key, kind, customer, portfolio, recipient, recipient_name, subject, body_text, body_html,
			                  unsubscribe, message_id, state, tries, first_at, next_at, owner, fence, held_until, error,
			                  created_at, ended_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, 0, 0, 0, '', 0, 0, '', $12, 0)
			ON CONFLICT (key) DO NOTHING`,
			m.Key, string(m.Kind), int64(m.Customer), int64(m.Portfolio), m.To.Address, m.To.Name(), m.Subject, m.Text, m.HTML,
			m.Unsubscribe, m.MessageID, stamp{&now})
		if err != nil {
			return err
		}
	}
	return nil
}

// ClaimMails implements monitor.MailStore.
func (db *DB) ClaimMails(ctx context.Context, owner string, life time.Duration, limit int) (list []monitor.Mail, err error) {
	// Most of the time there is nothing to send, and nobody need wait for us to
	// find that out.
	if n, _, err := db.MailBacklog(ctx); err != nil || n == 0 {
		return nil, err
	}
	lock := db.d.forUpdate
	if lock != "" {
		lock += " SKIP LOCKED" // two who claim at once take different ones
	}
	err = db.write(ctx, func(t tx) error {
		list = nil
		now, err := db.clock(ctx, t)
		if err != nil {
			return err
		}
		err = each(ctx, t, func(r row) error {
			m, err := readMail(r)
			list = append(list, m)
			return err
		}, `
			SELECT `+mailColumns+`
			FROM mail
			WHERE state = 0 AND next_at <= $1 AND held_until <= $1
			ORDER BY next_at, created_at, key
			LIMIT $2 + 0 `+lock, stamp{&now}, limit)
		if err != nil {
			return err
		}
		until := now.Add(life)
		for i := range list {
			m := &list[i]
			m.Fence, m.Tries = m.Fence+1, m.Tries+1
			if m.FirstAt.IsZero() {
				m.FirstAt = now
			}
			_, err := t.Exec(ctx, `
				UPDATE mail SET owner = $2, fence = $3, tries = $4, first_at = $5, held_until = $6
				WHERE key = $1`, m.Key, owner, m.Fence, m.Tries, stamp{&m.FirstAt}, stamp{&until})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return list, mailError("claim mails", err)
}

// SettleMail implements monitor.MailStore.
func (db *DB) SettleMail(ctx context.Context, m monitor.Mail) error {
	err := db.write(ctx, func(t tx) error {
		now, err := db.clock(ctx, t)
		if err != nil {
			return err
		}
		query, args := `
			UPDATE mail SET state = $3, tries = $4, next_at = $5, error = $6, owner = '', held_until = 0
			WHERE key = $1 AND fence = $2 AND state = 0`,
			[]any{m.Key, m.Fence, int64(m.State), m.Tries, stamp{&m.NextAt}, m.Error}
		if m.State != monitor.MailWaiting {
			query = `
				UPDATE mail SET state = $3, tries = $4, next_at = $5, error = $6, owner = '', held_until = 0,
				                ended_at = $7, body_text = '', body_html = '', unsubscribe = ''
				WHERE key = $1 AND fence = $2 AND state = 0`
			args = append(args, stamp{&now})
		}
		n, err := t.Exec(ctx, query, args...)
		if err == nil && n == 0 {
			return fault.Conflict.Errorf("the mail is sent by another node now, or is gone")
		}
		return err
	})
	return mailError("settle a mail", err)
}

// ForgetMails implements monitor.MailStore.
func (db *DB) ForgetMails(ctx context.Context, waiting, ended time.Time) error {
	err := db.write(ctx, func(t tx) error {
		now, err := db.clock(ctx, t)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `
			UPDATE mail SET state = 2, ended_at = $2, body_text = '', body_html = '', unsubscribe = '',
			                error = 'nobody sent it in time', fence = fence + 1, held_until = 0
			WHERE state = 0 AND created_at < $1`, stamp{&waiting}, stamp{&now})
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `DELETE FROM mail WHERE state <> 0 AND ended_at < $1`, stamp{&ended})
		return err
	})
	return mailError("forget mails", err)
}

// MailBacklog implements monitor.MailStore.
func (db *DB) MailBacklog(ctx context.Context) (n int64, oldest time.Time, err error) {
	err = db.QueryRow(ctx, `SELECT COUNT(*), COALESCE(MIN(created_at), 0) FROM mail WHERE state = 0`).Scan(&n, stamp{&oldest})
	return n, oldest, mailError("count mails", err)
}

// mailError keeps faults as they are.
func mailError(doing string, err error) error {
	if _, ok := fault.Of(err); err == nil || ok {
		return err
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// Trouble implements monitor.TroubleStore.
func (db *DB) Trouble(ctx context.Context, name string) (monitor.Trouble, error) {
	k, err := readTrouble(ctx, db, name, "")
	return k, mailError("read a trouble", err)
}

func readTrouble(ctx context.Context, t tx, name, lock string) (monitor.Trouble, error) {
	k := monitor.Trouble{Name: name}
	err := t.QueryRow(ctx, `SELECT is_on, told, since, day FROM trouble WHERE name = $1 `+lock, name).
		Scan(flag{&k.On}, flag{&k.Told}, stamp{&k.Since}, &k.Day)
	if errors.Is(err, sql.ErrNoRows) {
		return k, nil
	}
	return k, err
}

// EditTrouble implements monitor.TroubleStore.
func (db *DB) EditTrouble(ctx context.Context, name string, edit func(*monitor.Trouble) ([]monitor.Mail, error)) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `
			INSERT INTO trouble (name, is_on, told, since, day) VALUES ($1, 0, 0, 0, 0)
			ON CONFLICT (name) DO NOTHING`, name)
		if err != nil {
			return err
		}
		k, err := readTrouble(ctx, t, name, db.d.forUpdate)
		if err != nil {
			return err
		}
		list, err := edit(&k)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `UPDATE trouble SET is_on = $2, told = $3, since = $4, day = $5 WHERE name = $1`,
			name, flag{&k.On}, flag{&k.Told}, stamp{&k.Since}, k.Day)
		if err != nil {
			return err
		}
		return db.keepMails(ctx, t, list)
	})
	return mailError("change a trouble", err)
}

// DeadLetters counts the deliveries that were first to be sent after a time and
// were given up.
func (db *DB) DeadLetters(ctx context.Context, after time.Time) (n int64, err error) {
	err = db.QueryRow(ctx, `SELECT COUNT(*) FROM delivery WHERE state = 3 AND since > $1`, stamp{&after}).Scan(&n)
	return n, mailError("count dead letters", err)
}
