package bank

import (
	"cmp"
	"fmt"
	"slices"
)

// A Method is how a row of the modulus table adds up.
type Method string

const (
	Mod10           Method = "MOD10"
	Mod11           Method = "MOD11"
	DoubleAlternate Method = "DBLAL" // adds up the digits of each product, modulo 10
)

// A Row is a row of the modulus table: the sort codes from one to another are
// checked with these weights. Of two rows for a sort code the first in the
// table is its first check.
type Row struct {
	From      SortCode  `json:"f"`
	To        SortCode  `json:"t"`
	Method    Method    `json:"m"`
	Weights   [14]int16 `json:"w"` // of the sort code's six digits and the account's eight
	Exception uint8     `json:"e,omitempty"`
}

// Check says what is wrong with a row.
func (r *Row) Check() error {
	switch {
	case r.From > r.To || r.To > 999999:
		return fmt.Errorf("the sort codes from %s to %s are no range", r.From, r.To)
	case r.Method != Mod10 && r.Method != Mod11 && r.Method != DoubleAlternate:
		return fmt.Errorf("there is no method %q: there are %s, %s and %s", r.Method, Mod10, Mod11, DoubleAlternate)
	case r.Exception > lastException:
		return fmt.Errorf("there is no exception %d: they go up to %d", r.Exception, lastException)
	}
	for _, w := range r.Weights {
		if w < -999 || w > 999 {
			return fmt.Errorf("%d is too large for a weight", w)
		}
	}
	return nil
}

// lastException is the highest number of an exception that has a rule. A table
// with a higher one needs a newer Bureau.
const lastException = 14

// A Substitution replaces a sort code by another before it is checked; exception
// 5 asks for it.
type Substitution struct {
	From SortCode `json:"f"`
	To   SortCode `json:"t"`
}

// A Modulus is the modulus table, compiled: spans that do not overlap, in order.
type Modulus struct {
	spans []span
	subs  []Substitution // in order
}

type span struct {
	from, to SortCode
	n        uint8 // rules in use
	rules    [2]rule
}

type rule struct {
	weights   [14]int32
	modulus   int32
	double    bool
	exception uint8
}

// NewModulus compiles a table. Rows keep their order, which decides between the
// first and the second check. A sort code with more than two rows has no
// meaning and fails the whole table: a table with a hole answers wrongly.
func NewModulus(rows []Row, subs []Substitution) (*Modulus, error) {
	edges := make([]SortCode, 0, 2*len(rows))
	for i := range rows {
		if err := rows[i].Check(); err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		edges = append(edges, rows[i].From, rows[i].To+1)
	}
	slices.Sort(edges)
	edges = slices.Compact(edges)
	m := &Modulus{subs: slices.Clone(subs)}
	for i := 0; i+1 < len(edges); i++ {
		s := span{from: edges[i], to: edges[i+1] - 1}
		for j := range rows {
			if rows[j].From > s.from || rows[j].To < s.to {
				continue
			}
			if s.n == 2 {
				return nil, fmt.Errorf("sort code %s has more than two rows", s.from)
			}
			s.rules[s.n] = compile(rows[j])
			s.n++
		}
		if s.n > 0 {
			m.spans = append(m.spans, s)
		}
	}
	slices.SortStableFunc(m.subs, func(a, b Substitution) int { return cmp.Compare(a.From, b.From) })
	return m, nil
}

func compile(r Row) rule {
	out := rule{modulus: 10, double: r.Method == DoubleAlternate, exception: r.Exception}
	if r.Method == Mod11 {
		out.modulus = 11
	}
	for i, w := range r.Weights {
		out.weights[i] = int32(w)
	}
	return out
}

// find returns the rules of a sort code, or nil.
func (m *Modulus) find(c SortCode) *span {
	lo, hi := 0, len(m.spans)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if m.spans[mid].to < c {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(m.spans) && m.spans[lo].from <= c {
		return &m.spans[lo]
	}
	return nil
}

// substitute is the sort code that exception 5 checks instead.
func (m *Modulus) substitute(c SortCode) SortCode {
	i, ok := slices.BinarySearchFunc(m.subs, c, func(s Substitution, c SortCode) int { return cmp.Compare(s.From, c) })
	if !ok {
		return c
	}
	return m.subs[i].To
}
