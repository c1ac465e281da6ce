package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Settings are what is measured, how long and how often.
type Settings struct {
	Only    string // the rows whose name begins so
	Engine  string // SQLite or PostgreSQL; both if empty
	Rounds  int
	Seconds float64 // of one measurement
	Small   bool    // a hundredth of monitoring's data
}

func (s Settings) window() time.Duration { return time.Duration(s.Seconds * float64(time.Second)) }

// Run measures every row that was asked for. A goal that was missed is said in
// the report; only what could not be measured is an error.
func Run(ctx context.Context, s Settings) (*Report, error) {
	chosen := slices.DeleteFunc(rows(), func(b row) bool { return !strings.HasPrefix(b.name, s.Only) })
	switch {
	case len(chosen) == 0:
		return nil, fmt.Errorf("no row's name begins with %q", s.Only)
	case !slices.Contains([]string{"", sqlite, postgreSQL}, s.Engine):
		return nil, fmt.Errorf("no engine is called %q: choose %s or %s", s.Engine, sqlite, postgreSQL)
	case s.Rounds < 1 || s.Rounds > 100 || s.Seconds < 0.5 || s.Seconds > 60:
		return nil, errors.New("between 1 and 100 rounds of half a second to a minute")
	}
	return measure(ctx, s, chosen)
}
