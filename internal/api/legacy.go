package api

import "net/http"

// otherNames are trees that clients know under two names.
var otherNames = map[string]string{
	"/compliance/kyc-protect": "/kyc-protect",
	"/protect/audits":         "/protect/audit",
}

// retired answers everything under /protect/, whatever the method and whether or
// not a token is sent, but for the operations of auditRows and idvRows. There is
// no Location: the answer names no address that a caller could have chosen.
func (s *Server) retired(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusMovedPermanently, messageJSON{
		Message: "These resources are no longer available. They are replaced by the KYC product.",
	})
}

type messageJSON struct {
	Message string `json:"message" doc:"What there is to say, in words."`
}
