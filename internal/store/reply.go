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
)

// BeginReply implements auth.Replies.
func (db *DB) BeginReply(ctx context.Context, by auth.Caller, name string, request [32]byte) (r auth.Reply, claimed bool, err error) {
	for {
		err = db.write(ctx, func(t tx) error {
			r, claimed, err = db.beginReply(ctx, t, by, name, request)
			return err
		})
		// The first call was dropped after we met its claim: now it may be
		// ours.
		if !errors.Is(err, sql.ErrNoRows) {
			break
		}
	}
	if _, ok := fault.Of(err); err != nil && !ok {
		err = fmt.Errorf("begin a reply: %w", err)
	}
	return r, claimed, err
}

func (db *DB) beginReply(ctx context.Context, t tx, by auth.Caller, name string, request [32]byte) (r auth.Reply, claimed bool, err error) {
	now, err := db.clock(ctx, t)
	if err != nil {
		return r, false, err
	}
	n, err := t.Exec(ctx, `
		INSERT INTO idempotent_reply (account, name, request, started_at, status, headers, body)
		VALUES ($1, $2, $3, $4, 0, '', $5)
		ON CONFLICT (account, name) DO NOTHING`,
		by.Account, name, sum{&request}, stamp{&now}, []byte{})
	if err != nil || n == 1 {
		return r, err == nil, err
	}
	var first [32]byte
	var headers string
	err = t.QueryRow(ctx, `
		SELECT request, status, headers, body
		FROM idempotent_reply
		WHERE account = $1 AND name = $2`,
		by.Account, name,
	).Scan(sum{&first}, &r.Status, &headers, &r.Body)
	switch {
	case err != nil:
		return r, false, err
	case first != request:
		return auth.Reply{}, false, fault.Conflict.Errorf("the idempotency key %q was already used for another request", name)
	case r.Status == 0:
		return auth.Reply{}, false, fault.Conflict.Errorf(
			"the first call with the idempotency key %q has not finished: it is still at work, or its outcome is unknown", name)
	}
	if err := json.Unmarshal([]byte(headers), &r.Header); err != nil {
		return r, false, fmt.Errorf("read its headers: %w", err)
	}
	return r, false, nil
}

// FinishReply implements auth.Replies.
func (db *DB) FinishReply(ctx context.Context, by auth.Caller, name string, r auth.Reply) error {
	if r.Status <= 0 {
		return fmt.Errorf("finish a reply: its status is %d", r.Status)
	}
	headers, err := json.Marshal(r.Header)
	if err != nil {
		return fmt.Errorf("finish a reply: %w", err)
	}
	body := r.Body
	if body == nil {
		body = []byte{} // nil would be NULL
	}
	var n int64
	err = db.write(ctx, func(t tx) error {
		n, err = t.Exec(ctx, `
			UPDATE idempotent_reply
			SET status = $3, headers = $4, body = $5
			WHERE account = $1 AND name = $2 AND status = 0`,
			by.Account, name, r.Status, string(headers), body)
		return err
	})
	if err == nil && n == 0 {
		err = errors.New("there is no claim to finish")
	}
	if err != nil {
		return fmt.Errorf("finish a reply: %w", err)
	}
	return nil
}

// DropReply implements auth.Replies.
func (db *DB) DropReply(ctx context.Context, by auth.Caller, name string) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `DELETE FROM idempotent_reply WHERE account = $1 AND name = $2 AND status = 0`, by.Account, name)
		return err
	})
	if err != nil {
		return fmt.Errorf("drop a reply: %w", err)
	}
	return nil
}

// ForgetReplies implements auth.Replies.
func (db *DB) ForgetReplies(ctx context.Context, before time.Time) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `DELETE FROM idempotent_reply WHERE started_at < $1`, stamp{&before})
		return err
	})
	if err != nil {
		return fmt.Errorf("forget old replies: %w", err)
	}
	return nil
}
