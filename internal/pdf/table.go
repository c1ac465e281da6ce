package pdf

// A Column of a table.
type Column struct {
	Title string
	Width float64 // its share of the width
	Right bool    // figures
	Mono  bool
}

// A Table is the same things about several.
type Table struct {
	Columns []Column
	Rows    [][]string
	// Indent, if any, is how far in the first column of each row stands.
	Indent []int
	// Strong are rows in bold type.
	Strong map[int]bool
}

const (
	cellPad   = 1.4
	indentBy  = 5.0
	cellLines = 4 // more than that of one cell is cut off
	lastRows  = 3 // so many stay together: a row alone on a page is read by nobody
)

// Table draws a table. Its head is repeated on every page.
func (p *Paper) Table(t Table) {
	widths := t.widths()
	p.tableHead(t, widths)
	cells, heights := make([][][]words, len(t.Rows)), make([]float64, len(t.Rows))
	for i, row := range t.Rows {
		var lines int
		cells[i], lines = p.cells(t, widths, i, row)
		heights[i] = float64(lines)*lineHeight(base) + 2*cellPad
	}
	for i, h := range heights {
		needed := h
		if i > 0 && i == len(heights)-lastRows {
			for _, more := range heights[i+1:] {
				needed += more
			}
		}
		if p.room(needed) {
			p.tableHead(t, widths)
		}
		p.tableRow(t, widths, cells[i], h, t.indent(i))
	}
	p.moveTo(p.y() + 1)
}

func (t *Table) widths() []float64 {
	sum := 0.0
	for _, c := range t.Columns {
		sum += c.Width
	}
	out := make([]float64, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = c.Width / sum * inner
	}
	return out
}

func (t *Table) indent(row int) float64 {
	if row >= len(t.Indent) {
		return 0
	}
	return float64(min(t.Indent[row], 8)) * indentBy
}

func (p *Paper) tableHead(t Table, widths []float64) {
	lines := 1
	heads := make([][]words, len(t.Columns))
	for i, c := range t.Columns {
		heads[i] = p.wrap(c.Title, p.fonts.bold, small, widths[i]-2*cellPad, 2)
		lines = max(lines, len(heads[i]))
	}
	h := float64(lines)*lineHeight(small) + 2*cellPad
	p.room(h + 8)
	p.fill(shade)
	p.doc.Rect(margin, p.y(), inner, h, "F")
	p.color(second)
	x := float64(margin)
	for i, c := range t.Columns {
		p.putCell(x, widths[i], heads[i], c.Right, small, 0)
		x += widths[i]
	}
	p.moveTo(p.y() + h)
}

func (p *Paper) cells(t Table, widths []float64, i int, row []string) (cells [][]words, lines int) {
	lines = 1
	for c, text := range row {
		want := p.fonts.regular
		switch {
		case t.Columns[c].Mono:
			want = p.fonts.mono
		case t.Strong[i]:
			want = p.fonts.bold
		}
		width := widths[c] - 2*cellPad
		if c == 0 {
			width -= t.indent(i)
		}
		cell := p.wrap(text, want, base, width, cellLines)
		cells, lines = append(cells, cell), max(lines, len(cell))
	}
	return cells, lines
}

func (p *Paper) tableRow(t Table, widths []float64, cells [][]words, h, indent float64) {
	top := p.y()
	x := float64(margin)
	if indent > 0 { // a twig of the tree
		p.color(faint)
		p.doc.SetLineWidth(0.25)
		at := x + indent - indentBy/2
		mid := top + cellPad + lineHeight(base)/2
		p.doc.Line(at, top-1, at, mid)
		p.doc.Line(at, mid, at+indentBy/2, mid)
	}
	p.color(ink)
	for i, cell := range cells {
		in := 0.0
		if i == 0 {
			in = indent
		}
		p.putCell(x, widths[i], cell, t.Columns[i].Right, base, in)
		x += widths[i]
	}
	p.moveTo(top + h)
	p.rule(top + h)
}

// putCell draws the lines of a cell at the height that has been reached.
func (p *Paper) putCell(x, width float64, cell []words, right bool, size, indent float64) {
	for n, w := range cell {
		at := x + cellPad + indent
		if right {
			at = x + width - cellPad - w.width
		}
		p.put(at, p.y()+cellPad+float64(n+1)*lineHeight(size)-0.9, w)
	}
}
