package auth_test

import (
	"testing"
	"time"

	"bureau/internal/auth"
)

// A flood of refused logins, one at a time, must not fill the disk: it is told
// of once a minute, and every request is in the sum.
func TestFloodAddsARowAMinute(t *testing.T) {
	c := newClock()
	h := newHouse(t, c, plan{})
	h.account(h.customer("acme"), "key")
	for range 105 {
		h.try(from(1), "key", "wrong")
	}
	c.Step(time.Minute)
	h.try(from(1), "key", "wrong")
	var rows []string
	err := h.db.AuditLog(t.Context(), 0, func(e auth.Entry) error {
		if e.Action == auth.LoginsLimited {
			rows = append(rows, e.Detail)
		}
		return nil
	})
	if err != nil || len(rows) != 2 || rows[0] != "requests=1" || rows[1] != "requests=100" {
		t.Fatalf("rows %q, %v; want the first refusal at once and the other hundred a minute later", rows, err)
	}
}
