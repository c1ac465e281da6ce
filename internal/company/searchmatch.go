package company

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"bureau/internal/match"
)

// A MatchQuery asks which company is meant by a name and whatever else is known.
type MatchQuery struct {
	Country string
	Name    string
	RegNo   string
	VAT     string
	Street  string
	House   string
	City    string
	Post    string
	Region  string
	Phone   string
	Least   int // the rating from which a company is an answer, 893 to 999
}

// A Matched is a company that may be the one that was meant.
type Matched struct {
	Company
	Rating int // up to 999; from 893 on it is a match
	Grades MatchGrades
	Why    []string
	Hit    Hit
	other  bool // it was found by a name that it trades under or that it had
}

// MatchGrades say part by part how a company stands to what was asked: A agrees,
// B is close, F differs, Z was not asked for or is not known.
type MatchGrades struct {
	Name, Words, Form, RegNo, VAT, Street, House, City, Region, Post, Country, Phone string
}

// String is the grades in one word, in the order of the fields.
func (g MatchGrades) String() string {
	return g.Name + g.Words + g.Form + g.RegNo + g.VAT + g.Street + g.House + g.City + g.Region + g.Post + g.Country + g.Phone
}

// Rating is a score on the scale of company matching: 893 is where a match
// begins, and 999 is identity.
func Rating(score float64) int { return match.CompanyRating(score) }

// mostMatches is how many companies one match may answer with.
const mostMatches = 50

// Match finds the companies that a name means, the likeliest first. What else is
// known can confirm a name or weaken it, never replace it: a company of another
// name is no match, whatever its number.
func (f *Finder) Match(ctx context.Context, q MatchQuery) ([]Matched, error) {
	held, err := f.names()
	if err != nil {
		return nil, err
	}
	number, err := f.newSearch(Criteria{Countries: []string{q.Country}, RegNo: q.RegNo, VAT: q.VAT}).byNumber(ctx)
	if err != nil {
		return nil, err
	}
	asked := match.NewSubject(match.Company, q.Name)
	for _, m := range held.companies.index.Search(asked, mostMatches, match.Filter{Countries: []string{q.Country}}) {
		if id, ok := held.companies.numbers.id(m.ID); ok && m.Score > 0.1 {
			number.IDs = append(number.IDs, ID(id))
		}
	}
	number.Limit = mostHits
	found, err := f.Store.Numbered(ctx, number)
	if err != nil {
		return nil, err
	}
	var out []Matched
	for _, n := range found {
		if m := q.rate(Merge(n.Held)); m.Rating >= q.Least && m.ID.Country() == q.Country {
			m.Hit.Changed = n.Changed
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b Matched) int {
		return cmp.Or(cmp.Compare(b.Rating, a.Rating), cmp.Compare(b.agrees(), a.agrees()),
			presentFirst(&a, &b), cmp.Compare(b.Hit.Chance, a.Hit.Chance), activeFirst(&a.Company, &b.Company), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}

// activeFirst puts a company that lives before one of the same name that does
// not.
func activeFirst(a, b *Company) int {
	lives := func(c *Company) int {
		if c.Status == Active {
			return 0
		}
		return 1
	}
	return lives(a) - lives(b)
}

// presentFirst puts a company of that name before one that had it or trades
// under it.
func presentFirst(a, b *Matched) int {
	switch {
	case a.other == b.other:
		return 0
	case b.other:
		return -1
	}
	return 1
}

func (m *Matched) agrees() int { return strings.Count(m.Grades.String(), "A") }

// contradicts is what each part that differs costs a match: enough to put the
// right one of two namesakes first, not enough to lose a company that has moved.
const contradicts = 10

// rate compares a company with what was asked.
func (q *MatchQuery) rate(c Company) Matched {
	at := q.nearest(&c)
	v, by := q.compare(&c, at)
	m := Matched{Company: c, Rating: match.CompanyRating(v.Score), Why: v.Why}
	if words, other := otherNames[by.Kind]; other {
		m.other = true
		m.Why = append([]string{words + by.Text}, m.Why...)
	}
	m.Hit = Hit{Company: c, Score: v.Score, Chance: v.Probability}
	m.Grades = MatchGrades{Name: v.Grades.Name, Words: v.Grades.Words, Form: v.Grades.Form, Country: v.Grades.Country}
	country := c.ID.Country()
	for _, part := range []struct {
		into        *string
		word        string
		asked, kept string // as they are compared
	}{
		{&m.Grades.RegNo, "register number", regPart(country, q.RegNo), regPart(country, cmp.Or(c.RegNo, c.ID.Number()))},
		{&m.Grades.VAT, "VAT number", vatPart(country, q.VAT), vatPart(country, firstVAT(&c, q.VAT))},
		{&m.Grades.Street, "street", streetKey(q.Street), streetKey(at.street(q.Street))},
		{&m.Grades.House, "house number", plainKey(q.House), plainKey(at.House)},
		{&m.Grades.City, "city", plainKey(q.City), plainKey(at.City)},
		{&m.Grades.Region, "province", plainKey(q.Region), plainKey(at.Region)},
		{&m.Grades.Post, "post code", postKey(q.Post), postKey(at.Post)},
		{&m.Grades.Phone, "telephone number", phoneKey(q.Phone), phoneKey(nearPhone(&c, q.Phone))},
	} {
		switch *part.into = "Z"; {
		case part.asked == "" || part.kept == "":
		case part.asked == part.kept:
			*part.into = "A"
			m.Why = append(m.Why, "the "+part.word+" agrees")
		default:
			*part.into = "F"
			m.Why = append(m.Why, "the "+part.word+" differs")
			m.Rating -= contradicts
		}
	}
	m.Rating = max(m.Rating, 0)
	return m
}

// otherNames say in a reason what sort of name a company was found by. Those in
// another script are as good as the present one.
var otherNames = map[NameKind]string{
	Trading: "it trades as ",
	Former:  "it was called ",
	Short:   "it is known as ",
}

// compare compares a company by its present name, or by another of its names
// where that is nearer.
func (q *MatchQuery) compare(c *Company, at *Address) (best match.Verdict, by Name) {
	asked, held := q.subject(), c.matchSubject(at)
	judge := func(name string) match.Verdict {
		held.Names = match.NewSubject(match.Company, name).Names
		return match.Compare(asked, held)
	}
	if c.Name != "" {
		best = judge(c.Name)
	}
	for _, n := range c.Names {
		if v := judge(n.Text); v.Score > best.Score || best.Why == nil {
			best, by = v, n
		}
	}
	return best, by
}

// subject is who is meant.
func (q *MatchQuery) subject() match.Subject {
	s := match.NewSubject(match.Company, q.Name)
	s.Countries = []string{q.Country}
	s.Identifiers = identifiers(q.Country, q.RegNo, q.VAT)
	s.Address = Address{House: q.House, Street: q.Street, City: q.City, Post: q.Post}.Line()
	return s
}

// matchSubject is a company with all that can be compared.
func (c *Company) matchSubject(at *Address) match.Subject {
	s := c.subject()
	s.Identifiers = identifiers(c.ID.Country(), cmp.Or(c.RegNo, c.ID.Number()), c.VAT...)
	s.Address = at.Line()
	return s
}

func identifiers(country, regNo string, vat ...string) (out []match.Identifier) {
	if n := regPart(country, regNo); n != "" {
		out = append(out, match.Identifier{Kind: "register", Value: n})
	}
	for _, v := range vat {
		if n := vatPart(country, v); n != "" {
			out = append(out, match.Identifier{Kind: "vat", Value: n})
		}
	}
	return out
}

func regPart(country, number string) string {
	if strings.TrimSpace(number) == "" {
		return ""
	}
	return regKey(country, number)
}

func vatPart(country, number string) string { return strings.TrimPrefix(vatKey(number), country) }

// firstVAT is the company's VAT number that was asked for, or else any.
func firstVAT(c *Company, asked string) string {
	for _, v := range c.VAT {
		if sameVAT(c.ID.Country(), v, asked) {
			return v
		}
	}
	return append(c.VAT, "")[0]
}

func nearPhone(c *Company, asked string) string {
	for _, p := range c.Phones {
		if phoneKey(p) == phoneKey(asked) {
			return p
		}
	}
	return append(c.Phones, "")[0]
}

// street is the line of an address that may be the street that was asked for.
func (a *Address) street(asked string) string {
	lines := a.streets()
	for _, line := range lines {
		if streetKey(line) == streetKey(asked) {
			return line
		}
	}
	return append(lines, "")[0]
}

// nearest is the company's address that has most of what was asked.
func (q *MatchQuery) nearest(c *Company) *Address {
	best, most := &Address{}, -1
	for i := range c.Addresses {
		a := &c.Addresses[i]
		if a.Kind == FormerAddress {
			continue
		}
		n := 0
		for _, same := range []bool{
			q.Post != "" && postKey(q.Post) == postKey(a.Post), q.City != "" && plainKey(q.City) == plainKey(a.City),
			q.Street != "" && streetKey(q.Street) == streetKey(a.street(q.Street)),
		} {
			if same {
				n++
			}
		}
		if n > most {
			best, most = a, n
		}
	}
	return best
}
