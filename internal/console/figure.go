package console

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"bureau/internal/monitor"
)

// A chart is drawn by the browser from the numbers in its attributes, and is a
// table for who cannot see it.
type chart struct {
	Kind  string // "bars" or "line"
	Unit  string // of the upright axis
	Label string
	X, Y  string // numbers with spaces between them: seconds since 1970, and values
	Words string // what there is to see
	Rows  []chartRow
}

type chartRow struct {
	Day   string
	Value string
}

func (c *chart) add(at time.Time, value int64) {
	c.X += strconv.FormatInt(at.Unix(), 10) + " "
	c.Y += strconv.FormatInt(value, 10) + " "
	c.Rows = append(c.Rows, chartRow{day(at), num(value)})
}

// A stack shows how a whole is made up, as one bar.
type stack struct {
	Words string
	Parts []stackPart
}

type stackPart struct {
	Class, Label string
	Count        int64
	X, Width     int64 // of a thousand
}

// bandStack is a portfolio's bands. Who has none is shown too.
func bandStack(b monitor.Bands) stack {
	var out stack
	var words []string
	left, at := b.Total, int64(0)
	add := func(class, label string, n int64) {
		if n <= 0 {
			return
		}
		upTo := (b.Total - left + n) * 1000 / b.Total
		out.Parts = append(out.Parts, stackPart{class, label, n, at, upTo - at})
		words = append(words, fmt.Sprintf("%s: %d", label, n))
		at, left = upTo, left-n
	}
	for _, band := range []string{"A", "B", "C", "D", "E"} {
		add(band, band, b.Of[band])
	}
	add("none", "not rated", left)
	out.Words = "Companies by band. " + strings.Join(words, ", ")
	return out
}
