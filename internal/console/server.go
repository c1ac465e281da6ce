package console

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"bureau/internal/auth"
	"bureau/internal/bank"
	"bureau/internal/company"
	"bureau/internal/identity"
	"bureau/internal/kyc"
	"bureau/internal/look"
	"bureau/internal/monitor"
)

// Path is where the console is.
const Path = "/console"

//go:embed templates static
var files embed.FS

// A Server answers the console's pages.
type Server struct {
	Sessions   *auth.Sessions
	Gate       *auth.Gate
	Directory  *auth.Directory
	Office     *auth.Office
	Usage      *auth.Usages
	Audit      AuditLog
	Companies  *company.Register
	Documents  company.DocumentStore
	Finder     *company.Finder
	Portfolios *monitor.Portfolios
	Events     monitor.EventStore
	Hub        *monitor.Hub
	Why        *monitor.Explainer
	Trials     monitor.TrialStore
	Imports    *monitor.Imports
	Webhooks   *monitor.Webhooks
	Bank       *bank.Desk
	Identity   *identity.Desk
	KYC        *kyc.Searches
	Reports    *kyc.Reports
	Lists      kyc.Store
	Health     Health
	Log        *slog.Logger
	Now        func() time.Time

	// Refused are the first records that an import refused, if it ran here.
	Refused func(i company.Import, limit int) ([]Refused, error)
	// Paper is a search with its hits as a PDF, as calls download it.
	Paper func(auth.Caller, kyc.Dossier) ([]byte, error)
	// Named is the name under which the audit log has somebody.
	Named func(string) string
	// Source is the address that a request came from.
	Source func(*http.Request) netip.Addr
	// Correlation is the name of the header with a request's correlationId.
	Correlation string
	PublicURL   string

	pages  pages
	assets *look.Assets
	origin *http.CrossOriginProtection
}

// AuditLog is what the console reads of the audit log.
type AuditLog interface {
	AuditLog(ctx context.Context, after int64, each func(auth.Entry) error) error
	AuditHead(ctx context.Context) (auth.Head, []auth.SignedHead, error)
}

// Health tells the operator how the node is.
type Health interface {
	// Works lists what runs in the background, by name.
	Works() []Work
	// Signs are what somebody should look at, or that all is well.
	Signs(ctx context.Context) []Sign
}

// A Work is something that a node does again and again.
type Work struct {
	Name   string
	Last   time.Time // when it last did
	Failed string    // why it fails; empty if it does not
}

// A Sign is one thing that was looked at.
type Sign struct {
	Subject string
	Well    bool
	Says    string
}

// Handler builds the pages.
func (s *Server) Handler() (http.Handler, error) {
	static, err := fs.Sub(files, "static")
	if err != nil {
		return nil, err
	}
	if s.assets, err = look.NewAssets(Path+"/static", static); err != nil {
		return nil, err
	}
	if s.pages, err = s.loadPages(); err != nil {
		return nil, err
	}
	s.origin = http.NewCrossOriginProtection()
	if err := s.origin.AddTrustedOrigin(s.PublicURL); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.HandleFunc(r.pattern, s.serve(r))
	}
	mux.Handle("GET "+Path+"/static/{name}", s.assets)
	mux.HandleFunc("GET "+Path, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, Path+"/", http.StatusMovedPermanently)
	})
	return look.Guard{Images: "data:", Cache: "no-store"}.Wrap(mux), nil
}
