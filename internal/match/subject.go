package match

import "strings"

// A Subject is someone or something with names, and what else is known of it.
// Every field but Kind and Names may be empty; what is not known counts neither
// for nor against.
type Subject struct {
	Kind        Kind
	Names       []Alias
	Born        []Date   // several where sources disagree
	Countries   []string // ISO 3166 alpha-2: nationality, or where it is registered
	Gender      string   // "female" or "male"
	Identifiers []Identifier
	Address     string
}

// An Alias is one of a subject's names. A weak one (a nickname, a name of low
// quality on a list) is no ground for an alert by itself unless it is long.
type Alias struct {
	Name
	Weak bool
}

// NewSubject is a subject that only has names.
func NewSubject(kind Kind, names ...string) Subject {
	s := Subject{Kind: kind}
	for _, n := range names {
		s.Names = append(s.Names, Alias{Name: Read(kind, n)})
	}
	return s
}

// A Date is a day, a month or a year: what is not known is 0. About says that
// even the year is a guess.
type Date struct {
	Year  int16
	Month uint8
	Day   uint8
	About bool
}

// ParseDate reads 1970, 1970-05 and 1970-05-31, and "about" (or "circa") before
// any of them.
func ParseDate(s string) (Date, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	var d Date
	for _, word := range []string{"circa", "about", "ca.", "ca", "c."} {
		if rest, ok := strings.CutPrefix(s, word); ok {
			s, d.About = strings.TrimSpace(rest), true
			break
		}
	}
	parts := strings.Split(s, "-")
	if len(parts) > 3 {
		return Date{}, false
	}
	limits := [3]int{2200, 12, 31}
	var v [3]int
	for i, p := range parts {
		if len(p) == 0 || len(p) > 4 || i > 0 && len(p) > 2 || strings.Trim(p, "0123456789") != "" {
			return Date{}, false
		}
		for _, c := range p {
			v[i] = v[i]*10 + int(c-'0')
		}
		if v[i] > limits[i] {
			return Date{}, false
		}
	}
	if v[0] < 1000 {
		return Date{}, false
	}
	d.Year, d.Month, d.Day = int16(v[0]), uint8(v[1]), uint8(v[2])
	return d, true
}

// agreement is how two facts stand to each other.
type agreement int8

const (
	unknown agreement = iota
	agree
	near
	differ
)

// compare holds two dates against each other as far as both are known. A day and
// a month that are swapped, or a single wrong digit of the day, are near.
func (d Date) compare(o Date) agreement {
	if d.Year == 0 || o.Year == 0 {
		return unknown
	}
	years := int(d.Year) - int(o.Year)
	if years < 0 {
		years = -years
	}
	if d.About || o.About {
		switch {
		case years <= 2:
			return near
		case years <= 5:
			return unknown
		}
		return differ
	}
	if years > 0 {
		if years == 1 && d.Month == o.Month && d.Day == o.Day && d.Day != 0 {
			return near
		}
		return differ
	}
	switch {
	case d.Month == 0 || o.Month == 0:
		return near // the same year, and no more is known
	case d.Month != o.Month:
		if d.Month == o.Day && d.Day == o.Month {
			return near
		}
		return differ
	case d.Day == 0 || o.Day == 0:
		return near
	case d.Day != o.Day:
		return differ
	}
	return agree
}

// bestDate is the best that any pair of dates can say.
func bestDate(a, b []Date) agreement {
	best := unknown
	for _, x := range a {
		for _, y := range b {
			switch c := x.compare(y); {
			case c == agree:
				return agree
			case c == near, best == unknown:
				best = c
			}
		}
	}
	return best
}
