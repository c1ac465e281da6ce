package monitor

import (
	"context"
	"fmt"
	"time"
)

// Troubles tells the operator by mail what needs a look: once when it begins,
// once a day while it lasts, and once when it is over, whichever node notices.
type Troubles struct {
	Store TroubleStore
	Write func(TroubleNews) (Mail, error)
	Now   func() time.Time
}

// TroubleStore keeps what the operator was told.
type TroubleStore interface {
	// Trouble returns what is known of a trouble; of one that never was, its
	// name alone.
	Trouble(ctx context.Context, name string) (Trouble, error)

	// EditTrouble changes it and keeps mails, in one transaction. Nobody else
	// changes it meanwhile.
	EditTrouble(ctx context.Context, name string, edit func(*Trouble) ([]Mail, error)) error
}

// A Trouble is something that may be wrong, and whether it is.
type Trouble struct {
	Name  string
	On    bool
	Told  bool      // since it is on
	Since time.Time // when it began
	Day   int64     // on which it was told last
}

// TroubleNews is what the operator is told.
type TroubleNews struct {
	Key   string
	Name  string
	Over  bool
	Since time.Time
	About string // in a sentence
}

// troubleDay is the day of a time, in UTC.
func troubleDay(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

// see notes whether the trouble is there, and reports whether to tell that it is,
// or that it is over. One that comes and goes is told once a day, and its end
// only if its beginning was.
func (t *Trouble) see(on bool, now time.Time) (tell bool) {
	switch {
	case on && !t.On:
		t.On, t.Told, t.Since = true, false, now
	case !on && t.On:
		tell = t.Told
		t.On, t.Told = false, false
		return tell
	}
	if on && t.Day < troubleDay(now) {
		t.Day, t.Told = troubleDay(now), true
		return true
	}
	return false
}

// See says whether a trouble is there, and what it is.
func (s *Troubles) See(ctx context.Context, name string, on bool, about string) error {
	now := s.Now()
	known, err := s.Store.Trouble(ctx, name)
	if err != nil {
		return err
	}
	before := known
	if known.see(on, now); known == before {
		return nil // as it nearly always is, and nobody need wait for us
	}
	return s.Store.EditTrouble(ctx, name, func(t *Trouble) ([]Mail, error) {
		since := t.Since
		if !t.see(on, now) {
			return nil, nil
		}
		n := TroubleNews{Name: name, About: about, Since: t.Since, Key: fmt.Sprintf("trouble %s %d", name, t.Day)}
		if !on {
			n.Over, n.Since, n.Key = true, since, fmt.Sprintf("over %s %d", name, since.UnixMilli())
		}
		m, err := s.Write(n)
		return []Mail{m}, err
	})
}
