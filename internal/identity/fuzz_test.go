package identity

import (
	"testing"
	"time"

	"bureau/internal/fault"
)

// FuzzNumbers holds that whatever is given for a person's number, it is taken or
// refused; and what is taken is the same when it is written out and read again.
func FuzzNumbers(f *testing.F) {
	for _, seed := range []string{
		"811218-9876", "19811218+9876", "198112789873", "556016-0680", "GB-C1001", "se-811218-9876", "SE-", "-", "XX-1", "", "\xff", "00000000000",
		"000000-0000", "99999999-9999", "GB-C1001 surname=Example", "GB-C1001 birthDate=",
	} {
		f.Add(seed)
	}
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := ParseSwedishNumber(text, now); err == nil {
			again, err := ParseSwedishNumber(n.Digits, now)
			if err != nil || again != n || len(n.Short()) != 10 {
				t.Fatalf("%q is %+v, and then %+v (%v)", text, n, again, err)
			}
			if _, err := time.Parse(time.DateOnly, string(n.Birth())); n.IsPerson() && err != nil {
				t.Fatalf("%q was born on %q", text, n.Birth())
			}
		}
		if _, err := ParsePerson(text, now); err != nil {
			if _, told := fault.Of(err); !told {
				t.Fatalf("%q: the operator is not told: %v", text, err)
			}
		}
		if _, err := ParseCorrection(text); err != nil {
			if _, told := fault.Of(err); !told {
				t.Fatalf("%q: the operator is not told: %v", text, err)
			}
		}
	})
}
