package company_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// What the files of a source come to, one trap at a time. Batches hold two
// records.

// told are the changes since from, in short.
func (d desk) told(t *testing.T, from int) (out []string) {
	t.Helper()
	for _, c := range d.changes(t)[from:] {
		out = append(out, fmt.Sprintf("%s %s %s>%s", c.Company.Number(), c.Field, c.Old, c.New))
	}
	return out
}

func (d desk) wantTold(t *testing.T, from int, want ...string) {
	t.Helper()
	if got := d.told(t, from); !slices.Equal(got, want) {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func partOf(number, part, name string) company.Statement {
	return company.Statement{Country: "GB", Number: number, Part: part, Facts: company.Facts{
		Officers: []company.Officer{{Person: company.Person{ID: part, Name: name}, Role: "director"}},
	}}
}

func goneFrom(s company.Statement) company.Statement {
	s.Gone, s.Facts = true, company.Facts{}
	return s
}

func TestThereAndBackFarApartIsNoChange(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "companies", false, gb("1", "A"), gb("2", "X"))
		from := len(d.changes(t))
		d.take(t, "companies", false, gb("1", "B"), gb("3", "Y"), gb("4", "Z"), gb("5", "Z"), gb("1", "A"))
		d.wantTold(t, from, "3 added >Y", "4 added >Z", "5 added >Z")
	})
}

func TestOnlyTheLastWordOfAFileIsTold(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		list := []company.Statement{gb("1", "A"), gb("2", "X"), gb("1", "B"), gb("2", "X"), gb("1", "C")}
		d.take(t, "companies", false, list...)
		d.wantTold(t, 0, "1 added >A", "2 added >X", "1 name A>C")
		d.take(t, "companies", false, list...)
		d.take(t, "companies", false, slices.Concat(list, list)...)
		d.wantTold(t, 3)
	})
}

// The list spoke of all parts in its first batch, as before; what it adds in a
// later one takes nothing away.
func TestPartThatComesLateTakesNothingAway(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "officers", true, partOf("1", "a", "Ann"), partOf("1", "b", "Ben"))
		from := len(d.changes(t))
		d.take(t, "officers", true, partOf("1", "a", "Ann"), partOf("1", "b", "Ben"), partOf("1", "c", "Cy"))
		d.wantTold(t, from, "1 officerAppointed >director: Cy")
	})
}

// A source may publish its companies and their officers in files of their own:
// each is the whole list of its kind, and says nothing of the other.
func TestListOfOneKindLeavesTheOther(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		take := func(covers func(part string) bool, list ...company.Statement) company.RunResult {
			run, err := d.NewRun(t.Context(), "list", true, noon)
			if err != nil {
				t.Fatal(err)
			}
			run.Covers(covers)
			if err := errors.Join(run.Add(t.Context(), list), run.Finish(t.Context())); err != nil {
				t.Fatal(err)
			}
			return run.Result
		}
		companies := func(part string) bool { return part == "" }
		officers := func(part string) bool { return part != "" }
		take(companies, gb("1", "A"), gb("2", "B"))
		take(officers, partOf("1", "a", "Ann"), partOf("1", "b", "Ben"), partOf("2", "c", "Cy"))
		from := len(d.changes(t))
		if res := take(companies, gb("1", "A"), gb("2", "B")); res.Unchanged != 2 || res.Changes != 0 || res.Removed != 0 {
			t.Errorf("the same companies again: %+v", res)
		}
		take(officers, partOf("1", "a", "Ann"), partOf("2", "c", "Cy"))
		d.wantTold(t, from, "1 officerResigned director: Ben>")
		take(companies, gb("1", "A"))
		d.wantTold(t, from+1, "2 name B>", "2 number 2>", "2 status Active>")
		if res := take(officers, partOf("1", "a", "Ann")); res.Removed != 1 {
			t.Errorf("the last word on a company goes: %+v", res)
		}
		d.wantTold(t, from+4, "2 removed >")
	})
}

func TestFeedTakesAwayWhatItSaysIsGone(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		list := []company.Statement{
			gb("1", "A"), partOf("1", "a", "Ann"), partOf("1", "b", "Ben"), gb("2", "B"), // two batches
			goneFrom(partOf("1", "a", "")), gb("3", "C"),
			goneFrom(gb("2", "")), gb("4", "D"),
		}
		d.take(t, "companies", false, list...)
		d.wantTold(t, 0, "1 added >A", "2 added >B", "3 added >C", "4 added >D",
			"1 officerResigned director: Ann>", "1 officerAppointed >director: Ben", "2 removed B>")
		from := len(d.changes(t))
		// Read again from its beginning it does not bring back what it took.
		if res := d.take(t, "companies", false, list...); res.Changes != 0 || res.Companies != 0 {
			t.Errorf("the second time: %+v", res)
		}
		d.take(t, "companies", false, goneFrom(gb("1", "")), goneFrom(gb("99", "")))
		d.wantTold(t, from, "1 removed A>")
		d.take(t, "companies", false, gb("1", "A"))
		d.wantTold(t, from+1, "1 added >A")
	})
}

const (
	leiOne = "529900ONEONEONEONE11"
	leiTwo = "529900TWOTWOTWOTWO22"
)

func byLEI(country, lei, name string) company.Statement {
	return company.Statement{Country: country, LEI: lei, Part: lei, Facts: company.Facts{Name: name, LEI: lei}}
}

// A file may speak of a company before it says who that is, in the same batch
// or long before.
func TestRelationMayComeBeforeItsCompany(t *testing.T) {
	relation := func(lei string) company.Statement {
		return company.Statement{LEI: lei, Part: "parent", Facts: company.Facts{Links: []company.Link{{Kind: company.Parent, LEI: "P"}}}}
	}
	onBoth(t, func(t *testing.T, d desk) {
		named := byLEI("DE", leiOne, "Eins")
		named.Number = "1"
		late := byLEI("DE", leiTwo, "Zwei")
		res := d.take(t, "bods", false, relation(leiTwo), relation("NOBODY"), named, relation(leiOne), gb("7", "x"), late)
		if res.Unknown != 1 || res.New != 3 {
			t.Errorf("%+v, want one unknown and three new", res)
		}
		for id, name := range map[company.ID]string{"DE-0-1": "Eins", "DE-0-" + leiTwo: "Zwei"} {
			c, err := d.Company(t.Context(), id)
			if err != nil || c.Name != name || len(c.Links) != 1 {
				t.Errorf("%s: %+v (%v)", id, c.Facts, err)
			}
		}
		if n, err := d.db.Count(t.Context()); n != 3 || err != nil {
			t.Errorf("%d companies (%v)", n, err)
		}
	})
}

// A record that gets a register's number stays with its company, and the whole
// list that no longer knows it by its LEI alone does not take it away.
func TestRecordThatGetsANumberStays(t *testing.T) {
	for _, whole := range []bool{true, false} {
		t.Run(fmt.Sprint("whole ", whole), func(t *testing.T) {
			onBoth(t, func(t *testing.T, d desk) { recordGetsNumber(t, d, whole) })
		})
	}
}

func recordGetsNumber(t *testing.T, d desk, whole bool) {
	d.take(t, "gleif", whole, byLEI("DE", leiOne, "Eins"), byLEI("DE", leiTwo, "Zwei"))
	from := len(d.changes(t))
	numbered := byLEI("DE", leiOne, "Eins")
	numbered.Number, numbered.Facts.RegNo = "HRB1", "HRB 1"
	for range 2 {
		d.take(t, "gleif", whole, numbered, byLEI("DE", leiTwo, "Zwei"))
		d.wantTold(t, from, leiOne+" number >HRB 1")
	}
	// And back: the newest word holds, whatever name it comes under.
	d.take(t, "gleif", whole, byLEI("DE", leiOne, "Eins"), byLEI("DE", leiTwo, "Zwei"))
	d.wantTold(t, from+1, leiOne+" number HRB 1>")
	if n, err := d.db.Count(t.Context()); n != 2 || err != nil {
		t.Errorf("%d companies (%v), want two", n, err)
	}
}

// Two LEIs of one register number are two parts of one company; one that goes
// leaves the other.
func TestTwoRecordsOfOneCompany(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		one, two := byLEI("GB", leiOne, "One"), byLEI("GB", leiTwo, "Two")
		one.Number, two.Number = "1", "1"
		d.take(t, "gleif", true, one, gb("2", "x"), two)
		from := len(d.changes(t))
		d.take(t, "gleif", true, one, gb("2", "x"))
		d.wantTold(t, from, "1 name Two>One", "1 lei "+leiTwo+">"+leiOne)
	})
}

// What another source adds to or takes from a company in the meantime is not
// the file's business.
func TestSourceThatLeavesAndReturns(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "companies-house", true, gb("1", "One"))
		d.take(t, "aa", true, gb("1", "Uno"), gb("2", "Due"))
		d.take(t, "companies-house", true, gb("2", "Two"))
		d.take(t, "aa", true, gb("2", "Due"))
		d.wantTold(t, 0, "1 added >One", "2 added >Due", "2 name Due>Two", "1 name One>Uno", "1 removed Uno>")
	})
}

// A database takes no zeros and no halves of characters as text.
func TestBrokenTextIsCleaned(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		s := gb("1", "O\x00a\xffk")
		s.Facts.StatusText = "a \\u0000 that is only written so, \\ufffd too"
		s.Facts.Accounts = []company.Accounts{{End: "2025\x00", Currency: "GBP", Items: map[string]int64{"cash\x00": 9007199254740993}}}
		d.take(t, "companies", false, s)
		c, err := d.Company(t.Context(), "GB-0-1")
		if err != nil || c.Name != "Oa\ufffdk" || c.StatusText != s.Facts.StatusText || c.Accounts[0].End != "2025" || c.Accounts[0].Items["cash"] != 9007199254740993 {
			t.Errorf("%+v (%v)", c.Facts, err)
		}
		if res := d.take(t, "companies", false, s); res.Unchanged != 1 {
			t.Errorf("the second time: %+v", res)
		}
	})
}

func TestStatementsThatNameNobodyAreRefused(t *testing.T) {
	for what, s := range map[string]company.Statement{
		"no name at all":            {Country: "GB"},
		"a number without country":  {Number: "1"},
		"a country of three":        {Country: "GBR", Number: "1"},
		"a country of digits":       {Country: "12", Number: "1"},
		"spaces for a number":       {Country: "GB", Number: " \u00a0"},
		"a zero in the number":      {Country: "GB", Number: "1\x00"},
		"half a character in a LEI": {LEI: "A\xc3"},
		"a line end in a part":      {Country: "GB", Number: "1", Part: "a\nb"},
	} {
		if err := s.Check(); !errors.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, s := range map[string]company.Statement{
		"a number":           {Country: "gb", Number: " 1 "},
		"an LEI alone":       {LEI: leiOne},
		"a VAT number alone": {VAT: "GB 1"},
	} {
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	d := openDesk(t, t.TempDir())
	defer d.db.Close()
	run, err := d.NewRun(t.Context(), "companies", false, noon)
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Add(t.Context(), []company.Statement{gb("1", "A"), {Country: "GB"}}); !errors.Is(err, fault.Invalid) {
		t.Errorf("got %v", err)
	}
	d.wantTold(t, 0)
}

// A run that is given up has changed nothing of what was there.
func TestRunThatIsGivenUpChangesNothingOld(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "list", true, gb("1", "A"), gb("2", "B"))
		run, err := d.NewRun(t.Context(), "list", true, noon)
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Add(t.Context(), []company.Statement{gb("1", "AA"), gb("3", "C")}); err != nil {
			t.Fatal(err)
		}
		run.Close()
		d.wantTold(t, 2, "3 added >C")
	})
}
