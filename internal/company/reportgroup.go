package company

import (
	"context"
	"slices"
)

// A Member is a company in the tree of its group.
type Member struct {
	Company
	Level int // 0 is the top
}

// The tree of a group is shown as far as somebody reads it.
const (
	maxTree   = 200
	maxLevels = 8
)

// group fills in the companies of the same parent and the tree of the group.
func (r *Register) group(ctx context.Context, rep *Report) (err error) {
	if rep.Parent != nil && rep.Parent.ID != "" {
		all, err := r.subsidiaries(ctx, *rep.Parent, maxSubsidiaries)
		if err != nil {
			return err
		}
		rep.Affiliated = slices.DeleteFunc(all, func(c Company) bool { return c.ID == rep.ID })
	}
	top := rep.Company
	switch {
	case rep.Ultimate != nil && rep.Ultimate.ID != "":
		top = *rep.Ultimate
	case rep.Parent != nil && rep.Parent.ID != "":
		top = *rep.Parent
	case len(rep.Subsidiaries) == 0:
		return nil // no group
	}
	rep.Tree, err = r.tree(ctx, top)
	return err
}

// tree walks a group from its top, each company before its subsidiaries. Groups
// whose companies own each other are met once.
func (r *Register) tree(ctx context.Context, top Company) ([]Member, error) {
	seen := map[ID]bool{top.ID: true}
	out := []Member{{Company: top}}
	var walk func(of Company, level int) error
	walk = func(of Company, level int) error {
		if level > maxLevels || len(out) >= maxTree {
			return nil
		}
		children, err := r.subsidiaries(ctx, of, maxTree-len(out))
		if err != nil {
			return err
		}
		for _, c := range children {
			if seen[c.ID] || len(out) >= maxTree {
				continue
			}
			seen[c.ID] = true
			out = append(out, Member{Company: c, Level: level})
			if err := walk(c, level+1); err != nil {
				return err
			}
		}
		return nil
	}
	return out, walk(top, 1)
}
