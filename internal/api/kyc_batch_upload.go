package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

// uploadBatch takes a file of subjects.
func (s *Server) uploadBatch(w http.ResponseWriter, r *http.Request, by auth.Caller, rt route) {
	file, name, err := s.readBatch(w, r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	begun := false
	defer func() {
		if !begun {
			_ = s.Batches.Drop(context.WithoutCancel(r.Context()), file) // else it is forgotten in time
		}
	}()
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

// readBatch reads a multipart body, and keeps its file as it comes.
func (s *Server) readBatch(w http.ResponseWriter, r *http.Request) (file kyc.BatchFile, name string, err error) {
	late := time.Now().Add(uploadTime)
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(late) // a connection without deadlines has no need of later ones
	_ = conn.SetWriteDeadline(late.Add(time.Minute))
	r.Body = http.MaxBytesReader(w, r.Body, kyc.MaxBatchFile+1<<20)
	parts, err := r.MultipartReader()
	if err != nil {
		return file, "", fault.Invalid.Errorf("File: send the file as multipart/form-data, in a part of this name")
	}
	has := false
	defer func() {
		if err != nil && has {
			_ = s.Batches.Drop(context.WithoutCancel(r.Context()), file)
		}
	}()
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return file, "", fault.Invalid.Errorf("the body could not be read to its end")
		}
		if !strings.EqualFold(part.FormName(), "file") {
			continue
		}
		if has {
			return file, "", fault.Invalid.Errorf("File: one file at a time")
		}
		if file, err = s.Batches.Receive(r.Context(), sent{part}); err != nil {
			return file, "", err
		}
		has, name = true, part.FileName()
	}
	if !has {
		return file, "", fault.Invalid.Errorf("File: the file is missing")
	}
	return file, name, nil
}
