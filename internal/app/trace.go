package app

import (
	"context"
	"fmt"
	"net/http"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
)

// traced sends a trace of every request to a collector. Without an endpoint it
// costs nothing: next is returned as it is.
func traced(ctx context.Context, endpoint, version string, next http.Handler) (http.Handler, func(context.Context) error, error) {
	if endpoint == "" {
		return next, func(context.Context) error { return nil }, nil
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint))
	if err != nil {
		return nil, nil, fmt.Errorf("open the trace exporter: %w", err)
	}
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(resource.NewSchemaless(
		attribute.String("service.name", "bureau"), attribute.String("service.version", version),
	)))
	h := otelhttp.NewHandler(next, "request", otelhttp.WithTracerProvider(provider),
		otelhttp.WithSpanNameFormatter(func(_ string, r *http.Request) string { return r.Method + " " + pathForLog(r) }))
	return h, provider.Shutdown, nil
}
