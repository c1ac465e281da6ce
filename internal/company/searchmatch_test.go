package company_test

import (
	"slices"
	"testing"

	"bureau/internal/company"
)

// town is a company at an address.
func town(country, number, name, city, post string) company.Statement {
	s := named(country, number, name)
	s.Facts.RegNo = number
	s.Facts.Addresses = []company.Address{{Kind: company.Registered, Street: "High Street", House: "1", City: city, Post: post, Country: country}}
	return s
}

// However a name of the register is written, its company is the first answer of
// a match, with reasons.
func TestMatchFindsTheCompanyThatIsMeant(t *testing.T) {
	register := []company.Statement{
		town("GB", "00000001", "Brimwick International Foods Ltd", "Leeds", "LS1 4AP"),
		town("GB", "00000002", "Brimwick Holdings Ltd", "Leeds", "LS1 4AP"),
		town("GB", "00000003", "Tarrant Rope Works Ltd", "Hull", "HU1 1AA"),
		town("GB", "00000004", "Severnaya Zvezda Trading Ltd", "London", "SW1A 1AA"),
		town("GB", "00000005", "Quilldown Services Ltd", "Bath", "BA1 1AA"),
		town("GB", "00000006", "Quilldown Services Ltd", "York", "YO1 7HH"),
		town("FR", "1", "Brimwick International Foods SARL", "Lyon", "69001"),
	}
	cases := []struct {
		says string
		asks company.MatchQuery
		want company.ID
	}{
		{"as it is", company.MatchQuery{Name: "Brimwick International Foods Ltd"}, "GB-0-00000001"},
		{"mistyped", company.MatchQuery{Name: "Brimwik Internatoinal Foods Ltd"}, "GB-0-00000001"},
		{"reordered", company.MatchQuery{Name: "Foods International, Brimwick Limited"}, "GB-0-00000001"},
		{"abbreviated", company.MatchQuery{Name: "Brimwick Intl Foods"}, "GB-0-00000001"},
		{"in another script", company.MatchQuery{Name: "Северная Звезда Трейдинг"}, "GB-0-00000004"},
		{"a namesake by its city", company.MatchQuery{Name: "Quilldown Services", City: "york"}, "GB-0-00000006"},
		{"the other by its post code", company.MatchQuery{Name: "Quilldown Services", Post: "ba11aa"}, "GB-0-00000005"},
		{"a namesake by its number", company.MatchQuery{Name: "Quilldown Services Ltd", RegNo: "6"}, "GB-0-00000006"},
	}
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "src", false, register...)
		f := d.finder("")
		d.catchUp(t, f)
		for _, c := range cases {
			c.asks.Country, c.asks.Least = "GB", 893
			got, err := f.Match(t.Context(), c.asks)
			noError(t, err)
			if len(got) == 0 || got[0].ID != c.want {
				t.Errorf("%s: got %v, want %s first", c.says, matchedIDs(got), c.want)
				continue
			}
			if got[0].Rating < 893 || got[0].Rating > 999 || len(got[0].Why) == 0 || len(got[0].Grades.String()) != 12 {
				t.Errorf("%s: rated %d, graded %s, because %q", c.says, got[0].Rating, got[0].Grades, got[0].Why)
			}
			if i := slices.IndexFunc(got, func(m company.Matched) bool { return m.ID.Country() != "GB" }); i >= 0 {
				t.Errorf("%s: %s is of another country", c.says, got[i].ID)
			}
		}
		for _, name := range []string{"Zyxquor Vembling", "Pellucid Marmalade Observatory", "Вымышленная Контора", "Otterburn Kite Repairs Ltd"} {
			got, err := f.Match(t.Context(), company.MatchQuery{Country: "GB", Name: name, Least: 893})
			if err != nil || len(got) > 0 {
				t.Errorf("%s is in no register, and matches %v (%v)", name, matchedIDs(got), err)
			}
		}
		// A number does not take the place of a name.
		got, err := f.Match(t.Context(), company.MatchQuery{Country: "GB", Name: "Zyxquor Vembling", RegNo: "00000003", City: "Hull", Least: 893})
		if err != nil || len(got) > 0 {
			t.Errorf("another name with its number matches %v (%v)", matchedIDs(got), err)
		}
		high, err := f.Match(t.Context(), company.MatchQuery{Country: "GB", Name: "Brimwick International Foods Ltd", Least: 999})
		if err != nil || len(high) != 1 || high[0].Rating != 999 {
			t.Errorf("rated 999: %v (%v)", matchedIDs(high), err)
		}
	})
}

func matchedIDs(list []company.Matched) (out []company.ID) {
	for i := range list {
		out = append(out, list[i].ID)
	}
	return out
}

// Of two companies the one that is called so comes before the one that was or
// that trades under the name, and the reasons say which name it was.
func TestMatchPutsPresentNamesFirst(t *testing.T) {
	before := town("GB", "00000001", "Tarrant Rope Works Ltd", "Hull", "HU1 1AA")
	before.Facts.Names = []company.Name{{Text: "Brimwick Foods Ltd", Kind: company.Former}, {Text: "Sorrel Mills", Kind: company.Trading}}
	register := []company.Statement{
		before, town("GB", "00000002", "Brimwick Foods PLC", "Leeds", "LS1 4AP"), town("GB", "00000003", "Quillgarth Cables DAC", "Cork", "T12"),
	}
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "src", false, register...)
		f := d.finder("")
		d.catchUp(t, f)
		for _, c := range []struct {
			name string
			want []company.ID
			why  string // of the last
		}{
			{"Brimwick Foods", []company.ID{"GB-0-00000002", "GB-0-00000001"}, "it was called Brimwick Foods Ltd"},
			{"sorrel mills", []company.ID{"GB-0-00000001"}, "it trades as Sorrel Mills"},
			{"Tarrant Ropeworks", []company.ID{"GB-0-00000001"}, ""},
			{"Quillgarth Cables", []company.ID{"GB-0-00000003"}, "the names are equal"}, // but for the legal form
		} {
			got, err := f.Match(t.Context(), company.MatchQuery{Country: "GB", Name: c.name, Least: 893})
			noError(t, err)
			if !slices.Equal(matchedIDs(got), c.want) || c.why != "" && got[len(got)-1].Why[0] != c.why {
				t.Errorf("%s: got %v, because %q; want %v, because %q", c.name, matchedIDs(got), got[len(got)-1].Why, c.want, c.why)
			}
		}
	})
}

// A match says part by part what agrees and what does not.
func TestMatchGradesEachPart(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		s := full()
		d.take(t, "src", false, s)
		f := d.finder("")
		d.catchUp(t, f)
		got, err := f.Match(t.Context(), company.MatchQuery{
			Country: "GB", Name: "Hollbrook Bakery Ltd", RegNo: "3375464", VAT: "123456789", Street: "Koenigstr. 12a", House: "12a",
			City: "Leeds", Post: "SW1A 1AA", Region: "Kent", Phone: "0113 4960999", Least: 893,
		})
		if err != nil || len(got) != 1 {
			t.Fatalf("got %v (%v)", matchedIDs(got), err)
		}
		want := company.MatchGrades{
			Name: "A", Words: "A", Form: "A", RegNo: "A", VAT: "A", Street: "A", House: "A", City: "F", Region: "F", Post: "A", Country: "A", Phone: "A",
		}
		if got[0].Grades != want {
			t.Errorf("graded %+v, want %+v", got[0].Grades, want)
		}
		if got[0].Rating != 979 {
			t.Errorf("an equal name and two parts that differ are rated %d, want 979", got[0].Rating)
		}
		for _, why := range []string{"the register number agrees", "the city differs", "the telephone number agrees"} {
			if !slices.Contains(got[0].Why, why) {
				t.Errorf("the reasons %q do not say that %s", got[0].Why, why)
			}
		}
	})
}

// A name finds all places of its company and of its group, in all countries.
func TestGlobalFindsAllPlaces(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		head := town("GB", "00000001", "Brimwick Foods plc", "Leeds", "LS1 4AP")
		head.LEI, head.Facts.LEI = "LEIHEAD", "LEIHEAD"
		head.Facts.Addresses = append(head.Facts.Addresses,
			company.Address{Kind: company.HeadOffice, City: "London"}, company.Address{Kind: company.TradingPlace, City: "Hull"},
			company.Address{Kind: company.FormerAddress, City: "Oldham"})
		branch := town("DE", "B1", "Brimwick Niederlassung", "Berlin", "10115")
		branch.Facts.Links = []company.Link{{Kind: company.HeadOf, LEI: "LEIHEAD"}}
		child := town("FR", "2", "Conserves du Midi", "Nice", "06000")
		child.Facts.Links = []company.Link{{Kind: company.Parent, LEI: "LEIHEAD"}}
		grandchild := town("NO", "3", "Fjordhermetikk AS", "Bergen", "5003")
		grandchild.Facts.Links = []company.Link{{Kind: company.Parent, ID: "FR-0-2"}}
		d.take(t, "src", false, head, branch, child, grandchild, town("GB", "00000009", "Tarrant Rope Works", "Hull", "HU1 1AA"))
		f := d.finder("")
		d.catchUp(t, f)
		places := func(c company.Criteria) (out []string) {
			t.Helper()
			var after *company.LocationPosition
			for range 20 {
				got, err := f.Global(t.Context(), c, company.Page{Limit: 2}, after)
				noError(t, err)
				for _, l := range got.List {
					out = append(out, string(l.Office)+" "+l.Place.City)
				}
				if after = got.Next; after == nil {
					break
				}
			}
			return out
		}
		want := []string{"registered Leeds", "headOffice London", "trading Hull", "subsidiary Nice", "subsidiary Bergen", "branch Berlin"}
		got := places(company.Criteria{Name: "Brimwick Foods"})
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if got := places(company.Criteria{Name: "Brimwick Foods", Countries: []string{"GB", "FR"}}); slices.Contains(got, "subsidiary Bergen") || !slices.Contains(got, "subsidiary Nice") {
			t.Errorf("of two countries: %q", got)
		}
		if got := places(company.Criteria{Name: "Brimwick Foods", Office: company.OfficeSubsidiary}); len(got) != 2 {
			t.Errorf("subsidiaries: %q", got)
		}
	})
}
