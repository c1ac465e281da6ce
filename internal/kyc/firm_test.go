package kyc_test

import (
	"slices"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/kyc"
	"bureau/internal/store"
)

// register keeps a company as a source describes it.
func register(t *testing.T, db *store.DB, f company.Facts, country, number string) {
	t.Helper()
	r := &company.Register{Store: db, Now: func() time.Time { return noon }, Temp: t.TempDir()}
	run, err := r.NewRun(t.Context(), "test", false, noon)
	must(t, err)
	defer run.Close()
	must(t, run.Add(t.Context(), []company.Statement{{Country: country, Number: number, LEI: f.LEI, Facts: f}}))
	must(t, run.Finish(t.Context()))
}

// A company that takes the name of somebody who is listed, and one whose new
// officer is, are told to those whose searches are about it, and to no others.
func TestAChangedCompanyIsScreenedAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		s := newSearches(t, db)
		by, other := auth.Caller{Customer: 7, Account: 8}, auth.Caller{Customer: 9, Account: 10}
		listed := firm("test", "2", "Zephyrine Bulk Shipping Ltd")
		mustTake(t, db, kyc.Intake{Whole: true}, person("test", "1", "Casimir Thistlewood"), listed, person("test", "3", "Dorothea Underhay"))
		must(t, s.Screener.Index.Refresh(ctx))
		watch := func(by auth.Caller, number string) kyc.SearchID {
			search := create(t, db, s, by, kyc.Request{Name: "Harmless Trading Ltd"})
			_, err := s.Schedule(ctx, by, search.ID, kyc.ScheduleWish{})
			must(t, err)
			p := kyc.Profile{ID: kyc.ProfileID("profile-" + number), Name: "x", Type: "company", Details: kyc.Details{Country: "GB", Number: number}}
			must(t, db.AddProfile(ctx, by, p))
			must(t, db.LinkSearch(ctx, by, p.ID, search.ID, kyc.Act{}))
			return search.ID
		}
		mine := watch(by, "12")
		watch(other, "13")
		director := company.Officer{Person: company.Person{ID: "d1", Name: "Casimir Thistlewood"}, Role: "director"}
		hidden := company.Officer{Person: company.Person{ID: "d2", Name: "Dorothea Underhay", Protected: true}, Role: "director"}
		register(t, db, company.Facts{Name: "Harmless Trading Ltd", Status: company.Active}, "GB", "12")
		read, err := db.LastChange(ctx)
		must(t, err)
		follow := func() kyc.News {
			t.Helper()
			changes, err := db.Changes(ctx, read, 100)
			must(t, err)
			news, err := s.RescreenFirms(ctx, changes, db.Held)
			must(t, err)
			read = changes[len(changes)-1].Number
			must(t, db.SaveKYCAlerts(ctx, news, nil, job.Place{Name: "test", Number: read}))
			return news
		}
		why := func(n kyc.News) (out []string) {
			for _, a := range n.Alerts {
				if a.Search != mine {
					t.Errorf("the search of another was alarmed: %+v", a)
				}
				out = append(out, a.Verdict.Changes...)
			}
			return out
		}
		register(t, db, company.Facts{Name: "Zephyrine Bulk Shipping Ltd", Status: company.Active}, "GB", "12")
		if got := why(follow()); !slices.Equal(got, []string{"the company is now called Zephyrine Bulk Shipping Ltd"}) {
			t.Errorf("after a new name: %q", got)
		}
		renamed := company.Facts{Name: "Zephyrine Bulk Shipping Ltd", Status: company.Active, Officers: []company.Officer{director, hidden}}
		register(t, db, renamed, "GB", "12")
		if got := why(follow()); !slices.Equal(got, []string{"an officer of the company: Casimir Thistlewood"}) {
			t.Errorf("after new officers: %q", got)
		}
		// Who is looked for now is looked for when a list changes, too.
		after, err := db.LastEntryChange(ctx)
		must(t, err)
		mustTake(t, db, kyc.Intake{Whole: true}, person("test", "1", "Casimir Thistlewood"), listed, person("test", "3", "Dorothea Underhay"), person("test", "4", "Casimir Thistlewood"))
		changes, err := db.EntryChanges(ctx, after, 100)
		must(t, err)
		alerts, err := s.Rescreen(ctx, changes, 0, nil)
		must(t, err)
		if len(alerts) != 1 || alerts[0].Search != mine || alerts[0].List != "test" {
			t.Errorf("after a change of the list: %+v", alerts)
		}
		director.Until = "2026-02-01"
		renamed.Officers = []company.Officer{director, hidden}
		register(t, db, renamed, "GB", "12")
		if got := follow(); len(got.Alerts) != 0 || len(got.Also) != 1 {
			t.Errorf("after an officer left: %+v", got)
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func firm(list, number, name string, ids ...kyc.Identifier) kyc.Record {
	r := person(list, number, name)
	r.Kind, r.Identifiers = kyc.Company, ids
	return r
}

// An entry that names a company by its number is a change of the company, once,
// and so is its end. A name that is alike is none.
func TestARegisteredCompanyIsListed(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		l := &kyc.Listing{Index: &kyc.Index{Store: db}, Lists: db, Register: db, Now: func() time.Time { return noon }}
		register(t, db, company.Facts{Name: "Zephyrine Ltd", LEI: "5299000J2N45DDNE4Y28"}, "GB", "12")
		register(t, db, company.Facts{Name: "Oakenshaw Ltd"}, "GB", "0 34")
		register(t, db, company.Facts{Name: "Alike Ltd"}, "GB", "56")
		entry, reg := int64(0), int64(0)
		var err error
		reg, err = db.LastChange(ctx)
		must(t, err)
		follow := func() (out []string) {
			t.Helper()
			changes, err := db.EntryChanges(ctx, entry, 100)
			must(t, err)
			if len(changes) > 0 {
				entry = changes[len(changes)-1].Number
				must(t, l.TakeEntries(ctx, changes, job.Place{Name: "a", Number: entry}))
				must(t, l.TakeEntries(ctx, changes, job.Place{Name: "a", Number: entry})) // a second time is none
			}
			news, err := db.Changes(ctx, reg, 100)
			must(t, err)
			if len(news) > 0 {
				must(t, l.TakeCompanies(ctx, news, job.Place{Name: "b", Number: reg}))
			}
			if news, err = db.Changes(ctx, reg, 100); err != nil {
				t.Fatal(err)
			}
			for _, c := range news {
				if reg = c.Number; c.Field == company.Listed {
					out = append(out, string(c.Company)+" "+c.Item+": "+c.Old+" > "+c.New)
				}
			}
			return out
		}
		byLEI := firm(kyc.UNSanctions, "1", "Zephyrine Bulk", kyc.Identifier{Type: kyc.LEI, Value: "5299000J2N45DDNE4Y28"})
		byNumber := firm(kyc.UNSanctions, "2", "Oakenshaw Holdings", kyc.Identifier{Type: kyc.Registration, Value: "034", Country: "GB"})
		later := firm(kyc.UNSanctions, "3", "Later Ltd", kyc.Identifier{Type: kyc.Registration, Value: "78", Country: "GB"})
		alike := firm(kyc.UNSanctions, "4", "Alike Ltd")
		mustTake(t, db, kyc.Intake{Whole: true}, byLEI, byNumber, later, alike)
		un := kyc.FindList(kyc.UNSanctions).Title
		expect := func(what string, got []string, want ...string) {
			t.Helper()
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", what, got, want)
			}
		}
		expect("when they are listed", follow(), "GB-0-12 "+un+":  > Zephyrine Bulk", "GB-0-034 "+un+":  > Oakenshaw Holdings")
		register(t, db, company.Facts{Name: "Later Ltd"}, "GB", "78")
		expect("a company that comes later", follow(), "GB-0-78 "+un+":  > Later Ltd")
		byLEI.Reasons = []string{"other words"}
		mustTake(t, db, kyc.Intake{Whole: true}, byLEI, byNumber, later, alike)
		expect("other words", follow())
		mustTake(t, db, kyc.Intake{Whole: true, AcceptShrink: true}, byLEI, later, alike)
		expect("one left", follow(), "GB-0-034 "+un+": Oakenshaw Holdings > ")
	})
}
