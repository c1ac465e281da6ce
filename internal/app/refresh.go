package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"bureau/internal/importer"
)

// A refresher fetches the publishers' files that the operator asked for, when
// their time has come, and takes them in.
type refresher struct {
	app     *App
	fetcher *importer.Fetcher
	wanted  []wantedSource
	now     func() time.Time
}

type wantedSource struct {
	Name  string
	Every time.Duration
	url   string
}

// refreshable finds a source that can be fetched.
func refreshable(name string) (w wantedSource, ok bool) {
	for _, s := range registers {
		if s.Name == name {
			return wantedSource{s.Name, s.Every, s.URL}, true
		}
	}
	for _, s := range lists {
		if s.Name == name {
			return wantedSource{s.Name, s.Every, s.URL}, true
		}
	}
	return w, false
}

// newRefresher reads --refresh: "gleif" uses the publisher's own address,
// "gleif=https://…" another.
func newRefresher(a *App, settings []string) (*refresher, error) {
	r := &refresher{
		app: a, now: time.Now,
		fetcher: &importer.Fetcher{
			HTTP: &http.Client{Timeout: 6 * time.Hour}, Dir: filepath.Join(a.Config.Data, "sources"), Now: time.Now,
			Most: int64(a.Config.FetchMost) << 30,
		},
	}
	for _, text := range settings {
		name, url, _ := strings.Cut(text, "=")
		w, ok := refreshable(name)
		if !ok {
			return nil, fmt.Errorf("--refresh %s: there is no such source; 'bureau import sources' lists them", name)
		}
		if url != "" {
			w.url = url
		}
		if w.url == "" {
			return nil, fmt.Errorf("--refresh %s: the publisher has no fixed address for it; write --refresh %s=URL", name, name)
		}
		r.wanted = append(r.wanted, w)
	}
	return r, nil
}

// step looks at every wanted source once. One that fails does not hold up the
// others; all that failed are named.
func (r *refresher) step(ctx context.Context, m *metrics) error {
	known, err := r.app.DB.Fetches(ctx)
	if err != nil {
		return err
	}
	var failed []error
	for _, w := range r.wanted {
		last := known[w.Name]
		if last.URL != w.url {
			last = importer.Fetch{URL: w.url}
		}
		last.Source = w.Name
		if r.due(w, last) {
			if last, err = r.refresh(ctx, w, last); err != nil {
				failed = append(failed, err)
			}
		}
		if !last.GoodAt.IsZero() {
			m.sourceAge.WithLabelValues(w.Name).Set(r.now().Sub(last.GoodAt).Seconds())
		}
	}
	return errors.Join(failed...)
}

// due says whether it is time to ask. After a failure it is asked again in an
// hour, or sooner where the source changes more often.
func (r *refresher) due(w wantedSource, last importer.Fetch) bool {
	every := w.Every
	if every <= 0 {
		every = 24 * time.Hour
	}
	if last.Error != "" {
		every = min(every, time.Hour)
	}
	return last.AskedAt.IsZero() || r.now().Sub(last.AskedAt) >= every
}

// refresh fetches one source and takes it in, on one node at a time.
func (r *refresher) refresh(ctx context.Context, w wantedSource, last importer.Fetch) (importer.Fetch, error) {
	lease, ok, err := r.app.DB.Lease(ctx, "refresh "+w.Name, r.app.Calls.Node, time.Hour)
	if err != nil || !ok {
		return last, err
	}
	defer func() { _ = r.app.DB.EndLease(context.WithoutCancel(ctx), lease) }()
	next, fresh, err := r.fetcher.Get(ctx, last)
	// A version that was fetched but not taken in, say because of a crash, is
	// taken in now.
	if err == nil && (fresh || next.ImportedAt.Before(last.GoodAt)) {
		var res ImportResult
		res, err = r.app.Import(ctx, w.Name, []string{r.fetcher.Path(w.Name, w.url)}, nil, ImportOptions{From: HidePasswords(w.url)})
		if err == nil {
			next.ImportedAt = r.now()
			r.app.Log.Info("source refreshed", "source", w.Name, "records", res.Records, "changes", res.Changes, "refused", res.Refused)
		} else {
			next.Error = err.Error()
			next.ETag, next.Modified = last.ETag, last.Modified // ask for it again
		}
	}
	if err == nil {
		err = r.confirm(ctx, w)
	}
	return next, errors.Join(err, r.app.DB.SaveFetch(ctx, next))
}

// confirm keeps screening lists from ageing while their publisher has nothing
// newer: those of which this very file was imported last.
func (r *refresher) confirm(ctx context.Context, w wantedSource) error {
	loaded, err := r.app.DB.LoadedLists(ctx)
	if err != nil {
		return err
	}
	for _, l := range loaded {
		// It is kept as all may see it. It was kept whole once.
		if l.File != HidePasswords(w.url) && l.File != w.url {
			continue
		}
		if err := r.app.DB.ConfirmList(ctx, l.List, r.now()); err != nil {
			return err
		}
	}
	return nil
}
