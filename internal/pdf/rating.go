package pdf

import (
	"strconv"

	"codeberg.org/go-pdf/fpdf"
)

// A Rating is a score as a picture.
type Rating struct {
	Score int
	Band  string
	Words string // what the band means
	Facts []Fact // beside it: the limit, since when
	Label string // the word for score
}

// edges are where the bands end on the scale, from the worst.
var edges = []struct {
	band string
	upTo float64
}{{"E", 20.5}, {"D", 29.5}, {"C", 50.5}, {"B", 70.5}, {"A", 100}}

// Rating draws the band, the score on its scale, and what goes with it.
func (p *Paper) Rating(r Rating) {
	const box, scaleHeight = 24.0, 5.0
	p.room(box + 8)
	top := p.y() + 1
	c := bands[r.Band]
	p.fill(c)
	p.doc.RoundedRect(margin, top, box, box, 2, "1234", "F")
	letter := p.words(r.Band, p.fonts.bold, 44)
	p.color(white)
	p.put(margin+(box-letter.width)/2, top+17.6, letter)

	x := margin + box + 8
	value := p.words(strconv.Itoa(r.Score), p.fonts.bold, 22)
	p.color(ink)
	p.put(x, top+7.4, value)
	of := p.words("/ 100", p.fonts.regular, base)
	p.color(faint)
	p.put(x+value.width+1.5, top+7.4, of)
	meaning := x + value.width + of.width + 7
	p.color(c)
	p.put(meaning, top+7.4, p.clip(p.words(r.Words, p.fonts.bold, large), pageWidth-margin-meaning))

	width := float64(pageWidth - margin - x)
	y := top + 12.5
	from := 0.0
	for _, e := range edges {
		p.fill(bands[e.band])
		p.doc.Rect(x+from/100*width, y, (e.upTo-from)/100*width-0.4, scaleHeight, "F")
		name := p.words(e.band, p.fonts.bold, small)
		p.color(white)
		p.put(x+(from+e.upTo)/200*width-name.width/2, y+3.5, name)
		from = e.upTo
	}
	at := x + float64(r.Score)/100*width
	p.fill(ink)
	p.doc.Polygon([]fpdf.PointType{{X: at, Y: y + 0.2}, {X: at - 1.6, Y: y - 2.4}, {X: at + 1.6, Y: y - 2.4}}, "F")
	p.color(faint)
	for _, n := range []int{0, 20, 30, 50, 70, 100} {
		tick := p.words(strconv.Itoa(n), p.fonts.regular, small-1)
		p.put(min(x+float64(n)/100*width-tick.width/2, pageWidth-margin-tick.width), y+scaleHeight+2.8, tick)
	}
	p.moveTo(top + box + 3)
	p.Facts(r.Facts)
}
