package pdf

import (
	"bytes"
	"fmt"
	"time"

	"codeberg.org/go-pdf/fpdf"
)

// The page, in millimetres.
const (
	pageWidth, pageHeight = 210, 297
	margin                = 18
	inner                 = pageWidth - 2*margin
	bottom                = pageHeight - margin - 6 // the last line of content
)

// A color is red, green and blue.
type color [3]int

// The tokens of the look, on white.
var (
	ink    = color{0x1c, 0x1d, 0x1f}
	second = color{0x55, 0x59, 0x5f}
	faint  = color{0x6b, 0x71, 0x78}
	line   = color{0xe3, 0xe2, 0xde}
	shade  = color{0xf7, 0xf7, 0xf5}
	accent = color{0x1f, 0x5f, 0xbf}
	bad    = color{0xb3, 0x26, 0x1e}
	white  = color{0xff, 0xff, 0xff}
)

// bands are the colours of A to E.
var bands = map[string]color{
	"A": {0x1b, 0x7f, 0x4b}, "B": {0x47, 0x79, 0x1f}, "C": {0x86, 0x66, 0x00}, "D": {0xa5, 0x50, 0x0f}, "E": bad,
}

// Sizes of type, in points.
const (
	small = 7.5
	base  = 9
	large = 11
	huge  = 18
)

// pagesAlias stands for the number of pages until it is known.
const pagesAlias = "{pages}"

// A Head is what stands on every page.
type Head struct {
	Title    string // top left
	ID       string // top right, to be copied
	Date     string // beside it
	Source   string // bottom left
	Trace    string // bottom, for whoever asks us about the document
	Page     string // the word for page, with two %s: its number, and of how many
	Language string // of the document
	Made     time.Time
	// Romanised is the note for what had to be written in Latin letters.
	Romanised string
}

// A Paper is a document in the making. What goes wrong is told by Bytes.
type Paper struct {
	doc       *fpdf.Fpdf
	fonts     *Fonts
	head      Head
	romanised bool
}

// New begins a document.
func (f *Fonts) New(h Head) *Paper {
	p := &Paper{doc: fpdf.New("P", "mm", "A4", ""), fonts: f, head: h}
	d := p.doc
	d.SetMargins(margin, margin, margin)
	d.SetAutoPageBreak(false, 0)
	d.SetCatalogSort(true)
	d.SetCreationDate(h.Made)
	d.SetModificationDate(h.Made)
	d.SetTitle(clean(h.Title), true)
	d.SetLang(h.Language)
	d.AliasNbPages(pagesAlias)
	for _, face := range append([]*face{f.regular, f.bold, f.mono}, f.extra...) {
		d.AddUTF8FontFromBytes(face.name, "", face.ttf)
	}
	d.SetHeaderFuncMode(p.header, false)
	d.SetFooterFunc(p.footer)
	d.AddPage()
	return p
}

func (p *Paper) header() {
	p.color(faint)
	right := p.words(p.head.ID, p.fonts.mono, small)
	date := p.words(p.head.Date, p.fonts.regular, small)
	end := float64(pageWidth - margin)
	p.put(end-date.width, 12, date)
	p.put(end-date.width-4-right.width, 12, right)
	p.put(margin, 12, p.clip(p.words(p.head.Title, p.fonts.bold, small), inner-date.width-right.width-12))
	p.rule(14)
	p.doc.SetXY(margin, margin+2)
}

func (p *Paper) footer() {
	y := float64(pageHeight - 11)
	p.rule(y - 4)
	p.color(faint)
	// How many pages there are is put in at the end; until then a word holds
	// the place, which is wider than the number. There is room for two digits.
	number := fmt.Sprint(p.doc.PageNo())
	wide := p.words(fmt.Sprintf(p.head.Page, number, "00"), p.fonts.regular, small).width
	p.put(pageWidth-margin-wide, y, p.words(fmt.Sprintf(p.head.Page, number, pagesAlias), p.fonts.regular, small))
	trace := p.words(p.head.Trace, p.fonts.mono, small-1)
	p.put((pageWidth-trace.width)/2, y, trace)
	p.put(margin, y, p.clip(p.words(p.head.Source, p.fonts.regular, small), (inner-trace.width)/2-4))
}

// Bytes ends the document.
func (p *Paper) Bytes() ([]byte, error) {
	if p.romanised && p.head.Romanised != "" {
		p.Gap(4)
		p.Note(p.head.Romanised)
	}
	var b bytes.Buffer
	if err := p.doc.Output(&b); err != nil {
		return nil, fmt.Errorf("write a PDF: %w", err)
	}
	return b.Bytes(), nil
}

func (p *Paper) color(c color) {
	p.doc.SetTextColor(c[0], c[1], c[2])
	p.doc.SetDrawColor(c[0], c[1], c[2])
}

func (p *Paper) fill(c color) { p.doc.SetFillColor(c[0], c[1], c[2]) }

// rule draws a thin line over the whole width.
func (p *Paper) rule(y float64) {
	p.color(line)
	p.doc.SetLineWidth(0.2)
	p.doc.Line(margin, y, pageWidth-margin, y)
}

// y is where the next thing goes.
func (p *Paper) y() float64       { return p.doc.GetY() }
func (p *Paper) moveTo(y float64) { p.doc.SetXY(margin, y) }

// Gap leaves some room, but none at the top of a page.
func (p *Paper) Gap(mm float64) {
	if p.y() > margin+3 {
		p.moveTo(p.y() + mm)
	}
}

// room begins a new page unless there is so much left on this one.
func (p *Paper) room(mm float64) (fresh bool) {
	if p.y()+mm <= bottom {
		return false
	}
	p.doc.AddPage()
	return true
}
