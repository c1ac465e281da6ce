package app

import (
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"bureau/internal/monitor"
)

// metrics are what an operator watches.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	inFlight prometheus.Gauge
	steps    *prometheus.CounterVec
	lastStep *prometheus.GaugeVec

	sourceAge *prometheus.GaugeVec
	behind    prometheus.Gauge
	idle      prometheus.Gauge
	stood     prometheus.Gauge

	works   workLog
	resting resting
}

func newMetrics(version string) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bureau_requests_total", Help: "Requests answered.",
		}, []string{"method", "route", "status"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "bureau_request_seconds", Help: "How long requests took.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
		}, []string{"route"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "bureau_requests_in_flight", Help: "Requests that are being answered.",
		}),
		steps: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bureau_background_steps_total", Help: "Steps of the work in the background.",
		}, []string{"work", "result"}),
		lastStep: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "bureau_background_last_success_timestamp_seconds", Help: "When a work in the background last succeeded.",
		}, []string{"work"}),
	}
	m.sourceAge = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "bureau_source_age_seconds", Help: "How long ago a source was last known to be up to date.",
	}, []string{"source"})
	m.behind = prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "bureau_changes_behind", Help: "Changes of companies that were not evaluated yet.",
	})
	m.idle = prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "bureau_evaluation_age_seconds", Help: "How long ago this node last looked for changes to evaluate.",
	})
	m.stood = prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "bureau_evaluation_standing_seconds", Help: "For how long evaluation has not moved, on any node, though there are changes.",
	})
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "bureau_build_info", Help: "The version that runs.",
	}, []string{"version"})
	build.WithLabelValues(version).Set(1)
	m.registry.MustRegister(m.requests, m.took, m.inFlight, m.steps, m.lastStep, m.sourceAge, m.behind, m.idle, m.stood, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// served counts a request under its route, never under its path: ids would
// make a new series each.
func (m *metrics) served(r *http.Request, status int, took time.Duration) {
	m.resting.calls.Add(1)
	route := pathForLog(r)
	m.requests.WithLabelValues(methodForMetrics(r.Method), route, strconv.Itoa(status)).Inc()
	m.took.WithLabelValues(route).Observe(took.Seconds())
}

// methodForMetrics keeps invented methods from making series of their own.
func methodForMetrics(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

func (m *metrics) stepped(work string, err error, now time.Time) {
	m.works.note(work, err, now)
	if err != nil {
		m.steps.WithLabelValues(work, "failed").Inc()
		return
	}
	m.steps.WithLabelValues(work, "done").Inc()
	m.lastStep.WithLabelValues(work).Set(float64(now.Unix()))
}

func (m *metrics) evaluated(h monitor.Health) {
	m.behind.Set(float64(h.Behind))
	m.idle.Set(h.Since.Seconds())
	m.stood.Set(h.Stood.Seconds())
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// loopbackOnly hides what is behind it from everyone else: for them there is
// nothing at this path. What a proxy on this machine forwards comes from
// elsewhere.
func loopbackOnly(inner, elsewhere http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ap, err := netip.ParseAddrPort(r.RemoteAddr)
		forwarded := len(r.Header["X-Forwarded-For"])+len(r.Header["Forwarded"])+len(r.Header["X-Real-Ip"]) > 0
		if err != nil || !ap.Addr().Unmap().IsLoopback() || forwarded {
			elsewhere.ServeHTTP(w, r)
			return
		}
		inner.ServeHTTP(w, r)
	})
}
