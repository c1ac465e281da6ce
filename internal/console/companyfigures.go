package console

import (
	"errors"
	"slices"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// An accountsTable is up to five years of figures, the newest first.
type accountsTable struct {
	Currency string
	Ends     []accountsHead
	Rows     []accountsRow
}

type accountsHead struct {
	End  company.Date
	Kind string
}

type accountsRow struct {
	Name  string
	Cells []string
	Bars  []bar
}

// A bar is one of the small bars beside a row of figures, from the oldest year
// to the newest.
type bar struct {
	X, Y, Height int
	Below        bool // the figure is negative
}

// accountItems are what is shown, in the order in which accounts are read.
var accountItems = []struct{ key, name string }{
	{company.Turnover, "Turnover"},
	{company.GrossProfit, "Gross profit"},
	{company.OperatingProfit, "Operating profit"},
	{company.ProfitBeforeTax, "Profit before tax"},
	{company.ProfitAfterTax, "Profit after tax"},
	{company.FixedAssets, "Fixed assets"},
	{company.CurrentAssets, "Current assets"},
	{company.Cash, "Cash"},
	{company.TotalAssets, "Total assets"},
	{company.CurrentLiabilities, "Due within a year"},
	{company.LongTermLiabilities, "Due later"},
	{company.NetAssets, "Net assets"},
	{company.Equity, "Equity"},
	{company.EmployeesAverage, "Employees"},
}

// accountsOf is nil where there are none. Years in another currency than the
// newest are left out: their figures do not compare.
func accountsOf(list []company.Accounts) *accountsTable {
	if len(list) == 0 {
		return nil
	}
	t := &accountsTable{Currency: list[0].Currency}
	var years []company.Accounts
	for _, a := range list {
		if a.Currency == t.Currency && a.Consolidated == list[0].Consolidated && len(years) < 5 {
			years = append(years, a)
			t.Ends = append(t.Ends, accountsHead{a.End, a.Kind})
		}
	}
	for _, item := range accountItems {
		row := accountsRow{Name: item.name}
		var values []int64
		any := false
		for _, y := range years {
			n, ok := y.Items[item.key]
			if item.key != company.EmployeesAverage {
				n /= 100
			}
			cell := "–"
			if ok {
				cell, any = num(n), true
			}
			row.Cells, values = append(row.Cells, cell), append(values, n)
		}
		if any {
			slices.Reverse(values)
			row.Bars = bars(values)
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// bars draws values on a field that is 24 high, above and below its zero.
func bars(values []int64) []bar {
	const height, width, gap = 24, 10, 2
	most, least := max(0, slices.Max(values)), min(0, slices.Min(values))
	if most == least {
		return nil
	}
	scale := func(n int64) int { return int(float64(n) / float64(most-least) * height) }
	zero := scale(most)
	var out []bar
	for i, n := range values {
		b := bar{X: i * (width + gap), Height: max(1, scale(n)), Y: zero - scale(n)}
		if n < 0 {
			b = bar{X: b.X, Height: max(1, scale(-n)), Y: zero, Below: true}
		}
		out = append(out, b)
	}
	return out
}

// A tree is a group as a picture: a line for each company, its parent above it.
type tree struct {
	Height, Width int
	Nodes         []treeNode
	Cut           bool
}

type treeNode struct {
	X, Y, TextX, TextY int
	Path               string // from its parent
	ID                 company.ID
	Name, Country      string
	Band               string
	Self               bool
}

const (
	treeRow  = 28
	treeStep = 22
	treeTop  = 200 // how many companies a report lists
)

// drawTree is nil where there is no group.
func drawTree(rep company.Report) *tree {
	if len(rep.Tree) < 2 {
		return nil
	}
	t := &tree{Height: len(rep.Tree)*treeRow + 8, Width: 720, Cut: len(rep.Tree) >= treeTop}
	var above []int // the upright place of the last company on each level
	for i, m := range rep.Tree {
		n := treeNode{
			X: 10 + m.Level*treeStep, Y: 16 + i*treeRow, ID: m.ID, Name: clip(m.Name, 70), Country: m.ID.Country(), Self: m.ID == rep.ID,
		}
		n.TextX, n.TextY = n.X+12, n.Y+4
		if m.Score != nil {
			n.Band = m.Score.Band
		}
		above = append(above[:min(m.Level, len(above))], n.Y)
		if m.Level > 0 && m.Level <= len(above) {
			n.Path = "M" + itoa(n.X-treeStep) + " " + itoa(above[m.Level-1]+5) + "V" + itoa(n.Y) + "H" + itoa(n.X-5)
		}
		t.Nodes = append(t.Nodes, n)
	}
	return t
}

// addedWord says what became of an attempt to put a company into a portfolio.
func addedWord(err error) (string, error) {
	if errors.Is(err, fault.Conflict) {
		return "there", nil
	}
	return "added", err
}
