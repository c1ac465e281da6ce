package console_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bureau/internal/app"
	"bureau/internal/auth"
)

// listed puts people on the operator's own list.
func (h *house) listed(names ...string) {
	h.t.Helper()
	file := filepath.Join(h.t.TempDir(), "watchlist.csv")
	lines := "number,kind,name,datasets,reason\n"
	for i, name := range names {
		name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		lines += fmt.Sprintf("%d,person,%s,POI,%s\n", i+1, name, name)
	}
	must(h.t, os.WriteFile(file, []byte(lines), 0o600))
	_, err := h.Import(h.t.Context(), "watchlist", []string{file}, nil, app.ImportOptions{})
	must(h.t, err)
	must(h.t, h.Screener.Index.Refresh(h.t.Context()))
}

// screens looks for somebody and returns the address of the search.
func (b *browser) screens(name string, more ...string) string {
	b.h.t.Helper()
	form := url.Values{"kind": {"person"}, "name": {name}, "threshold": {"75"}}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	res, body := b.post("/console/kyc", form)
	if res.StatusCode != http.StatusSeeOther {
		b.h.t.Fatalf("screen: %s\n%s", res.Status, body)
	}
	return res.Header.Get("Location")
}

var hitAt = regexp.MustCompile(`data-open="(/console/kyc/searches/people/[0-9a-f-]+/hits/[0-9a-f-]+)"`)

// A search is kept, decided, repeated and written down in the audit log as one
// that came by a call is.
func TestScreeningIsKept(t *testing.T) {
	h := newHouse(t)
	h.listed("Ivan Examplov")
	b := h.as("analyst")
	at := b.screens("Ivan Examplov", "born", "1970", "country", "bg")
	_, body := b.get(at)
	m := hitAt.FindStringSubmatch(body)
	if m == nil || !strings.Contains(body, "1970") || !strings.Contains(body, "BG") {
		t.Fatalf("the search shows no hit, or not what was asked:\n%s", body)
	}
	if res, _ := b.post(m[1], url.Values{"decision": {"falsePositive"}, "note": {"another passport"}}); res.StatusCode != http.StatusSeeOther {
		t.Errorf("decide: %s", res.Status)
	}
	if res, _ := b.post(m[1], url.Values{"decision": {"perhaps"}}); res.StatusCode != http.StatusBadRequest {
		t.Errorf("decide with a word that is none: %s", res.Status)
	}
	if _, body := b.get(m[1]); !strings.Contains(body, "another passport") || strings.Count(body, "false positive</span>") != 2 {
		t.Errorf("the hit does not show its one decision:\n%s", body)
	}
	b.post(at, url.Values{"status": {"approved"}, "risk": {"low"}, "note": {"known to us"}})
	b.post(at+"/schedule", url.Values{"on": {"yes"}})
	_, body = b.get("/console/kyc/searches?kept=watched")
	if !strings.Contains(body, "Ivan Examplov") || !strings.Contains(body, "approved") {
		t.Errorf("the list does not show the search as it is now:\n%s", body)
	}
	b.post(at+"/schedule", nil)
	if _, body := b.get("/console/kyc/schedules"); strings.Contains(body, "Ivan Examplov") {
		t.Error("the search is still repeated")
	}
	res, body := b.get(at + "/paper.pdf")
	if res.Header.Get("Content-Type") != "application/pdf" || !strings.HasPrefix(body, "%PDF-") {
		t.Errorf("the paper is %s", res.Header.Get("Content-Type"))
	}
	var did []auth.Action
	must(t, h.DB.AuditLog(t.Context(), 0, func(e auth.Entry) error {
		if strings.Contains(e.Detail, "Examplov") {
			t.Errorf("the audit log names somebody: %s", e.Detail)
		}
		did = append(did, e.Action)
		return nil
	}))
	for _, want := range []auth.Action{auth.Screened, auth.HitDecided, auth.SearchChanged, auth.ScheduleChanged, auth.PersonRead} {
		if !slices.Contains(did, want) {
			t.Errorf("%s is not in the audit log: %v", want, did)
		}
	}
}

func TestScreeningRefusesWhatMakesNoSense(t *testing.T) {
	h := newHouse(t)
	b := h.as("analyst")
	res, body := b.post("/console/kyc", url.Values{"name": {"Ivan"}, "born": {"<b>yesterday"}})
	if res.StatusCode != http.StatusBadRequest || !strings.Contains(body, "Date of birth: ") || strings.Contains(body, "<b>yesterday") {
		t.Errorf("%s\n%s", res.Status, body)
	}
	if _, body := b.get("/console/kyc/searches"); !strings.Contains(body, "No searches here") {
		t.Error("what was refused was kept")
	}
	res, _ = b.post("/console/kyc/reports", url.Values{"type": {"amlScreen"}, "from": {"never"}, "to": {"2026-01-01"}, "format": {"csv"}})
	if res.StatusCode != http.StatusBadRequest {
		t.Errorf("a report from never on: %s", res.Status)
	}
}

func TestOthersSearchesAreMissing(t *testing.T) {
	h := newHouse(t)
	h.listed("Ivan Examplov")
	ours := h.as("analyst")
	at := ours.screens("Ivan Examplov", "watch", "yes")
	_, body := ours.get(at)
	hit := hitAt.FindStringSubmatch(body)[1]
	b := h.as("stranger")
	for _, path := range []string{at, at + "/paper.pdf", hit, strings.Replace(at, "people", "businesses", 1), strings.Replace(at, "people", "ships", 1)} {
		if res, _ := b.get(path); res.StatusCode != http.StatusNotFound {
			t.Errorf("GET %s: %s, want 404", path, res.Status)
		}
	}
	for path, form := range map[string]url.Values{at: {"status": {"closed"}, "risk": {"low"}}, at + "/schedule": {}, hit: {"decision": {"trueMatch"}}} {
		if res, _ := b.post(path, form); res.StatusCode != http.StatusNotFound {
			t.Errorf("POST %s: %s, want 404", path, res.Status)
		}
	}
	for _, path := range []string{"/console/kyc/searches", "/console/kyc/schedules", "/console/kyc/alerts?decision=any"} {
		if _, body := b.get(path); strings.Contains(body, "Examplov") {
			t.Errorf("%s shows another customer's search", path)
		}
	}
}

// What a list or a customer calls somebody is text, in every page of screening.
func TestHostileSubjectsAreText(t *testing.T) {
	h := newHouse(t)
	names := []string{`<script>alert(1)</script> Examplov`, `"><img src=x onerror=alert(2)> Examplov`, "{{.Token}} Examplov", "\u202egnp.exe\u202c Examplov"}
	h.listed(append(names, strings.Repeat("Very Long Name ", 666))...)
	b := h.as("analyst")
	paths := []string{"/console/kyc/searches", "/console/kyc/schedules", "/console/kyc/alerts?decision=any", "/console/"}
	for _, name := range names {
		at := b.screens(name, "watch", "yes")
		_, body := b.get(at)
		paths = append(paths, at)
		for _, m := range hitAt.FindAllStringSubmatch(body, -1) {
			b.post(m[1], url.Values{"note": {name}})
			paths = append(paths, m[1])
		}
	}
	if len(paths) < 12 {
		t.Fatalf("too few hits to look at: %v", paths)
	}
	for _, path := range paths {
		res, body := b.get(path)
		if res.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, res.Status)
		}
		for _, raw := range []string{"<script>alert", "<img src=x", `"><img`, b.token + " Examplov"} {
			if strings.Contains(body, raw) {
				t.Errorf("%s holds %q as it is", path, raw)
			}
		}
		if m := inline.FindString(body); m != "" {
			t.Errorf("%s holds %q", path, m)
		}
	}
}
