package lines

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bureau/internal/company"
)

// A checker remembers the first thing that is wrong with a line.
type checker struct{ err error }

func (c *checker) fail(field, format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%s: %s", field, fmt.Sprintf(format, args...))
	}
}

func (c *checker) dates(field string, dates ...company.Date) {
	for _, d := range dates {
		if d != "" && !isDate(string(d)) {
			c.fail(field, "%q is no date: it looks like 2006-01-02, 2006-01 or 2006", d)
		}
	}
}

func isDate(s string) bool {
	layouts := map[int]string{10: "2006-01-02", 7: "2006-01", 4: "2006"}
	_, err := time.Parse(layouts[len(s)], s)
	return err == nil && layouts[len(s)] != ""
}

func (c *checker) country(field, s string) {
	if s != "" && (len(s) != 2 || strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
		c.fail(field, "%q is no country: it is two capital letters, as in GB", s)
	}
}

func (c *checker) currency(field, s string) {
	if len(s) != 3 || strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		c.fail(field, "%q is no currency: it is three capital letters, as in EUR", s)
	}
}

func (c *checker) money(field string, m money) {
	if m != (money{}) {
		c.currency(field, m.Currency)
	}
}

func (c *checker) filled(field, s string) {
	if strings.TrimSpace(s) == "" {
		c.fail(field, "it is missing")
	}
}

// oneOf checks a word against the list that it must come from.
func oneOf[T ~string](c *checker, field string, got T, words ...T) {
	if !slices.Contains(words, got) {
		list := make([]string, len(words))
		for i, w := range words {
			list[i] = string(w)
		}
		c.fail(field, "%q is none of %s", got, strings.Join(list, ", "))
	}
}

var (
	nameKinds = []company.NameKind{
		company.Former, company.Trading, company.Alternative, company.ASCII, company.Short,
	}
	addressKinds = []company.AddressKind{
		company.Registered, company.HeadOffice, company.Postal, company.Branch, company.TradingPlace, company.FormerAddress,
	}
	linkKinds = []company.LinkKind{
		company.Parent, company.UltimateParent, company.HeadOf, company.Manager,
		company.Umbrella, company.Master, company.Successor,
	}
)

// check says what is wrong with what a line says.
func (l *line) check() error {
	c := &checker{}
	if l.Status != "" {
		oneOf(c, "status", l.Status, company.Active, company.NonActive, company.Pending, company.Other)
	}
	if l.Kind != "" {
		oneOf(c, "kind", l.Kind, company.Ltd, company.NonLtd)
	}
	if l.LEI != "" && !isLEI(l.LEI) {
		c.fail("lei", "%q is no LEI, or its check digits are wrong", l.LEI)
	}
	if _, err := time.Parse("2006-01-02", "2004-"+l.YearEnd); l.YearEnd != "" && err != nil {
		c.fail("yearEnd", "%q is no day of the year: it looks like 12-31", l.YearEnd)
	}
	c.dates("leiRenewal", l.LEIRenewal)
	c.dates("statusSince", l.StatusSince)
	c.dates("founded", l.Founded)
	c.dates("dissolved", l.Dissolved)
	c.money("capital", l.Capital)
	for i, n := range l.OtherNames {
		at := fmt.Sprintf("otherNames[%d]", i)
		c.filled(at+".text", n.Text)
		oneOf(c, at+".kind", n.Kind, nameKinds...)
		c.dates(at, n.From, n.Until)
	}
	for i, o := range l.OtherIDs {
		c.filled(fmt.Sprintf("otherIds[%d].scheme", i), o.Scheme)
		c.filled(fmt.Sprintf("otherIds[%d].id", i), o.ID)
	}
	for i, a := range l.Addresses {
		a.check(c, fmt.Sprintf("addresses[%d]", i))
	}
	l.checkPeople(c)
	l.checkMatters(c)
	return c.err
}

func (a *address) check(c *checker, at string) {
	oneOf(c, at+".kind", a.Kind, addressKinds...)
	a.checkRest(c, at)
}

func (a *address) checkRest(c *checker, at string) {
	c.country(at+".country", a.Country)
	c.dates(at+".until", a.Until)
}

func (l *line) checkPeople(c *checker) {
	for i, o := range l.Officers {
		at := fmt.Sprintf("officers[%d]", i)
		o.person.check(c, at)
		c.filled(at+".role", o.Role)
		c.dates(at, o.From, o.Until)
	}
	for i, o := range l.Owners {
		at := fmt.Sprintf("owners[%d]", i)
		o.person.check(c, at)
		c.dates(at, o.From, o.Until)
		if o.ShareMin < 0 || o.ShareMax > 100 || o.ShareMax != 0 && o.ShareMin > o.ShareMax {
			c.fail(at, "shareMin and shareMax are percent: from 0 to 100, the smaller first")
		}
	}
}

func (p *person) check(c *checker, at string) {
	if !p.Protected {
		c.filled(at+".name", p.Name)
	}
	c.dates(at+".birth", p.Birth)
	c.country(at+".country", p.Country)
	if p.Gender != "" {
		oneOf(c, at+".gender", p.Gender, "Male", "Female")
	}
	if p.Address != nil {
		if p.Address.Kind != "" { // a person has but one
			oneOf(c, at+".address.kind", p.Address.Kind, addressKinds...)
		}
		p.Address.checkRest(c, at+".address")
	}
}

func (l *line) checkMatters(c *checker) {
	for i, g := range l.Group {
		at := fmt.Sprintf("group[%d]", i)
		oneOf(c, at+".kind", g.Kind, linkKinds...)
		c.country(at+".country", g.Country)
		c.dates(at, g.From, g.Until)
		if _, err := company.ParseID(string(g.ID)); g.ID != "" && err != nil {
			c.fail(at+".id", "%v", err)
		}
	}
	for i, a := range l.Accounts {
		at := fmt.Sprintf("accounts[%d]", i)
		c.filled(at+".end", string(a.End))
		c.dates(at, a.End, a.Start)
		c.currency(at+".currency", a.Currency)
		for item := range a.Items {
			if !slices.Contains(items, item) {
				c.fail(at+".items", "there is no item %q", item)
			}
		}
	}
	c.dates("due", l.Due.AccountsLast, l.Due.AccountsNext, l.Due.ReturnLast, l.Due.ReturnNext)
	for i, f := range l.Filings {
		at := fmt.Sprintf("filings[%d]", i)
		c.filled(at+".type", f.Type)
		c.dates(at+".date", f.Date)
	}
	for i, n := range l.Notices {
		at := fmt.Sprintf("notices[%d]", i)
		c.filled(at+".kind", n.Kind)
		c.dates(at+".date", n.Date)
	}
	if s := l.Score; s != nil {
		if s.Value < 0 || s.Value > 100 {
			c.fail("score.value", "%d is not from 0 to 100", s.Value)
		}
		if s.Band != "" {
			oneOf(c, "score.band", s.Band, "A", "B", "C", "D", "E")
		}
		c.dates("score.at", s.At)
		c.dates("score.next", s.Next)
		for i, p := range s.Points {
			c.filled(fmt.Sprintf("score.points[%d].rule", i), p.Rule)
		}
		c.money("score.limit", s.Limit)
	}
}
