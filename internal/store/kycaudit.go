package store

import (
	"context"
	"fmt"
	"math"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

// deedFilter is the condition that the detail of an entry holds one of some
// values of a field. A deed is written without spaces, so its text can be looked
// at as it is.
func deedFilter[T ~string](args *[]any, field string, values []T) string {
	if len(values) == 0 {
		return ""
	}
	var any []string
	for _, v := range values {
		*args = append(*args, `%"`+field+`":"`+literally.Replace(string(v))+`"%`)
		any = append(any, fmt.Sprintf(`detail LIKE $%d ESCAPE '\'`, len(*args)))
	}
	return ` AND (` + strings.Join(any, " OR ") + `)`
}

// Deeds implements kyc.TrailStore.
func (db *DB) Deeds(ctx context.Context, by auth.Caller, q kyc.DeedQuery) (out []auth.Entry, total int64, err error) {
	if q.Before == 0 {
		q.Before = math.MaxInt64
	}
	// The actions are spelt out as in the index that is made for them, so that it
	// is used. What an older version wrote in other words is passed over.
	args := []any{int64(by.Customer), stamp{&q.From}, stamp{&q.Until}}
	where := `
		FROM audit
		WHERE customer = $1 AND action IN ('kyc', 'screened', 'search changed', 'hit decided', 'schedule changed')
		  AND detail LIKE '{"category":%'
		  AND (at >= $2 OR $2 = 0)
		  AND (at < $3 OR $3 = 0)`
	where += deedFilter(&args, "profileId", q.Profiles)
	where += deedFilter(&args, "searchId", q.Searches)
	where += deedFilter(&args, "category", q.Categories)
	where += deedFilter(&args, "subcategory", q.Subcategories)
	where += deedFilter(&args, "action", q.Actions)
	where += deedFilter(&args, "to", q.To)
	if len(q.Accounts) > 0 {
		var any []string
		for _, a := range q.Accounts {
			args = append(args, int64(a))
			any = append(any, fmt.Sprintf("account = $%d", len(args)))
		}
		where += ` AND (` + strings.Join(any, " OR ") + `)`
	}
	way := "DESC"
	if q.Up {
		way = "ASC"
	}
	err = db.snapshot(ctx, func(t tx) error {
		if err := t.QueryRow(ctx, `SELECT COUNT(*) `+where, args...).Scan(&total); err != nil {
			return err
		}
		return each(ctx, t, func(r row) error {
			var e auth.Entry
			err := r.Scan(&e.Number, stamp{&e.At}, &e.Action, &e.Customer, &e.Account, &e.Person, &e.Source, &e.Detail, sum{&e.Sum})
			out = append(out, e)
			return err
		}, `SELECT number, at, action, customer, account, person, source, detail, sum`+where+
			fmt.Sprintf(` AND number < $%d ORDER BY number %s LIMIT $%d + 0 OFFSET $%d + 0`, len(args)+1, way, len(args)+2, len(args)+3),
			append(args, q.Before, q.Limit, q.Skip)...)
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list what was done: %w", err)
	}
	return out, total, nil
}
