package store

import (
	"context"
	"testing"
	"time"

	"bureau/internal/job"
)

// While the results of one task are being saved, which may take long, others
// are claimed. On SQLite all writing waits.
func TestClaimDoesNotWaitForATaskThatIsSaved(t *testing.T) {
	url := engines["postgres"](t)
	one, other := open(t, url), open(t, url)
	var ids []job.TaskID
	for range 2 {
		k, err := one.AddTask(t.Context(), job.Task{Kind: "import", Customer: 1})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, k.ID)
	}
	first, _, err := one.ClaimTask(t.Context(), []string{"import"}, "a", 0) // it ends at once
	if err != nil {
		t.Fatal(err)
	}
	err = one.write(t.Context(), func(w tx) error {
		if err := one.keepTask(t.Context(), w, first, 0); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		k, ok, err := other.ClaimTask(ctx, []string{"import"}, "b", time.Hour)
		if err != nil || !ok || k.ID != ids[1] {
			t.Errorf("claimed task %d, %v (%v); want %d", k.ID, ok, err, ids[1])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
