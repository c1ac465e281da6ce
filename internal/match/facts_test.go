package match

import (
	"testing"

	"pgregory.net/rapid"
)

func date(t *testing.T, s string) Date {
	t.Helper()
	d, ok := ParseDate(s)
	if !ok {
		t.Fatalf("%q is no date", s)
	}
	return d
}

func TestDates(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want agreement
	}{
		{"1970-05-31", "1970-05-31", agree},
		{"1970-05-31", "1970-05-30", differ},
		{"1970-05-31", "1970-05", near},
		{"1970-05-31", "1970", near},
		{"1970-06", "1970-05", differ},
		{"1970-05-04", "1970-04-05", near},
		{"1970-05-31", "1971-05-31", near},
		{"1970-05-31", "1975-05-31", differ},
		{"circa 1970", "1972", near},
		{"circa 1970", "1974", unknown},
		{"circa 1970", "1980", differ},
	} {
		if got := date(t, c.a).compare(date(t, c.b)); got != c.want {
			t.Errorf("%s and %s: %v, want %v", c.a, c.b, got, c.want)
		}
	}
	for _, bad := range []string{"", "70", "1970-13", "1970-05-32", "1970-5-31-1", "yesterday", "0999", "19700531"} {
		if d, ok := ParseDate(bad); ok {
			t.Errorf("%q is read as %v", bad, d)
		}
	}
}

func TestIdentifiers(t *testing.T) {
	for _, c := range []struct {
		kind, value string
		valid       bool
	}{
		{"lei", "529900T8BM49AURSDO55", true},
		{"lei", "529900T8BM49AURSDO56", false},
		{"imo", "IMO 9074729", true},
		{"imo", "9074728", false},
		{"inn", "7707083893", true},
		{"inn", "7707083894", false},
		{"isin", "US0378331005", true},
		{"isin", "US0378331006", false},
		{"register", "HRB 1234", true},
		{"register", "0000", false},
	} {
		if got := (Identifier{c.kind, c.value}).Valid(); got != c.valid {
			t.Errorf("%s %s: valid %v, want %v", c.kind, c.value, got, c.valid)
		}
	}
}

// Facts that agree never make an alert of a name that is none by itself, and
// facts never make it more of an alert than it was.
func TestFactsNeverLiftAWeakName(t *testing.T) {
	born := date(t, "1970-05-31")
	full := func(name string) Subject {
		s := NewSubject(Person, name)
		s.Born, s.Countries, s.Gender = []Date{born}, []string{"DE"}, "male"
		s.Identifiers, s.Address = []Identifier{{"passport", "C01X0006H"}}, "Hauptstraße 5, 10115 Berlin"
		return s
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyName(t, "a"), anyName(t, "b")
		bare := pair(Person, a, b)
		if with := Compare(full(a), full(b)); with.Alert() && !bare.Alert() {
			t.Fatalf("%q and %q: %.2f bare, %.2f with facts", a, b, bare.Score, with.Score)
		}
	})
}

func TestFactsWeakenAndConfirm(t *testing.T) {
	a, b := NewSubject(Person, "Joshua Rosenbaum"), NewSubject(Person, "Joshua Rosenbaun")
	bare := Compare(a, b)
	a.Born, b.Born = []Date{date(t, "1970-05-31")}, []Date{date(t, "1970-05-31")}
	if v := Compare(a, b); v.Probability < bare.Probability || v.Grades.Born != "A" {
		t.Errorf("the same day of birth: %.3f, bare %.3f, grade %s", v.Probability, bare.Probability, v.Grades.Born)
	}
	b.Born[0] = date(t, "1984-01-02")
	if v := Compare(a, b); v.Alert() || v.Grades.Born != "F" {
		t.Errorf("another day of birth: score %.2f, grade %s", v.Score, v.Grades.Born)
	}
	if v := Compare(b, a); v.Probability != Compare(a, b).Probability {
		t.Error("facts are not symmetric")
	}
}

// A weak alias that is short is not worth an alert; one that says a lot is.
func TestWeakAliases(t *testing.T) {
	weak := func(name string) Subject {
		s := NewSubject(Person, name)
		s.Names[0].Weak = true
		return s
	}
	if v := Compare(NewSubject(Person, "Ali Hassan"), weak("Ali Hassan")); v.Alert() {
		t.Errorf("a short weak alias alerts: %.2f", v.Score)
	}
	long := "Ali Hassan Majid al-Tikriti Rosenbaum"
	if v := Compare(NewSubject(Person, long), weak(long)); !v.Alert() {
		t.Errorf("a long weak alias does not alert: %.2f", v.Score)
	}
}

// The scales have their marks in the same places, and nothing is rounded over
// one.
func TestRatings(t *testing.T) {
	for _, c := range []struct {
		score           float64
		company, screen int
	}{
		{0, 0, 0},
		{0.74999, 892, 74},
		{0.75, 893, 75},
		{0.99999, 998, 99},
		{1, 999, 100},
	} {
		if got := CompanyRating(c.score); got != c.company {
			t.Errorf("%v on the companies' scale: %d, want %d", c.score, got, c.company)
		}
		if got := ScreenRating(c.score); got != c.screen {
			t.Errorf("%v on the screening scale: %d, want %d", c.score, got, c.screen)
		}
	}
	last := 0
	for s := 0.0; s <= 1; s += 0.0005 {
		if got := CompanyRating(s); got < last {
			t.Fatalf("the scale falls at %v", s)
		} else {
			last = got
		}
	}
}
