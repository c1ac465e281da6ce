package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

//go:embed shape
var shapeFiles embed.FS

// A shape is what the migrations make besides tables and columns: keys, indexes, and
// on PostgreSQL the policies of the wall. It has a name for each, and how it is made.
//
// What it must be is in shape/, one file for an engine, and not found out by running
// the migrations somewhere: the doctor changes nothing, and may not be allowed to. A
// test holds the files against a fresh schema, and make golden writes them.
type shape map[string]string

// shapeOf is what this Bureau's migrations make.
func (d dialect) shapeOf() (shape, error) {
	b, err := fs.ReadFile(shapeFiles, "shape/"+d.name+".txt")
	if err != nil {
		return nil, fmt.Errorf("read the shape of the schema: %w", err)
	}
	out := shape{}
	for line := range strings.Lines(string(b)) {
		name, made, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		out[name] = made
	}
	return out, nil
}

// String is the shape as it is in its file.
func (s shape) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s)) {
		b.WriteString(name + ": " + s[name] + "\n")
	}
	return b.String()
}

// walls are the policies of a shape, by table.
func (s shape) walls() shape {
	out := shape{}
	for name, made := range s {
		if table, ok := strings.CutPrefix(name, "wall of "); ok {
			out[table] = made
		}
	}
	return out
}

// indexes are its keys and indexes.
func (s shape) indexes() shape {
	out := maps.Clone(s)
	maps.DeleteFunc(out, func(name, _ string) bool { return strings.HasPrefix(name, "wall of ") })
	return out
}

// Keys and indexes, each with the statement that makes it. What belongs to a month of a
// log came with the whole, and cannot go without it.
const (
	postgresIndexes = `
	SELECT i.relname::text,
	       COALESCE('ALTER TABLE ' || t.relname || ' ADD CONSTRAINT ' || i.relname || ' ' || pg_get_constraintdef(k.oid, true),
	                replace(pg_get_indexdef(x.indexrelid, 0, true), ' ON ONLY ', ' ON '))
	FROM pg_index AS x
	JOIN pg_class AS i ON i.oid = x.indexrelid
	JOIN pg_class AS t ON t.oid = x.indrelid
	LEFT JOIN pg_constraint AS k ON k.conindid = x.indexrelid AND k.conrelid = x.indrelid AND k.contype IN ('p', 'u', 'x')
	WHERE t.relnamespace = to_regnamespace(quote_ident(current_schema())) AND t.relkind IN ('r', 'p') AND NOT t.relispartition`

	sqliteIndexes = `
	SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL
	UNION ALL
	SELECT 'key of ' || name, 'PRIMARY KEY (' || columns || ')'
	FROM (SELECT t.name, (SELECT group_concat(c.name, ', ' ORDER BY c.pk) FROM pragma_table_info(t.name) AS c WHERE c.pk > 0) AS columns
	      FROM sqlite_master AS t WHERE t.type = 'table') AS keyed
	WHERE columns IS NOT NULL
	UNION ALL
	SELECT 'unique (' || columns || ') of ' || name, 'UNIQUE (' || columns || ')'
	FROM (SELECT t.name, (SELECT group_concat(c.name, ', ' ORDER BY c.seqno) FROM pragma_index_info(l.name) AS c) AS columns
	      FROM sqlite_master AS t, pragma_index_list(t.name) AS l WHERE t.type = 'table' AND l.origin = 'u') AS uniques`
)

// readIndexes reads the keys and indexes that are there.
func (db *DB) readIndexes(ctx context.Context, t tx) (shape, error) {
	query := sqliteIndexes
	if db.d.name == "postgres" {
		query = postgresIndexes
	}
	out := shape{}
	err := each(ctx, t, func(r row) error {
		var name, made string
		err := r.Scan(&name, &made)
		out[name] = strings.Join(strings.Fields(made), " ")
		return err
	}, query)
	return out, err
}

// inspectIndexes compares the keys and indexes with those that the migrations make.
// Others besides them are whoever's made them.
func (db *DB) inspectIndexes(ctx context.Context, t tx) (Check, error) {
	want, err := db.d.shapeOf()
	if err != nil {
		return Check{}, err
	}
	version, err := schemaOf(ctx, t)
	if err != nil {
		return Check{}, err
	}
	if newest, err := db.Newest(); err != nil || version != newest {
		return Check{Says: "not compared: they are those of another Bureau"}, err
	}
	want = want.indexes()
	have, err := db.readIndexes(ctx, t)
	c := Check{Says: fmt.Sprintf("all %d are there, keys among them, as the migrations make them", len(want))}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch made, ok := have[name]; {
		case !ok:
			c.Wrong = append(c.Wrong, fmt.Sprintf("%s is missing; it is made by: %s", name, want[name]))
		case made != want[name]:
			c.Wrong = append(c.Wrong, fmt.Sprintf("%s is another than ours: drop it, and make it by: %s (it is: %s)", name, want[name], made))
		}
	}
	return c, err
}
