package bench

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A goal is what a figure should be: at least so much, or at most.
type goal struct {
	sign  string
	limit float64
}

func atLeast(v float64) goal { return goal{"≥", v} }
func atMost(v float64) goal  { return goal{"≤", v} }

const none = "–"

func (g goal) met(v float64) string {
	switch {
	case g.sign == "":
		return none
	case g.sign == "≥" && v >= g.limit, g.sign == "≤" && v <= g.limit:
		return "yes"
	}
	return "no"
}

func (g goal) text(unit func(float64) string) string {
	if g.sign == "" {
		return none
	}
	return g.sign + " " + unit(g.limit)
}

// perSecond, inMillis, inMicros and asRatio are how figures are written.
func perSecond(v float64) string { return figure(v) + "/s" }
func inMillis(v float64) string  { return figure(v) + " ms" }

// figure writes three digits, or all of a larger number.
func figure(v float64) string {
	places := 0
	switch {
	case v < 9.995:
		places = 2
	case v < 99.95:
		places = 1
	}
	text := strconv.FormatFloat(v, 'f', places, 64)
	if n := len(text) - 3; v >= 999.5 {
		text = text[:n] + "," + text[n:]
	}
	return text
}

func asTimes(v float64) string { return asRatio(v) + " ×" }

func asShare(v float64) string     { return strconv.FormatFloat(100*v, 'f', 1, 64) + " %" }
func inMegabytes(v float64) string { return figure(v) + " MB" }

func asRatio(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

func inMicros(v float64) string {
	if v == 0 {
		return none
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

// A Report is what was measured, and whether anything was lost meanwhile.
type Report struct {
	Figures   []Figure
	Statement *Statement // nil if it ended early

	s       Settings
	at      time.Time
	load    string // of the machine, before we began
	lines   [][]string
	legend  []string
	remarks []string
}

func newReport(s Settings) *Report {
	return &Report{s: s, at: time.Now(), load: loadAverage(), lines: [][]string{{
		"bench", "engine", "ours", "baseline", "ratio (lowest to highest)", "CPU µs/op, ours", "baseline", "goal", "met",
	}}}
}

func (r *Report) remark(format string, args ...any) {
	r.remarks = append(r.remarks, fmt.Sprintf(format, args...))
}

// add adds a row, and one for each of its further figures. Most goals are for
// SQLite; PostgreSQL's figures stand beside them. Where a goal is for all of the
// data, a part of it is not held to any.
func (r *Report) add(b row, engine string, base, ours []sample) {
	legend := fmt.Sprintf("- **%s**: %s. The baseline: %s.", b.name, b.what, b.against)
	if !slices.Contains(r.legend, legend) {
		r.legend = append(r.legend, legend)
	}
	asked := func(g goal) goal {
		if engine != sqlite && !b.both || r.s.Small && b.whole {
			return goal{}
		}
		return g
	}
	value := func(s sample) float64 { return s.value }
	cpu := func(s sample) float64 { return s.cpu }
	ratio := spreadOf(ratios(column(ours, value), column(base, value)))
	r.lines = append(r.lines, []string{
		b.name, engine, b.unit(median(column(ours, value))), b.unit(median(column(base, value))),
		fmt.Sprintf("%s (%s to %s)", asRatio(ratio.median), asRatio(ratio.low), asRatio(ratio.high)),
		inMicros(median(column(ours, cpu))), inMicros(median(column(base, cpu))),
		asked(b.goal).text(asRatio), asked(b.goal).met(ratio.median),
	})
	r.Figures = append(r.Figures, Figure{
		Row: b.name, What: b.what, Engine: engine, Unit: unitOf(b.unit), Ours: median(column(ours, value)), OursCPU: median(column(ours, cpu)),
		Against: b.against, Baseline: median(column(base, value)), BaselineCPU: median(column(base, cpu)),
		Ratio: ratio.median, Lowest: ratio.low, Highest: ratio.high, write: b.unit,
	})
	for i, a := range b.also {
		v := median(column(ours, func(s sample) float64 { return s.also[i] }))
		g := asked(a.goal)
		r.lines = append(r.lines, []string{a.name, engine, a.unit(v), none, none, none, none, g.text(a.unit), g.met(v)})
		r.Figures = append(r.Figures, Figure{Row: b.name, What: strings.TrimPrefix(a.name, b.name+": "), Engine: engine, Unit: unitOf(a.unit), Ours: v, write: a.unit})
	}
}

// loadAverage says how busy the machine is already.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	now, _, _ := strings.Cut(string(text), " ")
	return "; its load average was " + now + " at the start"
}

func column(samples []sample, of func(sample) float64) []float64 {
	out := make([]float64, len(samples))
	for i, s := range samples {
		out[i] = of(s)
	}
	return out
}

// Text is the whole report in Markdown that can also be read as it is.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# What Bureau does on one machine\n\nMeasured by `make bench` on %s: %d cores, %s on %s/%s, %d rounds of %g s%s.\n\n",
		r.at.UTC().Format("2 January 2006, 15:04 UTC"), runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH,
		r.s.Rounds, r.s.Seconds, r.load)
	b.WriteString("Server, baseline and load share those cores, perhaps with other programs too: trust the\n" +
		"ratios and the CPU for each operation, not the rates. A ratio is the median of the rounds' own.\n" +
		"Audit and limits are on, every commit is on disk before its answer, both sides speak HTTP/1.1\n" +
		"over TLS 1.3 on kept-alive connections. The CPU is that of the server's process; PostgreSQL's own\n" +
		"is not in it.\n\n")
	for _, line := range r.remarks {
		b.WriteString(line + "\n\n")
	}
	writeTable(&b, r.lines)
	lost := "Whether anything was lost was not counted."
	if r.Statement != nil {
		lost = r.Statement.Text()
	}
	b.WriteString("\n" + lost + "\n\n" + strings.Join(r.legend, "\n") + "\n")
	return b.String()
}

func writeTable(b *strings.Builder, lines [][]string) {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for n, line := range lines {
		for i, cell := range line {
			fmt.Fprintf(b, "| %-*s ", widths[i], cell)
		}
		b.WriteString("|\n")
		if n == 0 {
			for _, w := range widths {
				b.WriteString("|" + strings.Repeat("-", w+2))
			}
			b.WriteString("|\n")
		}
	}
}
