package monitor_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/company"
	"bureau/internal/monitor"
)

// drop takes a company out of the register.
func (o *office) drop(id company.ID) {
	o.t.Helper()
	noError(o.t, o.db.Write(o.t.Context(), func(company.View) (company.Update, error) {
		return company.Update{Removed: []company.ID{id}}, nil
	}))
}

// A mistake in a file costs nobody a company: a sync removes only what no line
// names, and nothing while there is a line that might name anybody.
func TestSyncKeepsWhomAFileMayName(t *testing.T) {
	long := strings.Repeat("x", 201)
	all := []string{"GB-0-1", "GB-0-2 b", "GB-0-3 c", "GB-0-4 d", "GB-0-5"}
	cases := []struct {
		name, text string
		want       []string
		kept       int64
		note       string // the line that is to blame
	}{
		{"nothing is wrong", "GB-0-1,\n", []string{"GB-0-1"}, 0, ""},
		{"a reference is too long", "GB-0-1,\nGB-0-2," + long + "\n", []string{"GB-0-1", "GB-0-2 b"}, 1, ""},
		{"by the safe number", "GB-0-1,\nSAFE2," + long + "\n", []string{"GB-0-1", "GB-0-2 b"}, 1, ""},
		{"a reference in Latin-1", "GB-0-1,\nGB-0-2,caf\xe9\n", []string{"GB-0-1", "GB-0-2 b"}, 1, ""},
		{"twice, once well", "GB-0-1,\nGB-0-2," + long + "\nGB-0-2,new\n", []string{"GB-0-1", "GB-0-2 new"}, 0, ""},
		{"an id in Latin-1", "GB-0-1,\nGB-0-\xe9,\n", all, 4, "line 3"},
		{"an id with a NUL", "GB-0-1,\nGB-0-\x00,\n", all, 4, "line 3"},
		{"a mark is not closed", "GB-0-1,\n\"GB-0-2,x\n", all, 4, "line 3"},
		{"a mark is closed lines later", "\"GB-0-2,\nGB-0-3\",x\nGB-0-1,\n", all, 4, "line 2"},
		{"a mark inside", "GB-0-1,\nGB-0-2,5\" pipe\n\xff,\n", all, 4, "line 3"},
		{"a value too many", "GB-0-1,\nx,y,GB-0-2\n", all, 4, "line 3"},
		{"no id", "GB-0-1,\n,somebody\n", all, 4, "line 3"},
		{"a company of no country of yours", "GB-0-1,\nFR-0-1,\n", []string{"GB-0-1"}, 0, ""},
		{"a stranger", "GB-0-1,\nGB-0-77,\n", []string{"GB-0-1"}, 0, ""},
		{"one that left the register", "GB-0-1,\nGB-0-4,new\n", []string{"GB-0-1", "GB-0-4 d"}, 1, ""},
		{"perhaps one that left the register", "GB-0-1,\nSAFE4,new\n", []string{"GB-0-1", "GB-0-4 d"}, 1, ""},
		{"nobody is missing", "GB-0-1,\nGB-0-2,b\nGB-0-3,c\nGB-0-4,\nGB-0-5,\n\"\n", all, 1, "line 7"},
	}
	onBoth(t, 5, func(t *testing.T, o *office) {
		portfolios := make([]monitor.PortfolioID, len(cases))
		for i, c := range cases {
			p, err := o.db.CreatePortfolio(t.Context(), ann, monitor.Portfolio{Name: c.name})
			noError(t, err)
			o.portfolio, portfolios[i] = p.ID, p.ID
			o.sent(false, "id,reference\nGB-0-1,\nGB-0-2,b\nGB-0-3,c\nGB-0-4,d\nGB-0-5,\n")
		}
		o.work()
		o.drop("GB-0-4")
		for i, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				o.portfolio = portfolios[i]
				id := o.sent(true, "id,reference\n"+c.text)
				o.work()
				if d := cmp.Diff(c.want, o.content()); d != "" {
					t.Errorf("content (-want +got):\n%s", d)
				}
				got := o.result(id)
				if got.State != "done" || got.Kept != c.kept || got.Removed != int64(5-len(c.want)) {
					t.Errorf("%s: %d removed, %d kept; want %d and %d", got.State, got.Removed, got.Kept, 5-len(c.want), c.kept)
				}
				if c.note == "" && got.Note != "" || c.note != "" && !strings.HasPrefix(got.Note, "nothing was removed: "+c.note+" ") {
					t.Errorf("the note is %q, want one about %q", got.Note, c.note)
				}
			})
		}
	})
}
