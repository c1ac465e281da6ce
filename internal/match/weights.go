package match

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
)

//go:embed weights.json
var weightsJSON []byte

// A Model is what features are worth and how likely a sum of them is right, for
// one kind of name. It is data, made by the program in fit/.
type Model struct {
	// Weights are by the names of features.
	Weights map[string]float64 `json:"weights"`
	// Calibration has pairs of a sum and a probability, both rising.
	Calibration [][2]float64 `json:"calibration"`
	// Alert is the probability from which a pair is worth a person's time.
	Alert float64 `json:"alert"`
	// Identity is the probability from which two names are one.
	Identity float64 `json:"identity"`
}

// model is a Model made ready.
type model struct {
	weights         [features]float32
	sums, chances   []float32
	alert, identity float32
	alertSum        float32 // the sum at which the probability is alert
}

var models = func() (m [kinds]model) {
	var all map[string]Model
	if err := json.Unmarshal(weightsJSON, &all); err != nil {
		panic("match: weights.json: " + err.Error())
	}
	for k := range kinds {
		var err error
		if m[k], err = all[k.String()].ready(); err != nil {
			panic(fmt.Sprintf("match: weights.json: %s: %v", k, err))
		}
	}
	return m
}()

// weighed has the weights, and nothing else yet.
func (w Model) weighed() (m model, err error) {
	if len(w.Weights) != int(features) {
		return m, fmt.Errorf("%d weights, want %d", len(w.Weights), features)
	}
	for i, name := range featureNames {
		v, ok := w.Weights[name]
		if !ok {
			return m, fmt.Errorf("no weight %q", name)
		}
		m.weights[i] = float32(v)
	}
	return m, nil
}

func (w Model) ready() (m model, err error) {
	if m, err = w.weighed(); err != nil {
		return m, err
	}
	for _, p := range w.Calibration {
		m.sums = append(m.sums, float32(p[0]))
		m.chances = append(m.chances, float32(p[1]))
	}
	for i := 1; i < len(m.sums); i++ {
		if m.sums[i] <= m.sums[i-1] || m.chances[i] < m.chances[i-1] {
			return m, fmt.Errorf("the calibration does not rise at %d", i)
		}
	}
	if len(m.sums) < 2 || w.Alert <= 0 || w.Identity <= w.Alert || w.Identity > 1 {
		return m, fmt.Errorf("no calibration or no thresholds")
	}
	m.alert, m.identity = float32(w.Alert), float32(w.Identity)
	m.alertSum = m.sumAt(m.alert)
	return m, nil
}

// Sum weighs the features of a pair as Compare does, for the program that fits the
// weights.
func (w Model) Sum(x []float64) (float64, error) {
	m, err := w.weighed()
	if err != nil {
		return 0, err
	}
	var v vector
	for i := range x {
		v[i] = float32(x[i])
	}
	return float64(m.sum(&v)), nil
}

// sum weighs features. Nothing is more like a name than the name itself, so what
// is not exact stays below what an exact name that tells as much would get. And
// what has a word in common and none against it is more like it than what has none,
// however much was forgiven.
func (m *model) sum(x *vector) float32 {
	var z float32
	for i := range features {
		z += x[i] * m.weights[i]
	}
	if x[fExact] == 0 {
		exact := m.weights[fExact]
		for _, f := range [...]feature{fBias, fEvidence, fRare, fRarest} {
			exact += x[f] * m.weights[f]
		}
		z = min(z, exact)
	}
	if x[fNone]+x[fOwn]+x[fNumber]+x[fSuffix]+x[fForm] == 0 {
		none := m.weights[fBias] + m.weights[fNone]
		z = -squeeze(-z, -none)
	}
	return z
}

// chance is how likely a sum of features means the same.
func (m *model) chance(z float32) float32 {
	n := len(m.sums)
	switch {
	case z <= m.sums[0]:
		return m.chances[0]
	case z >= m.sums[n-1]:
		return m.chances[n-1]
	}
	for i := 1; ; i++ {
		if z <= m.sums[i] {
			t := (z - m.sums[i-1]) / (m.sums[i] - m.sums[i-1])
			return m.chances[i-1] + t*(m.chances[i]-m.chances[i-1])
		}
	}
}

// sumAt is the least sum that reaches a probability.
func (m *model) sumAt(p float32) float32 {
	for i := 1; i < len(m.sums); i++ {
		if m.chances[i] >= p && m.chances[i] > m.chances[i-1] {
			t := max(0, (p-m.chances[i-1])/(m.chances[i]-m.chances[i-1]))
			return m.sums[i-1] + t*(m.sums[i]-m.sums[i-1])
		}
	}
	return m.sums[len(m.sums)-1]
}

// grade is the scale that all others are drawn from: 0 is nothing, 0.75 is worth
// a person's time, 1 is identity.
func (m *model) grade(p float32) float32 {
	const alert = 0.75
	switch {
	case p >= m.identity:
		return 1
	case p >= m.alert:
		return alert + (1-alert)*(p-m.alert)/(m.identity-m.alert)
	}
	return alert * p / m.alert
}

// The two scales on which others report a score. Each has its alert threshold
// where Score is AlertScore, and its highest value where Score is 1.
const (
	AlertScore = 0.75

	companyAlert, companyTop = 893, 999
	screenAlert, screenTop   = 75, 100
)

// CompanyRating turns a score into the scale of company matching: 893 is the
// alert threshold and 999 identity.
func CompanyRating(score float64) int { return rate(score, companyAlert, companyTop) }

// ScreenRating turns a score into the scale of screening: 75 is the alert
// threshold and 100 identity.
func ScreenRating(score float64) int { return rate(score, screenAlert, screenTop) }

// rate is made so that rounding never carries a score over either mark.
func rate(score float64, alert, top int) int {
	switch {
	case score >= 1:
		return top
	case score >= AlertScore:
		part := (score - AlertScore) / (1 - AlertScore)
		return min(alert+int(math.Floor(part*float64(top-alert))), top-1)
	case score > 0:
		return int(math.Floor(score / AlertScore * float64(alert)))
	}
	return 0
}
