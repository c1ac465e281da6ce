package store

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// A step is one of several statements that are sent together, in their order: to a
// server that is one round trip, however many they are.
type step struct {
	query string
	args  []any
	read  func(row) error   // is called for each row; nil where there are none
	none  error             // what it fails with if there is no row; nil where that is well
	of    func(error) error // says of whom a failure is; nil where that does not matter
}

// failed is the failure of a step.
func (s *step) failed(err error) error {
	if err != nil && s.of != nil {
		return s.of(err)
	}
	return err
}

// oneByOne runs steps one after the other, where nothing is gained by sending them
// together.
func oneByOne(ctx context.Context, t tx, steps []step) error {
	for _, s := range steps {
		var err error
		if s.read == nil {
			_, err = t.Exec(ctx, s.query, s.args...)
		} else {
			none := s.none
			err = each(ctx, t, func(r row) error {
				none = nil
				return s.read(r)
			}, s.query, s.args...)
			err = cmp.Or(err, none)
		}
		if err != nil {
			return s.failed(err)
		}
	}
	return nil
}

// Together runs steps. None after one that fails is run.
func (p pgQueries) Together(ctx context.Context, steps []step) (err error) {
	switch {
	case len(steps) == 0:
		return nil
	case len(steps) == 1:
		return p.alone(ctx, &steps[0]) // a long list has a plan of its own only there
	}
	b := new(pgx.Batch)
	for _, s := range steps {
		b.Queue(s.query, s.args...)
	}
	res := p.q.SendBatch(ctx, b)
	defer func() {
		if cerr := res.Close(); err == nil {
			err = cerr
		}
	}()
	for _, s := range steps {
		if err := s.answered(res); err != nil {
			return s.failed(err)
		}
	}
	return nil
}

// alone runs one step.
func (p pgQueries) alone(ctx context.Context, s *step) error {
	if s.read == nil {
		_, err := p.q.Exec(ctx, s.query, s.args...)
		return s.failed(err)
	}
	rs, err := p.q.Query(ctx, s.query, s.args...)
	if err == nil {
		err = s.readAll(rs)
	}
	return s.failed(err)
}

// answered reads what became of a step.
func (s *step) answered(res pgx.BatchResults) error {
	if s.read == nil {
		_, err := res.Exec()
		return err
	}
	rs, err := res.Query()
	if err != nil {
		return err
	}
	return s.readAll(rs)
}

// readAll reads the rows of a step and closes them.
func (s *step) readAll(rs pgx.Rows) error {
	defer rs.Close()
	none := s.none
	for rs.Next() {
		none = nil
		if err := s.read(rs); err != nil {
			return err
		}
	}
	rs.Close()
	return cmp.Or(rs.Err(), none)
}

// inserts adds rows to a table, as few statements as the engine needs. A value is a
// number, a text or bytes; tail says what becomes of a row that is there already.
func (db *DB) inserts(table string, columns []string, tail string, n int, values func(int) []any) []step {
	if n == 0 {
		return nil
	}
	if db.d.name == "postgres" {
		return []step{unnest(table, columns, tail, n, values)}
	}
	var out []step
	for from := 0; from < n; {
		size := sizeOfInsert(n - from)
		args := make([]any, 0, size*len(columns))
		for range size {
			args = append(args, values(from)...)
			from++
		}
		out = append(out, step{query: severalSQL(db.d.insert+table, columns, tail, size), args: args})
	}
	return out
}

// unnest adds any number of rows with one statement that is always the same, so that
// the server knows it by heart.
func unnest(table string, columns []string, tail string, n int, values func(int) []any) step {
	args, kinds := make([]any, len(columns)), make([]string, len(columns))
	for i := range n {
		for c, v := range values(i) {
			switch v := v.(type) {
			case int64:
				args[c], kinds[c] = extend(args[c], n, v), "bigint[]"
			case []byte:
				args[c], kinds[c] = extend(args[c], n, v), "bytea[]"
			case string:
				args[c], kinds[c] = extend(args[c], n, v), "text[]"
			}
		}
	}
	var b strings.Builder
	b.WriteString("INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") SELECT * FROM unnest(")
	for c, kind := range kinds {
		if c > 0 {
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(c+1) + "::" + kind)
	}
	b.WriteString(")" + tail)
	return step{query: b.String(), args: args}
}

// extend adds a value to a column, which becomes as long as n.
func extend[T any](column any, n int, v T) []T {
	list, _ := column.([]T)
	if list == nil {
		list = make([]T, 0, n)
	}
	return append(list, v)
}
