package app

import (
	"context"
	"errors"
	"time"

	"bureau/internal/company"
	"bureau/internal/job"
)

// newFinder makes the door to searches. It keeps its index of names in the data
// folder between two runs.
func (a *App) newFinder() *company.Finder {
	return &company.Finder{Register: a.Register, Store: a.DB, Folder: a.Config.Data}
}

// unhurried is how long those who follow the register wait from one batch to the
// next, unless it was full: the commits of each small one would be in the way of
// telling customers.
const unhurried = 200 * time.Millisecond

// keyReader keeps what companies are looked for by besides names. One node at a
// time does it for all.
func (a *App) keyReader() *job.Reader[company.Change] {
	return &job.Reader[company.Change]{
		Name: company.KeyReader, Owner: a.Calls.Node, Store: a.DB,
		Log:    a.DB.Changes,
		Number: func(c company.Change) int64 { return c.Number },
		Handle: func(ctx context.Context, batch []company.Change, to job.Place) error {
			keys, err := a.Register.KeysOf(ctx, batch)
			if err != nil {
				return err
			}
			return a.DB.SaveKeys(ctx, keys, to)
		},
		Batch: 1000, Life: 10 * time.Second, Every: time.Second, Rest: unhurried, Wake: &a.DB.Signals.Changes, Now: time.Now,
	}
}

// catchUp has everything that was written until now searched in, and returns
// when it is.
func (a *App) catchUp(ctx context.Context) error {
	keys := a.keyReader()
	for n := 1; n > 0; {
		var err error
		if n, err = keys.Step(ctx); err != nil {
			return err
		}
	}
	for more := true; more; {
		var err error
		if more, err = a.Finder.Step(ctx); err != nil {
			return err
		}
	}
	return nil
}

const (
	// tidyNames is how often the index of names is looked through for what
	// changes have left of it.
	tidyNames = 10 * time.Second
	// namesRest is how long it takes at most until a change can be searched for,
	// and so how seldom small ones are looked for.
	namesRest = 50 * time.Millisecond
	// saveNames is how often it is kept. Who is killed loses no more than that,
	// and reads it from the log.
	saveNames = 10 * time.Minute
)

// search keeps what is searched in current until ctx is done, in goroutines that
// s waits for.
func (s *Serving) search(ctx context.Context) {
	finder, keys := s.app.Finder, s.app.keyReader()
	s.work.Go(func() { keys.Run(ctx, s.failing(ctx, "search keys")) })
	s.work.Go(func() {
		failed := s.failing(ctx, "names")
		kept := false
		job.Follow(ctx, &s.app.DB.Signals.Changes, time.Second, failed, func(ctx context.Context) (more bool, err error) {
			more, err = finder.Step(ctx)
			if _, ok := finder.Ready(); ok && !kept && err == nil {
				kept = true // what took long to make is kept at once
				companies, people := finder.Size()
				s.app.Log.InfoContext(ctx, "names can be searched", "companies", companies, "people", people)
				err = finder.Save(ctx)
			}
			if !more {
				job.Rest(ctx, namesRest)
			}
			return more, err
		})
		if err := finder.Save(context.WithoutCancel(ctx)); err != nil && !errors.Is(err, context.Canceled) {
			failed(err)
		}
	})
	for _, w := range []work{
		{"names put together", tidyNames, finder.Tidy},
		{"names kept", saveNames, finder.Save},
	} {
		s.work.Go(func() { s.app.run(ctx, w, s.metrics) })
	}
}
