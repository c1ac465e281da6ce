package fit

import (
	"cmp"
	"math"
	"slices"
)

// Quality is how well chances told pairs apart.
type Quality struct {
	N, Same   int
	F1        float64 // at the best threshold
	Threshold float64
	AUC       float64
	Brier     float64
	ECE       float64 // expected calibration error over ten bins
}

// Judge measures answers.
func Judge(list []Judged) Quality {
	q := Quality{N: len(list)}
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, func(a, b Judged) int { return cmp.Compare(b.Score, a.Score) })
	for _, j := range sorted {
		if j.Same {
			q.Same++
		}
		y := 0.0
		if j.Same {
			y = 1
		}
		q.Brier += (j.Chance - y) * (j.Chance - y) / float64(len(list))
	}
	q.F1, q.Threshold = bestF1(sorted, q.Same)
	q.AUC = auc(sorted, q.Same)
	q.ECE = ece(list)
	return q
}

func bestF1(sorted []Judged, same int) (best, threshold float64) {
	hits := 0
	for i, j := range sorted {
		if j.Same {
			hits++
		}
		if i+1 < len(sorted) && sorted[i+1].Score == j.Score {
			continue
		}
		if f := 2 * float64(hits) / float64(i+1+same); f > best {
			best, threshold = f, j.Score
		}
	}
	return best, threshold
}

// auc is the chance that a pair that is the same scores above one that is not;
// ties count half.
func auc(sorted []Judged, same int) float64 {
	other := len(sorted) - same
	if same == 0 || other == 0 {
		return 0
	}
	var area, seen float64
	for i := 0; i < len(sorted); {
		end := i
		var s, o float64
		for end < len(sorted) && sorted[end].Score == sorted[i].Score {
			if sorted[end].Same {
				s++
			} else {
				o++
			}
			end++
		}
		area += o * (seen + s/2)
		seen += s
		i = end
	}
	return area / float64(same) / float64(other)
}

func ece(list []Judged) float64 {
	var n, sum, hits [10]float64
	for _, j := range list {
		b := min(int(j.Chance*10), 9)
		n[b]++
		sum[b] += j.Chance
		if j.Same {
			hits[b]++
		}
	}
	e := 0.0
	for b := range n {
		e += math.Abs(sum[b]-hits[b]) / float64(len(list))
	}
	return e
}
