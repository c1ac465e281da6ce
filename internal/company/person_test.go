package company_test

import (
	"slices"
	"strings"
	"testing"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// Who is the same person on two boards, and who is not.
func TestPersonID(t *testing.T) {
	id := func(of company.ID, p company.Person) company.PersonID { return p.PersonID(of) }
	ada := company.Person{Name: "Ada Hollbrook", Birth: "1970-05"}
	cases := []struct {
		says string
		a, b company.PersonID
		same bool
	}{
		{"the publisher's number", id("GB-0-1", company.Person{ID: "77", Name: "Ada"}), id("GB-0-2", company.Person{ID: "77", Name: "A. Hollbrook"}), true},
		{"another number", id("GB-0-1", company.Person{ID: "77", Name: "Ada"}), id("GB-0-1", company.Person{ID: "78", Name: "Ada"}), false},
		{"the same number in another country", id("GB-0-1", company.Person{ID: "77", Name: "Ada"}), id("FR-0-1", company.Person{ID: "77", Name: "Ada"}), false},
		{"a number with marks in it", id("GB-0-1", company.Person{ID: "77-A", Name: "Ada"}), "GB-77A", true},
		{"an id of the right form", id("GB-0-1", company.Person{ID: "GB-9000001", Name: "Ada"}), "GB-9000001", true},
		{"name and month of birth", id("GB-0-1", ada), id("GB-0-2", company.Person{Name: "ADA  HOLLBROOK", Birth: "1970-05-31"}), true},
		{"another month of birth", id("GB-0-1", ada), id("GB-0-2", company.Person{Name: "Ada Hollbrook", Birth: "1970-06"}), false},
		{"only a year of birth", id("GB-0-1", company.Person{Name: "Ada Hollbrook", Birth: "1970"}), id("GB-0-2", company.Person{Name: "Ada Hollbrook", Birth: "1970"}), false},
		{"a namesake elsewhere", id("GB-0-1", company.Person{Name: "Ada Hollbrook"}), id("GB-0-2", company.Person{Name: "Ada Hollbrook"}), false},
		{"a namesake on the same board", id("GB-0-1", company.Person{Name: "Ada Hollbrook"}), id("GB-0-1", company.Person{Name: "ada hollbrook"}), true},
		{"a company by its number", id("GB-0-1", company.Person{Company: true, Name: "Holdco", RegNo: "5", Country: "GB"}), id("GB-0-2", company.Person{Company: true, Name: "Hold Co Ltd", RegNo: "5", Country: "GB"}), true},
	}
	for _, c := range cases {
		if (c.a == c.b) != c.same {
			t.Errorf("%s: %s and %s", c.says, c.a, c.b)
		}
		for _, id := range []company.PersonID{c.a, c.b} {
			if back, err := company.ParsePersonID(string(id)); err != nil || back != id {
				t.Errorf("%s: %s is no id (%v)", c.says, id, err)
			}
		}
	}
	if got := id("GB-0-1", company.Person{ID: "77", Name: "Ada", Protected: true}); got != "" {
		t.Errorf("somebody who may not be shown is %s", got)
	}
	for _, bad := range []string{"", "GB", "GB-", "G-1", "GB-a b", "GB-1/2", strings.Repeat("x", 100)} {
		if id, err := company.ParsePersonID(bad); err == nil {
			t.Errorf("%q is the id %s", bad, id)
		}
	}
}

// A director is found by name, and has all their companies, past and present.
func TestPeople(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "src", false, named("GB", "1", "Hollbrook Bakery Ltd"), named("GB", "2", "Tarrant Rope Works"), named("FR", "3", "Quenneville"))
		d.take(t, "board", true,
			seated("GB", "1", "77", "Ada", "Hollbrook", "1970-05-31", ""), seated("GB", "2", "77", "Ada", "Hollbrook", "1970-05", "2021-02-03"),
			seated("GB", "2", "78", "Ben", "Hollbrook", "1980-01", ""), seated("FR", "3", "9", "Adèle", "Quenneville", "1990-01", ""))
		f := d.finder("")
		d.catchUp(t, f)
		people := func(c company.PersonCriteria) (ids []company.PersonID) {
			t.Helper()
			got, err := f.People(t.Context(), c, company.PersonPage{Limit: 10})
			noError(t, err)
			for i := range got.List {
				ids = append(ids, got.List[i].ID)
			}
			return ids
		}
		gb := []string{"GB"}
		for _, c := range []struct {
			says string
			asks company.PersonCriteria
			want []company.PersonID
		}{
			{"both names", company.PersonCriteria{First: "Ada", Last: "Hollbrook", Countries: gb}, []company.PersonID{"GB-77"}},
			{"mistyped", company.PersonCriteria{Full: "hollbrok ada", Countries: gb}, []company.PersonID{"GB-77"}},
			{"a last name", company.PersonCriteria{Last: "Hollbrook", Countries: gb}, []company.PersonID{"GB-77", "GB-78"}},
			{"a last name and a month", company.PersonCriteria{Last: "Hollbrook", Birth: "1980-01", Countries: gb}, []company.PersonID{"GB-78"}},
			{"a day that is not hers is not told from one that is", company.PersonCriteria{Last: "Hollbrook", Birth: "1970-05-01", Countries: gb}, []company.PersonID{"GB-77"}},
			{"another month", company.PersonCriteria{Last: "Hollbrook", Birth: "1970-06", Countries: gb}, nil},
			{"another country", company.PersonCriteria{Last: "Hollbrook", Countries: []string{"FR"}}, nil},
			{"a number", company.PersonCriteria{Number: "78", Countries: gb}, []company.PersonID{"GB-78"}},
			{"an id", company.PersonCriteria{ID: "FR-9"}, []company.PersonID{"FR-9"}},
			{"a company", company.PersonCriteria{Company: "GB-0-2", Countries: gb}, []company.PersonID{"GB-77", "GB-78"}},
			{"a company's number", company.PersonCriteria{RegNo: "1", Countries: gb}, []company.PersonID{"GB-77"}},
			{"a name and a company's name", company.PersonCriteria{Last: "Hollbrook", CompanyName: "bakery hollbrook", Countries: gb}, []company.PersonID{"GB-77"}},
			{"somebody who is not there", company.PersonCriteria{Full: "Zebulon Vembling", Countries: gb}, nil},
		} {
			got := people(c.asks)
			slices.Sort(got) // which of two is likelier is for the index to say
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: got %v, want %v", c.says, got, c.want)
			}
		}
		ada, err := f.Person(t.Context(), "GB-77")
		if err != nil || len(ada.Seats) != 2 || ada.Seats[0].Company.ID != "GB-0-1" || !ada.Seats[0].Present() || ada.Seats[1].Until != "2021-02-03" {
			t.Errorf("her seats: %+v (%v)", ada.Seats, err)
		}
		// She leaves both boards for good, and Ben's past comes to light.
		d.take(t, "board", true, seated("GB", "2", "78", "Ben", "Hollbrook", "1980-01", ""), seated("GB", "1", "78", "Ben", "Hollbrook", "1980-01", "2019-01-01"))
		d.catchUp(t, f)
		if _, err := f.Person(t.Context(), "GB-77"); err == nil {
			t.Error("somebody who is on no board is still there")
		} else if v, _ := fault.Of(err); v.Kind != fault.Missing {
			t.Errorf("got %v, want a fault.Missing", err)
		}
		if got := people(company.PersonCriteria{Last: "Hollbrook", Countries: gb}); len(got) != 1 {
			t.Errorf("then a search finds %v", got)
		}
		if ben, err := f.Person(t.Context(), "GB-78"); err != nil || len(ben.Seats) != 2 {
			t.Errorf("his seats: %+v (%v)", ben.Seats, err)
		}
	})
}
