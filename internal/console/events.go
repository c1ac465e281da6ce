package console

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// A page begins with eventsPerPage, which a slow machine lays out before anybody
// notices, and holds maxRows with those that arrive.
const (
	eventsPerPage = 50
	maxRows       = 100
)

// An eventFilter is what the address of the page says.
type eventFilter struct {
	State     string // "open", "done" or "" for both
	Portfolio monitor.PortfolioID
	Query     string
	Company   company.ID
}

func (v *visit) eventFilter() eventFilter {
	f := eventFilter{State: v.query("state"), Query: clip(v.query("find"), 200)}
	if f.State != "open" && f.State != "done" {
		f.State = ""
	}
	id, _ := strconv.ParseInt(v.query("portfolio"), 10, 64)
	f.Portfolio = monitor.PortfolioID(max(0, id))
	if id, err := company.ParseID(v.query("company")); err == nil {
		f.Company = id
	}
	return f
}

// Link is the page with another filter. An empty state is all.
func (f eventFilter) Link(state string, portfolio monitor.PortfolioID) string {
	f.State, f.Portfolio = state, portfolio
	return Path + "/events?" + f.values().Encode()
}

func (f eventFilter) values() url.Values {
	q := url.Values{}
	for name, value := range map[string]string{"state": f.State, "find": f.Query, "company": string(f.Company)} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.Portfolio > 0 {
		q.Set("portfolio", strconv.FormatInt(int64(f.Portfolio), 10))
	}
	return q
}

func (f eventFilter) query() monitor.EventQuery {
	q := monitor.EventQuery{Portfolio: f.Portfolio, Company: f.Company, Search: f.Query, Sort: monitor.ByID, Down: true}
	if f.State != "" {
		done := f.State == "done"
		q.Processed = &done
	}
	return q
}

// wants reports whether an event that arrives belongs on the page.
func (f eventFilter) wants(e *monitor.Event) bool {
	search := monitor.NewSearch(f.Query)
	return !e.IsAlert() && f.State != "done" && (f.Portfolio == 0 || f.Portfolio == e.Portfolio) && (f.Company == "" || f.Company == e.Company) &&
		(search.Empty() || search.In(e.Name) || search.In(string(e.Company)) || search.In(ruleName(*e)))
}

// An eventRow is an event in the table.
type eventRow struct {
	monitor.Event
	Fresh bool // it arrived while the page was open
}

// Done reports whether somebody marked it.
func (e eventRow) Done() bool { return e.Event.Processed() }

type eventsData struct {
	eventFilter
	List       []eventRow
	Total      int64
	Portfolios []monitor.Listed
	Stream     string // where what arrives is told; empty on later pages
	Next       string
	Newest     monitor.EventID
	Most       int
	Export     string
}

// Few reports whether there is room for a chip for each portfolio.
func (d eventsData) Few() bool { return len(d.Portfolios) <= 8 }

// events lists what happened, the newest first.
func (s *Server) events(v *visit) error {
	if err := s.needs(v, auth.Monitoring, ""); err != nil {
		return err
	}
	d := eventsData{eventFilter: v.eventFilter(), Most: maxRows}
	q := d.query()
	q.Limit = eventsPerPage
	var first bool
	var err error
	if q.After, first, err = v.before(); err != nil {
		return err
	}
	// What comes between this and the list is in both; the script takes it once.
	newest, err := s.Hub.Newest(v.ctx())
	if err != nil {
		return err
	}
	found, err := s.Events.Events(v.ctx(), v.by, q)
	if err != nil {
		return err
	}
	d.Total = found.Total
	for _, e := range found.List {
		d.List = append(d.List, eventRow{Event: e})
	}
	if len(d.List) > 0 {
		d.Newest = d.List[0].ID
	}
	if found.More {
		last := d.List[len(d.List)-1]
		d.Next = v.with("before", fmt.Sprintf("%d-%d", last.CreatedAt.UnixMilli(), last.ID))
	}
	d.Export = Path + "/events.csv?" + d.values().Encode()
	if first && d.State != "done" {
		q := d.values()
		q.Set("after", strconv.FormatInt(int64(max(newest, d.Newest)), 10))
		d.Stream = Path + "/events/stream?" + q.Encode()
	}
	if d.Portfolios, _, err = s.Portfolios.List(v.ctx(), v.by, monitor.PortfolioQuery{Limit: maxPortfolios}); err != nil {
		return err
	}
	return s.show(v, page{name: "events", title: "Events", here: "Events", data: d})
}

// before reads where the page before ended.
func (v *visit) before() (at *monitor.Position, first bool, err error) {
	text := v.query("before")
	if text == "" {
		return nil, true, nil
	}
	ms, id, ok := strings.Cut(text, "-")
	made, err1 := strconv.ParseInt(ms, 10, 64)
	n, err2 := strconv.ParseInt(id, 10, 64)
	if !ok || err1 != nil || err2 != nil {
		return nil, false, fault.Missing.Errorf("there is no such page")
	}
	return &monitor.Position{Made: time.UnixMilli(made).UTC(), ID: monitor.EventID(n)}, false, nil
}

// exportEvents is the list as a file for a spreadsheet.
func (s *Server) exportEvents(v *visit) error {
	if err := s.needs(v, auth.Monitoring, ""); err != nil {
		return err
	}
	q := v.eventFilter().query()
	q.Limit = 1000
	w := startCSV(v, "events.csv", "event", "made", "happened", "portfolio", "company", "name", "rule", "old", "new", "why", "processed")
	for range 100 { // a file of 100 000 lines is as much as a spreadsheet likes
		found, err := s.Events.Events(v.ctx(), v.by, q)
		if err != nil {
			w.Flush()
			return err
		}
		for _, e := range found.List {
			done := ""
			if e.Processed() {
				done = e.ProcessedAt.UTC().Format(time.RFC3339)
			}
			writeCSV(w, strconv.FormatInt(int64(e.ID), 10), e.CreatedAt.UTC().Format(time.RFC3339), e.At.UTC().Format(time.RFC3339),
				e.In, string(e.Company), e.Name, ruleName(e), e.Old, e.New, e.Why, done)
		}
		if !found.More {
			break
		}
		at := found.List[len(found.List)-1].Position()
		q.After = &at
	}
	w.Flush()
	return nil
}

// markEvent marks an event as processed, or takes the mark back.
func (s *Server) markEvent(v *visit) error {
	id, err := v.number("id")
	if err != nil {
		return err
	}
	done := v.text("processed") == "true"
	if _, err := s.Events.MarkEvents(v.ctx(), v.by, monitor.Mark{Event: monitor.EventID(id), Processed: done}); err != nil {
		return err
	}
	if v.partial() {
		e, err := s.Why.Store.Event(v.ctx(), v.by, monitor.EventID(id))
		if err != nil {
			return err
		}
		return s.part(v, page{name: "events", data: eventRow{Event: e}}, "eventRow")
	}
	word := "unmarked"
	if done {
		word = "marked"
	}
	to := within(v.text("to"))
	if to == Path+"/" {
		to = Path + "/events"
	}
	return v.redirect(to, word)
}

// markAll marks all events up to the newest that the visitor saw.
func (s *Server) markAll(v *visit) error {
	upTo, err := v.number("upTo")
	if err != nil {
		return err
	}
	id, _ := strconv.ParseInt(v.text("portfolio"), 10, 64)
	_, err = s.Events.MarkEvents(v.ctx(), v.by, monitor.Mark{
		Portfolio: monitor.PortfolioID(max(0, id)), UpTo: monitor.EventID(upTo), Processed: true,
	})
	if err != nil {
		return err
	}
	return v.redirect(Path+"/events?state=open", "marked-all")
}
