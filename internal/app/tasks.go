package app

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/job"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
)

// keepTasks is how long the results of tasks can be asked for.
const keepTasks = 30 * 24 * time.Hour

// taskWorkers is how many tasks a node does at once: a long one does not keep
// the others waiting.
const taskWorkers = 2

// newImports makes the door to the files that fill portfolios.
func (a *App) newImports() *monitor.Imports {
	return &monitor.Imports{
		Store: a.DB, Companies: a.Register, Wake: &job.Signal{},
		Allow: func(ctx context.Context, by auth.Caller, country string) error {
			return a.Gate.Allow(ctx, by, auth.Monitoring, country)
		},
	}
}

// newReports makes the door to reports. They wake the same workers.
func (a *App) newReports() *kyc.Reports {
	return &kyc.Reports{
		Store: a.DB, Profiles: a.DB, Searches: a.DB, Trail: a.Trail, Wake: a.Imports.Wake, Keep: keepTasks, Now: time.Now,
		Alerts: a.KYC.Alerts, Called: a.called,
	}
}

// newBatches makes the door to many searches at once.
func (a *App) newBatches() *kyc.Batches {
	return &kyc.Batches{Store: a.DB, Searches: a.KYC, Gate: a.Gate, Wake: a.Imports.Wake, Now: time.Now}
}

// called is what an account is called: by a name, or by its user key.
func (a *App) called(id auth.AccountID) string {
	who, _ := a.Directory.Account(id)
	return cmp.Or(strings.TrimSpace(who.First+" "+who.Surname), who.UserKey)
}

// kinds are the tasks that this node can do.
func (a *App) kinds() map[string]func(context.Context, *job.Hold) ([]byte, error) {
	all := maps.Clone(a.Imports.Kinds())
	maps.Copy(all, a.Reports.Kinds())
	maps.Copy(all, a.Batches.Kinds())
	return all
}

// doTasks does what callers asked for and do not wait for, until ctx is done,
// in goroutines that s waits for.
func (s *Serving) doTasks(ctx context.Context) {
	worker := &job.Worker{
		Kinds: s.app.kinds(), Store: s.app.DB, Owner: s.app.Calls.Node,
		Life: time.Minute, Every: time.Second, Wake: s.app.Imports.Wake,
	}
	for range taskWorkers {
		s.work.Go(func() { worker.Run(ctx, s.failing(ctx, "tasks")) })
	}
	s.work.Go(func() {
		s.app.run(ctx, work{"old tasks", time.Hour, func(ctx context.Context) error {
			if err := s.app.DB.ForgetTasks(ctx, time.Now().Add(-keepTasks)); err != nil {
				return err
			}
			return errors.Join(s.app.DB.ForgetReports(ctx), s.app.DB.ForgetBatches(ctx))
		}}, s.metrics)
	})
}
