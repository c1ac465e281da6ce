package match

// Bound lets a net remember less, for tests.
func (n *Net) Bound(most int) { n.most, n.room = most, most }

// Known is how many words a net remembers.
func (n *Net) Known() int { return len(n.known) }
