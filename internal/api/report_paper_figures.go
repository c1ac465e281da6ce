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
	unit, words := unitOf(years)
	t := pdf.Table{Columns: []pdf.Column{{Title: p.words.sayOf(words, years[0].Currency), Width: 5}}}
	for _, a := range years {
		t.Columns = append(t.Columns, pdf.Column{Title: string(a.End), Width: 2.6, Right: true})
	}
	for _, line := range itemWords {
		row := []string{line.words.in(p.words, "")}
		some := false
		for _, a := range years {
			cell := "–"
			if v, ok := a.Items[line.item]; ok {
				cell, some = grouped(inUnits(v, unit)), true
			}
			row = append(row, cell)
		}
		if some {
			t.Rows = append(t.Rows, row)
		}
	}
	p.Table(t)
}

// Units that figures are printed in, in minor units.
const (
	thousand int64 = 100_000
	million        = 1000 * thousand
)

// unitOf is what to print figures in, and the word for it: in thousands, or in
// millions where those of thousands would not fit their column.
func unitOf(years []company.Accounts) (int64, string) {
	for _, a := range years {
		for _, line := range itemWords {
			if v := a.Items[line.item]; v/thousand >= 1e9 || v/thousand <= -1e9 {
				return million, "inMillions"
			}
		}
	}
	return thousand, "inThousands"
}

// inUnits rounds minor units, half away from nought.
func inUnits(minor, unit int64) int64 {
	whole, rest := minor/unit, minor%unit
	switch {
	case rest >= unit/2:
		return whole + 1
	case rest <= -unit/2:
		return whole - 1
	}
	return whole
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
