package api

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"unicode/utf8"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

const (
	maxIdempotencyKey = 255
	maxBody           = 1 << 20
)

// once answers a creating call once per Idempotency-Key: whoever sends the same
// key again within a day gets the first answer, and nothing is made twice. A
// call that made nothing is forgotten, so that it can be tried again.
func (s *Server) once(w http.ResponseWriter, r *http.Request, rt route, by auth.Caller, key string, next func(http.ResponseWriter, *http.Request)) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		s.fail(w, r, fault.Invalid.Errorf("the body could not be read, or is larger than %d bytes", maxBody))
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.onceFor(w, r, rt, by, key, requestSum([]byte(r.URL.Path), []byte(r.URL.RawQuery), body), next)
}

// onceFor is once for a request whose body was read before; sum tells it from
// every other.
func (s *Server) onceFor(w http.ResponseWriter, r *http.Request, rt route, by auth.Caller, key string, sum [32]byte, next func(http.ResponseWriter, *http.Request)) {
	if len(key) > maxIdempotencyKey || !utf8.ValidString(key) {
		s.fail(w, r, fault.Invalid.Errorf("the Idempotency-Key is longer than %d characters", maxIdempotencyKey))
		return
	}
	name := rt.id + " " + key
	saved, claimed, err := s.Replies.BeginReply(r.Context(), by, name, sum)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	if !claimed {
		for k, v := range saved.Header {
			w.Header().Set(k, v)
		}
		w.Header().Set("Idempotent-Replayed", "true")
		w.WriteHeader(saved.Status)
		_, _ = w.Write(saved.Body)
		return
	}
	kept := &keeper{ResponseWriter: w, status: http.StatusOK}
	// A caller who has hung up is the one who will ask again.
	ctx := context.WithoutCancel(r.Context())
	finished := false
	defer func() {
		if !finished { // a panic on the way
			_ = s.Replies.DropReply(ctx, by, name)
		}
	}()
	next(kept, r)
	finished = true
	if kept.status >= http.StatusBadRequest {
		err = s.Replies.DropReply(ctx, by, name)
	} else {
		err = s.Replies.FinishReply(ctx, by, name, kept.reply())
	}
	if err != nil {
		// The call itself succeeded: failing it now would invite a repeat.
		s.logFailure(rt.id, w.Header().Get(CorrelationHeader), err)
	}
	w.WriteHeader(kept.status)
	_, _ = w.Write(kept.body.Bytes())
}

// A keeper holds an answer back until it is saved.
type keeper struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (k *keeper) reply() auth.Reply {
	r := auth.Reply{Status: k.status, Body: k.body.Bytes(), Header: map[string]string{}}
	for _, name := range []string{"Content-Type", "Location"} {
		if v := k.Header().Get(name); v != "" {
			r.Header[name] = v
		}
	}
	return r
}

// Unwrap lets http.ResponseController reach the connection.
func (k *keeper) Unwrap() http.ResponseWriter { return k.ResponseWriter }

func (k *keeper) WriteHeader(status int)      { k.status = status }
func (k *keeper) Write(b []byte) (int, error) { return k.body.Write(b) }
