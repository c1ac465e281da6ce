package app

import (
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"bureau/internal/api"
)

// outermost is what every request passes first: it gets its correlationId, is
// measured and traced, and leaves one line in the log. A panic in it is a 500
// and nothing worse.
func outermost(log *slog.Logger, m *metrics, t *tracer, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		id := newCorrelationID()
		h := w.Header()
		h[api.CorrelationHeader] = []string{id}
		h["X-Content-Type-Options"] = noSniff
		h["Strict-Transport-Security"] = onlyHTTPS
		r, endTrace := t.begin(r, id)
		if r.Body != http.NoBody {
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		}
		m.inFlight.Inc()
		rec := &recorder{ResponseWriter: w, gzip: acceptsGzip(r.Header["Accept-Encoding"])}
		defer func() {
			level, more, broken := end(rec, recover())
			took := time.Since(start)
			m.inFlight.Dec()
			m.served(r, rec.status, took)
			endTrace(rec.status)
			logRequest(r.Context(), log, level, start.Add(took), []slog.Attr{
				slog.String("method", methodForMetrics(r.Method)), slog.String("path", pathForLog(r)),
				slog.Int("status", rec.status), slog.Int64("bytes", rec.bytes),
				slog.Duration("took", took), slog.String("correlationId", id),
			}, more)
			if broken {
				panic(http.ErrAbortHandler)
			}
		}()
		next.ServeHTTP(rec, r)
	})
}

// logRequest leaves the line of a request. The logger itself would first find out
// which line of code is logging, which no line of ours tells.
func logRequest(ctx context.Context, log *slog.Logger, level slog.Level, at time.Time, about, more []slog.Attr) {
	h := log.Handler()
	if !h.Enabled(ctx, level) {
		return
	}
	line := slog.NewRecord(at, level, "request", 0)
	line.AddAttrs(about...)
	line.AddAttrs(more...)
	_ = h.Handle(ctx, line) // the logger, too, has nobody to tell
}

// end finishes an answer after the handler has returned, or has panicked with
// p. An answer that was under way by then is broken off: half of one must not
// pass for a whole.
func end(rec *recorder, p any) (level slog.Level, more []slog.Attr, broken bool) {
	if p == nil {
		rec.finish()
		return slog.LevelInfo, nil, false
	}
	level = slog.LevelInfo
	if p != http.ErrAbortHandler { // whoever panics with this means it
		level = slog.LevelError
		more = []slog.Attr{slog.String("err", fmt.Sprint("panic: ", p)), slog.String("stack", string(debug.Stack()))}
		if !rec.sent {
			rec.restart()
			api.WriteUnhandled(rec)
			rec.finish()
			return level, more, false
		}
	}
	rec.status = max(rec.status, http.StatusInternalServerError)
	return level, more, true
}

// Headers that are the same in every answer share their values.
var (
	noSniff   = []string{"nosniff"}
	onlyHTTPS = []string{"max-age=31536000"}
)

// maxBody bounds every body; most operations take much less.
const maxBody = 64 << 20

// pathForLog names the operation, not what was asked: ids and queries may name
// people.
func pathForLog(r *http.Request) string {
	if r.Pattern != "" {
		return r.Pattern
	}
	return "(none)"
}

// newCorrelationID is a random UUID. It names a request and protects nothing.
func newCorrelationID() string {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], rand.Uint64())
	binary.BigEndian.PutUint64(raw[8:], rand.Uint64())
	raw[6] = raw[6]&0x0f | 0x40 // version 4
	raw[8] = raw[8]&0x3f | 0x80 // the usual variant
	var b [36]byte
	at := 0
	for i, part := range [][]byte{raw[:4], raw[4:6], raw[6:8], raw[8:10], raw[10:]} {
		if i > 0 {
			b[at] = '-'
			at++
		}
		at += hex.Encode(b[at:], part)
	}
	return string(b[:])
}

// A recorder remembers the status and compresses larger texts for those who can
// read it.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
	gzip   bool
	sent   bool // the header is on its way
	zipper *gzip.Writer
}

// acceptsGzip reads an Accept-Encoding header.
func acceptsGzip(values []string) bool {
	for _, v := range values {
		for part := range strings.SplitSeq(v, ",") {
			name, weight, _ := strings.Cut(strings.ReplaceAll(part, " ", ""), ";")
			if strings.EqualFold(name, "gzip") {
				return strings.TrimRight(weight, "0") != "q=" && strings.TrimRight(weight, "0") != "q=0."
			}
		}
	}
	return false
}

// Smaller bodies fit in one packet anyway.
const worthZipping = 1400

var zippers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
	return z
}}

func (r *recorder) WriteHeader(status int) {
	if status >= 200 && r.status == 0 {
		r.status = status
		return // sent with the first byte, when we know whether it is zipped
	}
	if status < 200 {
		r.ResponseWriter.WriteHeader(status)
	}
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	if !r.sent {
		r.start(len(b))
	}
	r.bytes += int64(len(b))
	if r.zipper != nil {
		return r.zipper.Write(b)
	}
	return r.ResponseWriter.Write(b)
}

// start sends the header. The first write tells how large the body is: all but
// streams write theirs in one.
func (r *recorder) start(size int) {
	r.sent = true
	h := r.Header()
	kind := h.Get("Content-Type")
	text := strings.HasPrefix(kind, "application/json") || strings.HasPrefix(kind, "text/html") || strings.HasPrefix(kind, "text/css") || strings.HasPrefix(kind, "text/javascript")
	// A smaller body is the same for everyone.
	if text && size >= worthZipping && h.Get("Content-Encoding") == "" && r.status != http.StatusPartialContent {
		h.Add("Vary", "Accept-Encoding")
		if r.gzip {
			h.Del("Content-Length")
			h.Set("Content-Encoding", "gzip")
			r.zipper = zippers.Get().(*gzip.Writer)
			r.zipper.Reset(r.ResponseWriter)
		}
	}
	r.ResponseWriter.WriteHeader(r.status)
}

// restart forgets an answer of which nothing was sent, and what its header says
// of the body.
func (r *recorder) restart() {
	r.status = 0
	for _, name := range []string{"Content-Length", "Content-Encoding", "Cache-Control", "Etag", "Last-Modified", "Location"} {
		r.Header().Del(name)
	}
}

// finish ends the answer.
func (r *recorder) finish() {
	if r.zipper != nil {
		_ = r.zipper.Close()
		zippers.Put(r.zipper)
		r.zipper = nil
	}
	if !r.sent {
		r.status = max(r.status, http.StatusOK)
		r.start(0)
	}
}

// Flush sends what there is, for streams.
func (r *recorder) Flush() {
	if !r.sent {
		r.status = max(r.status, http.StatusOK)
		r.start(0)
	}
	if r.zipper != nil {
		_ = r.zipper.Flush()
	}
	_ = http.NewResponseController(r.ResponseWriter).Flush()
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
