package fit

import "bureau/internal/match"

// Fitted is how well one half of some pairs is told apart by weights fitted to the
// other half, and by nothing else. That is about what the features could reach on
// such pairs, were they all that mattered; the weights in use are fitted to made-up
// pairs and have to serve searches too.
func Fitted(learn, judge []Pair) Quality {
	w := logistic(samples(learn), match.FeatureNames())
	var answers []Judged
	for _, s := range samples(judge) {
		z := dot(s.x, w)
		answers = append(answers, Judged{s.same, logit(z), z})
	}
	return Judge(answers)
}

func samples(pairs []Pair) []sample {
	out := make([]sample, len(pairs))
	for i, p := range pairs {
		out[i] = sample{match.Features(match.Read(p.Kind, p.A), match.Read(p.Kind, p.B)), p.Same, 1, stress[p.Class]}
	}
	return out
}
