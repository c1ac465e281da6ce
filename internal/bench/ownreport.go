package bench

import (
	"fmt"
	"runtime"
	"strings"
)

// A Figure is one that was measured: a row with its baseline, or a further one of
// ours, which has none.
type Figure struct {
	Row         string  `json:"row"`
	What        string  `json:"what"`
	Engine      string  `json:"engine"`
	Unit        string  `json:"unit,omitempty"`
	Ours        float64 `json:"ours"`
	OursCPU     float64 `json:"oursCpuMicros,omitempty"` // for one operation; 0 if unknown
	Against     string  `json:"against,omitempty"`
	Baseline    float64 `json:"baseline,omitempty"`
	BaselineCPU float64 `json:"baselineCpuMicros,omitempty"`
	Ratio       float64 `json:"ratio,omitempty"` // the median of the rounds' own
	Lowest      float64 `json:"lowestRatio,omitempty"`
	Highest     float64 `json:"highestRatio,omitempty"`

	write func(float64) string
}

// unitOf is what stands behind a figure.
func unitOf(write func(float64) string) string {
	return strings.TrimSpace(strings.TrimLeft(write(1), "0123456789.,"))
}

// OwnText is the report as users read it in a terminal.
func (r *Report) OwnText() string {
	var b strings.Builder
	lines := [][]string{{"row", "ours", "baseline", "ratio (lowest to highest)", "CPU µs, ours", "baseline"}}
	var legend strings.Builder
	for _, f := range r.Figures {
		if f.Against == "" {
			lines = append(lines, []string{"  " + f.What, f.write(f.Ours), "", "", "", ""})
			continue
		}
		lines = append(lines, []string{
			f.Row, f.write(f.Ours), f.write(f.Baseline),
			fmt.Sprintf("%s (%s to %s)", asRatio(f.Ratio), asRatio(f.Lowest), asRatio(f.Highest)),
			inMicros(f.OursCPU), inMicros(f.BaselineCPU),
		})
		fmt.Fprintf(&legend, "%s: %s.\n  The baseline: %s.\n", f.Row, f.What, f.Against)
	}
	fmt.Fprintf(&b, "%s, %d cores, %s/%s, %d rounds of %g s%s.\n\n", r.Figures[0].Engine, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH,
		r.s.Rounds, r.s.Seconds, r.load)
	writeTable(&b, lines)
	fmt.Fprintf(&b, "\n%s\n%s\n", &legend, r.Statement.Text())
	return b.String()
}
