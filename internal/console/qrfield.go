package console

// blankQR is a code of a version with all that carries no data.
func blankQR(version int, z qrSize) *qr {
	q := &qr{side: 17 + 4*version}
	for range q.side {
		q.dark, q.fixed = append(q.dark, make([]bool, q.side)), append(q.fixed, make([]bool, q.side))
	}
	last := q.side - 1
	for i := range q.side { // the two dotted lines
		q.set(6, i, i%2 == 0)
		q.set(i, 6, i%2 == 0)
	}
	q.square(3, 3, 4)
	q.square(last-3, 3, 4)
	q.square(3, last-3, 4)
	for _, x := range z.marks {
		for _, y := range z.marks {
			corner := x == 6 && (y == 6 || y == last-6) || x == last-6 && y == 6
			if !corner {
				q.square(x, y, 2)
			}
		}
	}
	if version >= 7 {
		rest := version
		for range 12 {
			rest = rest<<1 ^ rest>>11*0x1F25
		}
		for i := range 18 {
			bit := (version<<12|rest)>>i&1 == 1
			q.set(last-10+i%3, i/3, bit)
			q.set(i/3, last-10+i%3, bit)
		}
	}
	q.form(0) // keeps its place
	return q
}

// set draws a field that carries no data.
func (q *qr) set(x, y int, dark bool) { q.dark[y][x], q.fixed[y][x] = dark, true }

// square draws rings around a middle: by them readers find the code and its lines.
func (q *qr) square(x, y, radius int) {
	for dy := -radius; dy <= radius; dy++ {
		for dx := -radius; dx <= radius; dx++ {
			if x+dx < 0 || y+dy < 0 || x+dx >= q.side || y+dy >= q.side {
				continue
			}
			ring := max(dx, -dx, dy, -dy)
			dark := ring != 2 && ring != 4
			if radius == 2 { // of a small one
				dark = ring != 1
			}
			q.set(x+dx, y+dy, dark)
		}
	}
}

// form writes the level of correction and the mask, twice.
func (q *qr) form(mask int) {
	data := 1<<3 | mask // 1 is the lowest level
	rest := data
	for range 10 {
		rest = rest<<1 ^ rest>>9*0x537
	}
	bits := (data<<10 | rest) ^ 0x5412
	last := q.side - 1
	for i := range 15 {
		dark := bits>>i&1 == 1
		switch { // down beside the first square, and back along its foot
		case i < 6:
			q.set(8, i, dark)
		case i < 8:
			q.set(8, i+1, dark)
		case i == 8:
			q.set(7, 8, dark)
		default:
			q.set(14-i, 8, dark)
		}
		if i < 8 { // and once more beside the two others
			q.set(last-i, 8, dark)
		} else {
			q.set(8, last-14+i, dark)
		}
	}
	q.set(8, last-7, true)
}

// write puts data into the free fields: two columns at a time from the right,
// upwards and downwards in turn.
func (q *qr) write(data []byte) {
	at, up := 0, true
	for right := q.side - 1; right > 0; right -= 2 {
		if right == 6 {
			right = 5 // the dotted line is left out
		}
		for i := range q.side {
			y := i
			if up {
				y = q.side - 1 - i
			}
			for _, x := range []int{right, right - 1} {
				if q.fixed[y][x] {
					continue
				}
				if at < 8*len(data) {
					q.dark[y][x] = data[at/8]>>(7-at%8)&1 == 1
				}
				at++
			}
		}
		up = !up
	}
}

// masks are the patterns of which one is laid over the data, so that it looks
// like none of the squares.
var masks = [...]func(x, y int) bool{
	func(x, y int) bool { return (x+y)%2 == 0 },
	func(_, y int) bool { return y%2 == 0 },
	func(x, _ int) bool { return x%3 == 0 },
	func(x, y int) bool { return (x+y)%3 == 0 },
	func(x, y int) bool { return (x/3+y/2)%2 == 0 },
	func(x, y int) bool { return x*y%2+x*y%3 == 0 },
	func(x, y int) bool { return (x*y%2+x*y%3)%2 == 0 },
	func(x, y int) bool { return ((x+y)%2+x*y%3)%2 == 0 },
}

func (q *qr) lay(mask int) {
	for y, row := range q.dark {
		for x := range row {
			row[x] = row[x] != (!q.fixed[y][x] && masks[mask](x, y))
		}
	}
}

// mask lays the pattern over the data that leaves the code easiest to read.
func (q *qr) mask() {
	best, least := 0, -1
	for m := range masks {
		q.lay(m)
		q.form(m)
		if p := q.penalty(); least < 0 || p < least {
			best, least = m, p
		}
		q.lay(m) // twice is not at all
	}
	q.lay(best)
	q.form(best)
}

// penalty grows with what confuses a reader: long runs, blocks of one colour, what
// looks like a square's edge, and too much of one colour.
func (q *qr) penalty() (sum int) {
	dark := 0
	for y := range q.side {
		across, down := make([]bool, q.side), make([]bool, q.side)
		for x := range q.side {
			across[x], down[x] = q.dark[y][x], q.dark[x][y]
			if across[x] {
				dark++
			}
			if x > 0 && y > 0 && q.dark[y][x] == q.dark[y-1][x] && q.dark[y][x] == q.dark[y][x-1] && q.dark[y][x] == q.dark[y-1][x-1] {
				sum += 3
			}
		}
		sum += runs(across) + runs(down)
	}
	all := q.side * q.side
	return sum + max(20*dark-10*all, 10*all-20*dark)/all*10
}

// edge is what the rings of a square look like along a line.
const edge = "1011101"

func runs(line []bool) (sum int) {
	text := make([]byte, len(line))
	run := 0
	for i, dark := range line {
		text[i] = '0'
		if dark {
			text[i] = '1'
		}
		if i > 0 && text[i] != text[i-1] {
			run = 0
		}
		if run++; run == 5 {
			sum += 3
		} else if run > 5 {
			sum++
		}
	}
	for i := 0; i+11 <= len(text); i++ {
		if s := string(text[i : i+11]); s == edge+"0000" || s == "0000"+edge {
			sum += 40
		}
	}
	return sum
}
