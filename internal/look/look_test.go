package look_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"bureau/internal/look"
)

// A file has an address that changes with its content, under which a browser may
// keep it for ever; under any other it asks again.
func TestAssets(t *testing.T) {
	load := func(content string) (*look.Assets, string) {
		a, err := look.NewAssets("/pages/static", fstest.MapFS{"own.js": {Data: []byte(content)}})
		if err != nil {
			t.Fatal(err)
		}
		url, err := a.URL("own.js")
		if err != nil {
			t.Fatal(err)
		}
		return a, url
	}
	a, url := load("let a")
	if _, other := load("let b"); other == url {
		t.Errorf("both contents are at %s", url)
	}
	if _, err := a.URL("none.js"); err == nil {
		t.Error("a file that is not there has an address")
	}
	mux := http.NewServeMux()
	mux.Handle("GET /pages/static/{name}", a)
	guarded := look.Guard{Images: "data:", Cache: "no-store"}.Wrap(mux)
	for _, c := range []struct {
		at, kind, cache string
		status          int
	}{
		{url, "text/javascript; charset=utf-8", "immutable", 200},
		{"/pages/static/own.js", "text/javascript; charset=utf-8", "no-cache", 200},
		{"/pages/static/own.js?v=0", "text/javascript; charset=utf-8", "no-cache", 200},
		{"/pages/static/look.css", "text/css; charset=utf-8", "no-cache", 200},
		{"/pages/static/icon.svg", "image/svg+xml", "no-cache", 200},
		{"/pages/static/none.js", "text/plain; charset=utf-8", "", 404},
	} {
		w := httptest.NewRecorder()
		guarded.ServeHTTP(w, httptest.NewRequest(http.MethodGet, c.at, nil))
		h := w.Header()
		if w.Code != c.status || h.Get("Content-Type") != c.kind || !strings.Contains(h.Get("Cache-Control"), c.cache) {
			t.Errorf("%s: got %d, %s, %s", c.at, w.Code, h.Get("Content-Type"), h.Get("Cache-Control"))
		}
		if p := h.Get("Content-Security-Policy"); !strings.Contains(p, "default-src 'none'") || !strings.Contains(p, "img-src 'self' data:") || strings.Contains(p, "unsafe") {
			t.Errorf("%s: the policy is %s", c.at, p)
		}
	}
}
