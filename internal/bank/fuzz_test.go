package bank_test

import (
	"testing"

	"bureau/internal/bank"
	"bureau/internal/fault"
)

// FuzzAccount holds that whatever is given for a sort code, an account number
// and a BIC, it is taken or refused in words for the caller; and what is taken
// is the same when it is written out and read again.
func FuzzAccount(f *testing.F) {
	for _, seed := range [][3]string{
		{"99-00-01", "12345678", "ABCDGB2L"},
		{"990001", "123456", "ABCDGB2LXXX"},
		{"09 01 28", "123456789", "abcdgb2l"},
		{"12345678", "990001", ""},
		{"08–60–00", "1234567890", "\xff"},
		{"", "", "ABCD12"},
		{"99-00-0", "1\x0023456", "ÄBCDGB2L"},
		{"٩٩٠٠٠١", "１２３４５６７８", "ABCDGB2LX"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	rows, subs := madeUp(f)
	table, err := bank.NewModulus(rows, subs)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, code, number, bic string) {
		if acc, err := bank.ParseGB("sortCode", code, "bankAccount", number); err == nil {
			again, err := bank.ParseGB("sortCode", acc.SortCode.String(), "bankAccount", acc.Number.String())
			if err != nil || again != acc {
				t.Fatalf("%q %q is %v, and then %v (%v)", code, number, acc, again, err)
			}
			if acc.SortCode > 999999 || acc.Number > 99999999 {
				t.Fatalf("%q %q is %+v", code, number, acc)
			}
			if state, why := table.Check(acc); why.String() == "" {
				t.Fatalf("%v is %v without a reason", acc, state)
			}
		} else if view, told := fault.Of(err); !told || len(view.Details) == 0 {
			t.Fatalf("%q %q: the caller is not told: %v", code, number, err)
		}
		if b, err := bank.ParseBIC(bic); err == nil {
			if again, err := bank.ParseBIC(string(b)); err != nil || again != b || len(b.Country()) != 2 {
				t.Fatalf("%q is %q, and then %q (%v)", bic, b, again, err)
			}
		} else if _, told := fault.Of(err); !told {
			t.Fatalf("%q: the caller is not told: %v", bic, err)
		}
		for _, text := range []string{code, number, bic} {
			if masked := bank.Mask(text); len(masked) != len(text) {
				t.Fatalf("%q is masked as %q", text, masked)
			}
		}
	})
}
