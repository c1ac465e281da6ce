package monitor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bureau/internal/company"
)

// The functions here decide, for a change of a field that their rule looks at,
// whether it is told, and in which words. They are pure: the same change and
// parameters give the same answer, today and in a back-test.
//
// A value that is not a number never fires a rule about numbers: a false alarm
// costs the customer more than the silence does.

// always tells every change.
func always(c *company.Change, _ Values) (Told, bool) { return tell(c), true }

// because tells a change for a reason of the rule's own.
func because(c *company.Change, format string, args ...any) (Told, bool) {
	t := tell(c)
	t.Why = short(fmt.Sprintf(format, args...))
	return t, true
}

// bandFalls is rule 101: the band falls by some bands, or below one. Any tells
// it up and down, whatever else is asked.
func bandFalls(c *company.Change, p Values) (t Told, ok bool) {
	was, known := band(c.Old)
	is, still := band(c.New)
	floor, floored := band(p[1])
	switch fell := is - was; {
	case p[1] == "Any":
		t, ok = always(c, p)
	case !known || !still || fell <= 0:
	case p[0] != "" && fell >= int(p[0][0]-'0'):
		t, ok = because(c, "The rating band fell by %d, from %s to %s; the rule asks for %s or more", fell, c.Old, c.New, p[0])
	case floored && is > floor:
		t, ok = because(c, "The rating band fell from %s to %s, which is below %s", c.Old, c.New, p[1])
	}
	if p[2] == "false" {
		t.New = ""
	}
	return t, ok
}

// band counts bands from the best: A is 0.
func band(s string) (int, bool) {
	if len(s) != 1 || s[0] < 'A' || s[0] > 'E' {
		return 0, false
	}
	return int(s[0] - 'A'), true
}

// neverFalls says that rule 101 is asked for nothing.
func neverFalls(p Values) string {
	if p[0] == "" && p[1] == "" {
		return "param0 or param1 must say when it is told"
	}
	return ""
}

// limitFalls is rule 102: the credit limit changes, falls by a share, or below
// an amount.
func limitFalls(c *company.Change, p Values) (Told, bool) {
	if p[0] == "true" {
		return always(c, p)
	}
	d, ok := fell(c.Old, c.New)
	switch {
	case ok && d.byPercent(p[1]):
		return because(c, "The credit limit fell by %.0f %%, from %s to %s; the rule asks for %s %% or more", d.percent(), c.Old, cmp.Or(c.New, "none"), p[1])
	case ok && d.below(p[2]):
		return because(c, "The credit limit fell from %s to %s, which is below %s", c.Old, cmp.Or(c.New, "none"), p[2])
	}
	return Told{}, false
}

// neverLimits says that rule 102 is asked for nothing.
func neverLimits(p Values) string {
	if p[0] != "true" && p[1] == "" && p[2] == "" {
		return "param1 or param2 must say when it is told, or param0 must be true"
	}
	return ""
}

// scoreFalls tells a fall by points, or below a score. That there is none any
// more is no fall.
func scoreFalls(c *company.Change, p Values) (Told, bool) {
	d, ok := fell(c.Old, c.New)
	switch {
	case !ok || c.New == "":
	case d.by(p[0]):
		return because(c, "The score fell by %g points, from %s to %s; the rule asks for %s or more", (d.was.hundredths-d.is.hundredths)/100, c.Old, c.New, p[0])
	case d.below(p[1]):
		return because(c, "The score fell from %s to %s, which is below %s", c.Old, c.New, p[1])
	}
	return Told{}, false
}

// fallsBy tells a fall by a share.
func fallsBy(c *company.Change, p Values) (Told, bool) {
	d, ok := fell(c.Old, c.New)
	if !ok || !d.byPercent(p[0]) {
		return Told{}, false
	}
	return because(c, "%s fell by %.0f %%, from %s to %s; the rule asks for %s %% or more",
		thing(c), d.percent(), c.Old, cmp.Or(c.New, "none"), p[0])
}

// becomesInactive tells that an active company is something else now. That
// nobody says what it is does not count.
func becomesInactive(c *company.Change, p Values) (Told, bool) {
	if c.Old != string(company.Active) || c.New == string(company.Active) || c.New == "" {
		return Told{}, false
	}
	return always(c, p)
}

// insolvent are words of registers for a company that cannot pay, or whose
// affairs are in other hands.
var insolvent = []string{
	"insolven", "liquidation", "administration", "administrative receiver", "receivership", "receiver action",
	"voluntary arrangement", "bankrupt", "konkurs", "tvangs", "rekonstruksjon",
}

// saysInsolvent tells that the register's words for the status have become
// those for an insolvency.
func saysInsolvent(c *company.Change, p Values) (Told, bool) {
	if !speaksOf(c.New, insolvent) || speaksOf(c.Old, insolvent) {
		return Told{}, false
	}
	return always(c, p)
}

func speaksOf(text string, words []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// noticeOf tells notices of some kinds.
func noticeOf(kinds ...string) func(*company.Change, Values) (Told, bool) {
	return func(c *company.Change, p Values) (Told, bool) {
		if !speaksOf(c.Item, kinds) {
			return Told{}, false
		}
		return always(c, p)
	}
}

// itemOf tells changes of some items of a field.
func itemOf(items ...string) func(*company.Change, Values) (Told, bool) {
	return func(c *company.Change, p Values) (Told, bool) {
		if !slices.Contains(items, c.Item) {
			return Told{}, false
		}
		return always(c, p)
	}
}

func compareRules(a, b *Rule) int {
	return cmp.Or(cmp.Compare(b2i(a.Country != Everywhere), b2i(b.Country != Everywhere)),
		cmp.Compare(a.Country, b.Country), cmp.Compare(a.Code, b.Code))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
