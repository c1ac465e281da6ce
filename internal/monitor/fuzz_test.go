package monitor

import (
	"testing"

	"bureau/internal/company"
)

// FuzzRules holds, for every rule (B16): whatever a customer writes into it and
// whatever a register says, it answers, what it accepts it accepts again in the
// form that it is kept in, and no reason is longer than what it speaks of.
func FuzzRules(f *testing.F) {
	f.Add("1", "", "true", "A", "E")
	f.Add("100", "999999999999999", "0.5", "10000.00 GBP", "")
	f.Add("1e9", "-1", "TRUE ", "-3 EUR", "withdrawn")
	f.Add("", "NaN", "0x10", "Active", "NonActive: in liquidation")
	f.Add("00000000000000000000000000000000000000001", "٣", "\xff", "\x00", "\u202e")
	f.Fuzz(func(t *testing.T, a, b, c, old, new string) {
		for _, r := range AllRules() {
			kept, err := r.Check(Values{a, b, c})
			if err != nil {
				kept = r.Defaults()
			} else if again, err := r.Check(kept); err != nil || again != kept {
				t.Fatalf("rule %d keeps %q and then makes of it %q (%v)", r.Code, kept, again, err)
			}
			for _, field := range r.Fields {
				change := company.Change{Number: 1, Company: "GB-0-1", Field: field, Item: c, Old: old, New: new}
				told, fires := r.Fires(&change, kept)
				if again, twice := r.Fires(&change, kept); again != told || twice != fires {
					t.Fatalf("rule %d does not say the same twice: %+v, %+v", r.Code, told, again)
				}
				if most := len(old) + len(new) + len(c) + len(a) + len(b) + 1000; fires && len(told.Why) > most {
					t.Fatalf("rule %d gives a reason of %d bytes for %d", r.Code, len(told.Why), most)
				}
			}
		}
	})
}
