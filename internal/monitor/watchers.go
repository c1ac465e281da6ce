package monitor

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"bureau/internal/company"
)

// atOnce is up to how many companies one question is about.
const atOnce = 1024

// watchersOf finds who watches companies, and what some of those are called. Many are
// asked about in several questions side by side: it is half of the work of evaluation.
func (e *Engine) watchersOf(ctx context.Context, ids []company.ID) (of map[company.ID][]Watcher, names map[company.ID]string, err error) {
	slices.Sort(ids)
	parts := slices.Collect(slices.Chunk(slices.Compact(ids), atOnce))
	found, called := make([][]Watcher, len(parts)), make([]map[company.ID]string, len(parts))
	ask := func(ctx context.Context, i int) (err error) {
		called[i], err = e.Store.Watchers(ctx, parts[i], func(w Watcher) { found[i] = append(found[i], w) })
		return err
	}
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
		return nil, nil, fmt.Errorf("read who watches: %w", err)
	}
	of, names = make(map[company.ID][]Watcher, len(ids)), map[company.ID]string{}
	for i, list := range found {
		for _, w := range list {
			of[w.Company] = append(of[w.Company], w)
		}
		maps.Copy(names, called[i])
	}
	return of, names, nil
}
