package bench

import (
	"math"
	"slices"
)

// A spread is what several rounds say together.
type spread struct{ median, low, high float64 }

// spreadOf sums up at least one value.
func spreadOf(values []float64) spread {
	return spread{median(values), slices.Min(values), slices.Max(values)}
}

// ratios divides round by round. A round's two halves ran one after the other,
// so what a busy neighbour takes from both falls out, which it would not if the
// medians were divided.
func ratios(ours, baseline []float64) []float64 {
	out := make([]float64, len(ours))
	for i := range ours {
		out[i] = ours[i] / baseline[i]
	}
	return out
}

// median is the middle value, or the mean of the middle two.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n%2 == 1 {
		return sorted[n/2]
	}
	return (sorted[n/2-1] + sorted[n/2]) / 2
}

// percentile is the smallest value that p percent of the values do not exceed:
// one that was measured, never one between two.
func percentile(sorted []float64, p float64) float64 {
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}
