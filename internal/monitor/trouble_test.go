package monitor

import (
	"testing"
	"time"
)

// A day at a time: what is seen, and whether the operator hears of it.
func TestTroubleIsToldOncePerDayAndWhenItIsOver(t *testing.T) {
	for _, c := range []struct {
		name string
		seen string // per quarter of a day: ! is trouble, . is none
		want string // T: told, O: told that it is over
	}{
		{"nothing ever", "........", "        "},
		{"a while", ".!!.....", " T O    "},
		{"over midnight", "..!!!!..", "  T T O "},
		{"three days", "!!!!!!!!!!!!.", "T   T   T   O"},
		{"to and fro on one day", "!.!.....", "TO      "},
		{"to and fro, and then it stays", "!.!!!!..", "TO  T O "},
	} {
		t.Run(c.name, func(t *testing.T) {
			var k Trouble
			now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
			got := ""
			for _, s := range c.seen {
				switch tell := k.see(s == '!', now); {
				case tell && s == '!':
					got += "T"
				case tell:
					got += "O"
				default:
					got += " "
				}
				now = now.Add(6 * time.Hour)
			}
			if got != c.want {
				t.Errorf("seen %q\ntold %q\nwant %q", c.seen, got, c.want)
			}
		})
	}
}

func TestDigestDayBeginsAtFive(t *testing.T) {
	at := func(s string) int64 {
		when, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return DigestDay(when)
	}
	for _, c := range []struct {
		a, b string
		days int64
	}{
		{"2026-03-02T05:00:00Z", "2026-03-03T04:59:59Z", 0},
		{"2026-03-02T04:59:59Z", "2026-03-02T05:00:00Z", 1},
		{"2026-03-28T05:30:00Z", "2026-03-29T05:30:00Z", 1}, // the night in which summer time begins
		{"2026-10-24T05:30:00Z", "2026-10-25T05:30:00Z", 1}, // and ends
		{"2026-03-02T06:30:00+02:00", "2026-03-02T04:30:00Z", 0},
	} {
		if got := at(c.b) - at(c.a); got != c.days {
			t.Errorf("from %s to %s are %d days, want %d", c.a, c.b, got, c.days)
		}
	}
}
