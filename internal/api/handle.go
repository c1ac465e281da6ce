package api

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/danielgtaylor/huma/v2/validation"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// caller is part of every typed input: who is asking, as the gate found out.
type caller struct {
	by          auth.Caller
	correlation string

	// What an envelope tells of the call; empty for a row without one.
	resource, url string
}

func (c *caller) who() *caller { return c }

// An input is a struct that embeds caller.
type input[I any] interface {
	*I
	who() *caller
}

// reply is what a typed handler returns. Status 0 is the row's own.
type reply[B any] struct {
	Status int
	Body   B
}

func ok[B any](body B) *reply[B] { return &reply[B]{Body: body} }

// settle gives an answer the status of its row, unless it has one.
func (r *reply[B]) settle(status int) {
	if r != nil && r.Status == 0 {
		r.Status = status
	}
}

// none is what a handler returns, in place of a reply, that has nothing to say: its row
// answers 204.
type none = struct{}

// callerKey is how the gate hands the caller to handle, below, and to nobody
// else: handlers get it as a field of their input.
type callerKey struct{}

// handle makes a route of a typed handler, which returns a reply or none. The gate
// comes first, then huma reads and checks the input, then the handler runs; a call of
// a product that succeeded is counted before it is answered. What need not know the
// types is in run: huma's Register is compiled anew for each row as it is.
func handle[I any, P input[I], O any](method, pattern string, product auth.Product, id, summary string,
	h func(context.Context, *I) (*O, error), more ...func(*route),
) route {
	r := route{method: method, pattern: pattern, product: product, id: id, summary: summary}
	if _, is := any((*O)(nil)).(*none); is {
		r.status = http.StatusNoContent
	}
	for _, f := range more {
		f(&r)
	}
	r.register = func(s *Server, r route) {
		op := s.typed(r)
		huma.Register(s.api, op, func(ctx context.Context, in *I) (out *O, err error) {
			err = s.run(ctx, r, P(in).who(), in, func() (err error) {
				out, err = h(ctx, in)
				return err
			})
			if err != nil {
				return nil, err
			}
			if a, ok := any(out).(interface{ settle(status int) }); ok {
				a.settle(op.DefaultStatus)
			}
			return out, nil
		})
	}
	return r
}

// typed is the operation of a row with a typed handler.
func (s *Server) typed(r route) huma.Operation {
	op := r.operation()
	op.Middlewares = huma.Middlewares{s.gated(r)}
	op.Metadata = s.envelope(r)
	return op
}

// run calls a handler for whoever the gate let in.
func (s *Server) run(ctx context.Context, r route, who *caller, in any, h func() error) error {
	*who, _ = ctx.Value(callerKey{}).(caller)
	if err := s.counted(ctx, r, who.by, in, h); err != nil {
		return s.refusal(r, *who, err)
	}
	return nil
}

// refusal is what the caller is told of a failure, in our words; what is our own fault
// is logged.
func (s *Server) refusal(r route, who caller, err error) error {
	body, ours := s.problem(who.correlation, err)
	if !ours {
		s.logFailure(r.id, who.correlation, err)
	}
	s.dress(body, who)
	return body
}

// counted calls a handler for a caller who may use the product in that country, and
// counts the call.
func (s *Server) counted(ctx context.Context, r route, by auth.Caller, in any, h func() error) error {
	country := r.country(in)
	if country != "" {
		if err := s.Gate.Allow(ctx, by, r.product, country); err != nil {
			return err
		}
	}
	if err := h(); err != nil || r.free {
		return err
	}
	// It happened, whether or not the caller still waits for the answer.
	return s.Gate.Count(context.WithoutCancel(ctx), by, r.product, country)
}

// get, post, put, patch and del are rows of the table of routes.
func get[I any, P input[I], O any](pattern string, p auth.Product, id, summary string,
	h func(context.Context, *I) (*O, error), more ...func(*route),
) route {
	return handle[I, P](http.MethodGet, pattern, p, id, summary, h, more...)
}

func post[I any, P input[I], O any](pattern string, p auth.Product, id, summary string,
	h func(context.Context, *I) (*O, error), more ...func(*route),
) route {
	return handle[I, P](http.MethodPost, pattern, p, id, summary, h, more...)
}

func put[I any, P input[I], O any](pattern string, p auth.Product, id, summary string,
	h func(context.Context, *I) (*O, error), more ...func(*route),
) route {
	return handle[I, P](http.MethodPut, pattern, p, id, summary, h, more...)
}

func patch[I any, P input[I], O any](pattern string, p auth.Product, id, summary string,
	h func(context.Context, *I) (*O, error), more ...func(*route),
) route {
	return handle[I, P](http.MethodPatch, pattern, p, id, summary, h, more...)
}

func del[I any, P input[I], O any](pattern string, p auth.Product, id, summary string,
	h func(context.Context, *I) (*O, error), more ...func(*route),
) route {
	return handle[I, P](http.MethodDelete, pattern, p, id, summary, h, more...)
}

// admit lets a request in, or says why not.
func (s *Server) admit(w http.ResponseWriter, r *http.Request, p auth.Product) (auth.Caller, error) {
	by, quotas, err := s.Gate.Admit(r.Context(), r.Header.Get("Authorization"), p)
	setQuotas(w.Header(), quotas)
	if err == nil {
		err = checkText(r)
	}
	return by, err
}

// gated is admit as huma wants it. Calls that create something are also
// answered once per Idempotency-Key.
func (s *Server) gated(rt route) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		r, w := humago.Unwrap(ctx)
		by, err := s.admit(w, r, rt.product)
		who := caller{by: by, correlation: w.Header().Get(CorrelationHeader), resource: rt.resource}
		if rt.resource != "" {
			who.url = r.URL.RequestURI()
		}
		if err != nil {
			s.failTo(w, r, who, err)
			return
		}
		if key := r.Header.Get("Idempotency-Key"); rt.creates && key != "" {
			s.once(w, within(r, by), rt, by, key, func(w http.ResponseWriter, r *http.Request) {
				next(newAdmitted(humago.NewContext(ctx.Operation(), r, w), who))
			})
			return
		}
		next(newAdmitted(ctx, who))
	}
}

// An admitted is the context of a request that was let in, for huma and for the
// handler. huma's own way to add a value copies the whole request.
type admitted struct {
	humaContext
	ctx callerContext
}

// humaContext has a name of its own: a field called Context would clash with the
// method.
type humaContext = huma.Context

type callerContext struct {
	context.Context
	who caller
}

func newAdmitted(ctx huma.Context, who caller) *admitted {
	return &admitted{ctx, callerContext{auth.Within(ctx.Context(), who.by.Customer), who}}
}

func (a *admitted) Context() context.Context { return &a.ctx }

// Unwrap lets humago reach the request.
func (a *admitted) Unwrap() huma.Context { return a.humaContext }

func (c *callerContext) Value(key any) any {
	if key == (callerKey{}) {
		return c.who
	}
	return c.Context.Value(key)
}

// guarded is admit for a raw handler.
func (s *Server) guarded(p auth.Product, h func(http.ResponseWriter, *http.Request, auth.Caller)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		by, err := s.admit(w, r, p)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		h(w, within(r, by), by)
	}
}

// within is a request whose context is bound to the caller's customer.
func within(r *http.Request, by auth.Caller) *http.Request {
	return r.WithContext(auth.Within(r.Context(), by.Customer))
}

// humaError turns what huma says of an input into our words: its 422 is a bad
// request like any other, and every field that is wrong is named.
func humaError(correlation string, status int, message string, errs []error) *errorBody {
	var body *errorBody
	if errors.As(errors.Join(errs...), &body) {
		return body
	}
	if err := errors.Join(errs...); err != nil {
		if _, ok := fault.Of(err); ok {
			body, _ := problem(correlation, err)
			return body
		}
	}
	switch {
	case status == http.StatusUnprocessableEntity:
		status = http.StatusBadRequest
	case message == "cannot read request body":
		// To huma that is our failure. It is a body that broke off, or that is
		// not framed as it says.
		status, message, errs = http.StatusBadRequest, "the body could not be read", nil
	case status >= http.StatusInternalServerError:
		message, errs = "something went wrong on our side; it was noted under this correlationId", nil
	}
	var details []string
	for _, err := range errs {
		details = append(details, detailOf(err))
	}
	if len(details) == 0 {
		details = []string{message}
	}
	title := "Bad request"
	if status != http.StatusBadRequest {
		title = http.StatusText(status)
	}
	return newErrorBody(correlation, status, title, strings.Join(details, "; "))
}

// detailOf names the field first, as callers know it: "query.page" is "page",
// and "body[0].name" is "[0].name".
func detailOf(err error) string {
	var d *huma.ErrorDetail
	if !errors.As(err, &d) {
		return err.Error()
	}
	message := d.Message
	if message == validation.MsgExpectedMatchExactlyOneSchema {
		message = notBool // looseBool alone has schemas of which one must match
	}
	if where, _, ok := strings.Cut(message, ": "); ok && !strings.Contains(where, " ") && d.Location == "body" {
		return message // readJSON has named it
	}
	field := d.Location
	if i := strings.IndexAny(field, ".["); i >= 0 {
		field = strings.TrimPrefix(field[i:], ".")
	}
	if field == "" {
		return message
	}
	return field + ": " + message
}

func requestSum(parts ...[]byte) [32]byte {
	h := sha256.New()
	for _, p := range parts {
		sum := sha256.Sum256(p)
		h.Write(sum[:])
	}
	return [32]byte(h.Sum(nil))
}
