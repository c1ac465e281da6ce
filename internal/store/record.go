package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// News implements auth.Store.
func (db *DB) News(ctx context.Context, seen auth.Seen) (auth.News, error) {
	n, err := db.readEnds(ctx, db, "")
	if err == nil && (n.Seen.Access > seen.Access || n.Seen.Attempts > seen.Attempts) {
		// One state for all of it, or an account could be met before its
		// customer.
		err = db.snapshot(ctx, func(t tx) error {
			n, err = db.readNews(ctx, t, seen, "")
			return err
		})
	}
	if err != nil {
		return auth.News{}, fmt.Errorf("read the record: %w", err)
	}
	return n, nil
}

// Turn implements auth.Store.
func (db *DB) Turn(ctx context.Context, seen auth.Seen, act func(auth.News) (auth.Record, error)) error {
	return db.takeTurn(ctx, seen, nil, func() error { return nil }, act)
}

// Carry implements auth.Store.
func (db *DB) Carry(ctx context.Context, seen auth.Seen, loads []auth.Load, act func(auth.News) (auth.Record, error)) error {
	// What comes of a database that is gone is nobody's fault.
	unkept := func(err error) error {
		if db.d.isGone(err) {
			return err
		}
		return auth.Unkept{Err: err}
	}
	steps, kept, err := db.keepParcels(loads)
	if err != nil {
		return unkept(err)
	}
	for i := range steps {
		steps[i].of = unkept
	}
	return db.takeTurn(ctx, seen, steps, kept, act)
}

// takeTurn takes a turn behind steps, which go in one round trip with the lock and
// before it: what takes long of them holds nobody up.
func (db *DB) takeTurn(ctx context.Context, seen auth.Seen, steps []step, kept func() error, act func(auth.News) (auth.Record, error)) error {
	var rec auth.Record
	err := db.writeShared(ctx, func(t tx) error {
		n, err := db.readNews(ctx, t, seen, db.d.forUpdate, steps...)
		if err != nil {
			return err
		}
		if err := kept(); err != nil {
			return auth.Unkept{Err: err}
		}
		if rec, err = act(n); err != nil {
			return err
		}
		return db.addRecord(ctx, t, n, rec)
	})
	return db.recordError(rec, err)
}

// readEnds reads the ends of the record, and behind them the time. What is to be done
// first goes with that.
func (db *DB) readEnds(ctx context.Context, t tx, lock string, first ...step) (n auth.News, err error) {
	steps := append(first, step{
		query: `
		SELECT access, attempts, next_id, audit_number, audit_sum, audit_seal
		FROM record
		WHERE id = 1 ` + lock,
		read: func(r row) error {
			return r.Scan(&n.Seen.Access, &n.Seen.Attempts, &n.NextID, &n.Head.Number, sum{&n.Head.Sum}, sum{&n.Head.Seal})
		},
		none: sql.ErrNoRows,
	})
	ask, asked := db.askClock(&n.Now)
	if asked {
		steps = append(steps, ask)
	}
	if err := t.Together(ctx, steps); err != nil {
		return n, err
	}
	if !asked {
		n.Now = db.ownClock()
	}
	return n, nil
}

// readNews reads the ends of the record first: what is numbered up to them is
// visible to whoever sees them.
func (db *DB) readNews(ctx context.Context, t tx, seen auth.Seen, lock string, first ...step) (auth.News, error) {
	n, err := db.readEnds(ctx, t, lock, first...)
	if err != nil {
		return n, err
	}
	if n.Seen.Access > seen.Access {
		if err := db.readAccess(ctx, t, seen.Access, &n); err != nil {
			return n, err
		}
	}
	if n.Seen.Attempts > seen.Attempts {
		err := each(ctx, t, func(r row) error {
			var b []byte
			if err := r.Scan(&b); err != nil {
				return err
			}
			n.Attempts, err = appendAttempts(n.Attempts, b)
			return err
		}, `SELECT attempts FROM login_attempts WHERE number > $1 AND number <= $2 ORDER BY number`,
			seen.Attempts, n.Seen.Attempts)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

func (db *DB) readAccess(ctx context.Context, t tx, after int64, n *auth.News) error {
	err := each(ctx, t, func(r row) error {
		var c auth.Customer
		err := r.Scan(&c.ID, &c.Name, list[auth.Grant]{&c.Grants}, stamp{&c.CreatedAt})
		n.Customers = append(n.Customers, c)
		return err
	}, `SELECT id, name, grants, created_at FROM customer WHERE access > $1 ORDER BY id`, after)
	if err != nil {
		return err
	}
	err = each(ctx, t, func(r row) error {
		a, err := readAccount(r)
		n.Accounts = append(n.Accounts, a)
		return err
	}, `
		SELECT id, customer, user_key, COALESCE(email, ''), title, first_name, surname, language,
		       operator, role, disabled, epoch, password, console, second, created_at
		FROM account
		WHERE access > $1
		ORDER BY id`, after)
	if err != nil {
		return err
	}
	err = each(ctx, t, func(r row) error {
		var k auth.Key
		err := r.Scan(&k.ID, &k.Alg, &k.Public, &k.Sealed, flag{&k.Audit}, stamp{&k.MadeAt}, stamp{&k.ActiveAt}, flag{&k.Revoked})
		n.Keys = append(n.Keys, k)
		return err
	}, `
		SELECT id, alg, public, sealed, audit, made_at, active_at, revoked
		FROM signing_key
		WHERE access > $1
		ORDER BY made_at, id`, after)
	if err != nil {
		return err
	}
	return each(ctx, t, func(r row) error {
		var v auth.Revocation
		err := r.Scan(&v.TokenID, stamp{&v.Expires})
		n.Revoked = append(n.Revoked, v)
		return err
	}, `SELECT id, expires_at FROM revoked_token WHERE access > $1 ORDER BY id`, after)
}

func readAccount(r row) (a auth.Account, err error) {
	var password, console string
	err = r.Scan(&a.ID, &a.Customer, &a.UserKey, &a.Email, &a.Title, &a.First, &a.Surname, &a.Language,
		flag{&a.Operator}, &a.Role, flag{&a.Disabled}, &a.Epoch, &password, &console, &a.Second, stamp{&a.CreatedAt})
	if len(a.Second) == 0 {
		a.Second = nil
	}
	a.Password, a.Console = auth.Verifier(password), auth.Verifier(console)
	return a, err
}

// addRecord writes what a turn adds, then the new ends of the record, and commits: others
// wait for their turn until it has.
func (db *DB) addRecord(ctx context.Context, t tx, n auth.News, rec auth.Record) error {
	end := n
	var steps []step
	if len(rec.Customers)+len(rec.Accounts)+len(rec.Keys)+len(rec.Revoked) > 0 {
		end.Seen.Access++
		if err := addAccess(ctx, t, end.Seen.Access, rec); err != nil {
			return err
		}
	}
	if len(rec.Attempts) > 0 {
		end.Seen.Attempts++
		steps = append(steps, step{
			query: `INSERT INTO login_attempts (number, at, attempts) VALUES ($1, $2, $3)`,
			args:  []any{end.Seen.Attempts, stamp{&n.Now}, packAttempts(rec.Attempts)},
		})
	}
	if len(rec.Entries) > 0 {
		end.Head = rec.Head
		steps = append(steps, db.addEntries(rec.Entries)...)
	}
	if s := rec.Signed; s != nil {
		steps = append(steps, step{
			query: `
			INSERT INTO audit_signed (number, sum, at, key_id, signature)
			VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (number) DO NOTHING`,
			args: []any{s.Number, sum{&s.Sum}, stamp{&s.At}, s.KeyID, s.Signature},
		})
	}
	steps = append(steps, addUsage(rec.Usage)...)
	if rec.NextID > 0 {
		end.NextID = rec.NextID
	}
	return t.Last(ctx, append(steps, step{
		query: `
		UPDATE record
		SET access = $1, attempts = $2, next_id = $3, audit_number = $4, audit_sum = $5, audit_seal = $6
		WHERE id = 1`,
		args: []any{end.Seen.Access, end.Seen.Attempts, end.NextID, end.Head.Number, sum{&end.Head.Sum}, sum{&end.Head.Seal}},
	}))
}

func addAccess(ctx context.Context, t tx, access int64, rec auth.Record) error {
	for _, c := range rec.Customers {
		_, err := t.Exec(ctx, `
			INSERT INTO customer (id, name, grants, created_at, access)
			VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (id) DO UPDATE SET name = $2, grants = $3, created_at = $4, access = $5`,
			c.ID, c.Name, list[auth.Grant]{&c.Grants}, stamp{&c.CreatedAt}, access)
		if err != nil {
			return err
		}
	}
	for _, a := range rec.Accounts {
		_, err := t.Exec(ctx, `
			INSERT INTO account (id, customer, user_key, email, title, first_name, surname, language,
			                     operator, disabled, epoch, password, console, created_at, access, role, second)
			VALUES ($1, $2, $3, NULLIF($4, ''), $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
			ON CONFLICT (id) DO UPDATE SET
				customer = $2, user_key = $3, email = NULLIF($4, ''), title = $5, first_name = $6, surname = $7,
				language = $8, operator = $9, disabled = $10, epoch = $11, password = $12,
				console = $13, created_at = $14, access = $15, role = $16, second = $17`,
			a.ID, a.Customer, a.UserKey, a.Email, a.Title, a.First, a.Surname, a.Language,
			flag{&a.Operator}, flag{&a.Disabled}, a.Epoch, string(a.Password), string(a.Console),
			stamp{&a.CreatedAt}, access, string(a.Role), some(a.Second))
		if err != nil {
			return err
		}
	}
	for _, k := range rec.Keys {
		_, err := t.Exec(ctx, `
			INSERT INTO signing_key (id, alg, public, sealed, audit, made_at, active_at, revoked, access)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
			ON CONFLICT (id) DO UPDATE SET
				alg = $2, public = $3, sealed = $4, audit = $5, made_at = $6, active_at = $7,
				revoked = $8, access = $9`,
			k.ID, k.Alg, k.Public, k.Sealed, flag{&k.Audit}, stamp{&k.MadeAt}, stamp{&k.ActiveAt},
			flag{&k.Revoked}, access)
		if err != nil {
			return err
		}
	}
	for _, r := range rec.Revoked {
		_, err := t.Exec(ctx, `
			INSERT INTO revoked_token (id, expires_at, access)
			VALUES ($1, $2, $3)
			ON CONFLICT (id) DO UPDATE SET expires_at = $2, access = $3`,
			r.TokenID, stamp{&r.Expires}, access)
		if err != nil {
			return err
		}
	}
	return nil
}

// recordError says what a database error means for what a turn wanted to add.
func (db *DB) recordError(rec auth.Record, err error) error {
	switch {
	case err == nil:
		return nil
	case db.d.isTaken(err) && len(rec.Customers) > 0:
		return fault.Conflict.Errorf("there is already a customer called %q", rec.Customers[0].Name)
	case db.d.isTaken(err) && len(rec.Accounts) > 0:
		a := rec.Accounts[0]
		if a.Email != "" {
			return fault.Conflict.Errorf("the user key %q or the e-mail address %q is already used", a.UserKey, a.Email)
		}
		return fault.Conflict.Errorf("the user key %q is already used", a.UserKey)
	}
	return fmt.Errorf("take a turn: %w", err)
}

// ForgetAttempts implements auth.Store.
func (db *DB) ForgetAttempts(ctx context.Context, before time.Time) error {
	err := db.write(ctx, func(t tx) error {
		if _, err := t.Exec(ctx, `DELETE FROM login_attempts WHERE at < $1`, stamp{&before}); err != nil {
			return err
		}
		_, err := t.Exec(ctx, `DELETE FROM revoked_token WHERE expires_at < $1`, stamp{&before})
		return err
	})
	if err != nil {
		return fmt.Errorf("forget old login attempts: %w", err)
	}
	return nil
}
