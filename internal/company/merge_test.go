package company

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// heldOf is a company of which some sources speak, a part each where one
// speaks twice.
func heldOf(said ...Said) Held {
	slices.SortFunc(said, bySource)
	return Held{ID: "GB-0-1", Said: said}
}

func says(source string, f Facts) Said { return Said{Source: source, Facts: f} }

func saysPart(source, part string, f Facts) Said { return Said{Source: source, Part: part, Facts: f} }

func link(kind LinkKind, lei string) Facts { return Facts{Links: []Link{{Kind: kind, LEI: lei}}} }

func officer(name string) Facts {
	return Facts{Officers: []Officer{{Person: Person{Name: name}, Role: "director"}}}
}

func cityAt(kind AddressKind, city string) Facts {
	return Facts{Addresses: []Address{{Kind: kind, City: city}}}
}

func TestMerge(t *testing.T) {
	for _, test := range []struct {
		what string
		held Held
		see  func(c Company) any
		want string
	}{
		{
			"the national register's name goes before the LEI's",
			heldOf(says("gleif", Facts{Name: "G"}), says("companies-house", Facts{Name: "C"})),
			func(c Company) any { return c.Name + " from " + c.From["name"] }, "C from companies-house",
		},
		{
			"a source that says nothing of a field leaves it to the next",
			heldOf(says("gleif", Facts{Name: "G"}), says("companies-house", Facts{Status: Active})),
			func(c Company) any { return c.Name + " from " + c.From["name"] }, "G from gleif",
		},
		{
			"the operator goes before all", heldOf(says("companies-house", Facts{Name: "C"}), says(Operator, Facts{Name: "O"})),
			func(c Company) any { return c.Name }, "O",
		},
		{
			"a source without a rank comes last, by its name", heldOf(says("zz", Facts{Name: "Z"}), says("aa", Facts{Name: "A"}), says("sandbox", Facts{Name: "S"})),
			func(c Company) any { return c.Name + fmt.Sprint(c.Sources) }, "S[sandbox aa zz]",
		},
		{
			"the LEI is GLEIF's to say, with all that belongs to it",
			heldOf(says("gleif", Facts{LEI: "G", LEIStatus: "LAPSED"}), says("companies-house", Facts{LEI: "C", LEIStatus: "ISSUED", LEIRenewal: "2026"})),
			func(c Company) any { return c.LEI + c.LEIStatus + string(c.LEIRenewal) + c.From["lei"] }, "GLAPSEDgleif",
		},
		{
			"officers come from one source, the one that knows them best",
			heldOf(says("companies-house", officer("Ann")), saysPart("companies-house-officers", "1", officer("Ben")), saysPart("companies-house-officers", "2", officer("Cy"))),
			func(c Company) any { return c.Officers[0].Name + c.Officers[1].Name + fmt.Sprint(len(c.Officers)) }, "BenCy2",
		},
		{
			"owners come from the register of owners first", heldOf(
				says("bods", Facts{Owners: []Owner{{Person: Person{Name: "B"}}}}),
				says("companies-house-psc", Facts{Owners: []Owner{{Person: Person{Name: "P"}}}}),
			),
			func(c Company) any { return c.Owners[0].Name + fmt.Sprint(len(c.Owners)) }, "P1",
		},
		{
			"names add up, but for those that only look different", heldOf(
				says("companies-house", Facts{Names: []Name{{Text: "Oak", Kind: Trading}}}),
				says("gleif", Facts{Names: []Name{{Text: "OAK ", Kind: Trading}, {Text: "Oak", Kind: Former}, {Text: "Elm", Kind: Trading}}}),
			),
			func(c Company) any { return fmt.Sprint(c.Names) + c.From["names"] }, "[{Oak trading   } {Oak former   } {Elm trading   }]companies-house",
		},
		{
			"VAT numbers, phones, mails and sites add up", heldOf(
				says("companies-house", Facts{VAT: []string{"1"}, Phones: []string{"1"}, Emails: []string{"a@x"}, Websites: []string{"x"}}),
				says("gleif", Facts{VAT: []string{"2", "1"}, Phones: []string{"1"}, Emails: []string{"A@X"}, Websites: []string{"y"}}),
			),
			func(c Company) any { return fmt.Sprint(c.VAT, c.Phones, c.Emails, c.Websites) }, "[1 2] [1] [a@x] [x y]",
		},
		{
			"each kind of address is the best source's, branches add up", heldOf(
				says("companies-house", Facts{Addresses: []Address{{Kind: Registered, City: "York"}, {Kind: Branch, City: "Hull"}}}),
				says("gleif", Facts{Addresses: []Address{{Kind: Registered, City: "Leeds"}, {Kind: HeadOffice, City: "Bath"}, {Kind: Branch, City: "HULL"}, {Kind: Branch, City: "Deal"}}}),
			),
			func(c Company) any { return cities(c.Addresses) }, "York Hull Bath Deal ",
		},
		{
			"the links of one kind are one source's, all of them", heldOf(
				says("gleif", link(Parent, "G")), saysPart("gleif-relationships", "1", link(Parent, "R")),
				saysPart("gleif-relationships", "2", link(Parent, "S")), saysPart("gleif-relationships", "3", link(Manager, "M")),
				says("bods", link(Master, "B")),
			),
			func(c Company) any {
				var out string
				for _, l := range c.Links {
					out += string(l.Kind) + l.LEI + " "
				}
				return out
			}, "parentR parentS fundManagerM masterB ",
		},
		{
			"each year of accounts is the best source's, the newest first", heldOf(
				says("companies-house-accounts", Facts{Accounts: []Accounts{{End: "2024-12-31", Currency: "GBP"}}}),
				says("sandbox", Facts{Accounts: []Accounts{{End: "2024-12-31", Currency: "EUR"}, {End: "2025-12-31", Currency: "EUR"}, {End: "2025-12-31", Currency: "EUR", Consolidated: true}}}),
			),
			func(c Company) any {
				var out string
				for _, a := range c.Accounts {
					out += fmt.Sprint(a.End, a.Currency, a.Consolidated, " ")
				}
				return out
			}, "2025-12-31EURfalse 2025-12-31EURtrue 2024-12-31GBPfalse ",
		},
		{
			"of the parts of one source the last says what there is one of",
			heldOf(saysPart("gleif", "a", Facts{Name: "A"}), saysPart("gleif", "b", Facts{Name: "B"})),
			func(c Company) any { return c.Name + fmt.Sprint(c.Sources) }, "B[gleif]",
		},
		{
			"of the parts of one source the first says where it is",
			heldOf(saysPart("gleif", "a", cityAt(Registered, "York")), saysPart("gleif", "b", cityAt(Registered, "Hull")), saysPart("gleif", "c", cityAt(Branch, "Deal"))),
			func(c Company) any { return cities(c.Addresses) }, "York Deal ",
		},
		{
			"what is suppressed is left out, whoever says it", heldOf(
				says("companies-house", Facts{Name: "C", Status: Active, StatusText: "Active"}),
				says("gleif", Facts{Status: Pending}), says(Operator, Facts{Suppressed: []string{"status", "unheard of"}}),
			),
			func(c Company) any {
				return c.Name + string(c.Status) + c.StatusText + c.From["status"] + fmt.Sprint(c.Suppressed)
			}, "C[status unheard of]",
		},
		{
			"one who withholds withholds for all", heldOf(says("sirene", Facts{Withheld: true}), says("gleif", Facts{Name: "G"})),
			func(c Company) any { return fmt.Sprint(c.Withheld, c.Name) }, "trueG",
		},
		{
			"nobody says anything", heldOf(), func(c Company) any { return fmt.Sprint(c.ID, c.Name, c.Sources) }, "GB-0-1[]",
		},
	} {
		if got := fmt.Sprint(test.see(Merge(test.held))); got != test.want {
			t.Errorf("%s: got %q, want %q", test.what, got, test.want)
		}
	}
}

func cities(list []Address) (out string) {
	for _, a := range list {
		out += a.City + " "
	}
	return out
}

// Every field of Facts has a row that takes it: what a lone source says is what
// the company is, and its source is noted.
func TestEveryFactIsTaken(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		f := anyFacts(r)
		f.Suppressed = nil
		h := heldOf(says("gleif", f))
		c := Merge(h)
		want := f.alone()
		if diff := cmp.Diff(want, c.Facts, cmpopts.EquateEmpty()); diff != "" {
			r.Fatalf("what one source says is not what the company is (-said +company):\n%s", diff)
		}
		// alone may only leave out what depends on something that is not there,
		// and what is said twice.
		if f.Name != c.Name || f.Capital != c.Capital || f.Due != c.Due || f.Form != c.Form || len(f.Officers) != len(c.Officers) || len(f.Owners) != len(c.Owners) {
			r.Fatalf("said %+v, the company is %+v", f, c.Facts)
		}
		for name := range c.From {
			if c.From[name] != "gleif" || !slices.Contains(Fields(), name) {
				r.Fatalf("the field %q is from %q", name, c.From[name])
			}
		}
	})
}

// Merge depends on nothing but what is said, and leaves that as it is.
func TestMergeTouchesNothing(t *testing.T) {
	sources := []string{Operator, "companies-house", "gleif", "gleif-relationships", "aa", "zz"}
	rapid.Check(t, func(r *rapid.T) {
		var said []Said
		for _, s := range rapid.SliceOfNDistinct(rapid.SampledFrom(sources), 0, 4, rapid.ID).Draw(r, "sources") {
			for part := range rapid.IntRange(1, 2).Draw(r, "parts") {
				said = append(said, saysPart(s, fmt.Sprint(part), anyFacts(r)))
			}
		}
		h := heldOf(said...)
		before, err := json.Marshal(h)
		if err != nil {
			r.Fatalf("%v", err)
		}
		c := Merge(h)
		if diff := cmp.Diff(c.Facts, merge(h, nil), cmpopts.EquateEmpty()); diff != "" {
			r.Fatalf("with and without its trimmings:\n%s", diff)
		}
		if diff := cmp.Diff(c, Merge(h), cmpopts.EquateEmpty()); diff != "" {
			r.Fatalf("the second time it is something else:\n%s", diff)
		}
		if after, _ := json.Marshal(h); string(after) != string(before) {
			r.Fatalf("what was said became\n%s\nwas\n%s", after, before)
		}
		if changes := Compare(c, c); len(changes) != 0 {
			r.Fatalf("compared with itself: %+v", changes)
		}
	})
}
