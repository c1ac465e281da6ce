package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"bureau/internal/auth"
)

// A day alone is the whole day wherever a span of time ends, and the first day
// of all is a day.
func TestADayAloneIsMeantToItsEnd(t *testing.T) {
	onBothEngines(t, func(t *testing.T, w *world) {
		w.companies(1)
		acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
		id := w.watched(acme, "Mine", 1)
		w.clock.Step(14*time.Hour + 29*time.Minute + 59*time.Second + 999*time.Millisecond) // the last moment of 2 March
		w.rename("GB-0-1", "Old", "New")
		w.clock.Step(time.Millisecond)
		w.rename("GB-0-1", "New", "Newer")
		acme.token = w.token(acme.login)
		one := fmt.Sprintf("/monitoring/portfolios/%d", id)
		for span, want := range map[string]int{
			"startDate=2026-03-02&endDate=2026-03-02":                          1,
			"startDate=2026-03-03&endDate=2026-03-03":                          1,
			"startDate=2026-03-02T20:00:00&endDate=2026-03-02":                 1,
			"startDate=2026-03-01&endDate=2026-03-01":                          0,
			"startDate=0001-01-01&endDate=2026-03-02":                          1,
			"startDate=0001-01-01&endDate=0001-01-01":                          0,
			"startDate=0001-01-01&endDate=0001-01-01T00:00:00":                 0,
			"startDate=2026-03-01&endDate=2026-03-31":                          2,
			"startDate=2026-03-02&endDate=2026-03-03T00:00:00":                 2,
			"startDate=2026-03-02T00:00:00Z&endDate=2026-03-02%20":             1,
			"startDate=2026-03-02&endDate=2026-03-02T23:59:59.999":             1,
			"startDate=2026-03-02&endDate=2026-03-02T23:59:59.998":             0,
			"filterByCreatedDate=true&startDate=2026-03-02&endDate=9999-12-31": 2,
		} {
			for _, path := range []string{"/monitoring/notificationEvents", one + "/notificationEvents", "/monitoring/companies/GB-0-1/events"} {
				r := w.send("GET", path+"?"+span, "", "Authorization", acme.token)
				if r.status != 200 || !strings.Contains(r.body, fmt.Sprintf(`"totalCount":%d,`, want)) {
					t.Errorf("%s?%s: got %d %s, want %d events", path, span, r.status, r.body, want)
				}
			}
		}
		for span, want := range map[string]string{
			"startDate=0001-01-01&endDate=2026-03-02": `"data":[{"dataDate":"2026-03-02T00:00:00","dataValue":1}]`,
			"startDate=2026-03-03&endDate=2026-03-03": `"data":[{"dataDate":"2026-03-03T00:00:00","dataValue":1}]`,
			"startDate=0001-01-01&endDate=0001-01-01": `"data":[]`,
		} {
			r := w.send("GET", "/monitoring/notificationEvents/dataByDay?"+span, "", "Authorization", acme.token)
			if r.status != 200 || !strings.Contains(r.body, want) {
				t.Errorf("dataByDay?%s: got %d %s, want %s", span, r.status, r.body, want)
			}
		}
		for _, span := range []string{"startDate=%20&endDate=2026-03-02", "startDate=2026-03-02&endDate=%20"} {
			if got := w.call(acme, "GET", "/monitoring/notificationEvents/dataByDay?"+span, "", 400); !strings.Contains(fmt.Sprint(got["details"]), "a day is needed") {
				t.Errorf("%s: got %q", span, got["details"])
			}
		}
	})
}

// Behind the last page every list is empty, and behind a cursor pages have no
// numbers.
func TestPagesBehindTheLastAndBehindACursor(t *testing.T) {
	onBothEngines(t, func(t *testing.T, w *world) {
		w.companies(3)
		acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
		id := w.watched(acme, "Mine", 3)
		w.watched(acme, "Yours", 3)
		w.watched(acme, "Ours", 3)
		for n := range 3 {
			w.rename("GB-0-1", fmt.Sprint(n), fmt.Sprint(n+1))
			w.newImport(acme.login, id)
		}
		one := fmt.Sprintf("/monitoring/portfolios/%d", id)
		for _, path := range []string{
			"/monitoring/notificationEvents", one + "/notificationEvents", one + "/companies/GB-0-1/notificationEvents",
			"/monitoring/companies/GB-0-1/events", "/monitoring/portfolios", one + "/companies", one + "/imports",
		} {
			for _, page := range []string{"50", "99999", "1000000"} {
				got := w.call(acme, "GET", path+"?pageSize=1000&page="+page, "", 200)
				if got["cursor"] != nil || !strings.Contains(fmt.Sprint(got["paging"]), "next:<nil> prev:0 ") || fmt.Sprint(got["totalCount"]) == "0" {
					t.Errorf("%s, page %s: got %v", path, page, got)
				}
				if list, ok := got["data"].([]any); ok && len(list) > 0 {
					t.Errorf("%s, page %s: got %v", path, page, list)
				}
			}
			first := w.call(acme, "GET", path+"?pageSize=1", "", 200)
			if !strings.Contains(fmt.Sprint(first["paging"]), "next:1 prev:<nil> ") {
				t.Errorf("%s: its first page says %v", path, first["paging"])
			}
			after := fmt.Sprint(path, "?pageSize=1&after=", first["cursor"])
			second := w.call(acme, "GET", after, "", 200)
			if !strings.Contains(fmt.Sprint(second["paging"]), "next:<nil> prev:<nil> ") || fmt.Sprint(second["data"]) == fmt.Sprint(first["data"]) {
				t.Errorf("%s: behind its cursor it says %v", path, second["paging"])
			}
			w.call(acme, "GET", after+"&page=0", "", 200)
			if got := w.call(acme, "GET", after+"&page=3", "", 400); !strings.HasPrefix(fmt.Sprint(got["details"]), "page: ") {
				t.Errorf("%s: a page behind a cursor: %q", path, got["details"])
			}
		}
	})
}
