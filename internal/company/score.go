package company

import (
	"slices"
	"strconv"
	"strings"
)

// Around is what the scorecard looks at beyond a company's own facts.
type Around struct {
	Parent ParentState
	Failed int // other companies of its directors that failed
}

// ParentState says how a company's parent stands.
type ParentState int

const (
	NoParent ParentState = iota // none that we know
	ParentSound
	ParentFails
)

// Rate works out the score of a company on a day. ok is false where too little
// is known to say anything. At is left to whoever knows what the score was
// before.
func Rate(f Facts, around Around, today Date) (score Score, ok bool) {
	return rate(newSubject(f, around, today), ceilings)
}

func rate(s *subject, over []ceiling) (score Score, ok bool) {
	held := slices.ContainsFunc(over, func(c ceiling) bool { return c.under(s) })
	if !held && !s.enough() {
		return Score{}, false
	}
	score = Score{Value: startPoints, Points: []Point{{Rule: startRule, Points: startPoints}}}
	add := func(rule string, points int, value string) {
		if points != 0 {
			score.Value += points
			score.Points = append(score.Points, Point{rule, points, value})
		}
	}
	for i := range scorecard {
		f := &scorecard[i]
		points, value := f.points(s)
		add(f.rule, points, value)
	}
	add(limitRule, min(max(score.Value, 1), 100)-score.Value, "")
	for _, c := range over {
		if c.under(s) {
			add(c.rule, min(0, c.most-score.Value), "")
		}
	}
	score.Band = BandOf(score.Value)
	if score.Limit = s.limit(score.Band); held {
		score.Limit.Minor = 0
	}
	score.Next = s.next()
	return score, true
}

// points are what a factor is worth, and what was measured.
func (f *factor) points(s *subject) (points int, value string) {
	v, ok := f.measure(s)
	if !ok {
		return f.unknown, ""
	}
	i := slices.IndexFunc(f.steps, func(s step) bool { return v < s.below })
	return f.steps[i].points, figure(v, f.digits)
}

// figure writes a number to so many digits. What would be written as nought and
// is less gets one digit more: a loss of 0.4 % is a loss.
func figure(v float64, digits int) string {
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if !isNought(text) || v >= 0 {
		return text
	}
	if finer := strconv.FormatFloat(v, 'f', digits+1, 64); !isNought(finer) {
		return finer
	}
	return strings.TrimPrefix(text, "-")
}

func isNought(figure string) bool { return strings.Trim(figure, "-0.") == "" }

// same reports whether two scores come to the same for whoever reads them.
func (s *Score) same(o *Score) bool {
	return s != nil && o != nil && s.Value == o.Value && s.Band == o.Band && s.Limit == o.Limit
}

// limit is how much credit a supplier may give, rounded down to two digits: a
// limit that moves with every penny of the figures is news to nobody.
func (s *subject) limit(band string) Money {
	var base int64
	currency := ""
	least := func(item string, share int64) {
		v, ok := s.item(item)
		if !ok {
			return
		}
		v = v / 100 * share
		if currency == "" || v < base {
			base, currency = v, s.accounts.Currency
		}
	}
	if s.accounts != nil {
		if _, ok := s.item(Equity); ok {
			least(Equity, shareOfEquity)
		} else {
			least(NetAssets, shareOfEquity)
		}
		least(Turnover, shareOfTurnover)
	}
	if currency == "" && s.Capital.Minor > 0 {
		base, currency = s.Capital.Minor/100*shareOfCapital, s.Capital.Currency
	}
	if currency == "" {
		return Money{}
	}
	return Money{Minor: twoDigits(max(0, base) / 10000 * shareOfBand[band]), Currency: currency}
}

// twoDigits makes of hundreds of minor units, that is whole units, an amount of
// which only the first two digits are not nought.
func twoDigits(units int64) int64 {
	scale := int64(1)
	for units >= 100 {
		units /= 10
		scale *= 10
	}
	return units * scale * 100
}

// rated is the score that our own scorecard gave.
func (h *Held) rated() *Score {
	for i := range h.Said {
		if h.Said[i].Source == Scorecard {
			return h.Said[i].Facts.Score
		}
	}
	return nil
}

// onlyRated reports whether nothing is said of a company but its score.
func (h *Held) onlyRated() bool {
	return len(h.Said) == 1 && h.Said[0].Source == Scorecard
}

// suppresses reports whether the operator keeps a field from being shown.
func (h *Held) suppresses(field string) bool {
	return slices.ContainsFunc(h.Said, func(s Said) bool { return slices.Contains(s.Facts.Suppressed, field) })
}
