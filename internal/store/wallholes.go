package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A walled is a table as the wall has it.
type walled struct {
	on       bool              // row-level security is
	policies map[string]string // by name, as CREATE POLICY has it behind the table
}

// readWalls reads how each table is walled that has a policy, or had security put on.
const readWalls = `
	SELECT c.relname::text, c.relrowsecurity, COALESCE(p.polname::text, ''),
	       COALESCE(
	           CASE WHEN p.polpermissive THEN '' ELSE 'AS RESTRICTIVE ' END ||
	           CASE WHEN p.polcmd = '*' THEN '' ELSE 'FOR ' || p.polcmd::text || ' ' END ||
	           CASE WHEN p.polroles = '{0}' THEN '' ELSE 'TO ' || array_to_string(p.polroles::regrole[], ', ') || ' ' END ||
	           'USING (' || COALESCE(pg_get_expr(p.polqual, p.polrelid, true), '') || ')' ||
	           COALESCE(' WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid, true) || ')', ''), '')
	FROM pg_class AS c
	LEFT JOIN pg_policy AS p ON p.polrelid = c.oid
	WHERE c.relnamespace = to_regnamespace(quote_ident(current_schema())) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
	  AND (c.relrowsecurity OR p.oid IS NOT NULL)`

func (db *DB) walls(ctx context.Context, t tx) (map[string]walled, error) {
	out := map[string]walled{}
	err := each(ctx, t, func(r row) error {
		var table, policy, made string
		var on bool
		if err := r.Scan(&table, &on, &policy, &made); err != nil {
			return err
		}
		if _, ok := out[table]; !ok {
			out[table] = walled{on, map[string]string{}}
		}
		if policy != "" {
			out[table].policies[policy] = strings.Join(strings.Fields(made), " ")
		}
		return nil
	}, readWalls)
	return out, err
}

// WallHoles says where the wall is not as the migrations make it, and what puts it
// right: tables without row-level security, or with other policies than theirs. It is
// for a database with this Bureau's schema; one without a wall has no holes.
func (db *DB) WallHoles(ctx context.Context) (out []string, err error) {
	if db.d.name != "postgres" {
		return nil, nil
	}
	want, err := db.d.shapeOf()
	if err != nil {
		return nil, err
	}
	have, err := db.walls(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("look at the policies: %w", err)
	}
	want = want.walls()
	for _, table := range slices.Sorted(maps.Keys(want)) {
		out = append(out, have[table].holes(table, want[table])...)
	}
	return out, nil
}

// wallPolicy is what the migrations call the policy of a table.
const wallPolicy = "wall"

func (w walled) holes(table, want string) (out []string) {
	if !w.on {
		out = append(out, fmt.Sprintf("row-level security is off on %s, whose rows it must hold apart: ALTER TABLE %s ENABLE ROW LEVEL SECURITY", table, table))
	}
	for _, name := range slices.Sorted(maps.Keys(w.policies)) {
		if name != wallPolicy {
			out = append(out, fmt.Sprintf("%s has a policy %s that is not ours, by which other rows may be seen: DROP POLICY %s ON %s", table, name, name, table))
		}
	}
	switch made, ok := w.policies[wallPolicy]; {
	case !ok:
		out = append(out, fmt.Sprintf("%s lacks its policy: CREATE POLICY %s ON %s %s", table, wallPolicy, table, want))
	case made != want:
		out = append(out, fmt.Sprintf("the policy of %s is another than ours, %s: DROP POLICY %s ON %s; CREATE POLICY %s ON %s %s",
			table, made, wallPolicy, table, wallPolicy, table, want))
	}
	return out
}
