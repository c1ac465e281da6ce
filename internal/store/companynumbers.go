package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// CompanyNumbers implements national.NumberStore.
func (db *DB) CompanyNumbers(ctx context.Context, ids []company.ID) (out map[company.ID]int64, err error) {
	read := func(t tx) error {
		out = make(map[company.ID]int64, len(ids))
		return pick(ctx, db, t, func(r row) error {
			var id string
			var n int64
			err := r.Scan(&id, &n)
			out[company.ID(id)] = n
			return err
		}, `SELECT company, number FROM company_number WHERE company = $1`, `SELECT company, number FROM company_number WHERE company = ANY($1)`, texts(ids))
	}
	if err := read(db); err != nil {
		return nil, fmt.Errorf("read the numbers of companies: %w", err)
	}
	missing := false
	for _, id := range ids {
		missing = missing || out[id] == 0
	}
	if !missing {
		return out, nil
	}
	err = db.write(ctx, func(t tx) error {
		if err := db.lockConsumers(ctx, t); err != nil {
			return err
		}
		for _, id := range ids {
			_, err := t.Exec(ctx, `
				INSERT INTO company_number (number, company)
				VALUES ((SELECT COALESCE(MAX(number), 10000) + 1 FROM company_number), $1)
				ON CONFLICT DO NOTHING`, string(id))
			if err != nil {
				return err
			}
		}
		return read(t)
	})
	if err != nil {
		return nil, fmt.Errorf("number companies: %w", err)
	}
	return out, nil
}

// NumberedCompany implements national.NumberStore.
func (db *DB) NumberedCompany(ctx context.Context, number int64) (company.ID, error) {
	var id string
	err := db.QueryRow(ctx, `SELECT company FROM company_number WHERE number = $1`, number).Scan(&id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", fault.Missing.Errorf("Company not found")
	case err != nil:
		return "", fmt.Errorf("find a company by its number: %w", err)
	}
	return company.ID(id), nil
}
