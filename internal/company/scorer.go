package company

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bureau/internal/fault"
)

// A Scorer keeps the scores that we work out ourselves up to date. It follows
// the log: what changed is rated again, and so is who depends on it. A score
// that became different is a change like any other, said by Scorecard.
//
// A score is a function of what is held and of the day, so rating twice changes
// nothing, and its own changes do not keep it going.
type Scorer struct {
	Store Store
	// Boards returns the companies that somebody is or was an officer of, at
	// most limit.
	Boards func(ctx context.Context, who PersonID, limit int) ([]ID, error)
	Now    func(ctx context.Context) (time.Time, error)
}

// ScorerName is the scorer's name among the readers of the log.
const ScorerName = "scorecard"

const (
	scoreBatch = 200 // companies that are rated while the register is held
	// Bounds on who is looked at because of one company. A person with more
	// seats than that is a service, whose other companies say nothing.
	mostBoards, mostChildren = 50, 500
	// failedYears is for how long a failed company says something about those
	// who ran it.
	failedYears = 5
)

// Handle rates the companies that a batch of changes touches, and saves how far
// it came with the last of them.
func (s *Scorer) Handle(ctx context.Context, batch []Change, to Reached) error {
	ids, err := s.touched(ctx, batch)
	if err != nil {
		return err
	}
	for len(ids) > scoreBatch {
		// Those that are rated twice after a crash come to the same.
		if _, err := s.rate(ctx, ids[:scoreBatch], nil); err != nil {
			return err
		}
		ids = ids[scoreBatch:]
	}
	_, err = s.rate(ctx, ids, &to)
	return err
}

// Step rates companies whose score the passing of time may have changed, and
// returns how many it looked at: less than a batch means that none is left.
func (s *Scorer) Step(ctx context.Context) (n int, err error) {
	today, _, err := s.today(ctx)
	if err != nil {
		return 0, err
	}
	ids, err := s.Store.ScoresDue(ctx, today, scoreBatch)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	return s.rate(ctx, ids, nil)
}

// More reports whether a Step left some for the next.
func More(n int) bool { return n >= scoreBatch }

func (s *Scorer) today(ctx context.Context) (Date, time.Time, error) {
	now, err := s.Now(ctx)
	if err != nil {
		return "", now, fmt.Errorf("read the time: %w", err)
	}
	now = now.UTC().Truncate(time.Millisecond)
	return Date(now.Format(time.DateOnly)), now, nil
}

// touched are the companies whose score a batch may change, each once.
func (s *Scorer) touched(ctx context.Context, batch []Change) ([]ID, error) {
	seen := map[ID]bool{}
	var out []ID
	add := func(ids ...ID) {
		for _, id := range ids {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	var failing []ID
	for i := range batch {
		c := &batch[i]
		if c.Source == Scorecard {
			continue
		}
		switch c.Field {
		case ScoreValue, ScoreBand, ScoreLimit, Listed: // no line of the scorecard
			continue
		case FieldStatus, NewNotice, Removed, Dissolved:
			failing = append(failing, c.Company)
		}
		add(c.Company)
	}
	slices.Sort(failing)
	for _, id := range slices.Compact(failing) {
		ids, err := s.dependents(ctx, id)
		if err != nil {
			return nil, err
		}
		add(ids...)
	}
	return out, nil
}

// dependents are the companies whose score looks at this one: those it is the
// parent of, and those that its directors run too.
func (s *Scorer) dependents(ctx context.Context, id ID) ([]ID, error) {
	h, err := s.Store.Company(ctx, id)
	if err != nil && !errors.Is(err, fault.Missing) {
		return nil, err
	}
	h.ID = id
	f := merge(h, nil)
	var out []ID
	for _, name := range []string{f.LEI, string(id)} {
		if name == "" {
			continue
		}
		ids, err := s.Store.FindAll(ctx, Ident{ByParent, name}, mostChildren)
		if err != nil {
			return nil, err
		}
		out = append(out, ids...)
	}
	for i := range f.Officers {
		o := &f.Officers[i]
		if who := o.PersonID(id); who != "" && o.directs() {
			ids, err := s.boards(ctx, who)
			if err != nil {
				return nil, err
			}
			out = append(out, ids...)
		}
	}
	return out, nil
}

// boards are the companies that somebody runs or ran.
func (s *Scorer) boards(ctx context.Context, who PersonID) ([]ID, error) {
	ids, err := s.Boards(ctx, who, mostBoards+1)
	if len(ids) > mostBoards {
		return nil, err
	}
	return ids, err
}

// rate works out the scores of some companies and keeps those that are
// different. It returns how many companies it was given.
//
// Few changes move a score. Those that do are found without holding the
// register, which would keep everybody waiting who has something to write; only
// they are rated again while it is held. Whatever changes in between is further
// on in the log.
func (s *Scorer) rate(ctx context.Context, ids []ID, to *Reached) (int, error) {
	today, now, err := s.today(ctx)
	if err != nil {
		return 0, err
	}
	draw := func(ids []ID, held map[ID]Held) (Update, error) {
		d := newDraft(Scorecard, now)
		l := &look{s: s, today: today, fails: map[ID]bool{}, boards: map[PersonID][]ID{}}
		for _, id := range ids {
			if was, ok := held[id]; ok {
				if err := d.rate(ctx, was, l); err != nil {
					return Update{}, fmt.Errorf("look around %s: %w", id, err)
				}
			}
		}
		return d.u, nil
	}
	held, err := s.Store.Held(ctx, ids)
	if err != nil {
		return 0, fmt.Errorf("read what is rated: %w", err)
	}
	u, err := draw(ids, held)
	if err != nil {
		return 0, err
	}
	var moved []ID
	for i := range u.Companies {
		moved = append(moved, u.Companies[i].ID)
	}
	if len(moved) == 0 && to == nil {
		return len(ids), nil
	}
	err = s.Store.Write(ctx, func(v View) (Update, error) {
		held, err := v.Held(ctx, moved)
		if err != nil {
			return Update{}, err
		}
		u, err := draw(moved, held)
		u.Reached = to
		return u, err
	})
	if err != nil {
		return 0, fmt.Errorf("keep scores: %w", err)
	}
	return len(ids), nil
}

// rate adds a company to a draft, if its score is not what it was.
func (d *draft) rate(ctx context.Context, was Held, l *look) error {
	before := was.rated()
	is := was.clone()
	is.drop(Scorecard, "")
	facts := merge(is, nil)
	around, err := l.around(ctx, was.ID, facts)
	if err != nil {
		return err
	}
	var after *Score
	if score, ok := Rate(facts, around, l.today); ok {
		if score.At = l.today; score.same(before) {
			score.At = before.At
		}
		after = &score
		is.set(Said{Source: Scorecard, Key: was.ID.key(), Facts: Facts{Score: after}})
	}
	if !slices.EqualFunc(was.Said, is.Said, sameSaid) {
		d.keepRating(is, facts, before, after)
	}
	return nil
}

// keepRating keeps a company of which nothing but our own score is different.
// facts are what all others say of it.
func (d *draft) keepRating(is Held, facts Facts, before, after *Score) {
	shown := facts.Score == nil && !is.suppresses("score") // nobody else gives one
	if shown {
		facts.Score = after
	}
	if shown && before != nil {
		// The first score is part of what a company is when it comes to us, as
		// its first name is. A register of millions does not make news of it.
		c := &differ{id: is.ID}
		c.score(before, after)
		for i := range c.out {
			c.out[i].Source, c.out[i].At = d.source, d.at
		}
		d.u.Changes = append(d.u.Changes, c.out...)
	}
	d.u.Companies = append(d.u.Companies, facts.saved(is))
}
