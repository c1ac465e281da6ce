package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"bureau/internal/console"
	"bureau/internal/monitor"
)

// A form that is refused leads back to where it was filled in; a script gets the
// refusal alone, and where to go next.
func TestRefusedForms(t *testing.T) {
	h := newHouse(t)
	b := h.as("analyst")
	from := h.url + "/console/portfolios?a=b"
	res, body := b.post("/console/portfolios", url.Values{"name": {""}}, "Referer", from)
	if res.StatusCode != http.StatusBadRequest || !strings.Contains(body, `href="/console/portfolios?a=b">Back</a>`) {
		t.Errorf("%s without a way back:\n%s", res.Status, body)
	}
	if !strings.Contains(body, "Name: a portfolio needs a name") {
		t.Error("the field is not called as in the form")
	}
	for _, elsewhere := range []string{"https://evil.example/console/portfolios", h.url + "/docs", "%"} {
		if _, body := b.post("/console/portfolios", url.Values{"name": {""}}, "Referer", elsewhere); strings.Contains(body, ">Back</a>") {
			t.Errorf("the way back leads to %s", elsewhere)
		}
	}
	script := []string{"HX-Request", "true", "X-Form", "true"}
	res, body = b.post("/console/portfolios", url.Values{"name": {""}}, script...)
	if res.StatusCode != http.StatusBadRequest || strings.Contains(body, "<main") || !strings.Contains(body, "a portfolio needs a name") {
		t.Errorf("a script gets %s and\n%s", res.Status, body)
	}
	res, _ = b.post("/console/portfolios", url.Values{"name": {"Good"}}, script...)
	if to := res.Header.Get("HX-Redirect"); res.StatusCode != http.StatusOK || !strings.HasPrefix(to, "/console/portfolios/") {
		t.Errorf("a script is sent to %q with %s", to, res.Status)
	}
	// Whoever was signed out meanwhile comes back to the form.
	res, _ = h.browser().post("/console/portfolios", url.Values{"name": {"Late"}}, append(script, "Referer", from)...)
	if to := res.Header.Get("HX-Redirect"); res.StatusCode != http.StatusUnauthorized || to != "/console/sign-in?to="+url.QueryEscape("/console/portfolios?a=b") {
		t.Errorf("a stranger is sent to %q with %s", to, res.Status)
	}
}

// Nobody is shown a form that they may not send.
func TestReadersAreOfferedNoChecks(t *testing.T) {
	h := newHouse(t)
	for who, want := range map[string]bool{"reader": false, "analyst": true} {
		b := h.as(who)
		for path, action := range map[string]string{
			"/console/checks": `action="/console/checks/bank"`, "/console/checks/identity": `action="/console/checks/identity"`, "/console/kyc": `action="/console/kyc"`,
		} {
			if _, body := b.get(path); strings.Contains(body, action) != want {
				t.Errorf("%s at %s is offered the form: %v, want %v", who, path, !want, want)
			}
		}
	}
}

func TestRulesAreSentences(t *testing.T) {
	for _, c := range []struct {
		name   string
		values monitor.Values
		want   string
	}{
		{"Name", monitor.Values{}, "Name"},
		{"Rating band | falls by {0} band(s), or below band {1}", monitor.Values{"1", "", "true"}, "Rating band: falls by 1 band"},
		{"Rating band | falls by {0} band(s), or below band {1}", monitor.Values{"2", "C"}, "Rating band: falls by 2 bands, or below band C"},
		{"Rating band | falls by {0} band(s), or below band {1}", monitor.Values{"1", "Any"}, "Rating band: any change"},
		{"Credit limit | any change {0}, falls by {1} %, or below {2}", monitor.Values{"true"}, "Credit limit: any change"},
		{"Credit limit | any change {0}, falls by {1} %, or below {2}", monitor.Values{"false", "20", "5000"}, "Credit limit: falls by 20 %, or below 5000"},
		{"Score | falls by {0} points, or below {1}", monitor.Values{"1"}, "Score: falls by 1 point"},
		{"Score | falls by {0} points, or below {1}", monitor.Values{}, "Score: say when"},
	} {
		if got := console.RuleSentence(c.name, c.values); got != c.want {
			t.Errorf("%q with %q: %q, want %q", c.name, c.values, got, c.want)
		}
	}
}

func TestAmountsAreReadable(t *testing.T) {
	for text, want := range map[string]string{
		"The credit limit changed from 94000.00 GBP to 1250.50 GBP": "The credit limit changed from 94\u202f000 GBP to 1\u202f250.50 GBP",
		"0.00 EUR":                         "0 EUR",
		"99999999999999999999.00 EUR":      "99999999999999999999.00 EUR",
		"version 10.20 of 2026-10-08, 12A": "version 10.20 of 2026-10-08, 12A",
	} {
		if got := console.Amounts(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
