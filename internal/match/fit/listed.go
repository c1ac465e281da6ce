package fit

import (
	"math/rand/v2"

	"bureau/internal/match"
)

// listSize is how long the lists are that innocent names are searched for on:
// about as long as the sanctions lists of today together.
const listSize = 20000

// A list is what a screening searches: made-up names of one kind.
type list struct {
	names []string
	index *match.Index
}

// list makes up the list of a kind, once.
func (d *Damager) list(k match.Kind) *list {
	if l := d.listed[k]; l != nil {
		return l
	}
	// Its own numbers, so that a list drawn late is the same as one drawn early.
	own := &Damager{w: d.w.with(rand.New(rand.NewPCG(uint64(k), listSize)))}
	l := &list{names: make([]string, listSize)}
	for i := range l.names {
		if l.names[i] = own.Company(); k == match.Person {
			l.names[i] = own.Person()
		}
	}
	l.index = match.BuildIndex(len(l.names), func(i int) (uint64, match.Subject) {
		return uint64(i), match.NewSubject(k, l.names[i])
	})
	d.listed[k] = l
	return l
}

// The classes of pairs that a search has brought together.
const (
	lookAlike       = "look-alike"
	lookAlikeAcross = "look-alike in another script"
)

// lookAlike is what a search through a list comes up with for somebody who is not
// on it. Common names are likely to be on the list too, of another bearer: that is
// how the weights learn that a common name proves little.
func (d *Damager) lookAlike(k match.Kind) Pair {
	for {
		name, class := d.Company(), lookAlike
		if k == match.Person {
			name = d.Person()
		}
		if d.w.chance(0.1) {
			name, _ = d.Damage("re-script", name)
			class = lookAlikeAcross
		}
		l := d.list(k)
		id, ok := l.index.Nearest(match.NewSubject(k, name))
		// That two bear the very same name is nothing a name could tell.
		if ok && match.Shared(match.Read(k, name), match.Read(k, l.names[id])) < sameName {
			return Pair{k, name, l.names[id], false, class}
		}
	}
}

// sameName is the share of words from which on two names are one.
const sameName = 0.95
