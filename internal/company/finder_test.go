package company_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
)

// finder makes a finder of a desk's register; what it keeps lies in folder.
func (d desk) finder(folder string) *company.Finder {
	return &company.Finder{Register: d.Register, Store: d.db, Folder: folder}
}

// catchUp lets everything that is searched in take in what happened.
func (d desk) catchUp(t *testing.T, f *company.Finder) {
	t.Helper()
	for more := true; more; {
		after, err := d.db.Place(t.Context(), company.KeyReader)
		noError(t, err)
		batch, err := d.db.Changes(t.Context(), after, 100)
		noError(t, err)
		if more = len(batch) > 0; more {
			keys, err := d.KeysOf(t.Context(), batch)
			noError(t, err)
			noError(t, d.db.SaveKeys(t.Context(), keys, job.Place{Name: company.KeyReader, Number: batch[len(batch)-1].Number}))
		}
	}
	for more := true; more; {
		var err error
		more, err = f.Step(t.Context())
		noError(t, err)
	}
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func named(country, number, name string, more ...company.Name) company.Statement {
	return company.Statement{Country: country, Number: number, Facts: company.Facts{Name: name, Names: more, Status: company.Active}}
}

// search returns the IDs of what is found.
func search(t *testing.T, f *company.Finder, c company.Criteria) []company.ID {
	t.Helper()
	hits, err := f.Search(t.Context(), c, company.Page{Limit: 1000})
	noError(t, err)
	ids := []company.ID{}
	for i := range hits.List {
		ids = append(ids, hits.List[i].ID)
	}
	return ids
}

func wantIDs(t *testing.T, what string, got []company.ID, want ...company.ID) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// Until the index is there, a search by name says so; others work.
func TestSearchBeforeTheIndexIsReady(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "src", false, named("GB", "1", "Hollbrook Bakery Ltd"))
		f := d.finder("")
		_, err := f.Search(t.Context(), company.Criteria{Name: "Hollbrook"}, company.Page{Limit: 1})
		if v, ok := fault.Of(err); !ok || v.Kind != fault.Busy || v.Wait <= 0 {
			t.Errorf("a search by name: %v, want a fault that says when to try again", err)
		}
		if why, ok := f.Ready(); ok || why == "" {
			t.Errorf("it is ready: %v %q", ok, why)
		}
		wantIDs(t, "a search by number", search(t, f, company.Criteria{Countries: []string{"GB"}, RegNo: "1"}), "GB-0-1")
		d.catchUp(t, f)
		wantIDs(t, "then", search(t, f, company.Criteria{Name: "Hollbrook"}), "GB-0-1")
		if why, ok := f.Ready(); !ok || why != "" {
			t.Errorf("it is not ready: %v %q", ok, why)
		}
	})
}

// What an import changes is found after one step, under all its names.
func TestIndexFollowsTheLog(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "src", true, named("GB", "1", "Hollbrook Bakery Ltd"), named("GB", "2", "Fenwick Joinery Ltd"))
		f := d.finder("")
		d.catchUp(t, f)
		step := func() {
			t.Helper()
			if _, err := f.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		d.take(t, "src", true,
			named("GB", "1", "Quilldown Mills plc", company.Name{Text: "Hollbrook Bakery Ltd", Kind: company.Former}),
			named("GB", "3", "Tarrant Rope Works", company.Name{Text: "Сталькон", Kind: company.Alternative}, company.Name{Text: "Ropes and More", Kind: company.Trading}))
		step()
		find := func(name string) []company.ID { return search(t, f, company.Criteria{Name: name}) }
		wantIDs(t, "the new name", find("Quilldown Mills"), "GB-0-1")
		wantIDs(t, "the former name", find("Hollbrook Bakery"), "GB-0-1")
		wantIDs(t, "a company that went", find("Fenwick Joinery"))
		wantIDs(t, "a new company", find("Tarrant Rope Works"), "GB-0-3")
		wantIDs(t, "a trading name", find("Ropes and More"), "GB-0-3")
		wantIDs(t, "a name in another script", find("Stalkon"), "GB-0-3")
		if n, _ := f.Size(); n != 2 {
			t.Errorf("%d companies are in the index, want 2", n)
		}
		d.take(t, "other", false, company.Statement{Country: "GB", Number: "1", Facts: company.Facts{
			Names: []company.Name{{Text: "Vembling Kites", Kind: company.Trading}},
		}})
		step()
		wantIDs(t, "a trading name alone", find("Vembling Kites"), "GB-0-1")

		_, err := d.Correct(t.Context(), "GB-0-3", func(f *company.Facts) error { f.Name = "Zennor Cables"; return nil })
		noError(t, err)
		step()
		wantIDs(t, "the operator's word", find("Zennor Cables"), "GB-0-3")
		_, err = d.Correct(t.Context(), "GB-0-3", func(f *company.Facts) error { f.Name = ""; f.Suppressed = []string{"name", "names"}; return nil })
		noError(t, err)
		step()
		wantIDs(t, "a name that may not be shown", find("Zennor Cables"))
		wantIDs(t, "nor the one before", find("Tarrant Rope Works"))
	})
}

// A restart goes on with what was saved, and takes in what happened since.
func TestRestartRestores(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		folder := t.TempDir()
		d.take(t, "src", true, named("GB", "1", "Hollbrook Bakery Ltd"), named("GB", "2", "Fenwick Joinery Ltd"))
		d.take(t, "board", false, seated("GB", "1", "77", "Ada", "Hollbrook", "1970-05", ""))
		f := d.finder(folder)
		d.catchUp(t, f)
		noError(t, f.Save(t.Context()))
		for _, name := range []string{"companies.names", "people.names"} {
			if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v: only its owner may read it", name, info.Mode(), err)
			}
		}
		d.take(t, "src", true, named("GB", "1", "Quilldown Mills plc"), named("GB", "3", "Tarrant Rope Works"))

		again := d.finder(folder)
		d.catchUp(t, again)
		if read := again.Built(); read != 0 {
			t.Errorf("%d companies were read anew", read)
		}
		for name, want := range map[string][]company.ID{
			"Quilldown Mills": {"GB-0-1"}, "Tarrant Rope Works": {"GB-0-3"}, "Fenwick Joinery": {}, "Hollbrook Bakery": {},
		} {
			wantIDs(t, name, search(t, again, company.Criteria{Name: name}), want...)
		}
		people, err := again.People(t.Context(), company.PersonCriteria{Full: "Ada Hollbrook"}, company.PersonPage{Limit: 5})
		if err != nil || people.Total != 1 {
			t.Errorf("the director: %+v (%v)", people, err)
		}
	})
}

// A file of another register, and one that is damaged, is not believed.
func TestForeignIndexIsNotRestored(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		folder := t.TempDir()
		d.take(t, "src", false, named("GB", "1", "Hollbrook Bakery Ltd"))
		f := d.finder(folder)
		d.catchUp(t, f)
		noError(t, f.Save(t.Context()))
		path := filepath.Join(folder, "companies.names")
		whole, err := os.ReadFile(path)
		noError(t, err)

		other := d.finder(folder)
		other.Store = elsewhere{d.db}
		if _, err := other.Step(t.Context()); err != nil || other.Built() != 1 {
			t.Errorf("another register: %d companies were read (%v), want all", other.Built(), err)
		}
		for _, cut := range []int{0, 5, 20, 40, len(whole) / 2, len(whole) - 1} {
			noError(t, os.WriteFile(path, whole[:cut], 0o600))
			f := d.finder(folder)
			d.catchUp(t, f)
			wantIDs(t, "a file that was cut", search(t, f, company.Criteria{Name: "Hollbrook"}), "GB-0-1")
		}
		for at := range whole {
			broken := slices.Clone(whole)
			broken[at] ^= 0x40
			noError(t, os.WriteFile(path, broken, 0o600))
			f := d.finder(folder)
			if _, err := f.Step(t.Context()); err != nil {
				t.Fatalf("with byte %d broken: %v", at, err)
			}
			if at%97 != 0 { // to look each time would take long
				continue
			}
			wantIDs(t, "a damaged file", search(t, f, company.Criteria{Name: "Hollbrook"}), "GB-0-1")
		}
	})
}

// elsewhere is a register whose log tells another story.
type elsewhere struct{ company.SearchStore }

func (e elsewhere) Changes(ctx ctx, after int64, limit int) ([]company.Change, error) {
	list, err := e.SearchStore.Changes(ctx, after, limit)
	for i := range list {
		list[i].Source = "another"
	}
	return list, err
}

// A register that fails while the index is made is tried again.
func TestIndexIsMadeAfterAFailure(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "src", false, named("GB", "1", "Hollbrook Bakery Ltd"))
		f := d.finder("")
		f.Store = failing{d.db}
		if _, err := f.Step(t.Context()); !errors.Is(err, errFailing) {
			t.Errorf("got %v, want the failure", err)
		}
		if _, ok := f.Ready(); ok {
			t.Error("it is ready")
		}
		f.Store = d.db
		d.catchUp(t, f)
		wantIDs(t, "then", search(t, f, company.Criteria{Name: "Hollbrook"}), "GB-0-1")
	})
}

var errFailing = errors.New("the database is gone")

type failing struct{ company.SearchStore }

func (failing) CompanyIDs(ctx, func(company.ID)) error { return errFailing }
