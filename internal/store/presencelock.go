package store

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// lockPresence keeps advisory locks on a connection of its own. PostgreSQL
// gives them up when the connection ends, which it does with the process.
type lockPresence struct {
	config *pgx.ConnConfig

	mu   sync.Mutex
	conn *pgx.Conn // nil before the first owner, and when it broke
	held map[string]bool
}

func newLockPresence(config *pgx.ConnConfig) *lockPresence {
	return &lockPresence{config: config, held: map[string]bool{}}
}

// announce also looks whether the connection still stands, each time.
func (p *lockPresence) announce(ctx context.Context, owner string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if p.conn != nil && p.held[owner] && p.conn.Ping(ctx) == nil {
		return nil
	}
	p.held[owner] = true
	if err := p.lock(ctx, owner); err != nil {
		return fmt.Errorf("be present: %w", err)
	}
	return nil
}

// lock locks for one owner, or for all of them on a new connection.
func (p *lockPresence) lock(ctx context.Context, owner string) error {
	if p.conn != nil {
		if err := take(ctx, p.conn, owner); err == nil {
			return nil
		}
		p.hangUp()
	}
	conn, err := pgx.ConnectConfig(ctx, p.config.Copy())
	if err != nil {
		return err
	}
	p.conn = conn
	for owner := range p.held {
		if err := take(ctx, conn, owner); err != nil {
			p.hangUp()
			return err
		}
	}
	return nil
}

func take(ctx context.Context, conn *pgx.Conn, owner string) error {
	_, err := conn.Exec(ctx, `SELECT pg_advisory_lock_shared($1)`, int64(presenceKey(owner)))
	return err
}

// gone locks all others out until the transaction ends, which is soon.
func (p *lockPresence) gone(ctx context.Context, t tx, owner string) (gone bool, err error) {
	err = t.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock($1)`, int64(presenceKey(owner))).Scan(&gone)
	if err != nil {
		return false, fmt.Errorf("look for a node: %w", err)
	}
	return gone, nil
}

func (p *lockPresence) hangUp() {
	if p.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = p.conn.Close(ctx)
	p.conn = nil
}

func (p *lockPresence) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hangUp()
}
