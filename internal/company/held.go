package company

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// Said is what one source says about a company, or about a part of it.
type Said struct {
	Source string
	Part   string
	Facts  Facts

	raw []byte // Facts as they are stored, once they were written or read
}

// Held is everything that is kept of one company: what each source says, in
// the order of sources and parts.
type Held struct {
	ID   ID
	Said []Said
}

// savedSaid is Said as it is stored.
type savedSaid struct {
	Source string          `json:"s"`
	Part   string          `json:"p,omitempty"`
	Facts  json.RawMessage `json:"f"`
}

// Encode writes what is said in the form in which it is stored.
func (h Held) Encode() []byte {
	var b bytes.Buffer
	b.WriteByte('[')
	for i := range h.Said {
		if i > 0 {
			b.WriteByte(',')
		}
		s := &h.Said[i]
		b.WriteString(`{"s":`)
		b.Write(quote(s.Source))
		if s.Part != "" {
			b.WriteString(`,"p":`)
			b.Write(quote(s.Part))
		}
		b.WriteString(`,"f":`)
		b.Write(s.encode())
		b.WriteByte('}')
	}
	b.WriteByte(']')
	return b.Bytes()
}

func quote(s string) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string
	}
	return b
}

func (s *Said) encode() []byte {
	if s.raw == nil {
		b, err := json.Marshal(&s.Facts)
		if err != nil {
			panic(fmt.Sprintf("write facts: %v", err)) // our own type
		}
		s.raw = b
	}
	return s.raw
}

// Decode reads what Encode wrote.
func Decode(id ID, b []byte) (Held, error) {
	var saved []savedSaid
	if err := json.Unmarshal(b, &saved); err != nil {
		return Held{}, fmt.Errorf("read company %s: %w", id, err)
	}
	h := Held{ID: id, Said: make([]Said, len(saved))}
	for i, s := range saved {
		h.Said[i] = Said{Source: s.Source, Part: s.Part, raw: s.Facts}
		if err := json.Unmarshal(s.Facts, &h.Said[i].Facts); err != nil {
			return Held{}, fmt.Errorf("read what %s says of %s: %w", s.Source, id, err)
		}
	}
	return h, nil
}

// set replaces what a source says of a part, or adds it. It reports whether
// that made a difference.
func (h *Held) set(s Said) bool {
	i, found := slices.BinarySearchFunc(h.Said, s, bySource)
	if !found {
		h.Said = slices.Insert(h.Said, i, s)
		return true
	}
	if bytes.Equal(h.Said[i].encode(), s.encode()) {
		return false
	}
	h.Said[i] = s
	return true
}

// drop takes away what a source says of a part.
func (h *Held) drop(source, part string) bool {
	i, found := slices.BinarySearchFunc(h.Said, Said{Source: source, Part: part}, bySource)
	if found {
		h.Said = slices.Delete(h.Said, i, i+1)
	}
	return found
}

// dropSource takes away all that a source says.
func (h *Held) dropSource(source string) bool {
	n := len(h.Said)
	h.Said = slices.DeleteFunc(h.Said, func(s Said) bool { return s.Source == source })
	return len(h.Said) < n
}

// from is all that one source says.
func (h Held) from(source string) []Said {
	var out []Said
	for _, s := range h.Said {
		if s.Source == source {
			out = append(out, s)
		}
	}
	return out
}

func (h Held) clone() Held { return Held{ID: h.ID, Said: slices.Clone(h.Said)} }

func bySource(a, b Said) int {
	return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Part, b.Part))
}
