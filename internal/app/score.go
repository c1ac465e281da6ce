package app

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/job"
)

// scorer rates companies. In the sandbox it is the sandbox's day.
func (a *App) scorer() *company.Scorer {
	s := &company.Scorer{
		Store: a.DB,
		Boards: func(ctx context.Context, who company.PersonID, limit int) ([]company.ID, error) {
			return a.DB.KeyHolders(ctx, company.KeyQuery{Key: company.Key{Kind: company.KeyPerson, Value: string(who)}, Limit: limit})
		},
		Now: func(context.Context) (time.Time, error) { return time.Now(), nil },
	}
	if a.Config.Sandbox {
		s.Now = a.clock().Now
	}
	return s
}

// scoreReader follows the log for the scorer. It stays behind the reader that
// notes who sits on which board: the scorer asks for that.
func (a *App) scoreReader() *job.Reader[company.Change] {
	scorer := a.scorer()
	return &job.Reader[company.Change]{
		Name: company.ScorerName, Owner: a.Calls.Node, Store: a.DB,
		Log: func(ctx context.Context, after int64, limit int) ([]company.Change, error) {
			known, err := a.DB.Place(ctx, company.KeyReader)
			if err != nil || known <= after {
				return nil, err
			}
			return a.DB.Changes(ctx, after, int(min(int64(limit), known-after)))
		},
		Number: func(c company.Change) int64 { return c.Number },
		Handle: func(ctx context.Context, batch []company.Change, to job.Place) error {
			return scorer.Handle(ctx, batch, company.Reached{Reader: to.Name, Number: to.Number, Fence: to.Fence})
		},
		Batch: 500, Life: 10 * time.Second, Every: time.Second, Rest: unhurried, Wake: &a.DB.Signals.Changes, Now: time.Now,
	}
}

// score keeps scores current until ctx is done, in goroutines that s waits for.
func (s *Serving) score(ctx context.Context) {
	reader, scorer := s.app.scoreReader(), s.app.scorer()
	s.work.Go(func() { reader.Run(ctx, s.failing(ctx, "scores")) })
	s.work.Go(func() {
		s.app.run(ctx, work{"scores due", 10 * time.Second, func(ctx context.Context) error {
			for {
				n, err := scorer.Step(ctx)
				if err != nil || !company.More(n) {
					return err
				}
			}
		}}, s.metrics)
	})
}

// rateAll waits until keys and scores have come to where the log ends now, for
// whoever must not find a world that is half made. Where no server does that
// work, it does it itself.
func (a *App) rateAll(ctx context.Context) error {
	end, err := a.DB.LastChange(ctx)
	if err != nil {
		return err
	}
	for _, r := range []*job.Reader[company.Change]{a.keyReader(), a.scoreReader()} {
		r.Owner += " filling" // not to be taken for the server's own
		for {
			n, err := r.Step(ctx)
			if err != nil {
				return err
			}
			at, err := a.DB.Place(ctx, r.Name)
			if err != nil {
				return err
			}
			if at >= end {
				break
			}
			if n > 0 {
				continue
			}
			select { // the server is at it
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(50 * time.Millisecond):
			}
		}
		r.Release(ctx)
	}
	return nil
}

// A ScoreTrial is how scores fared against an operator's own experience.
type ScoreTrial struct {
	Rows    int64       `json:"rows"`
	Rated   int64       `json:"rated"`
	Unknown int64       `json:"unknown"`
	Unrated int64       `json:"unrated"`
	AUC     *float64    `json:"auc"` // null where all defaulted, or none
	Bands   []BandTrial `json:"bands"`
}

// A BandTrial is how the companies of a band fared.
type BandTrial struct {
	Band      string  `json:"band"`
	Companies int64   `json:"companies"`
	Defaulted int64   `json:"defaulted"`
	Rate      float64 `json:"rate"` // of those that defaulted, from 0 to 1
}

// ValidateScores holds scores against a CSV with the columns id, date and
// defaulted. A line that makes no sense is named and ends it: a file that is half
// read says something else.
func (a *App) ValidateScores(ctx context.Context, path string, stdin io.Reader, recorded bool) (ScoreTrial, error) {
	in := stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return ScoreTrial{}, err
		}
		defer f.Close()
		in = f
	}
	v := &company.Validator{Store: a.DB, Recorded: recorded}
	if err := readTrials(in, func(t company.Trial) error { return v.Add(ctx, t) }); err != nil {
		return ScoreTrial{}, err
	}
	got := v.Result()
	out := ScoreTrial{Rows: got.Rows, Rated: got.Rated, Unknown: got.Unknown, Unrated: got.Unrated, Bands: []BandTrial{}}
	if got.HasAUC {
		out.AUC = &got.AUC
	}
	for _, b := range got.Bands {
		out.Bands = append(out.Bands, BandTrial{b.Band, b.Companies, b.Defaulted, float64(b.Defaulted) / float64(b.Companies)})
	}
	return out, nil
}

var trialColumns = []string{"id", "date", "defaulted"}

func readTrials(in io.Reader, each func(company.Trial) error) error {
	buf := bufio.NewReader(in)
	if mark, _ := buf.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		_, _ = buf.Discard(3)
	}
	r := csv.NewReader(buf)
	head, err := r.Read()
	if errors.Is(err, io.EOF) {
		return errors.New("the file is empty: its first line names the columns id, date and defaulted")
	}
	if err != nil {
		return err
	}
	at := map[string]int{}
	for i, name := range head {
		at[strings.ToLower(strings.TrimSpace(name))] = i
	}
	for _, name := range trialColumns {
		if _, ok := at[name]; !ok {
			return fmt.Errorf("the first line has no column %s; the columns are %s", name, strings.Join(trialColumns, ", "))
		}
	}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := r.FieldPos(0)
		t, err := readTrial(row[at["id"]], row[at["date"]], row[at["defaulted"]])
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if err := each(t); err != nil {
			return err
		}
	}
}

func readTrial(id, day, defaulted string) (t company.Trial, err error) {
	if t.Company, err = company.ParseID(id); err != nil {
		return t, fmt.Errorf("id: %w", err)
	}
	day = strings.TrimSpace(day)
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return t, fmt.Errorf("date: %q is no day: write it as 2006-01-02", day)
	}
	t.From = company.Date(day)
	switch word := strings.ToLower(strings.TrimSpace(defaulted)); {
	case slices.Contains([]string{"1", "y", "yes", "true"}, word):
		t.Defaulted = true
	case !slices.Contains([]string{"0", "n", "no", "false", ""}, word):
		return t, fmt.Errorf("defaulted: %q is neither yes nor no", defaulted)
	}
	return t, nil
}
