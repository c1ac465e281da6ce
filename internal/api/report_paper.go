package api

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/pdf"
)

// A reportPaper is a report that people send on. The answer comes first: who it
// is, how sound, how much; then why, then the rest.
type reportPaper struct {
	*pdf.Paper
	words vocabulary
	w     reportWriter
	r     company.Report
	today time.Time
}

// Longest lists. Whoever wants all of it reads the JSON.
const (
	mostPeople  = 60
	mostMembers = 60
	mostChanges = 80
	mostNotices = 20
	mostYears   = 5
)

func (p *reportPaper) write() {
	r := p.r
	below := []string{p.words.say("report"), r.ID.Country(), cmp.Or(r.RegNo, r.ID.Number()), p.statusWords()}
	p.Title(cmp.Or(r.Name, r.LEI, string(r.ID)), strings.Join(slices.DeleteFunc(below, func(s string) bool { return s == "" }), " · "))
	p.rating()
	p.identity()
	p.notices()
	p.officers()
	p.owners()
	p.group()
	p.accounts()
	p.changes()
	p.why()
}

func (p *reportPaper) statusWords() string {
	if s := p.w.status(p.r.Facts); s != nil {
		return s.Description
	}
	return ""
}

func (p *reportPaper) rating() {
	s := p.r.Score
	if s == nil {
		p.Text(p.words.say("noRating"))
		p.Gap(2)
		return
	}
	limit := p.words.say("noLimit")
	if s.Limit.Currency != "" {
		limit = grouped(s.Limit.Minor/100) + " " + s.Limit.Currency
	}
	by := p.r.From["score"]
	if by == company.Scorecard {
		by = p.words.say("own")
	}
	p.Rating(pdf.Rating{
		Score: s.Value, Band: s.Band, Words: p.words.bands[s.Band], Label: p.words.say("score"),
		Facts: []pdf.Fact{
			{Label: p.words.say("limit"), Value: limit},
			{Label: p.words.say("since"), Value: string(s.At)},
			{Label: p.words.say("by"), Value: by},
		},
	})
}

func (p *reportPaper) identity() {
	r := p.r
	p.Section(p.words.say("identity"), 20)
	facts := []pdf.Fact{
		{Label: p.words.say("number"), Value: r.RegNo, Mono: true},
		{Label: p.words.say("id"), Value: string(r.ID), Mono: true},
		{Label: p.words.say("lei"), Value: r.LEI, Mono: true},
		{Label: p.words.say("vat"), Value: strings.Join(r.VAT, ", "), Mono: true},
		{Label: p.words.say("status"), Value: p.statusWords(), Bad: r.Status == company.Pending || r.Status == company.NonActive},
		{Label: p.words.say("form"), Value: cmp.Or(r.Form.Text, r.Form.Code)},
		{Label: p.words.say("founded"), Value: string(r.Founded)},
		{Label: p.words.say("dissolved"), Value: string(r.Dissolved), Bad: true},
		{Label: p.words.say("activity"), Value: activityOf(r.Facts)},
	}
	if a, ok := mainAddress(r.Facts); ok {
		facts = append(facts, pdf.Fact{Label: p.words.say("address"), Value: a.Line()})
	}
	facts = append(facts,
		pdf.Fact{Label: p.words.say("phone"), Value: strings.Join(r.Phones, ", ")},
		pdf.Fact{Label: p.words.say("email"), Value: strings.Join(r.Emails, ", ")},
		pdf.Fact{Label: p.words.say("website"), Value: strings.Join(r.Websites, ", ")},
		pdf.Fact{Label: p.words.say("employees"), Value: employeesOf(r.Facts)},
		pdf.Fact{Label: p.words.say("otherNames"), Value: namesOf(r.Facts)},
		pdf.Fact{Label: p.words.say("accountsDue"), Value: string(r.Due.AccountsNext), Bad: r.Due.AccountsNext != "" && string(r.Due.AccountsNext) < p.today.Format("2006-01-02")},
	)
	if r.Capital != (company.Money{}) {
		facts = append(facts, pdf.Fact{Label: p.words.say("capital"), Value: grouped(r.Capital.Minor/100) + " " + r.Capital.Currency})
	}
	if c := r.Charges; c != nil && c.Total > 0 {
		facts = append(facts, pdf.Fact{Label: p.words.say("charges"), Value: p.words.sayOf("chargesOf", strconv.Itoa(c.Outstanding))})
	}
	p.Facts(facts)
	if r.Withheld {
		p.Note(p.words.say("withheld"))
	}
}

func activityOf(f company.Facts) string {
	if len(f.Activities) == 0 {
		return ""
	}
	return strings.TrimSpace(f.Activities[0].Code + " " + f.Activities[0].Text)
}

func employeesOf(f company.Facts) string {
	switch {
	case len(f.Employees) == 0:
		return ""
	case f.Employees[0].Range != "":
		return f.Employees[0].Range
	}
	return grouped(f.Employees[0].Count)
}

func namesOf(f company.Facts) string {
	var out []string
	for _, n := range f.Names {
		out = append(out, n.Text)
	}
	return strings.Join(out, "; ")
}

func (p *reportPaper) notices() {
	if len(p.r.Notices) == 0 {
		return
	}
	p.Section(p.words.say("notices"), 20)
	t := pdf.Table{Columns: []pdf.Column{{Title: p.words.say("date"), Width: 3}, {Title: p.words.say("what"), Width: 15}}}
	for _, n := range p.r.Notices[:min(len(p.r.Notices), mostNotices)] {
		t.Rows = append(t.Rows, []string{string(n.Date), cmp.Or(n.Text, n.Kind)})
	}
	p.Table(t)
	p.more(len(p.r.Notices) - mostNotices)
}

// more says how many a list leaves out.
func (p *reportPaper) more(n int) {
	if n > 0 {
		p.Note(p.words.sayOf("more", strconv.Itoa(n)))
	}
}

func (p *reportPaper) officers() {
	for _, past := range []bool{false, true} {
		title, end := "officers", "from"
		if past {
			title, end = "pastOfficers", "until"
		}
		t := pdf.Table{Columns: []pdf.Column{
			{Title: p.words.say("name"), Width: 8},
			{Title: p.words.say("role"), Width: 5},
			{Title: p.words.say("born"), Width: 2.2},
			{Title: p.words.say(end), Width: 2.8},
		}}
		n := 0
		for _, o := range p.r.Officers {
			if (o.Until != "") != past {
				continue
			}
			if n++; n > mostPeople {
				continue
			}
			who := p.w.person(o.Person)
			day := o.From
			if past {
				day = o.Until
			}
			t.Rows = append(t.Rows, []string{who.Name, p.w.role(o), birthMonth(o.Person), string(day)})
		}
		if n == 0 {
			continue
		}
		p.Section(p.words.say(title), 20)
		p.Table(t)
		p.more(n - mostPeople)
	}
}

// birthMonth is as much of a birthday as may be shown.
func birthMonth(p company.Person) string {
	if p.Protected {
		return ""
	}
	return string(p.Birth[:min(len(p.Birth), len("2006-01"))])
}

func (p *reportPaper) owners() {
	t := pdf.Table{Columns: []pdf.Column{
		{Title: p.words.say("name"), Width: 7},
		{Title: p.words.say("how"), Width: 6},
		{Title: p.words.say("share"), Width: 2.6, Right: true},
		{Title: p.words.say("from"), Width: 2.6},
	}}
	n := 0
	for _, o := range p.r.Owners {
		if o.Until != "" {
			continue
		}
		if n++; n > mostPeople {
			continue
		}
		share := ""
		switch {
		case o.ShareMax > 0 && o.ShareMax != o.ShareMin:
			share = fmt.Sprintf("%g–%g", o.ShareMin, o.ShareMax)
		case o.ShareMax > 0:
			share = fmt.Sprintf("%g", o.ShareMax)
		}
		t.Rows = append(t.Rows, []string{p.w.person(o.Person).Name, p.natures(o), share, string(o.From)})
	}
	if n == 0 {
		return
	}
	p.Section(p.words.say("owners"), 20)
	p.Table(t)
	p.more(n - mostPeople)
}

// natures are the ways in which somebody controls the company, as the publisher
// says them, but for the commonest.
func (p *reportPaper) natures(o company.Owner) string {
	var out []string
	for _, n := range o.Natures {
		if n == "owns shares" {
			n = p.words.say("ownsShares")
		}
		out = append(out, n)
	}
	return strings.Join(out, ", ")
}

func (p *reportPaper) group() {
	tree := p.r.Tree
	if len(tree) < 2 {
		return
	}
	p.Section(p.words.say("group"), 20)
	t := pdf.Table{Strong: map[int]bool{}, Columns: []pdf.Column{
		{Title: p.words.say("company"), Width: 9},
		{Title: p.words.say("id"), Width: 5, Mono: true},
		{Title: p.words.say("status"), Width: 3},
		{Title: p.words.say("band"), Width: 1.6},
	}}
	for i, m := range tree[:min(len(tree), mostMembers)] {
		band := ""
		if m.Score != nil {
			band = m.Score.Band
		}
		t.Rows = append(t.Rows, []string{m.Name, string(m.ID), p.words.statuses[m.Status], band})
		t.Indent = append(t.Indent, m.Level)
		t.Strong[i] = m.ID == p.r.ID
	}
	p.Table(t)
	p.more(len(tree) - mostMembers)
}

func (p *reportPaper) why() {
	s := p.r.Score
	if s == nil || len(s.Points)+len(s.Reasons) == 0 {
		return
	}
	p.Section(p.words.say("why"), 24)
	if len(s.Points) == 0 {
		for _, reason := range s.Reasons {
			p.Text("· " + reason)
		}
		return
	}
	t := pdf.Table{Strong: map[int]bool{}, Columns: []pdf.Column{
		{Title: p.words.say("line"), Width: 15}, {Title: p.words.say("points"), Width: 3, Right: true},
	}}
	for _, point := range s.Points {
		t.Rows = append(t.Rows, []string{p.words.reason(point), signed(point.Points)})
	}
	t.Strong[len(t.Rows)] = true
	t.Rows = append(t.Rows, []string{p.words.say("score"), strconv.Itoa(s.Value)})
	p.Table(t)
	p.Note(p.words.say("guide"))
}

// signed writes points with their sign.
func signed(n int) string {
	if n < 0 {
		return grouped(int64(n))
	}
	return "+" + grouped(int64(n))
}

// grouped writes a whole number with thin gaps between its thousands.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "−", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "\u00a0" + digits[i:]
	}
	return sign + digits
}
