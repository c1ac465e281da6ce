package company

import (
	"context"
	"errors"
	"time"

	"bureau/internal/fault"
)

// The Register is the door to companies.
type Register struct {
	Store Store
	Now   func() time.Time
	Temp  string // a folder for what does not fit into memory; empty is the system's
}

// Company returns a company as all sources together know it.
func (r *Register) Company(ctx context.Context, id ID) (Company, error) {
	h, err := r.Store.Company(ctx, id)
	if err != nil {
		return Company{}, err
	}
	return Merge(h), nil
}

// Lookup finds a company by a connectId in any of its forms, or by its safe
// number.
func (r *Register) Lookup(ctx context.Context, text string) (Company, error) {
	return lookUp(ctx, r.Store, text, r.Company)
}

// lookUp finds a company as Lookup does, and reads it.
func lookUp[T any](ctx context.Context, in Store, text string, read func(context.Context, ID) (T, error)) (none T, err error) {
	what := Ident{BySafeNo, text}
	id, err := ParseID(text)
	if err == nil {
		var c T
		if c, err = read(ctx, id); !errors.Is(err, fault.Missing) {
			return c, err
		}
		what = Ident{ByRegNo, id.Country() + " " + id.Number()}
	}
	if !isPlain(text) {
		return none, err
	}
	found, ferr := in.Find(ctx, what)
	if upper := what.upper(); errors.Is(ferr, fault.Missing) && upper != what {
		found, ferr = in.Find(ctx, upper)
	}
	if id, ok := fromSafeNo(text); ok && errors.Is(ferr, fault.Missing) && what.Kind == BySafeNo {
		found, ferr = id, nil
	}
	if errors.Is(ferr, fault.Missing) {
		return none, err
	}
	if ferr != nil {
		return none, ferr
	}
	return read(ctx, found)
}

// Correct lets the operator say something about a company that no import takes
// away: edit changes what the operator says.
func (r *Register) Correct(ctx context.Context, id ID, edit func(*Facts) error) (Company, error) {
	var out Company
	err := r.Store.Write(ctx, func(v View) (Update, error) {
		held, err := v.Held(ctx, []ID{id})
		if err != nil {
			return Update{}, err
		}
		was, ok := held[id]
		if !ok {
			return Update{}, fault.Missing.Errorf("there is no company %s", id)
		}
		is := was.clone()
		said := Said{Source: Operator, Key: id.key()}
		for _, s := range was.under(Operator, said.Key) {
			said.Facts = s.Facts
		}
		if err := edit(&said.Facts); err != nil {
			return Update{}, err
		}
		is.drop(Operator, "")
		if said.clean(); string(said.encode()) != "{}" {
			is.set(said)
		}
		d := newDraft(Operator, r.Now())
		d.keep(was, is)
		out = Merge(is)
		return d.update(), nil
	})
	return out, err
}
