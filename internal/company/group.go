package company

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// A group is all that one batch says about one company.
type group struct {
	key  int64
	who  who      // all that it is called here
	said []Said   // in the order of parts
	gone []string // parts that the source no longer holds
	all  bool     // before it said the rest, it no longer held the company

	// exact are the parts of which the source says nothing about the company
	// but this; nil: none.
	exact func(part string) bool

	// absent says that a whole list does not name the company any more.
	absent bool
}

// groups collects what a batch says about each company, in the order in which
// it first names them.
func (r *Run) groups(batch []Statement) ([]*group, error) {
	groups := make([]*group, 0, len(batch))
	byKey := make(map[int64]*group, len(batch))
	room := make([]group, len(batch))
	for i := range batch {
		s := &batch[i]
		if err := s.Check(); err != nil {
			return nil, err
		}
		who := who{s.Country, s.Number, s.LEI, s.VAT}
		key := who.key()
		g := byKey[key]
		if g == nil {
			g = &room[len(groups)]
			g.key = key
			byKey[key] = g
			groups = append(groups, g)
		}
		g.who.learn(who)
		g.add(r.source, s)
	}
	return groups, nil
}

// add takes in what a statement says. Of two about the same part the later one
// holds, so what changes and changes back has not changed.
func (g *group) add(source string, s *Statement) {
	switch {
	case s.Gone && s.Part == "":
		g.goAll()
	case s.Gone:
		g.goPart(s.Part)
	default:
		s.Prepare()
		g.say(Said{Source: source, Part: s.Part, Key: g.key, Facts: s.Facts, raw: s.Stored})
	}
}

// join takes in what the same file says later about the same company.
func (g *group) join(later *group) {
	g.who.learn(later.who)
	if later.all {
		g.goAll()
	}
	for _, part := range later.gone {
		g.goPart(part)
	}
	for _, s := range later.said {
		g.say(s)
	}
}

// goAll takes away the company. What was said of it a moment ago goes too, also
// where that had taken the place of what was said under another name.
func (g *group) goAll() {
	for _, s := range g.said {
		g.gone = append(g.gone, s.Part)
	}
	g.all, g.said = true, nil
}

func (g *group) goPart(part string) {
	g.said = slices.DeleteFunc(g.said, func(o Said) bool { return o.Part == part })
	if !slices.Contains(g.gone, part) {
		g.gone = append(g.gone, part)
	}
}

func (g *group) say(s Said) {
	g.gone = slices.DeleteFunc(g.gone, func(part string) bool { return part == s.Part })
	i, found := slices.BinarySearchFunc(g.said, s, bySource)
	if found {
		g.said[i] = s
	} else {
		g.said = slices.Insert(g.said, i, s)
	}
}

// apply puts what a group says in the place of what its source said before, and
// reports whether that is any different.
func (g *group) apply(was Held, source string) (is Held, different bool) {
	if len(was.Said) == 0 {
		return Held{ID: was.ID, Said: g.said}, len(g.said) > 0
	}
	is = was.clone()
	if g.all || g.exact != nil {
		is.Said = slices.DeleteFunc(is.Said, func(s Said) bool {
			return s.Source == source && s.Key == g.key && (g.all || g.exact(s.Part) && !g.names(s.Part))
		})
	}
	for _, part := range g.gone {
		is.drop(source, part)
	}
	for _, s := range g.said {
		is.set(s)
	}
	return is, !slices.EqualFunc(was.Said, is.Said, sameSaid)
}

func (g *group) names(part string) bool {
	_, found := slices.BinarySearchFunc(g.said, part, func(s Said, part string) int { return cmp.Compare(s.Part, part) })
	return found
}

// hash is the fingerprint of all that a group says.
func (g *group) hash() int64 { return hashOf(g.said) }

// fingerprint is what a source says about a company under one name of it.
func (h Held) fingerprint(source string, key int64) Fingerprint {
	return Fingerprint{Source: source, Key: key, Company: h.ID, Hash: hashOf(h.under(source, key))}
}

// nothing is the fingerprint of a source that says nothing.
var nothing = hashOf(nil)

func hashOf(said []Said) int64 {
	var h xxhash.Digest
	h.Reset()
	var n [4]byte
	for i := range said {
		raw := said[i].encode()
		binary.BigEndian.PutUint32(n[:], uint32(len(said[i].Part)))
		_, _ = h.Write(n[:])
		_, _ = h.WriteString(said[i].Part)
		binary.BigEndian.PutUint32(n[:], uint32(len(raw)))
		_, _ = h.Write(n[:])
		_, _ = h.Write(raw)
	}
	return int64(h.Sum64())
}
