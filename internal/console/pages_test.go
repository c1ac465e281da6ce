package console_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/console"
	"bureau/internal/monitor"
)

// inline finds what the policy would have to allow: scripts and styles in the
// page itself.
var inline = regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>[^<]|<style|\sstyle\s*=|\son[a-z]+\s*=\s*["']|javascript:|https?://[^"]*\.(?:js|css)`)

func TestPagesNeedNothingInline(t *testing.T) {
	h := newHouse(t)
	b := h.as("operator")
	for _, row := range console.Rows() {
		if row.Method != http.MethodGet || strings.HasSuffix(row.Path, "/stream") || row.Need == "code" {
			continue
		}
		res, body := b.get(address(row.Path))
		policy := res.Header.Get("Content-Security-Policy")
		if policy == "" || strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'") {
			t.Errorf("%s: the policy is %q", row.Path, policy)
		}
		if m := inline.FindString(body); m != "" {
			t.Errorf("%s holds %q", row.Path, m)
		}
		if res.StatusCode == http.StatusOK && res.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s may be kept: %q", row.Path, res.Header.Get("Cache-Control"))
		}
	}
}

// hostile are names that want to be more than a name.
var hostile = []string{
	`<script>alert(1)</script>`,
	`"><img src=x onerror=alert(2)>`,
	`{{.Token}}`,
	`=HYPERLINK("http://evil.example")`,
	"\u202egnp.exe\u202c LIMITED",
	strings.Repeat("Very Long Name ", 666),
}

// member takes companies in with hostile names and has them watched.
func (h *house) watchHostile() (monitor.PortfolioID, auth.Caller) {
	h.t.Helper()
	var who auth.Account
	for _, a := range h.Directory.Accounts(0) {
		if a.UserKey == "admin" {
			who = a
		}
	}
	by := auth.Caller{Customer: who.Customer, Account: who.ID}
	var lines []string
	for i, name := range hostile {
		b, err := json.Marshal(map[string]any{"id": hostileID(i), "name": name, "status": "Active"})
		must(h.t, err)
		lines = append(lines, string(b))
	}
	h.companies(lines...)
	p, err := h.Portfolios.Create(h.t.Context(), by, monitor.Portfolio{Name: hostile[0]})
	must(h.t, err)
	for i := range hostile {
		must(h.t, h.Portfolios.Add(h.t.Context(), by, p.ID, hostileID(i), monitor.Member{Reference: hostile[i][:10]}))
	}
	return p.ID, by
}

func hostileID(i int) string { return "GB-0-0999990" + string(rune('0'+i)) }

func TestHostileNamesAreText(t *testing.T) {
	h := newHouse(t)
	id, _ := h.watchHostile()
	b := h.as("admin")
	paths := []string{"/console/", "/console/portfolios", portfolio(id), portfolio(id) + "/rules", portfolio(id) + "/edit", "/console/events"}
	for i, name := range hostile {
		paths = append(paths, "/console/companies/"+hostileID(i), "/console/companies?q="+url.QueryEscape(name[:min(len(name), 60)]))
	}
	for _, path := range paths {
		res, body := b.get(path)
		if res.StatusCode >= 500 && res.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("%s: %s", path, res.Status)
		}
		for _, raw := range []string{"<script>alert", "<img src=x", `"><img`, b.token + " LIMITED"} {
			if strings.Contains(body, raw) {
				t.Errorf("%s holds %q as it is", path, raw)
			}
		}
		if m := inline.FindString(body); m != "" {
			t.Errorf("%s holds %q", path, m)
		}
	}
	_, body := b.get("/console/companies/" + hostileID(0))
	if !strings.Contains(body, "&lt;script&gt;alert(1)&lt;/script&gt;") {
		t.Error("a hostile name is not shown as it is written")
	}
	_, body = b.get("/console/companies/" + hostileID(4))
	if !strings.Contains(body, "<h1><bdi>") {
		t.Error("a name that turns the text around is not kept to itself")
	}
	_, body = b.get(portfolio(id) + "/export.csv")
	if !strings.Contains(body, `"'=HYPERLINK(""http://evil.example"")"`) {
		t.Errorf("a name is a formula in the CSV:\n%s", body)
	}
}

func portfolio(id monitor.PortfolioID) string {
	return "/console/portfolios/" + json.Number(itoa(int64(id))).String()
}

func itoa(n int64) string {
	b, _ := json.Marshal(n)
	return string(b)
}

// What belongs to another customer is like what does not exist, whoever asks.
func TestOthersThingsAreMissing(t *testing.T) {
	h := newHouse(t)
	id, _ := h.watchHostile()
	b := h.as("stranger")
	for _, path := range []string{"", "/rules", "/import", "/edit", "/export.csv"} {
		theirs, _ := b.get(portfolio(id) + path)
		nobodys, _ := b.get(portfolio(999999) + path)
		if theirs.StatusCode != http.StatusNotFound || nobodys.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s, and for one that does not exist %s; want 404 twice", path, theirs.Status, nobodys.Status)
		}
	}
	for path, form := range map[string]url.Values{
		"/remove":             {"company": {hostileID(0)}},
		"/edit":               {"name": {"mine now"}},
		"/delete":             {"sure": {hostile[0]}},
		"/rules/XX/101":       {"on": {"yes"}},
		"/rules/XX/101/trial": {},
	} {
		if res, _ := b.post(portfolio(id)+path, form); res.StatusCode != http.StatusNotFound {
			t.Errorf("POST %s: %s, want 404", path, res.Status)
		}
	}
	res, _ := b.post("/console/people/change", url.Values{"account": {itoa(int64(h.Directory.Accounts(0)[0].ID))}, "act": {"disable"}})
	if res.StatusCode != http.StatusNotFound {
		t.Errorf("an administrator shut another customer's account: %s", res.Status)
	}
}

// A portfolio's life as somebody without a script lives it: every act is a form.
func TestPortfolioWithoutAScript(t *testing.T) {
	h := newHouse(t)
	h.companies(`{"id":"GB-0-09999990","name":"EXAMPLE BAKERIES LIMITED","status":"Active"}`)
	b := h.as("analyst")
	res, _ := b.post("/console/portfolios", url.Values{"name": {"Bakers"}})
	at, _, _ := strings.Cut(res.Header.Get("Location"), "?")
	if res.StatusCode != http.StatusSeeOther || !strings.HasPrefix(at, "/console/portfolios/") {
		t.Fatalf("make a portfolio: %s to %q", res.Status, at)
	}
	number := at[strings.LastIndexByte(at, '/')+1:]
	b.post("/console/portfolios/add", url.Values{"portfolio": {number}, "company": {"GB-0-09999990"}})
	if _, body := b.get(at); !strings.Contains(body, "EXAMPLE BAKERIES LIMITED") {
		t.Error("the company is not in the portfolio")
	}
	res, _ = b.post(at+"/rules/XX/102", url.Values{"on": {"yes"}, "param1": {"20"}})
	if res.StatusCode != http.StatusSeeOther {
		t.Errorf("switch a rule on: %s", res.Status)
	}
	if _, body := b.get(at + "/rules"); !strings.Contains(body, "falls by 20 %") || !strings.Contains(body, "1 rule is on") {
		t.Error("the rule is not on with what was asked")
	}
	if res, _ = b.post(at+"/rules/XX/102", url.Values{"on": {"yes"}, "param1": {"many"}}); res.StatusCode != http.StatusBadRequest {
		t.Errorf("a parameter that is none: %s, want 400", res.Status)
	}
	res, _ = b.post(at+"/remove", url.Values{"company": {"GB-0-09999990"}})
	_, body := b.get(res.Header.Get("Location"))
	if !strings.Contains(body, "Undo") || !strings.Contains(body, "No companies yet") {
		t.Error("a company that was removed cannot be put back")
	}
	if res, _ = b.post(at+"/delete", url.Values{"sure": {"bakers"}}); res.StatusCode != http.StatusBadRequest {
		t.Errorf("delete with the wrong name: %s, want 400", res.Status)
	}
	b.post(at+"/delete", url.Values{"sure": {"Bakers"}})
	if res, _ := b.get(at); res.StatusCode != http.StatusNotFound {
		t.Errorf("after it was deleted: %s", res.Status)
	}
}

// A template that cannot be read would be found out only by whoever opens its page.
func TestEveryPageCanBeRead(t *testing.T) {
	if n, err := console.ReadPages(&console.Server{}); err != nil || n < 20 {
		t.Errorf("%d pages can be read: %v", n, err)
	}
}
