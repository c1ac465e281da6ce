package bench

import (
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		name   string
		values []float64
		want   float64
	}{
		{"one", []float64{7}, 7},
		{"an odd number, out of order", []float64{9, 1, 5}, 5},
		{"an even number: between the middle two", []float64{4, 1, 2, 100}, 3},
		{"one wild round moves nothing", []float64{0.7, 0.71, 0.69, 0.7, 12}, 0.7},
	} {
		t.Run(test.name, func(t *testing.T) {
			given := slices.Clone(test.values)
			if got := median(test.values); got != test.want {
				t.Errorf("median(%v) = %v, want %v", test.values, got, test.want)
			}
			if !slices.Equal(test.values, given) {
				t.Errorf("median put its argument in order: %v, was %v", test.values, given)
			}
		})
	}
}

func TestPercentile(t *testing.T) {
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(i + 1)
	}
	for _, test := range []struct {
		name   string
		sorted []float64
		p      float64
		want   float64
	}{
		{"of one", []float64{3}, 99, 3},
		{"the 99th of a hundred is not the worst", hundred, 99, 99},
		{"a hair above the 99th is the worst", hundred, 99.1, 100},
		{"all of them", hundred, 100, 100},
		{"none of them is the best", hundred, 0, 1},
		{"half", hundred, 50, 50},
		{"half of three", []float64{1, 2, 30}, 50, 2},
		{"few values: the worst", []float64{1, 2, 30}, 99, 30},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := percentile(test.sorted, test.p); got != test.want {
				t.Errorf("percentile %v = %v, want %v", test.p, got, test.want)
			}
		})
	}
}

// The machine was twice as fast in the second round. Each round says 0.5; the
// medians of ours and of the baseline, divided, would say so only by luck.
func TestRatiosAreTakenRoundByRound(t *testing.T) {
	got := spreadOf(ratios([]float64{50, 100, 40}, []float64{100, 200, 50}))
	if want := (spread{median: 0.5, low: 0.5, high: 0.8}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
