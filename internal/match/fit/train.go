package fit

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode"

	"bureau/internal/match"
)

// How many pairs the weights are fitted to, and where they begin.
const (
	Pairs = 90000
	seed  = 6
)

// MakePairs makes up n pairs of a kind, half of them the same.
func MakePairs(kind match.Kind, seed uint64, n int) []Pair {
	d := NewDamager(seed + uint64(kind)*1000)
	out := make([]Pair, 0, n)
	for range n {
		var p Pair
		same := d.w.chance(0.5)
		switch {
		case kind == match.Person && same:
			p = d.samePerson()
		case kind == match.Person:
			p = d.otherPeople()
		case same:
			p = d.sameCompany()
		default:
			p = d.otherCompanies()
		}
		p.A, p.B = capital(p.A), capital(p.B)
		out = append(out, p)
	}
	return out
}

func capital(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		r := []rune(w)
		r[0] = unicode.ToUpper(r[0])
		words[i] = string(r)
	}
	return strings.Join(words, " ")
}

// thresholds are not fitted: they say how sure is sure enough. Alert is set so
// that nineteen of twenty damaged names are found, whatever the damage, and that
// invented ones stay quiet, both of which bench measures.
var thresholds = map[match.Kind][2]float64{
	match.Person:  {0.76, 0.98},
	match.Company: {0.54, 0.98},
}

// Model fits one kind: weights on one half of the pairs, the calibration on the
// other.
func Model(kind match.Kind) (match.Model, error) {
	names := match.FeatureNames()
	var halves [2][]sample
	for i, s := range samples(MakePairs(kind, seed, Pairs)) {
		halves[i%2] = append(halves[i%2], s)
	}
	w := logistic(stressed(halves[0]), names)
	m := match.Model{Weights: map[string]float64{}, Alert: thresholds[kind][0], Identity: thresholds[kind][1]}
	for i, name := range names {
		w[i] = round(w[i])
		m.Weights[name] = w[i]
	}
	z := make([]float64, len(halves[1]))
	for i, s := range halves[1] {
		var err error
		if z[i], err = m.Sum(s.x); err != nil {
			return m, err
		}
	}
	for _, p := range isotonic(z, halves[1], 24) {
		m.Calibration = append(m.Calibration, [2]float64{round(p[0]), round(p[1])})
	}
	return m, nil
}

// stress is how much heavier the pairs of a class weigh in the fit than others. An
// alert must be right where thousands of names were searched and only the nearest
// is judged, so it is there that the weights have to be good. The calibration
// knows nothing of it: probabilities stay what they are called.
var stress = map[string]float64{lookAlike: 20, lookAlikeAcross: 8, otherPart: 20}

func stressed(samples []sample) []sample {
	out := slices.Clone(samples)
	for i := range out {
		out[i].weight = max(1, out[i].stress)
	}
	return out
}

func round(v float64) float64 { return math.Round(v*1000) / 1000 }

// Weights fits both kinds, and writes them as weights.json has them.
func Weights() ([]byte, error) {
	all := map[string]match.Model{}
	for _, k := range []match.Kind{match.Person, match.Company} {
		m, err := Model(k)
		if err != nil {
			return nil, err
		}
		all[k.String()] = m
	}
	out, err := json.MarshalIndent(all, "", "  ")
	return append(out, '\n'), err
}
