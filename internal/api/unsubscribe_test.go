package api_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/monitor"
)

// visit calls a page as a browser or a mail program does, without a token.
func (w *world) visit(method, path string, form url.Values) (status int, header http.Header, body string) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(b)
}

func TestUnsubscribe(t *testing.T) {
	w := newWorld(t, plan{})
	by := auth.Caller{Customer: 1, Account: 11}
	p, err := w.db.CreatePortfolio(t.Context(), by, monitor.Portfolio{Name: "one", Digest: monitor.Digest{
		Frequency: 1, To: []monitor.Recipient{{Address: "ann@example.com"}, {Address: "bob@example.com"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	recipients := func() (out string) {
		t.Helper()
		got, _, err := w.db.Portfolio(t.Context(), by, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range got.Digest.To {
			out += r.Address + " "
		}
		return out
	}
	path := "/unsubscribe/" + w.server.Mail.Token(p.ID, "ann@example.com") + "?language=de"

	// To look at the link does nothing.
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		status, header, body := w.visit(method, path, nil)
		if status != http.StatusOK || header.Get("Referrer-Policy") != "no-referrer" || header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s is answered with %d and %v", method, status, header)
		}
		if method == http.MethodGet && (!strings.Contains(body, `method="post"`) || !strings.Contains(body, "Abbestellen")) {
			t.Errorf("the page is %s", body)
		}
		if strings.Contains(body, "ann@") {
			t.Error("the page tells whose link it is")
		}
	}
	if got := recipients(); got != "ann@example.com bob@example.com " {
		t.Errorf("looking at the link left %s", got)
	}

	// To post there does, however often (RFC 8058).
	for range 2 {
		status, _, body := w.visit(http.MethodPost, path, url.Values{"List-Unsubscribe": {"One-Click"}})
		if status != http.StatusOK || !strings.Contains(body, "Erledigt") || strings.Contains(body, "<form") {
			t.Errorf("posting is answered with %d: %s", status, body)
		}
		if got := recipients(); got != "bob@example.com " {
			t.Errorf("posting left %s", got)
		}
	}

	// A link that is not ours, or not whole.
	for _, token := range []string{"x", path[13:60], strings.Repeat("A", 200)} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if status, _, body := w.visit(method, "/unsubscribe/"+token, nil); status != http.StatusNotFound || !strings.Contains(body, "not whole") {
				t.Errorf("%s of %.20s is answered with %d: %s", method, token, status, body)
			}
		}
	}
	if log := w.log.String(); strings.Contains(log, "ann@") || strings.Contains(log, path[13:40]) {
		t.Errorf("the log tells: %s", log)
	}
}
