package match

// Bound lets a net remember less, for tests.
func (n *Net) Bound(most int) { n.most, n.room = most, most }

// Known is how many words a net remembers.
func (n *Net) Known() int { return len(n.known) }

// Bound lets a reader remember less, for tests.
func (r *Reader) Bound(most int) { r.most = most }
