package match

// An outcome is the best way to take two names for each other.
type outcome struct {
	x        vector
	sum      float32
	a, b     *reading
	inHan    bool
	any      bool    // there is a word that they share
	aligned  bool    // the alignment is still the one of a and b
	evidence float32 // what they share, in quarters of a bit
	share    float32 // of all they have
}

// nothing is what two names have in common that have no word in common.
var nothing = vector{fBias: 1, fNone: 1}

// weigh compares two names reading by reading and keeps the one in which they share
// most; the weights have no say in that, since they are fitted to it. The order of
// the names does not matter: the alignment may, between equals, depend on it, so
// they are put in an order of their own first.
func weigh(a, b *Name, al *alignment, m *model) outcome {
	best := outcome{x: nothing}
	al.person = a.kind == Person
	if a.kind != b.kind {
		best.sum = m.sum(&best.x)
		return best
	}
	if len(a.han) > 0 && len(b.han) > 0 {
		// Both are in Han: there is nothing to guess.
		al.alignInOrder(a.han, b.han)
		var x vector
		al.features(&x, a.form(), b.form())
		x[fOrder], x[fSingle] = 0, 0
		return outcome{x: x, sum: m.sum(&x), inHan: true, any: al.chosen > 0, evidence: al.evidence}
	}
	for i := range a.readings {
		for j := range b.readings {
			ra, rb := &a.readings[i], &b.readings[j]
			al.alignInOrder(ra.tokens, rb.tokens)
			var x vector
			al.features(&x, ra.form, rb.form)
			if best.a == nil || al.share > best.share {
				best = outcome{x: x, a: ra, b: rb, any: al.chosen > 0, evidence: al.evidence, share: al.share}
			}
		}
	}
	if best.a != nil {
		best.aligned = best.a == &a.readings[len(a.readings)-1] && best.b == &b.readings[len(b.readings)-1]
	}
	best.sum = m.sum(&best.x)
	return best
}

// alignInOrder aligns two lists of words the same way whichever comes first.
func (al *alignment) alignInOrder(a, b []token) {
	if before(b, a) {
		a, b = b, a
	}
	al.align(a, b)
}

func before(a, b []token) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	for i := range a {
		if a[i].text != b[i].text {
			return a[i].text < b[i].text
		}
	}
	return false
}

// Features are what Compare sees in two names, in the order of FeatureNames, for
// the program that fits the weights.
func Features(a, b Name) []float64 {
	var al alignment
	o := weigh(&a, &b, &al, &models[a.kind])
	out := make([]float64, features)
	for i := range features {
		out[i] = float64(o.x[i])
	}
	return out
}

// FeatureNames are the names of the features, as in weights.json.
func FeatureNames() []string { return featureNames[:] }

// Shared is the share of two names' words that they have in common, without the
// weights' say, for the program that fits them.
func Shared(a, b Name) float64 {
	var al alignment
	return float64(weigh(&a, &b, &al, &models[a.kind]).share)
}
