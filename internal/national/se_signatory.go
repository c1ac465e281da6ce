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
	out := CompanySigning{Company: c, Board: Board{Rule: c.Signing}}
	var hidden []bool
	if out.Signers, hidden, err = s.signers(ctx, &c); err != nil {
		return out, err
	}
	// The rule may name somebody who may not be shown: it is read first.
	out.Signatories = out.Board.Signatories()
	for i := range out.Signers {
		one := &out.Signers[i]
		if hidden[i] {
			one.Name, one.Number = hiddenName, ""
		}
		if one.Number != "" {
			out.Shown = append(out.Shown, identity.NewID("SE", one.Number))
		}
	}
	out.Rule = ""
	return out, nil
}

// hiddenName stands for somebody who may not be shown.
const hiddenName = "Skyddad identitet"

// signers are the people who run a company today, each once with all their
// seats, and whether they may not be shown.
func (s *Sweden) signers(ctx context.Context, c *company.Company) (out []Signer, hidden []bool, err error) {
	at := map[string]int{}
	var ids []identity.ID
	for i := range c.Officers {
		o := &c.Officers[i]
		if o.Until != "" || o.Company {
			continue
		}
		key := string(o.PersonID(c.ID))
		if key == "" {
			key = fmt.Sprint("protected ", i)
		}
		place, known := at[key]
		if !known {
			place = len(out)
			at[key] = place
			one := Signer{Name: o.Name}
			if n, err := identity.ParseSwedishNumber(o.ID, s.Now()); err == nil && n.IsPerson() {
				one.Number = n.Digits
			}
			out, hidden, ids = append(out, one), append(hidden, o.Protected), append(ids, identity.NewID("SE", one.Number))
		}
		role := roleOf(o.Role)
		if role == OtherRole {
			role = roleOf(o.RoleText)
		}
		out[place].Roles = append(out[place].Roles, role)
	}
	held, err := s.People.Store.Consumers(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	for i, id := range ids {
		if h, known := held[id]; known {
			_, ok := h.Shown()
			hidden[i] = hidden[i] || !ok
		}
	}
	return out, hidden, nil
}
