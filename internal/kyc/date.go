package kyc

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/match"
)

// A Date is a day, a month or a year of which a publisher may not be sure.
type Date struct {
	On    company.Date // 1970, 1970-05 or 1970-05-31
	Until company.Date // the last of a range; empty if it is none
	About bool         // it is a guess
}

// String writes a date as ISO 8601-2 does: 1970-05-31, 1970~, 1958/1962.
func (d Date) String() string {
	s := string(d.On)
	if d.About {
		s += "~"
	}
	if d.Until != "" {
		s += "/" + string(d.Until)
		if d.About {
			s += "~"
		}
	}
	return s
}

// MarshalText implements encoding.TextMarshaler.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Date) UnmarshalText(b []byte) error {
	from, until, _ := strings.Cut(string(b), "/")
	from, about := strings.CutSuffix(from, "~")
	got := Date{On: company.Date(from), Until: company.Date(strings.TrimSuffix(until, "~")), About: about}
	if !got.Valid() {
		return fmt.Errorf("%q is no date", b)
	}
	*d = got
	return nil
}

// Valid says whether a date can be one.
func (d Date) Valid() bool {
	return validDate(d.On) && (d.Until == "" || validDate(d.Until) && d.Until >= d.On)
}

func validDate(on company.Date) bool {
	m, ok := match.ParseDate(string(on))
	switch len(on) {
	case len("2006"):
		return ok
	case len("2006-01"):
		return ok && !m.About && m.Month > 0
	case len("2006-01-02"):
		return ok && !m.About && m.Month > 0 && m.Day > 0
	}
	return false
}

// maxYears is how wide a range may be to say anything about a birth.
const maxYears = 12

// matched is a date as names are compared with it. A range is each of its years.
func (d Date) matched() []match.Date {
	on, ok := match.ParseDate(string(d.On))
	if !ok {
		return nil
	}
	on.About = d.About
	if d.Until == "" {
		return []match.Date{on}
	}
	last, err := strconv.Atoi(string(d.Until[:4]))
	if err != nil || last-int(on.Year) > maxYears {
		return nil
	}
	var out []match.Date
	for y := int(on.Year); y <= last; y++ {
		out = append(out, match.Date{Year: int16(y), About: d.About})
	}
	return out
}

// dateOf is the day of a moment.
func dateOf(t time.Time) company.Date {
	if t.IsZero() {
		return ""
	}
	return company.Date(t.UTC().Format(time.DateOnly))
}
