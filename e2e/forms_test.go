package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// What is refused stays as it was typed, and the page says what is wrong; a form
// that is sent twice in a hurry is one act.
func TestRefusedFormIsKept(t *testing.T) {
	t.Parallel()
	b := signedIn(t, desk)
	b.forgive("400")
	b.forgive("409")
	b.visit("/portfolios")
	b.fill("#name", "Customers")
	b.click(".acts button.primary")
	b.has("already a portfolio called")
	if name := eval[string](b, `document.querySelector("#name").value`); name != "Customers" {
		t.Errorf("the field holds %q after the refusal", name)
	}
	b.shot("refused")
	b.accessible("a refusal")

	b.visit("/portfolios/100002")
	b.fill("#add", "nonsense")
	b.do(chromedp.KeyEvent("\r"))
	b.has("neither a connectId")
	if id := eval[string](b, `document.querySelector("#add").value`); id != "nonsense" {
		t.Errorf("the field holds %q after the refusal", id)
	}

	b.visit("/portfolios")
	b.fill("#name", "Pressed twice")
	eval[any](b, `(() => { const f = document.querySelector(".acts form"); f.requestSubmit(); f.requestSubmit(); })()`)
	b.has("No companies yet")
	b.visit("/portfolios")
	const made = `[...document.querySelectorAll("td.name a")].filter(a => a.innerText === "Pressed twice").length`
	b.until("the portfolio", made)
	if n := eval[int](b, made); n != 1 {
		t.Errorf("%d portfolios were made", n)
	}
}
