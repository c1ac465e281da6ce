package bank_test

import (
	"testing"

	"bureau/internal/bank"
)

func TestCompareNames(t *testing.T) {
	for _, c := range []struct {
		kind        bank.AccountType
		given, held string
		least, most float64
	}{
		{bank.Personal, "Ada Brook", "ADA BROOK", 1, 1},
		{bank.Personal, "Mrs. Ada Brook", "Ada Brook", 1, 1},
		{bank.Personal, "Brook Ada", "Ada Brook", 0.999, 1},
		{bank.Personal, "Åsa Ødegård", "Asa Odegard", 1, 1},
		{bank.Personal, "O'Neill", "ONeill", 1, 1},
		{bank.Personal, "A Brook", "Ada Brook", 0.85, 0.949},     // close
		{bank.Personal, "Ada Brook", "Ada M Brook", 0.85, 0.949}, // close
		{bank.Personal, "Ada Brok", "Ada Brook", 0.85, 0.949},    // close
		{bank.Personal, "Ada Vale", "Ada Brook", 0, 0.849},
		{bank.Personal, "Ada", "Ada Brook", 0, 0.849},
		{bank.Personal, "A B", "Ada Brook", 0, 0.849},
		{bank.Personal, "Otto Brook", "Ada Brook", 0, 0.849},
		{bank.Business, "Acorn Mills Ltd", "ACORN MILLS LIMITED", 1, 1},
		{bank.Business, "Acorn Mills", "Acorn Mills Limited", 0.85, 1},
		{bank.Business, "The Acorn & Oak Co", "Acorn and Oak Company", 1, 1},
		{bank.Business, "Acorn Mills Trading Ltd", "Acorn Mills Ltd", 0.75, 0.849}, // close
		{bank.Business, "Acorn Mills Ltd", "Oak Mills Ltd", 0, 0.749},
		{bank.Business, "Acorn Ltd", "Oak Ltd", 0, 0.749},
		{bank.Business, "", "Oak Ltd", 0, 0},
		{bank.Business, "…", "Oak Ltd", 0, 0},
	} {
		s, why := bank.CompareNames(c.given, c.held, c.kind)
		if s < c.least || s > c.most || why == "" {
			t.Errorf("%s: %q and %q: %.3f (%s), want %.3f to %.3f", c.kind, c.given, c.held, s, why, c.least, c.most)
		}
		if back, _ := bank.CompareNames(c.held, c.given, c.kind); back != s {
			t.Errorf("%q and %q: %.3f one way and %.3f the other", c.given, c.held, s, back)
		}
	}
}

func TestNonStandardAccountNumbers(t *testing.T) {
	for _, c := range []struct {
		what, code, number string
		want               string
	}{
		{"eight digits", "990001", "12345678", "990001 12345678"},
		{"with blanks and dashes", "99-00-01", "1234 5678", "990001 12345678"},
		{"seven digits", "990001", "2345678", "990001 02345678"},
		{"six digits", "990001", "345678", "990001 00345678"},
		{"ten digits, the last eight count", "601613", "0012345678", "601613 12345678"},
		{"ten digits, the first eight count", "089999", "1234567800", "089999 12345678"},
		{"nine digits, the first goes to the sort code", "720000", "912345678", "720009 12345678"},
		{"nine digits, the first is dropped", "406301", "112345678", "406301 12345678"},
		{"nine digits elsewhere", "990001", "123456789", ""},
		{"ten digits elsewhere", "720000", "1234567890", ""},
		{"five digits", "990001", "12345", ""},
		{"eleven digits", "601613", "12345678901", ""},
		{"letters", "990001", "1234567A", ""},
		{"nothing", "990001", "", ""},
	} {
		acc, err := bank.ParseGB("sortCode", c.code, "accountNumber", c.number)
		got := acc.SortCode.String() + " " + acc.Number.String()
		if (err == nil) != (c.want != "") || err == nil && got != c.want {
			t.Errorf("%s: %s (%v), want %q", c.what, got, err, c.want)
		}
	}
}

func TestMask(t *testing.T) {
	for in, want := range map[string]string{
		"12345678": "****5678", "GB29NWBK60161331926819": "******************6819", "1234": "**34", "1": "*", "": "",
	} {
		if got := bank.Mask(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
