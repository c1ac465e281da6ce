package pdf

import "strings"

// words is a text ready to be drawn on one line.
type words struct {
	runs  []run
	size  float64
	width float64
}

// words finds the fonts of a text and measures it.
func (p *Paper) words(text string, want *face, size float64) words {
	runs, romanised := p.fonts.runs(text, want)
	p.romanised = p.romanised || romanised
	w := words{runs: runs, size: size}
	for _, r := range runs {
		w.width += p.measure(r, size)
	}
	return w
}

func (p *Paper) measure(r run, size float64) float64 {
	p.doc.SetFont(r.face.name, "", size)
	return p.doc.GetStringWidth(r.text)
}

// put draws words with their base line at y.
func (p *Paper) put(x, y float64, w words) {
	for _, r := range w.runs {
		width := p.measure(r, w.size) // which sets the font
		p.doc.Text(x, y, r.text)
		x += width
	}
}

// clip cuts words off with an ellipsis where they are too wide.
func (p *Paper) clip(w words, most float64) words {
	if w.width <= most {
		return w
	}
	dots := run{p.fonts.regular, "…"}
	out := words{size: w.size, width: p.measure(dots, w.size)}
	for _, r := range w.runs {
		fit, width := p.fits(r, w.size, most-out.width)
		if fit > 0 {
			out.runs = append(out.runs, run{r.face, r.text[:fit]})
			out.width += width
		}
		if fit < len(r.text) {
			break
		}
	}
	out.runs = append(out.runs, dots)
	return out
}

// fits is how many bytes of a run fit into a width.
func (p *Paper) fits(r run, size, most float64) (n int, width float64) {
	for i, c := range r.text {
		one := p.measure(run{r.face, string(c)}, size)
		if width+one > most {
			return i, width
		}
		width += one
	}
	return len(r.text), width
}

// wrap divides a text into lines that are no wider than most, at most so many;
// what is left over is cut off with an ellipsis. It breaks between words, and
// inside a word that is wider than a line.
func (p *Paper) wrap(text string, want *face, size, most float64, lines int) []words {
	all := p.words(text, want, size)
	if all.width <= most {
		return []words{all}
	}
	var out []words
	current := words{size: size}
	push := func() {
		out = append(out, current)
		current = words{size: size}
	}
	for _, piece := range pieces(all.runs) {
		w := p.measure(piece, size)
		if current.width > 0 && current.width+p.measure(run{piece.face, strings.TrimRight(piece.text, " ")}, size) > most {
			push()
		}
		for w > most { // a word wider than a line
			n, width := p.fits(piece, size, most)
			if n == 0 {
				break
			}
			current.runs, current.width = append(current.runs, run{piece.face, piece.text[:n]}), width
			push()
			piece.text, w = piece.text[n:], w-width
			if len(out) > lines {
				break
			}
		}
		current.runs = append(current.runs, piece)
		current.width += w
		if len(out) > lines {
			break
		}
	}
	if current.width > 0 {
		push()
	}
	if len(out) > lines {
		out = out[:lines]
		last := &out[lines-1]
		dots := run{p.fonts.regular, " …"}
		*last = p.clip(*last, most-p.measure(dots, size))
		if n := len(last.runs); n == 0 || last.runs[n-1].text != "…" {
			last.runs = append(last.runs, dots)
		}
	}
	return out
}

// pieces divides runs where a line may break: behind a space, and behind what
// joins the parts of an address or a long word.
func pieces(runs []run) (out []run) {
	for _, r := range runs {
		rest := r.text
		for rest != "" {
			n := strings.IndexAny(rest, " -/@,")
			if n < 0 {
				n = len(rest) - 1
			}
			out, rest = append(out, run{r.face, rest[:n+1]}), rest[n+1:]
		}
	}
	return out
}

// lineHeight is how far lines of a size are apart, in millimetres.
func lineHeight(size float64) float64 { return size * 0.46 }
