package api

import (
	"net/http"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// Everything under /protect/ is retired, whatever the method and whether or not
// a token is sent, but for these operations and those of idvRows. There is no
// Location: the answer names no address that a caller could have chosen.
var stillProtected = []struct{ method, path, id, summary string }{
	{http.MethodPost, "/protect/audit", "createProtectAudit", "Start an audit export"},
	{http.MethodGet, "/protect/audit", "listProtectAudit", "Read audit exports"},
}

// otherNames are trees that clients know under two names.
var otherNames = map[string]string{
	"/compliance/kyc-protect": "/kyc-protect",
	"/protect/audits":         "/protect/audit",
}

func (s *Server) retired(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusMovedPermanently, messageJSON{
		Message: "These resources are no longer available. They are replaced by the KYC product.",
	})
}

type messageJSON struct {
	Message string `json:"message" doc:"What there is to say, in words."`
}

// notYet answers what needs a token and is not served.
func (s *Server) notYet(w http.ResponseWriter, r *http.Request, _ auth.Caller) {
	s.fail(w, r, fault.Missing.Errorf("Resource not found"))
}
