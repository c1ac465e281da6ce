package bank_test

import (
	"testing"

	"bureau/internal/bank"
)

func TestCompareNames(t *testing.T) {
	for _, c := range []struct {
		kind        bank.AccountType
		given, held string
		want        bank.NameMatch
	}{
		{bank.Personal, "Ada Brook", "ADA BROOK", bank.FullMatch},
		{bank.Personal, "Mrs. Ada Brook", "Ada Brook", bank.FullMatch},
		{bank.Personal, "Brook Ada", "Ada Brook", bank.FullMatch},
		{bank.Personal, "Åsa Ødegård", "Asa Odegard", bank.FullMatch},
		{bank.Personal, "O'Neill", "ONeill", bank.FullMatch},
		{bank.Personal, "Иван Петров", "Ivan Petrov", bank.FullMatch},
		{bank.Personal, "A Brook", "Ada Brook", bank.CloseMatch},
		{bank.Personal, "Ada Brook", "Ada M Brook", bank.CloseMatch},
		{bank.Personal, "John Andrew Smith", "John Smith", bank.CloseMatch},
		{bank.Personal, "Ada Brok", "Ada Brook", bank.CloseMatch},
		{bank.Personal, "Bill Smith", "William Smith", bank.CloseMatch},
		{bank.Personal, "Bob Jones", "Robert Jones", bank.CloseMatch},
		{bank.Personal, "John Smith", "Jane Smith", bank.NoMatch},
		{bank.Personal, "Tom Smith", "Tim Smith", bank.NoMatch},
		{bank.Personal, "Peter Smith", "Paul Smith", bank.NoMatch},
		{bank.Personal, "Bill Smith", "Bob Smith", bank.NoMatch},
		{bank.Personal, "Ada Vale", "Ada Brook", bank.NoMatch},
		{bank.Personal, "Ada", "Ada Brook", bank.NoMatch},
		{bank.Personal, "A B", "Ada Brook", bank.NoMatch},
		{bank.Personal, "Otto Brook", "Ada Brook", bank.NoMatch},
		{bank.Business, "Acorn Mills Ltd", "ACORN MILLS LIMITED", bank.FullMatch},
		{bank.Business, "Acorn Mills", "Acorn Mills Limited", bank.FullMatch},
		{bank.Business, "The Acorn & Oak Co", "Acorn and Oak Company", bank.FullMatch},
		{bank.Business, "Acorn Mills GmbH", "Acorn Mills Ltd", bank.CloseMatch},
		{bank.Business, "Acorn Mills Trading Ltd", "Acorn Mills Ltd", bank.CloseMatch},
		{bank.Business, "Acorn Mlls Ltd", "Acorn Mills Ltd", bank.CloseMatch},
		{bank.Business, "ABC Intl Ltd", "ABC International Limited", bank.CloseMatch},
		{bank.Business, "Elm Fund II Ltd", "Elm Fund III Ltd", bank.NoMatch},
		{bank.Business, "Acorn Mills Ltd", "Oak Mills Ltd", bank.NoMatch},
		{bank.Business, "Acorn Ltd", "Oak Ltd", bank.NoMatch},
		{bank.Business, "", "Oak Ltd", bank.NoMatch},
		{bank.Business, "…", "Oak Ltd", bank.NoMatch},
		{bank.Business, "", "", bank.NoMatch},
		{bank.Business, "…", "!", bank.NoMatch},
	} {
		n := bank.CompareNames(c.given, c.held, c.kind)
		if n.Match != c.want || n.Why == "" {
			t.Errorf("%s: %q and %q: %s %.3f (%s), want %s", c.kind, c.given, c.held, n.Match, n.Score, n.Why, c.want)
		}
		if back := bank.CompareNames(c.held, c.given, c.kind); back.Match != n.Match || back.Score != n.Score {
			t.Errorf("%q and %q: %.3f one way and %.3f the other", c.given, c.held, n.Score, back.Score)
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
