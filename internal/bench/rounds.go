package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

const (
	sqlite     = "SQLite"
	postgreSQL = "PostgreSQL"
)

// A site is what one row is measured on: Bureau on one engine with a fresh
// database, and the baseline beside it.
type site struct {
	w        *workshop
	s        Settings
	engine   string
	bureau   *server
	baseline *server
	accounts []account
	token    string // of the first account; none where its password is chosen

	companies []string // the connectIds of those that are held
	book      *book
}

// A sample is what one measurement says.
type sample struct {
	value float64   // what is compared
	cpu   float64   // µs of the server's CPU for each operation; 0 if unknown
	also  []float64 // see also
}

// measure measures rows one after the other. If one fails, the report has those
// before it.
func measure(ctx context.Context, s Settings, list []row) (*Report, error) {
	dir, err := os.MkdirTemp("", "bureau-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	w, err := openWorkshop(ctx, dir, s)
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, stop := range w.stops {
			stop()
		}
	}()
	r := newReport(s)
	engines, stop, err := w.openEngines(ctx, s, r)
	defer stop()
	if err != nil {
		return nil, err
	}
	for i, b := range list {
		w.say("%s (%d of %d): %s", b.name, i+1, len(list), b.what)
		if err := w.measureRow(ctx, s, b, engines, r); err != nil {
			r.remark("It ended at %s, the row %d of %d.", b.name, i+1, len(list))
			return r, fmt.Errorf("%s: %w", b.name, err)
		}
	}
	w.say("counting from both ends whether anything was lost")
	r.Statement, err = w.balance(ctx)
	return r, err
}

// openEngines starts what the rows are measured on, and returns what ends it,
// which is to be called whatever comes.
func (w *workshop) openEngines(ctx context.Context, s Settings, r *Report) (engines []string, stop func(), err error) {
	stop = func() {}
	switch {
	case s.Own && s.DB == "":
		return []string{sqlite}, stop, nil
	case s.Own:
		g, err := openGuest(ctx, s.DB)
		if err != nil {
			return nil, stop, err
		}
		w.postgres = g
		return []string{postgreSQL}, g.close, nil
	case s.Engine == sqlite:
		return []string{sqlite}, stop, nil
	}
	p, err := startPostgres(ctx)
	if p != nil {
		w.postgres, stop = p, p.stop
	}
	switch {
	case errors.Is(err, errNoPostgres) && s.Engine == "":
		r.remark("%v: only SQLite was measured.", err)
		return []string{sqlite}, stop, nil
	case s.Engine != "":
		return []string{s.Engine}, stop, err
	}
	return []string{sqlite, postgreSQL}, stop, err
}

// measureRow goes round by round: the baseline and then Bureau, on each engine.
func (w *workshop) measureRow(ctx context.Context, s Settings, b row, engines []string, r *Report) error {
	if b.only != "" {
		engines = slices.DeleteFunc(slices.Clone(engines), func(engine string) bool { return engine != b.only })
	}
	sites := make([]*site, len(engines))
	for i, engine := range engines {
		t, err := w.openSite(ctx, s, b, engine)
		if err != nil {
			return fmt.Errorf("set up %s: %w", engine, err)
		}
		defer t.close()
		sites[i] = t
	}
	base, ours := make([][]sample, len(sites)), make([][]sample, len(sites))
	rounds := s.Rounds
	if b.certain {
		rounds = 1
	}
	for round := range rounds {
		for i, t := range sites {
			before, after, err := b.round(ctx, t)
			if err != nil {
				return err
			}
			base[i], ours[i] = append(base[i], before), append(ours[i], after)
			w.say("%s, %s, round %d of %d: %s, baseline %s", b.name, t.engine, round+1, rounds, b.unit(after.value), b.unit(before.value))
		}
	}
	for i, t := range sites {
		r.add(b, t.engine, base[i], ours[i])
	}
	return nil
}

func (w *workshop) openSite(ctx context.Context, s Settings, b row, engine string) (_ *site, err error) {
	t := &site{w: w, s: s, engine: engine}
	defer func() {
		if err != nil {
			t.close()
		}
	}()
	if b.offline {
		return t, nil
	}
	p, err := w.newPlace(ctx, b.name, engine)
	if err != nil {
		return nil, err
	}
	t.book = w.openBook(p)
	if t.accounts, err = p.fill(ctx, b.accounts, b.chosen); err != nil {
		return nil, err
	}
	if b.companies > 0 {
		if t.companies, err = p.fillCompanies(ctx, b.companies); err != nil {
			return nil, err
		}
	}
	if t.bureau, err = p.serve(ctx); err != nil {
		return nil, err
	}
	if b.companies > 0 {
		if err := t.bureau.awaitRest(ctx, t.s.Own); err != nil {
			return nil, err
		}
	}
	var me meBody
	if !b.chosen {
		if me, err = t.signIn(); err != nil {
			return nil, err
		}
	}
	t.baseline, err = startBaseline(ctx, w, me, p.address())
	return t, err
}

func (t *site) close() {
	for _, s := range []*server{t.bureau, t.baseline} {
		if s != nil {
			s.stop()
		}
	}
}

// dialBureau connects with the site's server, for single calls.
func (t *site) dialBureau() (*conn, error) {
	config, err := clientTLS(t.w.certFile)
	if err != nil {
		return nil, err
	}
	return dial(t.bureau.address, config)
}

// signIn gets a token and shows what an answer to it looks like: the baseline
// answers with as much.
func (t *site) signIn() (me meBody, err error) {
	c, err := t.dialBureau()
	if err != nil {
		return me, err
	}
	defer c.close()
	ask := func(request string, into any) error {
		status, body, err := c.call([]byte(request), true)
		if err == nil && status != 200 {
			err = fmt.Errorf("answered with %d: %s", status, body)
		}
		if err != nil {
			return err
		}
		return json.Unmarshal(body, into)
	}
	var reply struct{ Token string }
	if err := ask(login(t.accounts[0].UserKey, t.accounts[0].Password), &reply); err != nil {
		return me, fmt.Errorf("sign in: %w", err)
	}
	t.token = reply.Token
	t.book.add(leftLogin, 1)
	if err := ask(t.whoAmI()[0], &me); err != nil {
		return me, fmt.Errorf("ask who I am: %w", err)
	}
	return me, nil
}

// load starts a load on a server in a process of its own and waits for it.
func (t *site) load(ctx context.Context, on *server, l load) (measured, error) {
	l.Address, l.CertFile, l.PID = on.address, t.w.certFile, on.pid
	t.w.numbers += 1e8 // more than any load sends
	l.From = t.w.numbers
	l.Warm = max(l.Warm, 500*time.Millisecond)
	if l.For == 0 {
		l.For = t.s.window()
	}
	m, err := ask[measured](ctx, "load", l)
	if err == nil && on == t.bureau {
		for _, status := range l.Expect {
			t.book.add(l.leaves, m.Every[status])
		}
	}
	return m, err
}
