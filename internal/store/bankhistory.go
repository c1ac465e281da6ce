package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/bank"
	"bureau/internal/fault"
)

// told is the part of a verification that is only ever read whole.
type told struct {
	Secondary string      `json:"secondary,omitempty"`
	SortCode  uint32      `json:"sortCode"`
	Masked    string      `json:"masked"`
	Payee     bank.Payee  `json:"payee"`
	Branch    bank.Branch `json:"branch,omitzero"`
}

// AddBankVerification implements bank.Store.
func (db *DB) AddBankVerification(ctx context.Context, by auth.Caller, v bank.Verification) error {
	answer, err := json.Marshal(told{v.Secondary, uint32(v.SortCode), v.Masked, v.Payee, v.Branch})
	if err != nil {
		return fmt.Errorf("write a verification: %w", err)
	}
	err = db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `
			INSERT INTO bank_verification (id, customer, account, at, name, sought, type, reference, match, fingerprint, answer)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			v.ID, by.Customer, by.Account, stamp{&v.At}, v.Name, bank.Sought(v.Name), string(v.Type), v.Reference, string(v.Payee.Match), v.Fingerprint, string(answer))
		return err
	})
	if err != nil {
		return fmt.Errorf("add a verification: %w", err)
	}
	return nil
}

// literally takes their meaning from the characters that LIKE would read.
var literally = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

const verificationColumns = `id, account, at, name, type, reference, fingerprint, answer`

func readVerification(r row) (v bank.Verification, err error) {
	var answer string
	if err := r.Scan(&v.ID, &v.Account, stamp{&v.At}, &v.Name, &v.Type, &v.Reference, &v.Fingerprint, &answer); err != nil {
		return v, err
	}
	var rest told
	if err := json.Unmarshal([]byte(answer), &rest); err != nil {
		return v, fmt.Errorf("read a verification: %w", err)
	}
	v.Secondary, v.SortCode, v.Masked = rest.Secondary, bank.SortCode(rest.SortCode), rest.Masked
	v.Payee, v.Branch = rest.Payee, rest.Branch
	v.Branch.SortCode = v.SortCode
	return v, nil
}

// verificationError says what a database error means.
func verificationError(doing string, err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.Missing.Errorf("Verification not found")
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// BankVerification implements bank.Store.
func (db *DB) BankVerification(ctx context.Context, by auth.Caller, id string) (bank.Verification, error) {
	v, err := readVerification(db.QueryRow(ctx, `
		SELECT `+verificationColumns+` FROM bank_verification
		WHERE customer = $1 AND id = $2`, by.Customer, id))
	if err != nil {
		return bank.Verification{}, verificationError("find a verification", err)
	}
	return v, nil
}

// UpdateBankVerification implements bank.Store.
func (db *DB) UpdateBankVerification(ctx context.Context, by auth.Caller, id string, edit func(*bank.Verification) error) (v bank.Verification, err error) {
	err = db.write(ctx, func(t tx) error {
		v, err = readVerification(t.QueryRow(ctx, `
			SELECT `+verificationColumns+` FROM bank_verification
			WHERE customer = $1 AND id = $2 `+db.d.forUpdate, by.Customer, id))
		if err != nil {
			return err
		}
		if err := edit(&v); err != nil {
			return err
		}
		_, err = t.Exec(ctx, `UPDATE bank_verification SET reference = $3 WHERE customer = $1 AND id = $2`, by.Customer, id, v.Reference)
		return err
	})
	if err != nil {
		return bank.Verification{}, verificationError("change a verification", err)
	}
	return v, nil
}

// BankVerifications implements bank.Store.
func (db *DB) BankVerifications(ctx context.Context, by auth.Caller, q bank.VerificationQuery) ([]bank.Verification, error) {
	mine := auth.AccountID(0)
	if q.Mine {
		mine = by.Account
	}
	// PostgreSQL takes the type of a value from where it stands first: beside the
	// column.
	var out []bank.Verification
	err := each(ctx, db, func(r row) error {
		v, err := readVerification(r)
		out = append(out, v)
		return err
	}, `
		SELECT `+verificationColumns+` FROM bank_verification
		WHERE customer = $1
		  AND (account = $2 OR $2 = 0)
		  AND ($3 = '' OR sought LIKE '%' || $3 || '%' ESCAPE '\')
		  AND ($4 = '' OR match = $4)
		  AND (at >= $5 OR $5 = 0)
		  AND (at < $6 OR $6 = 0)
		  AND ($7 = '' OR type = $7)
		  AND ($8 = '' OR reference = $8)
		  AND ($9 = '' OR (at, id) < (SELECT at, id FROM bank_verification WHERE customer = $1 AND id = $9))
		ORDER BY at DESC, id DESC
		LIMIT $10 + 0`,
		by.Customer, mine, literally.Replace(bank.Sought(q.Name)), string(q.Match), stamp{&q.From}, stamp{&q.Until}, string(q.Type), q.Reference, q.After, q.Limit)
	if err != nil {
		return nil, fmt.Errorf("list verifications: %w", err)
	}
	return out, nil
}

// AddBankMatch implements bank.Store.
func (db *DB) AddBankMatch(ctx context.Context, by auth.Caller, m bank.Match) error {
	answer, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("write a match: %w", err)
	}
	err = db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `INSERT INTO bank_match (id, customer, account, at, answer) VALUES ($1, $2, $3, $4, $5)`,
			m.ID, by.Customer, by.Account, stamp{&m.At}, string(answer))
		return err
	})
	if err != nil {
		return fmt.Errorf("add a match: %w", err)
	}
	return nil
}

// BankMatch implements bank.Store.
func (db *DB) BankMatch(ctx context.Context, by auth.Caller, id string) (m bank.Match, err error) {
	var answer string
	var account auth.AccountID
	var at time.Time
	err = db.QueryRow(ctx, `SELECT account, at, answer FROM bank_match WHERE customer = $1 AND id = $2`, by.Customer, id).
		Scan(&account, stamp{&at}, &answer)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return m, fault.Missing.Errorf("Bank match not found")
	case err != nil:
		return m, fmt.Errorf("find a match: %w", err)
	}
	if err := json.Unmarshal([]byte(answer), &m); err != nil {
		return m, fmt.Errorf("read a match: %w", err)
	}
	m.ID, m.Account, m.At = id, account, at
	return m, nil
}
