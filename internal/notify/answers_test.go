package notify

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"bureau/internal/monitor"
)

// speak is an endpoint that says what it likes, byte by byte, to each request.
func speak(t testing.TB, say func(w io.Writer)) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	go func() { // until the listener is closed
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() { // until its say is said, or the other side hangs up
				defer conn.Close()
				if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					_, _ = io.Copy(io.Discard, r.Body)
					say(conn)
				}
			}()
		}
	}()
	t.Cleanup(func() { l.Close() })
	return "http://" + l.Addr().String() + "/"
}

// repeat writes a text until the other side has had enough. It takes no memory on
// the way: what the other side takes is measured in the same process.
func repeat(w io.Writer, text string) {
	said := []byte(text)
	for {
		if _, err := w.Write(said); err != nil {
			return
		}
	}
}

// silent says nothing until the other side hangs up.
func silent(w io.Writer) { _, _ = io.Copy(io.Discard, w.(net.Conn)) }

// drip says a text again and again, with time between.
func drip(w io.Writer, text string) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if _, err := io.WriteString(w, text); err != nil {
			return
		}
	}
}

func bomb() []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(make([]byte, 32<<20))
	_ = w.Close()
	return b.Bytes()
}

// B4: whatever an endpoint says costs us little memory and little time.
func TestHostileAnswers(t *testing.T) {
	long := strings.Repeat("a", 1<<10)
	packed := bomb()
	const ok = "HTTP/1.1 200 OK\r\n"
	for _, c := range []struct {
		name   string
		say    func(w io.Writer)
		status int // 0: as if it had said nothing
	}{
		{"a body without end", func(w io.Writer) { _, _ = io.WriteString(w, ok+"\r\n"); repeat(w, long) }, 200},
		{"chunks without end", func(w io.Writer) {
			_, _ = io.WriteString(w, ok+"Transfer-Encoding: chunked\r\n\r\n")
			repeat(w, "400\r\n"+long+"\r\n")
		}, 200},
		{"a body of a terabyte", func(w io.Writer) {
			_, _ = io.WriteString(w, ok+"Content-Length: 1099511627776\r\n\r\n")
			repeat(w, long)
		}, 200},
		{"headers without end", func(w io.Writer) { _, _ = io.WriteString(w, ok); repeat(w, "X-Long: "+long+"\r\n") }, 0},
		{"one header without end", func(w io.Writer) { _, _ = io.WriteString(w, ok+"X-Long: "); repeat(w, long) }, 0},
		{"a status without end", func(w io.Writer) { _, _ = io.WriteString(w, "HTTP/1.1 200 "); repeat(w, long) }, 0},
		{"many 103s", func(w io.Writer) { repeat(w, "HTTP/1.1 103 Early Hints\r\nLink: </"+long+">\r\n\r\n") }, 0},
		{"a packed bomb", func(w io.Writer) {
			fmt.Fprintf(w, ok+"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n", len(packed))
			_, _ = w.Write(packed)
		}, 200},
		{"nothing at all", silent, 0},
		{"a header, drop by drop", func(w io.Writer) {
			_, _ = io.WriteString(w, ok)
			drip(w, "X: y\r\n")
		}, 0},
		{"a body, drop by drop", func(w io.Writer) {
			_, _ = io.WriteString(w, ok+"\r\n")
			drip(w, "a")
		}, 200},
		{"a length that is none", func(w io.Writer) { _, _ = io.WriteString(w, ok+"Content-Length: -5\r\n\r\nabc") }, 0},
		{"two lengths", func(w io.Writer) {
			_, _ = io.WriteString(w, ok+"Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde")
		}, 0},
		{"a body that breaks off", func(w io.Writer) { _, _ = io.WriteString(w, ok+"Content-Length: 50\r\n\r\nabc") }, 200},
		{"a chunk that is none", func(w io.Writer) { _, _ = io.WriteString(w, ok+"Transfer-Encoding: chunked\r\n\r\nxyz\r\nabc") }, 200},
		{"no HTTP", func(w io.Writer) { _, _ = io.WriteString(w, "220 mail.example.com ESMTP\r\n") }, 0},
		{"a change of protocol", func(w io.Writer) {
			_, _ = io.WriteString(w, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
			repeat(w, long)
		}, 101},
		{"a status of four digits", func(w io.Writer) { _, _ = io.WriteString(w, "HTTP/1.1 2000 OK\r\n\r\n") }, 0},
		{"bytes that are no text", func(w io.Writer) { _, _ = io.WriteString(w, ok+"Content-Length: 6\r\n\r\n\x00\xff\xfea\x1bb") }, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPoster(t, "127.0.0.0/8")
			p.Within = 300 * time.Millisecond
			url := speak(t, c.say)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			a := post(t, p, url)
			took := time.Since(began)
			runtime.ReadMemStats(&after)
			if a.Status != c.status {
				t.Errorf("got %+v, want status %d", a, c.status)
			}
			if c.status == 0 && a.Error != noAnswer {
				t.Errorf("the error is %q", a.Error)
			}
			if len(a.Try.Answer) > maxExcerpt || strings.ContainsAny(a.Try.Answer, "\x00\x1b") {
				t.Errorf("the excerpt has %d bytes: %.40q", len(a.Try.Answer), a.Try.Answer)
			}
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
				t.Errorf("it cost %d bytes", grown)
			}
			if took > 5*time.Second { // far more than it may take, for a busy machine
				t.Errorf("it took %v", took)
			}
		})
	}
}

// B3: nobody leads us elsewhere.
func TestRedirectsAreNotFollowed(t *testing.T) {
	asked := 0
	inner := sink(t, func(http.ResponseWriter, *http.Request) { asked++ })
	for _, status := range []int{300, 301, 302, 303, 304, 305, 307, 308, 399} {
		for _, to := range []string{inner.URL, "http://169.254.169.254/latest/", "//127.0.0.1/", "file:///etc/passwd", "/again"} {
			calls := 0
			outer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				calls++
				w.Header().Set("Location", to)
				w.WriteHeader(status)
			}))
			a := post(t, newPoster(t, "127.0.0.0/8"), outer.URL)
			outer.Close()
			if a.Status != status || a.OK() || a.Error != redirected || calls != 1 {
				t.Errorf("%d to %s: got %+v after %d calls", status, to, a, calls)
			}
		}
	}
	if asked > 0 {
		t.Errorf("the address behind was asked %d times", asked)
	}
}

// The environment and the endpoint have no say in how we send.
func TestNoProxyNoCookies(t *testing.T) {
	asked := 0
	proxy := sink(t, func(http.ResponseWriter, *http.Request) { asked++ })
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(name, proxy.URL)
	}
	var got []http.Header
	s := sink(t, func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Clone())
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
	})
	p := newPoster(t, "127.0.0.0/8")
	for range 2 {
		if a := post(t, p, s.URL); !a.OK() {
			t.Fatalf("got %+v", a)
		}
	}
	if asked > 0 {
		t.Error("the proxy of the environment was asked")
	}
	for _, h := range got {
		if h.Get("Cookie") != "" || h.Get("Accept-Encoding") != "identity" {
			t.Errorf("got the header %v", h)
		}
	}
}

// B5: nobody learns from us who listens where.
func TestRefusalsLookAlike(t *testing.T) {
	birds := newCanary(t)
	tls := httptest.NewTLSServer(http.NotFoundHandler())
	defer tls.Close()
	quiet := speak(t, silent)
	closed := speak(t, func(io.Writer) {})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	l.Close()
	p := newPoster(t, "127.0.0.2/32")
	p.Within = 200 * time.Millisecond
	inside := newPoster(t, "127.0.0.0/8")
	inside.Within = p.Within
	p.Resolver = newNames(t, func(string, int) []netip.Addr { return nil }).resolver()
	seen := map[monitor.Try][]string{}
	for name, try := range map[string]func() monitor.Answer{
		"forbidden address":         func() monitor.Answer { return post(t, p, fmt.Sprintf("http://127.0.0.1:%d/", birds.port)) },
		"forbidden and nobody home": func() monitor.Answer { return post(t, p, "http://"+l.Addr().String()) },
		"nobody listens":            func() monitor.Answer { return post(t, inside, "http://"+l.Addr().String()) },
		"certificate not trusted":   func() monitor.Answer { return post(t, inside, tls.URL) },
		"plain text to TLS":         func() monitor.Answer { return post(t, inside, "https"+strings.TrimPrefix(quiet, "http")) },
		"no answer in time":         func() monitor.Answer { return post(t, inside, quiet) },
		"hangs up":                  func() monitor.Answer { return post(t, inside, closed) },
		"no such name":              func() monitor.Answer { return post(t, p, "https://nowhere.example.com/") },
	} {
		a := try()
		a.At = time.Time{}
		seen[a.Try] = append(seen[a.Try], name)
	}
	if len(seen) != 1 {
		t.Errorf("they can be told apart: %v", seen)
	}
}
