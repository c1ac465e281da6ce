package bank

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"bureau/internal/company"
)

// Tables are the modulus tables in force today. Refresh looks for newer ones:
// another process may import them, and a version that was imported before its
// time comes into force at midnight.
type Tables struct {
	Store Store
	Now   func() time.Time

	mu    sync.Mutex // one refresh at a time
	state atomic.Pointer[inForce]
}

type inForce struct {
	number  int64
	on      company.Date
	modulus *Modulus
}

// Refresh loads the tables anew if there is a newer version, or another day.
// Checks go on with the old ones meanwhile.
func (t *Tables) Refresh(ctx context.Context) error {
	number, err := t.Store.ModulusVersion(ctx)
	if err != nil {
		return err
	}
	today := company.Date(t.Now().UTC().Format(time.DateOnly))
	if s := t.state.Load(); s != nil && s.number == number && s.on == today {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	stored, err := t.Store.ModulusTables(ctx, today)
	if err != nil {
		return err
	}
	m, err := compileTables(stored)
	if err != nil {
		return err
	}
	// The number was read before the rows: if they are of a newer version, the
	// next Refresh reads them once more.
	t.state.Store(&inForce{number, today, m})
	return nil
}

// InForce returns the compiled table. One that was never imported is empty.
func (t *Tables) InForce(ctx context.Context) (*Modulus, error) {
	s := t.state.Load()
	if s == nil {
		if err := t.Refresh(ctx); err != nil {
			return nil, err
		}
		s = t.state.Load()
	}
	return s.modulus, nil
}

// Check applies the table in force.
func (t *Tables) Check(ctx context.Context, acc GB) (State, Reason, error) {
	m, err := t.InForce(ctx)
	if err != nil {
		return Unknown, NoTable, err
	}
	s, why := m.Check(acc)
	return s, why, nil
}

func compileTables(stored []StoredTable) (*Modulus, error) {
	var rows []Row
	var subs []Substitution
	for _, s := range stored {
		var err error
		switch s.Kind {
		case WeightsTable:
			err = decode(s.Rows, &rows)
		case SubstitutionsTable:
			err = decode(s.Rows, &subs)
		}
		if err != nil {
			return nil, fmt.Errorf("modulus table %s of %s: %w", s.Kind, s.ValidFrom, err)
		}
	}
	return NewModulus(rows, subs)
}
