package handbook

import (
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"bureau/changelog"
)

// book is the documents of the real API.
func book(t *testing.T) (*Server, http.Handler) {
	t.Helper()
	b, err := os.ReadFile("../../openapi/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	list, err := changelog.Entries()
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Document: b, PublicURL: "https://bureau.example", Changes: list}
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	return s, h
}

func get(t *testing.T, h http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

// Every operation has a page that the first page links to, and it says what the
// operation does, what each of its parameters means, and how it is called.
func TestEveryOperationHasAPage(t *testing.T) {
	s, h := book(t)
	index := get(t, h, "/docs").Body.String()
	for id, op := range s.byID {
		if !strings.Contains(index, `href="/docs/`+id+`"`) {
			t.Errorf("%s is not in the list", id)
		}
		if len(strings.Fields(op.About)) < 4 {
			t.Errorf("%s is described by %q only", id, op.About)
		}
		w := get(t, h, "/docs/"+id)
		page := w.Body.String()
		if w.Code != http.StatusOK || !strings.Contains(page, "curl ") || !strings.Contains(page, "Try it") {
			t.Errorf("%s: got %d, want a page with a line for curl and a form", id, w.Code)
		}
		for _, p := range op.Parameters {
			if p.About == "" || !strings.Contains(page, "<code>"+p.Name+"</code>") {
				t.Errorf("%s: the parameter %s is not described", id, p.Name)
			}
		}
		for status := range op.Responses {
			if !strings.Contains(page, `id="status-`+status+`"`) {
				t.Errorf("%s: the answer %s is not described", id, status)
			}
		}
	}
	for _, page := range []string{"/docs/nothing", "/docs/static/nothing.js"} {
		if w := get(t, h, page); w.Code != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", page, w.Code)
		}
	}
}

// Nothing is loaded from elsewhere, no script is inline, and the browser is told
// so.
func TestPagesLoadOnlyWhatIsOurs(t *testing.T) {
	_, h := book(t)
	loads := regexp.MustCompile(`(?:src|href)="([^"]*)"`)
	for _, path := range []string{"/docs", "/docs/changes", "/docs/companySearch", "/docs/eventStream"} {
		w := get(t, h, path)
		page := w.Body.String()
		for _, m := range loads.FindAllStringSubmatch(page, -1) {
			if !strings.HasPrefix(m[1], "/") && !strings.HasPrefix(m[1], "#") {
				t.Errorf("%s loads or links to %s", path, m[1])
			}
			if strings.HasPrefix(m[1], "/docs/static/") {
				if f := get(t, h, m[1]); f.Code != http.StatusOK || !strings.Contains(f.Header().Get("Cache-Control"), "immutable") {
					t.Errorf("%s: got %d %q", m[1], f.Code, f.Header().Get("Cache-Control"))
				}
			}
		}
		if regexp.MustCompile(`<script>|<style|\son[a-z]+=|\sstyle=`).MatchString(page) {
			t.Errorf("%s has something inline", path)
		}
		got := w.Header().Get("Content-Security-Policy")
		if !strings.Contains(got, "default-src 'none'") || strings.Contains(got, "unsafe") {
			t.Errorf("%s: got policy %q", path, got)
		}
	}
}

func TestChangesArePlainText(t *testing.T) {
	s := &Server{Document: []byte(`{"tags":[],"paths":{}}`), Changes: []changelog.Entry{{
		Name: "0001-x", Release: "unreleased", Kind: "fix", Date: "2026-11-15", Title: "<b>Bold</b>",
		Text: []string{"See `a<b` and [the page](../../docs/x.md)."},
	}}}
	h, err := s.Handler()
	if err != nil {
		t.Fatal(err)
	}
	page := get(t, h, "/docs/changes").Body.String()
	for _, want := range []string{"&lt;b&gt;Bold", "<code>a&lt;b</code>", "and the page.", `datetime="2026-11-15"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
}

func TestCurl(t *testing.T) {
	s, _ := book(t)
	for id, want := range map[string]string{
		"companyMatch": `curl "https://bureau.example/v1/companies/match?country=GB&name=Lornwell%20Emberwick%20Care" \
  -H "Authorization: Bearer $token"`,
		"copyCompanies": `curl -X POST "https://bureau.example/v1/monitoring/portfolios/$watched/companies/copy" \
  -H "Authorization: Bearer $token" \
  -H "Content-Type: application/json" \
  -d "{\"companies\":[{\"id\":\"GB-0-99000001\"}],\"portfolios\":[$portfolio]}"`,
		"importPortfolio": `curl -X POST "https://bureau.example/v1/monitoring/portfolios/$portfolio/import" \
  -H "Authorization: Bearer $token" \
  -F "importcsv=@companies.csv"`,
		"authenticate": `curl -X POST "https://bureau.example/v1/authenticate" \
  -H "Content-Type: application/json" \
  -d '{"username":"your-user-key","password":"your-password"}'`,
	} {
		if got := s.byID[id].curl(s.PublicURL); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", id, got, want)
		}
	}
	var before []string
	for _, op := range s.before(s.byID["removeCompany"], map[string]bool{}) {
		before = append(before, op.ID)
	}
	if got := strings.Join(before, " "); got != "createPortfolio addCompany" {
		t.Errorf("before removeCompany comes %q", got)
	}
}
