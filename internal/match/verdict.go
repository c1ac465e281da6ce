package match

import "math"

// A Verdict says whether two subjects are the same, how sure that is, and why.
type Verdict struct {
	// Score runs from 0 to 1. AlertScore is worth a person's time; 1 is identity.
	Score float64
	// Probability is how often pairs like this one are the same.
	Probability float64
	// Grades has a letter for each feature.
	Grades Grades
	// Why says it in words, what matters most first.
	Why []string
}

// Alert says whether a person should look at it.
func (v Verdict) Alert() bool { return v.Score >= AlertScore }

// Grades says feature by feature how two subjects stand: A agrees, B is close,
// F differs, Z is not known on one side or both.
type Grades struct {
	Name       string `json:"name"`
	Words      string `json:"words"`
	Order      string `json:"order"`
	Number     string `json:"number"`
	Form       string `json:"form"`
	Born       string `json:"born"`
	Country    string `json:"country"`
	Gender     string `json:"gender"`
	Identifier string `json:"identifier"`
	Address    string `json:"address"`
}

// String is the grades in one word of ten letters, in the order of the fields.
func (g Grades) String() string {
	return g.Name + g.Words + g.Order + g.Number + g.Form + g.Born + g.Country + g.Gender + g.Identifier + g.Address
}

// Compare says whether two subjects are the same. It is symmetric.
func Compare(a, b Subject) Verdict {
	var al alignment
	if a.Kind != b.Kind || len(a.Names) == 0 || len(b.Names) == 0 {
		return Verdict{Grades: noGrades, Why: []string{"there is nothing to compare"}}
	}
	best := standing{z: float32(math.Inf(-1))}
	for i := range a.Names {
		for j := range b.Names {
			if s := weighAliases(&a.Names[i], &b.Names[j], &al); s.z > best.z {
				best = s
				best.i, best.j = i, j
			}
		}
	}
	x, y := &a.Names[best.i], &b.Names[best.j]
	return judge(&x.Name, &y.Name, x.Weak || y.Weak, compareFacts(&a, &b), &al)
}

// A standing is how good a pair of names is, before facts.
type standing struct {
	z    float32
	thin bool
	i, j int
}

// weighAliases compares two names, strong or weak.
func weighAliases(a, b *Alias, al *alignment) standing {
	m := &models[a.kind]
	o := weigh(&a.Name, &b.Name, al, m)
	return rateOutcome(m, &o, a.Weak || b.Weak)
}

// What a name that a list itself calls weak must tell us, in quarters of a bit,
// and how far below the threshold it stays otherwise.
const (
	weakMany = 90.0
	thinGap  = 0.4
)

// rateOutcome holds back what says too little: one common word may be equal in
// both names and still mean anybody.
func rateOutcome(m *model, o *outcome, weak bool) standing {
	s := standing{z: o.sum}
	if o.x[fThin] == 1 || weak && o.evidence < weakMany {
		s.thin = true
		s.z = squeeze(s.z, m.alertSum-thinGap)
	}
	return s
}

// squeeze brings a sum below a limit and keeps the order: what would have been
// better stays better.
func squeeze(z, limit float32) float32 {
	const soft = 2 // how far below the limit it begins
	if z <= limit-soft {
		return z
	}
	over := float64(z-limit+soft) / soft
	return limit - soft*float32(math.Exp(-over))
}

// judge puts what two names and facts say into a verdict.
func judge(a, b *Name, weak bool, g factGrades, al *alignment) Verdict {
	m := &models[a.kind]
	o := weigh(a, b, al, m)
	s := rateOutcome(m, &o, weak)
	p := m.chance(m.withFacts(s.z, g))
	v := Verdict{Score: float64(m.grade(p)), Probability: float64(p)}
	if v.Score >= 1 && o.x[fExact] == 0 {
		// Only names that are equal word for word are identical.
		v.Score = math.Nextafter(1, 0)
	}
	v.explain(o, s, g, al, m)
	return v
}

var noGrades = Grades{"Z", "Z", "Z", "Z", "Z", "Z", "Z", "Z", "Z", "Z"}
