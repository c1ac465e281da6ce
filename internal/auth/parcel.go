package auth

import (
	"context"
	"errors"
)

// A Parcel is something of another room that is kept in one turn with what the audit
// log says of it: neither is ever there without the other, and both are one commit.
type Parcel interface {
	// Entry is what the audit log says. It is asked for once the store has taken
	// the parcel in, which may fill in what only the database knows.
	Entry() Entry
}

// A Load is a parcel, and the customer behind whose wall it was handed in.
type Load struct {
	Parcel Parcel
	Wall   CustomerID
	Walled bool
}

// Unkept is the failure of a turn because of a parcel. Nothing of the turn was
// written.
type Unkept struct{ Err error }

func (u Unkept) Error() string { return "keep what comes with an entry: " + u.Err.Error() }

func (u Unkept) Unwrap() error { return u.Err }

// CountParcel counts a call of a product together with what it leaves behind, and
// what the audit log says of that.
func (g *Gate) CountParcel(ctx context.Context, by Caller, p Product, parcel Parcel) error {
	u := g.usage(by, p, "")
	wall, walled := Walled(ctx)
	return g.Journal.put(ctx, &note{usage: &u, load: &Load{parcel, wall, walled}})
}

// together takes one turn for notes, and for who came while it waited for that: where
// several nodes take turns, each would otherwise take three small ones for one of its
// own. What one of them carries is written before the turn has come, so those who came
// late with a load are held over. It returns the late ones that need turns of their own.
//
// If what one of them carries cannot be kept, that one is refused, and none of the
// others.
func (j *Journal) together(ctx context.Context, batch []*note) (changes []*note) {
	var loads []Load
	for _, n := range batch {
		if n.load != nil {
			loads = append(loads, *n.load)
		}
	}
	alone := len(batch) == 1
	err := j.turn(ctx, loads, func() []*note {
		for _, n := range j.gather() {
			switch {
			case n.change != nil:
				changes = append(changes, n)
			case n.load != nil:
				j.held = append(j.held, n)
			default:
				batch = append(batch, n)
			}
		}
		return batch
	})
	if !alone && errors.As(err, new(Unkept)) {
		return j.apart(ctx, batch)
	}
	j.carried = len(batch) + len(changes)
	for _, n := range batch {
		n.err = err
		close(n.done)
	}
	return changes
}

// apart takes a turn for each note that carries something, and one for the rest.
func (j *Journal) apart(ctx context.Context, batch []*note) (changes []*note) {
	var rest []*note
	for _, n := range batch {
		if n.load == nil {
			rest = append(rest, n)
			continue
		}
		changes = append(changes, j.together(ctx, []*note{n})...)
	}
	if len(rest) > 0 {
		changes = append(changes, j.together(ctx, rest)...)
	}
	return changes
}
