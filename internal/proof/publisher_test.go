package proof

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"bureau/internal/company"
)

// A publisher brings changes, in batches, until each was acknowledged. It notes
// the number of a batch with the batch, so that one whose answer was lost is not
// written again.
type publisher struct {
	w     *world
	r     *rand.Rand
	batch int      // the last one
	made  []change // that were acknowledged, in the order of their numbers
}

// A change is what a publisher said, and remembers.
type change struct {
	of    company.ID
	field company.Field
}

// note is the name under which a publisher notes how far it is.
const note = "publisher"

var published = []company.Field{company.FieldName, company.FieldActivity, company.FieldEmployees, company.Website}

// run publishes a round's changes.
func (p *publisher) run() {
	for range p.w.plan.batches {
		if p.w.isBroken() {
			return
		}
		time.Sleep(time.Duration(1 + p.r.Int64N(int64(p.w.plan.pause))))
		var list []change
		for range 1 + p.r.IntN(p.w.plan.most) {
			list = append(list, change{p.w.companies[p.r.IntN(len(p.w.companies))], published[p.r.IntN(len(published))]})
		}
		for p.batch++; p.write(p.batch, list) != nil && !p.w.isBroken(); {
			time.Sleep(time.Duration(1 + p.r.Int64N(int64(time.Second))))
		}
		p.w.mu.Lock()
		p.made = append(p.made, list...)
		p.w.mu.Unlock()
	}
}

// write sends a batch through one of the nodes.
func (p *publisher) write(batch int, list []change) error {
	n := p.w.any(p.r)
	if n == nil {
		return errOut
	}
	write := func(e edit) error {
		return n.writes.write(n.ctx, func(ctx context.Context) error {
			err := n.writes.db.Write(ctx, e)
			if err == nil {
				p.w.wake(n, n.writes.r, true)
			}
			return err
		})
	}
	e := func(v company.View) (company.Update, error) { return p.update(v, batch, list) }
	if p.w.bug.publish != nil {
		return p.w.bug.publish(write, e)
	}
	return write(e)
}

func (p *publisher) update(v company.View, batch int, list []change) (u company.Update, err error) {
	said, err := v.Note(context.Background(), note)
	if err != nil {
		return u, err
	}
	if reached, _ := strconv.Atoi(said); reached >= batch {
		return u, nil
	}
	for i, c := range list {
		number := len(p.made) + i + 1
		u.Changes = append(u.Changes, company.Change{
			Company: c.of, Field: c.field, Old: fmt.Sprint("before ", number), New: fmt.Sprint(number), Source: note, At: time.Now(),
		})
	}
	u.Notes = map[string]string{note: strconv.Itoa(batch)}
	return u, nil
}

// any is one of the nodes that live, if there is one.
func (w *world) any(r *rand.Rand) *node {
	w.mu.Lock()
	defer w.mu.Unlock()
	draw := r.Uint64()
	if len(w.nodes) == 0 {
		return nil
	}
	return w.nodes[draw%uint64(len(w.nodes))]
}
