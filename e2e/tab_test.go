package e2e

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// The two widths that every page is looked at in.
type width struct {
	name string
	x, y int64
}

var (
	desk  = width{"desk", 1280, 900}
	phone = width{"phone", 390, 844}
)

// A tab is a window of the browser with cookies of its own.
type tab struct {
	t   *testing.T
	ctx context.Context
	of  width

	mu       sync.Mutex
	outside  []string // requests that left the house
	complain []string // what the browser said was wrong
	bytes    float64  // that came over the wire
	forgiven []string // statuses that a test provokes
}

func newTab(t *testing.T, w width) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(home.browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	ctx, cancelTime := context.WithTimeout(ctx, 3*time.Minute) // a busy machine is slow, and a test that hangs still ends
	t.Cleanup(cancelTime)
	b := &tab{t: t, ctx: ctx, of: w}
	b.do(chromedp.EmulateViewport(w.x, w.y))
	sent, finished := chromedp.Events(ctx, network.RequestWillBeSent), chromedp.Events(ctx, network.LoadingFinished)
	thrown, logged := chromedp.Events(ctx, runtime.ExceptionThrown), chromedp.Console(ctx)
	host := mustURL(t, home.card.BaseURL).Host
	go func() {
		for ev, err := range sent {
			if err != nil {
				return
			}
			if u, err := url.Parse(ev.Request.URL); err == nil && u.Host != host && u.Scheme != "data" && u.Scheme != "about" {
				b.note(&b.outside, ev.Request.URL)
			}
		}
	}()
	go func() {
		for ev, err := range finished {
			if err != nil {
				return
			}
			b.mu.Lock()
			b.bytes += ev.EncodedDataLength
			b.mu.Unlock()
		}
	}()
	go func() {
		for ev, err := range thrown {
			if err != nil {
				return
			}
			b.note(&b.complain, ev.ExceptionDetails.Text)
		}
	}()
	go func() {
		for m, err := range logged {
			if err != nil {
				return
			}
			if m.Type == "error" || m.Type == "warning" {
				text, _ := json.Marshal(m)
				b.note(&b.complain, string(text))
			}
		}
	}()
	t.Cleanup(b.judge)
	return b
}

func (b *tab) note(list *[]string, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	*list = append(*list, text)
}

// judge holds every tab to what every page promises: nothing from elsewhere is
// asked for, and the browser finds nothing wrong.
func (b *tab) judge() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.outside) > 0 {
		b.t.Errorf("requests that left the house: %v", b.outside)
	}
	b.complain = slices.DeleteFunc(b.complain, func(text string) bool {
		return slices.ContainsFunc(b.forgiven, func(status string) bool { return strings.Contains(text, "status of "+status) })
	})
	if n := len(b.complain); n > 0 {
		b.t.Errorf("the browser complains %d times: %v", n, b.complain[:min(n, 5)])
	}
	if b.t.Failed() {
		b.t.Logf("screenshots are in %s", shots)
	}
}

func mustURL(t *testing.T, text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.shot("failed")
		b.t.Fatalf("%v", err)
	}
}

func ask[T any](b *tab, a chromedp.Action[T]) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, a)
	if err != nil {
		b.shot("failed")
		b.t.Fatalf("%v", err)
	}
	return v
}

// forgive says that a status which browsers call an error is meant.
func (b *tab) forgive(status string) { b.forgiven = append(b.forgiven, status) }

// visit opens a page of the console.
func (b *tab) visit(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(home.card.BaseURL + "/console" + path))
}

// signIn comes in as somebody.
func (b *tab) signIn(email, password string) {
	b.t.Helper()
	b.visit("/sign-in")
	b.fill("#email", email)
	b.fill("#password", password)
	b.click(".door button.primary")
}

// signedIn is a tab of somebody who came in before: the session of the first is
// given to the rest, since signing in is meant to be slow.
func signedIn(t *testing.T, w width) *tab {
	t.Helper()
	b := newTab(t, w)
	home.signing.Lock()
	defer home.signing.Unlock()
	if home.session == nil {
		b.signIn(home.card.Email, home.card.EmailPassword)
		b.until("the first page", `document.title.startsWith("Today")`)
		got, err := chromedp.Call(b.ctx, network.GetCookies, network.GetCookiesParams{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range got.Cookies {
			if c.Name == "__Host-bureau-session" {
				home.session = c
			}
		}
		return b
	}
	_, err := chromedp.Call(b.ctx, network.SetCookie, network.SetCookieParams{
		Name: home.session.Name, Value: home.session.Value, URL: home.card.BaseURL, Path: "/", Secure: new(true), HTTPOnly: new(true),
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// click presses what a selector finds. A row may be drawn anew between being
// found and being pressed: then the new one is pressed, as a person would.
func (b *tab) click(sel string) {
	b.t.Helper()
	var err error
	for range 20 {
		err = chromedp.Do(b.ctx, chromedp.Click(chromedp.CSS(sel)))
		if err == nil || !strings.Contains(err.Error(), "node with given id") {
			break
		}
	}
	if err != nil {
		b.shot("failed")
		b.t.Fatalf("click %s: %v", sel, err)
	}
}

// fill writes into a field as a person does, key by key.
func (b *tab) fill(sel, text string) {
	b.t.Helper()
	b.do(chromedp.Clear(chromedp.CSS(sel)), chromedp.SendKeys(chromedp.CSS(sel), text))
}

func (b *tab) keys(text string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(text))
}

func (b *tab) text(sel string) string {
	b.t.Helper()
	return ask(b, chromedp.Text(chromedp.CSS(sel)))
}

func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	return ask(b, chromedp.Evaluate[T](expression))
}

// until waits for something to be true in the page.
func (b *tab) until(what, expression string) {
	b.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		// While a page gives way to the next there is nobody to ask, and while it
		// arrives only its beginning.
		if ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`document.readyState === "complete" && Boolean(`+expression+`)`)); err == nil && ok {
			return
		}
	}
	b.shot("failed")
	b.t.Fatalf("waited in vain for %s", what)
}

// untilLoaded opens a page again and again until something is true in it.
func (b *tab) untilLoaded(path, what, expression string) {
	b.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		b.visit(path)
		if eval[bool](b, "Boolean("+expression+")") {
			return
		}
	}
	b.shot("failed")
	b.t.Fatalf("waited in vain for %s", what)
}

// has waits until the page shows a text.
func (b *tab) has(text string) {
	b.t.Helper()
	quoted, _ := json.Marshal(text)
	b.until("the text "+text, `document.body && document.body.innerText.includes(`+string(quoted)+`)`)
}

// shots is where screenshots are kept.
const shots = "shots"

// shot keeps a picture of the page under the test's name.
func (b *tab) shot(name string) {
	b.t.Helper()
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Logf("no screenshot: %v", err)
		return
	}
	if err := os.MkdirAll(shots, 0o755); err != nil {
		b.t.Fatal(err)
	}
	file := strings.ReplaceAll(name, "/", "-") + "-" + b.of.name + ".png"
	if err := os.WriteFile(filepath.Join(shots, file), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}
