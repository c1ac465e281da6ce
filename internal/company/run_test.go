package company_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"bureau/internal/company"
	"bureau/internal/store"
	"bureau/internal/store/storetest"
)

// A desk is a register on a real database.
type desk struct {
	*company.Register
	db *store.DB
}

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func onBoth(t *testing.T, test func(t *testing.T, d desk)) {
	t.Helper()
	t.Parallel()
	for name, url := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "test.db") },
		"postgres": func(t *testing.T) string { return storetest.Postgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, err := store.Open(t.Context(), url(t))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			test(t, desk{&company.Register{Store: db, Now: func() time.Time { return noon }}, db})
		})
	}
}

// take imports statements as one file.
func (d desk) take(t *testing.T, source string, whole bool, list ...company.Statement) company.RunResult {
	t.Helper()
	run, err := d.NewRun(t.Context(), source, whole, noon)
	if err != nil {
		t.Fatal(err)
	}
	for part := range slices.Chunk(list, 2) { // small batches: more can go wrong
		if err := run.Add(t.Context(), part); err != nil {
			t.Fatal(err)
		}
	}
	if err := run.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	return run.Result
}

func (d desk) changes(t *testing.T) []company.Change {
	t.Helper()
	list, err := d.db.Changes(t.Context(), 0, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range list {
		if c.Number != int64(i+1) {
			t.Fatalf("change %d has the number %d", i+1, c.Number)
		}
	}
	return list
}

func gb(number, name string) company.Statement {
	return company.Statement{Country: "GB", Number: number, Facts: company.Facts{
		Name: name, RegNo: number, Status: company.Active,
	}}
}

func TestSecondImportChangesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		list := []company.Statement{gb("00000001", "One Ltd"), gb("00000002", "Two Ltd"), gb("00000003", "Three Ltd")}
		first := d.take(t, "companies-house", true, list...)
		if first.New != 3 || first.Changes != 3 {
			t.Fatalf("first import: %+v, want 3 new and 3 changes", first)
		}
		second := d.take(t, "companies-house", true, list...)
		if second.Unchanged != 3 || second.Changes != 0 || second.Companies != 0 {
			t.Fatalf("second import: %+v, want all unchanged", second)
		}
	})
}

func TestWholeListTakesAwayWhatItNoLongerHolds(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "companies-house", true, gb("00000001", "One Ltd"), gb("00000002", "Two Ltd"), gb("00000003", "Three Ltd"))
		res := d.take(t, "companies-house", true, gb("00000001", "One Ltd"), gb("00000003", "Drei Ltd"))
		if res.Removed != 1 || res.Changes != 2 {
			t.Fatalf("%+v, want one gone and two changes", res)
		}
		list := d.changes(t)
		want := []company.Change{
			{Number: 4, Company: "GB-0-00000003", Field: company.FieldName, Old: "Three Ltd", New: "Drei Ltd", Source: "companies-house", At: noon},
			{Number: 5, Company: "GB-0-00000002", Field: company.Removed, Old: "Two Ltd", Source: "companies-house", At: noon},
		}
		if !slices.Equal(list[3:], want) {
			t.Fatalf("changes:\n%+v\nwant\n%+v", list[3:], want)
		}
		if _, err := d.Company(t.Context(), "GB-0-00000002"); err == nil {
			t.Fatal("a company that nobody speaks of is still there")
		}
	})
}

func TestFeedTakesNothingAway(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "companies", false, gb("00000001", "One Ltd"), gb("00000002", "Two Ltd"))
		res := d.take(t, "companies", false, gb("00000001", "Uno Ltd"))
		if res.Removed != 0 || res.Changes != 1 {
			t.Fatalf("%+v, want one change and nothing gone", res)
		}
	})
}

func TestThereAndBackInOneFileIsNoChange(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "companies", false, gb("00000001", "A Ltd"))
		before := len(d.changes(t))
		run, err := d.NewRun(t.Context(), "companies", false, noon)
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Add(t.Context(), []company.Statement{gb("00000001", "B Ltd"), gb("00000001", "A Ltd")}); err != nil {
			t.Fatal(err)
		}
		if got := d.changes(t)[before:]; len(got) != 0 {
			t.Fatalf("changes: %+v, want none", got)
		}
	})
}

func TestWhatOnlyLooksDifferentIsNoChange(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		s := gb("00000001", "Acorn  Mills Ltd")
		s.Facts.Names = []company.Name{{Text: "Oak", Kind: company.Trading}, {Text: "Elm", Kind: company.Trading}}
		d.take(t, "companies", false, s)
		before := len(d.changes(t))
		s.Facts.Name = "ACORN MILLS LTD"
		s.Facts.Names = []company.Name{{Text: "ELM", Kind: company.Trading}, {Text: "oak", Kind: company.Trading}}
		d.take(t, "companies", false, s)
		if got := d.changes(t)[before:]; len(got) != 0 {
			t.Fatalf("changes: %+v, want none", got)
		}
		c, err := d.Company(t.Context(), "GB-0-00000001")
		if err != nil || c.Name != "ACORN MILLS LTD" {
			t.Fatalf("the newer way of writing is not kept: %q, %v", c.Name, err)
		}
	})
}

func TestSourcesJoinAndPart(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		ctx := t.Context()
		const lei = "549300ABCDEFGHIJKL45"
		house := gb("00000001", "Acorn Mills Limited")
		d.take(t, "companies-house", true, house)
		d.take(t, "gleif", false, company.Statement{Country: "GB", Number: "00000001", LEI: lei, Facts: company.Facts{
			Name: "ACORN MILLS LTD", LEI: lei, LEIStatus: "ISSUED",
			Addresses: []company.Address{{Kind: company.HeadOffice, City: "York", Country: "GB"}},
		}})
		d.take(t, "bods", false, company.Statement{LEI: lei, Part: "owner-1", Facts: company.Facts{
			Owners: []company.Owner{{Person: company.Person{ID: "p1", Name: "Ada Brook"}, ShareMin: 75, ShareMax: 100}},
		}})
		c := d.find(t, ctx)
		if !slices.Equal(c.Sources, []string{"companies-house", "gleif", "bods"}) {
			t.Fatalf("sources %v", c.Sources)
		}
		if c.Name != "Acorn Mills Limited" || c.From["name"] != "companies-house" || c.LEI != lei || len(c.Owners) != 1 || c.From["owners"] != "bods" {
			t.Fatalf("merged: %+v from %v", c.Facts, c.From)
		}
		// The register no longer holds it: its facts go, the others' stay.
		d.take(t, "companies-house", true, gb("00000009", "Nine Ltd"))
		c = d.find(t, ctx)
		if !slices.Equal(c.Sources, []string{"gleif", "bods"}) || c.Name != "ACORN MILLS LTD" || len(c.Owners) != 1 || c.RegNo != "" {
			t.Fatalf("after the register left: %+v from %v", c.Facts, c.Sources)
		}
	})
}

func (d desk) find(t *testing.T, ctx context.Context) company.Company {
	t.Helper()
	c, err := d.Company(ctx, "GB-0-00000001")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPartsOfAWholeListComeAndGo(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "companies-house", true, gb("00000001", "One Ltd"))
		officer := func(id, name string) company.Statement {
			return company.Statement{Country: "GB", Number: "00000001", Part: id, Facts: company.Facts{
				Officers: []company.Officer{{Person: company.Person{ID: id, Name: name}, Role: "director"}},
			}}
		}
		other := func(n string) company.Statement {
			s := officer(n, "Somebody Else")
			s.Number = n
			return s
		}
		// The list is not sorted: the company's officers lie apart.
		list := []company.Statement{officer("a", "Ann"), other("00000002"), other("00000003"), officer("b", "Ben"), other("00000004"), officer("c", "Cy")}
		d.take(t, "companies-house-officers", true, list...)
		before := len(d.changes(t))
		d.take(t, "companies-house-officers", true, list...)
		if got := d.changes(t)[before:]; len(got) != 0 {
			t.Fatalf("the same unsorted list again made changes: %+v", got)
		}
		d.take(t, "companies-house-officers", true, slices.DeleteFunc(slices.Clone(list), func(s company.Statement) bool { return s.Part == "b" })...)
		got := d.changes(t)[before:]
		if len(got) != 1 || got[0].Field != company.OfficerOut || got[0].Old != "director: Ben" {
			t.Fatalf("changes: %+v, want that Ben left", got)
		}
	})
}

func TestOperatorsWordSurvivesTheNextImport(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "companies-house", true, gb("00000001", "One Ltd"))
		_, err := d.Correct(t.Context(), "GB-0-00000001", func(f *company.Facts) error {
			f.Name, f.Suppressed = "Won Ltd", []string{"status"}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		d.take(t, "companies-house", true, gb("00000001", "One Limited"))
		c := d.find(t, t.Context())
		if c.Name != "Won Ltd" || c.Status != "" {
			t.Fatalf("name %q and status %q, want the operator's name and no status", c.Name, c.Status)
		}
	})
}

// What a bad record of a whole list may be about is not taken away.
func TestRefusedRecordsTakeNobodyAway(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		var list []company.Statement
		for _, n := range []string{"00000001", "00000002", "SC000003", "00000004"} {
			list = append(list, company.Statement{Country: "GB", Number: n, Facts: company.Facts{Name: "No " + n, LEI: "LEI" + n}})
		}
		d.take(t, "house", true, list...)
		again := func(refused ...string) company.RunResult {
			run, err := d.NewRun(t.Context(), "house", true, noon)
			if err != nil {
				t.Fatal(err)
			}
			for _, raw := range refused {
				run.Refused(raw)
			}
			if err := run.Add(t.Context(), list[:1]); err != nil {
				t.Fatal(err)
			}
			if err := run.Finish(t.Context()); err != nil {
				t.Fatal(err)
			}
			return run.Result
		}
		if res := again("!!"); res.Removed != 0 || res.Spared != 3 {
			t.Errorf("a record about nobody knows whom: %+v", res)
		}
		if res := again(`"no 2","00000002",half a line`, "x;sc000003", "about LEI00000004"); res.Removed != 0 || res.Spared != 3 {
			t.Errorf("a bad record for each: %+v", res)
		}
		if res := again(`"00000002","wrong","date"`); res.Removed != 2 || res.Spared != 1 {
			t.Errorf("one bad record: %+v", res)
		}
		if res := again(); res.Removed != 1 || res.Spared != 0 {
			t.Errorf("none: %+v", res)
		}
	})
}
