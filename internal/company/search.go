package company

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"time"

	"bureau/internal/fault"
	"bureau/internal/match"
)

// Criteria are what companies are searched by. What is empty is not asked for;
// all that is asked for must hold.
type Criteria struct {
	Countries []string // of registration; none is all
	Listed    bool     // its shares are listed: it has an ISIN or a ticker

	ID, SafeNo, RegNo, VAT string

	Name      string // near to one of its names
	TradeName string // near to a trading name
	Acronym   string // a short name
	Exact     bool   // Name is equal to one of its names, in other letters at most

	// One of its addresses has all of these.
	Address, Street, House, City, Region string
	Post                                 string // behind a * anything may follow

	Phones  []string // any of them
	Website string

	Status Status
	Kind   KindFilter
	Office Office

	NoTradingNames, NoFormerNames, NoTradingPlaces bool
}

// KindFilter is a kind of company in the words that clients filter by.
type KindFilter string

const (
	KindNotSet       KindFilter = "NotSet"
	KindLtd          KindFilter = "Ltd"
	KindNonLtd       KindFilter = "NonLtd"
	KindUnregistered KindFilter = "NonLtdNonReg" // not limited, and in no register
)

// A Position is where a list of hits broke off.
type Position struct {
	Chance float64
	ID     ID
}

// A Page is which part of the hits is wanted.
type Page struct {
	Skip, Limit int
	After       *Position // only what is behind it; then Skip is 0
}

// A Hit is a company that was found.
type Hit struct {
	Company
	Score   float64   // 0–1: how near its name is; 0 if none was asked for
	Chance  float64   // that it is the one, by its name
	Changed time.Time // the last change that the log holds
}

// Position is where the hit stands.
func (h *Hit) Position() Position { return Position{h.Chance, h.ID} }

// Hits are a page of what was found: the likeliest first where a name was asked
// for, else in the order of their IDs.
type Hits struct {
	List    []Hit
	Total   int       // on all pages; behind a position, on those that are left
	AtLeast bool      // there may be more than Total
	Next    *Position // where to read on; nil at the end
	Behind  int64     // so many changes of addresses and telephones are not in it yet
}

const (
	// mostHits is how many companies are looked at for one answer. Who finds
	// more than that must say more, or read on.
	mostHits = 2000
	// mostNames is how many the index of names is asked for.
	mostNames = 100
)

// found is a company on its way to becoming a hit.
type found struct {
	id            ID
	score, chance float64
	company       *Company // once it was read
	changed       *time.Time
}

// A search is one question.
type search struct {
	*Finder
	Criteria
	post, city, street, region, web string // as keys
	prefix                          bool   // post is the beginning of a post code
	house                           []string
	address                         []string
	phones                          []string
	name, tradeName                 match.Subject
	only                            map[ID]bool // what ID and SafeNo mean, if they are asked for

	end    ID    // the last company that was looked at, where more could be
	behind int64 // see Hits
}

// Search finds companies. A question that names nothing to look for is a
// fault.Invalid; one for a name is a fault.Busy until the index is ready.
func (f *Finder) Search(ctx context.Context, c Criteria, p Page) (Hits, error) {
	s := f.newSearch(c)
	list, err := s.find(ctx, p)
	if err != nil {
		return Hits{}, err
	}
	out := Hits{Total: len(list), AtLeast: s.end != "", Behind: s.behind}
	page, more := cut(list, p)
	switch {
	case more:
		last := page[len(page)-1]
		out.Next = &Position{last.chance, last.id}
	case s.end != "":
		out.Next = &Position{0, s.end}
	}
	out.List, err = f.hits(ctx, page)
	return out, err
}

func (f *Finder) newSearch(c Criteria) *search {
	s := &search{
		Finder: f, Criteria: c, city: plainKey(c.City), street: streetKey(c.Street), region: plainKey(c.Region),
		web: webKey(c.Website), house: plainWords(c.House), address: addressWords(c.Address),
	}
	s.post = postKey(c.Post)
	s.prefix = len(c.Post) > 0 && c.Post[len(c.Post)-1] == '*'
	for _, p := range c.Phones {
		if k := phoneKey(p); k != "" {
			s.phones = append(s.phones, k)
		}
	}
	if c.Name != "" {
		s.name = match.NewSubject(match.Company, c.Name)
	}
	if c.TradeName != "" {
		s.tradeName = match.NewSubject(match.Company, c.TradeName)
	}
	return s
}

// find goes the way that promises the fewest companies: a number, then what else
// leads to few, then names, then what leads to many. What it finds is sorted.
func (s *search) find(ctx context.Context, p Page) ([]found, error) {
	if s.asksNumber() {
		// A connectId that is there means itself, and need not be looked up.
		if id, ok := directID(s.ID); ok && isPlain(s.ID) && isConnectID(s.ID) && s.SafeNo == "" {
			s.only = map[ID]bool{id: true}
			if list, err := s.numbered(ctx, NumberQuery{IDs: []ID{id}}); err != nil || len(list) > 0 {
				return list, err
			}
		}
		q, err := s.byNumber(ctx)
		if err != nil {
			return nil, err
		}
		return s.numbered(ctx, q)
	}
	w, err := s.way(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case s.asksName() && !w.few():
		return s.byName(ctx)
	case len(w.queries) > 0:
		return s.walk(ctx, w, p)
	case s.Address != "": // it leads nowhere
		return nil, nil
	}
	return nil, fault.Invalid.Errorf("there is nothing to look for: give a name, a number, an address, a telephone number or a web site")
}

func (s *search) asksNumber() bool {
	return s.ID != "" || s.SafeNo != "" || s.RegNo != "" || s.VAT != ""
}

func (s *search) asksName() bool { return s.Name != "" || s.TradeName != "" || s.Acronym != "" }

// those reads companies and keeps the ones that all criteria hold for.
func (s *search) those(ctx context.Context, ids []ID) ([]found, error) {
	var out []found
	for part := range slices.Chunk(ids, 200) {
		held, err := s.Register.Companies(ctx, part)
		if err != nil {
			return nil, err
		}
		for _, id := range part {
			if c, ok := held[id]; ok {
				if hit, ok := s.judge(&c); ok {
					out = append(out, hit)
				}
			}
		}
	}
	sortFound(out)
	return out, nil
}

// numbered is those for what numbers lead to, in one question.
func (s *search) numbered(ctx context.Context, q NumberQuery) ([]found, error) {
	q.Limit = mostHits
	list, err := s.Store.Numbered(ctx, q)
	if err != nil {
		return nil, err
	}
	var out []found
	for i := range list {
		c := Merge(list[i].Held)
		if hit, ok := s.judge(&c); ok {
			hit.changed = &list[i].Changed
			out = append(out, hit)
		}
	}
	sortFound(out)
	return out, nil
}

// judge reports whether all criteria hold for a company.
func (s *search) judge(c *Company) (found, bool) {
	if !s.passes(c) {
		return found{}, false
	}
	score, chance, ok := s.nameScore(c)
	return found{c.ID, score, chance, c, nil}, ok
}

// byName asks the index of names.
func (s *search) byName(ctx context.Context) ([]found, error) {
	held, err := s.names()
	if err != nil {
		return nil, err
	}
	q := s.name
	if s.Name == "" {
		q = s.tradeName
		if s.TradeName == "" {
			q = match.NewSubject(match.Company, s.Acronym)
		}
	}
	var near []found
	for _, m := range held.companies.index.Search(q, mostNames, match.Filter{Countries: s.Countries}) {
		if id, ok := held.companies.numbers.id(m.ID); ok {
			near = append(near, found{id: ID(id), score: m.Score, chance: m.Probability})
		}
	}
	var ids []ID
	for _, at := range near {
		ids = append(ids, at.id)
	}
	if !s.onlyName() {
		return s.those(ctx, ids)
	}
	read, err := s.Register.Companies(ctx, ids)
	if err != nil {
		return nil, err
	}
	near = slices.DeleteFunc(near, func(at found) bool {
		c, ok := read[at.id]
		return !ok || !isNear(at.score, q, c.texts(nil))
	})
	for i := range near {
		c := read[near[i].id]
		near[i].company = &c
	}
	sortFound(near)
	return near, nil
}

// onlyName reports whether nothing but a name and countries is asked for: then
// the index has said all there is to say.
func (s *search) onlyName() bool {
	return reflect.DeepEqual(s.Criteria, Criteria{Name: s.Name, Countries: s.Countries})
}

// sortFound puts the likeliest first.
func sortFound(list []found) {
	slices.SortFunc(list, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.chance, a.chance), cmp.Compare(a.id, b.id))
	})
}

// cut takes a page out of a sorted list.
func cut(list []found, p Page) (page []found, more bool) {
	if at := p.After; at != nil {
		list = list[firstBehind(list, *at):]
	}
	list = list[min(p.Skip, len(list)):]
	n := min(p.Limit, len(list))
	return list[:n], n < len(list)
}

func firstBehind(list []found, at Position) int {
	i := slices.IndexFunc(list, func(f found) bool {
		return f.chance < at.Chance || f.chance == at.Chance && f.id > at.ID
	})
	if i < 0 {
		return len(list)
	}
	return i
}

// hits reads what is to be shown of a page and was not read yet. A company that
// has gone since is left out.
func (f *Finder) hits(ctx context.Context, list []found) ([]Hit, error) {
	var unread, undated []ID
	for _, at := range list {
		if at.company == nil {
			unread = append(unread, at.id)
		}
		if at.changed == nil {
			undated = append(undated, at.id)
		}
	}
	held, err := f.Register.Companies(ctx, unread)
	if err != nil {
		return nil, err
	}
	changed, err := f.Store.LatestChanges(ctx, undated)
	if err != nil {
		return nil, err
	}
	var out []Hit
	for _, at := range list {
		c, ok := held[at.id]
		if at.company != nil {
			c, ok = *at.company, true
		}
		when := changed[at.id]
		if at.changed != nil {
			when = *at.changed
		}
		if ok {
			out = append(out, Hit{c, at.score, at.chance, when})
		}
	}
	return out, nil
}
