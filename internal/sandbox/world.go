package sandbox

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"bureau/internal/company"
)

// Source is the name under which the invented world speaks.
const Source = "sandbox"

// Birthday is the world's first day. It does not depend on today's date, so
// that the same seed makes the same world whenever it is made.
var Birthday = time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)

// A World is invented from a seed.
type World struct {
	Seed       uint64
	PerCountry int
}

// DefaultWorld has some thousands of companies.
var DefaultWorld = World{Seed: 1, PerCountry: 500}

// random is the source of chance for one thing in the world: what happens to
// one company does not depend on how many there are.
func (w World) random(what string, n int) *rand.Rand {
	h := uint64(14695981039346656037)
	for _, c := range fmt.Sprintf("%s %d", what, n) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return rand.New(rand.NewPCG(w.Seed, h))
}

// ID is the n-th company of a country.
func (w World) ID(country string, n int) company.ID {
	return company.NewID(country, number(country, n))
}

// Companies are all of them, country by country.
func (w World) Companies() []company.Statement {
	var out []company.Statement
	for c, l := range lands {
		for n := range w.PerCountry {
			out = append(out, w.company(c, l, n))
		}
	}
	return out
}

func (w World) company(c int, l land, n int) company.Statement {
	r := w.random("company "+l.code, n)
	f, t := pick(r, l.forms), pick(r, l.trades)
	num := number(l.code, n)
	size := math.Exp(12 + 4*r.Float64()) // from a shop to a concern
	founded := Birthday.AddDate(-1-r.IntN(60), -r.IntN(12), -r.IntN(28))
	name := l.companyName(r, f, t)
	facts := company.Facts{
		Name: name, RegNo: num, Register: l.register, SafeNo: l.code + "9" + fmt.Sprintf("%07d", n),
		Status: company.Active, StatusText: "Active", Founded: day(founded),
		Form: company.Form{Code: f.code, Text: f.text}, Kind: company.Kind(f.kind),
		Activities: []company.Activity{{Scheme: "NACE", Code: t.code, Text: t.text}},
		Addresses:  []company.Address{l.address(r, company.Registered)},
		Phones:     []string{fmt.Sprintf("%s%02d", l.phone, r.IntN(100))},
		Websites:   []string{"https://" + slug(name) + ".example"}, Emails: []string{"office@" + slug(name) + ".example"},
		Capital: company.Money{Minor: int64(size*0.01) / 1000 * 100_000, Currency: l.currency},
	}
	if v := vat(l.code, num); v != "" {
		facts.VAT = []string{v}
	}
	if r.IntN(3) == 0 {
		facts.LEI, facts.LEIStatus = lei(l.code, n), "ISSUED"
	}
	if r.IntN(6) == 0 {
		facts.Names = append(facts.Names, company.Name{Text: l.compound(r) + " " + t.word, Kind: company.Trading})
	}
	if r.IntN(7) == 0 {
		facts.Names = append(facts.Names, company.Name{
			Text: l.companyName(r, f, pick(r, l.trades)), Kind: company.Former, Until: day(founded.AddDate(1, 3, 0)),
		})
	}
	if r.IntN(8) == 0 {
		facts.Addresses = append(facts.Addresses, l.address(r, company.Branch))
	}
	w.people(&facts, c, l, n, r, founded)
	w.links(&facts, c, n, r)
	if l.code == "SE" {
		facts.Signing = w.signing(n)
	}
	facts.Accounts = since(facts.Founded, accounts(r, l, Birthday.Year()-1, size))
	facts.Employees = []company.Employees{{Year: Birthday.Year() - 1, Count: facts.Accounts[0].Items[company.EmployeesAverage]}}
	accountsDay, returnDay := w.filingDays(l, n)
	facts.Due = company.Due{
		AccountsLast: facts.Accounts[0].End, AccountsNext: day(Birthday.AddDate(0, 0, accountsDay)),
		ReturnNext: day(Birthday.AddDate(0, 0, returnDay)),
	}
	facts.Filings = []company.Filing{{Date: day(Birthday.AddDate(0, -r.IntN(9), 0)), Type: "accounts", Text: "Annual accounts"}}
	if r.IntN(40) == 0 {
		fail(&facts, day(Birthday.AddDate(0, -r.IntN(6), 0)))
	}
	return company.Statement{Country: l.code, Number: num, LEI: facts.LEI, Facts: facts}
}

// fail puts a company into liquidation.
func fail(f *company.Facts, on company.Date) {
	f.Status, f.StatusText, f.StatusSince = company.Pending, "In liquidation", on
	f.Notices = append([]company.Notice{{Date: on, Kind: "liquidation", Text: "A liquidator was appointed"}}, f.Notices...)
}

func (l land) address(r *rand.Rand, kind company.AddressKind) company.Address {
	p := pick(r, l.cities)
	return company.Address{
		Kind: kind, Street: l.street(r), House: fmt.Sprint(1 + r.IntN(180)), City: p.city,
		Post: p.post, Region: p.region, Country: l.code,
	}
}

func day(t time.Time) company.Date { return company.Date(t.Format(time.DateOnly)) }

// slug is a name as it stands in a web address.
func slug(name string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(name)) {
		switch {
		case r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case r == ' ' && b.Len() > 0:
			b.WriteByte('-')
		}
	}
	return strings.Trim(strings.ReplaceAll(b.String(), "--", "-"), "-")
}
