package notify

import (
	"bufio"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"bureau/internal/monitor"
)

// says is an endpoint that answers these bytes to every request.
type says string

func (s says) RoundTrip(r *http.Request) (*http.Response, error) {
	return http.ReadResponse(bufio.NewReader(strings.NewReader(string(s))), r)
}

// FuzzAnswer holds that whatever an endpoint answers, what is kept of it is
// short, is text, and is a success only if its status says so.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n",
		"HTTP/1.1 429 Slow\r\nRetry-After: 99999999999999999999\r\n\r\n", "HTTP/1.1 503 Later\r\nRetry-After: Mon, 02 Mar 2026 10:00:00 GMT\r\n\r\n",
		"HTTP/1.1 503 Later\r\nRetry-After: -1\r\n\r\n\x00\x1b[2J\u202e\xff", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "HTTP/9.9 999 \r\n\r\n", "",
		"HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("é", maxExcerpt),
	} {
		f.Add(seed)
	}
	p := newPoster(f, "127.0.0.0/8")
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	p.Now = func() time.Time { return now }
	p.once.Do(func() {}) // its clients are those below
	hook, _ := hookTo(f, p, "http://127.0.0.1/")
	f.Fuzz(func(t *testing.T, answer string) {
		p.plain = &http.Client{Transport: says(answer), CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		a := p.Post(t.Context(), &monitor.Sending{Hook: hook})
		switch kept := a.Try.Answer; {
		case len(kept) > maxExcerpt || !utf8.ValidString(kept):
			t.Fatalf("%d bytes are kept: %.40q", len(kept), kept)
		case strings.ContainsFunc(kept, func(r rune) bool { return r < utf8.RuneSelf && unicode.IsControl(r) && r != '\n' && r != '\t' }):
			t.Fatalf("control characters are kept: %q", kept)
		}
		if a.RetryAfter < 0 || (a.Status == 0) != (a.Error == noAnswer) || a.OK() && (a.Status < 200 || a.Status > 299) {
			t.Fatalf("%q is taken as %+v", answer, a)
		}
	})
}

// FuzzAddress holds that whatever a customer gives for a webhook's address, one
// that is taken leads nowhere that its own text does not say.
func FuzzAddress(f *testing.F) {
	for _, seed := range []string{
		"https://example.com/hook", "https://user:pass@example.com/", "http://127.0.0.1:1/", "https://[::1]:443/", "https://0x7f.1/", "https://example.com:0/",
		"//example.com", "https://exa\tmple.com", "https://example.com\\@127.0.0.1/", "https://例え.テスト/", "https://%31%32%37.0.0.1/", "file:///etc/passwd", "https://",
		"https://example.com./", "https://2130706433/",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := parse(text)
		if err != nil {
			return
		}
		if a.host == "" && !a.ip.IsValid() || a.port == 0 || !strings.HasPrefix(a.rest, "/") {
			t.Fatalf("%q is taken as %+v", text, a)
		}
		// What we keep is what net/http will read, and it reads the same host.
		u, err := url.Parse(a.String())
		if err != nil || u.User != nil || a.host != "" && u.Hostname() != a.host || a.host == "" && u.Hostname() != a.ip.String() {
			t.Fatalf("%q is kept as %q, which leads to %+v (%v)", text, a, u, err)
		}
		if again, err := parse(a.String()); err != nil || *again != *a {
			t.Fatalf("%q is %+v, and then %+v (%v)", text, a, again, err)
		}
	})
}
