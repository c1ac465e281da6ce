package match

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"bureau/internal/match/roman"
)

// A draft collects entries for a segment. It numbers words as they come; the
// segment sorts them.
type draft struct {
	entries []draftEntry
	rows    []draftRow
	rowWord []uint32
	extra   []byte
	tokens  []token
	kinds   []Kind
	number  map[wordKey]uint32
}

// A wordKey is what makes a word a word of its own.
type wordKey struct {
	text   string
	class  class
	script roman.Form
	kind   Kind
	dotted bool
}

func (t *token) key(k Kind) wordKey { return wordKey{t.text, t.class, t.script, k, t.dotted} }

type draftEntry struct {
	id        uint64
	kind      Kind
	land      uint16
	row, rows uint32
	from, to  uint32 // in extra
	draft     *draft
}

type draftRow struct {
	from, to uint32 // in rowWord
	form     uint16
	flags    uint8
}

func newDraft() *draft { return &draft{number: map[wordKey]uint32{}} }

// add takes a subject in. Its words are copied, so that a long list of them does
// not hold on to the texts they came from.
func (d *draft) add(id uint64, s *Subject) {
	e := draftEntry{id: id, kind: s.Kind, row: uint32(len(d.rows)), from: uint32(len(d.extra)), draft: d}
	if len(s.Countries) > 0 {
		e.land = land(s.Countries[0])
	}
	d.extra = appendFacts(d.extra, s)
	e.to = uint32(len(d.extra))
	for i := range s.Names {
		a := &s.Names[i]
		flags := uint8(0)
		if a.Weak {
			flags = rowWeak
		}
		if len(a.han) > 0 {
			d.addRow(s.Kind, a.han, 0, flags|rowHan)
			flags |= rowFromHan
		}
		for j := range a.readings {
			r := &a.readings[j]
			d.addRow(s.Kind, r.tokens, r.form, flags)
		}
	}
	e.rows = uint32(len(d.rows)) - e.row
	d.entries = append(d.entries, e)
}

func (d *draft) addRow(k Kind, tokens []token, form uint16, flags uint8) {
	r := draftRow{from: uint32(len(d.rowWord)), form: form, flags: flags}
	for i := range tokens {
		t := &tokens[i]
		key := t.key(k)
		n, ok := d.number[key]
		if !ok {
			n = uint32(len(d.tokens))
			own := *t
			own.text = strings.Clone(t.text)
			if own.sound = own.text; t.sound != t.text {
				own.sound = strings.Clone(t.sound)
			}
			key.text = own.text
			d.number[key] = n
			d.tokens = append(d.tokens, own)
			d.kinds = append(d.kinds, k)
		}
		d.rowWord = append(d.rowWord, n)
	}
	r.to = uint32(len(d.rowWord))
	d.rows = append(d.rows, r)
}

// addFrom takes over what is alive in a segment.
func (d *draft) addFrom(s *segment) {
	var buf [maxTokens]token
	for e := range uint32(len(s.ids)) {
		if s.isDead(e) {
			continue
		}
		entry := draftEntry{
			id: s.ids[e], kind: Kind(s.kind[e]), land: s.land[e],
			row: uint32(len(d.rows)), from: uint32(len(d.extra)), draft: d,
		}
		d.extra = append(d.extra, s.extra[s.extraFrom[e]:s.extraFrom[e+1]]...)
		entry.to = uint32(len(d.extra))
		for row := s.rowStart[e]; row < s.rowStart[e+1]; row++ {
			d.addRow(entry.kind, s.tokens(row, &buf), s.rowForm[row], s.rowFlags[row])
		}
		entry.rows = uint32(len(d.rows)) - entry.row
		d.entries = append(d.entries, entry)
	}
}

// segment makes one segment of drafts. Of two entries with the same id the last
// counts.
func buildSegment(drafts []*draft) *segment {
	var entries []draftEntry
	for _, d := range drafts {
		entries = append(entries, d.entries...)
	}
	slices.SortStableFunc(entries, func(a, b draftEntry) int {
		switch {
		case a.id < b.id:
			return -1
		case a.id > b.id:
			return 1
		}
		return 0
	})
	kept := entries[:0]
	for i, e := range entries {
		if i+1 < len(entries) && entries[i+1].id == e.id {
			continue
		}
		kept = append(kept, e)
	}
	s := &segment{}
	renumber := s.addWords(drafts)
	s.addEntries(kept, renumber)
	s.finish()
	return s
}

// addWords merges the words of all drafts, sorted, and returns for each draft the
// new numbers of its words.
func (s *segment) addWords(drafts []*draft) map[*draft][]uint32 {
	type ref struct {
		key   wordKey
		token *token
	}
	var all []ref
	for _, d := range drafts {
		for i := range d.tokens {
			t := &d.tokens[i]
			all = append(all, ref{t.key(d.kinds[i]), t})
		}
	}
	slices.SortFunc(all, func(a, b ref) int { return a.key.compare(b.key) })
	number := make(map[wordKey]uint32, len(all))
	s.letterAt = append(s.letterAt, 0)
	for i, r := range all {
		if i > 0 && all[i-1].key == r.key {
			continue
		}
		number[r.key] = uint32(len(s.words))
		t := r.token
		text := t.text
		if len(text) > math.MaxUint8 {
			text = text[:math.MaxUint8]
		}
		s.letters = append(s.letters, text...)
		if t.sound != t.text {
			s.letters = append(s.letters, t.sound...)
		}
		s.letterAt = append(s.letterAt, uint32(len(s.letters)))
		s.words = append(s.words, wordFacts{
			Mask: t.mask, Bones: t.bones, Symbol: t.symbol, Short: t.short, Bits: t.bits, Script: uint8(t.script),
			Class: uint8(t.class) | uint8(r.key.kind)<<7, TextLen: uint8(len(text)), Dotted: t.dotted, Common: t.common,
		})
	}
	renumber := make(map[*draft][]uint32, len(drafts))
	for _, d := range drafts {
		list := make([]uint32, len(d.tokens))
		for i := range d.tokens {
			list[i] = number[d.tokens[i].key(d.kinds[i])]
		}
		renumber[d] = list
	}
	return renumber
}

func (k wordKey) compare(o wordKey) int {
	if c := strings.Compare(k.text, o.text); c != 0 {
		return c
	}
	return k.rank() - o.rank()
}

// rank orders words of the same letters.
func (k wordKey) rank() int {
	n := int(k.class)<<16 | int(k.script)<<8 | int(k.kind)<<1
	if k.dotted {
		n++
	}
	return n
}

func (s *segment) addEntries(entries []draftEntry, renumber map[*draft][]uint32) {
	s.ids = make([]uint64, 0, len(entries))
	s.dead = make([]uint64, len(entries)/64+1)
	s.rowStart = append(make([]uint32, 0, len(entries)+1), 0)
	s.extraFrom = append(make([]uint32, 0, len(entries)+1), 0)
	s.wordStart = append(s.wordStart, 0)
	for i, e := range entries {
		d := e.draft
		s.ids = append(s.ids, e.id)
		s.kind = append(s.kind, uint8(e.kind))
		s.land = append(s.land, e.land)
		s.extra = append(s.extra, d.extra[e.from:e.to]...)
		s.extraFrom = append(s.extraFrom, uint32(len(s.extra)))
		for _, r := range d.rows[e.row : e.row+e.rows] {
			s.rowEntry = append(s.rowEntry, uint32(i))
			for _, w := range d.rowWord[r.from:r.to] {
				s.rowWord = append(s.rowWord, renumber[d][w])
			}
			s.wordStart = append(s.wordStart, uint32(len(s.rowWord)))
			s.rowForm = append(s.rowForm, r.form)
			s.rowFlags = append(s.rowFlags, r.flags)
		}
		s.rowStart = append(s.rowStart, uint32(len(s.rowEntry)))
	}
}

// land packs a country code into two bytes; 0 is none.
func land(code string) uint16 {
	if len(code) != 2 {
		return 0
	}
	return binary.BigEndian.Uint16([]byte(strings.ToUpper(code)))
}
