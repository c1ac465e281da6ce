package national

import (
	"context"
	"fmt"

	"bureau/internal/company"
	"bureau/internal/identity"
)

// A CompanySigning is who may sign for a company.
type CompanySigning struct {
	Company company.Company
	Board
	Signatories
	Shown []identity.ID // of people whose numbers are told
}

// Signatories says who may sign for a company, alone or together.
func (s *Sweden) Signatories(ctx context.Context, number string) (CompanySigning, error) {
	n, err := s.Number("searchnumber", number)
	if err != nil {
		return CompanySigning{}, err
	}
	c, err := s.company(ctx, n)
	if err != nil {
		return CompanySigning{}, err
	}
	if err := active(&c); err != nil {
		return CompanySigning{}, err
	}
	out := CompanySigning{Company: c}
	if out.Board, err = s.board(ctx, &c, func(b *Board) { out.Signatories = b.Signatories() }); err != nil {
		return out, err
	}
	for i := range out.Signers {
		if number := out.Signers[i].Number; number != "" {
			out.Shown = append(out.Shown, identity.NewID("SE", number))
		}
	}
	return out, nil
}

// board are the people who run a company, as they may be shown. read sees them
// as the register names them: the rule may name somebody who may not be shown.
func (s *Sweden) board(ctx context.Context, c *company.Company, read func(*Board)) (Board, error) {
	list, hidden, err := s.signers(ctx, c)
	if err != nil {
		return Board{}, err
	}
	read(&Board{Signers: list, Rule: c.Signing})
	for i := range list {
		if hidden[i] {
			list[i].Name, list[i].Number = hiddenName, ""
		}
	}
	return Board{Signers: list}, nil
}

// hiddenName stands for somebody who may not be shown.
const hiddenName = "Skyddad identitet"

// signers are the people who run a company today, each once with all their
// seats, and whether they may not be shown.
func (s *Sweden) signers(ctx context.Context, c *company.Company) (out []Signer, hidden []bool, err error) {
	at := map[string]int{}
	var people []company.PersonID
	for i := range c.Officers {
		o := &c.Officers[i]
		if o.Until != "" || o.Company {
			continue
		}
		id := o.PersonID(c.ID)
		key := string(id)
		if key == "" {
			key = fmt.Sprint("protected ", i)
		}
		place, known := at[key]
		if !known {
			place = len(out)
			at[key] = place
			out, hidden, people = append(out, Signer{Name: o.Name, Number: s.personalNumber(o.ID)}), append(hidden, o.Protected), append(people, id)
		}
		role := roleOf(o.Role)
		if role == OtherRole {
			role = roleOf(o.RoleText)
		}
		out[place].Roles = append(out[place].Roles, role)
	}
	veiled, err := s.People.Veiled(ctx, people)
	if err != nil {
		return nil, nil, err
	}
	numbers, err := s.People.OnBoards(ctx, "SE", people)
	if err != nil {
		return nil, nil, err
	}
	for i, id := range people {
		hidden[i] = hidden[i] || veiled[id]
		if known, ok := numbers[id]; ok && out[i].Number == "" {
			out[i].Number = known.Number()
		}
	}
	return out, hidden, nil
}

// personalNumber is what a register knows somebody by, if that is a personal
// number.
func (s *Sweden) personalNumber(text string) string {
	n, err := identity.ParseSwedishNumber(text, s.Now())
	if err != nil || !n.IsPerson() {
		return ""
	}
	return n.Digits
}
