package e2e

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// axe finds what keeps people out who hear a page, or use no mouse.
//
//go:embed testdata/axe.min.js
var axe string

// pages are all that somebody can open from the rail, the menu and the lists.
var pages = []struct{ name, path string }{
	{"today", "/"},
	{"companies", "/companies?q=timber"},
	{"company", "/companies/{company}"},
	{"portfolios", "/portfolios"},
	{"portfolio", "/portfolios/100001"},
	{"rules", "/portfolios/100001/rules"},
	{"files", "/portfolios/100001/import"},
	{"portfolio-edit", "/portfolios/100001/edit"},
	{"events", "/events"},
	{"kyc", "/kyc"},
	{"kyc-searches", "/kyc/searches?kind=businesses"},
	{"kyc-alerts", "/kyc/alerts?decision=discarded"},
	{"kyc-reports", "/kyc/reports"},
	{"checks", "/checks"},
	{"identity-form", "/checks/identity"},
	{"webhooks", "/webhooks"},
	{"settings", "/settings"},
	{"people", "/people"},
	{"customers", "/operator/customers"},
	{"customer", "/operator/customers/1001"},
	{"accounts", "/operator/accounts"},
	{"usage", "/operator/usage"},
	{"imports", "/operator/imports"},
	{"jobs", "/operator/jobs"},
	{"keys", "/operator/keys"},
	{"audit", "/operator/audit"},
	{"health", "/operator/health"},
}

// Every page at both widths, in light and in dark: it shows, nothing is wider
// than the window, and the accessibility check finds nothing serious.
func TestPages(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		width
		scheme string
	}{{desk, "light"}, {phone, "dark"}} {
		for some := range slices.Chunk(pages, 7) {
			t.Run(v.name+" "+v.scheme+" from "+some[0].name, func(t *testing.T) {
				t.Parallel()
				b := signedIn(t, v.width)
				b.scheme(v.scheme)
				for _, p := range some {
					b.visit(path(p.path))
					b.until(p.name, `document.querySelector("main h1")`)
					b.shot(p.name)
					b.accessible(p.name)
					b.fits(p.name)
				}
			})
		}
	}
}

// fits says that nothing is wider than the window.
func (b *tab) fits(name string) {
	b.t.Helper()
	if over := eval[int](b, `document.documentElement.scrollWidth - window.innerWidth`); over > 0 {
		b.t.Errorf("%s is %d pixels wider than the window: %s", name, over, eval[string](b,
			`[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".hide")).pop()?.outerHTML.slice(0, 200) ?? ""`))
	}
}

// The door, too, is a page.
func TestDoor(t *testing.T) {
	t.Parallel()
	for _, w := range []width{desk, phone} {
		b := newTab(t, w)
		b.visit("/sign-in")
		b.shot("sign-in")
		b.accessible("sign-in")
	}
}

func (b *tab) scheme(word string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: word}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// accessible holds a page against the accessibility rules. What is minor is
// told; what is serious or worse fails.
func (b *tab) accessible(name string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := chromedp.Evaluate[any](axe+";null")(ctx, t)
		return err
	}))
	found := ask(b, chromedp.Evaluate[string](`axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations.map(v => ({id: v.id, impact: v.impact, help: v.help, nodes: v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))}))))`, chromedp.EvalAwaitPromise))
	var list []struct {
		ID, Impact, Help string
		Nodes            []string
	}
	if err := json.Unmarshal([]byte(found), &list); err != nil {
		b.t.Fatal(err)
	}
	for _, v := range list {
		said := fmt.Sprintf("%s: %s (%s, %s)\n\t%s", name, v.Help, v.ID, v.Impact, strings.Join(v.Nodes, "\n\t"))
		if v.Impact == "serious" || v.Impact == "critical" {
			b.t.Error(said)
		} else {
			b.t.Log(said)
		}
	}
}

// The first page is useful within 100 KB, with nothing kept from before.
func TestFirstPageIsLight(t *testing.T) {
	t.Parallel()
	b := newTab(t, desk)
	b.signIn(home.card.Email, home.card.EmailPassword)
	b.until("the first page", `document.title.startsWith("Today") && document.readyState === "complete"`)
	b.until("its chart", `document.querySelector("main h1")`)
	b.mu.Lock()
	defer b.mu.Unlock()
	t.Logf("signing in and the first page: %.1f KB over the wire", b.bytes/1024)
	if b.bytes > 100<<10 {
		t.Errorf("signing in and the first page took %.0f bytes, want at most 100 KB", b.bytes)
	}
}
