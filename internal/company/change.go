package company

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Change is one thing that became different about a company. Its number only
// grows, and numbers become visible in order.
type Change struct {
	Number  int64
	Company ID
	Field   Field
	Item    string // which one, of a field that holds several: an officer's id, a name's kind
	Old     string
	New     string
	Source  string // who said so
	At      time.Time
}

// A Field names what changed.
type Field string

const (
	Added   Field = "added"   // the company is new to us; New is its name
	Removed Field = "removed" // no source speaks of it any more; Old is its name

	FieldName       Field = "name"
	OtherName       Field = "otherName" // trading, former, in other scripts; Item is the kind
	FieldStatus     Field = "status"
	StatusText      Field = "statusText"
	FieldForm       Field = "form"
	FieldKind       Field = "kind"
	Jurisdiction    Field = "jurisdiction" // whose law it is under
	YearEnd         Field = "yearEnd"      // the last day of its financial year
	Signing         Field = "signing"      // who may sign for it
	Founded         Field = "founded"
	Dissolved       Field = "dissolved"
	FieldActivity   Field = "activity"
	FieldAddress    Field = "address" // Item is the kind
	Phone           Field = "phone"
	Email           Field = "email"
	Website         Field = "website"
	FieldEmployees  Field = "employees"
	Capital         Field = "capital"
	OfficerIn       Field = "officerAppointed"
	OfficerOut      Field = "officerResigned"
	OfficerChanged  Field = "officerChanged"
	OfficerPast     Field = "officerPast" // one who had left before we heard of them
	OwnerIn         Field = "ownerAdded"
	OwnerOut        Field = "ownerCeased"
	OwnerChanged    Field = "ownerChanged"
	Group           Field = "group" // Item is the kind of link
	AccountsFiled   Field = "accountsFiled"
	AccountsChanged Field = "accountsChanged" // Item is the year's end
	AccountsDue     Field = "accountsDue"
	AccountsOverdue Field = "accountsOverdue" // Item is the day they were due
	ReturnDue       Field = "returnDue"
	NewFiling       Field = "filing"
	NewNotice       Field = "notice" // Item is its kind
	ChargesChanged  Field = "charges"
	ScoreValue      Field = "score"
	ScoreBand       Field = "band"
	ScoreLimit      Field = "limit"
	LEI             Field = "lei"
	LEIStatus       Field = "leiStatus"
	VAT             Field = "vat"
	RegNo           Field = "number"
	FieldWithheld   Field = "withheld"
	FieldHidden     Field = "hidden" // something may no longer be shown, or may again; Item is the field
	Listed          Field = "listed" // on a sanctions list; Item is which
)

// Compare finds what is different between a company as it was and as it is.
// What only looks different (case, spaces, the order of a list) is not.
func Compare(was, is Company) []Change {
	d := &differ{id: is.ID}
	hid := turned(&was.Facts, &is.Facts)
	for _, name := range hid {
		d.say(FieldHidden, name, "", "")
	}
	if was.Withheld != is.Withheld {
		hid = append(hid, whoIsBehind...)
	}
	if len(hid) > 0 {
		was.Facts, is.Facts = was.without(hid), is.without(hid)
	}
	d.text(FieldName, "", was.Name, is.Name)
	d.list(OtherName, nameItems(was.Names), nameItems(is.Names))
	d.text(RegNo, "", was.RegNo, is.RegNo)
	d.text(LEI, "", was.LEI, is.LEI)
	d.text(LEIStatus, "", was.LEIStatus, is.LEIStatus)
	d.list(VAT, plainItems(was.VAT), plainItems(is.VAT))
	d.text(FieldStatus, "", string(was.Status), string(is.Status))
	d.text(StatusText, "", was.StatusText, is.StatusText)
	d.text(Founded, "", string(was.Founded), string(is.Founded))
	d.text(Dissolved, "", string(was.Dissolved), string(is.Dissolved))
	d.text(FieldForm, "", was.Form.words(), is.Form.words())
	d.text(FieldKind, "", string(was.Kind), string(is.Kind))
	d.text(Jurisdiction, "", was.Jurisdiction, is.Jurisdiction)
	d.text(YearEnd, "", was.YearEnd, is.YearEnd)
	d.text(Signing, "", was.Signing, is.Signing)
	d.text(FieldActivity, "", activityWords(was.Activities), activityWords(is.Activities))
	d.addresses(was.Addresses, is.Addresses)
	d.list(Phone, plainItems(was.Phones), plainItems(is.Phones))
	d.list(Email, plainItems(was.Emails), plainItems(is.Emails))
	d.list(Website, plainItems(was.Websites), plainItems(is.Websites))
	d.text(FieldEmployees, "", employeeWords(was.Employees), employeeWords(is.Employees))
	d.text(Capital, "", was.Capital.words(), is.Capital.words())
	d.people(OfficerIn, OfficerOut, OfficerChanged, OfficerPast, officerItems(was.Officers), officerItems(is.Officers))
	d.people(OwnerIn, OwnerOut, OwnerChanged, "", ownerItems(was.Owners), ownerItems(is.Owners))
	d.links(was.Links, is.Links)
	d.accounts(was.Accounts, is.Accounts)
	d.text(AccountsDue, "", string(was.Due.AccountsNext), string(is.Due.AccountsNext))
	d.text(ReturnDue, "", string(was.Due.ReturnNext), string(is.Due.ReturnNext))
	d.added(NewFiling, filingItems(was.Filings), filingItems(is.Filings))
	d.added(NewNotice, noticeItems(was.Notices), noticeItems(is.Notices))
	d.text(ChargesChanged, "", was.Charges.words(), is.Charges.words())
	d.score(was.Score, is.Score)
	d.text(FieldWithheld, "", yes(was.Withheld), yes(is.Withheld))
	return d.out
}

type differ struct {
	id  ID
	out []Change
}

func (d *differ) say(f Field, item, old, new string) {
	d.out = append(d.out, Change{Company: d.id, Field: f, Item: item, Old: old, New: new})
}

func (d *differ) text(f Field, item, old, new string) {
	if fold(old) != fold(new) {
		d.say(f, item, old, new)
	}
}

// An item is one entry of a list: what it is known by, and what it says.
type item struct{ key, kind, text string }

// list says what came and what went.
func (d *differ) list(f Field, was, is []item) {
	known := keys(is)
	for _, w := range was {
		if !known[w.key] {
			d.say(f, w.kind, w.text, "")
		}
	}
	d.added(f, was, is)
}

// added says only what came: a filing does not go away.
func (d *differ) added(f Field, was, is []item) {
	known := keys(was)
	for _, i := range is {
		if !known[i.key] {
			d.say(f, i.kind, "", i.text)
		}
	}
}

func keys(list []item) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, i := range list {
		out[i.key] = true
	}
	return out
}

// A term is an officer or owner: who, what they are, and until when.
type term struct {
	key   string // the same person in the same place
	id    string
	text  string // as it is told
	ended bool
	until Date
	rest  string // what else may change
}

// people says who came, who went, and about whom something else changed. One
// who was never here and has left already is only history: past, if anything.
func (d *differ) people(in, out, changed, past Field, was, is []term) {
	was, is = latest(was), latest(is)
	before, after := byKey(was), byKey(is)
	for _, w := range was {
		n, ok := after[w.key]
		switch {
		case !w.ended && (!ok || n.ended):
			d.say(out, w.id, w.text, string(n.until))
		case !w.ended && ok && fold(w.rest) != fold(n.rest):
			d.say(changed, w.id, w.rest, n.rest)
		case w.ended && ok && !n.ended:
			d.say(in, n.id, "", n.text)
		}
	}
	for _, n := range is {
		switch _, ok := before[n.key]; {
		case ok:
		case !n.ended:
			d.say(in, n.id, "", n.text)
		case past != "":
			d.say(past, n.id, "", n.text)
		}
	}
}

func byKey(list []term) map[string]term {
	out := make(map[string]term, len(list))
	for _, t := range list {
		out[t.key] = t
	}
	return out
}

// latest keeps one term of each person in each place: the present one, where
// somebody left and came back.
func latest(list []term) []term {
	at := make(map[string]int, len(list))
	out := list[:0]
	for _, t := range list {
		i, ok := at[t.key]
		switch {
		case !ok:
			at[t.key] = len(out)
			out = append(out, t)
		case out[i].ended && (!t.ended || t.until > out[i].until):
			out[i] = t
		}
	}
	return out
}

func (d *differ) addresses(was, is []Address) {
	single := []AddressKind{Registered, HeadOffice, Postal}
	for _, kind := range single {
		old, _ := Facts{Addresses: was}.Address(kind)
		new, _ := Facts{Addresses: is}.Address(kind)
		d.text(FieldAddress, string(kind), old.Line(), new.Line())
	}
	many := func(list []Address) []item {
		var out []item
		for _, a := range list {
			if !slices.Contains(single, a.Kind) && a.Kind != FormerAddress {
				out = append(out, item{fold(string(a.Kind) + a.Line()), string(a.Kind), a.Line()})
			}
		}
		return out
	}
	d.list(FieldAddress, many(was), many(is))
}

func (d *differ) links(was, is []Link) {
	current := func(list []Link, kind LinkKind) string {
		var out []string
		for _, l := range list {
			if l.Kind == kind && l.Until == "" {
				out = append(out, l.words())
			}
		}
		slices.Sort(out)
		return strings.Join(out, "; ")
	}
	for _, kind := range []LinkKind{Parent, UltimateParent, HeadOf, Manager, Umbrella, Master, Successor} {
		d.text(Group, string(kind), current(was, kind), current(is, kind))
	}
}

func (d *differ) accounts(was, is []Accounts) {
	for _, n := range is {
		i := slices.IndexFunc(was, func(w Accounts) bool { return w.End == n.End && w.Consolidated == n.Consolidated })
		switch {
		case i < 0:
			d.say(AccountsFiled, string(n.End), "", n.words())
		case was[i].words() != n.words():
			d.say(AccountsChanged, string(n.End), was[i].words(), n.words())
		}
	}
}

func (d *differ) score(was, is *Score) {
	var w, n Score
	if was != nil {
		w = *was
	}
	if is != nil {
		n = *is
	}
	value := func(s *Score) string {
		if s == nil {
			return ""
		}
		return strconv.Itoa(s.Value)
	}
	d.text(ScoreValue, "", value(was), value(is))
	d.text(ScoreBand, "", w.Band, n.Band)
	d.text(ScoreLimit, "", w.Limit.words(), n.Limit.words())
}

func (f Form) words() string { return strings.TrimSpace(f.Code + " " + f.Text) }

func (m Money) words() string {
	if m == (Money{}) {
		return ""
	}
	sign, n := "", uint64(m.Minor)
	if m.Minor < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%02d %s", sign, n/100, n%100, m.Currency)
}

func (c *Charges) words() string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%d outstanding of %d", c.Outstanding, c.Total)
}

func (l Link) words() string {
	for _, s := range []string{l.LEI, string(l.ID), l.Name, l.Reason} {
		if s != "" {
			return s
		}
	}
	return ""
}

// words lists the figures in the order of their names.
func (a Accounts) words() string {
	keys := make([]string, 0, len(a.Items))
	for k := range a.Items {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var b strings.Builder
	b.WriteString(a.Currency)
	for _, k := range keys {
		fmt.Fprintf(&b, " %s=%d", k, a.Items[k])
	}
	return b.String()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}
