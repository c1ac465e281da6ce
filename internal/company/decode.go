package company

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Every company that is shown, compared or scored is read from the form in which
// it is stored. So what most records hold is read here by hand. Only what
// Facts.append writes is understood; at anything else the reader gives up, and
// the whole is left to encoding/json.

// A reader goes through stored text.
type reader struct {
	b      []byte
	at     int
	failed bool
}

// next takes a byte if it is there.
func (r *reader) next(c byte) bool {
	if r.at < len(r.b) && r.b[r.at] == c {
		r.at++
		return true
	}
	return false
}

func (r *reader) must(c byte) {
	if !r.next(c) {
		r.failed = true
	}
}

// fields calls read with every key of an object, at its value.
func (r *reader) fields(read func(key []byte)) {
	r.must('{')
	for more := !r.next('}'); more && !r.failed; {
		key := r.key()
		r.must(':')
		if r.failed {
			return
		}
		read(key)
		if more = r.next(','); !more {
			r.must('}')
		}
	}
}

// key is the name of a value. Ours are letters.
func (r *reader) key() []byte {
	r.must('"')
	from := r.at
	for r.at < len(r.b) && 'a' <= r.b[r.at] && r.b[r.at] <= 'z' {
		r.at++
	}
	key := r.b[from:r.at]
	r.must('"')
	return key
}

// quoted is a text. One that is not written as it is read is left to
// encoding/json.
func (r *reader) quoted() string {
	r.must('"')
	from := r.at
	for ; r.at < len(r.b); r.at++ {
		switch c := r.b[r.at]; {
		case c == '"':
			text := r.b[from:r.at]
			r.at++
			return string(text)
		case c == '\\':
			return r.escaped(from - 1)
		case c < ' ':
			r.failed = true
			return ""
		case c >= utf8.RuneSelf:
			_, size := utf8.DecodeRune(r.b[r.at:])
			if size == 1 { // not UTF-8
				r.failed = true
				return ""
			}
			r.at += size - 1
		}
	}
	r.failed = true
	return ""
}

func (r *reader) escaped(from int) (text string) {
	r.at = from
	if raw := r.raw(); json.Unmarshal(raw, &text) != nil {
		r.failed = true
	}
	return text
}

// raw is a value as it is written.
func (r *reader) raw() []byte {
	from, depth := r.at, 0
	for ; r.at < len(r.b); r.at++ {
		switch r.b[r.at] {
		case '"':
			for r.at++; r.at < len(r.b) && r.b[r.at] != '"'; r.at++ {
				if r.b[r.at] == '\\' {
					r.at++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		default:
			if next := r.at + 1; depth > 0 || next < len(r.b) && r.b[next] != ',' && r.b[next] != '}' && r.b[next] != ']' {
				continue
			}
		}
		if depth == 0 {
			r.at = min(r.at+1, len(r.b))
			return r.b[from:r.at]
		}
	}
	r.failed = true
	return nil
}

// other leaves a value to encoding/json.
func (r *reader) other(into any) {
	if raw := r.raw(); !r.failed && json.Unmarshal(raw, into) != nil {
		r.failed = true
	}
}

func (r *reader) number() int64 {
	from := r.at
	r.next('-')
	for r.at < len(r.b) && '0' <= r.b[r.at] && r.b[r.at] <= '9' {
		r.at++
	}
	text := string(r.b[from:r.at])
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != text { // 007
		r.failed = true
	}
	return n
}

func (r *reader) texts() []string {
	out := []string{}
	r.items(func() { out = append(out, r.quoted()) })
	return out
}

// items calls read at every value of a list.
func (r *reader) items(read func()) {
	r.must('[')
	for more := !r.next(']'); more && !r.failed; {
		read()
		if more = r.next(','); !more {
			r.must(']')
		}
	}
}

// readItems reads a list of objects.
func readItems[T any](r *reader, read func(r *reader, item *T, key []byte)) []T {
	out := []T{}
	r.items(func() {
		var item T
		r.fields(func(key []byte) { read(r, &item, key) })
		out = append(out, item)
	})
	return out
}

// read takes one fact.
func (f *Facts) read(r *reader, key []byte) {
	switch string(key) {
	case "n":
		f.Name = r.quoted()
	case "nn":
		f.Names = readItems(r, readName)
	case "r":
		f.RegNo = r.quoted()
	case "ra":
		f.Register = r.quoted()
	case "l":
		f.LEI = r.quoted()
	case "v":
		f.VAT = r.texts()
	case "sn":
		f.SafeNo = r.quoted()
	case "s":
		f.Status = Status(r.quoted())
	case "st":
		f.StatusText = r.quoted()
	case "ss":
		f.StatusSince = Date(r.quoted())
	case "fd":
		f.Founded = Date(r.quoted())
	case "dd":
		f.Dissolved = Date(r.quoted())
	case "f":
		r.fields(func(key []byte) { readForm(r, &f.Form, key) })
	case "k":
		f.Kind = Kind(r.quoted())
	case "ju":
		f.Jurisdiction = r.quoted()
	case "ye":
		f.YearEnd = r.quoted()
	case "a":
		f.Activities = readItems(r, readActivity)
	case "ad":
		f.Addresses = readItems(r, readAddress)
	case "ph":
		f.Phones = r.texts()
	case "w":
		f.Websites = r.texts()
	case "du":
		r.fields(func(key []byte) { readDue(r, &f.Due, key) })
	default:
		f.readRest(r, key)
	}
}

// readRest takes a fact that fewer records have.
func (f *Facts) readRest(r *reader, key []byte) {
	switch string(key) {
	case "oi":
		r.other(&f.OtherIDs)
	case "sg":
		f.Signing = r.quoted()
	case "em":
		f.Emails = r.texts()
	case "e":
		r.other(&f.Employees)
	case "c":
		r.fields(func(key []byte) { readMoney(r, &f.Capital, key) })
	case "o":
		r.other(&f.Officers)
	case "ow":
		r.other(&f.Owners)
	case "g":
		r.other(&f.Links)
	case "ac":
		r.other(&f.Accounts)
	case "fi":
		r.other(&f.Filings)
	case "no":
		r.other(&f.Notices)
	case "ls":
		f.LEIStatus = r.quoted()
	case "lr":
		f.LEIRenewal = Date(r.quoted())
	case "sc":
		f.Score = new(Score)
		r.fields(func(key []byte) { readScore(r, f.Score, key) })
	case "ch":
		f.Charges = new(Charges)
		r.fields(func(key []byte) { readCharges(r, f.Charges, key) })
	case "sup":
		f.Suppressed = r.texts()
	case "wh":
		r.other(&f.Withheld)
	default:
		r.failed = true
	}
}

func readName(r *reader, n *Name, key []byte) {
	switch string(key) {
	case "t":
		n.Text = r.quoted()
	case "k":
		n.Kind = NameKind(r.quoted())
	case "l":
		n.Lang = r.quoted()
	case "f":
		n.From = Date(r.quoted())
	case "u":
		n.Until = Date(r.quoted())
	default:
		r.failed = true
	}
}

func readForm(r *reader, f *Form, key []byte) {
	switch string(key) {
	case "c":
		f.Code = r.quoted()
	case "t":
		f.Text = r.quoted()
	default:
		r.failed = true
	}
}

func readActivity(r *reader, a *Activity, key []byte) {
	switch string(key) {
	case "s":
		a.Scheme = r.quoted()
	case "c":
		a.Code = r.quoted()
	case "t":
		a.Text = r.quoted()
	default:
		r.failed = true
	}
}

func readAddress(r *reader, a *Address, key []byte) {
	switch string(key) {
	case "k":
		a.Kind = AddressKind(r.quoted())
	case "co":
		a.CareOf = r.quoted()
	case "l":
		a.Lines = r.texts()
	case "s":
		a.Street = r.quoted()
	case "h":
		a.House = r.quoted()
	case "c":
		a.City = r.quoted()
	case "p":
		a.Post = r.quoted()
	case "r":
		a.Region = r.quoted()
	case "cc":
		a.Country = r.quoted()
	case "u":
		a.Until = Date(r.quoted())
	default:
		r.failed = true
	}
}

func readDue(r *reader, d *Due, key []byte) {
	switch string(key) {
	case "al":
		d.AccountsLast = Date(r.quoted())
	case "an":
		d.AccountsNext = Date(r.quoted())
	case "ak":
		d.AccountsKind = r.quoted()
	case "rl":
		d.ReturnLast = Date(r.quoted())
	case "rn":
		d.ReturnNext = Date(r.quoted())
	default:
		r.failed = true
	}
}

func readMoney(r *reader, m *Money, key []byte) {
	switch string(key) {
	case "m":
		m.Minor = r.number()
	case "c":
		m.Currency = r.quoted()
	default:
		r.failed = true
	}
}

func readScore(r *reader, s *Score, key []byte) {
	switch string(key) {
	case "v":
		s.Value = int(r.number())
	case "b":
		s.Band = r.quoted()
	case "l":
		r.fields(func(key []byte) { readMoney(r, &s.Limit, key) })
	case "at":
		s.At = Date(r.quoted())
	case "r":
		s.Reasons = r.texts()
	case "p":
		s.Points = readItems(r, readPoint)
	case "nx":
		s.Next = Date(r.quoted())
	default:
		r.failed = true
	}
}

func readPoint(r *reader, p *Point, key []byte) {
	switch string(key) {
	case "r":
		p.Rule = r.quoted()
	case "p":
		p.Points = int(r.number())
	case "v":
		p.Value = r.quoted()
	default:
		r.failed = true
	}
}

func readCharges(r *reader, c *Charges, key []byte) {
	switch string(key) {
	case "t":
		c.Total = int(r.number())
	case "o":
		c.Outstanding = int(r.number())
	case "p":
		c.PartSatisfied = int(r.number())
	case "s":
		c.Satisfied = int(r.number())
	default:
		r.failed = true
	}
}

// readSaid reads everything that is said of a company; not ok is what it does not
// understand. Each Said has its stored form if keep asks for it.
func readSaid(id ID, b []byte, keep bool) (out []Said, ok bool) {
	r := &reader{b: b}
	own := id.key()
	out = []Said{}
	r.items(func() {
		s, told := Said{Key: own}, false
		r.fields(func(key []byte) {
			switch string(key) {
			case "s":
				s.Source = r.quoted()
			case "p":
				s.Part = r.quoted()
			case "k":
				if n := r.number(); n != 0 {
					s.Key = n
				}
			case "f":
				told = true
				from := r.at
				r.fields(func(key []byte) { s.Facts.read(r, key) })
				if keep {
					s.raw = b[from:r.at:r.at]
				}
			default:
				r.failed = true
			}
		})
		r.failed = r.failed || !told
		out = append(out, s)
	})
	return out, !r.failed && r.at == len(b)
}
