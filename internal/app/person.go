package app

import (
	"context"
	"time"

	"bureau/internal/identity"
)

// A PersonReport is all that is held on somebody, as commands show it.
type PersonReport struct {
	ID        identity.ID        `json:"id"`
	Name      string             `json:"name,omitempty"`
	Born      string             `json:"born,omitempty"`
	IsShown   bool               `json:"shown"`
	Addresses []string           `json:"addresses"`
	Loaded    *identity.Consumer `json:"loaded"`
	Shown     *identity.Consumer `json:"asShown"`
	Rights    []RightView        `json:"rights"`
	Changes   []ChangeView       `json:"changes"`
	Boards    []string           `json:"boards"`
	Enquiries []EnquiryView      `json:"enquiries"`
	Letters   []LetterView       `json:"letters"`
	Looks     []LookView         `json:"looks"`
}

// A RightView is something that the person asked for.
type RightView struct {
	Kind       string              `json:"kind"`
	At         string              `json:"at"`
	Note       string              `json:"note,omitempty"`
	Correction identity.Correction `json:"correction,omitzero"`
}

// A ChangeView is something that became different.
type ChangeView struct {
	At       string `json:"at"`
	Category string `json:"category"`
}

// An EnquiryView is that somebody asked.
type EnquiryView struct {
	At     string `json:"at"`
	Reason string `json:"reason"`
}

// A LetterView is the copy of what somebody was told.
type LetterView struct {
	At      string `json:"at"`
	Service string `json:"service"`
	Told    string `json:"told"`
}

// A LookView is one reading of the person's data.
type LookView struct {
	At       string `json:"at"`
	Customer string `json:"customer"`
	What     string `json:"what"`
}

func shownTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// PersonReport gathers all that is held on somebody.
func (a *App) PersonReport(ctx context.Context, person string) (PersonReport, error) {
	id, err := identity.ParsePerson(person, time.Now())
	if err != nil {
		return PersonReport{}, err
	}
	r, err := a.rights().Report(ctx, id)
	if err != nil {
		return PersonReport{}, err
	}
	out := PersonReport{
		ID: id, Loaded: r.Loaded, Shown: r.Shown, IsShown: r.Shown != nil, Addresses: []string{}, Rights: []RightView{}, Changes: []ChangeView{},
		Boards: []string{}, Enquiries: []EnquiryView{}, Letters: []LetterView{}, Looks: []LookView{},
	}
	if c := r.Loaded; c != nil {
		out.Name, out.Born = c.Name.Full(), string(c.Birth)
		for _, at := range c.Addresses {
			out.Addresses = append(out.Addresses, at.Line())
		}
	}
	for _, x := range r.Rights {
		out.Rights = append(out.Rights, RightView{string(x.Kind), shownTime(x.At), x.Note, x.Correction})
	}
	for _, x := range r.Changes {
		out.Changes = append(out.Changes, ChangeView{shownTime(x.At), string(x.Field)})
	}
	for i := range r.Boards {
		out.Boards = append(out.Boards, r.Boards[i].Company.Name+" ("+r.Boards[i].Role+")")
	}
	for _, x := range r.Enquiries {
		out.Enquiries = append(out.Enquiries, EnquiryView{shownTime(x.At), string(x.Reason)})
	}
	for _, x := range r.Letters {
		out.Letters = append(out.Letters, LetterView{shownTime(x.At), x.Service, x.Told})
	}
	for _, x := range r.Looks {
		out.Looks = append(out.Looks, LookView{shownTime(x.At), x.Customer, x.What})
	}
	return out, nil
}

// CorrectPerson keeps a correction of what is held on somebody.
func (a *App) CorrectPerson(ctx context.Context, person, correction, note string) error {
	c, err := identity.ParseCorrection(correction)
	if err != nil {
		return err
	}
	return a.give(ctx, person, identity.Right{Kind: identity.Corrected, Correction: c, Note: note})
}

// ObjectPerson keeps somebody from being shown.
func (a *App) ObjectPerson(ctx context.Context, person, note string) error {
	return a.give(ctx, person, identity.Right{Kind: identity.Objected, Note: note})
}

// AllowPerson takes an objection back.
func (a *App) AllowPerson(ctx context.Context, person string) error {
	return a.give(ctx, person, identity.Right{Kind: identity.Allowed})
}

// NotePerson adds somebody's own statement.
func (a *App) NotePerson(ctx context.Context, person, text string) error {
	return a.give(ctx, person, identity.Right{Kind: identity.Noted, Note: text})
}

func (a *App) give(ctx context.Context, person string, r identity.Right) error {
	id, err := identity.ParsePerson(person, time.Now())
	if err != nil {
		return err
	}
	return a.rights().Give(ctx, id, r)
}
