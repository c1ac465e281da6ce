package listfile

import (
	"fmt"
	"regexp"
	"strings"

	"bureau/internal/company"
	"bureau/internal/kyc"
)

var (
	isoDay    = regexp.MustCompile(`^(\d{4})-(\d\d?)-(\d\d?)(?:[t ].*)?$`)
	isoMonth  = regexp.MustCompile(`^(\d{4})-(\d\d)$`)
	yearOnly  = regexp.MustCompile(`^(\d{4})\.?$`)
	yearRange = regexp.MustCompile(`^(\d{4})\s*[-–/]\s*(\d{4})$`)
	dayFirst  = regexp.MustCompile(`^(\d\d?|dd)\s*[/.]\s*(\d\d?|mm)\s*[/.]\s*(\d{4})$`)
	dayWord   = regexp.MustCompile(`^(\d\d?)(?:st|nd|rd|th)?[\s-]+([a-z]+)\.?,?[\s-]+(\d{4})$`)
	wordDay   = regexp.MustCompile(`^([a-z]+)\.? (\d\d?)(?:st|nd|rd|th)?,? (\d{4})$`)
	wordYear  = regexp.MustCompile(`^([a-z]+)\.?,?[\s-]+(\d{4}|\d\d)$`)
	decade    = regexp.MustCompile(`^(?:in )?(?:the )?(?:early |mid |mid-|late )?(\d{3})0s$`)
	between   = regexp.MustCompile(`^(?:between |from )?(.+?) (?:to|and|until|-|–) (.+)$`)
	or        = regexp.MustCompile(`(?i)\s+or\s+|\s*;\s*`)
)

var months = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

func month(word string) string {
	if len(word) >= 3 {
		for i, m := range months {
			if strings.HasPrefix(word, m) {
				return fmt.Sprintf("%02d", i+1)
			}
		}
	}
	return ""
}

// guesses are the words before a date that is not sure.
var guesses = []string{"circa", "approximately", "approx.", "approx", "about", "around", "ca.", "ca ", "c.", "born in", "born"}

// Date reads a date as lists write them: a day, a month or a year in figures or
// words, the day first; "circa"; ranges such as "1958 to 1962". What stands for
// an unknown part (00, dd) is not known.
func Date(text string) (kyc.Date, bool) {
	s := strings.ToLower(strings.Join(strings.Fields(strings.Trim(text, " .,()")), " "))
	about := false
	for again := true; again; {
		again = false
		for _, g := range guesses {
			if rest, ok := strings.CutPrefix(s, g); ok {
				s, again = strings.TrimSpace(rest), true
				about = about || !strings.HasPrefix(g, "born")
			}
		}
	}
	if on, ok := single(s); ok {
		return kyc.Date{On: on, About: about}, true
	}
	if m := yearRange.FindStringSubmatch(s); m != nil {
		return ranged(company.Date(m[1]), company.Date(m[2]), about)
	}
	if m := decade.FindStringSubmatch(s); m != nil {
		return ranged(company.Date(m[1]+"0"), company.Date(m[1]+"9"), about)
	}
	if m := between.FindStringSubmatch(s); m != nil {
		from, ok1 := Date(m[1])
		until, ok2 := Date(m[2])
		if ok1 && ok2 && from.Until == "" && until.Until == "" {
			return ranged(from.On, until.On, about || from.About || until.About)
		}
	}
	return kyc.Date{}, false
}

func ranged(from, until company.Date, about bool) (kyc.Date, bool) {
	d := kyc.Date{On: from, Until: until, About: about}
	if from == until {
		d.Until = ""
	}
	return d, d.Valid()
}

// single reads one date without a word before it.
func single(s string) (company.Date, bool) {
	var y, m, d string
	if g := isoDay.FindStringSubmatch(s); g != nil {
		y, m, d = g[1], g[2], g[3]
	} else if g := isoMonth.FindStringSubmatch(s); g != nil {
		y, m = g[1], g[2]
	} else if g := yearOnly.FindStringSubmatch(s); g != nil {
		y = g[1]
	} else if g := dayFirst.FindStringSubmatch(s); g != nil {
		d, m, y = g[1], g[2], g[3]
	} else if g := dayWord.FindStringSubmatch(s); g != nil {
		d, m, y = g[1], month(g[2]), g[3]
	} else if g := wordDay.FindStringSubmatch(s); g != nil {
		m, d, y = month(g[1]), g[2], g[3]
	} else if g := wordYear.FindStringSubmatch(s); g != nil {
		m, y = month(g[1]), g[2]
		if len(y) == 2 {
			y = "19" + y
		}
		if m == "" {
			return "", false
		}
	} else {
		return "", false
	}
	return joined(y, m, d)
}

// joined puts the known parts of a date together.
func joined(y, m, d string) (company.Date, bool) {
	known := func(s string) string {
		if s == "dd" || s == "mm" || strings.Trim(s, "0") == "" {
			return ""
		}
		return fmt.Sprintf("%02s", s)
	}
	out := y
	if m = known(m); m != "" {
		out += "-" + m
		if d = known(d); d != "" {
			out += "-" + d
		}
	}
	date := kyc.Date{On: company.Date(out)}
	if !date.Valid() && len(out) > 4 {
		date.On = company.Date(y) // a thirteenth month: the year may still be right
	}
	return date.On, date.Valid()
}

// Dates reads one date or several: "1963 or 1964".
func Dates(text string) (out []kyc.Date) {
	for _, part := range or.Split(text, -1) {
		if d, ok := Date(part); ok {
			out = append(out, d)
		}
	}
	return out
}

// Day reads a whole day: as Date does, the day first. It is empty if there is
// none.
func Day(text string) company.Date {
	d, ok := Date(text)
	if !ok || d.About || d.Until != "" || len(d.On) != len("2006-01-02") {
		return ""
	}
	return d.On
}

var monthFirst = regexp.MustCompile(`^\s*(\d\d?)/(\d\d?)/(\d{4})\s*$`)

// AmericanDay reads a day whose month stands first: 11/30/2026.
func AmericanDay(text string) company.Date {
	m := monthFirst.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return Day(m[2] + "/" + m[1] + "/" + m[3])
}
