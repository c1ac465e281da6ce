package api

import (
	"context"
	"io"
	"net/http"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

// uploadBatch takes a file of subjects.
func (s *Server) uploadBatch(w http.ResponseWriter, r *http.Request, by auth.Caller, rt route) {
	var file kyc.BatchFile
	var name string
	kept, begun := false, false
	defer func() {
		if kept && !begun {
			_ = s.Batches.Drop(context.WithoutCancel(r.Context()), file) // else it is forgotten in time
		}
	}()
	form := fileForm{field: "File", most: kyc.MaxBatchFile, keep: func(called string, in io.Reader) (err error) {
		name = called
		file, err = s.Batches.Receive(r.Context(), in)
		kept = err == nil
		return err
	}}
	if err := form.read(w, r); err != nil {
		s.fail(w, r, err)
		return
	}
	begin := func(w http.ResponseWriter, r *http.Request) {
		b, err := s.Batches.Upload(r.Context(), by, name, file)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		begun = true
		writeJSON(w, http.StatusAccepted, oneBatchJSON{s.toBatchJSON(&b), w.Header().Get(CorrelationHeader)})
	}
	if key := r.Header.Get("Idempotency-Key"); key != "" {
		s.onceFor(w, r, rt, by, key, requestSum([]byte(r.URL.Path), []byte(name), file.Sum[:]), begin)
		return
	}
	begin(w, r)
}
