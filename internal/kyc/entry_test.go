package kyc

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bureau/internal/company"
)

func anEntry(t *rapid.T) Entry {
	word := rapid.StringMatching(`[A-Za-zÀ-ÿА-я ]{0,12}`)
	words := rapid.SliceOfN(word, 0, 4)
	e := Entry{
		List: "a", Number: "n", Kind: rapid.SampledFrom([]Kind{Person, Company, Vessel, Aircraft, Other}).Draw(t, "kind"),
		Datasets: rapid.SliceOfN(rapid.SampledFrom(datasets), 1, 3).Draw(t, "datasets"), Bodies: []Body{UN, EU},
		BirthPlaces: words.Draw(t, "places"), Nationalities: words.Draw(t, "nationalities"), Programmes: words.Draw(t, "programmes"),
		Reasons: words.Draw(t, "reasons"), Remarks: words.Draw(t, "remarks"), Listed: "2020-02-29",
		Ship: &Ship{Type: "tanker", FormerFlags: []string{"PA"}}, Sources: []Source{{Title: "t", Link: "l", Datasets: []Dataset{SAN}}},
	}
	for _, n := range rapid.SliceOfN(word, 1, 6).Draw(t, "names") {
		e.Names = append(e.Names, Name{
			Text: n, Type: rapid.SampledFrom([]NameType{Primary, Alias, Former}).Draw(t, "type"), Weak: rapid.Bool().Draw(t, "weak"),
		})
	}
	for range rapid.IntRange(0, 3).Draw(t, "births") {
		e.Born = append(e.Born, rapid.SampledFrom([]Date{{On: "1970"}, {On: "1970-05", About: true}, {On: "1958", Until: "1962"}, {On: "1970-05-31"}}).Draw(t, "born"))
	}
	for _, v := range words.Draw(t, "numbers") {
		e.Identifiers = append(e.Identifiers, Identifier{Type: Passport, Value: v})
		e.Addresses = append(e.Addresses, Address{City: v, Country: "FR"})
		e.Links = append(e.Links, Link{"linked to", v})
	}
	return e
}

// What is kept of an entry is what was taken in.
func TestAnEntryIsKeptAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := anEntry(t)
		e.tidy()
		b, err := e.encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := Unpack("a", "n", pack(b))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		again := got
		again.tidy()
		if !reflect.DeepEqual(got, again) {
			t.Errorf("to tidy up twice changes it:\n%s", cmp.Diff(got, again))
		}
	})
}

// A publisher that shuffles its file says nothing new.
func TestTheOrderOfFactsMeansNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := anEntry(t)
		e.Names = append([]Name{{Text: "The Main Name"}}, e.Names...)
		o := e
		o.Names = append([]Name{e.Names[0]}, rapid.Permutation(e.Names[1:]).Draw(t, "names'")...)
		o.Born = rapid.Permutation(e.Born).Draw(t, "born'")
		o.Identifiers = rapid.Permutation(e.Identifiers).Draw(t, "identifiers'")
		o.Addresses = rapid.Permutation(e.Addresses).Draw(t, "addresses'")
		o.Programmes = rapid.Permutation(e.Programmes).Draw(t, "programmes'")
		e.tidy()
		o.tidy()
		a, _ := e.encode()
		b, _ := o.encode()
		if fingerprint(a) != fingerprint(b) {
			t.Errorf("(-one +other):\n%s", cmp.Diff(e, o))
		}
	})
}

func TestEntriesThatAreDamagedAreNotRead(t *testing.T) {
	e := Entry{Kind: Person, Names: []Name{{Text: "Somebody"}}}
	b, err := e.encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, facts := range [][]byte{nil, {}, {2, 1, 2}, pack(b)[:8], append([]byte{packed}, "not packed"...)} {
		if _, err := Unpack("a", "n", facts); err == nil {
			t.Errorf("%x was read", facts)
		}
	}
}

func TestTheMainNameComesFirst(t *testing.T) {
	for _, c := range []struct {
		says        string
		names, want []Name
	}{
		{
			"of names in the same words the main one stays",
			[]Name{{Text: "B", Type: Alias}, {Text: "A", Type: Alias, Weak: true}, {Text: "A"}},
			[]Name{{Text: "A"}, {Text: "B", Type: Alias}},
		},
		{
			"a second main name is an alias",
			[]Name{{Text: "B"}, {Text: "A"}},
			[]Name{{Text: "B"}, {Text: "A", Type: Alias}},
		},
		{
			"without a main name it is the first strong one",
			[]Name{{Text: "A", Type: Alias, Weak: true}, {Text: "B", Type: Alias}},
			[]Name{{Text: "B"}, {Text: "A", Type: Alias, Weak: true}},
		},
		{
			"a strong alias counts more than a weak one in the same words",
			[]Name{{Text: "M"}, {Text: "A", Type: Alias, Weak: true}, {Text: "A", Type: Alias}},
			[]Name{{Text: "M"}, {Text: "A", Type: Alias}},
		},
		{
			"the script of a name is told",
			[]Name{{Text: "Саддам"}, {Text: "صدام", Type: Alias}},
			[]Name{{Text: "Саддам", Script: "Cyrl"}, {Text: "صدام", Type: Alias, Script: "Arab"}},
		},
	} {
		e := Entry{Names: c.names}
		e.tidy()
		if diff := cmp.Diff(c.want, e.Names); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.says, diff)
		}
	}
}

func TestDatesSayHowSureTheyAre(t *testing.T) {
	for _, c := range []struct {
		d    Date
		text string
	}{
		{Date{On: "1970-05-31"}, "1970-05-31"},
		{Date{On: "1970-05", About: true}, "1970-05~"},
		{Date{On: "1958", Until: "1962"}, "1958/1962"},
		{Date{On: "1958", Until: "1962", About: true}, "1958~/1962~"},
	} {
		if c.d.String() != c.text || !c.d.Valid() {
			t.Errorf("%+v is %s, want %s", c.d, c.d, c.text)
		}
		var got Date
		if err := got.UnmarshalText([]byte(c.text)); err != nil || got != c.d {
			t.Errorf("%s: %+v (%v)", c.text, got, err)
		}
	}
	for _, bad := range []company.Date{"", "70", "1970-13", "1970-5-31", "1970-02-42", "1970/05"} {
		if (Date{On: bad}).Valid() {
			t.Errorf("%q is taken for a date", bad)
		}
	}
	if (Date{On: "1962", Until: "1958"}).Valid() {
		t.Error("a range that ends before it begins is valid")
	}
}
