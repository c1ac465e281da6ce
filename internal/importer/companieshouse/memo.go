package companieshouse

import "strings"

// A memo remembers what a function said, up to a bound: a file has millions of
// rows and a few hundred different countries, forms and words for a status.
type memo[T any] struct {
	said map[string]T
	ask  func(string) T
	most int
}

func newMemo[T any](ask func(string) T) memo[T] {
	return memo[T]{map[string]T{}, ask, 5000}
}

func (m memo[T]) of(s string) T {
	if v, ok := m.said[s]; ok {
		return v
	}
	s = strings.Clone(s) // not a piece of a whole line
	v := m.ask(s)
	if len(m.said) < m.most {
		m.said[s] = v
	}
	return v
}
