package pdf

// Title is what a document is about, with a line below it.
func (p *Paper) Title(text, below string) {
	p.color(ink)
	for _, w := range p.wrap(text, p.fonts.bold, huge, inner, 3) {
		p.moveTo(p.y() + lineHeight(huge))
		p.put(margin, p.y()-1, w)
	}
	if below != "" {
		p.color(second)
		for _, w := range p.wrap(below, p.fonts.regular, base, inner, 2) {
			p.moveTo(p.y() + lineHeight(base) + 0.6)
			p.put(margin, p.y()-0.5, w)
		}
	}
	p.moveTo(p.y() + 3)
}

// Section begins a part of the document. It keeps together with so many
// millimetres of what follows.
func (p *Paper) Section(title string, with float64) {
	p.Gap(5)
	p.room(10 + with)
	y := p.y() + lineHeight(large)
	p.color(ink)
	p.put(margin, y, p.clip(p.words(title, p.fonts.bold, large), inner))
	p.rule(y + 2)
	p.doc.Bookmark(clean(title), 0, p.y())
	p.moveTo(y + 4)
}

// Note is a paragraph in small type.
func (p *Paper) Note(text string) { p.paragraph(text, small, faint) }

// Text is a paragraph.
func (p *Paper) Text(text string) { p.paragraph(text, base, ink) }

func (p *Paper) paragraph(text string, size float64, c color) {
	h := lineHeight(size) + 0.4
	for _, w := range p.wrap(text, p.fonts.regular, size, inner, 200) {
		p.room(h)
		p.color(c)
		p.moveTo(p.y() + h)
		p.put(margin, p.y()-0.8, w)
	}
}

// A Fact is a word for something and what it is.
type Fact struct {
	Label string
	Value string
	Mono  bool // it is to be copied: a number, an id
	Bad   bool // it is bad news
}

// Facts are shown in two columns, in the order of reading. What is empty is left
// out.
func (p *Paper) Facts(list []Fact) {
	const gap, label = 6.0, 34.0
	column := (float64(inner) - gap) / 2
	var have []Fact
	for _, f := range list {
		if f.Value != "" {
			have = append(have, f)
		}
	}
	half := (len(have) + 1) / 2
	for i := range half {
		pair := []*Fact{&have[i], nil}
		if half+i < len(have) {
			pair[1] = &have[half+i]
		}
		var labels, values [2][]words
		lines := 1
		for c, f := range pair {
			if f == nil {
				continue
			}
			face := p.fonts.regular
			if f.Mono {
				face = p.fonts.mono
			}
			labels[c] = p.wrap(f.Label, p.fonts.regular, base, label-2, 2)
			values[c] = p.wrap(f.Value, face, base, column-label, 6)
			lines = max(lines, len(labels[c]), len(values[c]))
		}
		h := lineHeight(base) + 0.5
		p.room(float64(lines)*h + 1)
		top := p.y()
		for c, f := range pair {
			if f == nil {
				continue
			}
			x := margin + float64(c)*(column+gap)
			p.color(second)
			for n, w := range labels[c] {
				p.put(x, top+float64(n+1)*h-1, w)
			}
			p.color(ink)
			if f.Bad {
				p.color(bad)
			}
			for n, w := range values[c] {
				p.put(x+label, top+float64(n+1)*h-1, w)
			}
		}
		p.moveTo(top + float64(lines)*h + 0.8)
	}
}
