package api

import (
	"log/slog"
	"net/http"
	"net/netip"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"bureau/internal/auth"
	"bureau/internal/bank"
	"bureau/internal/company"
	"bureau/internal/identity"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
	"bureau/internal/national"
	"bureau/internal/pdf"
)

// A Server answers the calls of the service's interface.
type Server struct {
	Login      *auth.Login
	Gate       *auth.Gate
	Directory  *auth.Directory
	Usage      *auth.Usages
	Replies    auth.Replies
	Vault      *auth.Vault
	Companies  *company.Register
	Documents  company.DocumentStore
	Fonts      *pdf.Fonts
	Finder     *company.Finder
	Bank       *bank.Desk
	Identity   *identity.Desk
	Sweden     *national.Sweden
	NonLimited *national.NonLimited
	KYC        *kyc.Searches
	Profiles   *kyc.Profiles
	Trail      *kyc.Trail
	Reports    *kyc.Reports
	Batches    *kyc.Batches
	Portfolios *monitor.Portfolios
	Events     monitor.EventStore
	Hub        *monitor.Hub
	Why        *monitor.Explainer
	Trials     monitor.TrialStore
	Imports    *monitor.Imports
	Webhooks   *monitor.Webhooks
	Mail       *monitor.Subscriptions
	Log        *slog.Logger

	PublicURL      string
	TrustedProxies []netip.Prefix

	// Gone says of an error of ours that the database is out of reach or full, and that
	// it is worth asking again; nil: it never is.
	Gone func(error) bool

	// Go starts a stream that goes on without its call; nil: a goroutine that
	// ends with the Hub.
	Go func(func())

	api    huma.API
	router *router
}

// Handler builds the routes and the OpenAPI document.
func (s *Server) Handler() http.Handler { return s.build(s.routes()) }

func (s *Server) build(routes []route) http.Handler {
	setHuma()
	s.router = &router{rewrite: otherNames}
	s.api = humago.New(s.router, s.document())
	for _, r := range routes {
		r.register(s, r)
	}
	addSamples(s.api.OpenAPI())
	s.router.HandleFunc("GET /openapi.json", s.openapi)
	s.router.HandleFunc("GET "+unsubscribePath, s.askUnsubscribe)
	s.router.HandleFunc("POST "+unsubscribePath, s.unsubscribe)
	return allowOrigins(s.router)
}

// allowOrigins lets pages of any origin call us. No cookie is read here, so a
// page can do only what the token that it holds allows.
func allowOrigins(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h["Access-Control-Allow-Origin"] = anyOrigin
		h["Access-Control-Expose-Headers"] = exposed
		next.ServeHTTP(w, r)
	})
}

var (
	anyOrigin = []string{"*"}
	exposed   = []string{CorrelationHeader + ", Retry-After, RateLimit, RateLimit-Policy, Location"}
)

// setHuma makes huma's own errors (a parameter that is no number, a body that
// is no JSON) look like ours, and lists in the document lists, never null. huma
// keeps this in variables of the package, so it is set once for the process.
var setHuma = sync.OnceFunc(func() {
	huma.DefaultArrayNullable = false
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return humaError("", status, message, errs)
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		_, w := humago.Unwrap(ctx)
		body := humaError(w.Header().Get(CorrelationHeader), status, message, errs)
		if dress, ok := ctx.Operation().Metadata[envelopeKey].(func(*errorBody, caller)); ok {
			who, _ := ctx.Context().Value(callerKey{}).(caller)
			dress(body, who)
		}
		return body
	}
})
