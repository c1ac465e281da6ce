package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"
)

// The kinds of Error, for errors.Is.
var (
	ErrBadRequest      = errors.New("bad request")
	ErrUnauthorized    = errors.New("unauthorized")
	ErrForbidden       = errors.New("forbidden")
	ErrNotFound        = errors.New("not found")
	ErrConflict        = errors.New("conflict")
	ErrTooManyRequests = errors.New("too many requests")
	ErrServer          = errors.New("server error")
)

var kinds = map[int]error{
	http.StatusBadRequest:      ErrBadRequest,
	http.StatusUnauthorized:    ErrUnauthorized,
	http.StatusForbidden:       ErrForbidden,
	http.StatusNotFound:        ErrNotFound,
	http.StatusConflict:        ErrConflict,
	http.StatusTooManyRequests: ErrTooManyRequests,
}

// An Error is an answer that is not a success.
type Error struct {
	Status        int
	Message       string        // in a few words
	Details       string        // what exactly; may be empty
	CorrelationID string        // name it when you ask about the call
	RetryAfter    time.Duration // when to try again; zero if the answer does not say
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%d %s", e.Status, e.Message)
	if e.Details != "" && e.Details != e.Message {
		text += ": " + e.Details
	}
	if e.CorrelationID != "" {
		text += " (correlationId " + e.CorrelationID + ")"
	}
	return text
}

// Is reports whether the error is of a kind.
func (e *Error) Is(kind error) bool {
	return kinds[e.Status] == kind || e.Status >= http.StatusInternalServerError && kind == ErrServer
}

// refusedToken is the text that the service reserves for a dead token.
func (e *Error) refusedToken() bool {
	return e.Status == http.StatusUnauthorized && e.Message == "Invalid token."
}

// readError reads any of the service's error bodies: its own with message and
// details, one whose error is a text or an object, plain text, or none.
func readError(resp *http.Response) *Error {
	e := &Error{Status: resp.StatusCode, CorrelationID: resp.Header.Get("X-Correlation-Id")}
	if seconds, err := strconv.ParseUint(resp.Header.Get("Retry-After"), 10, 31); err == nil { // 68 years at most
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	const most = 64 << 10
	b, _ := io.ReadAll(io.LimitReader(resp.Body, most)) // half an explanation is better than none
	switch kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind {
	case "application/json":
		e.readJSON(b)
	case "text/plain":
		e.Message = string(b)
	}
	if e.Message == "" {
		e.Message = http.StatusText(e.Status)
	}
	return e
}

func (e *Error) readJSON(b []byte) {
	var body struct {
		CorrelationID string          `json:"correlationId"`
		Message       string          `json:"message"`
		Details       string          `json:"details"`
		Err           json.RawMessage `json:"error"`
	}
	if json.Unmarshal(b, &body) != nil {
		return
	}
	e.Message, e.Details = body.Message, body.Details
	if body.CorrelationID != "" {
		e.CorrelationID = body.CorrelationID
	}
	var text string
	var object struct{ Code, Text, Detail string }
	switch {
	case e.Message != "":
	case json.Unmarshal(body.Err, &text) == nil:
		e.Message = text
	case json.Unmarshal(body.Err, &object) == nil:
		e.Message, e.Details = object.Text, object.Detail
	}
}
