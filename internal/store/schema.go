package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// versionTable says which migrations ran. A backup keeps its number only.
const versionTable = "schema_version"

// A table is what a backup needs to know of one. It is asked of the database,
// so that no table can be forgotten.
type table struct {
	name    string
	columns []string
	key     []string // of the primary key, in its order
	kinds   map[string]kind
}

// spreadKeys are the tables whose key on PostgreSQL ends with the column that they are
// spread by over several machines. What stands before it says which row is meant.
var spreadKeys = []string{
	"bank_match", "bank_verification", "consumer_letter", "delivery", "document", "event_total", "identity_search",
	"kyc_batch", "kyc_batch_row", "kyc_decision", "kyc_hit", "kyc_note", "kyc_profile", "kyc_profile_search",
	"kyc_report", "kyc_schedule", "kyc_search", "kyc_watch", "member", "portfolio", "portfolio_share", "statement",
}

// numberOf is the number in the key of a log, which says what the rest does.
func numberOf(key []string) []string {
	return slices.DeleteFunc(slices.Clone(key), func(c string) bool { return c != "number" && c != "id" })
}

// A kind is what a column holds, in words that the engines share.
type kind string

const (
	number kind = "number"
	words  kind = "text"
	blob   kind = "bytes"
)

var kinds = map[string]kind{
	"bigint": number, "integer": number, // schema_version says BIGINT on both
	"text":  words,
	"bytea": blob, "blob": blob,
}

// tables lists the tables of the schema, each after those that it refers to and
// otherwise by name: the order in which they can be filled.
func (db *DB) tables(ctx context.Context, t tx) ([]table, error) {
	var all []table
	places := map[string]map[int64]string{}
	err := each(ctx, t, func(r row) error {
		var in, column, is string
		var place int64
		if err := r.Scan(&in, &column, &is, &place); err != nil {
			return err
		}
		if len(all) == 0 || all[len(all)-1].name != in {
			all = append(all, table{name: in, kinds: map[string]kind{}})
			places[in] = map[int64]string{}
		}
		last := &all[len(all)-1]
		last.columns = append(last.columns, column)
		if last.kinds[column] = kinds[is]; last.kinds[column] == "" {
			last.kinds[column] = kind(is)
		}
		if place > 0 {
			places[in][place] = column
		}
		return nil
	}, db.d.columns)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	for i := range all {
		for place := range len(places[all[i].name]) {
			all[i].key = append(all[i].key, places[all[i].name][int64(place+1)])
		}
		switch name, key := all[i].name, all[i].key; {
		case slices.Contains(monthly, name):
			all[i].key = numberOf(key) // PostgreSQL wants the month in it, which its number says already
		case db.d.name == "postgres" && slices.Contains(spreadKeys, name):
			all[i].key = key[:len(key)-1]
		}
	}
	refers := map[string][]string{}
	err = each(ctx, t, func(r row) error {
		var from, to string
		err := r.Scan(&from, &to)
		refers[from] = append(refers[from], to)
		return err
	}, db.d.references)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	return inOrder(all, refers)
}

// inOrder sorts tables so that none comes before one that it refers to. Tables
// that refer to each other cannot be filled one after the other.
func inOrder(all []table, refers map[string][]string) ([]table, error) {
	var sorted []table
	done := map[string]bool{}
	for len(sorted) < len(all) {
		before := len(sorted)
		for _, t := range all {
			if !done[t.name] && !slices.ContainsFunc(refers[t.name], func(to string) bool { return !done[to] }) {
				sorted, done[t.name] = append(sorted, t), true
			}
		}
		if len(sorted) == before {
			return nil, errors.New("read the schema: some tables refer to each other, or one to itself, and cannot be restored")
		}
	}
	return sorted, nil
}

// query reads every row, in the order of the primary key. Text is sorted by its
// bytes, so that both engines return the same order.
func (t table) query(d dialect) (string, error) {
	if len(t.key) == 0 {
		return "", fmt.Errorf("table %s has no primary key, so its rows have no order", t.name)
	}
	for _, c := range t.columns {
		if k := t.kinds[c]; k != number && k != words && k != blob {
			return "", fmt.Errorf("column %s of table %s is of the type %s, which a backup cannot hold", c, t.name, k)
		}
	}
	var by []string
	for _, c := range t.key {
		if t.kinds[c] == words {
			c += d.byteOrder
		}
		by = append(by, c)
	}
	return fmt.Sprintf("SELECT %s FROM %s ORDER BY %s", strings.Join(t.columns, ", "), t.name, strings.Join(by, ", ")), nil
}

// fits reports what keeps a row of a backup from being one of the table's.
func (t table) fits(row []any) error {
	if len(row) != len(t.columns) {
		return fmt.Errorf("it has %d values, want %d", len(row), len(t.columns))
	}
	for i, v := range row {
		want := t.kinds[t.columns[i]]
		is := want
		switch v.(type) {
		case int64:
			is = number
		case string:
			is = words
		case []byte:
			is = blob
		}
		if is != want {
			return fmt.Errorf("column %s holds %s, want %s", t.columns[i], is, want)
		}
	}
	return nil
}
