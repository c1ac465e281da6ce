package api_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
)

// FuzzBodies holds that no operation breaks, whatever a customer with every
// product sends to it: an answer is never our fault, and what it calls JSON is.
func FuzzBodies(f *testing.F) {
	w := newWorld(f, plan{calls: auth.CallRules{Burst: 1 << 30, Sustained: 1 << 30}})
	w.companies(1)
	w.searchable(company.Statement{Country: "GB", Number: "99000002", Facts: company.Facts{Name: "Brimwick Hollow Ltd"}})
	l := w.join("acme", everywhere(auth.Products()...)...)
	token := w.token(l)
	w.server.Log = slog.New(slog.DiscardHandler)
	handler := w.server.Build(w.server.Rows())
	for _, e := range examples(l.Password) {
		f.Add(e.method, "/v1"+e.path, jsonType, e.body)
	}
	for _, body := range []string{`{"name":null}`, `{"name":"\ud800"}`, `[]`, `{"name":{"name":[]}}`, `{"name":1e999}`, "{\"name\":\"\\u0000\"}", `{"name":"a"}{`} {
		f.Add("POST", "/v1/monitoring/portfolios", jsonType, body)
	}
	f.Add("POST", "/v1/monitoring/portfolios/1/import", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nid\n--x--\r\n")
	f.Add("GET", "/v1/monitoring/notificationEvents?after=AAAA&pageSize=-1&page=99999999999999999999", "", "")
	f.Add("GET", "/v1/companies?countries=GB&name=%00&pageSize=0&sort=%ff", "", "")
	f.Fuzz(func(t *testing.T, method, path, kind, body string) {
		if strings.Contains(strings.ToLower(path), "stream") {
			return // it answers until its caller goes away
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
		if err != nil || !strings.HasPrefix(path, "/") {
			return
		}
		r.RemoteAddr = "203.0.113.9:1234"
		r.Header.Set("Authorization", "Bearer "+token)
		if kind != "" {
			r.Header.Set("Content-Type", kind)
		}
		got := httptest.NewRecorder()
		handler.ServeHTTP(got, r)
		answer, err := io.ReadAll(got.Result().Body)
		if err != nil || got.Code >= 500 {
			t.Fatalf("%s %q of %q %q: %d %s (%v)", method, path, kind, body, got.Code, answer, err)
		}
		if got.Header().Get("Content-Type") == jsonType && len(answer) > 0 && !json.Valid(answer) {
			t.Fatalf("%s %q: this is no JSON: %s", method, path, answer)
		}
	})
}
