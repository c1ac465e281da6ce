package company

import (
	"strconv"
	"strings"
)

// PastRating is what a company's rating was before its last change, and when
// that was. ok is false where it never was another.
func (r *Report) PastRating() (was Score, changed Date, ok bool) {
	if r.Score == nil {
		return Score{}, "", false
	}
	was = Score{Value: r.Score.Value, Band: r.Score.Band, Limit: r.Score.Limit}
	for i, c := range r.History {
		if c.Field != ScoreValue && c.Field != ScoreBand && c.Field != ScoreLimit {
			continue
		}
		// Changes of one moment belong together.
		for _, o := range r.History[i:] {
			if !o.At.Equal(c.At) {
				break
			}
			ok = was.back(o) || ok
		}
		return was, Date(c.At.Format("2006-01-02")), ok
	}
	return Score{}, "", false
}

// back takes a change of a score back. It reports whether there was a score
// before.
func (s *Score) back(c Change) bool {
	switch c.Field {
	case ScoreValue:
		n, err := strconv.Atoi(c.Old)
		if err != nil {
			return false
		}
		s.Value = n
	case ScoreBand:
		s.Band = c.Old
	case ScoreLimit:
		s.Limit, _ = ParseMoney(c.Old)
	default:
		return false
	}
	return c.Old != ""
}

// ParseMoney reads an amount as changes tell it: "1200.00 EUR".
func ParseMoney(s string) (Money, bool) {
	amount, currency, ok := strings.Cut(s, " ")
	if !ok || len(currency) != 3 {
		return Money{}, false
	}
	minor, err := strconv.ParseInt(strings.Replace(amount, ".", "", 1), 10, 64)
	if err != nil || !strings.Contains(amount, ".") {
		return Money{}, false
	}
	return Money{Minor: minor, Currency: currency}, true
}
