package console_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"bureau/internal/console"
)

// The worked example of the standard.
func TestCorrectionOfACode(t *testing.T) {
	data := []byte{32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17}
	if got, want := console.Correction(data, 10), []byte{196, 35, 39, 119, 235, 215, 231, 226, 93, 23}; !bytes.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A code is read back as a reader does it: by its squares and its form, field by
// field, with every block found whole.
func TestCodesAreRead(t *testing.T) {
	for _, n := range []int{1, 17, 18, 50, 78, 100, 106, 134, 150, 192, 230, 260, 300, 367, 425} {
		text := strings.Repeat("otpauth://totp/Bureau:ada@example.com?secret=ÅB", 10)[:n]
		code, err := console.QR(text)
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		got, err := readQR(code)
		if err != nil || got != text {
			t.Errorf("%d bytes are read as %q, %v", n, got, err)
		}
	}
	if _, err := console.QR(strings.Repeat("x", 426)); err == nil {
		t.Error("what does not fit is not refused")
	}
}

// forms are what the standard's table has for the lowest level and each mask.
var forms = []int{0x77C4, 0x72F3, 0x7DAA, 0x789D, 0x662F, 0x6318, 0x6C41, 0x6976}

// shapes are, by version, the bytes that correct a block, the blocks' lengths,
// and the bits that tell the version.
var shapes = map[int]struct {
	check  int
	blocks []int
	bits   int
}{
	1: {7, []int{19}, 0}, 2: {10, []int{34}, 0}, 3: {15, []int{55}, 0}, 4: {20, []int{80}, 0}, 5: {26, []int{108}, 0}, 6: {18, []int{68, 68}, 0},
	7: {20, []int{78, 78}, 0x07C94}, 8: {24, []int{97, 97}, 0x085BC}, 9: {30, []int{116, 116}, 0x09A99}, 10: {18, []int{68, 68, 69, 69}, 0x0A4D3},
	11: {20, []int{81, 81, 81, 81}, 0x0BBF6}, 12: {24, []int{92, 92, 93, 93}, 0x0C762}, 13: {26, []int{107, 107, 107, 107}, 0x0D847},
}

func readQR(code [][]bool) (string, error) {
	side := len(code)
	version := (side - 17) / 4
	shape := shapes[version]
	form := 0
	for i, at := range [][2]int{{0, 8}, {1, 8}, {2, 8}, {3, 8}, {4, 8}, {5, 8}, {7, 8}, {8, 8}, {8, 7}, {8, 5}, {8, 4}, {8, 3}, {8, 2}, {8, 1}, {8, 0}} {
		if code[at[1]][at[0]] { // along the row, then up the column: the highest bit first
			form |= 1 << (14 - i)
		}
	}
	mask := -1
	for m, f := range forms {
		if f == form {
			mask = m
		}
	}
	if mask < 0 {
		return "", fmt.Errorf("the form %x is none of the lowest level", form)
	}
	if version >= 7 {
		bits := 0
		for i := range 18 {
			if code[i/3][side-11+i%3] {
				bits |= 1 << i
			}
		}
		if bits != shape.bits {
			return "", fmt.Errorf("the code says %x of its version %d", bits, version)
		}
	}
	var bits []bool
	for x := side - 1; x > 0; x -= 2 {
		if x == 6 {
			x--
		}
		up := (side-1-x)/2%2 == 0
		if x < 6 {
			up = (side-2-x)/2%2 == 0
		}
		for i := range side {
			y := i
			if up {
				y = side - 1 - i
			}
			for _, x := range []int{x, x - 1} {
				if !carriesNothing(x, y, side, version) {
					bits = append(bits, code[y][x] != masked(mask, y, x))
				}
			}
		}
	}
	return readBlocks(bits, shape.check, shape.blocks, version)
}

// masked is the standard's table, by row i and column j.
func masked(mask, i, j int) bool {
	return []bool{
		(i+j)%2 == 0, i%2 == 0, j%3 == 0, (i+j)%3 == 0, (i/2+j/3)%2 == 0, (i*j)%2+(i*j)%3 == 0, ((i*j)%2+(i*j)%3)%2 == 0, ((i+j)%2+(i*j)%3)%2 == 0,
	}[mask]
}

func carriesNothing(x, y, side, version int) bool {
	switch {
	case x == 6 || y == 6, x < 9 && y < 9, x >= side-8 && y < 9, x < 9 && y >= side-8:
		return true
	case version >= 7 && (x >= side-11 && y < 6 || y >= side-11 && x < 6):
		return true
	case version == 1:
		return false
	}
	marks := []int{6, side - 7}
	if version >= 7 {
		marks = append(marks, (6+side-7)/2)
	}
	for _, mx := range marks {
		for _, my := range marks {
			corner := mx == 6 && my == 6 || mx == 6 && my == side-7 || mx == side-7 && my == 6
			if !corner && x >= mx-2 && x <= mx+2 && y >= my-2 && y <= my+2 {
				return true
			}
		}
	}
	return false
}

func readBlocks(bits []bool, check int, lengths []int, version int) (string, error) {
	var all []byte
	for i := 0; i+8 <= len(bits); i += 8 {
		var b byte
		for _, bit := range bits[i : i+8] {
			b <<= 1
			if bit {
				b |= 1
			}
		}
		all = append(all, b)
	}
	blocks := make([][]byte, len(lengths))
	for i := range lengths[len(lengths)-1] {
		for b, n := range lengths {
			if i < n {
				blocks[b], all = append(blocks[b], all[0]), all[1:]
			}
		}
	}
	var data []byte
	for b := range blocks {
		data = append(data, blocks[b]...)
	}
	for range check {
		for b := range blocks {
			blocks[b], all = append(blocks[b], all[0]), all[1:]
		}
	}
	var power [512]byte // of 2, in the field of 0x11D
	for i, p := 0, 1; i < 512; i++ {
		power[i] = byte(p)
		if p <<= 1; p > 255 {
			p ^= 0x11D
		}
	}
	logs := map[byte]int{}
	for i := range 255 {
		logs[power[i]] = i
	}
	for _, block := range blocks {
		for root := range check {
			var sum byte // the block as a polynomial, at a root of the divisor
			for _, b := range block {
				if sum != 0 {
					sum = power[logs[sum]+root]
				}
				sum ^= b
			}
			if sum != 0 {
				return "", fmt.Errorf("a block of version %d is broken", version)
			}
		}
	}
	if data[0]>>4 != 4 {
		return "", fmt.Errorf("it holds no bytes")
	}
	nibbles := func(from, n int) []byte { // bytes that begin in the middle of one
		out := make([]byte, n)
		for i := range out {
			out[i] = data[from+i]<<4 | data[from+i+1]>>4
		}
		return out
	}
	count, from := int(nibbles(0, 1)[0]), 1
	if version >= 10 {
		head := nibbles(0, 2)
		count, from = int(head[0])<<8|int(head[1]), 2
	}
	return string(nibbles(from, count)), nil
}
