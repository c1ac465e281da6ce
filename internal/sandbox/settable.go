package sandbox

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// settable are the fields that "bureau sandbox change" can set.
var settable = map[string]func(f *company.Facts, value string) error{
	"name": func(f *company.Facts, v string) error {
		if strings.TrimSpace(v) == "" {
			return fault.Invalid.Errorf("a company needs a name")
		}
		f.Names = append([]company.Name{{Text: f.Name, Kind: company.Former}}, f.Names...)
		f.Name = v
		return nil
	},
	"status": func(f *company.Facts, v string) error {
		for _, s := range []company.Status{company.Active, company.NonActive, company.Pending, company.Other} {
			if strings.EqualFold(string(s), v) {
				f.Status, f.StatusText = s, string(s)
				return nil
			}
		}
		return fault.Invalid.Errorf("%q is not a status; choose Active, NonActive, Pending or Other", v)
	},
	"phone":   func(f *company.Facts, v string) error { f.Phones = []string{v}; return nil },
	"website": func(f *company.Facts, v string) error { f.Websites = []string{v}; return nil },
	"city":    func(f *company.Facts, v string) error { f.Addresses[0].City = v; return nil },
	"street":  func(f *company.Facts, v string) error { f.Addresses[0].Street = v; return nil },
	"form":    func(f *company.Facts, v string) error { f.Form = company.Form{Text: v}; return nil },
	"activity": func(f *company.Facts, v string) error {
		f.Activities = []company.Activity{{Scheme: "NACE", Text: v}}
		return nil
	},
	"score": func(f *company.Facts, v string) error {
		n, err := number100(v)
		if err != nil {
			return err
		}
		s := *f.Score
		s.Value, s.Band = n, bandOf(n)
		f.Score = &s
		return nil
	},
	"band": func(f *company.Facts, v string) error {
		if len(v) != 1 || v < "A" || v > "E" {
			return fault.Invalid.Errorf("%q is not a band; choose A to E", v)
		}
		s := *f.Score
		s.Band = v
		f.Score = &s
		return nil
	},
	"limit": func(f *company.Facts, v string) error {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < 0 {
			return fault.Invalid.Errorf("%q is not an amount in whole units", v)
		}
		s := *f.Score
		s.Limit.Minor = n * 100
		f.Score = &s
		return nil
	},
	"director": func(f *company.Facts, v string) error {
		f.Officers = append(f.Officers, company.Officer{Person: company.Person{Name: v}, Role: "director"})
		return nil
	},
}

func settableNames() string { return strings.Join(slices.Sorted(maps.Keys(settable)), ", ") }
