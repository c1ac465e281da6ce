package companieshouse

import (
	"html"
	"strings"

	"bureau/internal/company"
)

// A document is what is tagged in a set of accounts, as far as we ask for it.
type document struct {
	contexts map[string]*contextOf
	units    map[string]string // the measure, without prefix: GBP, pure, shares
	facts    []fact
	tagged   bool // something is
	whole    bool // the root element was closed
}

// A contextOf says of when a fact is, and of what part of the company.
type contextOf struct {
	start, end company.Date // of an instant there is no start
	members    []string     // of dimensions; one with a free value is "*"
}

// A fact is a tagged value.
type fact struct {
	concept string // without its prefix, which each software chooses as it likes
	context string
	unit    string
	printed string
	format  string
	scale   string
	minus   bool
}

// capture is an element whose text is being gathered.
type capture struct {
	element string
	depth   int // of elements of the same name inside it
	text    strings.Builder
	done    func(text string)
}

// maxText is more than any value that we ask for; notes run over pages.
const maxText = 400

// readDocument reads inline XBRL, where facts are ix:nonFraction and
// ix:nonNumeric elements with the concept as an attribute, and plain XBRL,
// where the element is the concept.
func readDocument(b []byte) *document {
	d := &document{contexts: map[string]*contextOf{}, units: map[string]string{}}
	r := docReader{d: d}
	m := markup{rest: b}
	for {
		t, more := m.next()
		if !more {
			return d
		}
		r.gather(t.before)
		if t.end {
			r.endTag(t.name)
		} else {
			r.startTag(&t)
			if t.empty {
				r.endTag(t.name)
			}
		}
	}
}

type docReader struct {
	d        *document
	open     []*capture
	excluded int // depth of ix:exclude, whose text is not part of a value
	context  *contextOf
	unit     string
	inUnit   bool
}

func (r *docReader) gather(text []byte) {
	if len(r.open) == 0 || r.excluded > 0 || len(text) == 0 {
		return
	}
	for _, c := range r.open {
		if c.text.Len() < maxText {
			c.text.Write(text[:min(len(text), maxText)])
		}
	}
}

func (r *docReader) startTag(t *tag) {
	for _, c := range r.open {
		if c.element == t.name {
			c.depth++
		}
	}
	switch strings.ToLower(t.name) {
	case "context":
		r.context = &contextOf{}
		r.d.contexts[t.attr("id")] = r.context
	case "instant", "enddate":
		if c := r.context; c != nil {
			r.capture(t, func(s string) { c.end = isoDay(s) })
		}
	case "startdate":
		if c := r.context; c != nil {
			r.capture(t, func(s string) { c.start = isoDay(s) })
		}
	case "explicitmember":
		if c := r.context; c != nil {
			r.capture(t, func(s string) { c.members = append(c.members, local(s)) })
		}
	case "typedmember":
		if c := r.context; c != nil {
			c.members = append(c.members, "*")
		}
	case "unit":
		r.unit, r.inUnit = t.attr("id"), true
	case "measure":
		if unit := r.unit; r.inUnit && r.d.units[unit] == "" {
			r.capture(t, func(s string) { r.d.units[unit] = local(s) })
		}
	case "divide":
		if r.inUnit { // so much per share
			r.d.units[r.unit] = "ratio"
		}
	case "exclude":
		r.excluded++
	case "nonfraction", "nonnumeric":
		r.factTag(t, local(t.attr("name")))
	default:
		if r.context == nil && !r.inUnit {
			r.factTag(t, t.name)
		}
	}
}

// factTag begins a fact, if it is one that we ask for.
func (r *docReader) factTag(t *tag, concept string) {
	if !asked(concept) {
		return
	}
	f := fact{concept: concept, context: t.attr("contextRef")}
	if f.context == "" || t.attr("nil") == "true" {
		return
	}
	f.unit, f.format = t.attr("unitRef"), local(t.attr("format"))
	f.scale, f.minus = t.attr("scale"), t.attr("sign") == "-"
	r.d.tagged = true
	r.capture(t, func(s string) {
		f.printed = s
		r.d.facts = append(r.d.facts, f)
	})
}

func (r *docReader) capture(t *tag, done func(string)) {
	r.open = append(r.open, &capture{element: t.name, done: done})
}

func (r *docReader) endTag(name string) {
	switch strings.ToLower(name) {
	case "html", "xbrl":
		r.d.whole = true
	case "context":
		r.context = nil
	case "unit":
		r.inUnit = false
	case "exclude":
		r.excluded = max(0, r.excluded-1)
	}
	for i := len(r.open) - 1; i >= 0; i-- {
		c := r.open[i]
		switch {
		case c.element != name:
		case c.depth > 0:
			c.depth--
		default:
			r.open = append(r.open[:i], r.open[i+1:]...)
			c.done(strings.Join(strings.Fields(html.UnescapeString(c.text.String())), " "))
			return
		}
	}
}

// local is a name without its prefix.
func local(name string) string {
	name = strings.TrimSpace(name)
	return name[strings.LastIndexByte(name, ':')+1:]
}
