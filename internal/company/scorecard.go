package company

import "math"

// The scorecard is a table: what is looked at, and how many points each answer
// is worth. It is a judgement, written down so that it can be argued with, and
// not fitted to anything; docs/scorecard.md explains it to those who lend.
//
// It never looks at the outcome that it is to foresee. That a company is being
// wound up, or was, is no line of the table: it is shown as what it is, and
// holds the score down afterwards (see ceilings).

// startPoints is where every company begins.
const startPoints = 50

// A factor is one thing that the scorecard looks at.
type factor struct {
	rule string
	// measure is what it is, in the unit that the table's steps are in; ok is
	// false where it is not known, which by itself is worth nothing.
	measure func(s *subject) (v float64, ok bool)
	steps   []step
	unknown int // points where it is not known
	digits  int // after the point, when the value is told
}

// A step is worth its points to whoever is below its edge and not below the one
// before.
type step struct {
	below  float64
	points int
}

// top is an edge that everything is below.
var top = math.Inf(1)

// scorecard is all of them, in the order in which they are told.
var scorecard = []factor{
	// Most companies that fail do so in their first years.
	{rule: "age", measure: (*subject).years, steps: []step{{1, -12}, {2, -8}, {5, -3}, {10, 3}, {20, 6}, {top, 9}}},

	// Who files late often has something to tell late.
	{rule: "accountsLate", measure: (*subject).accountsLate, steps: []step{{1, 0}, {31, -6}, {91, -10}, {top, -16}}},
	{rule: "returnLate", measure: (*subject).returnLate, steps: []step{{1, 0}, {91, -3}, {top, -6}}},

	// Trouble that others have made known.
	{rule: "court", measure: (*subject).courtNotices, steps: []step{{1, 0}, {2, -8}, {top, -14}}},
	{rule: "strikeOff", measure: (*subject).strikeOffs, steps: []step{{1, 0}, {top, -15}}},
	{rule: "charges", measure: (*subject).charges, steps: []step{{1, 0}, {5, -1}, {top, -3}}},

	// The figures, while they are fresh enough to say something about today.
	{rule: "accountsAge", measure: (*subject).accountsAge, steps: []step{{22, 0}, {staleMonths, -3}, {top, -8}}, unknown: -3},
	{rule: "equity", measure: (*subject).equityRatio, steps: []step{{0, -18}, {10, -6}, {25, 2}, {45, 8}, {top, 13}}},
	{rule: "liquidity", measure: (*subject).currentRatio, steps: []step{{0.7, -7}, {1, -3}, {1.5, 2}, {top, 5}}, digits: 2},
	{rule: "margin", measure: (*subject).margin, steps: []step{{-10, -9}, {0, -6}, {3, 1}, {10, 4}, {top, 7}}},
	{rule: "return", measure: (*subject).returnOnAssets, steps: []step{{0, -6}, {5, 2}, {top, 4}}},
	{rule: "losses", measure: (*subject).losses, steps: []step{{2, 0}, {3, -4}, {top, -7}}},
	{rule: "growth", measure: (*subject).growth, steps: []step{{-30, -6}, {-15, -3}, {10, 0}, {50, 2}, {top, 0}}},
	{rule: "cover", measure: (*subject).interestCover, steps: []step{{1, -5}, {3, 0}, {top, 3}}, digits: 2},

	// The larger it is, the more it can lose before it fails.
	{rule: "size", measure: (*subject).employees, steps: []step{{10, 0}, {50, 2}, {250, 4}, {top, 6}}},

	// Who stands behind it, and how they have fared elsewhere.
	{rule: "parent", measure: (*subject).parentFails, steps: []step{{1, 2}, {top, -12}}},
	{rule: "boards", measure: (*subject).failedBoards, steps: []step{{1, 0}, {2, -4}, {3, -8}, {top, -12}}},
	{rule: "directors", measure: (*subject).directors, steps: []step{{1, -6}, {top, 0}}},
	{rule: "leavers", measure: (*subject).leavers, steps: []step{{50, 0}, {top, -4}}},
}

// A ceiling holds the score down, whatever the points come to.
type ceiling struct {
	rule  string
	under func(s *subject) bool
	most  int
}

// ceilings are for companies of which the outcome is known. The lowest that
// applies holds; such a company gets no credit limit.
var ceilings = []ceiling{
	{"closed", func(s *subject) bool { return s.Status == NonActive }, 0},
	{"proceedings", func(s *subject) bool { return s.Status == Pending }, 10},
	{"insolvency", (*subject).insolvencyNotice, 10},
}

// The names of points that are not lines of the table.
const (
	startRule = "start"
	limitRule = "bounds" // keeps the sum between 1 and 100
)

// Rules are the names of all that a point may be about, in the order in which
// they are told.
func Rules() []string {
	out := []string{startRule}
	for _, f := range scorecard {
		out = append(out, f.rule)
	}
	out = append(out, limitRule)
	for _, c := range ceilings {
		out = append(out, c.rule)
	}
	return out
}

// Shares of what a company has and turns over that a supplier may have at stake
// in it, in per cent; the lower of the two counts. The capital stands in where
// there are no figures.
const (
	shareOfEquity   = 15
	shareOfTurnover = 2
	shareOfCapital  = 10
)

// shareOfBand is how much of that a company of a band is good for, in per cent.
var shareOfBand = map[string]int64{"A": 100, "B": 70, "C": 40, "D": 10}
