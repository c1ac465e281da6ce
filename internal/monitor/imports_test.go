package monitor_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/monitor"
	"bureau/internal/store"
	"bureau/internal/store/storetest"
)

var (
	ann = auth.Caller{Customer: 1, Account: 11} // owns the portfolio
	bob = auth.Caller{Customer: 1, Account: 12} // her colleague
	eve = auth.Caller{Customer: 2, Account: 21} // a stranger
)

// An office is imports on a real database. Its clock stands still until a test
// moves it.
type office struct {
	t         *testing.T
	db        *store.DB
	imports   *monitor.Imports
	portfolio monitor.PortfolioID

	mu  sync.Mutex
	now time.Time
}

func (o *office) clock() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.now
}

func (o *office) pass(d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.now = o.now.Add(d)
}

// onBoth runs a test in an office on each database. The register has companies
// GB-0-1 … GB-0-<n>, and FR-0-1 that nobody may watch.
func onBoth(t *testing.T, companies int, test func(t *testing.T, o *office)) {
	for name, fresh := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "test.db") },
		"postgres": func(t *testing.T) string { return storetest.Postgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			db, err := storetest.Open(t.Context(), fresh(t), store.Open)
			noError(t, err)
			t.Cleanup(func() { db.Close() })
			o := &office{t: t, db: db, now: time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)}
			db.Now = o.clock
			o.imports = &monitor.Imports{
				Store: db, Companies: &company.Register{Store: db, Now: o.clock}, Wake: &job.Signal{}, Batch: 10,
				Allow: func(_ context.Context, _ auth.Caller, country string) error {
					if country == "FR" {
						return fault.Denied.Errorf("no access to monitoring in FR")
					}
					return nil
				},
			}
			o.register(companies)
			p, err := db.CreatePortfolio(t.Context(), ann, monitor.Portfolio{Name: "one"})
			noError(t, err)
			o.portfolio = p.ID
			test(t, o)
		})
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (o *office) register(n int) {
	o.t.Helper()
	saved := func(id company.ID, idents ...company.Ident) company.Saved {
		return company.Saved{
			Held: company.Held{ID: id, Said: []company.Said{{Source: "src", Facts: company.Facts{Name: string(id)}}}},
			New:  true, Name: string(id), Country: id.Country(), Idents: idents,
		}
	}
	err := o.db.Write(o.t.Context(), func(company.View) (company.Update, error) {
		u := company.Update{Companies: []company.Saved{saved("FR-0-1")}}
		for i := range n {
			id := gb(i + 1)
			u.Companies = append(u.Companies, saved(id, company.Ident{Kind: company.BySafeNo, Value: fmt.Sprintf("SAFE%d", i+1)}))
		}
		return u, nil
	})
	noError(o.t, err)
}

func gb(n int) company.ID { return company.NewID("GB", fmt.Sprint(n)) }

// send sends a file for somebody.
func (o *office) send(by auth.Caller, sync bool, text string) (monitor.Import, error) {
	u, err := o.imports.Upload(o.t.Context(), strings.NewReader(text))
	if err != nil {
		return monitor.Import{}, err
	}
	return o.imports.Begin(o.t.Context(), by, o.portfolio, sync, u, "")
}

// sent sends a file for ann.
func (o *office) sent(sync bool, text string) monitor.ImportID {
	o.t.Helper()
	i, err := o.send(ann, sync, text)
	noError(o.t, err)
	return i.ID
}

func (o *office) worker(name string, imports *monitor.Imports) *job.Worker {
	return &job.Worker{Kinds: imports.Kinds(), Store: o.db, Owner: name, Life: time.Minute, Wake: imports.Wake}
}

// work does all that there is to do.
func (o *office) work() {
	o.t.Helper()
	for w, worked := o.worker("w", o.imports), true; worked; {
		var err error
		worked, err = w.Step(o.t.Context())
		noError(o.t, err)
	}
}

func (o *office) result(id monitor.ImportID) monitor.Import {
	o.t.Helper()
	i, err := o.imports.Get(o.t.Context(), ann, o.portfolio, id)
	noError(o.t, err)
	return i
}

// content is what is in the portfolio: "GB-0-1 reference limit notes".
func (o *office) content() (out []string) {
	o.t.Helper()
	for after := company.ID(""); ; {
		page, err := o.db.Members(o.t.Context(), ann, o.portfolio, monitor.MemberQuery{After: after, Limit: 1000})
		noError(o.t, err)
		for _, m := range page.List {
			out = append(out, strings.TrimSpace(fmt.Sprint(m.Company, " ", m.Reference, " ", m.Limit, " ", m.Notes)))
			after = m.Company
		}
		if len(page.List) < 1000 {
			return out
		}
	}
}

func TestImportAddsWhatAFileNames(t *testing.T) {
	onBoth(t, 40, func(t *testing.T, o *office) {
		o.sent(false, "GB-0-1\n")
		o.work()
		o.pass(time.Second)
		text := "id;countryCode;regNo;reference;personalLimit;notes\n" +
			"GB-0-1;;;new;;\n" + // there already: stays as it is
			"gb-0-2;;;=1+1;500;\"a;b\"\n" +
			"SAFE3;;;;;\n" +
			";GB;4;;;\n" +
			"GB-0-99;;;;;\n" +
			"GB001-0-2;;;twice;;\n" +
			"FR-0-1;;;;;\n" +
			"\"GB-0-5;;;;;\n" +
			";GB;;;;\n"
		for i := 5; i <= 40; i++ { // and some batches
			text += fmt.Sprintf("GB-0-%d\n", i)
		}
		id := o.sent(false, text)
		if i := o.result(id); i.State != "waiting" || i.Percent != 0 || i.Sync || i.Portfolio != o.portfolio || !i.CreatedAt.Equal(o.clock()) {
			t.Errorf("it waits as %+v", i)
		}
		o.work()
		got := o.result(id)
		want := monitor.ImportReport{
			Rows: 45, Added: 39, There: 2, Unknown: 1, Refused: 3,
			Problems: []monitor.ImportProblem{
				{Line: 6, Value: "GB-0-99", Reason: "the register has no such company"},
				{Line: 8, Value: "FR-0-1", Reason: "no access to monitoring in FR"},
				{Line: 9, Value: "", Reason: "a quotation mark is not closed"},
				{Line: 10, Value: "GB", Reason: "it has no regNo"},
			},
		}
		if d := cmp.Diff(want, got.ImportReport); d != "" || got.State != "done" || got.Percent != 100 || got.Truncated() {
			t.Errorf("%s %d %% (-want +got):\n%s", got.State, got.Percent, d)
		}
		content := o.content()
		if len(content) != 40 || content[0] != "GB-0-1" || !slices.Contains(content, "GB-0-2 =1+1 500 a;b") {
			t.Errorf("the portfolio has %d: %q", len(content), content)
		}
	})
}

func TestSyncReplacesTheContent(t *testing.T) {
	onBoth(t, 40, func(t *testing.T, o *office) {
		var all strings.Builder
		for i := range 40 {
			fmt.Fprintln(&all, gb(i+1))
		}
		o.sent(false, all.String())
		id := o.sent(true, "id,reference\nGB-0-1,a\nGB-0-2,b\nGB-0-2,c\nGB-0-77,x\nFR-0-1,y\n")
		o.work()
		got := o.result(id)
		if got.State != "done" || !got.Sync || got.Rows != 5 || got.Added != 0 || got.There != 3 || got.Removed != 38 || got.Unknown != 1 || got.Refused != 1 {
			t.Errorf("got %+v", got)
		}
		if d := cmp.Diff([]string{"GB-0-1 a", "GB-0-2 b"}, o.content()); d != "" {
			t.Errorf("content (-want +got):\n%s", d)
		}
	})
}

// A sync that would empty the portfolio by mistake leaves it as it is.
func TestSyncNeverEmptiesAPortfolio(t *testing.T) {
	onBoth(t, 3, func(t *testing.T, o *office) {
		o.sent(false, "GB-0-1\nGB-0-2\n")
		o.work()
		for _, text := range []string{"", "\n\n", "id,notes\n", "\ufeffid\r\n\r\n"} {
			if _, err := o.send(ann, true, text); !errors.Is(err, fault.Invalid) {
				t.Errorf("%q was taken: %v", text, err)
			}
		}
		for _, text := range []string{"GB-0-77\n", "FR-0-1\n", "id\n\"\n", "id\n" + strings.Repeat(" \n", 100_000)} {
			id := o.sent(true, text)
			o.work()
			if got := o.result(id); got.State != "failed" || got.Error != "the file names no company that can be watched; the portfolio was left as it is" {
				t.Errorf("%.20q: got %+v", text, got)
			}
		}
		if got := o.content(); len(got) != 2 {
			t.Errorf("the portfolio has %q", got)
		}
	})
}

// A file that lost its second half is not a shorter file.
func TestSyncOfAFileThatCannotBeRead(t *testing.T) {
	onBoth(t, 3, func(t *testing.T, o *office) {
		o.sent(false, "GB-0-1\nGB-0-2\n")
		o.work()
		id := o.sent(true, strings.Repeat("GB-0-3\n", 20_000))
		broken := &brokenStore{ImportStore: o.db, after: 100_000}
		imports := *o.imports
		imports.Batch = 5000
		imports.Store = broken
		w := o.worker("w", &imports)
		w.Store = broken
		for range job.MaxAttempts {
			if worked, err := w.Step(t.Context()); !worked || err == nil {
				t.Fatalf("worked %v (%v), want a failure", worked, err)
			}
			o.pass(time.Hour)
		}
		if got := o.result(id); got.State != "failed" || strings.Contains(got.Error, "disk") {
			t.Errorf("got %+v", got)
		}
		if d := cmp.Diff([]string{"GB-0-1", "GB-0-2"}, o.content()); d != "" {
			t.Errorf("content (-want +got):\n%s", d)
		}
	})
}

func TestImportsNeedTheirRights(t *testing.T) {
	onBoth(t, 3, func(t *testing.T, o *office) {
		may := func(by auth.Caller, sync bool) error { return o.imports.May(t.Context(), by, o.portfolio, sync) }
		share := func(r monitor.Rights) {
			t.Helper()
			noError(t, o.db.SharePortfolio(t.Context(), ann, o.portfolio, true, []monitor.Share{{Account: bob.Account, Rights: r}}))
		}
		for _, c := range []struct {
			rights       monitor.Rights
			import_, syn fault.Kind
		}{
			{0, fault.Missing, fault.Missing},
			{monitor.View | monitor.Edit, fault.Denied, fault.Denied},
			{monitor.View | monitor.Remove, fault.Denied, fault.Denied},
			{monitor.View | monitor.Add, "", fault.Denied},
			{monitor.View | monitor.Add | monitor.Remove, "", ""},
		} {
			share(c.rights)
			for sync, want := range map[bool]fault.Kind{false: c.import_, true: c.syn} {
				if err := may(bob, sync); want == "" && err != nil || want != "" && !errors.Is(err, want) {
					t.Errorf("with %q, sync %v: %v, want %q", c.rights, sync, err, want)
				}
				_, err := o.send(bob, sync, "GB-0-1\n")
				if want == "" && err != nil || want != "" && !errors.Is(err, want) {
					t.Errorf("with %q, sync %v: sent %v, want %q", c.rights, sync, err, want)
				}
			}
		}
		if err := may(eve, false); !errors.Is(err, fault.Missing) {
			t.Errorf("a stranger: %v", err)
		}
		o.work()
		// A right that is taken away before the file's turn comes is gone.
		for _, sync := range []bool{false, true} {
			share(monitor.View | monitor.Add | monitor.Remove)
			i, err := o.send(bob, sync, "GB-0-2\n")
			noError(t, err)
			share(monitor.View)
			o.work()
			if got := o.result(i.ID); got.State != "failed" || !strings.Contains(got.Error, "without the right to add") {
				t.Errorf("got %+v", got)
			}
		}
		if d := cmp.Diff([]string{"GB-0-1"}, o.content()); d != "" {
			t.Errorf("content (-want +got):\n%s", d)
		}
	})
}

func TestImportsOfOthersAreMissing(t *testing.T) {
	onBoth(t, 3, func(t *testing.T, o *office) {
		id := o.sent(false, "GB-0-1\n")
		other, err := o.db.CreatePortfolio(t.Context(), ann, monitor.Portfolio{Name: "two"})
		noError(t, err)
		for _, c := range []struct {
			by        auth.Caller
			portfolio monitor.PortfolioID
		}{{eve, o.portfolio}, {bob, o.portfolio}, {ann, other.ID}, {ann, 1}} {
			if _, err := o.imports.Get(t.Context(), c.by, c.portfolio, id); !errors.Is(err, fault.Missing) {
				t.Errorf("%+v reads it at %d: %v", c.by, c.portfolio, err)
			}
		}
		if _, _, err := o.imports.List(t.Context(), bob, o.portfolio, monitor.ImportQuery{Limit: 5}); !errors.Is(err, fault.Missing) {
			t.Errorf("a colleague without a share lists them: %v", err)
		}
		noError(t, o.db.SharePortfolio(t.Context(), ann, o.portfolio, false, []monitor.Share{{Account: bob.Account, Rights: monitor.View}}))
		if _, err := o.imports.Get(t.Context(), bob, o.portfolio, id); err != nil {
			t.Errorf("a colleague who may see the portfolio: %v", err)
		}
		list, total, err := o.imports.List(t.Context(), bob, o.portfolio, monitor.ImportQuery{Limit: 5})
		if err != nil || total != 1 || len(list) != 1 || list[0].ID != id {
			t.Errorf("listed %+v, %d (%v)", list, total, err)
		}
		noError(t, o.db.DeletePortfolio(t.Context(), ann, o.portfolio))
		o.work()
		if _, err := o.imports.Get(t.Context(), ann, o.portfolio, id); !errors.Is(err, fault.Missing) {
			t.Errorf("it outlived its portfolio: %v", err)
		}
	})
}

func TestTooManyFilesAtOnce(t *testing.T) {
	onBoth(t, 3, func(t *testing.T, o *office) {
		for i := range 51 {
			_, err := o.send(ann, false, "GB-0-1\n")
			if i < 50 && err != nil || i == 50 && !errors.Is(err, fault.Exhausted) {
				t.Fatalf("file %d: %v", i+1, err)
			}
		}
		o.work()
		o.sent(false, "GB-0-1\n")
	})
}

// The list of problems ends somewhere; their number does not.
func TestProblemsAreListedUpToAThousand(t *testing.T) {
	onBoth(t, 1, func(t *testing.T, o *office) {
		o.imports.Batch = 300
		id := o.sent(false, strings.Repeat("GB-0-"+strings.Repeat("9", 200)+"\n", 1005))
		o.work()
		got := o.result(id)
		if got.Rows != 1005 || got.Unknown != 1005 || len(got.Problems) != 1000 || !got.Truncated() || got.Problems[999].Line != 1000 {
			t.Errorf("%d rows, %d unknown, %d listed", got.Rows, got.Unknown, len(got.Problems))
		}
		if n := len([]rune(got.Problems[0].Value)); n != 101 {
			t.Errorf("a value of %d characters is shown", n)
		}
	})
}
