package store

import (
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/monitor"
)

// B8: an event whose deliveries cannot be written is not written either.
// Otherwise a crash between the two would lose a message for ever.
func TestEventsAndDeliveriesAreOneTransaction(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		db, ctx := open(t, url), t.Context()
		by := auth.Caller{Customer: 1, Account: 2}
		p, err := db.CreatePortfolio(ctx, by, monitor.Portfolio{Name: "one"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.CreateWebhook(ctx, by, monitor.Webhook{URL: "https://example.com/"}, 1); err != nil {
			t.Fatal(err)
		}
		rename := func(from, to string) {
			t.Helper()
			err := db.write(ctx, func(x tx) error {
				_, err := x.Exec(ctx, `ALTER TABLE `+from+` RENAME TO `+to)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		tell := func() (int, error) {
			return db.Tell(ctx, []monitor.Event{{Customer: 1, Portfolio: p.ID, Company: "GB-0-1", Country: monitor.Everywhere, Rule: 101, Change: 1, At: time.Now()}}, nil)
		}
		rename("delivery", "elsewhere")
		if n, err := tell(); err == nil {
			t.Errorf("%d events were told without their deliveries", n)
		}
		last, err := db.LastEvent(ctx)
		if err != nil || last != 0 {
			t.Errorf("event %d was kept without its deliveries (%v)", last, err)
		}
		rename("elsewhere", "delivery")
		if n, err := tell(); err != nil || n != 1 {
			t.Errorf("told %d, %v", n, err)
		}
	})
}
