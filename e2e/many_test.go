package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Ten thousand events: the page holds 200 rows, also while thousands arrive.
func manyEvents(t *testing.T) {
	const companies, rounds = 2500, 4
	file := func(name string, lines []string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	round := func(n int) string {
		var lines []string
		for i := range companies {
			b, _ := json.Marshal(map[string]any{"id": fmt.Sprintf("GB-0-9%07d", i), "name": fmt.Sprintf("Crowded House %d of round %d", i, n), "status": "Active"})
			lines = append(lines, string(b))
		}
		return file("companies.jsonl", lines)
	}
	home.bureau(t, "import", "companies", round(0))

	b := signedIn(t, desk)
	b.visit("/portfolios")
	b.fill("#name", "A crowd")
	b.click(".acts button.primary")
	b.has("No companies yet")
	at := strings.TrimPrefix(eval[string](b, `location.pathname`), "/console")
	ids := []string{"id"}
	for i := range companies {
		ids = append(ids, fmt.Sprintf("GB-0-9%07d", i))
	}
	b.visit(at + "/import")
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{file("ids.csv", ids)}))
	b.click("form.drop button.primary")
	b.until("the file is worked off", `document.querySelector("#imports .state.good")`)
	b.visit(at + "/rules")
	b.click("#on-XX-5001")
	b.until("the rule is on", `document.querySelector("form:has(#on-XX-5001) .state")`)

	for n := 1; n < rounds; n++ {
		home.bureau(t, "import", "companies", round(n))
	}
	events := "/events?portfolio=" + at[strings.LastIndexByte(at, '/')+1:]
	b.untilLoaded(events, "the events of all rounds but one", fmt.Sprintf(`Number(document.querySelector("#total").dataset.n) === %d`, companies*(rounds-1)))

	// The last round arrives while the page is open and watched.
	_, err := chromedp.Call(b.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		window.tasks = []; window.most = 0;
		new PerformanceObserver((l) => l.getEntries().forEach((e) => tasks.push(Math.round(e.duration)))).observe({type: "longtask", buffered: true});
		new MutationObserver(() => { most = Math.max(most, document.querySelectorAll("tbody tr").length); }).observe(document, {childList: true, subtree: true});`})
	if err != nil {
		t.Fatal(err)
	}
	b.visit(events)
	b.until("the stream is open", `document.querySelector("#live").innerText === "live"`)
	loaded := eval[string](b, `JSON.stringify(tasks)`)
	home.bureau(t, "import", "companies", round(rounds))
	b.until("all events", fmt.Sprintf(`Number(document.querySelector("#total").dataset.n) === %d && document.body.innerText.includes("of round %d")`, companies*rounds, rounds))
	if most := eval[int](b, `most`); most > 200 {
		t.Errorf("there were %d rows in the page, want at most 200", most)
	}
	t.Logf("tasks over 50 ms: %s while the page loaded, %s in all once %d events had arrived", loaded, eval[string](b, `JSON.stringify(tasks)`), companies)
	b.shot("many-events")
	b.visit(events + "&before=9999999999999-999999999")
	if rows := eval[int](b, `document.querySelectorAll("tbody tr").length`); rows > 200 {
		t.Errorf("the next page has %d rows", rows)
	}
}
