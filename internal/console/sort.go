package console

import (
	"slices"
	"strings"

	"bureau/internal/monitor"
)

// A sortHead is a head of a column; Link sorts by it, if it can be sorted by.
type sortHead struct {
	Name  string
	Key   string // what an address calls it
	Link  string
	Order string // "ascending" or "descending", if the list is sorted by it
	Right bool
}

// memberColumns are those of a portfolio's table, in their order.
var memberColumns = []struct {
	name  string
	sort  string
	right bool
}{
	{"Company", string(monitor.ByCompany), false},
	{"Id", "id", false},
	{"Status", string(monitor.ByStatus), false},
	{"Band", string(monitor.ByBand), false},
	{"Score", "", true},
	{"Credit limit", "", true},
	{"Last event", string(monitor.ByLastEvent), false},
	{"Reference", string(monitor.ByReference), false},
}

// memberSort reads an order of an address: a name, with a minus before it the
// other way round.
func memberSort(text string) (by monitor.MemberSort, down bool) {
	name, down := strings.CutPrefix(text, "-")
	if by = monitor.MemberSort(name); !slices.Contains(monitor.MemberSorts, by) {
		return monitor.ByCompanyID, false
	}
	return by, down
}

// memberHeads are the heads of the columns. To click one sorts by it, to click
// it again turns the order round.
func (v *visit) memberHeads(q monitor.MemberQuery) (out []sortHead) {
	for _, c := range memberColumns {
		h := sortHead{Name: c.name, Key: c.sort, Right: c.right}
		by := monitor.MemberSort(c.sort)
		if c.sort == "id" {
			by = monitor.ByCompanyID
		}
		if c.sort != "" {
			to := c.sort
			if by == q.Sort {
				h.Order = "ascending"
				if q.Down {
					h.Order = "descending"
				} else if by != monitor.ByCompanyID {
					to = "-" + to
				}
			} else if by == monitor.ByLastEvent {
				to = "-" + to // the newest are what is looked for
			}
			h.Link = v.with("sort", to)
		}
		out = append(out, h)
	}
	return out
}
