package company

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Every record of every file is written in the form in which it is stored, if
// only to see that it says nothing new. So what most records hold is written
// here by hand, byte for byte as encoding/json would; a test holds it to that.

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
		o.other("c", f.Capital)
	}
	if len(f.Officers) > 0 {
		o.other("o", f.Officers)
	}
	if len(f.Owners) > 0 {
		o.other("ow", f.Owners)
	}
	if len(f.Links) > 0 {
		o.other("g", f.Links)
	}
	if len(f.Accounts) > 0 {
		o.other("ac", f.Accounts)
	}
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
	if len(f.Filings) > 0 {
		o.other("fi", f.Filings)
	}
	if len(f.Notices) > 0 {
		o.other("no", f.Notices)
	}
	o.text("ls", f.LEIStatus)
	o.text("lr", string(f.LEIRenewal))
	if f.Score != nil {
		o.other("sc", f.Score)
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
	if f.Withheld {
		o.b = append(o.key("wh"), "true"...)
	}
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

// An object is a JSON object in the making. What is empty is left out.
type object struct{ b []byte }

func (o *object) key(k string) []byte {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	return append(append(append(o.b, '"'), k...), `":`...)
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

// other leaves it to encoding/json.
func (o *object) other(k string, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("write facts: %v", err)) // our own types
	}
	o.b = append(o.key(k), b...)
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
