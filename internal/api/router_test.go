package api

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// patterns have a literal beside an id, ids in a row, a tree with exceptions,
// and one path with several methods.
var patterns = []string{
	"GET /things", "POST /things", "GET /things/{id}", "DELETE /things/{id}", "GET /things/newest",
	"POST /things/{id}/parts/{part}", "GET /things/{id}/parts/{part}", "GET /things/{id}/parts/all", "GET /things/newest/parts/{part}",
	"GET /Mixed/caseLiteral/{id}", "PATCH /{any}/tail",
	"GET /old/kept", "POST /old/kept/deep", "/old", "/old/...",
	"OPTIONS /asks", "HEAD /heads", "GET /heads",
}

// renamed are two names for one tree.
var renamed = map[string]string{"/another/name": "/things", "/old/keeps": "/old/kept"}

// found is what a router made of a request.
type found struct {
	pattern string
	ids     string
	methods string
}

// newRouter serves the patterns; a handler writes its own pattern.
func newRouter() *router {
	rt := &router{rewrite: renamed}
	for _, p := range patterns {
		rt.HandleFunc(p, func(w http.ResponseWriter, r *http.Request) {
			var ids []string
			for _, seg := range segments(p) {
				if strings.HasPrefix(seg, "{") {
					ids = append(ids, r.PathValue(strings.Trim(seg, "{}")))
				}
			}
			w.Header().Set("Found", url.QueryEscape(p))
			w.Header().Set("Ids", url.QueryEscape(strings.Join(ids, "\x00")))
		})
	}
	return rt
}

// pathOf reads a path as net/http does.
func pathOf(path string) *url.URL {
	if plain, err := url.PathUnescape(path); err == nil {
		return &url.URL{Path: plain, RawPath: path}
	}
	return &url.URL{Path: path}
}

func ask(rt http.Handler, method, path string) (found, *httptest.ResponseRecorder) {
	r := &http.Request{Method: method, URL: pathOf(path), Header: http.Header{}, Body: http.NoBody}
	w := httptest.NewRecorder()
	rt.ServeHTTP(w, r)
	pattern, _ := url.QueryUnescape(w.Header().Get("Found"))
	ids, _ := url.QueryUnescape(w.Header().Get("Ids"))
	return found{pattern, ids, w.Header().Get("Allow")}, w
}

func TestRouter(t *testing.T) {
	rt := newRouter()
	for _, c := range []struct {
		method, path, pattern, ids string
	}{
		{"GET", "/things", "GET /things", ""},
		{"POST", "/things", "POST /things", ""},
		{"GET", "/v1/things", "GET /things", ""},
		{"GET", "/V1/THINGS", "GET /things", ""},
		{"GET", "//v1//things//", "GET /things", ""},
		{"GET", "/thingS/", "GET /things", ""},
		{"GET", "/things/aBc", "GET /things/{id}", "aBc"},
		{"GET", "/things/NEWEST", "GET /things/newest", ""},
		{"DELETE", "/things/newest", "DELETE /things/{id}", "newest"},
		{"GET", "/things/a%2Fb", "GET /things/{id}", "a/b"},
		{"GET", "/things/a%2fB%20c", "GET /things/{id}", "a/B c"},
		{"GET", "/things/%25", "GET /things/{id}", "%"},
		{"GET", "/things/..", "GET /things/{id}", ".."},
		{"GET", "/things/%2e%2e%2f", "GET /things/{id}", "../"},
		{"GET", "/%74hings", "GET /things", ""},
		{"GET", "/things/v1", "GET /things/{id}", "v1"},
		{"GET", "/v1/v1/things", "", ""},
		{"GET", "/things/newest/parts/all", "GET /things/newest/parts/{part}", "all"},
		{"GET", "/things/7/parts/ALL", "GET /things/{id}/parts/all", "7"},
		{"POST", "/things/newest/parts/all", "POST /things/{id}/parts/{part}", "newest\x00all"},
		{"GET", "/mixed/CASELITERAL/Id", "GET /Mixed/caseLiteral/{id}", "Id"},
		{"PATCH", "/things/tail", "PATCH /{any}/tail", "things"},
		{"GET", "/another/NAME/x", "GET /things/{id}", "x"},
		{"GET", "/v1/another/name", "GET /things", ""},
		{"GET", "/another", "", ""},
		{"GET", "/old/kept", "GET /old/kept", ""},
		{"GET", "/old/keeps", "GET /old/kept", ""},
		{"POST", "/old/kept", "/old/...", ""},
		{"GET", "/old/kept/deep", "/old/...", ""},
		{"BREW", "/old", "/old", ""},
		{"OPTIONS", "/old/x", "/old/...", ""},
		{"HEAD", "/things", "GET /things", ""},
		{"HEAD", "/heads", "HEAD /heads", ""},
		{"OPTIONS", "/asks", "OPTIONS /asks", ""},
		{"GET", "/", "", ""},
		{"GET", "", "", ""},
		{"GET", "/v1", "", ""},
		{"GET", "/things/1/2", "", ""},
	} {
		got, w := ask(rt, c.method, c.path)
		if got.pattern != c.pattern || got.ids != c.ids {
			t.Errorf("%s %s: got %q with %q, want %q with %q", c.method, c.path, got.pattern, got.ids, c.pattern, c.ids)
		}
		if c.pattern == "" && w.Code != http.StatusNotFound {
			t.Errorf("%s %s: got %d, want 404", c.method, c.path, w.Code)
		}
	}
}

func TestRouterRefusesTwoHandlersForOnePlace(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("the second handler replaced the first")
		}
	}()
	rt := newRouter()
	rt.HandleFunc("GET /THINGS/{other}", func(http.ResponseWriter, *http.Request) {})
}

// slowly finds a pattern the slow way: it tries every one and takes the most
// literal.
func slowly(method, path string) found {
	for _, m := range slices.Compact([]string{method, headIsGet(method)}) {
		best, bestRank, bestIDs := "", "", ""
		for _, p := range patterns {
			want, segs, ok := strings.Cut(p, " ")
			if !ok {
				want, segs = "", p
			}
			rank, ids, ok := match(segments(segs), naiveSegments(path))
			if ok && (want == m || want == "") && rank > bestRank {
				best, bestRank, bestIDs = p, rank, ids
			}
		}
		if best != "" {
			return found{pattern: best, ids: bestIDs}
		}
	}
	var methods []string
	for _, p := range patterns {
		if m, segs, ok := strings.Cut(p, " "); ok {
			if _, _, ok := match(segments(segs), naiveSegments(path)); ok {
				methods = append(methods, m)
			}
		}
	}
	if len(methods) == 0 || method == http.MethodOptions {
		return found{}
	}
	slices.Sort(methods)
	return found{methods: allowed(slices.Compact(methods))}
}

// match compares segment by segment; the rank of a literal is above that of an
// id, which is above that of the rest.
func match(pattern, path []string) (rank, ids string, ok bool) {
	var found []string
	for i, p := range pattern {
		switch {
		case p == "...":
			return rank + "0", strings.Join(found, "\x00"), i < len(path)
		case i >= len(path):
			return "", "", false
		case strings.HasPrefix(p, "{"):
			rank += "1"
			found = append(found, path[i])
		case strings.EqualFold(p, path[i]):
			rank += "2"
		default:
			return "", "", false
		}
	}
	return rank + "3", strings.Join(found, "\x00"), len(pattern) == len(path)
}

func naiveSegments(path string) []string {
	var out []string
	for seg := range strings.SplitSeq(path, "/") {
		if seg == "" {
			continue
		}
		if plain, err := url.PathUnescape(seg); err == nil {
			seg = plain
		}
		out = append(out, seg)
	}
	if len(out) > 0 && strings.EqualFold(out[0], "v1") {
		out = out[1:]
	}
	for _, r := range [][3]string{{"another", "name", "things"}, {"old", "keeps", "old/kept"}} {
		if len(out) >= 2 && strings.EqualFold(out[0], r[0]) && strings.EqualFold(out[1], r[1]) {
			return append(segments(r[2]), out[2:]...)
		}
	}
	return out
}

// foldsOddly are letters that Go calls equal to an ASCII letter in one way and
// not in another. No literal of ours has them, and no client sends them.
func foldsOddly(path string) bool {
	plain, err := url.PathUnescape(path)
	return err != nil || strings.ContainsAny(plain, "\u017f\u212a\u0130")
}

func sameAsNaive(t interface {
	Helper()
	Errorf(string, ...any)
}, rt http.Handler, method, path string,
) {
	t.Helper()
	got, w := ask(rt, method, path)
	if want := slowly(method, pathOf(path).EscapedPath()); got != want {
		t.Errorf("%s %q: got %+v (%d), want %+v", method, path, got, w.Code, want)
	}
}

func TestRouterAgreesWithANaiveOne(t *testing.T) {
	rt := newRouter()
	words := []string{
		"things", "THINGS", "newest", "parts", "all", "mixed", "caseliteral", "tail", "old", "kept", "keeps", "deep",
		"another", "name", "v1", "asks", "heads", "x", "A%2Fb", "..", "%20", "", "{id}", "...",
	}
	methods := []string{"GET", "POST", "HEAD", "DELETE", "PATCH", "OPTIONS", "BREW"}
	rapid.Check(t, func(t *rapid.T) {
		segs := rapid.SliceOfN(rapid.SampledFrom(words), 0, 6).Draw(t, "segments")
		sameAsNaive(t, rt, rapid.SampledFrom(methods).Draw(t, "method"), "/"+strings.Join(segs, "/"))
	})
}

func FuzzRouter(f *testing.F) {
	for _, path := range []string{"/things/1", "//v1///things/%2F/parts/\x00", "/old/../x", "%", "/%zz/%", "/things/\xff\xfe", "?a=b", "/v1/V1"} {
		f.Add("GET", path)
		f.Add("HEAD", path)
	}
	rt := newRouter()
	f.Fuzz(func(t *testing.T, method, path string) {
		if foldsOddly(path) {
			ask(rt, method, path) // only that it does not break
			return
		}
		sameAsNaive(t, rt, method, path)
	})
}
