package company_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bureau/internal/company"
)

func validate(t *testing.T, d desk, recorded bool, list ...company.Trial) company.Validation {
	t.Helper()
	v := &company.Validator{Store: d.db, Recorded: recorded}
	for _, trial := range list {
		if err := v.Add(t.Context(), trial); err != nil {
			t.Fatal(err)
		}
	}
	return v.Result()
}

func TestValidateRatesAsOfTheDay(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		failed := aged("1", "2019-01-01")
		failed.Facts.Status = company.Pending // by now; on the day nobody knew
		failed.Facts.Notices = []company.Notice{{Date: "2025-08-01", Kind: "insolvency"}, {Date: "2024-05-01", Kind: "court"}}
		sound := aged("2", "1999-01-01")
		sound.Facts.Accounts = []company.Accounts{
			// Nobody had read these on the day.
			{End: "2024-12-31", Currency: "GBP", Items: map[string]int64{company.Equity: -1, company.TotalAssets: 1}},
			{End: "2023-12-31", Currency: "GBP", Items: map[string]int64{company.Equity: 1, company.TotalAssets: 2}},
		}
		d.take(t, "src", false, failed, sound, aged("3", "2025-06-01"))
		got := validate(t, d, false,
			company.Trial{Company: "GB-0-1", From: "2025-01-31", Defaulted: true},
			company.Trial{Company: "GB-0-2", From: "2025-01-31"},
			company.Trial{Company: "GB-0-3", From: "2025-01-31"}, // was not there yet
			company.Trial{Company: "GB-0-4", From: "2025-01-31", Defaulted: true},
		)
		// 50 + 3 − 8 − 3 = 42, not the 10 of today; and 50 + 9 + 13 = 72.
		want := []company.BandResult{{Band: "A", Companies: 1}, {Band: "C", Companies: 1, Defaulted: 1}}
		if diff := cmp.Diff(want, got.Bands); diff != "" {
			t.Errorf("bands (-want +got):\n%s", diff)
		}
		if got.Rows != 4 || got.Rated != 2 || got.Unknown != 1 || got.Unrated != 1 || got.AUC != 1 || !got.HasAUC {
			t.Errorf("got %+v", got)
		}
	})
}

func TestValidateReadsScoresFromTheLog(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		say := func(value int, at string) {
			run, err := d.NewRun(t.Context(), "scores", false, on(at))
			if err != nil {
				t.Fatal(err)
			}
			s := gb("1", "Oak")
			s.Facts.Score = &company.Score{Value: value, Band: company.BandOf(value), At: company.Date(at)}
			if err := run.Add(t.Context(), []company.Statement{s}); err != nil {
				t.Fatal(err)
			}
			if err := run.Finish(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		say(80, "2025-01-10")
		say(60, "2025-02-10")
		say(10, "2025-03-10")
		for day, want := range map[company.Date]string{
			"2025-01-09": "", "2025-01-10": "A", "2025-02-09": "A", "2025-02-10": "B", "2025-03-09": "B", "2025-03-10": "E", "2026-01-01": "E",
		} {
			band := ""
			if got := validate(t, d, true, company.Trial{Company: "GB-0-1", From: day}); len(got.Bands) > 0 {
				band = got.Bands[0].Band
			}
			if band != want {
				t.Errorf("on %s it was %q, want %q", day, band, want)
			}
		}
	})
}

// The AUC is what counting every pair comes to.
func TestAUCCountsPairs(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(r, "n")
		var values [101][2]int64
		var scores []int
		var bad []bool
		for i := range n {
			s, b := rapid.IntRange(0, 100).Draw(r, fmt.Sprint("score", i)), rapid.Bool().Draw(r, fmt.Sprint("bad", i))
			scores, bad = append(scores, s), append(bad, b)
			if b {
				values[s][1]++
			} else {
				values[s][0]++
			}
		}
		wins, pairs := 0.0, 0.0
		for i := range n {
			for j := range n {
				if !bad[i] || bad[j] {
					continue
				}
				pairs++
				switch {
				case scores[i] < scores[j]:
					wins++
				case scores[i] == scores[j]:
					wins += 0.5
				}
			}
		}
		got, ok := company.AUC(values)
		if ok != (pairs > 0) || ok && math.Abs(got-wins/pairs) > 1e-9 {
			r.Fatalf("got %v %v, want %v", got, ok, wins/pairs)
		}
	})
}
