package sandbox

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bureau/internal/company"
	"bureau/internal/identity"
)

// A PersonCard is somebody to try an identity search with.
type PersonCard struct {
	Forename    string `json:"forename"`
	Surname     string `json:"surname"`
	DateOfBirth string `json:"dateOfBirth"`
	BuildingNo  string `json:"buildingNo"`
	PostCode    string `json:"postCode"`
	Number      string `json:"number"` // as in 'bureau person report'
}

// perLand is how many people a country has whom identities are searched among.
func (w World) perLand() int { return max(3, w.PerCountry*3/2) }

// Consumers are the people of Britain and Sweden: those who sit on boards.
func (w World) Consumers() []identity.Record {
	var out []identity.Record
	for n := range w.perLand() {
		out = append(out, w.briton(n), w.swede(n))
	}
	return out
}

// exampleBriton is somebody with nothing against them. The first of a country
// are on the sandbox's list.
func (w World) exampleBriton() int { return w.perLand() - 1 }

// ConsumerExample is a Briton to try.
func (w World) ConsumerExample() PersonCard {
	r := w.briton(w.exampleBriton())
	at := r.Addresses[0]
	return PersonCard{r.Name.First, r.Name.Surname, string(r.Birth), at.BuildingNo, at.PostCode, string(r.ID())}
}

// SwedishExample is the number of the n-th Swede.
func (w World) SwedishExample(n int) string { return w.swede(n).Number }

// consumer is what both countries' people have in common.
func (w World) consumer(code string, n int) (identity.Record, company.Person) {
	p := w.person(landOf(code), n)
	r := w.random("consumer "+code, n)
	rec := identity.Record{Consumer: identity.Consumer{
		Country: code, Name: identity.Name{First: p.First, Middle: p.Middle, Surname: p.Surname},
		Birth: company.Date(fmt.Sprintf("%s-%02d", p.Birth, 1+r.IntN(28))), Person: company.PersonID(p.ID),
	}}
	rec.Addresses = []identity.Residence{{
		Address: identity.Address{BuildingNo: p.Address.House, Street: p.Address.Street, City: p.Address.City, PostCode: p.Address.Post},
		From:    day(Birthday.AddDate(-1-r.IntN(20), -r.IntN(12), 0)),
	}}
	return rec, p
}

// briton is the n-th.
func (w World) briton(n int) identity.Record {
	rec, _ := w.consumer("GB", n)
	r := w.random("briton", n)
	rec.Number = fmt.Sprintf("S%06d", n)
	here := rec.Addresses[0]
	if r.IntN(3) == 0 {
		old := landOf("GB").address(r, company.Postal)
		rec.Addresses = append(rec.Addresses, identity.Residence{
			Address: identity.Address{BuildingNo: old.House, Street: old.Street, City: old.City, PostCode: old.Post}, Until: here.From,
		})
	}
	if r.IntN(5) > 0 || n == w.exampleBriton() {
		rec.Electoral = []identity.Residence{here}
	}
	rec.Phones = []string{fmt.Sprintf("01632 96%04d", r.IntN(1000))} // a range that is kept for stories
	if n == w.exampleBriton() {
		return rec
	}
	if r.IntN(8) == 0 {
		j := identity.Judgment{
			Date: day(Birthday.AddDate(-r.IntN(5), -1, -r.IntN(28))), Amount: identity.Amount{Minor: int64(100+r.IntN(5000)) * 100, Currency: "GBP"},
			Court: "County Court Business Centre", CourtType: "County court", Case: fmt.Sprintf("SBX%05d", n),
		}
		if r.IntN(2) == 0 {
			j.Satisfied = day(Birthday.AddDate(0, 0, -r.IntN(28)))
		}
		rec.Judgments = []identity.Judgment{j}
	}
	if r.IntN(40) == 0 {
		rec.Insolvencies = []identity.Insolvency{{
			Kind: identity.Bankruptcy, Date: day(Birthday.AddDate(-2, -r.IntN(12), 0)), Court: "High Court", Case: fmt.Sprintf("SBI%05d", n),
		}}
	}
	if r.IntN(60) == 0 {
		rec.Death = day(Birthday.AddDate(0, -1-r.IntN(20), 0))
	}
	return rec
}

// swede is the n-th. The numbers have birth numbers from 980 on, which the
// register gives to nobody.
func (w World) swede(n int) identity.Record {
	rec, _ := w.consumer("SE", n)
	born := string(rec.Birth)
	digits := born[:4] + born[5:7] + born[8:]
	if n%50 == 49 { // a coordination number
		digits = born[:4] + born[5:7] + fmt.Sprint(int(born[8]-'0')+6) + born[9:]
	}
	rec.Number = digits[:2] + withLuhn(digits[2:]+fmt.Sprint(980+n%20))
	r := w.random("swede", n)
	rec.Municipality, rec.County = rec.Addresses[0].City, "Provlän"
	rec.Incomes = []identity.Income{{Year: Birthday.Year() - 2, Amount: identity.Amount{Minor: int64(180+r.IntN(500)) * 100_000, Currency: "SEK"}}}
	if n == 1 {
		return rec
	}
	rec.Protected = r.IntN(50) == 0
	if r.IntN(10) == 0 {
		rec.Judgments = []identity.Judgment{{
			Date: day(Birthday.AddDate(-1, -r.IntN(12), 0)), Amount: identity.Amount{Minor: int64(1+r.IntN(50)) * 100_000, Currency: "SEK"}, Case: fmt.Sprintf("U%05d", n),
		}}
	}
	return rec
}

// A ConsumerFill puts the world's people into a database.
type ConsumerFill struct {
	World       World
	Store       identity.Store
	Fingerprint func(number string) string
}

// Filled reports whether they are there: the one on the card is written last.
func (f ConsumerFill) Filled(ctx context.Context) (bool, error) {
	id := identity.ID(f.World.ConsumerExample().Number)
	held, err := f.Store.Consumers(ctx, []identity.ID{id})
	return len(held) > 0, err
}

// Fill writes them.
func (f ConsumerFill) Fill(ctx context.Context) error {
	in := &identity.Intake{Store: f.Store, Now: func() time.Time { return Birthday }, Fingerprint: f.Fingerprint}
	list := f.World.Consumers()
	for i := range list {
		if err := list[i].Check(); err != nil {
			return fmt.Errorf("person %d: %w", i, err)
		}
	}
	for part := range slices.Chunk(list, 500) {
		if err := in.Add(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// signing is the rule by which a Swedish company is signed for.
func (w World) signing(n int) string {
	return pick(w.random("signing", n), []string{
		"Firman tecknas av styrelsen.",
		"Firman tecknas av två i förening av ledamöterna.",
		"Firman tecknas var för sig av ledamöterna.",
		"Firman tecknas av styrelsen. Firman tecknas dessutom av två i förening av ledamöterna.",
	})
}
