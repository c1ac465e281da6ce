package console_test

import (
	"bufio"
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// until asks again and again until something is so: the house works in the
// background.
func (h *house) until(what string, so func() bool) {
	h.t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for end := time.After(30 * time.Second); !so(); {
		select {
		case <-tick.C:
		case <-end:
			h.t.Fatalf("waited in vain for %s", what)
		}
	}
}

// stream reads as many events as there are to come.
func (b *browser) stream(path string, events int) string {
	b.h.t.Helper()
	ctx, cancel := context.WithTimeout(b.h.t.Context(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, b.h.url+path, nil)
	must(b.h.t, err)
	res, err := b.client.Do(req)
	must(b.h.t, err)
	defer res.Body.Close()
	var told strings.Builder
	for lines := bufio.NewScanner(res.Body); events > 0; {
		if !lines.Scan() {
			b.h.t.Fatalf("the stream ended with %d events to come: %v", events, lines.Err())
		}
		told.WriteString(lines.Text() + "\n")
		if strings.HasPrefix(lines.Text(), "data:") {
			events--
		}
	}
	return told.String()
}

var eventAt = regexp.MustCompile(`href="(/console/events/[0-9]+)"`)

// Who objects is named by no page of the console that named them before, and by
// all of them again once the objection is taken back.
func TestAnObjectionIsHonouredInTheConsole(t *testing.T) {
	h := newHouse(t)
	h.companies(`{"id":"GB-0-09999990","name":"EXAMPLE BAKERIES LIMITED","status":"Active"}`)
	b := h.as("analyst")
	res, _ := b.post("/console/portfolios", url.Values{"name": {"Bakers"}})
	at, _, _ := strings.Cut(res.Header.Get("Location"), "?")
	b.post("/console/portfolios/add", url.Values{"portfolio": {at[strings.LastIndexByte(at, '/')+1:]}, "company": {"GB-0-09999990"}})
	b.post(at+"/rules/XX/107", url.Values{"on": {"yes"}})
	h.companies(`{"id":"GB-0-09999990","name":"EXAMPLE BAKERIES LIMITED","status":"Active","officers":[` +
		`{"name":"Ada Hollbrook","role":"director","id":"77","birth":"1970-05"},{"name":"Cyril Kestrel","role":"director","id":"78"}],` +
		`"owners":[{"name":"Ada Hollbrook","id":"77","natures":["shares 25-50%"]}]}`)
	events := ""
	h.until("the events", func() bool {
		_, events = b.get("/console/events")
		return strings.Contains(events, "Ada Hollbrook") && strings.Contains(events, "Cyril Kestrel")
	})
	paths := []string{"/console/", "/console/events", "/console/events.csv", "/console/companies/GB-0-09999990", at, at + "/export.csv"}
	var why []string
	for _, m := range eventAt.FindAllStringSubmatch(events, -1) {
		why = append(why, m[1])
	}
	see := func(when string, want bool) {
		t.Helper()
		named := 0
		for _, path := range append(paths, why...) {
			res, body := b.get(path)
			if res.StatusCode != http.StatusOK {
				t.Errorf("%s, %s: %s", when, path, res.Status)
			}
			if strings.Contains(body, "Ada Hollbrook") {
				if named++; !want {
					t.Errorf("%s, %s names who objected", when, path)
				}
			}
		}
		if want && named < 4 {
			t.Errorf("%s: %d pages name her, want at least the list, the file, the company and why", when, named)
		}
		if _, body := b.get("/console/events"); !strings.Contains(body, "Cyril Kestrel") {
			t.Errorf("%s: who did not object is not named", when)
		}
	}
	see("before", true)
	must(t, h.ObjectPerson(t.Context(), "GB-77", "by letter"))
	see("after an objection", false)
	// A row that is drawn anew by itself, as after a mark, names her no more than
	// the page does.
	for _, path := range why {
		_, body := b.post(path+"/mark", url.Values{"processed": {"true"}}, "HX-Request", "true", "HX-Request-Type", "partial")
		if strings.Contains(body, "Ada Hollbrook") || !strings.Contains(body, "<tr") {
			t.Errorf("%s/mark names who objected, or shows no row:\n%s", path, body)
		}
		b.post(path+"/mark", url.Values{"processed": {"false"}})
	}
	if told := b.stream("/console/events/stream?after=0", len(why)); strings.Contains(told, "Ada Hollbrook") {
		t.Errorf("the stream names who objected:\n%s", told)
	}
	must(t, h.AllowPerson(t.Context(), "GB-77"))
	see("after it was taken back", true)
}
