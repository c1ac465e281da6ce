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

// Report puts together what is told about a company.
func (r *Register) Report(ctx context.Context, text string, parts ReportParts) (Report, error) {
	c, err := r.Lookup(ctx, text)
	if err != nil {
		return Report{}, err
	}
	return r.ReportOn(ctx, c, parts)
}

// ReportOn is Report for a company that was looked up.
func (r *Register) ReportOn(ctx context.Context, c Company, parts ReportParts) (rep Report, err error) {
	rep.Company = c
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
	if rep.Subsidiaries, err = r.subsidiaries(ctx, c, maxSubsidiaries); err != nil {
		return rep, err
	}
	if parts.Group {
		if err := r.group(ctx, &rep); err != nil {
			return rep, err
		}
	}
	if parts.History {
		rep.History, err = r.Store.ChangesOf(ctx, c.ID, 0, maxHistory)
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

func (r *Register) subsidiaries(ctx context.Context, c Company, limit int) ([]Company, error) {
	var out []Company
	for _, name := range []string{c.LEI, string(c.ID)} {
		if name == "" {
			continue
		}
		ids, err := r.Store.FindAll(ctx, Ident{ByParent, name}, limit-len(out))
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			child, err := r.Company(ctx, id)
			if errors.Is(err, fault.Missing) {
				continue // it went while we looked
			}
			if err != nil {
				return nil, err
			}
			out = append(out, child)
		}
	}
	return out, nil
}
