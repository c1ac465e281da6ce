package identity

import (
	"bureau/internal/company"
	"bureau/internal/match"
)

// sameName and closeName are the scores of package match from which two names
// are the same person's, and from which they may be. They stand far below those
// of screening: here a name only counts beside a date of birth or an address.
const (
	sameName  = 0.94
	closeName = 0.40
)

// CompareNames says how a name that was given stands to one that is held.
func CompareNames(given, held Name) (g Grade, score float64) {
	if given.Full() == "" || held.Full() == "" {
		return Unknown, 0
	}
	v := match.Compare(match.NewSubject(match.Person, given.Full()), match.NewSubject(match.Person, held.Full()))
	switch {
	case v.Score >= sameName && fold(given.First) == fold(held.First) && fold(given.Surname) == fold(held.Surname):
		return Same, v.Score
	case v.Score >= closeName:
		return Close, v.Score
	}
	return Differs, v.Score
}

// compareForename and compareSurname say the same of one part, for answers that
// tell them apart.
func compareForename(given, held string) Grade {
	a, b := fold(given), fold(held)
	switch {
	case a == "" || b == "":
		return Unknown
	case a == b:
		return Same
	case len(a) == 1 && b[0] == a[0] || len(b) == 1 && a[0] == b[0] || near(a, b) || isShortOf(a, b) || isShortOf(b, a):
		return Close
	}
	return Differs
}

func isShortOf(short, long string) bool {
	for _, s := range match.ShortNames(long) {
		if s == short {
			return true
		}
	}
	return false
}

func compareSurname(given, held string) Grade {
	a, b := fold(given), fold(held)
	switch {
	case a == "" || b == "":
		return Unknown
	case a == b:
		return Same
	case near(a, b):
		return Close
	}
	return Differs
}

// compareBirth compares as much of two dates as both have. Two that differ in
// one digit, or in the order of day and month, are close.
func compareBirth(given, held company.Date) Grade {
	n := min(len(given), len(held))
	if n < len("2006") {
		return Unknown
	}
	a, b := string(given[:n]), string(held[:n])
	switch {
	case a == b && n == len("2006-01-02"):
		return Same
	case a == b:
		return Close
	case n < len("2006-01-02"):
		return Differs
	case a[:4] == b[:4] && a[5:7] == b[8:] && a[8:] == b[5:7] || near(a, b):
		return Close
	}
	return Differs
}
