package console

import (
	"encoding/csv"
	"net/http"
	"strconv"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/monitor"
)

// portfolioData is one portfolio and the tab that is open.
type portfolioData struct {
	monitor.Listed
	Tab        string
	Bands      stack
	Total      int64
	Query      string
	Country    string
	Countries  []string
	Members    []monitor.Watched
	Heads      []sortHead
	Shown      int
	Next       string
	MayAdd     bool
	MayEdit    bool
	MayRemove  bool
	MayDelete  bool
	Gone       company.ID // that was just removed, and may be put back
	GoneName   string
	Rules      []ruleGroup
	RulesOn    int
	RuleFilter string
	Imports    []monitor.Import
	Busy       bool     // an import is under way
	Sharing    *sharing // for its owner
}

const membersPerPage = 100

// openPortfolio loads what every tab shows.
func (s *Server) openPortfolio(v *visit, tab string) (portfolioData, error) {
	id, err := v.number("id")
	if err != nil {
		return portfolioData{}, err
	}
	p, err := s.Portfolios.Portfolio(v.ctx(), v.by, monitor.PortfolioID(id))
	if err != nil {
		return portfolioData{}, err
	}
	d := portfolioData{Listed: p, Tab: tab}
	if v.may(auth.Analyst) {
		d.MayAdd, d.MayEdit = p.Rights&monitor.Add != 0, p.Rights&monitor.Edit != 0
		d.MayRemove, d.MayDelete = p.Rights&monitor.Remove != 0, p.Rights&monitor.Own != 0
	}
	bands, err := s.Portfolios.Bands(v.ctx(), v.by, p.ID)
	d.Bands, d.Total = bandStack(bands), bands.Total
	return d, err
}

// portfolio shows the companies of a portfolio.
func (s *Server) portfolio(v *visit) error {
	d, err := s.openPortfolio(v, "companies")
	if err != nil {
		return err
	}
	d.Query, d.Country = clip(v.query("find"), 200), clip(v.query("country"), 2)
	skip, _ := strconv.Atoi(v.query("skip"))
	skip = max(0, min(skip, 1_000_000))
	q := monitor.MemberQuery{Search: d.Query, Country: d.Country, Skip: skip, Limit: membersPerPage}
	q.Sort, q.Down = memberSort(v.query("sort"))
	d.Heads = v.memberHeads(q)
	list, total, err := s.Portfolios.Members(v.ctx(), v.by, d.ID, q)
	if err != nil {
		return err
	}
	d.Members, d.Shown = list, int(total)
	if d.Countries, err = s.Portfolios.Countries(v.ctx(), v.by, d.ID); err != nil {
		return err
	}
	if skip+len(list) < int(total) {
		d.Next = v.with("skip", strconv.Itoa(skip+membersPerPage))
	}
	if gone, err := company.ParseID(v.query("gone")); err == nil && d.MayAdd {
		d.Gone, d.GoneName = gone, string(gone)
		if c, err := s.Companies.Company(v.ctx(), gone); err == nil {
			d.GoneName = clip(c.Name, 100)
		}
	}
	return s.show(v, page{name: "portfolio", title: clip(d.Name, 100), here: "Portfolios", data: d})
}

// with is the address of this page with another value of one parameter.
func (v *visit) with(name, value string) string {
	q := v.r.URL.Query()
	q.Del("said")
	q.Del("gone")
	if name != "skip" {
		q.Del("skip") // another list begins at its beginning
	}
	q.Set(name, value)
	return v.r.URL.Path + "?" + q.Encode()
}

// removeMember takes a company out. What it says next can be taken back.
func (s *Server) removeMember(v *visit) error {
	id, err := v.number("id")
	if err != nil {
		return err
	}
	name := v.text("company")
	if err := s.Portfolios.Remove(v.ctx(), v.by, monitor.PortfolioID(id), name); err != nil {
		return err
	}
	return v.redirect(portfolioPath(monitor.PortfolioID(id))+"?gone="+name, "")
}

// editPortfolio changes its name and its mail.
func (s *Server) editPortfolio(v *visit) error {
	id, err := v.number("id")
	if err != nil {
		return err
	}
	days, _ := strconv.Atoi(v.text("days"))
	err = s.Portfolios.Edit(v.ctx(), v.by, monitor.PortfolioID(id), func(p *monitor.Portfolio) error {
		p.Name, p.Digest.Frequency = v.text("name"), monitor.Frequency(days)
		p.Digest.To = nil
		for _, address := range splitLines(v.text("emails")) {
			p.Digest.To = append(p.Digest.To, monitor.Recipient{Address: address})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return v.redirect(portfolioPath(monitor.PortfolioID(id))+"/edit", "portfolio-saved")
}

func (s *Server) editPortfolioPage(v *visit) error {
	d, err := s.openPortfolio(v, "edit")
	if err == nil && d.MayDelete {
		d.Sharing, err = s.sharing(v, d.ID)
	}
	if err != nil {
		return err
	}
	return s.show(v, page{name: "portfolio", title: clip(d.Name, 100), here: "Portfolios", data: d})
}

// deletePortfolio takes it away, with all its events. It cannot be taken back,
// so the name must be written.
func (s *Server) deletePortfolio(v *visit) error {
	d, err := s.openPortfolio(v, "edit")
	if err != nil {
		return err
	}
	if v.text("sure") != d.Name {
		return wrongName(d.Name)
	}
	if err := s.Portfolios.Delete(v.ctx(), v.by, d.ID); err != nil {
		return err
	}
	return v.redirect(Path+"/portfolios", "portfolio-gone")
}

// exportPortfolio is the table as a file for a spreadsheet.
func (s *Server) exportPortfolio(v *visit) error {
	d, err := s.openPortfolio(v, "companies")
	if err != nil {
		return err
	}
	w := startCSV(v, "portfolio-"+strconv.FormatInt(int64(d.ID), 10)+".csv",
		"id", "name", "country", "status", "band", "score", "limit", "currency", "reference", "lastEvent")
	var after company.ID
	for {
		list, _, err := s.Portfolios.Members(v.ctx(), v.by, d.ID, monitor.MemberQuery{
			Search: v.query("find"), Country: v.query("country"), After: after, Limit: 1000,
		})
		if err != nil || len(list) == 0 {
			w.Flush()
			return err
		}
		for _, m := range list {
			after = m.Company
			writeMember(w, m)
		}
	}
}

func writeMember(w *csv.Writer, m monitor.Watched) {
	band, score, limit, currency := "", "", "", ""
	if sc := m.Facts.Score; sc != nil {
		band, score = sc.Band, strconv.Itoa(sc.Value)
		limit, currency = strconv.FormatInt(sc.Limit.Minor/100, 10), sc.Limit.Currency
	}
	last := ""
	if !m.LastEventAt.IsZero() {
		last = m.LastEventAt.UTC().Format("2006-01-02")
	}
	writeCSV(w, string(m.Company), m.Facts.Name, m.Company.Country(), string(m.Facts.Status), band, score, limit, currency, m.Reference, last)
}

// startCSV begins a file that the browser saves.
func startCSV(v *visit, name string, head ...string) *csv.Writer {
	h := v.w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	v.w.WriteHeader(http.StatusOK)
	w := csv.NewWriter(v.w)
	_ = w.Write(head) // a reader who has gone is nobody's failure
	return w
}
