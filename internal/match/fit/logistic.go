package fit

import "math"

// A sample is what match sees in one pair, and the answer.
type sample struct {
	x      []float64
	same   bool
	weight float64
	stress float64 // what it weighs in the fit, if more
}

// signs says which way each feature may count: what speaks against a match must
// never speak for it because of an accident in the data. Absent is either way.
var signs = map[string]float64{
	"evidence": 1, "rare": 1, "rarest": 1, "conflict": -1, "clash": -1, "more": -1, "slack": -1, "drift": -1, "other": -1, "extra": -1, "loss": -1, "worst": -1, "deep": -1, "another": -1, "heard": -1, "far": -1,
	"single": -1, "lead": -1, "own": -1, "side": -1, "number": -1,
	"number_only": -1, "form": -1, "form_same": 1, "suffix": -1, "suffix_only": -1, "order": -1, "exact": 1,
}

// logistic fits weights by Newton's method with a little pull towards zero. The
// weight that comes out most wrong in its sign is held at zero and the rest fitted
// again, until all signs are right.
func logistic(samples []sample, names []string) []float64 {
	held := make([]bool, len(names))
	for {
		w := newton(samples, held)
		worst := -1
		for i, name := range names {
			if signs[name]*w[i] < 0 && (worst < 0 || math.Abs(w[i]) > math.Abs(w[worst])) {
				worst = i
			}
		}
		if worst < 0 {
			return w
		}
		held[worst] = true
	}
}

const (
	pull  = 2.0 // as strong as a few samples
	steps = 30
)

func newton(samples []sample, held []bool) []float64 {
	n := len(held)
	w := make([]float64, n)
	hess := make([][]float64, n)
	for i := range hess {
		hess[i] = make([]float64, n)
	}
	grad := make([]float64, n)
	for range steps {
		clear(grad)
		for i := range hess {
			clear(hess[i])
			hess[i][i] = pull
			grad[i] = -pull * w[i]
		}
		for _, s := range samples {
			p := logit(dot(s.x, w))
			e := -p
			if s.same {
				e = 1 - p
			}
			v := s.weight * p * (1 - p)
			for i, xi := range s.x {
				if xi == 0 {
					continue
				}
				grad[i] += s.weight * e * xi
				for j := range i + 1 {
					hess[i][j] += v * xi * s.x[j]
				}
			}
		}
		for i := range n {
			if held[i] {
				for j := range n {
					hess[i][j], hess[j][i] = 0, 0
				}
				hess[i][i], grad[i] = 1, 0
			}
		}
		step := solve(hess, grad)
		before := objective(samples, w)
		moved := 0.0
		for size := 1.0; size > 1e-3; size /= 2 {
			tried := make([]float64, n)
			moved = 0
			for i, d := range step {
				tried[i] = w[i] + size*d
				moved = max(moved, math.Abs(size*d))
			}
			if objective(samples, tried) <= before {
				w = tried
				break
			}
		}
		if moved < 1e-6 {
			break
		}
	}
	return w
}

// objective is what newton makes small.
func objective(samples []sample, w []float64) (sum float64) {
	for _, v := range w {
		sum += pull * v * v / 2
	}
	for _, s := range samples {
		z := dot(s.x, w)
		if s.same {
			z = -z
		}
		// log(1 + e^z), without overflow
		sum += s.weight * (max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))))
	}
	return sum
}

func dot(x, w []float64) (z float64) {
	for i, v := range x {
		z += v * w[i]
	}
	return z
}

func logit(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// solve solves a·x = b for a positive definite a, of which only the lower half
// is read, by Cholesky's method. It overwrites a.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		for j := range i + 1 {
			sum := a[i][j]
			for k := range j {
				sum -= a[i][k] * a[j][k]
			}
			if i == j {
				a[i][i] = math.Sqrt(max(sum, 1e-12))
			} else {
				a[i][j] = sum / a[j][j]
			}
		}
	}
	x := append([]float64(nil), b...)
	for i := range n {
		for k := range i {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= a[k][i] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x
}
