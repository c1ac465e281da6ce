package console

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/monitor"
)

// companyData is all that is shown of a company.
type companyData struct {
	company.Report
	Was        *company.Score // the rating before the last change
	WasUntil   company.Date
	Chart      *chart
	Happened   []happening
	MoreChange bool
	Officers   people[company.Officer]
	Owners     people[company.Owner]
	Years      *accountsTable
	Documents  []company.Document
	MayOpen    bool // the documents
	MayScreen  bool
	Tree       *tree
	Facts      []sourced
	Address    string
	Portfolios []portfolioChoice
}

// people are those of today and those of the past.
type people[T any] struct{ Now, Past []T }

// A happening is a change of a company, with what portfolios were told of it.
type happening struct {
	company.Change
	Told []monitor.Event
}

// A sourced is a field and who says so.
type sourced struct{ Field, Source string }

// A portfolioChoice is a portfolio that a company may be put into.
type portfolioChoice struct {
	ID   monitor.PortfolioID
	Name string
	In   bool
}

const maxHappenings = 60

// company shows a report. Like a call of the API it is counted, and who looked
// at whom is in the audit log.
func (s *Server) company(v *visit) error {
	rep, err := s.Companies.Report(v.ctx(), v.r.PathValue("id"), company.ReportParts{Group: true, History: true})
	if err != nil {
		return err
	}
	country := rep.ID.Country()
	if err := s.needs(v, auth.Companies, country); err != nil {
		return err
	}
	if err := s.Finder.Hide(v.ctx(), &rep); err != nil {
		return err
	}
	d := companyData{Report: rep, Years: accountsOf(rep.Accounts), Tree: drawTree(rep), Chart: scoreChart(rep, s.Now().UTC())}
	if was, until, ok := rep.PastRating(); ok {
		d.Was, d.WasUntil = &was, until
	}
	for _, o := range rep.Officers {
		d.Officers.put(o, o.Until != "")
	}
	for _, o := range rep.Owners {
		d.Owners.put(o, o.Until != "")
	}
	for _, kind := range []company.AddressKind{company.Registered, company.HeadOffice, company.Postal} {
		if a, ok := rep.Address(kind); ok && d.Address == "" {
			d.Address = a.Line()
		}
	}
	for field, source := range rep.From {
		d.Facts = append(d.Facts, sourced{field, source})
	}
	slices.SortFunc(d.Facts, func(a, b sourced) int { return cmp.Compare(a.Field, b.Field) })
	if d.Documents, _, err = s.Documents.Documents(v.ctx(), company.DocumentQuery{Company: rep.ID, Limit: 20}); err != nil {
		return err
	}
	d.MayOpen = v.customer.MayUse(auth.Images, country, auth.DateOf(s.Now()))
	d.MayScreen = s.has(v, auth.KYC)
	if err := s.watched(v, &d); err != nil {
		return err
	}
	if err := s.Gate.CountRead(v.ctx(), v.by, auth.Companies, country, "company="+string(rep.ID)); err != nil {
		return err
	}
	return s.show(v, page{name: "company", title: clip(rep.Name, 100), here: "Companies", charts: d.Chart != nil, data: d})
}

func (p *people[T]) put(who T, past bool) {
	if past {
		p.Past = append(p.Past, who)
	} else {
		p.Now = append(p.Now, who)
	}
}

// watched adds what the visitor's portfolios were told, and where the company
// may be put.
func (s *Server) watched(v *visit, d *companyData) error {
	told := map[int64][]monitor.Event{}
	if s.has(v, auth.Monitoring) {
		found, err := s.Events.Events(v.ctx(), v.by, monitor.EventQuery{Company: d.ID, Sort: monitor.ByDate, Down: true, Limit: 200})
		if err != nil {
			return err
		}
		for _, e := range found.List {
			told[e.Change] = append(told[e.Change], e)
		}
		list, _, err := s.Portfolios.List(v.ctx(), v.by, monitor.PortfolioQuery{Limit: maxPortfolios})
		if err != nil {
			return err
		}
		for _, p := range list {
			if p.Rights&monitor.Add == 0 {
				continue
			}
			_, err := s.Portfolios.Store.Member(v.ctx(), v.by, p.ID, d.ID)
			d.Portfolios = append(d.Portfolios, portfolioChoice{p.ID, p.Name, err == nil})
		}
	}
	for _, c := range d.History {
		if len(d.Happened) == maxHappenings {
			d.MoreChange = true
			break
		}
		d.Happened = append(d.Happened, happening{c, told[c.Number]})
	}
	return nil
}

// scoreChart is the score over two years, as far as the log knows it; nil where
// it never changed.
func scoreChart(rep company.Report, now time.Time) *chart {
	if rep.Score == nil {
		return nil
	}
	c := &chart{Kind: "line", Unit: "points", Label: "Score"}
	last := now
	from := now.AddDate(-2, 0, 0)
	n := 0
	for _, ch := range slices.Backward(rep.History) {
		value, err := strconv.ParseInt(ch.New, 10, 64)
		if ch.Field != company.ScoreValue || err != nil || ch.At.Before(from) {
			continue
		}
		c.add(ch.At, value)
		if n++; ch.At.After(last) {
			last = ch.At
		}
	}
	if n == 0 {
		return nil
	}
	if last.Equal(now) {
		c.add(now, int64(rep.Score.Value))
	}
	c.Words = "The score over two years. It is " + strconv.Itoa(rep.Score.Value) + " now."
	return c
}

// place is where a company is, in a few words.
func place(f company.Facts) string {
	for _, kind := range []company.AddressKind{company.Registered, company.HeadOffice, company.Postal} {
		if a, ok := f.Address(kind); ok {
			return clip(strings.Join(slices.DeleteFunc([]string{a.City, a.Post}, func(s string) bool { return s == "" }), " "), 80)
		}
	}
	return ""
}

// addToPortfolio puts a company into a portfolio.
func (s *Server) addToPortfolio(v *visit) error {
	id, err := v.number("portfolio")
	if err != nil {
		return err
	}
	err = s.Portfolios.Add(v.ctx(), v.by, monitor.PortfolioID(id), v.text("company"), monitor.Member{Reference: v.text("reference")})
	said, err := addedWord(err)
	if err != nil {
		return err
	}
	to := Path + "/portfolios/" + strconv.FormatInt(id, 10)
	if v.text("back") == "company" {
		to = Path + "/companies/" + v.text("company")
	}
	return v.redirect(to, said)
}
