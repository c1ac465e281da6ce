package company

import (
	"context"
	"errors"

	"bureau/internal/fault"
)

// A Report is a company, its group and what happened to it, as far as we know.
type Report struct {
	Company
	Parent       *Company
	Ultimate     *Company
	Subsidiaries []Company
	Affiliated   []Company // other companies of the same parent
	Tree         []Member  // the whole group from its top down, this company in it
	History      []Change  // the newest first
}

// ReportParts say what of a report takes a while and is wanted all the same.
type ReportParts struct {
	Group   bool // affiliated companies and the whole tree
	History bool
}

// What a report lists is bounded.
const (
	maxSubsidiaries = 500
	maxHistory      = 1000
)

// A Dossier is a company with what is told about it elsewhere in the register.
type Dossier struct {
	Held
	Children []ID     // those that call it their parent by its id
	History  []Change // the newest first
}

// Report puts together what is told about a company, which is found as Lookup does.
func (r *Register) Report(ctx context.Context, text string, parts ReportParts) (Report, error) {
	return lookUp(ctx, r.Store, text, func(ctx context.Context, id ID) (Report, error) {
		return r.reportOn(ctx, id, parts)
	})
}

func (r *Register) reportOn(ctx context.Context, id ID, parts ReportParts) (rep Report, err error) {
	history := 0
	if parts.History {
		history = maxHistory
	}
	d, err := r.Store.Dossier(ctx, id, maxSubsidiaries, history)
	if err != nil {
		return Report{}, err
	}
	c := Merge(d.Held)
	rep.Company, rep.History = c, d.History
	for _, l := range c.Links {
		if l.Until != "" {
			continue
		}
		var into **Company
		switch l.Kind {
		case Parent:
			into = &rep.Parent
		case UltimateParent:
			into = &rep.Ultimate
		default:
			continue
		}
		other, ok, err := r.linked(ctx, l)
		if err != nil {
			return Report{}, err
		}
		if ok {
			*into = &other
		}
	}
	children := d.Children
	if c.LEI != "" {
		named, err := r.Store.FindAll(ctx, Ident{ByParent, c.LEI}, maxSubsidiaries)
		if err != nil {
			return Report{}, err
		}
		children = append(named, children...)
	}
	if rep.Subsidiaries, err = r.each(ctx, children[:min(len(children), maxSubsidiaries)]); err != nil {
		return Report{}, err
	}
	if parts.Group {
		err = r.group(ctx, &rep)
	}
	return rep, err
}

// linked finds the company at the other end of a link. One that we do not hold
// is still known by what the link says; a link that names none is none.
func (r *Register) linked(ctx context.Context, l Link) (c Company, ok bool, err error) {
	id := l.ID
	if id == "" && l.LEI != "" {
		if id, err = r.Store.Find(ctx, Ident{ByLEI, l.LEI}); err != nil && !errors.Is(err, fault.Missing) {
			return Company{}, false, err
		}
	}
	if id != "" {
		c, err := r.Company(ctx, id)
		if err == nil || !errors.Is(err, fault.Missing) {
			return c, err == nil, err
		}
	}
	return Company{ID: id, Facts: Facts{Name: l.Name, LEI: l.LEI}}, l.Name != "" || l.LEI != "", nil
}

// subsidiaries are the companies that call one their parent, by its LEI or its id.
func (r *Register) subsidiaries(ctx context.Context, c Company, limit int) ([]Company, error) {
	var children []ID
	for _, name := range []string{c.LEI, string(c.ID)} {
		if name == "" {
			continue
		}
		ids, err := r.Store.FindAll(ctx, Ident{ByParent, name}, limit-len(children))
		if err != nil {
			return nil, err
		}
		children = append(children, ids...)
	}
	return r.each(ctx, children)
}

// each reads companies, but for those that went while we looked.
func (r *Register) each(ctx context.Context, ids []ID) ([]Company, error) {
	var out []Company
	for _, id := range ids {
		c, err := r.Company(ctx, id)
		if errors.Is(err, fault.Missing) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}
