package app

import (
	"context"
	"fmt"
	"time"

	"bureau/internal/monitor"
)

// engine makes the engine that turns changes into events.
func (a *App) engine() *monitor.Engine {
	return &monitor.Engine{
		Store: a.DB, Jobs: a.DB, Log: a.DB.Changes, Past: a.DB.ChangesOf, Owner: a.Calls.Node,
		Wake: &a.DB.Signals.Changes, Now: time.Now,
	}
}

// follow runs the followers of the log until ctx is done, each in a goroutine
// that s waits for.
func (s *Serving) follow(ctx context.Context) {
	engine := s.app.engine()
	standing := s.failing(ctx, "evaluation's progress")
	s.work.Go(func() {
		engine.Run(ctx, s.failing(ctx, "evaluation"))
	})
	s.work.Go(func() { s.hub.Run(ctx, s.failing(ctx, "streams")) })
	s.work.Go(func() { s.listen(ctx) })
	s.work.Go(func() { s.app.DB.RunReplicas(ctx, s.failing(ctx, "replicas")) })
	// The months that begin soon must be there before anything is kept in them.
	months := func(ctx context.Context) error { return s.app.DB.MakeMonths(ctx, time.Now()) }
	if err := months(ctx); err != nil {
		s.failing(ctx, "months")(err)
	}
	for _, w := range []work{
		{"months", time.Hour, months},
		{"evaluation's health", 5 * time.Second, func(ctx context.Context) error { return s.watch(ctx, engine, standing) }},
		{"streams' tokens", time.Second, s.hub.Sweep},
		{"old watchers", time.Minute, engine.Tidy},
		{"old events", time.Minute, func(ctx context.Context) error { return s.app.forgetEvents(ctx) }},
	} {
		s.work.Go(func() { s.app.run(ctx, w, s.metrics) })
	}
}

// failing notes failures of a follower, and says so in the log once a minute.
func (s *Serving) failing(ctx context.Context, name string) func(error) {
	var last time.Time
	return func(err error) {
		s.metrics.stepped(name, err, time.Now())
		if time.Since(last) > time.Minute {
			last = time.Now()
			s.app.Log.ErrorContext(ctx, "background work fails", "job", name, "err", err)
		}
	}
}

// listen hears the other nodes. A connection that breaks is opened again.
func (s *Serving) listen(ctx context.Context) {
	failed := s.failing(ctx, "wake-ups")
	for ctx.Err() == nil {
		if err := s.app.DB.Listen(ctx); err != nil {
			failed(err)
			select {
			case <-ctx.Done():
			case <-time.After(time.Second):
			}
		}
	}
}

// watch measures how far evaluation is behind, and tells when it stands still: a
// silent monitor looks like a quiet world.
func (s *Serving) watch(ctx context.Context, e *monitor.Engine, standing func(error)) error {
	last, err := s.app.DB.LastChange(ctx)
	if err != nil {
		return err
	}
	h, err := e.Health(ctx, last)
	if err != nil {
		return err
	}
	s.metrics.evaluated(h)
	if h.Standing {
		standing(fmt.Errorf("nothing was evaluated for %s, and %d changes wait", h.Stood.Round(time.Second), h.Behind))
	}
	return s.mail.evaluation(ctx, h)
}

// forgetEvents takes away events that are older than the customers were
// promised.
func (a *App) forgetEvents(ctx context.Context) error {
	const batch = 5000
	before := time.Now().AddDate(0, 0, -a.Config.KeepEvents)
	for {
		// A piece is about some portfolios only: less than a batch is not all.
		n, err := a.DB.ForgetEvents(ctx, before, batch)
		if err != nil || n == 0 {
			return err
		}
	}
}
