package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// atBoth runs an act at the width of a desk and then of a phone, signed in, while
// other tests go on.
func atBoth(t *testing.T, act func(t *testing.T, b *tab)) {
	t.Parallel()
	inTurn(t, act)
}

// inTurn is atBoth for one of several acts that see what the others leave behind.
func inTurn(t *testing.T, act func(t *testing.T, b *tab)) {
	for _, w := range []width{desk, phone} {
		t.Run(w.name, func(t *testing.T) { act(t, signedIn(t, w)) })
	}
}

// atOnce is atBoth for an act that leaves nothing behind which the other width
// would see.
func atOnce(t *testing.T, act func(t *testing.T, b *tab)) {
	t.Parallel()
	for _, w := range []width{desk, phone} {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			act(t, signedIn(t, w))
		})
	}
}

func TestWrongPasswordIsTold(t *testing.T) {
	t.Parallel()
	b := newTab(t, desk)
	b.forgive("401") // the browser calls a refused sign-in an error
	b.signIn(home.card.Email, "not the right sentence")
	b.has("The e-mail address or the password is wrong.")
	b.shot("sign-in-wrong")
}

func TestSearchFollowsWhatIsTyped(t *testing.T) {
	atOnce(t, func(t *testing.T, b *tab) {
		b.visit("/companies")
		b.fill("#q", "lornwel emberwik") // with two letters missing
		b.until("the company", `document.querySelector("#results td.name a")?.innerText.includes("Lornwell Emberwick")`)
		b.until("the search in the address", `location.search.includes("lornwel")`)
		b.shot("search")
		b.click("#results td.name a")
		b.until("its page", `document.querySelector("main h1")?.innerText.includes("Lornwell Emberwick")`)
		b.has("Credit limit")
		b.click("main details summary")
		b.has("Every company starts here")
		b.shot("company-why")
	})
}

// Letters that come while a search is under way are searched for after it: to break
// it off would have the browser complain.
func TestSearchGoesOnWithTheNextLetters(t *testing.T) {
	t.Parallel()
	b := signedIn(t, desk)
	b.visit("/companies")
	eval[any](b, `(() => {
		const fetch = window.fetch;
		window.asked = 0;
		window.fetch = async (...of) => {
			window.asked++;
			const answer = await fetch(...of);
			await new Promise((go, stop) => {
				window.answer = go;
				of[1]?.signal?.addEventListener("abort", () => stop(of[1].signal.reason));
			});
			return answer;
		};
	})()`)
	b.fill("#q", "lornwel")
	b.until("a search", `window.asked === 1 && window.answer`)
	b.do(chromedp.SendKeys(chromedp.CSS("#q"), " emberwik"))
	eval[any](b, `window.typed = performance.now()`)
	b.until("time enough to search again", `performance.now() > window.typed + 400`)
	eval[any](b, `window.answer()`)
	b.until("the next search", `window.asked === 2`)
	b.until("the company", `window.answer() || document.querySelector("#results td.name a")?.innerText.includes("Lornwell Emberwick")`)
}

func TestKeyboard(t *testing.T) {
	t.Parallel()
	b := signedIn(t, desk)
	b.visit("/")
	b.keys("/")
	b.until("the search field has the focus", `document.activeElement.id === "find"`)
	b.do(chromedp.SendKeys(chromedp.CSS("#find"), "timber\r"))
	b.until("rows", `document.querySelectorAll("tr[data-open]").length > 5`)
	eval[any](b, `document.activeElement.blur()`)
	b.keys("j")
	b.keys("j")
	b.until("the second row is the one", `document.querySelectorAll("tr[data-open]")[1].classList.contains("at")`)
	b.keys("k")
	b.until("the first row is the one", `document.querySelectorAll("tr[data-open]")[0].classList.contains("at")`)
	b.keys("\r")
	b.until("its page", `location.pathname.startsWith("/console/companies/") && document.readyState === "complete"`)
	b.keys("?")
	b.until("the help", `document.querySelector("#help").open`)
	b.shot("help")
}

func TestPortfolioFromNothing(t *testing.T) {
	atOnce(t, func(t *testing.T, b *tab) {
		b.visit("/portfolios")
		b.fill("#name", "From nothing, "+b.of.name)
		b.click(".acts button.primary")
		b.has("No companies yet")
		b.shot("portfolio-empty")
		here := eval[string](b, `location.pathname`)

		// A file with two companies, one of them unknown, dropped or chosen.
		file := filepath.Join(t.TempDir(), "companies.csv")
		if err := os.WriteFile(file, []byte("id\n"+home.card.CompanyID+"\nGB-0-00000000\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		b.visit(strings.TrimPrefix(here, "/console") + "/import")
		b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{file}))
		b.click("form.drop button.primary")
		b.until("the file is worked off", `document.querySelector("#imports .state.good")`)
		b.has("Lines that were not taken")
		b.shot("import-done")

		b.visit(strings.TrimPrefix(here, "/console"))
		b.has("Lornwell Emberwick")
		b.click("td.fit button")
		b.has("is no longer in the portfolio")
		b.shot("removed")
		b.click(".notice button")
		b.until("it is back", `document.querySelectorAll("#members tr[data-open]").length === 1`)
	})
}

// To click the head of a column sorts by it, and again the other way round.
func TestPortfolioIsSorted(t *testing.T) {
	atOnce(t, func(t *testing.T, b *tab) {
		b.visit("/portfolios/100001")
		names := `[...document.querySelectorAll("#members td.name a")].map(a => a.innerText.toUpperCase())`
		sorted := func(by string) string {
			return fmt.Sprintf(`location.search.includes("sort=%s") && (() => { const is = %s; const want = [...is].sort(); return is.length > 3 && String(is) === String(location.search.includes("sort=-") ? want.reverse() : want); })()`, by, names)
		}
		if b.of == phone { // where there are no heads
			b.do(chromedp.SetValue(chromedp.CSS("#sort"), "name"))
			b.until("sorted by name", sorted("name"))
			return
		}
		b.click("thead th:nth-child(1) a")
		b.until("sorted by name", sorted("name"))
		b.click("thead th:nth-child(1) a")
		b.until("the other way round", sorted("-name"))
		b.until("which is said", `document.querySelector("th[aria-sort=descending]")?.innerText.startsWith("Company")`)
		b.shot("sorted")
		b.accessible("a sorted portfolio")
		b.click("thead th:nth-child(4) a")
		b.until("sorted by band", `location.search.includes("sort=band") && (() => { const is = [...document.querySelectorAll("#members .band")].map(e => e.innerText); return is.length > 3 && String(is) === String([...is].sort()); })()`)
	})
}

func TestDocumentIsSaved(t *testing.T) {
	atOnce(t, func(t *testing.T, b *tab) {
		b.visit("/companies/" + home.card.CompanyID)
		b.until("its documents", `document.querySelector('a[href^="/console/documents/"]')`)
		b.pdf(`a[href^="/console/documents/"]`)
	})
}

func TestRulesAreSwitches(t *testing.T) {
	atBoth(t, func(t *testing.T, b *tab) {
		b.visit("/portfolios/100002/rules")
		was := eval[bool](b, `document.querySelector("#on-XX-105").checked`)
		b.click("#on-XX-105")
		b.until("the switch is set", fmt.Sprintf(`document.querySelector("#on-XX-105").checked === %v && document.querySelector("form:has(#on-XX-105) .state")`, !was))
		b.visit("/portfolios/100002/rules")
		if eval[bool](b, `document.querySelector("#on-XX-105").checked`) == was {
			t.Error("the switch was not kept")
		}
		b.click("form:has(#on-XX-105) .trial button")
		b.until("what it would have told", `/\d+ events?/.test(document.querySelector("#trial-XX-105").innerText)`)
		b.shot("rule-tried")
	})
}

func TestBankCheck(t *testing.T) {
	atOnce(t, func(t *testing.T, b *tab) {
		b.visit("/checks")
		b.fill("#iban", home.card.IBAN)
		b.click("main form button.primary")
		b.has("What was looked at")
		b.shot("checked")
	})
}

// Somebody's identity is checked, for a reason.
func TestIdentityCheck(t *testing.T) {
	atOnce(t, func(t *testing.T, b *tab) {
		who := home.card.Consumer
		b.visit("/checks/identity")
		for field, text := range map[string]string{"forename": who.Forename, "surname": who.Surname, "born": who.Born, "house": who.House, "postCode": who.PostCode} {
			b.fill("#"+field, text)
		}
		b.do(chromedp.SetValue(chromedp.CSS("#reason"), "TenantVet"))
		b.click(`input[name="full"]`)
		b.click("main form button.primary")
		b.has("What is held")
		b.has("tenant vet")
		b.until("it says what was looked at", `document.querySelectorAll("section.panel tbody tr").length > 5`)
		if strings.Contains(eval[string](b, `location.href`), who.Surname) {
			t.Error("the name is in the address")
		}
		b.shot("identity")
		b.accessible("an identity")
		b.fits("an identity")
	})
}

// An account's life: opened by the operator, signed in, codes set up, signed out
// everywhere.
func TestAccountAndCodes(t *testing.T) {
	t.Parallel()
	b := signedIn(t, desk)
	email := "vera@sandbox.example"
	b.visit("/operator/accounts")
	b.fill("#email", email)
	b.click("main form.panel button.primary")
	b.has("can sign in")
	password := b.text(".notice code")
	b.shot("account-opened")

	vera := newTab(t, phone)
	vera.signIn(email, password)
	vera.has("You watch no companies yet")
	vera.shot("today-empty")
	second := newTab(t, desk)
	second.signIn(email, password)
	second.has("You watch no companies yet")

	vera.visit("/settings")
	vera.click("section.panel form button.primary")
	secret := vera.text("p.mono")
	vera.until("the same as a picture", `document.querySelector("svg.qr path").getAttribute("d").length > 1000 && document.querySelector('a[href^="otpauth://totp/"]')`)
	vera.shot("codes")
	vera.accessible("codes")
	vera.fill("#code", codeNow(t, secret))
	vera.click("form:has(#code) button")
	vera.has("From now on you are asked for a code")
	second.visit("/settings") // everybody else is signed out
	second.until("the door", `location.pathname === "/console/sign-in"`)
	second.signIn(email, password)
	second.has("Your code")
	second.shot("code")
	vera.visit("/operator/customers")
	vera.forgive("404")
	vera.has("There is nothing here")
}

func TestWebhook(t *testing.T) {
	sink := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(sink.Close)
	atBoth(t, func(t *testing.T, b *tab) {
		b.visit("/webhooks")
		b.fill("#url", sink.URL+"/"+b.of.name)
		b.click("main form button.primary")
		b.has("whsec_")
		b.shot("webhook-made")
		b.click(`a[href^="/console/webhooks/"]:not([href$="webhooks"])`)
		b.until("its page", `document.querySelector('button[value="test"]')`)
		b.click(`button[value="test"]`)
		b.has("The test was answered with 200")
		b.shot("webhook-tested")
	})
}
