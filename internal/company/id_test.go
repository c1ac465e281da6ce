package company_test

import (
	"errors"
	"strings"
	"testing"

	"bureau/internal/company"
	"bureau/internal/fault"
)

func TestParseID(t *testing.T) {
	for _, test := range []struct{ what, text, want string }{
		{"as it is written", "GB-0-03375464", "GB-0-03375464"},
		{"with a number behind the country", "GB001-0-03375464", "GB-0-03375464"},
		{"with another letter for the 0", "GB-X-03375464", "GB-0-03375464"},
		{"with three of them", "DE-0XY-HRB1", "DE-0-HRB1"},
		{"in small letters", "gb-0-sc123456", "GB-0-SC123456"},
		{"with spaces in the number", "GB-0-033 754 64", "GB-0-03375464"},
		{"with spaces around it", "  GB-0-1\n", "GB-0-1"},
		{"with dashes in the number", "SE-0-556000-4615", "SE-0-556000-4615"},
		{"with other letters in the number", "DE-0-HRB 1 Köln", "DE-0-HRB1KöLN"},
		{"of a hundred characters", "GB-0-" + strings.Repeat("9", 95), "GB-0-" + strings.Repeat("9", 95)},

		{"of a hundred and one", "GB-0-" + strings.Repeat("9", 96), ""},
		{"empty", "", ""},
		{"without a number", "GB-0-", ""},
		{"with spaces for a number", "GB-0- \u00a0", ""},
		{"without the middle", "GB--1", ""},
		{"with a long middle", "GB-0000-1", ""},
		{"with one dash", "GB-03375464", ""},
		{"with no dash", "03375464", ""},
		{"with one letter of a country", "G-0-1", ""},
		{"with three letters of a country", "GBR-0-1", ""},
		{"with digits for a country", "12-0-1", ""},
		{"with four digits behind the country", "GB0001-0-1", ""},
		{"with another alphabet's country", "ÅX-0-1", ""},
		{"with a zero byte", "GB-0-1\x002", ""},
		{"with a line end inside", "GB-0-1\n2", ""},
		{"with half a character", "GB-0-\xc3", ""},
	} {
		got, err := company.ParseID(test.text)
		if string(got) != test.want || (err == nil) != (test.want != "") || err != nil && !errors.Is(err, fault.Invalid) {
			t.Errorf("%s: %q is %q (%v), want %q", test.what, test.text, got, err, test.want)
		}
	}
}

func TestIDTakesItselfApart(t *testing.T) {
	id := company.NewID("se", " 556000-4615\t")
	if id != "SE-0-556000-4615" || id.Country() != "SE" || id.Number() != "556000-4615" {
		t.Errorf("%s: %s and %s", id, id.Country(), id.Number())
	}
	if n := company.ID("GB-0").Number(); n != "" {
		t.Errorf("no number at all is %q", n)
	}
}

// What was parsed is the one form of it.
func FuzzParseID(f *testing.F) {
	for _, s := range []string{"GB-0-1", "GB001-0-03375464", "se-x-556000-4615", "DE-0-HRB 1 Köln", "GB-0-\u2003x", "--", "GB-0-\x00", "ÅÅ-0-1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := company.ParseID(s)
		if err != nil {
			if id != "" || !errors.Is(err, fault.Invalid) {
				t.Fatalf("%q is %q and %v", s, id, err)
			}
			return
		}
		if again, err := company.ParseID(string(id)); again != id || err != nil {
			t.Fatalf("%q is %q, which is %q (%v)", s, id, again, err)
		}
		if len(id.Country()) != 2 || strings.ToUpper(id.Country()) != id.Country() || id.Number() == "" || company.NewID(id.Country(), id.Number()) != id {
			t.Fatalf("%q is %q of %q and %q", s, id, id.Country(), id.Number())
		}
	})
}

func TestLookup(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "companies", false,
			company.Statement{Country: "GB", Number: "00000001", Facts: company.Facts{Name: "One Ltd", SafeNo: "GB999-0-1"}},
			company.Statement{Country: "DE", LEI: "529900ABCDEFGHIJKL12", Facts: company.Facts{Name: "Zwei GmbH", LEI: "529900ABCDEFGHIJKL12", RegNo: "HRB 2"}},
			company.Statement{Country: "GB", Number: "00000003", Facts: company.Facts{Name: "Three Ltd", SafeNo: "safe three"}},
		)
		for _, test := range []struct {
			what, text string
			want       company.ID
			kind       error
		}{
			{"its ID", "GB-0-00000001", "GB-0-00000001", nil},
			{"its ID in another form", "gb001-X-0000 0001", "GB-0-00000001", nil},
			{"its register's number, though its ID is its LEI", "DE-0-HRB 2", "DE-0-529900ABCDEFGHIJKL12", nil},
			{"its safe number", "safe three", "GB-0-00000003", nil},
			{"an ID that nobody has", "GB-0-00000009", "", fault.Missing},
			{"a safe number that nobody has", "GB99999999", "", fault.Missing},
			{"what is no number of any kind", "safe nine", "", fault.Invalid},
			{"nothing", "", "", fault.Invalid},
			{"a zero byte", "safe\x00", "", fault.Invalid},
		} {
			c, err := d.Lookup(t.Context(), test.text)
			if c.ID != test.want || (err == nil) != (test.kind == nil) || test.kind != nil && !errors.Is(err, test.kind) {
				t.Errorf("%s: %q (%v), want %q", test.what, c.ID, err, test.want)
			}
		}
	})
}
