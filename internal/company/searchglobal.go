package company

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"bureau/internal/match"
)

// A Location is one place of a company.
type Location struct {
	Hit
	Office Office
	Place  *Address // nil where nothing is known of it
}

// Locations are a page of places.
type Locations struct {
	List    []Location
	Total   int
	AtLeast bool
	Next    *LocationPosition // nil at the end
	Behind  int64
}

// A LocationPosition is where a list of places broke off: at a place of a
// company.
type LocationPosition struct {
	Position
	Place int
}

// mostGroup is how many companies of one group are listed with its name.
const mostGroup = 200

// mostHeads is for how many companies that were found the group is looked up.
const mostHeads = 20

// Global finds all places of companies: of each that the criteria find, and, of
// each that is very likely the one, its branches and subsidiaries in whatever
// country, under whatever name. A company's own places come first, then those of
// its group.
func (f *Finder) Global(ctx context.Context, c Criteria, p Page, after *LocationPosition) (Locations, error) {
	office := c.Office // of the places, not of the companies
	c.Office = ""
	hits, err := f.Search(ctx, c, Page{Limit: mostHits})
	if err != nil {
		return Locations{}, err
	}
	seen := map[ID]bool{}
	for i := range hits.List {
		seen[hits.List[i].ID] = true
	}
	var all []Location
	heads := 0
	for i := range hits.List {
		h := &hits.List[i]
		all = append(all, h.places(h.Company.Office())...)
		if heads == mostHeads || h.Score < match.AlertScore && c.Name != "" {
			continue
		}
		heads++
		group, err := f.groupOf(ctx, &h.Company, seen)
		if err != nil {
			return Locations{}, err
		}
		for _, m := range group {
			if len(c.Countries) == 0 || slices.Contains(c.Countries, m.ID.Country()) {
				of := Hit{Company: m, Score: h.Score, Chance: h.Chance, Changed: h.Changed}
				all = append(all, of.places(m.officeInGroup())...)
			}
		}
	}
	if office != "" {
		all = slices.DeleteFunc(all, func(l Location) bool { return l.Office != office })
	}
	out := Locations{Total: len(all), AtLeast: hits.AtLeast, Behind: hits.Behind}
	from := min(p.Skip, len(all))
	if after != nil {
		from = placeBehind(all, *after)
	}
	to := min(from+p.Limit, len(all))
	if out.List = all[from:to]; to < len(all) {
		out.Next = &LocationPosition{all[to-1].Position(), placeNumber(all, to-1)}
	}
	return out, nil
}

// placeNumber is which place of its company the i-th of a list is.
func placeNumber(all []Location, i int) int {
	n := 0
	for ; i > n && all[i-n-1].ID == all[i].ID; n++ {
	}
	return n
}

// placeBehind finds where a list goes on. A list whose last place has gone since
// goes on with the next company.
func placeBehind(all []Location, at LocationPosition) int {
	for i := range all {
		if all[i].ID == at.ID && placeNumber(all, i) == at.Place {
			return i + 1
		}
	}
	i := slices.IndexFunc(all, func(l Location) bool {
		return l.Chance < at.Chance || l.Chance == at.Chance && l.ID > at.ID
	})
	if i < 0 {
		return len(all)
	}
	return i
}

// officeInGroup is what a company is to the group that it was found with.
func (c *Company) officeInGroup() Office {
	if c.belongs(HeadOf) {
		return OfficeBranch
	}
	return OfficeSubsidiary
}

// places are the places of a company: the one that it is registered at, which is
// what the company itself is, and then where else it works.
func (h *Hit) places(is Office) []Location {
	out := []Location{{Hit: *h, Office: is}}
	main := -1
	for _, kind := range []AddressKind{Registered, HeadOffice, Postal, TradingPlace, Branch} {
		if main = slices.IndexFunc(h.Addresses, func(a Address) bool { return a.Kind == kind }); main >= 0 {
			out[0].Place = &h.Addresses[main]
			break
		}
	}
	for i := range h.Addresses {
		a := &h.Addresses[i]
		if i == main || a.Kind == FormerAddress || a.Kind == Postal ||
			slices.ContainsFunc(out, func(l Location) bool { return l.Place != nil && fold(l.Place.Line()) == fold(a.Line()) }) {
			continue
		}
		out = append(out, Location{*h, officeOf[a.Kind], a})
	}
	return out
}

// groupOf are the companies below one, and its branches, which were not seen yet.
func (f *Finder) groupOf(ctx context.Context, c *Company, seen map[ID]bool) ([]Company, error) {
	var out []Company
	above := []Company{*c}
	for len(above) > 0 && len(out) < mostGroup {
		var next []Company
		for i := range above {
			below, err := f.below(ctx, &above[i], mostGroup-len(out))
			if err != nil {
				return nil, err
			}
			for _, b := range below {
				if !seen[b.ID] {
					seen[b.ID] = true
					next = append(next, b)
				}
			}
		}
		slices.SortFunc(next, func(a, b Company) int { return cmp.Compare(a.ID, b.ID) })
		out, above = append(out, next...), next
	}
	return out[:min(len(out), mostGroup)], nil
}

// below are the companies whose parent, or head office, a company is.
func (f *Finder) below(ctx context.Context, c *Company, most int) ([]Company, error) {
	var ids []ID
	for _, name := range []string{c.LEI, string(c.ID)} {
		if name == "" {
			continue
		}
		children, err := f.Store.FindAll(ctx, Ident{ByParent, name}, most)
		if err != nil {
			return nil, err
		}
		branches, err := f.Store.KeyHolders(ctx, KeyQuery{Key: Key{KeyHead, name}, Limit: most})
		if err != nil {
			return nil, err
		}
		ids = append(append(ids, children...), branches...)
	}
	found, err := f.Register.Companies(ctx, unique(ids))
	return slices.Collect(maps.Values(found)), err
}
