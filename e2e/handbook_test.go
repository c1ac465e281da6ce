package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

func (b *tab) visitDocs(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(home.card.BaseURL + "/docs" + path))
}

// The documents at both widths, in light and in dark.
func TestDocuments(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		width
		scheme string
	}{{desk, "light"}, {phone, "dark"}} {
		t.Run(v.name+" "+v.scheme, func(t *testing.T) {
			t.Parallel()
			b := newTab(t, v.width)
			b.scheme(v.scheme)
			for _, p := range []struct{ name, path string }{
				{"docs", ""},
				{"docs-changes", "/changes"},
				{"docs-company", "/companyReport"},
				{"docs-add", "/addCompany"},
				{"docs-authenticate", "/authenticate"},
			} {
				b.visitDocs(p.path)
				b.until(p.name, `document.querySelector("main h1")`)
				b.shot(p.name)
				if over := eval[int](b, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
					t.Errorf("%s is %d pixels wider than the window", p.name, over)
				}
				b.accessible(p.name)
			}
		})
	}
}

// Somebody finds an operation by typing, signs in with the sandbox's card and
// sends the sample; what it needs from other calls is fetched.
func TestTryAnOperation(t *testing.T) {
	t.Parallel()
	b := newTab(t, desk)
	b.visitDocs("")
	b.keys("/")
	b.until("the field", `document.activeElement.id === "find"`)
	eval[bool](b, `(document.activeElement.value = "") === ""`)
	b.keys("take a company out")
	b.until("few that are left", `/^[1-9] found$/.test(document.getElementById("found").textContent)`)
	b.keys("\r")
	b.until("the focus", `document.activeElement.closest("[data-op]")`)
	b.visitDocs("/removeCompany")
	card, err := os.ReadFile(filepath.Join(home.data, "sandbox.json"))
	if err != nil {
		t.Fatal(err)
	}
	quoted, _ := json.Marshal(string(card))
	eval[bool](b, `(() => { const f = document.getElementById("username"); f.value = `+string(quoted)+`; f.dispatchEvent(new Event("input")); return true; })()`)
	b.click("#sign-in button")
	b.has("Signed in as sandbox")
	b.click("#try button")
	b.has("200")
	b.until("the answer", `document.querySelector("#result pre")?.textContent.includes("correlationId")`)
	b.shot("docs-tried")

	// A stream is shown as it comes, and can be stopped.
	b.visitDocs("/eventStream")
	b.click("#try button")
	b.has("events are shown as they come")
	b.click("#stop")
	b.until("the end of it", `document.getElementById("stop").hidden`)

	// A file is offered, a refusal explains itself.
	b.visitDocs("/companyImage")
	b.click("#try button")
	b.has("Save the file")
	b.forgive("400")
	b.visitDocs("/companyMatch")
	eval[bool](b, `(document.getElementById("p-country").value = "QQ") === "QQ"`)
	b.click("#try button")
	b.has("Bad request")
}
