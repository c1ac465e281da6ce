package store

import (
	"bytes"
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// public reads as whoever logged in, here or from a replica.
func (e *pgEngine) public() tx {
	return pgPublic{pgQueries{e.planning(e.pool)}, e.replicas, e.planning}
}

// pgPublic repeats on our own server what a replica fails to answer, and what it
// finds nothing for: it may be too new for it.
type pgPublic struct {
	own      pgQueries
	rs       *replicas
	planning func(pgQuerier) pgQuerier
}

func (pgPublic) Bulk(context.Context, string, []string, int, func(int) []any) error {
	return errReadOnly
}

func (pgPublic) Exec(context.Context, string, ...any) (int64, error) { return 0, errReadOnly }

// Together goes to our own server in one trip if there is no other. A replica is asked
// step by step, since each may have to be repeated.
func (p pgPublic) Together(ctx context.Context, steps []step) error {
	if p.rs.pick(ctx) == nil {
		return p.own.Together(ctx, steps)
	}
	return oneByOne(ctx, p, steps)
}

func (pgPublic) Last(context.Context, []step) error { return errReadOnly }

func (p pgPublic) QueryRow(ctx context.Context, query string, args ...any) row {
	if r := p.rs.pick(ctx); r != nil {
		return &replicaRow{ctx, p, r, query, args}
	}
	return p.own.QueryRow(ctx, query, args...)
}

func (p pgPublic) Query(ctx context.Context, query string, args ...any) (rows, error) {
	r := p.rs.pick(ctx)
	if r == nil {
		return p.own.Query(ctx, query, args...)
	}
	got, err := p.fetch(ctx, r, query, args)
	switch {
	case err == nil && len(got.values) > 0:
		r.reads.Add(1)
		return got, nil
	case err == nil:
		got.Close()
	case ctx.Err() != nil:
		return nil, err // the caller has gone, whoever was slow
	default:
		p.rs.failedAt(r)
	}
	return p.own.Query(ctx, query, args...)
}

type replicaRow struct {
	ctx   context.Context
	p     pgPublic
	r     *replica
	query string
	args  []any
}

func (q *replicaRow) Scan(into ...any) error {
	got, err := q.p.fetch(q.ctx, q.r, q.query, q.args)
	switch {
	case err == nil:
		defer got.Close()
		if got.Next() {
			q.r.reads.Add(1)
			return got.Scan(into...)
		}
	case q.ctx.Err() != nil:
		return err
	default:
		q.p.rs.failedAt(q.r)
	}
	return q.p.own.QueryRow(q.ctx, q.query, q.args...).Scan(into...)
}

// fetch reads the whole of an answer before anybody sees a row of it, so that it can
// be asked for again elsewhere. A replica that is slow is not waited for long: our own
// server would have answered.
func (p pgPublic) fetch(ctx context.Context, r *replica, query string, args []any) (*replicaRows, error) {
	ctx, cancel := context.WithTimeout(ctx, min(p.rs.lag, time.Second))
	defer cancel()
	conn, err := r.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	out := &replicaRows{conn: conn, at: -1}
	rs, err := p.planning(conn).Query(ctx, query, args...)
	if err == nil {
		out.fields = rs.FieldDescriptions()
		for rs.Next() {
			raw := rs.RawValues()
			row := make([][]byte, len(raw))
			for i, v := range raw {
				row[i] = bytes.Clone(v) // theirs is the connection's; NULL stays nil
			}
			out.values = append(out.values, row)
		}
		rs.Close()
		err = rs.Err()
	}
	if err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// replicaRows are an answer that was read. The connection is kept for what it knows
// of types.
type replicaRows struct {
	conn   *pgxpool.Conn
	fields []pgconn.FieldDescription
	values [][][]byte
	at     int
}

func (r *replicaRows) Next() bool {
	r.at++
	return r.at < len(r.values)
}

func (r *replicaRows) Scan(into ...any) error {
	return pgx.ScanRow(r.conn.Conn().TypeMap(), r.fields, r.values[r.at], into...)
}

func (r *replicaRows) Err() error { return nil }

func (r *replicaRows) Close() {
	if r.conn != nil {
		r.conn.Release()
		r.conn = nil
	}
}
