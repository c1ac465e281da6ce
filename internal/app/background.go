package app

import (
	"context"
	"errors"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// keepReplies is how long an Idempotency-Key is remembered.
const keepReplies = 24 * time.Hour

// A work is something that a serving node does again and again.
type work struct {
	name  string
	every time.Duration
	step  func(context.Context) error
}

// background is the table of them.
func (a *App) background() []work {
	list := []work{
		// A disabled account, a revoked token and a changed grant bite within
		// a second on every node: this is how.
		{"directory", 250 * time.Millisecond, a.Directory.Refresh},
		{"call limits", time.Second, a.Calls.Step},
		{"keys", time.Minute, a.Office.StepKeys},
		// A table that the command line imported is in force a second later.
		{"bank tables", time.Second, a.Bank.Tables.Refresh},
		{"audit head", time.Minute, a.Journal.Sign},
		{"old login attempts", time.Minute, func(ctx context.Context) error {
			return a.DB.ForgetAttempts(ctx, time.Now().Add(-a.Directory.KeepAttempts()))
		}},
		{"old sessions", 10 * time.Minute, a.Sessions.Forget},
		{"accounts overdue", 10 * time.Second, a.overdue()},
		{"old replies", time.Hour, func(ctx context.Context) error {
			return a.DB.ForgetReplies(ctx, time.Now().Add(-keepReplies))
		}},
	}
	if a.Config.KeepAudit > 0 {
		list = append(list, work{"old audit log", time.Hour, a.forgetAudit})
	}
	if a.Config.KeepSearches > 0 {
		list = append(list, work{"old searches", time.Hour, a.purgeOld})
	}
	if a.Config.Sandbox && a.Config.SandboxSpeed > 0 {
		clock := a.clock()
		list = append(list, work{"sandbox clock", time.Duration(float64(tickEvery) / a.Config.SandboxSpeed), func(ctx context.Context) error {
			if ok, err := clock.Filled(ctx); err != nil || !ok {
				return err
			}
			_, err := clock.Advance(ctx, 1)
			return err
		}})
	}
	return list
}

// overdue notices, once a day has passed, who did not file on it. In the sandbox
// it is the sandbox's day.
func (a *App) overdue() func(context.Context) error {
	o := &company.Overdue{Store: a.DB}
	clock := a.clock()
	return func(ctx context.Context) error {
		now := time.Now()
		if a.Config.Sandbox {
			var err error
			if now, err = clock.Now(ctx); err != nil {
				return err
			}
		}
		_, err := o.Step(ctx, now)
		return err
	}
}

// forgetAudit lets go of the months of the audit log that are old enough. An SQLite
// file has one writer, who is not to be kept waiting: there they go in pieces.
func (a *App) forgetAudit(ctx context.Context) error {
	most := 0
	if a.DB.Engine() == "sqlite" {
		most = 5000
	}
	n, err := a.Journal.Forget(ctx, time.Now().AddDate(0, 0, -a.Config.KeepAudit), most)
	if n > 0 {
		a.Log.Info("old months of the audit log were let go", "entries", n)
	}
	if errors.Is(err, fault.Conflict) {
		return nil // another node is at it
	}
	return err
}

// run does a work until ctx is done. A step that fails is tried again at its
// next turn; the log says so once, and once when it works again.
func (a *App) run(ctx context.Context, w work, m *metrics) {
	tick := time.NewTicker(w.every)
	defer tick.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		err := w.step(ctx)
		if ctx.Err() != nil {
			return
		}
		m.stepped(w.name, err, time.Now())
		switch {
		case err != nil && !failing:
			a.Log.Error("background work fails", "job", w.name, "err", err)
		case err == nil && failing:
			a.Log.Info("background work is well again", "job", w.name)
		}
		failing = err != nil
	}
}
