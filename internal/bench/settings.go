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

	// Own is what users measure on machines of their own: fewer rows, little
	// data and all of it invented, the program that runs, and one engine.
	Own bool
	DB  string // a postgres:// URL of the server to make databases on; SQLite if empty

	Say func(text string) // is told how far it is
}

func (s Settings) window() time.Duration { return time.Duration(s.Seconds * float64(time.Second)) }

// part is how many of something there are: of all, in a small run, or on a
// user's own machine.
func (s Settings) part(whole, small, own int) int {
	switch {
	case s.Own:
		return own
	case s.Small:
		return small
	}
	return whole
}

// data is where publishers' real files lie. A user's machine is measured with
// what we invent, whatever lies beside it.
func (s Settings) data() corpus {
	if s.Own {
		return ""
	}
	return sharedData
}

// A Misuse is something that cannot be measured as it was asked for.
type Misuse struct{ error }

// Run measures every row that was asked for. A goal that was missed, and what
// was lost, is said in the report; only what could not be measured is an error, and
// the report then has what was measured before.
func Run(ctx context.Context, s Settings) (*Report, error) {
	all := rows()
	if s.Own {
		all = ownRows()
	}
	chosen := slices.DeleteFunc(slices.Clone(all), func(b row) bool { return !strings.HasPrefix(b.name, s.Only) })
	switch {
	case len(chosen) == 0:
		return nil, Misuse{fmt.Errorf("no row's name begins with %q: there are %s", s.Only, names(all))}
	case !slices.Contains([]string{"", sqlite, postgreSQL}, s.Engine):
		return nil, Misuse{fmt.Errorf("no engine is called %q: choose %s or %s", s.Engine, sqlite, postgreSQL)}
	case s.Rounds < 1 || s.Rounds > 100 || s.Seconds < 0.5 || s.Seconds > 60:
		return nil, Misuse{errors.New("choose between 1 and 100 rounds of half a second to a minute")}
	}
	return measure(ctx, s, chosen)
}

func names(list []row) string {
	var out []string
	for _, b := range list {
		out = append(out, b.name)
	}
	return strings.Join(out, ", ")
}
