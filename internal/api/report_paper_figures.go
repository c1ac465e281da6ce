package api

import (
	"slices"

	"bureau/internal/company"
	"bureau/internal/pdf"
)

// years are the accounts that are printed: of one currency, of the company
// itself or, if there are only those, of its group; the newest first.
func (p *reportPaper) years() []company.Accounts {
	var out []company.Accounts
	for _, group := range []bool{false, true} {
		for _, a := range p.r.Accounts {
			fits := a.Consolidated == group && len(a.Items) > 0 && (len(out) == 0 || a.Currency == out[0].Currency)
			if fits && len(out) < mostYears {
				out = append(out, a)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

func (p *reportPaper) accounts() {
	years := p.years()
	if len(years) == 0 {
		return
	}
	p.Section(p.words.say("accounts"), 60)
	p.Charts(p.charts(years))
	t := pdf.Table{Columns: []pdf.Column{{Title: p.words.sayOf("inThousands", years[0].Currency), Width: 5}}}
	for _, a := range years {
		t.Columns = append(t.Columns, pdf.Column{Title: string(a.End), Width: 2.6, Right: true})
	}
	for _, line := range itemWords {
		row := []string{line.words.in(p.words, "")}
		some := false
		for _, a := range years {
			cell := "–"
			if v, ok := a.Items[line.item]; ok {
				cell, some = grouped(thousands(v)), true
			}
			row = append(row, cell)
		}
		if some {
			t.Rows = append(t.Rows, row)
		}
	}
	p.Table(t)
}

// thousands rounds minor units to thousands, half away from nought.
func thousands(minor int64) int64 {
	if minor < 0 {
		return -thousands(-minor)
	}
	return (minor + 50_000) / 100_000
}

// charts are the figures that are looked at first, the oldest year first.
func (p *reportPaper) charts(years []company.Accounts) (out []pdf.Chart) {
	for _, item := range []string{company.Turnover, company.ProfitBeforeTax, company.TotalAssets, company.Equity} {
		i := slices.IndexFunc(itemWords, func(l itemWord) bool { return l.item == item })
		c := pdf.Chart{Title: itemWords[i].words.in(p.words, "") + ", " + years[0].Currency}
		some := false
		for _, a := range slices.Backward(years) {
			v, ok := a.Items[item]
			c.Labels = append(c.Labels, string(a.End[:min(7, len(a.End))]))
			c.Values, c.Known = append(c.Values, major(v)), append(c.Known, ok)
			some = some || ok
		}
		if some {
			out = append(out, c)
		}
	}
	return out
}

func (p *reportPaper) changes() {
	p.Section(p.words.say("changes"), 20)
	since := p.today.AddDate(-1, 0, 0)
	t := pdf.Table{Columns: []pdf.Column{
		{Title: p.words.say("date"), Width: 2.6},
		{Title: p.words.say("what"), Width: 4.4},
		{Title: p.words.say("before"), Width: 5.5},
		{Title: p.words.say("after"), Width: 5.5},
	}}
	n := 0
	for _, c := range p.r.History {
		if c.At.Before(since) || c.Field == company.OfficerPast {
			continue
		}
		if n++; n > mostChanges {
			continue
		}
		old, new := c.Old, c.New
		if c.Field == company.AccountsFiled || c.Field == company.AccountsChanged {
			old, new = "", c.Item // the figures stand above
		}
		t.Rows = append(t.Rows, []string{c.At.UTC().Format("2006-01-02"), p.words.changed(c.Field), old, new})
	}
	if n == 0 {
		p.Text(p.words.say("noChanges"))
		return
	}
	p.Table(t)
	p.more(n - mostChanges)
}
