package identity

import (
	"context"
	"time"

	"bureau/internal/company"
)

// A Report is what a consumer search tells of somebody.
type Report struct {
	Name      Name         `json:"name"`
	Birth     company.Date `json:"birthDate,omitempty"`
	NameIs    Grade        `json:"nameIs"`
	BirthIs   Grade        `json:"birthIs"`
	AddressIs Grade        `json:"addressIs"`
	Confirmed string       `json:"confirmed,omitempty"` // the address that is theirs

	Addresses  [3]*Resident `json:"addresses"` // beside those that were asked for
	Residences []Residence  `json:"residences,omitempty"`
	Undeclared []Residence  `json:"undeclared,omitempty"` // that were not asked for
	Aliases    []OtherName  `json:"aliases,omitempty"`

	Judgments    []Judgment   `json:"judgments,omitempty"`
	Insolvencies []Insolvency `json:"insolvencies,omitempty"`
	Deceased     company.Date `json:"deceased,omitempty"`
	Notices      []Notice     `json:"notices,omitempty"`
	Enquiries    []Enquiry    `json:"enquiries,omitempty"`
	Score        *Score       `json:"score,omitempty"`
}

// A Resident is somebody at an address that was asked for.
type Resident struct {
	Address   string       `json:"address"`
	Current   bool         `json:"current"`
	From      company.Date `json:"from,omitempty"`
	Until     company.Date `json:"until,omitempty"`
	Grade     Grade        `json:"grade"`
	Electoral []Residence  `json:"electoral,omitempty"`
}

// A Notice is a statement of the person's own.
type Notice struct {
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

// enquiryMonths is how far back enquiries are told.
const enquiryMonths = 12

// report tells of who was found, as far as the question goes: other people at
// the address are none of its business.
func (d *Desk) report(ctx context.Context, s *Search, found *Candidate) (Report, error) {
	c, q := &found.Consumer, &s.Question
	r := Report{
		Name: c.Name, Birth: c.Birth, NameIs: found.Name, BirthIs: found.Birth, AddressIs: found.Address,
		Residences: c.Addresses, Aliases: c.Names, Judgments: c.Judgments, Insolvencies: c.Insolvencies, Deceased: c.Death, Score: c.Score,
	}
	if found.Lives >= 0 {
		r.Confirmed = c.Addresses[found.Lives].Line()
	}
	declared := make([]bool, len(c.Addresses))
	for i, asked := range q.Addresses {
		if asked.PostCode == "" {
			continue
		}
		r.Addresses[i] = q.resident(c, i, declared)
	}
	for i, held := range c.Addresses {
		if !declared[i] {
			r.Undeclared = append(r.Undeclared, held)
		}
	}
	for _, n := range found.Notices() {
		r.Notices = append(r.Notices, Notice{n.At, n.Note})
	}
	var err error
	r.Enquiries, err = d.Store.SearchesOf(ctx, c.ID(), s.At.AddDate(0, -enquiryMonths, 0))
	return r, err
}

// resident is what is held of one address that was asked for.
func (q *Question) resident(c *Consumer, i int, declared []bool) *Resident {
	asked := q.Addresses[i].Address
	out := &Resident{Address: asked.Line(), Current: i == 0, Grade: Differs}
	for j, held := range c.Addresses {
		if g := asked.Compare(held.Address); g >= Close {
			declared[j] = true
			if g > out.Grade {
				out.Grade, out.From, out.Until, out.Address = g, held.From, held.Until, held.Line()
			}
		}
	}
	for _, e := range c.Electoral {
		if asked.Compare(e.Address) == Same {
			out.Electoral = append(out.Electoral, e)
		}
	}
	return out
}
