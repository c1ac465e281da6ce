package company

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// An ahead is a batch of companies that nobody can have named before, drafted
// without a look at the register, while the batch before it was written. That
// is how an empty register is filled: with nobody else at work, drafting and
// writing go side by side.
type ahead struct {
	groups []*group
	draft  *draft
	result RunResult
	done   chan error // how the write ended
}

// errOvertaken says that somebody else has written meanwhile, so that a draft
// made without looking may be wrong.
var errOvertaken = errors.New("somebody else wrote")

// writeFresh puts groups into the register that this file names for the first
// time. Groups about nobody are returned.
func (r *Run) writeFresh(ctx context.Context, groups []*group) (unknown []*group, err error) {
	a, unknown := r.draftAhead(groups)
	if err := r.settled(ctx); err != nil {
		return nil, err
	}
	if a == nil || !r.void {
		return r.write(ctx, groups, nil)
	}
	r.ahead = a
	after := r.last
	r.last += int64(len(a.draft.u.Changes))
	ctx = context.WithoutCancel(ctx) // it outlives this call, and is done in a moment
	go func() {                      // settled or Close waits for it
		a.done <- r.register.Store.Write(ctx, func(v View) (Update, error) {
			if v.LastChange() != after {
				return Update{}, errOvertaken
			}
			return a.draft.u, nil
		})
	}()
	return unknown, nil
}

// draftAhead drafts groups, if nothing need be looked up for them.
func (r *Run) draftAhead(groups []*group) (a *ahead, unknown []*group) {
	if !r.void || r.known || len(groups) == 0 {
		return nil, nil
	}
	for _, g := range groups {
		if r.heard.has(uint64(g.key)) || slices.ContainsFunc(g.who.idents(), func(i Ident) bool { return r.idents.has(i.hash()) }) {
			return nil, nil
		}
	}
	a = &ahead{groups: groups, draft: newDraft(r.source, r.at), done: make(chan error, 1)}
	a.draft.alone = true
	for _, g := range groups {
		id := a.draft.settle(&g.who)
		if id == "" {
			unknown = append(unknown, g)
			continue
		}
		r.put(a.draft, &a.result, g, id)
	}
	a.draft.u = a.draft.update()
	return a, unknown
}

// settled waits for the write under way. Where somebody else came first, what it
// was to write is drafted again, now with a look at the register.
func (r *Run) settled(ctx context.Context) error {
	a := r.ahead
	if a == nil {
		return nil
	}
	r.ahead = nil
	switch err := <-a.done; {
	case errors.Is(err, errOvertaken):
		r.void = false
		// Those about nobody wait for the end of the file already.
		_, err := r.write(ctx, a.groups, nil)
		return err
	case err != nil:
		return fmt.Errorf("write %d companies: %w", len(a.groups), err)
	}
	r.count(a.draft, a.result)
	return nil
}
