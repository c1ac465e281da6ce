package store

import (
	"context"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

// ImportMembers implements monitor.ImportStore. The task comes first: whoever
// has lost it shall not add anything.
func (db *DB) ImportMembers(ctx context.Context, by auth.Caller, id monitor.PortfolioID, list []monitor.Member,
	life time.Duration, of job.Task, note func(there []company.ID) job.Task,
) error {
	err := db.write(ctx, func(t tx) error {
		if _, err := db.lockTask(ctx, t, of); err != nil {
			return err
		}
		there, err := db.addMembers(ctx, t, by, id, list)
		if err != nil {
			return err
		}
		return db.keepTask(ctx, t, note(there), life)
	})
	return memberError("import companies into a portfolio", err)
}

// SyncMembers implements monitor.ImportStore.
func (db *DB) SyncMembers(ctx context.Context, by auth.Caller, id monitor.PortfolioID, list []monitor.Member, stay monitor.Stay,
	of job.Task, note func(added, removed, kept int) job.Task,
) error {
	err := db.write(ctx, func(t tx) error {
		if _, err := db.lockTask(ctx, t, of); err != nil {
			return err
		}
		added, removed, kept, err := db.replaceMembers(ctx, t, by, id, list, stay)
		if err != nil {
			return err
		}
		k := note(added, removed, kept)
		k.State, k.Error = job.Done, ""
		return db.endTask(ctx, t, k)
	})
	return memberError("sync a portfolio", err)
}
