package app

import (
	"net/http"

	"bureau/changelog"
	"bureau/internal/api"
	"bureau/internal/handbook"
)

// handbook makes the documents of the API from what it serves.
func (s *Serving) handbook(calls *api.Server) (http.Handler, error) {
	document, err := calls.Document()
	if err != nil {
		return nil, err
	}
	changes, err := changelog.Entries()
	if err != nil { // no reason not to serve
		s.app.Log.Warn("some changes cannot be shown", "err", err)
	}
	book := &handbook.Server{Document: document, PublicURL: s.app.Config.publicURL(), Changes: changes}
	return book.Handler()
}
