package fit

import "bureau/internal/match"

// A Pair is two names and whether they belong to one subject.
type Pair struct {
	Kind  match.Kind
	A, B  string
	Same  bool
	Class string // where it comes from, or what was done to it
}

// A Judged is a pair's answer and how likely it was said to be true.
type Judged struct {
	Same   bool
	Chance float64
	Score  float64
}
