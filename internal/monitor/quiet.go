package monitor

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// A Quiet keeps some of a portfolio's events from being made. A silence does so
// until a day; a window tells a value that goes to and fro once. Like a rule's
// setting it is about the changes with numbers above Since, up to Ended.
type Quiet struct {
	ID        int64
	Portfolio PortfolioID
	Company   company.ID // "": all
	Rule      int        // 0: all
	Until     time.Time  // of a silence: what happens before is not told
	Hours     int        // of a window: how long a value is remembered
	Note      string
	By        auth.AccountID
	CreatedAt time.Time

	Since, Ended, Number int64
}

// maxQuietHours is the longest window.
const maxQuietHours = 31 * 24

// Check says what is wrong with a quiet.
func (q *Quiet) Check(now time.Time) error {
	q.Note = strings.TrimSpace(q.Note)
	var wrong []string
	switch {
	case q.Hours == 0 && q.Until.IsZero():
		wrong = append(wrong, "until: say until when, or give collapseHours")
	case q.Hours != 0 && !q.Until.IsZero():
		wrong = append(wrong, "collapseHours: a silence until a day, or a window of hours: not both")
	case q.Hours != 0 && (q.Hours < 1 || q.Hours > maxQuietHours):
		wrong = append(wrong, "collapseHours: from 1 to "+itoa(maxQuietHours))
	case q.Hours == 0 && !q.Until.After(now):
		wrong = append(wrong, "until: it is over already")
	case q.Until.After(now.AddDate(5, 0, 0)):
		wrong = append(wrong, "until: at most five years from now; switch the rule off instead")
	}
	if q.Rule != 0 && !slices.ContainsFunc(book, func(r *Rule) bool { return r.Code == q.Rule }) {
		wrong = append(wrong, "ruleCode: there is no rule "+itoa(q.Rule))
	}
	if utf8.RuneCountInString(q.Note) > 500 || !utf8.ValidString(q.Note) {
		wrong = append(wrong, "note: at most 500 characters")
	}
	if len(wrong) > 0 {
		return fault.Invalid.Details("the silence cannot be kept like this", wrong...)
	}
	return nil
}

// covers reports whether a quiet is about a change and a rule.
func (q *Quiet) covers(c *company.Change, rule int) bool {
	return q.Since < c.Number && c.Number <= q.Ended &&
		(q.Company == "" || q.Company == c.Company) && (q.Rule == 0 || q.Rule == rule) &&
		(q.Hours > 0 || c.At.Before(q.Until))
}

// QuietStore keeps silences and windows.
type QuietStore interface {
	// Quiets lists what is in force in a portfolio. A silence whose day is
	// over is not.
	Quiets(ctx context.Context, by auth.Caller, id PortfolioID) ([]Quiet, error)

	// AddQuiet begins one, for the changes that come after, and returns it
	// with its number. EndQuiet ends it. Both need Edit.
	AddQuiet(ctx context.Context, by auth.Caller, id PortfolioID, q Quiet) (Quiet, error)
	EndQuiet(ctx context.Context, by auth.Caller, id PortfolioID, quiet int64) error

	// QuietsEver lists also those that ended.
	QuietsEver(ctx context.Context, by auth.Caller, id PortfolioID) ([]Quiet, error)
}

// quiets are those of all portfolios, as the engine holds them.
type quiets struct {
	last int64
	of   map[PortfolioID][]*Quiet
}

// take takes over what changed since it was last asked.
func (s *quiets) take(list []Quiet) {
	if s.of == nil {
		s.of = map[PortfolioID][]*Quiet{}
	}
	for i := range list {
		n := &list[i]
		s.last = n.Number
		held := s.of[n.Portfolio]
		if i := slices.IndexFunc(held, func(h *Quiet) bool { return h.ID == n.ID }); i >= 0 {
			held[i] = n
		} else {
			s.of[n.Portfolio] = append(held, n)
		}
	}
}

// forget drops what ended before a change that every shard has left behind.
func (s *quiets) forget(passed int64) {
	for id, list := range s.of {
		list = slices.DeleteFunc(list, func(q *Quiet) bool { return q.Ended <= passed })
		if len(list) == 0 {
			delete(s.of, id)
		} else {
			s.of[id] = list
		}
	}
}

// quietFor returns the silence that covers a change, if there is one, and else the
// longest window.
func quietFor(list []*Quiet, c *company.Change, rule int) (silence *Quiet, window time.Duration) {
	for _, q := range list {
		if !q.covers(c, rule) {
			continue
		}
		if q.Hours == 0 {
			return q, 0
		}
		window = max(window, time.Duration(q.Hours)*time.Hour)
	}
	return nil, window
}

// flaps reports whether a change brings back a value that was there before,
// within a window. past is the company's earlier changes, the newest first.
func flaps(c *company.Change, past []company.Change, window time.Duration) bool {
	from := c.At.Add(-window)
	for i := range past {
		p := &past[i]
		if p.Field == c.Field && p.Item == c.Item && p.Number < c.Number && p.At.After(from) && (p.Old == c.New || p.New == c.New) {
			return true
		}
	}
	return false
}
