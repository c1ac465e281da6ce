package company_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
)

// A ratings is a desk with a scorer that follows its log.
type ratings struct {
	desk
	scorer *company.Scorer
	reader *job.Reader[company.Change]
	today  time.Time
}

func newRatings(d desk) *ratings {
	r := &ratings{desk: d, today: on("2026-11-15")}
	r.scorer = &company.Scorer{
		Store: d.db, Boards: r.boards,
		Now: func(context.Context) (time.Time, error) { return r.today, nil },
	}
	r.reader = &job.Reader[company.Change]{
		Name: company.ScorerName, Owner: "test", Store: d.db, Log: d.db.Changes,
		Number: func(c company.Change) int64 { return c.Number },
		Handle: func(ctx context.Context, batch []company.Change, to job.Place) error {
			return r.scorer.Handle(ctx, batch, company.Reached{Reader: to.Name, Number: to.Number, Fence: to.Fence})
		},
		Batch: 3, Life: time.Minute, Now: time.Now,
	}
	return r
}

// boards looks through all companies: tests have a handful.
func (r *ratings) boards(ctx context.Context, who company.PersonID, limit int) (out []company.ID, err error) {
	err = r.db.Companies(ctx, "", func(h company.Held) error {
		c := company.Merge(h)
		for i := range c.Officers {
			if c.Officers[i].PersonID(c.ID) == who && len(out) < limit {
				out = append(out, c.ID)
				break
			}
		}
		return nil
	})
	return out, err
}

// follow reads the log to its end, and fails if that takes for ever.
func (r *ratings) follow(t *testing.T) {
	t.Helper()
	for range 100 {
		n, err := r.reader.Step(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
	t.Fatal("the scorer does not come to an end")
}

func (r *ratings) score(t *testing.T, number string) *company.Score {
	t.Helper()
	c, err := r.Company(t.Context(), company.NewID("GB", number))
	if err != nil {
		t.Fatal(err)
	}
	return c.Score
}

func (r *ratings) wantValue(t *testing.T, number string, want int) {
	t.Helper()
	if s := r.score(t, number); s == nil || s.Value != want {
		t.Errorf("the score of %s is %+v, want %d", number, s, want)
	}
}

// told are the changes of scores, bands and limits since the last time.
func (r *ratings) told(t *testing.T, since *int) (out []string) {
	t.Helper()
	all := r.changes(t)
	for _, c := range all[*since:] {
		switch c.Field {
		case company.ScoreValue, company.ScoreBand, company.ScoreLimit:
			out = append(out, fmt.Sprintf("%s %s %s→%s (%s)", c.Company.Number(), c.Field, c.Old, c.New, c.Source))
		}
	}
	*since = len(all)
	return out
}

func aged(number string, founded company.Date) company.Statement {
	s := gb(number, "Company "+number)
	s.Facts.Status, s.Facts.Founded = company.Active, founded
	return s
}

func TestScoresFollowTheLog(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		r := newRatings(d)
		seen := 0
		r.take(t, "src", false, aged("1", "2000-01-01"), aged("2", "2018-03-01"), gb("3", "Nothing is known of it"))
		r.follow(t)
		r.wantValue(t, "1", 56) // 50, 9 for its age, less 3 for accounts that are not there
		r.wantValue(t, "2", 50)
		if s := r.score(t, "3"); s != nil {
			t.Errorf("a company of which nothing is known is rated %+v", s)
		}
		if got := r.told(t, &seen); got != nil {
			t.Errorf("a first score is told: %q", got)
		}

		one := aged("1", "2000-01-01")
		one.Facts.Notices = []company.Notice{{Date: "2026-11-01", Kind: "court"}}
		r.take(t, "src", false, one)
		r.follow(t)
		r.wantValue(t, "1", 48)
		if d := cmp.Diff([]string{"1 score 56→48 (scorecard)", "1 band B→C (scorecard)"}, r.told(t, &seen)); d != "" {
			t.Errorf("told (-want +got):\n%s", d)
		}
		if at := r.score(t, "1").At; at != "2026-11-15" {
			t.Errorf("it is of %s", at)
		}

		// The same again is nothing new, also to the scorer, and it is the day
		// of the last change that the score keeps.
		r.today = on("2026-11-20")
		one.Facts.Phones = []string{"1"}
		r.take(t, "src", false, one)
		r.follow(t)
		if got, at := r.told(t, &seen), r.score(t, "1").At; got != nil || at != "2026-11-15" {
			t.Errorf("nothing changed and %q is told, as of %s", got, at)
		}
	})
}

func TestOtherScoresComeFirst(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		r := newRatings(d)
		seen := 0
		r.take(t, "src", false, aged("1", "2000-01-01"))
		r.follow(t)
		r.told(t, &seen)

		bought := gb("1", "")
		bought.Facts.Score = &company.Score{Value: 12, Band: "E"}
		r.take(t, "scores", false, bought)
		r.follow(t)
		r.wantValue(t, "1", 12)
		if got := r.told(t, &seen); !slices.Equal(got, []string{"1 score 56→12 (scores)", "1 band B→E (scores)"}) {
			t.Errorf("told %q", got)
		}
		one := aged("1", "2020-01-01")
		r.take(t, "src", false, one)
		r.follow(t)
		r.wantValue(t, "1", 12)
		if got := r.told(t, &seen); got != nil {
			t.Errorf("what nobody sees has changed, and is told: %q", got)
		}
		bought.Gone = true
		r.take(t, "scores", false, bought)
		r.follow(t)
		r.wantValue(t, "1", 50) // and it has been kept up to date meanwhile
		if got := r.told(t, &seen); !slices.Equal(got, []string{"1 score 12→50 (scores)", "1 band E→C (scores)"}) {
			t.Errorf("told %q", got)
		}
	})
}

func TestScoresOfUnknownCompaniesMakeNone(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		for _, registered := range []bool{false, true} {
			if registered {
				d.take(t, "src", false, aged("1", "2000"))
			}
			run, err := d.NewRun(t.Context(), "scores", false, noon)
			if err != nil {
				t.Fatal(err)
			}
			run.OnlyKnown()
			one, two := gb("1", ""), gb("2", "")
			one.Facts.Score, two.Facts.Score = &company.Score{Value: 5, Band: "E"}, &company.Score{Value: 6, Band: "E"}
			if err := errors.Join(run.Add(t.Context(), []company.Statement{one, two}), run.Finish(t.Context())); err != nil {
				t.Fatal(err)
			}
			want := int64(2)
			if registered {
				want = 1
			}
			if run.Result.Unknown != want || run.Result.New != 0 {
				t.Errorf("got %+v, want %d unknown", run.Result, want)
			}
		}
	})
}

func TestTimeAloneChangesScores(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		r := newRatings(d)
		seen := 0
		young := aged("1", "2025-11-18")
		young.Facts.Due.AccountsNext = "2026-12-01"
		r.take(t, "src", false, young, aged("2", "2024-12-24"))
		r.follow(t)
		r.wantValue(t, "1", 35)
		step := func(day string, want ...string) {
			t.Helper()
			r.today = on(day)
			for range 2 { // a second look finds nothing more
				n, err := r.scorer.Step(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if got := r.told(t, &seen); !slices.Equal(got, want) {
					t.Errorf("%s: looked at %d, told %q, want %q", day, n, got, want)
				}
				want = nil
			}
		}
		step("2026-11-17")
		step("2026-11-18", "1 score 35→39 (scorecard)")
		step("2026-12-01")
		step("2026-12-02", "1 score 39→33 (scorecard)")
		step("2027-12-24", // long after, in one step
			"2 score 39→44 (scorecard)", "1 score 33→28 (scorecard)", "1 band C→D (scorecard)")
	})
}

func TestFailureReachesWhoeverDependsOnIt(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		r := newRatings(d)
		ann := company.Officer{Person: company.Person{ID: "GB-1", Name: "Ann"}, Role: "director", From: "2020-01-01"}
		head, child, friend, other := aged("1", "2018-03-01"), aged("2", "2018-03-01"), aged("3", "2018-03-01"), aged("4", "2018-03-01")
		child.Facts.Links = []company.Link{{Kind: company.Parent, ID: "GB-0-1"}}
		head.Facts.Officers, friend.Facts.Officers = []company.Officer{ann}, []company.Officer{ann}
		r.take(t, "src", false, head, child, friend, other)
		r.follow(t)
		r.wantValue(t, "2", 52)
		r.wantValue(t, "3", 50)
		head.Facts.Status = company.Pending
		r.take(t, "src", false, head)
		r.follow(t)
		r.wantValue(t, "1", 10)
		r.wantValue(t, "2", 38) // its parent fails
		r.wantValue(t, "3", 46) // its director's other company failed
		r.wantValue(t, "4", 50)
	})
}

// A company that no source speaks of any more is gone, though it was rated.
func TestScoreKeepsNobodyAlive(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		r := newRatings(d)
		r.take(t, "src", true, aged("1", "2000"), aged("2", "2000"))
		r.follow(t)
		r.take(t, "src", true, aged("2", "2000"))
		if _, err := r.Company(t.Context(), "GB-0-1"); !errors.Is(err, fault.Missing) {
			t.Errorf("it is still there (%v)", err)
		}
		r.follow(t)
		r.take(t, "src", true, aged("1", "2000"), aged("2", "2000"))
		r.follow(t)
		r.wantValue(t, "1", 56)
	})
}

// A scorer that was held up cannot save what it found: another reads by now.
func TestScorerIsFenced(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		r := newRatings(d)
		r.take(t, "src", false, aged("1", "2000"))
		lease, ok, err := r.db.Lease(t.Context(), company.ScorerName, "another", time.Minute)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		err = r.scorer.Handle(t.Context(), r.changes(t), company.Reached{Reader: company.ScorerName, Number: 1, Fence: lease.Fence - 1})
		if !errors.Is(err, fault.Conflict) {
			t.Errorf("got %v, want a conflict", err)
		}
		if s := r.score(t, "1"); s != nil {
			t.Errorf("it was rated all the same: %+v", s)
		}
		if n, err := r.db.Place(t.Context(), company.ScorerName); n != 0 || err != nil {
			t.Errorf("its place is %d (%v)", n, err)
		}
	})
}

// What the operator keeps from being shown is neither shown nor told.
func TestSuppressedScoreIsNotTold(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		r := newRatings(d)
		seen := 0
		r.take(t, "src", false, aged("1", "2000-01-01"))
		r.follow(t)
		_, err := r.Correct(t.Context(), "GB-0-1", func(f *company.Facts) error {
			f.Suppressed = []string{"score"}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		r.told(t, &seen)
		r.take(t, "src", false, aged("1", "2020-01-01"))
		r.follow(t)
		if got, s := r.told(t, &seen), r.score(t, "1"); got != nil || s != nil {
			t.Errorf("told %q, shown %+v", got, s)
		}
	})
}
