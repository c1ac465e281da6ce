package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"bureau/internal/api"
	"bureau/internal/console"
	"bureau/internal/handbook"
	"bureau/internal/monitor"
	"bureau/internal/notify"
	"bureau/internal/pdf"
)

// A Serving is a house that answers calls.
type Serving struct {
	app     *App
	metrics *metrics
	server  *http.Server
	extra   *http.Server // metrics on an address of their own
	stops   atomic.Bool
	failed  chan error
	tracer  *tracer
	hub     *monitor.Hub
	poster  *notify.Poster
	mail    *mailRoom

	work     sync.WaitGroup
	stopWork func()
}

// Serve takes its address and starts answering calls. Stop ends it.
func (a *App) Serve(ctx context.Context, version string) (*Serving, error) {
	l, err := a.Config.Bind()
	if err != nil {
		return nil, err
	}
	return a.ServeOn(ctx, l, version)
}

// ServeOn answers calls on an address that was taken before, and closes it when
// it cannot. Stop ends it.
func (a *App) ServeOn(ctx context.Context, l net.Listener, version string) (s *Serving, err error) {
	s = &Serving{app: a, metrics: newMetrics(version), failed: make(chan error, 2)}
	if w, err := a.DB.Wall(ctx); a.DB.Engine() == "postgres" && err == nil && !w.Up {
		a.Log.Warn("row-level security does not hold the calls of customers", "why", w.Why)
	}
	s.metrics.registry.MustRegister(replicaMetrics{a.DB})
	defer func() {
		if err != nil {
			l.Close()
		}
	}()
	proxies, err := prefixes(a.Config.TrustedProxy)
	if err != nil {
		return nil, err
	}
	refresh, err := newRefresher(a, a.Config.Refresh)
	if err != nil {
		return nil, err
	}
	if s.poster, err = a.newPoster(); err != nil {
		return nil, err
	}
	if s.mail, err = a.newMailRoom(); err != nil {
		return nil, err
	}
	fonts, err := pdf.LoadFonts(a.Config.Fonts)
	if err != nil {
		return nil, err
	}
	s.hub = &monitor.Hub{Store: a.DB, Wake: &a.DB.Signals.Events, Most: a.Config.Streams, Backlog: 1000, Alerts: a.mayScreen}
	a.Reports.Fonts = fonts
	calls := &api.Server{
		Login: a.Login, Gate: a.Gate, Directory: a.Directory, Usage: a.Usage, Replies: a.DB, Log: a.Log, Gone: a.DB.IsGone,
		Vault: a.Vault, Companies: a.Register, Documents: a.DB, Fonts: fonts, Finder: a.Finder, Bank: a.Bank, Identity: a.Identity, Sweden: a.sweden(), NonLimited: a.nonLimited(), KYC: a.KYC,
		Profiles: a.Profiles, Trail: a.Trail, Reports: a.Reports, Batches: a.Batches,
		Portfolios: a.Portfolios, Events: a.DB, Hub: s.hub, Trials: a.DB,
		Why: &monitor.Explainer{Store: a.DB, Passed: a.engine().Passed}, Imports: a.Imports, Webhooks: a.webhooks(s.poster),
		Mail:      a.subscriptions(),
		PublicURL: a.Config.publicURL(), TrustedProxies: proxies, Go: s.work.Go,
	}
	if s.tracer, err = openTraces(ctx, a.Config.OTLPEndpoint, version, a.Log); err != nil {
		return nil, err
	}
	pages, err := s.console(calls).Handler()
	if err != nil {
		return nil, err
	}
	answers := calls.Handler()
	s.server = a.newServer(outermost(a.Log, s.metrics, s.tracer, s.mount(answers, pages, s.handbook(calls))))
	if !a.Config.HTTP {
		if s.server.TLSConfig, err = a.Config.tlsConfig(a.Log); err != nil {
			return nil, err
		}
	}
	if a.Config.MetricsListen != "" {
		if err := s.serveMetrics(); err != nil {
			return nil, err
		}
	}
	s.start(limitConns(l, a.Config.ConnsPerSource, proxies), refresh)
	return s, nil
}

func (a *App) newServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       60 * time.Second,
		WriteTimeout:      120 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(a.Log.Handler(), slog.LevelDebug), // scanners and broken handshakes
		HTTP2:             &http.HTTP2Config{MaxConcurrentStreams: 250},
	}
}

func (s *Serving) start(l net.Listener, refresh *refresher) {
	run := func() error { return s.server.Serve(l) }
	if s.server.TLSConfig != nil {
		run = func() error { return s.server.ServeTLS(l, "", "") }
	}
	s.work.Go(func() {
		if err := run(); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- fmt.Errorf("serve: %w", err)
		}
	})
	ctx, stop := context.WithCancel(context.Background())
	s.stopWork = stop
	s.metrics.resting.db = s.app.DB.GiveBack
	list := append(s.app.background(), work{"rest", restEvery * time.Second, s.metrics.resting.step})
	if len(refresh.wanted) > 0 {
		list = append(list, work{"sources", time.Minute, func(ctx context.Context) error {
			return errors.Join(refresh.step(ctx, s.metrics), s.mail.sources(ctx, refresh))
		}})
	}
	for _, w := range list {
		s.work.Go(func() { s.app.run(ctx, w, s.metrics) })
	}
	s.follow(ctx)
	s.search(ctx)
	s.score(ctx)
	s.screen(ctx)
	s.rescreen(ctx)
	s.deliver(ctx, s.poster)
	s.doTasks(ctx)
	s.sendMail(ctx)
}

func (s *Serving) serveMetrics() error {
	l, err := net.Listen("tcp", s.app.Config.MetricsListen)
	if err != nil {
		return fmt.Errorf("listen on %s for metrics: %w", s.app.Config.MetricsListen, unwrapListen(err))
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", s.metrics.handler())
	s.extra = s.app.newServer(mux)
	s.work.Go(func() {
		if err := s.extra.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- fmt.Errorf("serve metrics: %w", err)
		}
	})
	return nil
}

// mount adds what watches the service to what it serves.
func (s *Serving) mount(calls, pages, book http.Handler) http.Handler {
	metrics := loopbackOnly(s.metrics.handler(), calls)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/healthz":
			r.Pattern = "/healthz"
			s.health(w)
		case r.URL.Path == "/readyz":
			r.Pattern = "/readyz"
			s.ready(w, r)
		case r.URL.Path == "/metrics" && s.extra == nil:
			r.Pattern = "/metrics"
			metrics.ServeHTTP(w, r)
		case r.URL.Path == console.Path || strings.HasPrefix(r.URL.Path, console.Path+"/"):
			pages.ServeHTTP(w, r)
		case r.URL.Path == handbook.Path || strings.HasPrefix(r.URL.Path, handbook.Path+"/"):
			book.ServeHTTP(w, r)
		default:
			calls.ServeHTTP(w, r)
		}
	})
}

// health says that the process lives.
func (s *Serving) health(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"status":"ok"}`+"\n")
}

// ready says that a load balancer may send calls here.
func (s *Serving) ready(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	why := ""
	switch err := s.app.DB.Ping(ctx); {
	case s.stops.Load():
		why = "stopping"
	case err != nil:
		why = "the database does not answer"
	default:
		why, _ = s.app.Finder.Ready()
		if why == "" && !s.app.Screener.Index.Ready() {
			why = "the screening lists are being loaded"
		}
		if why == "" && s.app.Config.Sandbox && !s.app.sandboxOpen.Load() {
			why = "the sandbox is being filled"
		}
	}
	if why != "" {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = fmt.Fprintf(w, `{"status":"not ready","why":%q}`+"\n", why)
		return
	}
	_, _ = io.WriteString(w, `{"status":"ready"}`+"\n")
}

// Failed tells when serving broke off by itself.
func (s *Serving) Failed() <-chan error { return s.failed }

// Stop takes no new calls, finishes those it accepted, and stops the work in
// the background.
func (s *Serving) Stop(ctx context.Context) error {
	s.stops.Store(true)
	s.hub.Stop() // else they would be waited for
	err := s.server.Shutdown(ctx)
	if err != nil {
		err = fmt.Errorf("some calls were not finished in time: %w", errors.Join(err, s.server.Close()))
	}
	if s.extra != nil {
		_ = s.extra.Close()
	}
	s.stopWork()
	s.work.Wait()
	s.tracer.flush(ctx)
	return err
}
