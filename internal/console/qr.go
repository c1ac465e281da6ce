package console

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"bureau/internal/fault"
)

// A QR code as ISO/IEC 18004 has it, of bytes, at the lowest level of correction:
// it is read from a screen a hand's breadth away, where nothing covers it.

// A qrSize is what a version of the code holds: how many bytes correct a block,
// and how long each block is. Version n is qrSizes[n-1].
type qrSize struct {
	check  int
	blocks []int
	marks  []int // where the middles of its small squares are
}

var qrSizes = []qrSize{
	{7, []int{19}, nil},
	{10, []int{34}, []int{6, 18}},
	{15, []int{55}, []int{6, 22}},
	{20, []int{80}, []int{6, 26}},
	{26, []int{108}, []int{6, 30}},
	{18, []int{68, 68}, []int{6, 34}},
	{20, []int{78, 78}, []int{6, 22, 38}},
	{24, []int{97, 97}, []int{6, 24, 42}},
	{30, []int{116, 116}, []int{6, 26, 46}},
	{18, []int{68, 68, 69, 69}, []int{6, 28, 50}},
	{20, []int{81, 81, 81, 81}, []int{6, 30, 54}},
	{24, []int{92, 92, 93, 93}, []int{6, 32, 58}},
	{26, []int{107, 107, 107, 107}, []int{6, 34, 62}},
}

func (z qrSize) room() (n int) {
	for _, b := range z.blocks {
		n += b
	}
	return n
}

// A qr is a square of dark and light fields.
type qr struct {
	side  int
	dark  [][]bool
	fixed [][]bool // that carry no data
}

// newQR writes a text as a code.
func newQR(text string) (*qr, error) {
	for i, z := range qrSizes {
		version := i + 1
		head := 12 // four bits say that bytes follow, eight or sixteen how many
		if version >= 10 {
			head = 20
		}
		if head+8*len(text) > 8*z.room() {
			continue
		}
		q := blankQR(version, z)
		q.write(z.codewords(qrData(text, head-4, z.room())))
		q.mask()
		return q, nil
	}
	return nil, fault.TooLarge.Errorf("a text of %d bytes is too long for a QR code", len(text))
}

// qrData is a text as a row of bytes, filled up as the standard says.
func qrData(text string, countBits, room int) []byte {
	var bits strings.Builder
	fmt.Fprintf(&bits, "0100%0*b", countBits, len(text))
	for _, b := range []byte(text) {
		fmt.Fprintf(&bits, "%08b", b)
	}
	bits.WriteString(strings.Repeat("0", min(4, 8*room-bits.Len())))
	bits.WriteString(strings.Repeat("0", (8-bits.Len()%8)%8))
	out := make([]byte, 0, room)
	for s := bits.String(); len(s) > 0; s = s[8:] {
		n, _ := strconv.ParseUint(s[:8], 2, 8) // eight zeros and ones
		out = append(out, byte(n))
	}
	for pad := byte(0xEC); len(out) < room; pad ^= 0xEC ^ 0x11 {
		out = append(out, pad)
	}
	return out
}

// codewords cuts data into blocks, adds what corrects each, and mixes them.
func (z qrSize) codewords(data []byte) (out []byte) {
	var blocks, checks [][]byte
	longest := 0
	for _, n := range z.blocks {
		blocks, checks = append(blocks, data[:n]), append(checks, correction(data[:n], z.check))
		data, longest = data[n:], max(longest, n)
	}
	for i := range longest {
		for _, b := range blocks {
			if i < len(b) {
				out = append(out, b[i])
			}
		}
	}
	for i := range z.check {
		for _, c := range checks {
			out = append(out, c[i])
		}
	}
	return out
}

// times multiplies in the field of 256 elements in which codes are corrected.
func times(a, b byte) (p byte) {
	for ; b > 0; b >>= 1 {
		if b&1 == 1 {
			p ^= a
		}
		high := a & 0x80
		if a <<= 1; high != 0 {
			a ^= 0x1D
		}
	}
	return p
}

// correction is what is left of a block when it is divided by the polynomial of
// Reed and Solomon.
func correction(block []byte, n int) []byte {
	divisor := make([]byte, n)
	divisor[n-1] = 1
	for root := byte(1); n > 0; n-- {
		for i := range divisor {
			divisor[i] = times(divisor[i], root)
			if i+1 < len(divisor) {
				divisor[i] ^= divisor[i+1]
			}
		}
		root = times(root, 2)
	}
	rest := make([]byte, len(divisor))
	for _, b := range block {
		by := b ^ rest[0]
		copy(rest, rest[1:])
		rest[len(rest)-1] = 0
		for i, d := range divisor {
			rest[i] ^= times(d, by)
		}
	}
	return rest
}

// picture draws a code for a page, with the light margin that readers need. It is
// dark on light in either scheme: a camera does not know of schemes.
func (q *qr) picture(label string) template.HTML {
	const margin = 4
	var path strings.Builder
	for y, row := range q.dark {
		for x, dark := range row {
			if dark {
				fmt.Fprintf(&path, "M%d %dh1v1h-1z", x+margin, y+margin)
			}
		}
	}
	side := q.side + 2*margin
	return template.HTML(fmt.Sprintf( //nolint:gosec // numbers, and a label that is escaped
		`<svg class="qr" viewBox="0 0 %d %d" role="img" aria-label="%s" shape-rendering="crispEdges"><rect width="%d" height="%d" fill="#ffffff"/><path fill="#000000" d="%s"/></svg>`,
		side, side, template.HTMLEscapeString(label), side, side, path.String()))
}
