package company

import (
	"context"
	"reflect"
	"slices"
	"strings"
)

// byNumber is who the numbers that were asked for may mean. Where several were
// asked for, whoever one of them means is looked at, and the others decide.
func (s *search) byNumber(ctx context.Context) (q NumberQuery, err error) {
	if s.ID != "" || s.SafeNo != "" {
		var texts []string
		for _, text := range []string{s.ID, s.SafeNo} {
			if text != "" {
				texts = append(texts, text)
			}
		}
		meant, err := s.Register.LookupAll(ctx, texts)
		if err != nil {
			return q, err
		}
		s.only = map[ID]bool{}
		for _, text := range texts {
			if len(s.only) == 0 || s.only[meant[text]] {
				s.only = map[ID]bool{meant[text]: true}
			} else {
				s.only = map[ID]bool{"": true} // they mean two companies: none is both
			}
		}
		for id := range s.only {
			q.IDs = append(q.IDs, id)
		}
		return q, nil
	}
	if s.RegNo != "" {
		return s.byRegNo(ctx)
	}
	if s.VAT != "" {
		q.Kind, q.Values = ByVAT, s.vatForms()
	}
	return q, nil
}

func (s *search) byRegNo(ctx context.Context) (NumberQuery, error) {
	q := NumberQuery{Kind: ByRegNo}
	countries := s.Countries
	if len(countries) == 0 {
		var err error
		if countries, err = s.Store.Lands(ctx); err != nil {
			return q, err
		}
	}
	for _, country := range countries {
		for _, number := range regForms(country, s.RegNo) {
			q.IDs = append(q.IDs, ID(country+"-0-"+number))
			q.Values = append(q.Values, country+" "+number)
		}
	}
	return q, nil
}

// regForms are the ways in which a register's number may be kept. British numbers
// of eight digits are often written without the zeros that they begin with.
func regForms(country, number string) []string {
	plain := NewID(country, number).Number()
	if full := regKey(country, number); full != plain {
		return []string{plain, full}
	}
	return []string{plain}
}

// regKey is a register's number in full.
func regKey(country, number string) string {
	number = NewID(country, number).Number()
	if country == "GB" && len(number) < 8 && digitsOf(number) == number && number != "" {
		number = strings.Repeat("0", 8-len(number)) + number
	}
	return number
}

func sameReg(country, a, b string) bool { return regKey(country, a) == regKey(country, b) }

// vatForms are the ways in which a VAT number may be kept.
func (s *search) vatForms() []string {
	plain := vatKey(s.VAT)
	forms := []string{strings.TrimSpace(s.VAT), plain}
	if len(plain) > 2 && isLetters(plain[:2]) {
		forms = append(forms, plain[2:])
	}
	for _, country := range s.Countries {
		forms = append(forms, country+plain)
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

func vatKey(s string) string { return strings.ToUpper(plainNumber(s)) }

func unique(ids []ID) []ID {
	slices.Sort(ids)
	return slices.Compact(ids)
}

// A way leads to companies by one kind of key.
type way struct {
	queries []KeyQuery
	ids     []ID // the first of them
	all     bool // those are all
}

// few reports whether the way leads to so few that each can be looked at.
func (w *way) few() bool { return len(w.queries) > 0 && w.all }

// way is the first way that leads to few companies, or else the last.
func (s *search) way(ctx context.Context) (w way, err error) {
	for _, queries := range s.ways() {
		if w, err = s.follow(ctx, queries); err != nil || w.all {
			return w, err
		}
	}
	if len(s.address) > 0 && !w.all {
		from, err := s.addressWay(ctx)
		if err != nil || from.all || len(w.queries) == 0 {
			return from, err
		}
	}
	return w, nil
}

// ways are the keys that were asked for, what leads to the fewest first.
func (s *search) ways() (out [][]KeyQuery) {
	add := func(kind KeyKind, prefix bool, values ...string) {
		var queries []KeyQuery
		for _, v := range values {
			if v != "" {
				queries = append(queries, KeyQuery{Key: Key{kind, v}, Prefix: prefix, Countries: s.Countries})
			}
		}
		if len(queries) > 0 {
			out = append(out, queries)
		}
	}
	add(KeyWeb, false, s.web)
	add(KeyPhone, false, s.phones...)
	if !s.prefix {
		add(KeyPost, false, s.post)
	}
	add(KeyStreet, false, s.street)
	if s.prefix {
		add(KeyPost, true, s.post)
	}
	add(KeyCity, false, s.city)
	add(KeyRegion, false, s.region)
	return out
}

// follow looks how many companies a way leads to.
func (s *search) follow(ctx context.Context, queries []KeyQuery) (way, error) {
	w := way{queries: queries, all: true}
	for _, q := range queries {
		q.Limit = mostHits + 1
		ids, err := s.Store.KeyHolders(ctx, q)
		if err != nil {
			return w, err
		}
		w.ids = append(w.ids, ids...)
	}
	w.ids = unique(w.ids)
	w.all = len(w.ids) <= mostHits
	return w, nil
}

// addressWay looks for a post code, a town or a street in a free address.
func (s *search) addressWay(ctx context.Context) (best way, err error) {
	words := plainWords(s.Address)
	words = words[:min(len(words), 12)]
	for _, try := range []struct {
		kind KeyKind
		most int // words
		key  func(string) string
	}{{KeyPost, 2, postKey}, {KeyStreet, 4, streetKey}, {KeyCity, 3, plainKey}} {
		for n := try.most; n > 0; n-- {
			for i := 0; i+n <= len(words); i++ {
				value := try.key(strings.Join(words[i:i+n], " "))
				if value == "" || try.kind == KeyPost && !strings.ContainsAny(value, "0123456789") {
					continue
				}
				w, err := s.follow(ctx, []KeyQuery{{Key: Key{try.kind, value}, Countries: s.Countries}})
				switch {
				case err != nil:
					return best, err
				case w.all && len(w.ids) > 0:
					return w, nil
				case len(w.ids) > 0 && len(best.queries) == 0:
					best = w
				}
			}
		}
	}
	return best, nil
}

// walk looks at the companies that a way leads to, in the order of their IDs, as
// many as are looked at for one answer.
func (s *search) walk(ctx context.Context, w way, p Page) (list []found, err error) {
	if s.behind, err = s.Store.KeysBehind(ctx); err != nil {
		return nil, err
	}
	if p.After != nil && !s.asksName() {
		for i := range w.queries {
			w.queries[i].After = p.After.ID
		}
		if w, err = s.follow(ctx, w.queries); err != nil {
			return nil, err
		}
	}
	if !w.all {
		w.ids = w.ids[:mostHits]
		s.end = w.ids[mostHits-1]
	}
	if !s.onlyKey() {
		return s.those(ctx, w.ids)
	}
	for _, id := range w.ids {
		list = append(list, found{id: id})
	}
	return list, nil
}

// onlyKey reports whether one key and countries are all that is asked for: then
// whoever has the key is an answer, and only the page need be read.
func (s *search) onlyKey() bool {
	c := &s.Criteria
	for _, only := range []Criteria{
		{City: c.City}, {Post: c.Post}, {Street: c.Street}, {Region: c.Region}, {Website: c.Website}, {Phones: c.Phones},
	} {
		only.Countries = c.Countries
		if reflect.DeepEqual(only, *c) {
			return true
		}
	}
	return false
}
