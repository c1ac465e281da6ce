package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// A tracer sends a trace of every request to a collector. Like the log it names
// the operation, never what was asked: paths and queries may name people. That
// is why the usual instrumentation, which sends both, is not used.
type tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// openTraces opens the way to a collector. Without an endpoint there is no
// tracer, and a nil one costs nothing.
func openTraces(ctx context.Context, endpoint, version string, log *slog.Logger) (*tracer, error) {
	if endpoint == "" {
		return (*tracer)(nil), nil
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(collectorURL(endpoint)))
	if err != nil {
		return nil, fmt.Errorf("open the trace exporter: %w", err)
	}
	p := sdk.NewTracerProvider(
		sdk.WithBatcher(&reporting{SpanExporter: exporter, log: log}),
		sdk.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "bureau"), attribute.String("service.version", version))))
	return &tracer{p, p.Tracer("bureau")}, nil
}

// collectorURL adds the usual path to an endpoint that has none.
func collectorURL(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err == nil && strings.Trim(u.Path, "/") == "" {
		u.Path = "/v1/traces"
		return u.String()
	}
	return endpoint
}

// begin starts the trace of a request; end tells how the request went.
func (t *tracer) begin(r *http.Request, correlation string) (traced *http.Request, end func(status int)) {
	if t == nil {
		return r, func(int) {}
	}
	ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := t.tracer.Start(ctx, methodForMetrics(r.Method), trace.WithSpanKind(trace.SpanKindServer))
	traced = r.WithContext(ctx)
	return traced, func(status int) {
		// The route is known only now.
		span.SetName(methodForMetrics(r.Method) + " " + pathForLog(traced))
		span.SetAttributes(
			attribute.String("http.request.method", methodForMetrics(r.Method)),
			attribute.String("http.route", pathForLog(traced)),
			attribute.Int("http.response.status_code", status),
			attribute.String("correlationId", correlation))
		if status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(status))
		}
		span.End()
	}
}

// flush sends what is left. A collector that is down must not hold up a stop.
func (t *tracer) flush(ctx context.Context) {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	_ = t.provider.Shutdown(ctx) // reporting has told
}

// reporting tells our log when traces do not arrive, and when they do again.
type reporting struct {
	sdk.SpanExporter
	log     *slog.Logger
	failing atomic.Bool
}

// ExportSpans hides the error, which would otherwise go to a log that is not
// ours.
func (e *reporting) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := e.SpanExporter.ExportSpans(ctx, spans)
	switch was := e.failing.Swap(err != nil); {
	case err != nil && !was:
		e.log.Warn("traces do not arrive", "err", err)
	case err == nil && was:
		e.log.Info("traces arrive again")
	}
	return nil
}
