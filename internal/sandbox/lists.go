package sandbox

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/kyc"
)

// How many of each country are on the sandbox's list on its first day. The first
// of the people are those who sit on many boards.
const (
	listedDirectors = 3
	listedStrangers = 6
	listedCompanies = 3
	listedShips     = 2
)

// strangerFrom is a number beyond that of any director.
const strangerFrom = 500_000

// Listed is the sandbox's list on its first day: invented people, companies and
// ships, some of the world's own directors and companies among them.
func (w World) Listed() []kyc.Record {
	var out []kyc.Record
	for _, l := range lands {
		for n := range listedDirectors {
			out = append(out, w.listedPerson(l, n, day(Birthday.AddDate(-2, n, 0))))
		}
		for n := range listedStrangers {
			out = append(out, w.listedPerson(l, strangerFrom+n, day(Birthday.AddDate(-1, -n, 0))))
		}
		for n := range listedCompanies {
			out = append(out, w.listedCompany(l, 7+40*n))
		}
		for n := range listedShips {
			out = append(out, w.listedShip(l, n))
		}
	}
	return out
}

// ListExample is a person and a company on the list, to try a search with.
func (w World) ListExample() (person, business string) {
	p, c := w.listedPerson(lands[0], 0, ""), w.listedCompany(lands[0], 7)
	return p.Main(), c.Main()
}

// listedOn is who is put on the list on a day of the world, the n-th after its
// first.
func (w World) listedOn(n int64, at time.Time) kyc.Record {
	l := lands[n%int64(len(lands))]
	return w.listedPerson(l, strangerFrom+1000+int(n), day(at))
}

func newListed(number string, kind kyc.Kind, listed company.Date, datasets ...kyc.Dataset) kyc.Record {
	e := kyc.Entry{
		List: kyc.Sandbox, Number: number, Kind: kind, Datasets: datasets, Listed: listed,
		Sources: []kyc.Source{{
			Title: "The sandbox's list", Description: "Nobody on it exists.",
			Link: "https://lists.example/entries/" + number, Added: listed, Datasets: datasets,
		}},
	}
	if datasets[0] == kyc.SANCurrent {
		e.Bodies = []kyc.Body{kyc.SandboxBody}
		e.Programmes, e.Measures = []string{"EXAMPLE-1"}, []string{"Asset freeze"}
		e.Reasons = []string{"Listed so that a search finds somebody."}
	}
	return kyc.Record{Entry: e}
}

func (w World) listedPerson(l land, n int, listed company.Date) kyc.Record {
	p := w.person(l, n)
	r := w.random("listed "+l.code, n)
	datasets := [][]kyc.Dataset{
		{kyc.SANCurrent}, {kyc.SANCurrent}, {kyc.PEPCurrent}, {kyc.PEPLinked}, {kyc.POI}, {kyc.PEPFormer, kyc.ENF},
	}[n%6]
	rec := newListed(fmt.Sprintf("%s-P%06d", l.code, n), kyc.Person, listed, datasets...)
	e := &rec.Entry
	e.Names = append([]kyc.Name{{Text: p.Name, First: p.First, Middle: p.Middle, Last: p.Surname}}, aliases(r, p)...)
	e.Born = []kyc.Date{{On: p.Birth}}
	if r.IntN(4) == 0 {
		e.Born = []kyc.Date{{On: p.Birth[:4], About: true}}
	}
	e.Nationalities = []string{l.code}
	if e.Datasets[0] == kyc.PEPCurrent {
		e.Positions, e.PEPTier = []string{"Member of the example council"}, 2
	}
	e.Identifiers = []kyc.Identifier{{Type: kyc.Passport, Value: fmt.Sprintf("X%07d", r.IntN(1e7)), Country: l.code}}
	if a := p.Address; a != nil {
		e.Addresses = []kyc.Address{{Line: a.House + " " + a.Street, City: a.City, Region: a.Region, Post: a.Post, Country: l.code}}
	}
	return rec
}

// aliases are other ways to write a person's name, the last of them weak.
func aliases(r *rand.Rand, p company.Person) []kyc.Name {
	swaps := [][2]string{{"c", "k"}, {"w", "v"}, {"i", "y"}, {"ss", "s"}, {"ll", "l"}, {"rr", "r"}, {"e", "a"}}
	out := []kyc.Name{{Text: p.Surname + " " + p.First, Type: kyc.Alias}}
	for _, s := range swaps {
		if other := strings.Replace(p.Surname, s[0], s[1], 1); other != p.Surname {
			out = append(out, kyc.Name{Text: p.First + " " + other, Type: kyc.Alias})
			break
		}
	}
	if r.IntN(2) == 0 {
		out = append(out, kyc.Name{Text: p.First[:1] + ". " + p.Surname, Type: kyc.Alias, Weak: true})
	}
	return out
}

func (w World) listedCompany(l land, n int) kyc.Record {
	c := 0
	for i := range lands {
		if lands[i].code == l.code {
			c = i
		}
	}
	facts := w.company(c, l, n%max(1, w.PerCountry)).Facts
	rec := newListed(fmt.Sprintf("%s-C%06d", l.code, n), kyc.Company, day(Birthday.AddDate(-1, 0, -n)), kyc.SANCurrent)
	e := &rec.Entry
	e.Names = []kyc.Name{{Text: facts.Name}}
	for _, other := range facts.Names {
		is := kyc.Alias
		if other.Kind == company.Former {
			is = kyc.Former
		}
		e.Names = append(e.Names, kyc.Name{Text: other.Text, Type: is})
	}
	e.Countries = []string{l.code}
	e.Identifiers = []kyc.Identifier{{Type: kyc.Registration, Value: facts.RegNo, Country: l.code}}
	for _, a := range facts.Addresses {
		e.Addresses = append(e.Addresses, kyc.Address{Line: a.House + " " + a.Street, City: a.City, Region: a.Region, Post: a.Post, Country: l.code})
	}
	return rec
}

func (w World) listedShip(l land, n int) kyc.Record {
	r := w.random("ship "+l.code, n)
	rec := newListed(fmt.Sprintf("%s-S%06d", l.code, n), kyc.Vessel, day(Birthday.AddDate(0, -1-n, 0)), kyc.SANCurrent)
	e := &rec.Entry
	e.Names = []kyc.Name{
		{Text: strings.ToUpper(l.compound(r) + " " + pick(r, []string{"Star", "Pioneer", "Trader", "Spirit"}))},
		{Text: strings.ToUpper(l.compound(r)), Type: kyc.Former},
	}
	e.Identifiers = []kyc.Identifier{{Type: kyc.IMO, Value: imo(900000 + r.IntN(99999))}}
	e.Ship = &kyc.Ship{Type: "Oil tanker", Flag: l.code, Built: fmt.Sprint(1990 + r.IntN(30)), Gross: fmt.Sprint(20000 + r.IntN(60000))}
	return rec
}

// imo is a ship's number of six digits with its check digit.
func imo(six int) string {
	digits := fmt.Sprintf("%06d", six)
	sum := 0
	for i, c := range digits {
		sum += int(c-'0') * (7 - i)
	}
	return fmt.Sprintf("%s%d", digits, sum%10)
}

// FillList puts the list into a store, unless it is there.
func (w World) FillList(ctx context.Context, s kyc.Store) error {
	loaded, err := s.LoadedLists(ctx)
	if err != nil {
		return err
	}
	for _, l := range loaded {
		if l.List == kyc.Sandbox {
			return nil
		}
	}
	return addListed(ctx, s, Birthday, w.Listed()...)
}

// addListed adds entries to the list. Those that are there already stay.
func addListed(ctx context.Context, s kyc.Store, at time.Time, records ...kyc.Record) error {
	for i := range records {
		if err := records[i].Check(); err != nil {
			return fmt.Errorf("the sandbox's list: %w", err)
		}
	}
	in := &kyc.Intake{Store: s, File: "sandbox", Now: func() time.Time { return at }}
	if err := in.Add(ctx, records); err != nil {
		return err
	}
	return in.Finish(ctx)
}
