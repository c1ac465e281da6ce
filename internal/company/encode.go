package company

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// Every record of every file is written in the form in which it is stored, if
// only to see that it says nothing new. So it is written by hand, byte for byte as
// encoding/json would; a test holds it to that.

func (f *Facts) append(b []byte) []byte {
	o := object{append(b, '{')}
	o.text("n", f.Name)
	list(&o, "nn", f.Names, func(o *object, n *Name) {
		o.must("t", n.Text)
		o.must("k", string(n.Kind))
		o.text("l", n.Lang)
		o.text("f", string(n.From))
		o.text("u", string(n.Until))
	})
	o.text("r", f.RegNo)
	o.text("ra", f.Register)
	o.text("l", f.LEI)
	o.texts("v", f.VAT)
	o.text("sn", f.SafeNo)
	list(&o, "oi", f.OtherIDs, func(o *object, i *OtherID) {
		o.must("s", i.Scheme)
		o.must("i", i.ID)
	})
	o.text("s", string(f.Status))
	o.text("st", f.StatusText)
	o.text("ss", string(f.StatusSince))
	o.text("fd", string(f.Founded))
	o.text("dd", string(f.Dissolved))
	if f.Form != (Form{}) {
		o.object("f", func(o *object) {
			o.text("c", f.Form.Code)
			o.text("t", f.Form.Text)
		})
	}
	o.text("k", string(f.Kind))
	o.text("ju", f.Jurisdiction)
	o.text("ye", f.YearEnd)
	o.text("sg", f.Signing)
	list(&o, "a", f.Activities, func(o *object, a *Activity) {
		o.text("s", a.Scheme)
		o.text("c", a.Code)
		o.text("t", a.Text)
	})
	list(&o, "ad", f.Addresses, (*object).address)
	o.texts("ph", f.Phones)
	o.texts("em", f.Emails)
	o.texts("w", f.Websites)
	list(&o, "e", f.Employees, func(o *object, e *Employees) {
		o.number("y", int64(e.Year))
		o.number("n", e.Count)
		o.text("r", e.Range)
	})
	if f.Capital != (Money{}) {
		o.money("c", f.Capital)
	}
	list(&o, "o", f.Officers, (*object).officer)
	list(&o, "ow", f.Owners, (*object).owner)
	list(&o, "g", f.Links, func(o *object, l *Link) {
		o.must("k", string(l.Kind))
		o.text("l", l.LEI)
		o.text("i", string(l.ID))
		o.text("n", l.Name)
		o.text("c", l.Country)
		o.text("re", l.Reason)
		o.text("f", string(l.From))
		o.text("u", string(l.Until))
	})
	list(&o, "ac", f.Accounts, (*object).accounts)
	f.appendRest(&o)
	return append(o.b, '}')
}

func (f *Facts) appendRest(o *object) {
	if f.Due != (Due{}) {
		o.object("du", func(o *object) {
			o.text("al", string(f.Due.AccountsLast))
			o.text("an", string(f.Due.AccountsNext))
			o.text("ak", f.Due.AccountsKind)
			o.text("rl", string(f.Due.ReturnLast))
			o.text("rn", string(f.Due.ReturnNext))
		})
	}
	list(o, "fi", f.Filings, func(o *object, f *Filing) {
		o.must("d", string(f.Date))
		o.must("t", f.Type)
		o.text("x", f.Text)
		o.text("r", f.Ref)
	})
	list(o, "no", f.Notices, func(o *object, n *Notice) {
		o.must("d", string(n.Date))
		o.must("k", n.Kind)
		o.text("t", n.Text)
		o.text("r", n.Ref)
	})
	o.text("ls", f.LEIStatus)
	o.text("lr", string(f.LEIRenewal))
	if f.Score != nil {
		o.object("sc", func(o *object) { o.score(f.Score) })
	}
	if f.Charges != nil {
		o.object("ch", func(o *object) {
			o.number("t", int64(f.Charges.Total))
			o.number("o", int64(f.Charges.Outstanding))
			o.number("p", int64(f.Charges.PartSatisfied))
			o.number("s", int64(f.Charges.Satisfied))
		})
	}
	o.texts("sup", f.Suppressed)
	o.yes("wh", f.Withheld)
}

func (o *object) address(a *Address) {
	o.must("k", string(a.Kind))
	o.text("co", a.CareOf)
	o.texts("l", a.Lines)
	o.text("s", a.Street)
	o.text("h", a.House)
	o.text("c", a.City)
	o.text("p", a.Post)
	o.text("r", a.Region)
	o.text("cc", a.Country)
	o.text("u", string(a.Until))
}

func (o *object) officer(f *Officer) {
	o.person(&f.Person)
	o.must("ro", f.Role)
	o.text("rt", f.RoleText)
	o.text("fr", string(f.From))
	o.text("un", string(f.Until))
}

func (o *object) owner(w *Owner) {
	o.person(&w.Person)
	o.texts("nt", w.Natures)
	o.share("sm", w.ShareMin)
	o.share("sx", w.ShareMax)
	o.yes("in", w.Indirect)
	o.text("fr", string(w.From))
	o.text("un", string(w.Until))
}

func (o *object) person(p *Person) {
	o.text("i", p.ID)
	o.yes("co", p.Company)
	o.must("n", p.Name)
	o.text("t", p.Title)
	o.text("f", p.First)
	o.text("m", p.Middle)
	o.text("s", p.Surname)
	o.text("b", string(p.Birth))
	o.text("na", p.Nationality)
	o.text("re", p.Residence)
	o.text("oc", p.Occupation)
	o.text("g", p.Gender)
	if p.Address != nil {
		o.object("a", func(o *object) { o.address(p.Address) })
	}
	o.text("r", p.RegNo)
	o.text("cc", p.Country)
	o.text("l", p.LEI)
	o.yes("p", p.Protected)
}

func (o *object) accounts(a *Accounts) {
	o.must("e", string(a.End))
	o.text("s", string(a.Start))
	o.number("m", int64(a.Months))
	o.must("c", a.Currency)
	o.yes("g", a.Consolidated)
	o.text("k", a.Kind)
	if len(a.Items) > 0 {
		o.object("i", func(o *object) {
			for _, name := range slices.Sorted(maps.Keys(a.Items)) {
				o.b = strconv.AppendInt(append(appendQuoted(o.comma(), name), ':'), a.Items[name], 10)
			}
		})
	}
}

func (o *object) score(s *Score) {
	o.b = strconv.AppendInt(o.key("v"), int64(s.Value), 10)
	o.must("b", s.Band)
	if s.Limit != (Money{}) {
		o.money("l", s.Limit)
	}
	o.text("at", string(s.At))
	o.texts("r", s.Reasons)
	list(o, "p", s.Points, func(o *object, p *Point) {
		o.must("r", p.Rule)
		o.b = strconv.AppendInt(o.key("p"), int64(p.Points), 10)
		o.text("v", p.Value)
	})
	o.text("nx", string(s.Next))
}

func (o *object) money(k string, m Money) {
	o.object(k, func(o *object) {
		o.b = strconv.AppendInt(o.key("m"), m.Minor, 10)
		o.must("c", m.Currency)
	})
}

// An object is a JSON object in the making. What is empty is left out.
type object struct{ b []byte }

// comma is what there is so far, ready for the next key.
func (o *object) comma() []byte {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	return o.b
}

func (o *object) key(k string) []byte {
	return append(append(append(o.comma(), '"'), k...), `":`...)
}

// must writes a text that may be empty.
func (o *object) must(k, v string) { o.b = appendQuoted(o.key(k), v) }

func (o *object) text(k, v string) {
	if v != "" {
		o.must(k, v)
	}
}

func (o *object) number(k string, v int64) {
	if v != 0 {
		o.b = strconv.AppendInt(o.key(k), v, 10)
	}
}

func (o *object) yes(k string, v bool) {
	if v {
		o.b = append(o.key(k), "true"...)
	}
}

// share writes a percentage. How numbers with fractions are written is left to
// encoding/json.
func (o *object) share(k string, v float64) {
	if v == 0 {
		return
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("write a share: %v", err)) // of a company: not endless
	}
	o.b = append(o.key(k), b...)
}

func (o *object) texts(k string, list []string) {
	if len(list) == 0 {
		return
	}
	b := append(o.key(k), '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendQuoted(b, v)
	}
	o.b = append(b, ']')
}

func (o *object) object(k string, write func(o *object)) {
	o.b = append(o.key(k), '{')
	write(o)
	o.b = append(o.b, '}')
}

func list[T any](o *object, k string, items []T, write func(o *object, item *T)) {
	if len(items) == 0 {
		return
	}
	o.b = append(o.key(k), '[')
	for i := range items {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.b = append(o.b, '{')
		write(o, &items[i])
		o.b = append(o.b, '}')
	}
	o.b = append(o.b, ']')
}

// appendQuoted writes a text as encoding/json does.
func appendQuoted(b []byte, s string) []byte {
	for i := range len(s) {
		if !plain[s[i]] {
			quoted, err := json.Marshal(s)
			if err != nil {
				panic(err) // a string
			}
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}

// plain are the bytes that are written as they are.
var plain = func() (out [256]bool) {
	for c := range 0x7f {
		out[c] = c >= ' ' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
	}
	return out
}()
