package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// CorrelationHeader carries the id of a request, in every reply and every log
// line.
const CorrelationHeader = "X-Correlation-Id"

// errorBody is what a caller is told when something is wrong. It speaks both
// vocabularies at once: the upper three that clients in the field read, and the
// Error object of the specification.
type errorBody struct {
	CorrelationID string     `json:"correlationId" doc:"The id of this request; name it when you ask about it."`
	Message       string     `json:"message" doc:"What went wrong, in a few words."`
	Details       string     `json:"details" doc:"What exactly is wrong and, where it helps, what to do."`
	Err           errorInner `json:"error" doc:"The same once more, in the form of the specification."`

	Meta *swedishMeta `json:"metaData,omitempty" doc:"Of the Swedish services: which call this answers."`

	status int
	wait   time.Duration
	quotas []auth.Quota
}

type errorInner struct {
	Code   string `json:"code" doc:"The kind of error."`
	Text   string `json:"text" doc:"What went wrong, in a few words."`
	Detail string `json:"detail" doc:"What exactly is wrong."`
}

func (e *errorBody) Error() string  { return e.Message + ": " + e.Details }
func (e *errorBody) GetStatus() int { return e.status }

func newErrorBody(correlation string, status int, message, details string) *errorBody {
	return &errorBody{
		CorrelationID: correlation, Message: message, Details: details, status: status,
		Err: errorInner{Code: errorCode(status), Text: message, Detail: details},
	}
}

func errorCode(status int) string {
	return strings.ReplaceAll(http.StatusText(status), " ", "")
}

// statuses turn the kind of a fault into a status and a title. Where the title
// is empty the fault's own words are the message.
var statuses = map[fault.Kind]struct {
	status int
	title  string
}{
	fault.Invalid:   {http.StatusBadRequest, "Bad request"},
	fault.Stranger:  {http.StatusUnauthorized, "Unauthorized"},
	fault.Denied:    {http.StatusForbidden, "Access forbidden"},
	fault.Missing:   {http.StatusNotFound, ""},
	fault.Conflict:  {http.StatusConflict, ""},
	fault.TooLarge:  {http.StatusRequestEntityTooLarge, http.StatusText(http.StatusRequestEntityTooLarge)},
	fault.Exhausted: {http.StatusTooManyRequests, "Too many requests"},
	fault.Busy:      {http.StatusServiceUnavailable, "Service busy"},
}

// problem turns any error into what its caller is told. A plain error shows
// nothing of itself; ok is false for those, which are for our log.
func problem(correlation string, err error) (body *errorBody, ok bool) {
	var done *errorBody
	if errors.As(err, &done) {
		return done, true
	}
	v, ok := fault.Of(err)
	if !ok {
		return newErrorBody(correlation, http.StatusInternalServerError, "Unhandled error",
			"something went wrong on our side; it was noted under this correlationId"), false
	}
	s := statuses[v.Kind]
	message, details := s.title, v.Text
	if message == "" {
		message = v.Text
	}
	if len(v.Details) > 0 {
		details = strings.Join(v.Details, "; ")
	}
	body = newErrorBody(correlation, s.status, message, details)
	body.wait = v.Wait
	return body, true
}

// problem is problem for a failure that may be the database's.
func (s *Server) problem(correlation string, err error) (body *errorBody, ok bool) {
	body, ok = problem(correlation, err)
	if !ok && s.Gone != nil && s.Gone(err) {
		body = newErrorBody(correlation, http.StatusServiceUnavailable, statuses[fault.Busy].title, "the database cannot be used just now; try again soon")
		body.wait = goneWait
	}
	return body, ok
}

// goneWait is when to ask again: a replica takes over within seconds.
const goneWait = 2 * time.Second

// write sends the error.
func (e *errorBody) write(w http.ResponseWriter) {
	setQuotas(w.Header(), e.quotas)
	if e.wait > 0 {
		w.Header().Set("Retry-After", retryAfter(e.wait))
	}
	if e.status == http.StatusUnauthorized {
		// One client in the field renews its token on exactly this text.
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		writeJSON(w, e.status, map[string]string{"error": "Invalid token."})
		return
	}
	writeJSON(w, e.status, e)
}

// GetHeaders gives huma what goes beside the body.
func (e *errorBody) GetHeaders() http.Header {
	h := http.Header{}
	if e.wait > 0 {
		h.Set("Retry-After", retryAfter(e.wait))
	}
	return h
}

func writeError(w http.ResponseWriter, status int, message, details string) {
	newErrorBody(w.Header().Get(CorrelationHeader), status, message, details).write(w)
}

// WriteUnhandled answers a request whose handler broke down.
func WriteUnhandled(w http.ResponseWriter) {
	body, _ := problem(w.Header().Get(CorrelationHeader), errors.New("panic"))
	body.write(w)
}

// fail answers a raw handler's error, and logs it if it is ours.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	s.failTo(w, r, caller{correlation: w.Header().Get(CorrelationHeader)}, err)
}

// failTo is fail in the envelope that the caller expects, if any.
func (s *Server) failTo(w http.ResponseWriter, r *http.Request, c caller, err error) {
	body, ok := s.problem(c.correlation, err)
	if !ok {
		// Not the path: an id in it may name a person.
		s.logFailure(r.Method+" "+r.Pattern, c.correlation, err)
	}
	s.dress(body, c)
	body.write(w)
}

func (s *Server) logFailure(operation, correlation string, err error) {
	s.Log.Error("request failed", "operation", operation, "correlationId", correlation, "err", err)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("write %T: %v", v, err)) // our own types
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	_, _ = w.Write(b) // and no line end: some bodies are fixed to the byte
}

// retryAfter is the first whole second at which the wait is over.
func retryAfter(wait time.Duration) string {
	return strconv.FormatInt(int64(math.Ceil(wait.Seconds())), 10)
}

// setQuotas tells a caller where it stands, in the RateLimit headers of the
// IETF draft.
func setQuotas(h http.Header, quotas []auth.Quota) {
	if len(quotas) == 0 {
		return
	}
	policy := make([]byte, 0, 64)
	left := make([]byte, 0, 64)
	for i, q := range quotas {
		if i > 0 {
			policy, left = append(policy, ", "...), append(left, ", "...)
		}
		policy = append(quoted(policy, q.Name), ";q="...)
		policy = strconv.AppendInt(policy, int64(q.Limit), 10)
		policy = strconv.AppendInt(append(policy, ";w="...), int64(q.Window/time.Second), 10)
		left = append(quoted(left, q.Name), ";r="...)
		left = strconv.AppendInt(left, int64(q.Left), 10)
		left = strconv.AppendInt(append(left, ";t="...), int64(math.Ceil(q.Reset.Seconds())), 10)
	}
	// Set as they are, without Header.Set, which would have to find that they
	// are canonical: this runs in every call.
	values := []string{string(policy), string(left)}
	h["Ratelimit-Policy"] = values[:1:1]
	h["Ratelimit"] = values[1:2:2]
}

// quoted appends a name of ours, which holds nothing that needs escaping.
func quoted(b []byte, name string) []byte {
	return append(append(append(b, '"'), name...), '"')
}

var (
	_ huma.StatusError  = (*errorBody)(nil)
	_ huma.HeadersError = (*errorBody)(nil)
)
