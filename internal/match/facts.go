package match

import "strings"

// A fact is something known besides the name.
type fact uint8

const (
	factBorn fact = iota
	factCountry
	factGender
	factIdentifier
	factAddress
	facts
)

// factWeights say what a fact adds to the sum where it agrees, is near, or
// differs. They are set by hand: what a fact is worth depends on how carefully a
// list was kept, which made-up data cannot tell. A fact that agrees counts only
// for a name that alerts by itself; one that differs always counts.
var factWeights = [facts][differ + 1]float32{
	factBorn:       {agree: 1.5, near: 0.4, differ: -7},
	factCountry:    {agree: 0.3, differ: -1},
	factGender:     {differ: -4},
	factIdentifier: {agree: 3, differ: -2},
	factAddress:    {agree: 0.7, near: 0.3},
}

type factGrades [facts]agreement

func compareFacts(a, b *Subject) (g factGrades) {
	g[factBorn] = bestDate(a.Born, b.Born)
	g[factCountry] = compareCountries(a.Countries, b.Countries)
	if a.Gender != "" && b.Gender != "" {
		g[factGender] = differ
		if a.Gender == b.Gender {
			g[factGender] = agree
		}
	}
	g[factIdentifier] = compareIdentifiers(a.Identifiers, b.Identifiers)
	g[factAddress] = compareAddresses(a.Address, b.Address)
	return g
}

func compareCountries(a, b []string) agreement {
	if len(a) == 0 || len(b) == 0 {
		return unknown
	}
	for _, x := range a {
		for _, y := range b {
			if strings.EqualFold(x, y) {
				return agree
			}
		}
	}
	return differ
}

// compareAddresses looks for shared words. Addresses are written in too many
// ways for their differences to mean anything.
func compareAddresses(a, b string) agreement {
	if a == "" || b == "" {
		return unknown
	}
	x, y := Read(Company, a), Read(Company, b)
	if x.Empty() || y.Empty() {
		return unknown
	}
	var al alignment
	al.alignInOrder(x.readings[0].tokens, y.readings[0].tokens)
	shared := 0
	for k := range al.chosen {
		if al.links[k].like >= 0.8 {
			shared++
		}
	}
	shorter := min(len(al.a), len(al.b))
	switch {
	case shorter >= 2 && shared*4 >= shorter*3:
		return agree
	case shared*2 >= shorter && shared > 1:
		return near
	}
	return unknown
}

// withFacts adds what facts say to the sum of a name. Facts that agree confirm a
// name that is good by itself; they never lift a weak one over the threshold,
// so more facts never mean more alerts.
func (m *model) withFacts(sum float32, g factGrades) float32 {
	strong := sum >= m.alertSum
	for f, how := range g {
		w := factWeights[f][how]
		if w < 0 || strong {
			sum += w
		}
	}
	return sum
}
