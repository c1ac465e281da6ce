package company

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A subject is a company on the day on which it is rated.
type subject struct {
	Facts
	around   Around
	today    time.Time
	accounts *Accounts // the newest, while they are not stale
	before   *Accounts // of the same kind and length, a year earlier
}

const (
	// staleMonths is when figures no longer say anything about today.
	staleMonths = 34
	// Years for which notices and leavers count.
	courtYears, strikeOffYears, insolvencyYears, leaverYears = 3, 1, 2, 1
)

// fails are the kinds of notice that say what the score is to foresee.
var fails = []string{"insolvency", "liquidation", "administration", "bankruptcy"}

func newSubject(f Facts, around Around, today Date) *subject {
	s := &subject{Facts: f, around: around}
	s.today, _ = today.from()
	own := func(a Accounts) bool { return len(a.Items) > 0 }
	i := slices.IndexFunc(f.Accounts, own)
	if i < 0 {
		return s
	}
	if age, ok := s.accountsAge(); !ok || age >= staleMonths {
		return s
	}
	s.accounts = &f.Accounts[i]
	for j := i + 1; j < len(f.Accounts); j++ {
		a := &f.Accounts[j]
		if own(*a) && a.Consolidated == s.accounts.Consolidated && a.Months == s.accounts.Months && a.Currency == s.accounts.Currency {
			s.before = a
			break
		}
	}
	return s
}

// from is the first day of a date; ok is false for what is none.
func (d Date) from() (t time.Time, ok bool) {
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		if t, err := time.Parse(layout, string(d)); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// enough reports whether there is anything to go by.
func (s *subject) enough() bool {
	return s.Founded != "" || len(s.Accounts) > 0 || s.Due.AccountsNext.isDay()
}

// since is how many whole years ago a day was.
func (s *subject) since(t time.Time) float64 {
	years := s.today.Year() - t.Year()
	if t.AddDate(years, 0, 0).After(s.today) {
		years--
	}
	return float64(years)
}

func (s *subject) years() (float64, bool) {
	t, ok := s.Founded.from()
	if !ok || t.After(s.today) {
		return 0, false
	}
	return s.since(t), true
}

// late is how many days ago something was due; one that closed owes nothing.
func (s *subject) late(due Date) (float64, bool) {
	t, ok := due.from()
	if !ok || !due.isDay() || s.Status == NonActive {
		return 0, false
	}
	return max(0, math.Floor(s.today.Sub(t).Hours()/24)), true
}

func (s *subject) accountsLate() (float64, bool) { return s.late(s.Due.AccountsNext) }
func (s *subject) returnLate() (float64, bool)   { return s.late(s.Due.ReturnNext) }

// notices counts those of some kinds in the last years. What is dated later
// than today was not known today.
func (s *subject) notices(years int, kinds ...string) float64 {
	n := 0.0
	for _, x := range s.Notices {
		t, ok := x.Date.from()
		if ok && !t.After(s.today) && t.AddDate(years, 0, 0).After(s.today) && slices.Contains(kinds, strings.ToLower(x.Kind)) {
			n++
		}
	}
	return n
}

func (s *subject) courtNotices() (float64, bool) { return s.notices(courtYears, "court"), true }
func (s *subject) strikeOffs() (float64, bool)   { return s.notices(strikeOffYears, "strike-off"), true }
func (s *subject) insolvencyNotice() bool        { return s.notices(insolvencyYears, fails...) > 0 }

func (s *subject) charges() (float64, bool) {
	if s.Charges == nil {
		return 0, false
	}
	return float64(s.Charges.Outstanding), true
}

// accountsAge is how many months ago the newest figures end.
func (s *subject) accountsAge() (float64, bool) {
	for _, a := range s.Accounts {
		if end, ok := a.End.from(); ok && len(a.Items) > 0 {
			months := (s.today.Year()-end.Year())*12 + int(s.today.Month()) - int(end.Month())
			return float64(max(0, months)), true
		}
	}
	return 0, false
}

func (s *subject) item(name string) (int64, bool) {
	if s.accounts == nil {
		return 0, false
	}
	v, ok := s.accounts.Items[name]
	return v, ok
}

// ratio divides the first of some items that there is by another.
func (s *subject) ratio(scale float64, under string, over ...string) (float64, bool) {
	b, ok := s.item(under)
	if !ok || b <= 0 {
		return 0, false
	}
	for _, name := range over {
		if a, ok := s.item(name); ok {
			return scale * float64(a) / float64(b), true
		}
	}
	return 0, false
}

func (s *subject) equityRatio() (float64, bool) { return s.ratio(100, TotalAssets, Equity, NetAssets) }

func (s *subject) currentRatio() (float64, bool) {
	return s.ratio(1, CurrentLiabilities, CurrentAssets)
}

func (s *subject) margin() (float64, bool) {
	return s.ratio(100, Turnover, ProfitBeforeTax, ProfitAfterTax)
}

// returnOnAssets stands in where no turnover is published.
func (s *subject) returnOnAssets() (float64, bool) {
	if _, ok := s.margin(); ok {
		return 0, false
	}
	return s.ratio(100, TotalAssets, ProfitBeforeTax, ProfitAfterTax)
}

// losses is how many years in a row, up to the newest, ended with one.
func (s *subject) losses() (float64, bool) {
	if s.accounts == nil {
		return 0, false
	}
	n, known := 0.0, false
	for _, a := range s.Accounts {
		if a.Consolidated != s.accounts.Consolidated {
			continue
		}
		profit, ok := a.Items[ProfitBeforeTax]
		if !ok {
			profit, ok = a.Items[ProfitAfterTax]
		}
		if !ok {
			break
		}
		known = true
		if profit >= 0 {
			break
		}
		n++
	}
	return n, known
}

func (s *subject) growth() (float64, bool) {
	now, ok := s.item(Turnover)
	if !ok || s.before == nil || s.before.Items[Turnover] <= 0 {
		return 0, false
	}
	was := s.before.Items[Turnover]
	return 100 * float64(now-was) / float64(was), true
}

func (s *subject) interestCover() (float64, bool) {
	return s.ratio(1, InterestPaid, OperatingProfit)
}

func (s *subject) employees() (float64, bool) {
	if len(s.Employees) > 0 {
		e := s.Employees[0]
		if e.Range == "" {
			return float64(e.Count), true
		}
		least := strings.FieldsFunc(e.Range, func(r rune) bool { return r < '0' || r > '9' })
		if len(least) > 0 {
			n, err := strconv.ParseFloat(least[0], 64)
			return n, err == nil
		}
	}
	n, ok := s.item(EmployeesAverage)
	return float64(n), ok
}

func (s *subject) parentFails() (float64, bool) {
	return float64(s.around.Parent - ParentSound), s.around.Parent != NoParent
}

func (s *subject) failedBoards() (float64, bool) { return float64(s.around.Failed), true }

// directs reports whether an officer runs the company, and does not only keep
// or check its books.
func (o *Officer) directs() bool {
	return !slices.Contains([]string{"secretary", "auditor", "accountant", "liquidator"}, o.Role)
}

// sits reports whether an officer runs the company on the day.
func (s *subject) sits(o *Officer) bool {
	if !o.directs() {
		return false
	}
	from, ok := o.From.from()
	if ok && from.After(s.today) {
		return false
	}
	until, ok := o.Until.from()
	return !ok || until.After(s.today)
}

// directors counts those in office, where any were ever named.
func (s *subject) directors() (float64, bool) {
	n, known := 0.0, false
	for i := range s.Officers {
		o := &s.Officers[i]
		known = known || o.directs()
		if s.sits(o) {
			n++
		}
	}
	return n, known
}

// leavers is which share of the board left within a year, in per cent. One who
// goes is no news; two may be.
func (s *subject) leavers() (float64, bool) {
	stay, known := s.directors()
	left := 0.0
	for i := range s.Officers {
		o := &s.Officers[i]
		t, ok := o.Until.from()
		if ok && o.directs() && !t.After(s.today) && t.AddDate(leaverYears, 0, 0).After(s.today) {
			left++
		}
	}
	if !known || left < 2 {
		return 0, known
	}
	return 100 * left / (left + stay), true
}

// next is the first day after today on which time alone may change the score.
func (s *subject) next() Date {
	var first time.Time
	at := func(t time.Time) {
		if t.After(s.today) && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	years := func(d Date, after ...int) {
		if t, ok := d.from(); ok {
			for _, n := range after {
				at(t.AddDate(n, 0, 0))
			}
		}
	}
	years(s.Founded, 0, 1, 2, 5, 10, 20)
	for _, due := range []Date{s.Due.AccountsNext, s.Due.ReturnNext} {
		if t, ok := due.from(); ok && due.isDay() {
			for _, late := range []int{1, 31, 91} {
				at(t.AddDate(0, 0, late))
			}
		}
	}
	for _, n := range s.Notices {
		years(n.Date, 0, strikeOffYears, insolvencyYears, courtYears)
	}
	for i := range s.Officers {
		years(s.Officers[i].From, 0)
		years(s.Officers[i].Until, 0, leaverYears)
	}
	if age, ok := s.accountsAge(); ok {
		for _, edge := range []int{22, staleMonths} {
			if int(age) < edge {
				first := time.Date(s.today.Year(), s.today.Month(), 1, 0, 0, 0, 0, time.UTC)
				at(first.AddDate(0, edge-int(age), 0))
			}
		}
	}
	if first.IsZero() {
		return ""
	}
	return Date(first.Format(time.DateOnly))
}
