package company

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// Said is what one source says about a company, or about a part of it.
type Said struct {
	Source string
	Part   string
	Key    int64 // of the name by which the source spoke of the company
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
	Key    int64           `json:"k,omitempty"` // 0: that of the company's ID
	Facts  json.RawMessage `json:"f"`
}

// Encode writes what is said in the form in which it is stored.
func (h Held) Encode() []byte {
	size := 2
	for i := range h.Said {
		s := &h.Said[i]
		size += len(s.encode()) + len(s.Source) + len(s.Part) + 64
	}
	own := h.ID.key()
	b := append(make([]byte, 0, size), '[')
	for i := range h.Said {
		if i > 0 {
			b = append(b, ',')
		}
		s := &h.Said[i]
		b = appendQuoted(append(b, `{"s":`...), s.Source)
		if s.Part != "" {
			b = appendQuoted(append(b, `,"p":`...), s.Part)
		}
		if s.Key != 0 && s.Key != own {
			b = strconv.AppendInt(append(b, `,"k":`...), s.Key, 10)
		}
		b = append(append(append(b, `,"f":`...), s.encode()...), '}')
	}
	return append(b, ']')
}

func (s *Said) encode() []byte {
	if s.raw == nil {
		s.raw = s.Facts.append(make([]byte, 0, 640))
	}
	return s.raw
}

// Read reads what Encode wrote. It does not keep the stored form, which only
// those need who write again.
func Read(id ID, b []byte) (Held, error) {
	if said, ok := readSaid(id, b, false); ok {
		return Held{id, said}, nil
	}
	h, err := slowDecode(id, b)
	for i := range h.Said {
		h.Said[i].raw = nil
	}
	return h, err
}

// Decode reads what Encode wrote.
func Decode(id ID, b []byte) (Held, error) {
	if said, ok := readSaid(id, b, true); ok {
		return Held{id, said}, nil
	}
	return slowDecode(id, b)
}

// slowDecode reads any JSON of that form.
func slowDecode(id ID, b []byte) (Held, error) {
	var saved []savedSaid
	if err := json.Unmarshal(b, &saved); err != nil {
		return Held{}, fmt.Errorf("read company %s: %w", id, err)
	}
	h := Held{ID: id, Said: make([]Said, len(saved))}
	for i, s := range saved {
		h.Said[i] = Said{Source: s.Source, Part: s.Part, Key: cmp.Or(s.Key, id.key()), raw: s.Facts}
		if err := json.Unmarshal(s.Facts, &h.Said[i].Facts); err != nil {
			return Held{}, fmt.Errorf("read what %s says of %s: %w", s.Source, id, err)
		}
	}
	return h, nil
}

// set replaces what a source says of a part, or adds it.
func (h *Held) set(s Said) {
	i, found := slices.BinarySearchFunc(h.Said, s, bySource)
	if found {
		h.Said[i] = s
	} else {
		h.Said = slices.Insert(h.Said, i, s)
	}
}

// drop takes away what a source says of a part.
func (h *Held) drop(source, part string) {
	i, found := slices.BinarySearchFunc(h.Said, Said{Source: source, Part: part}, bySource)
	if found {
		h.Said = slices.Delete(h.Said, i, i+1)
	}
}

// under is all that one source says under one name of the company.
func (h Held) under(source string, key int64) []Said {
	var out []Said
	for _, s := range h.Said {
		if s.Source == source && s.Key == key {
			out = append(out, s)
		}
	}
	return out
}

func (h Held) clone() Held { return Held{ID: h.ID, Said: slices.Clone(h.Said)} }

func bySource(a, b Said) int {
	return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Part, b.Part))
}

// isFrom reports whether two are of the same part under the same name.
func (s Said) isFrom(o Said) bool { return s.Source == o.Source && s.Part == o.Part && s.Key == o.Key }

func sameSaid(a, b Said) bool { return a.isFrom(b) && bytes.Equal(a.encode(), b.encode()) }
