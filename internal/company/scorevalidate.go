package company

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"bureau/internal/fault"
)

// A Trial is what somebody knows of a company: from which day on they watched
// it, and whether it defaulted after that.
type Trial struct {
	Company   ID
	From      Date
	Defaulted bool
}

// A Validation is how scores fared against what happened.
type Validation struct {
	Rows    int64 // that were given
	Unknown int64 // of companies that we do not hold
	Unrated int64 // of which too little was known on the day
	Rated   int64
	Bands   []BandResult
	AUC     float64 // only where there are some of both
	HasAUC  bool

	values [101][2]int64 // how many had a score, and did not default or did
}

// BandResult is how the companies of a band fared.
type BandResult struct {
	Band      string
	Companies int64
	Defaulted int64
}

// Validator holds scores against what happened.
type Validator struct {
	Store Store
	// Recorded takes scores as they stood in the log on the day, whoever gave
	// them, instead of working them out.
	Recorded bool

	result Validation
}

// Add takes one company in.
func (v *Validator) Add(ctx context.Context, t Trial) error {
	v.result.Rows++
	h, err := v.Store.Company(ctx, t.Company)
	if errors.Is(err, fault.Missing) {
		v.result.Unknown++
		return nil
	}
	if err != nil {
		return err
	}
	score, ok := asOf(h, t.From)
	if v.Recorded {
		if score, ok, err = v.recorded(ctx, h, t.From); err != nil {
			return err
		}
	}
	if !ok {
		v.result.Unrated++
		return nil
	}
	v.result.Rated++
	i := 0
	if t.Defaulted {
		i = 1
	}
	v.result.values[score.Value][i]++
	at := slices.IndexFunc(v.result.Bands, func(b BandResult) bool { return b.Band == score.Band })
	if at < 0 {
		at = len(v.result.Bands)
		v.result.Bands = append(v.result.Bands, BandResult{Band: score.Band})
	}
	v.result.Bands[at].Companies++
	v.result.Bands[at].Defaulted += int64(i)
	return nil
}

// Result is what came of all of them.
func (v *Validator) Result() Validation {
	out := v.result
	out.Bands = slices.Clone(out.Bands)
	slices.SortFunc(out.Bands, func(a, b BandResult) int { return cmp.Compare(a.Band, b.Band) })
	out.AUC, out.HasAUC = auc(out.values)
	return out
}

// auc is the share of pairs, one that defaulted and one that did not, in which
// the one that did has the lower score. An equal score is half a pair.
func auc(values [101][2]int64) (float64, bool) {
	var good, bad int64 // so far, with lower scores
	var wins float64
	for _, n := range values {
		wins += float64(n[0]) * (float64(bad) + float64(n[1])/2)
		good, bad = good+n[0], bad+n[1]
	}
	if good == 0 || bad == 0 {
		return 0, false
	}
	return wins / float64(good) / float64(bad), true
}

// publishMonths is how long after their end accounts count as known.
const publishMonths = 9

// asOf rates a company as it would have been on a day: from facts that are
// dated before it, and without the ceilings, which know the outcome.
func asOf(h Held, day Date) (Score, bool) {
	is := h.clone()
	is.drop(Scorecard, "")
	now := merge(is, nil)
	then, ok := day.from()
	if !ok {
		return Score{}, false
	}
	// What carries no date cannot be turned back, and is left out.
	f := Facts{Founded: now.Founded, Officers: now.Officers, Notices: now.Notices}
	for _, a := range now.Accounts {
		if end, ok := a.End.from(); ok && !end.AddDate(0, publishMonths, 0).After(then) {
			f.Accounts = append(f.Accounts, a)
		}
	}
	if f.Founded > day {
		f.Founded = ""
	}
	return rate(newSubject(f, Around{}, day), nil)
}

// recorded is the score as it stood at the end of a day. The log is read from
// its end: what a score was is told by the first change after that day.
func (v *Validator) recorded(ctx context.Context, h Held, day Date) (Score, bool, error) {
	now := Score{}
	held := merge(h, nil).Score
	ok := held != nil
	if ok {
		now = *held
	}
	end, _ := day.from()
	end = end.AddDate(0, 0, 1)
	for before := int64(0); ; {
		list, err := v.Store.ChangesOf(ctx, h.ID, before, 500)
		if err != nil {
			return Score{}, false, err
		}
		for _, c := range list {
			if c.At.Before(end) {
				return now, ok, nil
			}
			now, ok = undo(now, ok, c)
		}
		if len(list) < 500 {
			// The score was there from the start, if it is not younger.
			return now, ok && (now.At == "" || now.At <= day), nil
		}
		before = list[len(list)-1].Number
	}
}

// undo takes a change of a score back.
func undo(s Score, ok bool, c Change) (Score, bool) {
	switch c.Field {
	case ScoreValue:
		s.At = ""
		n, known := wholeNumber(c.Old)
		s.Value = n
		return s, known
	case ScoreBand:
		s.Band = c.Old
	case Added:
		return Score{}, false
	}
	return s, ok
}

func wholeNumber(s string) (n int, ok bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" || len(s) > 3 {
		return 0, false
	}
	for _, c := range s {
		n = n*10 + int(c-'0')
	}
	return n, n <= 100
}
