package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/identity"
)

const searchColumns = `id, account, at, service, consumer, reference, question, options, answer, revalidated`

// AddIdentitySearch implements identity.Store.
func (db *DB) AddIdentitySearch(ctx context.Context, by auth.Caller, s identity.Search) error {
	question, answer, err := writeSearch(s)
	if err != nil {
		return err
	}
	err = db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `
			INSERT INTO identity_search (id, customer, account, at, service, consumer, reason, products, result, sought, reference, question, options, answer, revalidated)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
			s.ID, by.Customer, by.Account, stamp{&s.At}, string(s.Service), string(s.Consumer), string(s.Question.Reason), productList(s.Question.Products),
			string(s.Answer.Result), s.Sought(), s.Question.Reference, question, list[identity.Option]{&s.Options}, answer, stamp{&s.Revalidated})
		return err
	})
	if err != nil {
		return fmt.Errorf("add an identity search: %w", err)
	}
	return nil
}

// productList is written so that one product can be looked for in it.
func productList(list []identity.Product) string {
	out := ","
	for _, p := range list {
		out += string(p) + ","
	}
	return out
}

func writeSearch(s identity.Search) (question, answer string, err error) {
	q, err := json.Marshal(s.Question)
	if err != nil {
		return "", "", fmt.Errorf("write an identity search: %w", err)
	}
	a, err := json.Marshal(s.Answer)
	if err != nil {
		return "", "", fmt.Errorf("write an identity search: %w", err)
	}
	return string(q), string(a), nil
}

func readSearch(r row) (s identity.Search, err error) {
	var question, answer, consumer, reference string
	err = r.Scan(&s.ID, &s.Account, stamp{&s.At}, &s.Service, &consumer, &reference, &question, list[identity.Option]{&s.Options}, &answer, stamp{&s.Revalidated})
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal([]byte(question), &s.Question); err != nil {
		return s, fmt.Errorf("read an identity search: %w", err)
	}
	if err := json.Unmarshal([]byte(answer), &s.Answer); err != nil {
		return s, fmt.Errorf("read an identity search: %w", err)
	}
	s.Consumer, s.Question.Reference = identity.ID(consumer), reference
	return s, nil
}

// searchError says what a database error means.
func searchError(doing string, err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.Missing.Errorf("Identity search not found")
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// IdentitySearch implements identity.Store.
func (db *DB) IdentitySearch(ctx context.Context, by auth.Caller, id string) (identity.Search, error) {
	s, err := readSearch(db.QueryRow(ctx, `
		SELECT `+searchColumns+` FROM identity_search
		WHERE customer = $1 AND id = $2`, by.Customer, id))
	if err != nil {
		return identity.Search{}, searchError("find an identity search", err)
	}
	return s, nil
}

// UpdateIdentitySearch implements identity.Store.
func (db *DB) UpdateIdentitySearch(ctx context.Context, by auth.Caller, id string, edit func(*identity.Search) error) (s identity.Search, err error) {
	err = db.write(ctx, func(t tx) error {
		s, err = readSearch(t.QueryRow(ctx, `
			SELECT `+searchColumns+` FROM identity_search
			WHERE customer = $1 AND id = $2 `+db.d.forUpdate, by.Customer, id))
		if err != nil {
			return err
		}
		if err := edit(&s); err != nil {
			return err
		}
		question, answer, err := writeSearch(s)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `
			UPDATE identity_search
			SET consumer = $3, result = $4, sought = $5, reference = $6, question = $7, options = $8, answer = $9, revalidated = $10
			WHERE customer = $1 AND id = $2`,
			by.Customer, id, string(s.Consumer), string(s.Answer.Result), s.Sought(), s.Question.Reference, question,
			list[identity.Option]{&s.Options}, answer, stamp{&s.Revalidated})
		return err
	})
	if err != nil {
		return identity.Search{}, searchError("change an identity search", err)
	}
	return s, nil
}

// IdentitySearches implements identity.Store.
func (db *DB) IdentitySearches(ctx context.Context, by auth.Caller, q identity.SearchQuery) (out []identity.Search, total int64, err error) {
	mine := by.Account
	if q.Whole {
		mine = 0
	}
	where := `
		FROM identity_search
		WHERE customer = $1
		  AND (account = $2 OR $2 = 0)
		  AND service = 'identity'
		  AND (at >= $3 OR $3 = 0)
		  AND (at < $4 OR $4 = 0)
		  AND ($5 = '' OR sought LIKE '%' || $5 || '%' ESCAPE '\')
		  AND ($6 = '' OR result = $6)`
	args := []any{by.Customer, mine, stamp{&q.From}, stamp{&q.Until}, literally.Replace(identity.Sought(q.Keyword)), string(q.Result)}
	if len(q.Products) > 0 {
		var any []string
		for _, p := range q.Products {
			args = append(args, "%,"+string(p)+",%")
			any = append(any, fmt.Sprintf("products LIKE $%d", len(args)))
		}
		where += ` AND (` + strings.Join(any, " OR ") + `)`
	}
	if err := db.QueryRow(ctx, `SELECT COUNT(*) `+where, args...).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("count identity searches: %w", err)
	}
	err = each(ctx, db, func(r row) error {
		s, err := readSearch(r)
		out = append(out, s)
		return err
	}, `SELECT `+searchColumns+where+fmt.Sprintf(` ORDER BY at DESC, id DESC LIMIT $%d + 0 OFFSET $%d + 0`, len(args)+1, len(args)+2),
		append(args, q.Limit, q.Skip)...)
	if err != nil {
		return nil, 0, fmt.Errorf("list identity searches: %w", err)
	}
	return out, total, nil
}

// SearchesOf implements identity.Store.
func (db *DB) SearchesOf(ctx context.Context, id identity.ID, since time.Time) ([]identity.Enquiry, error) {
	var out []identity.Enquiry
	err := each(ctx, db, func(r row) error {
		var e identity.Enquiry
		err := r.Scan(stamp{&e.At}, &e.Reason)
		out = append(out, e)
		return err
	}, `
		SELECT at, reason FROM identity_search
		WHERE consumer = $1 AND at >= $2
		ORDER BY at DESC, id`, string(id), stamp{&since})
	if err != nil {
		return nil, fmt.Errorf("read who asked about a consumer: %w", err)
	}
	return out, nil
}

// AddLetter implements identity.Store.
func (db *DB) AddLetter(ctx context.Context, l identity.Letter) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `
			INSERT INTO consumer_letter (id, consumer, at, customer, service, told)
			VALUES ($1, $2, $3, $4, $5, $6)`,
			rand.Text(), string(l.Consumer), stamp{&l.At}, int64(l.Customer), l.Service, l.Told)
		return err
	})
	if err != nil {
		return fmt.Errorf("add a letter: %w", err)
	}
	return nil
}

// LettersOf implements identity.Store.
func (db *DB) LettersOf(ctx context.Context, id identity.ID) ([]identity.Letter, error) {
	var out []identity.Letter
	err := each(ctx, db, func(r row) error {
		l := identity.Letter{Consumer: id}
		var customer int64
		err := r.Scan(stamp{&l.At}, &customer, &l.Service, &l.Told)
		l.Customer = auth.CustomerID(customer)
		out = append(out, l)
		return err
	}, `
		SELECT at, customer, service, told FROM consumer_letter
		WHERE consumer = $1
		ORDER BY at DESC, id`, string(id))
	if err != nil {
		return nil, fmt.Errorf("read the letters of a consumer: %w", err)
	}
	return out, nil
}
