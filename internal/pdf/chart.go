package pdf

import (
	"math"
	"strconv"
	"strings"
)

// A Chart is one figure over some years, the oldest first.
type Chart struct {
	Title  string // what it is, and its unit
	Labels []string
	Values []float64
	Known  []bool // beside them; what is not known leaves a gap
}

// Charts draws bars, two charts beside each other. Losses are red and hang below
// the line.
func (p *Paper) Charts(list []Chart) {
	const gap, height = 8.0, 34.0
	width := (float64(inner) - gap) / 2
	for i := 0; i < len(list); i += 2 {
		p.room(height + 12)
		top := p.y() + 2
		for j := range list[i:min(i+2, len(list))] {
			p.chart(list[i+j], margin+float64(j)*(width+gap), top, width, height)
		}
		p.moveTo(top + height + 8)
	}
}

func (p *Paper) chart(c Chart, x, y, width, height float64) {
	p.color(second)
	p.put(x, y+2, p.clip(p.words(c.Title, p.fonts.bold, small), width))
	low, high := 0.0, 0.0
	for i, v := range c.Values {
		if c.Known[i] {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	if high == low {
		high = low + 1
	}
	// Room for the figures above and below the bars.
	top, foot := y+8, y+height-5
	if low < 0 {
		foot -= 3
	}
	at := func(v float64) float64 { return foot - (v-low)/(high-low)*(foot-top) }
	zero := at(0)
	slot := width / float64(max(1, len(c.Values)))
	for i, v := range c.Values {
		mid := x + (float64(i)+0.5)*slot
		label := p.words(c.Labels[i], p.fonts.regular, small-0.5)
		p.color(faint)
		p.put(mid-label.width/2, y+height+1, label)
		if !c.Known[i] {
			continue
		}
		figure := p.words(Short(v), p.fonts.regular, small-0.5)
		bar := math.Min(slot*0.56, 12)
		if v < 0 {
			p.fill(bad)
			p.doc.Rect(mid-bar/2, zero, bar, at(v)-zero, "F")
			p.color(bad)
			p.put(mid-figure.width/2, at(v)+2.8, figure)
			continue
		}
		p.fill(accent)
		p.doc.Rect(mid-bar/2, at(v), bar, zero-at(v), "F")
		p.color(ink)
		p.put(mid-figure.width/2, at(v)-1, figure)
	}
	p.color(faint)
	p.doc.SetLineWidth(0.2)
	p.doc.Line(x, zero, x+width, zero)
}

// Short is a figure in as few characters as tell it: 12.4 m, 830 k.
func Short(v float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e12, " tn"}, {1e9, " bn"}, {1e6, " m"}, {1e3, " k"}} {
		if math.Abs(v) >= unit.size {
			n := v / unit.size
			digits := 0
			if math.Abs(n) < 100 {
				digits = 1
			}
			return strings.TrimSuffix(strconv.FormatFloat(n, 'f', digits, 64), ".0") + unit.name
		}
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}
