package identity

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// Rights are what a person may ask of us, done by the operator on their behalf.
type Rights struct {
	Store     Store
	Audit     AuditLog
	Journal   Journal
	Directors Directors
	Directory *auth.Directory
	Now       func() time.Time

	// Mark is how a person is named in the audit log.
	Mark func(id string) string
}

// An AuditLog is read from its beginning.
type AuditLog interface {
	AuditLog(ctx context.Context, after int64, visit func(auth.Entry) error) error
}

// A Journal keeps what was done.
type Journal interface {
	Write(ctx context.Context, e auth.Entry) error
}

// A PersonReport is all that we hold on somebody, and who looked at it.
type PersonReport struct {
	ID        ID
	Loaded    *Consumer // as it was loaded; nil if nothing is
	Shown     *Consumer // as services show it; nil if they do not
	Rights    []Right
	Changes   []Change
	Boards    []company.Seat
	Enquiries []Enquiry
	Letters   []Letter
	Looks     []Look
}

// A Look is one reading of somebody's data.
type Look struct {
	At       time.Time
	Customer string // its name
	What     string // which service, and why
}

// Report gathers all that is held on somebody. The operator's own reading is in
// the audit log too.
func (r *Rights) Report(ctx context.Context, id ID) (PersonReport, error) {
	out := PersonReport{ID: id}
	held, err := r.read(ctx, id)
	if err != nil {
		return out, err
	}
	out.Rights = held.Rights
	if held.Known() {
		c := held.Consumer
		out.Loaded = &c
		if shown, ok := held.Shown(); ok {
			out.Shown = &shown
		}
	}
	if out.Changes, err = r.Store.ConsumerChanges(ctx, id, time.Time{}); err != nil {
		return out, err
	}
	if out.Enquiries, err = r.Store.SearchesOf(ctx, id, time.Time{}); err != nil {
		return out, err
	}
	if out.Letters, err = r.Store.LettersOf(ctx, id); err != nil {
		return out, err
	}
	if p := held.Consumer.Person; p != "" {
		d, err := r.Directors.Person(ctx, p)
		if err != nil && !errors.Is(err, fault.Missing) {
			return out, err
		}
		out.Boards = d.Seats
	}
	if out.Looks, err = r.looks(ctx, id, held.Consumer.Person); err != nil {
		return out, err
	}
	if out.Loaded == nil && len(out.Rights)+len(out.Looks)+len(out.Letters) == 0 {
		return out, fault.Missing.Errorf("we hold nothing on %s", id)
	}
	return out, r.Journal.Write(ctx, auth.Entry{Action: auth.PersonRead, Person: r.Mark(string(id)), Detail: "person report"})
}

// read is what is held of somebody, known or not.
func (r *Rights) read(ctx context.Context, id ID) (h Held, err error) {
	err = r.Store.EditConsumers(ctx, 0, []ID{id}, func(held map[ID]Held) (Update, error) {
		h = held[id]
		return Update{}, nil
	})
	return h, err
}

// looks are all readings of somebody's data, the newest first.
func (r *Rights) looks(ctx context.Context, id ID, on company.PersonID) ([]Look, error) {
	mark := r.Mark(string(id))
	var out []Look
	err := r.Audit.AuditLog(ctx, 0, func(e auth.Entry) error {
		if e.Action != auth.PersonRead || e.Person != mark && !names(e.Detail, on) {
			return nil
		}
		look := Look{At: e.At, What: e.Detail, Customer: "the operator"}
		if e.Customer != 0 {
			c, _ := r.Directory.Customer(e.Customer)
			look.Customer = c.Name
		}
		out = append(out, look)
		return nil
	})
	slices.Reverse(out)
	return out, err
}

// names reports whether an entry is about somebody on a board.
func names(detail string, id company.PersonID) bool {
	if id == "" {
		return false
	}
	kind, list, _ := strings.Cut(detail, "=")
	if kind != "person" && kind != "people" {
		return false
	}
	list, _, _ = strings.Cut(list, " ")
	return slices.Contains(strings.Split(list, ","), string(id))
}

// Give notes what somebody asked, from when on every service honours it. The
// person need not be known: an objection also holds for what is loaded later.
func (r *Rights) Give(ctx context.Context, id ID, right Right) error {
	if err := right.check(); err != nil {
		return err
	}
	right.At = r.Now().UTC().Truncate(time.Millisecond)
	err := r.Store.EditConsumers(ctx, 0, []ID{id}, func(held map[ID]Held) (Update, error) {
		was := held[id]
		if !was.Known() && right.Kind == Corrected {
			return Update{}, fault.Missing.Errorf("there is no %s to correct", id)
		}
		u := Update{Rights: []NewRight{{id, right}}}
		is := Held{was.Consumer, append(slices.Clone(was.Rights), right)}
		if !was.Known() {
			keys, _ := is.left(id)
			u.Keys = []Keyed{keys}
			return u, nil
		}
		u.Keep = []Kept{{is, is.keys()}}
		before, after := was.corrected(), is.corrected()
		for _, f := range Compare(&before, &after) {
			u.Changes = append(u.Changes, Change{id, f, right.At})
		}
		return u, nil
	})
	if err != nil {
		return err
	}
	return r.Journal.Write(ctx, auth.Entry{Action: auth.PersonRight, Person: r.Mark(string(id)), Detail: string(right.Kind)})
}

// MaxNote is how long a person's statement may be.
const MaxNote = 2000

func (r Right) check() error {
	switch {
	case len([]rune(r.Note)) > MaxNote:
		return fault.Invalid.Errorf("note: it is longer than %d characters", MaxNote)
	case r.Kind == Noted && strings.TrimSpace(r.Note) == "":
		return fault.Invalid.Errorf("note: it is missing")
	case r.Kind == Corrected && r.Correction.isEmpty():
		return fault.Invalid.Errorf("correction: it changes nothing")
	case !slices.Contains([]RightKind{Corrected, Objected, Allowed, Noted}, r.Kind):
		return fault.Invalid.Errorf("there is no right %q", r.Kind)
	}
	return nil
}

// ParsePerson reads the ID of a consumer as the operator writes it: a country and
// a number with a hyphen between them.
func ParsePerson(text string, now time.Time) (ID, error) {
	country, number, ok := strings.Cut(strings.TrimSpace(text), "-")
	country = strings.ToUpper(country)
	if !ok || !company.IsCountry(country) {
		return "", fault.Invalid.Errorf("%q names nobody: write the country and the number, as in GB-C1001", text)
	}
	if country == "SE" {
		n, err := ParseSwedishNumber(number, now)
		if err != nil {
			return "", fault.Invalid.Errorf("number: %s", err)
		}
		number = n.Digits
	} else if !numberForm.MatchString(number) {
		return "", fault.Invalid.Errorf("%q names nobody: write the country and the number, as in GB-C1001", text)
	}
	return NewID(country, number), nil
}
