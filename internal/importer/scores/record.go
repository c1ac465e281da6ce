package scores

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"bureau/internal/company"
)

// statement is what a record says, or what is wrong with it.
func (r *record) statement() (s company.Statement, err error) {
	if s, err = r.who(); err != nil || r.Gone {
		s.Gone = r.Gone
		return s, err
	}
	score := company.Score{Band: strings.ToUpper(r.Band), Reasons: r.Reasons}
	if r.Score == "" {
		return s, errors.New("score: it is missing")
	}
	if score.Value, err = strconv.Atoi(r.Score.String()); err != nil || score.Value < 0 || score.Value > 100 {
		return s, fmt.Errorf("score: %q is not a whole number from 0 to 100", r.Score)
	}
	switch {
	case score.Band == "":
		score.Band = company.BandOf(score.Value)
	case len(score.Band) != 1 || score.Band < "A" || score.Band > "E":
		return s, fmt.Errorf("band: %q is not one of A to E", r.Band)
	}
	if score.Limit, err = r.limit(); err != nil {
		return s, err
	}
	if r.Date != "" {
		if _, err := time.Parse(time.DateOnly, r.Date); err != nil {
			return s, fmt.Errorf("date: %q is no day: write it as 2006-01-02", r.Date)
		}
		score.At = company.Date(r.Date)
	}
	s.Facts.Score = &score
	return s, nil
}

// who tells which company a record is about.
func (r *record) who() (s company.Statement, err error) {
	switch {
	case r.ID != "":
		id, err := company.ParseID(r.ID)
		if err != nil {
			return s, fmt.Errorf("id: %w", err)
		}
		s.Country, s.Number = id.Country(), id.Number()
	case r.Number != "" && r.Country == "":
		return s, errors.New("country: it is missing beside the number")
	case r.Number != "":
		s.Country, s.Number = strings.ToUpper(r.Country), r.Number
	case r.LEI != "":
		s.LEI = strings.ToUpper(r.LEI)
	default:
		return s, errors.New("id: the record names no company: give id, or country and number, or lei")
	}
	return s, s.Check()
}

// limit reads an amount in whole units, with cents if need be.
func (r *record) limit() (company.Money, error) {
	if r.Limit == "" {
		return company.Money{}, nil
	}
	amount, ok := new(big.Rat).SetString(r.Limit.String())
	if !ok || amount.Sign() < 0 || strings.ContainsAny(r.Limit.String(), "/eExXpP_") {
		return company.Money{}, fmt.Errorf("limit: %q is not an amount", r.Limit)
	}
	minor := amount.Mul(amount, big.NewRat(100, 1))
	if !minor.IsInt() || minor.Num().Cmp(big.NewInt(math.MaxInt64/1000)) > 0 {
		return company.Money{}, fmt.Errorf("limit: %q has more than two decimals, or is too large", r.Limit)
	}
	currency := strings.ToUpper(r.Currency)
	if len(currency) != 3 || strings.Trim(currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return company.Money{}, fmt.Errorf("currency: %q is none: a limit needs one, such as EUR", r.Currency)
	}
	return company.Money{Minor: minor.Num().Int64(), Currency: currency}, nil
}
