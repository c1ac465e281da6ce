package api

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"bureau/internal/auth"
)

// maxLogin bounds the body of an authenticate request: two credentials of 30
// characters fit many times over.
const maxLogin = 4096

const accessDenied = "Access denied. The username and the password are case-sensitive; " +
	"if the problem persists, please contact your account manager."

// unexpected is the body of authenticate's 429, which the specification gives
// the shape and the words of an unexpected server error. The headers beside it
// tell the truth.
var unexpected = map[string]errorInner{"error": {
	Code:   "UnexpectedInternalError",
	Text:   "An unexpected error occurred.",
	Detail: "The request could not be handled at this time.",
}}

// authenticate exchanges a user key and a password for a token.
func (s *Server) authenticate(w http.ResponseWriter, r *http.Request) {
	req := readLogin(r)
	req.Source = s.ClientAddr(r)
	a, err := s.Login.Authenticate(r.Context(), req)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	setQuotas(h, a.Quotas)
	switch a.Verdict {
	case auth.Granted:
		writeJSON(w, http.StatusOK, tokenJSON{Token: a.Token})
	case auth.Limited:
		h.Set("Retry-After", retryAfter(a.Wait))
		writeJSON(w, http.StatusTooManyRequests, unexpected)
	case auth.Unreadable:
		h.Set("Content-Type", "text/plain")
		w.WriteHeader(http.StatusBadRequest)
	default:
		h.Set("Content-Type", "text/plain")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, accessDenied)
	}
}

type tokenJSON struct {
	Token string `json:"token" doc:"A JWT, valid for one hour. Send it as: Authorization: Bearer <token>."`
}

// readLogin reads a login from JSON or a form. Whatever cannot be read, be it
// for its framing, is not an error but an unreadable request.
func readLogin(r *http.Request) auth.LoginRequest {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxLogin+1))
	unreadable := auth.LoginRequest{Unreadable: body}
	if err != nil || len(body) > maxLogin || !utf8.Valid(body) {
		return unreadable
	}
	user, password, ok := parseLogin(r.Header.Get("Content-Type"), body)
	if !ok || !isCredential(user) || !isCredential(password) {
		return unreadable
	}
	return auth.LoginRequest{UserKey: user, Password: password, IsReadable: true}
}

func parseLogin(contentType string, body []byte) (user, password string, ok bool) {
	// What begins like JSON is JSON: curl -d calls everything a form.
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		kind, _, _ := mime.ParseMediaType(contentType)
		if kind != "application/x-www-form-urlencoded" {
			return "", "", false
		}
		form, err := url.ParseQuery(string(body))
		if err != nil || len(form["username"]) != 1 || len(form["password"]) != 1 {
			return "", "", false
		}
		return form.Get("username"), form.Get("password"), true
	}
	// Not into a struct, which would take "USERNAME" for username.
	var in map[string]json.RawMessage
	if json.Unmarshal(body, &in) != nil {
		return "", "", false
	}
	user, ok = plainText(in["username"])
	if ok {
		password, ok = plainText(in["password"])
	}
	return user, password, ok
}

// plainText reads a string of a JSON document that was read before. One without
// escapes stands there as it is.
func plainText(raw json.RawMessage) (s string, ok bool) {
	if len(raw) > 1 && raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), true
	}
	return s, json.Unmarshal(raw, &s) == nil
}

// isCredential reports whether s can be a user key or a password. A character
// that JSON could not express arrives as U+FFFD: then it is not exactly what
// was sent.
func isCredential(s string) bool {
	return s != "" && utf8.ValidString(s) && !strings.ContainsRune(s, utf8.RuneError) &&
		utf8.RuneCountInString(s) <= auth.MaxCredential
}
