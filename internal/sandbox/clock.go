package sandbox

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/kyc"
)

// A Clock lets things happen in the world. A day has twelve ticks; at each, a
// few companies change. What happens at a tick depends on the seed and the tick
// alone, so that a tick that was broken off by a crash can simply be done again.
type Clock struct {
	World    World
	Register *company.Register
	Places   job.Store
	Owner    string // this node

	Lists kyc.Store // where somebody is listed every day; nil if nobody is
}

const (
	// TicksPerDay is how finely a day is divided.
	TicksPerDay = 12
	clockName   = "sandbox clock"
	clockLease  = 30 * time.Second
)

// Fill puts the world into a register that does not have it.
func (c *Clock) Fill(ctx context.Context) error {
	run, err := c.Register.NewRun(ctx, Source, false, Birthday)
	if err != nil {
		return err
	}
	for part := range slices.Chunk(c.World.Companies(), 1000) {
		if err := run.Add(ctx, part); err != nil {
			return err
		}
	}
	return run.Finish(ctx)
}

// Filled reports whether the world is there, up to its last company: one that
// was broken off half-way is filled again.
func (c *Clock) Filled(ctx context.Context) (bool, error) {
	_, err := c.Register.Store.Company(ctx, c.World.ID(lands[len(lands)-1].code, c.World.PerCountry-1))
	if err == nil {
		return true, nil
	}
	if _, missing := fault.Of(err); missing {
		return false, nil
	}
	return false, err
}

// Now is the time in the world.
func (c *Clock) Now(ctx context.Context) (time.Time, error) {
	tick, err := c.Places.Place(ctx, clockName)
	return tickTime(tick), err
}

func tickTime(tick int64) time.Time {
	return Birthday.Add(time.Duration(tick) * 24 * time.Hour / TicksPerDay)
}

// Advance lets some ticks pass. On a node that does not hold the clock nothing
// happens; done says how many ticks did.
func (c *Clock) Advance(ctx context.Context, ticks int) (done int, err error) {
	for done < ticks {
		lease, ok, err := c.Places.Lease(ctx, clockName, c.Owner, clockLease)
		if err != nil || !ok {
			return done, err
		}
		tick, err := c.Places.Place(ctx, clockName)
		if err != nil {
			return done, err
		}
		if err := c.tick(ctx, tick+1); err != nil {
			return done, fmt.Errorf("tick %d: %w", tick+1, err)
		}
		if err := c.Places.SavePlace(ctx, job.Place{Name: clockName, Number: tick + 1, Fence: lease.Fence}); err != nil {
			return done, err
		}
		done++
	}
	return done, nil
}

// Release gives the clock to whoever wants it next.
func (c *Clock) Release(ctx context.Context) error {
	lease, ok, err := c.Places.Lease(ctx, clockName, c.Owner, clockLease)
	if err != nil || !ok {
		return err
	}
	return c.Places.EndLease(ctx, lease)
}

// tick changes a few companies.
func (c *Clock) tick(ctx context.Context, tick int64) error {
	r := c.World.random("tick", int(tick))
	at := tickTime(tick)
	few := max(1, c.World.PerCountry*len(lands)/2000)
	var list []company.Statement
	for i := range few + r.IntN(few+1) {
		l := pick(r, lands)
		n := r.IntN(c.World.PerCountry)
		s, err := c.said(ctx, c.World.ID(l.code, n))
		if err != nil {
			return err
		}
		happen(c.World, l, r, &s.Facts, at, fmt.Sprintf("%d-%d", tick, i))
		list = append(list, s)
	}
	if err := c.write(ctx, list, at); err != nil {
		return err
	}
	if err := c.fileDue(ctx, r, tick); err != nil {
		return err
	}
	if c.Lists != nil && tick%TicksPerDay == 0 {
		return addListed(ctx, c.Lists, at, c.World.listedOn(tick/TicksPerDay, at))
	}
	return nil
}

// said is what the world says about a company now.
func (c *Clock) said(ctx context.Context, id company.ID) (company.Statement, error) {
	h, err := c.Register.Store.Company(ctx, id)
	if err != nil {
		return company.Statement{}, err
	}
	for _, s := range h.Said {
		if s.Source == Source {
			return company.Statement{Country: id.Country(), Number: id.Number(), LEI: s.Facts.LEI, Facts: s.Facts}, nil
		}
	}
	return company.Statement{}, fault.Missing.Errorf("%s is not a company of the sandbox", id)
}

func (c *Clock) write(ctx context.Context, list []company.Statement, at time.Time) error {
	run, err := c.Register.NewRun(ctx, Source, false, at)
	if err != nil {
		return err
	}
	if err := run.Add(ctx, list); err != nil {
		return err
	}
	return run.Finish(ctx)
}

// happen lets one thing happen to a company.
func happen(w World, l land, r *rand.Rand, f *company.Facts, at time.Time, mark string) {
	today := day(at)
	switch r.IntN(10) {
	case 0:
		old := f.Name
		f.Name = l.companyName(r, pick(r, l.forms), pick(r, l.trades))
		f.Names = append([]company.Name{{Text: old, Kind: company.Former, Until: today}}, f.Names...)
	case 1:
		f.Addresses[0] = l.address(r, company.Registered)
	case 2, 3:
		for i := range f.Officers {
			if f.Officers[i].Until == "" {
				f.Officers[i].Until = today
				break
			}
		}
		p := w.boardMember(l, r)
		if !slices.ContainsFunc(f.Officers, func(o company.Officer) bool { return o.ID == p.ID && o.Until == "" }) {
			f.Officers = append(f.Officers, company.Officer{Person: p, Role: "director", From: today})
		}
	case 4:
		if f.Status == company.Active && r.IntN(3) == 0 {
			fail(f, today)
			return
		}
		f.Phones = []string{fmt.Sprintf("%s%02d", l.phone, r.IntN(100))}
	case 5, 6:
		fileAccounts(r, f, at)
	case 7:
		f.Notices = append([]company.Notice{{Date: today, Kind: "court", Text: "A judgment was registered", Ref: mark}}, f.Notices...)
	case 8:
		t := pick(r, l.trades)
		f.Activities = []company.Activity{{Scheme: "NACE", Code: t.code, Text: t.text}}
	default:
		fileReturn(f, at, mark)
	}
}

// Change sets one field of a company, as "bureau sandbox change" does.
func (c *Clock) Change(ctx context.Context, id company.ID, field, value string) error {
	s, err := c.said(ctx, id)
	if err != nil {
		return err
	}
	if s.Facts.Score == nil {
		// What is set of a score is set beside what the rest of it is now.
		c, err := c.Register.Company(ctx, id)
		if err != nil {
			return err
		}
		s.Facts.Score = byHand(c.Score, field)
	}
	if err := company.Set(&s.Facts, field, value); err != nil {
		return err
	}
	at, err := c.Now(ctx)
	if err != nil {
		return err
	}
	return c.write(ctx, []company.Statement{s}, at)
}

// byHand is what the world says of a score once somebody sets a part of it: from
// then on the scorecard has no say in it.
func byHand(now *company.Score, field string) *company.Score {
	if now == nil || !slices.Contains([]string{"score", "band", "limit"}, field) {
		return nil
	}
	return &company.Score{Value: now.Value, Band: now.Band, Limit: now.Limit, At: now.At, Reasons: []string{"set by hand"}}
}
