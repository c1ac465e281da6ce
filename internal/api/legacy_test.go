package api_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// gone is the whole body of a retired path.
const gone = `{"message":"These resources are no longer available. They are replaced by the KYC product."}`

func wantGone(t *testing.T, got answer) {
	t.Helper()
	if got.status != http.StatusMovedPermanently || got.header.Get("Content-Type") != jsonType || got.body != gone {
		t.Errorf("got %d %q %q, want 301 %q %q", got.status, got.header.Get("Content-Type"), got.body, jsonType, gone)
	}
	if values, ok := got.header["Location"]; ok {
		t.Errorf("got the Location %q, want none", values)
	}
}

func TestRetiredPaths(t *testing.T) {
	w := newWorld(t, plan{})
	token := w.token(w.join("acme"))
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"} {
		for _, path := range []string{
			"/protect", "/protect/", "/protect/search/individuals", "/protect/profiles/7/notes/8", "/v1/protect/x", "/V1/Protect/X/",
			"//protect//x", "/protect/audit/7", "/protect/auditing", "/protect/idv", "/protect/idv/gdc", "/protect/idv/file/1",
			"/protect/idv/gdc/search/1", "/protect/%2F", "/protect/..", "/protect/authenticate",
		} {
			for _, header := range [][]string{nil, {"Authorization", "Bearer " + token}, {"Authorization", "nonsense"}} {
				wantGone(t, w.send(method, path, `{"a":1}`, header...))
			}
		}
	}
	if got := w.send("HEAD", "/protect/x", ""); got.status != 301 || got.body != "" {
		t.Errorf("HEAD: got %d %q", got.status, got.body)
	}
}

// The four operations that stay, by method and path.
func TestNotAllOfItIsRetired(t *testing.T) {
	w := newWorld(t, plan{})
	token := w.token(w.join("acme"))
	for _, c := range []struct {
		method, path string
		stays        bool
	}{
		{"POST", "/protect/audit", true},
		{"GET", "/protect/audit", true},
		{"POST", "/protect/audits", true},
		{"GET", "/protect/audits", true},
		{"GET", "/V1/PROTECT//AUDITS/", true},
		{"POST", "/protect/idv/gdc/search", true},
		{"GET", "/protect/idv/file", true},
		{"GET", "/v1/protect/idv/file?id=7", true},
		{"PUT", "/protect/audit", false},
		{"DELETE", "/protect/audits", false},
		{"GET", "/protect/idv/gdc/search", false},
		{"POST", "/protect/idv/file", false},
		{"OPTIONS", "/protect/audit", false},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			without := w.send(c.method, c.path, "")
			with := w.send(c.method, c.path, "", "Authorization", token)
			if !c.stays {
				wantGone(t, without)
				wantGone(t, with)
				return
			}
			wantStranger(t, without)
			if strings.Contains(c.path, "/idv/") {
				wantError(t, with, 403, "Access forbidden", "no access to identity")
				return
			}
			wantError(t, with, 403, "Access forbidden", "no access to kyc")
		})
	}
}

// A25: whatever the host and the path, the answer names no address.
func FuzzRetired(f *testing.F) {
	for _, path := range []string{
		"x", "//evil.example", "\r\nLocation: https://evil.example", "%0d%0aLocation:%20x", "https://evil.example/", "@evil.example",
		"\\evil.example", "..//evil.example", "\x00", "?next=https://evil.example", "#x", "\u2028", "<script>",
	} {
		f.Add("evil.example", path, "DELETE")
		f.Add("evil.example\r\nX: y", path, "BREW")
	}
	h := newWorld(f, plan{}).server.Handler()
	first := httptest.NewRecorder()
	h.ServeHTTP(first, httptest.NewRequest("GET", "/protect/x", nil))
	want := first.Header()
	f.Fuzz(func(t *testing.T, host, path, method string) {
		if method == "GET" || method == "POST" || method == "HEAD" {
			method = "PUT" // two of these have exceptions, and HEAD no body
		}
		r := &http.Request{
			Method: method, Host: host, URL: &url.URL{Path: "/protect/" + path}, Body: http.NoBody,
			Header: http.Header{"X-Forwarded-Host": {host}, "Referer": {path}, "Origin": {host}},
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		wantGone(t, answer{w.Code, w.Header(), w.Body.String()})
		if d := cmp.Diff(want, w.Header()); d != "" {
			t.Errorf("the request changes the headers (-want +got):\n%s", d)
		}
	})
}

// The same on the wire, where the request line is ours to forge.
func TestRetiredPathsOnTheWire(t *testing.T) {
	w := newWorld(t, plan{})
	for _, request := range []string{
		"GET /protect/x HTTP/1.1\r\nHost: evil.example\r\n",
		"GET http://evil.example/protect/x HTTP/1.1\r\nHost: x\r\n",
		"GET //evil.example/protect/../../protect/x HTTP/1.1\r\nHost: x\r\n",
		"GET /protect//evil.example HTTP/1.1\r\nHost: x\r\n",
		"GET /protect/%0d%0aLocation:%20https://evil.example HTTP/1.1\r\nHost: x\r\n",
		"GET /protect/%2f%2fevil.example HTTP/1.1\r\nHost: x\r\nX-Forwarded-Host: evil.example\r\nX-Original-Url: //evil.example\r\n",
		"BREW /protect/x HTTP/1.1\r\nHost: evil.example:1\r\n",
	} {
		got := w.raw(request + "Connection: close\r\n\r\n")
		if strings.HasPrefix(request, "GET //evil") {
			if !strings.HasPrefix(got, "HTTP/1.1 404 ") || strings.Contains(got, "evil") {
				t.Errorf("%q: got %q, want a 404", request, got)
			}
			continue
		}
		if !strings.HasPrefix(got, "HTTP/1.1 301 ") || !strings.HasSuffix(got, "\r\n\r\n"+gone) ||
			strings.Contains(got, "\r\nLocation:") || strings.Contains(got, "evil") {
			t.Errorf("%q: got %q", request, got)
		}
	}
}
