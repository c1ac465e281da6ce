package kyc

import (
	"context"
	"slices"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// Profiles is the door to the profiles of a customer. What changes one is noted
// in the audit log by its number; no name of a person goes there.
type Profiles struct {
	Store     ProfileStore
	Links     LinkStore
	Directory *auth.Directory
	Trail     *Trail
	Now       func() time.Time
}

// maxAtOnce is how many profiles one call may change.
const maxAtOnce = 1000

// maxPremises is how many addresses a profile may have.
const maxPremises = 100

func (s *Profiles) act(by auth.Caller) Act {
	return Act{by.Account, s.Now().UTC().Truncate(time.Millisecond)}
}

func (s *Profiles) today() company.Date { return dateOf(s.Now()) }

// Create keeps a new profile.
func (s *Profiles) Create(ctx context.Context, by auth.Caller, p Profile) (Profile, error) {
	if p.Status == "" {
		p.Status = NewProfile
	}
	if p.Risk == "" {
		p.Risk = RiskNotApplicable
	}
	if p.Made == "" {
		p.Made = "manual"
	}
	p.ID, p.Created, p.Modified = ProfileID(freshID()), s.act(by), Act{}
	p.judge("", p.Created.At)
	if err := p.check(); err != nil {
		return Profile{}, err
	}
	if err := p.Details.check("details.", s.today()); err != nil {
		return Profile{}, err
	}
	if err := s.colleague(by, p.Assigned, "assignedToId"); err != nil {
		return Profile{}, err
	}
	if err := s.Store.AddProfile(ctx, by, p); err != nil {
		return Profile{}, err
	}
	return p, s.note(ctx, by, p.ID, Deed{Action: Created})
}

// judge notes when a profile's status changed.
func (p *Profile) judge(before ProfileStatus, at time.Time) {
	if p.Status == before {
		return
	}
	p.Judged = at
	if p.Status == ApprovedProfile {
		p.Approved = at
	}
}

// colleague says whether an account is one of the caller's company, at work.
func (s *Profiles) colleague(by auth.Caller, id auth.AccountID, field string) error {
	if id == 0 {
		return nil
	}
	a, ok := s.Directory.Account(id)
	if !ok || a.Customer != by.Customer || a.Disabled {
		return fault.Invalid.Details("Bad request", field+": your company has no active user with this number")
	}
	return nil
}

func (s *Profiles) note(ctx context.Context, by auth.Caller, id ProfileID, d Deed) error {
	d.Category, d.Profile = OfProfile, id
	return s.Trail.Note(ctx, by, d)
}

// Change gives a profile what edit makes of it, but for its details, premises
// and notes.
func (s *Profiles) Change(ctx context.Context, by auth.Caller, id ProfileID, edit func(*Profile)) (Profile, error) {
	var before ProfileStatus
	list, err := s.Store.UpdateProfiles(ctx, by, []ProfileID{id}, func(p *Profile) error {
		was := p.Assigned
		before = p.Status
		edit(p)
		p.Modified = s.act(by)
		p.judge(before, p.Modified.At)
		if p.Assigned != was {
			// Who left the company since may stay where they are.
			if err := s.colleague(by, p.Assigned, "assignedToId"); err != nil {
				return err
			}
		}
		return p.check()
	})
	if err != nil {
		return Profile{}, err
	}
	p := list[0]
	if err := s.note(ctx, by, id, Deed{Action: Updated}); err != nil || p.Status == before {
		return p, err
	}
	return p, s.note(ctx, by, id, Deed{Action: StatusUpdated, From: string(before), To: string(p.Status)})
}

// SetDetails replaces the details of a profile.
func (s *Profiles) SetDetails(ctx context.Context, by auth.Caller, id ProfileID, d Details) (Profile, error) {
	if err := d.check("", s.today()); err != nil {
		return Profile{}, err
	}
	return s.edit(ctx, by, id, Deed{Action: Updated, Subcategory: OfDetails}, func(p *Profile) error {
		d.Modified = s.act(by)
		p.Details = d
		return nil
	})
}

// edit changes a profile and notes it.
func (s *Profiles) edit(ctx context.Context, by auth.Caller, id ProfileID, d Deed, edit func(*Profile) error) (Profile, error) {
	list, err := s.Store.UpdateProfiles(ctx, by, []ProfileID{id}, func(p *Profile) error {
		p.Modified = s.act(by)
		return edit(p)
	})
	if err != nil {
		return Profile{}, err
	}
	return list[0], s.note(ctx, by, id, d)
}

// Assign gives profiles to somebody to look after, or to nobody.
func (s *Profiles) Assign(ctx context.Context, by auth.Caller, ids []ProfileID, to auth.AccountID) ([]Profile, error) {
	if err := several(len(ids), "profileIds"); err != nil {
		return nil, err
	}
	if err := s.colleague(by, to, "userId"); err != nil {
		return nil, err
	}
	list, err := s.Store.UpdateProfiles(ctx, by, unique(ids), func(p *Profile) error {
		p.Assigned, p.Modified = to, s.act(by)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		if err := s.note(ctx, by, p.ID, Deed{Action: Updated, Field: "assignedToId"}); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Delete takes profiles away, all of them or none.
func (s *Profiles) Delete(ctx context.Context, by auth.Caller, ids ...ProfileID) error {
	if err := several(len(ids), "profileIds"); err != nil {
		return err
	}
	ids = unique(ids)
	if err := s.Store.DeleteProfiles(ctx, by, ids); err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.note(ctx, by, id, Deed{Action: Deleted}); err != nil {
			return err
		}
	}
	return nil
}

// several says whether a number of things may be changed by one call.
func several(n int, field string) error {
	switch {
	case n == 0:
		return fault.Invalid.Details("Bad request", field+": there is nothing in it")
	case n > maxAtOnce:
		return fault.Invalid.Details("Bad request", field+": one call takes at most 1000")
	}
	return nil
}

// unique keeps the first of those alike.
func unique[T comparable](list []T) []T {
	seen := make(map[T]bool, len(list))
	return slices.DeleteFunc(slices.Clone(list), func(v T) bool {
		was := seen[v]
		seen[v] = true
		return was
	})
}

// AddPremises gives a profile another address.
func (s *Profiles) AddPremises(ctx context.Context, by auth.Caller, of ProfileID, a Premises) (Premises, error) {
	if err := a.check(); err != nil {
		return Premises{}, err
	}
	a.ID, a.Created = PremisesID(freshID()), s.act(by)
	_, err := s.edit(ctx, by, of, Deed{Action: AddressCreated, Subcategory: OfDetails, Address: a.ID}, func(p *Profile) error {
		if len(p.Premises) >= maxPremises {
			return fault.Conflict.Errorf("a profile has at most %d addresses", maxPremises)
		}
		p.Premises = append(p.Premises, a)
		return nil
	})
	return a, err
}

// ChangePremises replaces an address of a profile.
func (s *Profiles) ChangePremises(ctx context.Context, by auth.Caller, of ProfileID, a Premises) (Premises, error) {
	if err := a.check(); err != nil {
		return Premises{}, err
	}
	_, err := s.edit(ctx, by, of, Deed{Action: AddressUpdated, Subcategory: OfDetails, Address: a.ID}, func(p *Profile) error {
		i, err := p.premises(a.ID)
		if err != nil {
			return err
		}
		a.Created, a.Modified = p.Premises[i].Created, p.Modified
		p.Premises[i] = a
		return nil
	})
	return a, err
}

// DeletePremises takes an address of a profile away.
func (s *Profiles) DeletePremises(ctx context.Context, by auth.Caller, of ProfileID, id PremisesID) error {
	_, err := s.edit(ctx, by, of, Deed{Action: AddressDeleted, Subcategory: OfDetails, Address: id}, func(p *Profile) error {
		i, err := p.premises(id)
		if err != nil {
			return err
		}
		p.Premises = slices.Delete(p.Premises, i, i+1)
		return nil
	})
	return err
}

// Premises returns an address of a profile.
func (s *Profiles) Premises(ctx context.Context, by auth.Caller, of ProfileID, id PremisesID) (Premises, error) {
	p, err := s.Store.Profile(ctx, by, of)
	if err != nil {
		return Premises{}, err
	}
	i, err := p.premises(id)
	if err != nil {
		return Premises{}, err
	}
	return p.Premises[i], nil
}

func (p *Profile) premises(id PremisesID) (int, error) {
	i := slices.IndexFunc(p.Premises, func(a Premises) bool { return a.ID == id })
	if i < 0 {
		return 0, fault.Missing.Errorf("Address not found")
	}
	return i, nil
}

// AddNote writes a note on a profile.
func (s *Profiles) AddNote(ctx context.Context, by auth.Caller, of ProfileID, body string) (Note, error) {
	n := Note{ID: NoteID(freshID()), Body: body, Created: s.act(by)}
	if err := n.check(); err != nil {
		return Note{}, err
	}
	if err := s.Store.AddNote(ctx, by, of, n); err != nil {
		return Note{}, err
	}
	return n, s.note(ctx, by, of, Deed{Action: NoteCreated, Note: n.ID})
}

// ChangeNote rewrites a note, or puts it into the archive.
func (s *Profiles) ChangeNote(ctx context.Context, by auth.Caller, of ProfileID, id NoteID, edit func(*Note)) (Note, error) {
	did := NoteUpdated
	n, err := s.Store.UpdateNote(ctx, by, of, id, func(n *Note) error {
		was := n.Archived
		edit(n)
		n.Modified = s.act(by)
		switch {
		case n.Archived && !was:
			did = NoteArchived
		case was && !n.Archived:
			did = NoteUnarchived
		}
		return n.check()
	})
	if err != nil {
		return Note{}, err
	}
	return n, s.note(ctx, by, of, Deed{Action: did, Note: id})
}

// DeleteNote takes a note away.
func (s *Profiles) DeleteNote(ctx context.Context, by auth.Caller, of ProfileID, id NoteID) error {
	if err := s.Store.DeleteNote(ctx, by, of, id); err != nil {
		return err
	}
	return s.note(ctx, by, of, Deed{Action: NoteDeleted, Note: id})
}
