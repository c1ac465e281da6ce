package bank

// A State is what a check comes to.
type State uint8

const (
	// Unknown: there is nothing to check by. It is neither right nor wrong.
	Unknown State = iota
	Passes
	Fails
)

var stateWords = [...]string{Unknown: "cannot be checked", Passes: "passes", Fails: "fails"}

func (s State) String() string { return stateWords[s] }

// and is the state of two checks together: one that fails decides, and both
// must pass.
func (s State) and(other State) State {
	switch {
	case s == Fails || other == Fails:
		return Fails
	case s == Passes && other == Passes:
		return Passes
	}
	return Unknown
}
