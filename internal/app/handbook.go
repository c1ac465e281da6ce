package app

import (
	"net/http"
	"sync"

	"bureau/changelog"
	"bureau/internal/api"
	"bureau/internal/handbook"
)

// handbook makes the documents of the API from what it serves, when somebody first
// opens them: most nodes are asked by programs alone.
func (s *Serving) handbook(calls *api.Server) http.Handler {
	open := sync.OnceValues(func() (http.Handler, error) {
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
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		book, err := open()
		if err != nil { // the tests would have seen it
			s.app.Log.ErrorContext(r.Context(), "the documents cannot be made", "err", err)
			http.Error(w, "The documents cannot be shown.", http.StatusInternalServerError)
			return
		}
		book.ServeHTTP(w, r)
	})
}
