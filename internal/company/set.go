package company

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"bureau/internal/fault"
)

// Set sets one fact by its name, as the operator writes it on the command line.
func Set(f *Facts, field, value string) error {
	set, ok := settable[field]
	if !ok {
		return fault.Invalid.Errorf("%q cannot be set; choose one of %s", field, strings.Join(slices.Sorted(maps.Keys(settable)), ", "))
	}
	return set(f, value)
}

var settable = map[string]func(f *Facts, value string) error{
	"name": func(f *Facts, v string) error {
		if strings.TrimSpace(v) == "" {
			return fault.Invalid.Errorf("a company needs a name")
		}
		if f.Name != "" {
			f.Names = append([]Name{{Text: f.Name, Kind: Former}}, f.Names...)
		}
		f.Name = v
		return nil
	},
	"status": func(f *Facts, v string) error {
		for _, s := range []Status{Active, NonActive, Pending, Other} {
			if strings.EqualFold(string(s), v) {
				f.Status, f.StatusText = s, string(s)
				return nil
			}
		}
		return fault.Invalid.Errorf("%q is not a status; choose Active, NonActive, Pending or Other", v)
	},
	"phone":   func(f *Facts, v string) error { f.Phones = []string{v}; return nil },
	"website": func(f *Facts, v string) error { f.Websites = []string{v}; return nil },
	"city":    func(f *Facts, v string) error { f.mainAddress().City = v; return nil },
	"street":  func(f *Facts, v string) error { f.mainAddress().Street = v; return nil },
	"form":    func(f *Facts, v string) error { f.Form = Form{Text: v}; return nil },
	"activity": func(f *Facts, v string) error {
		f.Activities = []Activity{{Scheme: "NACE", Text: v}}
		return nil
	},
	"score": func(f *Facts, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 || n > 100 {
			return fault.Invalid.Errorf("%q is not a number from 0 to 100", v)
		}
		s := f.rating()
		s.Value, s.Band = n, BandOf(n)
		return nil
	},
	"band": func(f *Facts, v string) error {
		if len(v) != 1 || v < "A" || v > "E" {
			return fault.Invalid.Errorf("%q is not a band; choose A to E", v)
		}
		f.rating().Band = v
		return nil
	},
	"limit": func(f *Facts, v string) error {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < 0 {
			return fault.Invalid.Errorf("%q is not an amount in whole units", v)
		}
		f.rating().Limit.Minor = n * 100
		return nil
	},
	"director": func(f *Facts, v string) error {
		f.Officers = append(f.Officers, Officer{Person: Person{Name: v}, Role: "director"})
		return nil
	},
}

// mainAddress is the registered address, to be written to.
func (f *Facts) mainAddress() *Address {
	i := slices.IndexFunc(f.Addresses, func(a Address) bool { return a.Kind == Registered })
	if i < 0 {
		f.Addresses = append(f.Addresses, Address{Kind: Registered})
		i = len(f.Addresses) - 1
	}
	return &f.Addresses[i]
}

// rating is a copy of the score, to be written to.
func (f *Facts) rating() *Score {
	s := Score{}
	if f.Score != nil {
		s = *f.Score
	}
	f.Score = &s
	return f.Score
}

// BandOf is the band of a score: A from 71 on, B from 51, C from 30, D from 21.
func BandOf(score int) string {
	switch {
	case score >= 71:
		return "A"
	case score >= 51:
		return "B"
	case score >= 30:
		return "C"
	case score >= 21:
		return "D"
	}
	return "E"
}
