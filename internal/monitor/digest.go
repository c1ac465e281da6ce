package monitor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bureau/internal/auth"
)

// Digests tells portfolios' recipients by mail what happened since the last
// digest, once in so many days.
type Digests struct {
	Store DigestStore
	Write func(DigestNews) ([]Mail, error) // a mail for each recipient
	Now   func() time.Time
}

// DigestStore keeps how far digests have come.
type DigestStore interface {
	// DueDigests lists the portfolios that want a digest and whose last one was
	// in an earlier window than a day, or that never had one: in order, above a
	// number, at most limit. A window is as many days as the portfolio's
	// frequency says, counted since 1970. Of each it tells the number and the
	// customer.
	DueDigests(ctx context.Context, day int64, above PortfolioID, limit int) ([]Portfolio, error)

	// DigestNews returns what a portfolio's next digest is about: its oldest
	// events, at most limit, and how many there are in all. A portfolio that is
	// gone is a fault.Missing.
	DigestNews(ctx context.Context, of auth.CustomerID, id PortfolioID, limit int) (DigestNews, error)

	// KeepDigest keeps the mails of a digest and marks its day and its last
	// event, in one transaction. If there was another digest since the news
	// were read, or the portfolio was changed, nothing is kept and ok is false.
	KeepDigest(ctx context.Context, n DigestNews, day int64, list []Mail) (ok bool, err error)

	// TidyDigests forgets the marks of portfolios that want no digest any more.
	// Should they want one again, it does not tell what happened meanwhile.
	TidyDigests(ctx context.Context) error

	// Unsubscribe takes an address out of a portfolio's recipients, and the
	// mail that waits for it away. An address or a portfolio that is not there
	// is no error.
	Unsubscribe(ctx context.Context, id PortfolioID, address string) error
}

// DigestNews is what a digest is about.
type DigestNews struct {
	Portfolio Portfolio
	Day       int64   // of the last digest; Never if there was none
	After     EventID // the last event that digests told of or passed
	Events    []DigestEvent
	Total     int64   // of which Events are the first
	Last      EventID // the last of all
	LastAt    time.Time
}

// Never is the day of a digest that never was.
const Never = -1

// A DigestEvent is an event, and what its watcher noted on the company.
type DigestEvent struct {
	Event
	Member Member // zero if the company is in the portfolio no more
}

// digestMost is how many events a digest lists. A longer one would be cut by
// some receivers, in a place of their choosing.
const digestMost = 500

// DigestDay is the day that a time belongs to for digests. It begins at 05:00
// UTC, when the registers of the night are in; summer time moves nothing.
func DigestDay(t time.Time) int64 {
	const day = 24 * 60 * 60
	return (t.Unix() - 5*60*60) / day
}

// Step makes the digests that are due. One that fails does not hold up the
// others.
func (d *Digests) Step(ctx context.Context) error {
	const page = 100
	day := DigestDay(d.Now())
	var failed []error
	for above := PortfolioID(0); ; {
		due, err := d.Store.DueDigests(ctx, day, above, page)
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
		for _, p := range due {
			if err := d.make(ctx, p, day); err != nil {
				failed = append(failed, fmt.Errorf("digest of portfolio %d: %w", p.ID, err))
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			above = p.ID
		}
		if len(due) < page {
			return errors.Join(failed...)
		}
	}
}

// make makes one digest, outside of a transaction: to write fifty mails takes a
// while. If somebody was faster, or changes the portfolio meanwhile, it is not
// kept. A portfolio that has just asked for digests is told of what comes from
// then on.
func (d *Digests) make(ctx context.Context, p Portfolio, day int64) error {
	n, err := d.Store.DigestNews(ctx, p.Customer, p.ID, digestMost)
	if err != nil {
		return err
	}
	var list []Mail
	if n.Day != Never && n.Total > 0 {
		if list, err = d.Write(n); err != nil {
			return err
		}
	}
	_, err = d.Store.KeepDigest(ctx, n, day, list)
	return err
}
