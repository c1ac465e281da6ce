package listfile

import (
	"iter"

	"bureau/internal/importer"
	"bureau/internal/kyc"
)

// A Source is one of screening lists.
type Source = importer.Source[kyc.Record]

// A Reading hands records on.
type Reading func(kyc.Record, error) bool

// Read makes the sequence of a source out of a function that hands records on
// until it is told to stop, and returns why it ended.
func Read(read func(yield Reading) error) iter.Seq2[kyc.Record, error] {
	return func(yield func(kyc.Record, error) bool) {
		stopped := false
		err := read(func(r kyc.Record, err error) bool {
			stopped = stopped || !yield(r, err)
			return !stopped
		})
		if err != nil && !stopped {
			yield(kyc.Record{}, err)
		}
	}
}

// Grouped collects the rows of one entry, for lists that say each fact in a row
// of its own: entries come out in the order in which they first came in.
type Grouped[T any] struct {
	order []string
	of    map[string]*T
}

// At is the entry with a number, made if there is none.
func (g *Grouped[T]) At(number string) (one *T, fresh bool) {
	if g.of == nil {
		g.of = map[string]*T{}
	}
	if one = g.of[number]; one == nil {
		one, fresh = new(T), true
		g.of[number] = one
		g.order = append(g.order, number)
	}
	return one, fresh
}

// Find is the entry with a number, or nil.
func (g *Grouped[T]) Find(number string) *T { return g.of[number] }

// All are the entries in their order.
func (g *Grouped[T]) All() iter.Seq2[string, *T] {
	return func(yield func(string, *T) bool) {
		for _, number := range g.order {
			if !yield(number, g.of[number]) {
				return
			}
		}
	}
}
