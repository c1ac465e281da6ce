package companieshouse

import (
	"slices"
	"strconv"
	"strings"

	"bureau/internal/company"
)

// A figure is a fact that became one of our items.
type figure struct {
	end, start company.Date
	group      bool // of the company with its subsidiaries
	item       string
	value      int64
	currency   string // empty for a count
	// How good it is: a figure of the whole before one of a part, then by the
	// order of concepts.
	partial, order int
}

// What stands between a figure and the whole company.
const (
	ofWhole    = iota
	ofSame     // in a dimension that takes nothing away
	ofSomePart // of which we do not know how much it is
)

// sameWhole are members that say how a figure is shown, not of what part it is.
var sameWhole = []string{
	"CurrentFinancialInstruments", "Non-currentFinancialInstruments", "WithinOneYear", "Original", "Revised",
}

// ofGroup is the member of figures that are consolidated; those without it are
// the company's own.
const ofGroup = "Consolidated"

// figures turns facts into our items.
func (d *document) figures() []figure {
	var out []figure
	for _, f := range d.facts {
		if fig, ok := d.figure(f); ok {
			out = append(out, fig)
		}
	}
	return out
}

// figure turns a fact into one of our items. What cannot be read is left out:
// a printed "n/a" is no figure.
func (d *document) figure(f fact) (fig figure, ok bool) {
	c := d.contexts[f.context]
	if c == nil || c.end == "" {
		return fig, false
	}
	members := c.members
	if i := slices.Index(members, ofGroup); i >= 0 {
		members = slices.Delete(slices.Clone(members), i, i+1)
		fig.group = true
	}
	fig.order, fig.partial = rowFor(byConcept[f.concept], members)
	if fig.order < 0 || concepts[fig.order].item == "" {
		return fig, false
	}
	fig.end, fig.start, fig.item = c.end, c.start, concepts[fig.order].item
	digits := 0
	if fig.item != company.EmployeesAverage {
		if fig.currency = d.currency(f.unit); fig.currency == "" {
			return fig, false
		}
		digits = minorDigits(fig.currency)
	}
	scale := 0
	if f.scale != "" {
		n, err := strconv.Atoi(f.scale)
		if err != nil || n < -12 || n > 12 {
			return fig, false
		}
		scale = n
	}
	value, ok, err := amount(f.printed, f.format, scale, digits)
	if f.minus && value > 0 {
		value = -value
	}
	fig.value = value
	return fig, ok && err == nil
}

// rowFor finds the row of concepts for a fact with members, or -1.
func rowFor(rows []int, members []string) (row, partial int) {
	bare, byMember := -1, false
	for _, i := range rows {
		m := concepts[i].member
		if m == "" {
			bare = i
			continue
		}
		byMember = true
		if slices.Contains(members, m) {
			if !takesNothing(members, m) {
				return -1, 0 // a part of the part
			}
			return i, min(len(members)-1, ofSame)
		}
	}
	switch {
	case bare < 0:
		return -1, 0
	case len(members) == 0:
		return bare, ofWhole
	case takesNothing(members, ""):
		return bare, ofSame
	case byMember: // one of the parts that we do not ask for
		return -1, 0
	}
	return bare, ofSomePart
}

// takesNothing says that members, but for one, leave a figure whole.
func takesNothing(members []string, but string) bool {
	return !slices.ContainsFunc(members, func(m string) bool { return m != but && !slices.Contains(sameWhole, m) })
}

// currency is the currency of a unit. Some documents never say what their units
// are, and call them by the currency.
func (d *document) currency(unit string) string {
	measure, ok := d.units[unit]
	if !ok {
		measure = unit
	}
	measure = strings.ToUpper(measure)
	if len(measure) != 3 || strings.Trim(measure, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return ""
	}
	return measure
}
