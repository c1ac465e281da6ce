package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// What happens is on the page of events of everybody who has it open: these are
// one after the other.
func TestEvents(t *testing.T) {
	t.Parallel()
	t.Run("arrive", eventsArrive)
	t.Run("hostile", hostileNameArrives)
	t.Run("many", manyEvents)
}

// An event shows while the page is open, and is marked with a key.
func eventsArrive(t *testing.T) {
	inTurn(t, func(t *testing.T, b *tab) {
		b.visit("/events")
		b.until("the stream is open", `document.querySelector("#live").innerText === "live"`)
		name := "Renamed while watched, " + b.of.name
		home.bureau(t, "sandbox", "change", home.watched(t), "name="+name)
		b.until("the event", fmt.Sprintf(`document.querySelector("tbody tr.new td.name") && document.body.innerText.includes(%q)`, name))
		b.shot("event-arrived")
		if n := eval[int](b, `document.querySelectorAll("tbody tr").length`); n > 200 {
			t.Errorf("%d rows, want at most 200", n)
		}
		eval[any](b, `document.activeElement.blur()`)
		b.keys("j")
		b.keys("e")
		b.until("it is marked", `document.querySelector("tbody tr.done")`)
		b.keys("e")
		b.click(`tbody tr a[data-key="w"]`)
		b.has("The rule")
		b.has("Source")
		b.shot("event-why")
		b.click("#mute")
		b.has("says nothing of the company")
		b.shot("event-muted")
		b.accessible("a muted event")
		b.click(".notice button")
		b.has("speaks of the company again")
	})
}

// watched is a company of the sandbox's first portfolio.
func (h *house) watched(t *testing.T) string {
	t.Helper()
	return "DE-0-X9999_HRB900000"
}

// A name that wants to be a script is a name, also when it arrives by itself.
func hostileNameArrives(t *testing.T) {
	for i, name := range []string{
		`<script>document.title="run"</script>`,
		`"><img src=x onerror="document.title='run'">`,
		"\u202egnp.exe\u202c <b>bold</b>",
		strings.Repeat("Very long name ", 60),
	} {
		b := signedIn(t, []width{desk, phone}[i%2])
		b.visit("/events")
		b.until("the stream is open", `document.querySelector("#live").innerText === "live"`)
		before := eval[int](b, `document.querySelectorAll("tbody tr").length`)
		home.bureau(t, "sandbox", "change", home.watched(t), "name="+name)
		b.until("the event", fmt.Sprintf(`document.querySelectorAll("tbody tr").length > %d || document.querySelector("tr.new")`, before))
		b.shot(fmt.Sprintf("hostile-events-%d", i))
		b.visit("/companies/" + home.watched(t))
		b.until("its page", `document.querySelector("main h1")`)
		b.shot(fmt.Sprintf("hostile-company-%d", i))
		if title := eval[string](b, `document.title`); title == "run" {
			t.Errorf("%s ran", name)
		}
		if n := eval[int](b, `document.querySelectorAll("main h1 script, main h1 img, main h1 b").length`); n > 0 {
			t.Errorf("%s is markup", name)
		}
		if over := eval[int](b, `document.documentElement.scrollWidth - window.innerWidth`); over > 0 {
			t.Errorf("%q makes the page %d pixels wider than the window", name[:20], over)
		}
	}
}
