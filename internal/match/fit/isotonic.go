package fit

import (
	"cmp"
	"slices"
)

// isotonic fits the rising steps that come nearest to the answers (pool adjacent
// violators), and returns them as corners of a rising line.
func isotonic(z []float64, samples []sample, corners int) [][2]float64 {
	order := make([]int, len(z))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(z[a], z[b]) })
	type block struct{ z, hits, n float64 }
	var blocks []block
	per := max(1, len(z)/(corners*4))
	for i := 0; i < len(order); {
		var b block
		for k := 0; i < len(order) && (k < per || z[order[i]] == z[order[i-1]]); k++ {
			s := samples[order[i]]
			b.z += z[order[i]] * s.weight
			b.n += s.weight
			if s.same {
				b.hits += s.weight
			}
			i++
		}
		blocks = append(blocks, b)
		for len(blocks) > 1 {
			last, prev := blocks[len(blocks)-1], blocks[len(blocks)-2]
			if prev.hits/prev.n < last.hits/last.n {
				break
			}
			blocks = append(blocks[:len(blocks)-2], block{prev.z + last.z, prev.hits + last.hits, prev.n + last.n})
		}
	}
	var out [][2]float64
	for _, b := range blocks {
		p := (b.hits + 0.5) / (b.n + 1)
		at := b.z / b.n
		if n := len(out); n > 0 && (at-out[n-1][0] < 0.05 || p <= out[n-1][1]) {
			continue
		}
		out = append(out, [2]float64{at, p})
	}
	return out
}
