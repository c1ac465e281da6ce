package monitor

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"bureau/internal/company"
)

// atOnce is up to how many companies one question is about.
const atOnce = 1024

// watchersOf finds who watches companies. Many are asked about in several
// questions side by side: it is half of the work of evaluation.
func (e *Engine) watchersOf(ctx context.Context, ids []company.ID) (map[company.ID][]Watcher, error) {
	slices.Sort(ids)
	parts := slices.Collect(slices.Chunk(slices.Compact(ids), atOnce))
	found := make([][]Watcher, len(parts))
	ask := func(ctx context.Context, i int) error {
		return e.Store.Watchers(ctx, parts[i], func(w Watcher) { found[i] = append(found[i], w) })
	}
	var err error
	if len(parts) == 1 {
		err = ask(ctx, 0)
	} else {
		asking, ctx := errgroup.WithContext(ctx)
		asking.SetLimit(4)
		for i := range parts {
			asking.Go(func() error { return ask(ctx, i) })
		}
		err = asking.Wait()
	}
	if err != nil {
		return nil, fmt.Errorf("read who watches: %w", err)
	}
	out := make(map[company.ID][]Watcher, len(ids))
	for _, list := range found {
		for _, w := range list {
			out[w.Company] = append(out[w.Company], w)
		}
	}
	return out, nil
}
