package company_test

import (
	"context"
	"testing"

	"bureau/internal/company"
)

type ctx = context.Context

// seated is an officer of a company.
func seated(country, number, id, first, surname, birth, until string) company.Statement {
	return company.Statement{Country: country, Number: number, Part: id, Facts: company.Facts{Officers: []company.Officer{{
		Person: company.Person{ID: id, Name: first + " " + surname, First: first, Surname: surname, Birth: company.Date(birth)},
		Role:   "director", From: "2020-01-01", Until: company.Date(until),
	}}}}
}

// full is a company that every criterion can be tried on.
func full() company.Statement {
	return company.Statement{Country: "GB", Number: "03375464", Facts: company.Facts{
		Name: "Hollbrook Bakery Ltd", RegNo: "03375464", VAT: []string{"GB123456789"}, SafeNo: "UK7700", LEI: "LEI1",
		Names: []company.Name{
			{Text: "Old Mill Foods Ltd", Kind: company.Former}, {Text: "The Bread Basket", Kind: company.Trading}, {Text: "HBL", Kind: company.Short},
		},
		Status: company.Active, Kind: company.Ltd,
		Addresses: []company.Address{
			{Kind: company.Registered, House: "12a", Street: "Königstraße", City: "Málaga", Post: "SW1A 1AA", Region: "West Yorkshire", Country: "GB"},
			{Kind: company.TradingPlace, Lines: []string{"7 High Street"}, City: "Leeds", Post: "LS1 4AP", Country: "GB"},
			{Kind: company.FormerAddress, Street: "Gone Lane", City: "Oldham", Post: "OL1 1AA", Country: "GB"},
		},
		Phones: []string{"+44 (0)113 496 0999"}, Websites: []string{"https://www.hollbrook.example/shop"},
		OtherIDs: []company.OtherID{{Scheme: "ISIN", ID: "GB00B0000000"}},
	}}
}

// Every criterion finds what it should, and nothing that it should not.
func TestEveryCriterion(t *testing.T) {
	gb := []string{"GB"}
	const it = company.ID("GB-0-03375464")
	cases := []struct {
		says  string
		asks  company.Criteria
		finds bool
	}{
		{"its connectId", company.Criteria{ID: "GB001-0-03375464"}, true},
		{"another's connectId", company.Criteria{ID: "GB-0-03375465"}, false},
		{"its connectId in another country", company.Criteria{ID: string(it), Countries: []string{"FR"}}, false},
		{"the safe number it was given", company.Criteria{SafeNo: "UK7700"}, true},
		{"the safe number of its ID", company.Criteria{SafeNo: "GB03375464"}, true},
		{"an ID and another's safe number", company.Criteria{ID: string(it), SafeNo: "GB1"}, false},
		{"its number", company.Criteria{RegNo: "03375464", Countries: gb}, true},
		{"its number without the zero", company.Criteria{RegNo: "3375464", Countries: gb}, true},
		{"its number, whatever the country", company.Criteria{RegNo: "03375464"}, true},
		{"its number in another country", company.Criteria{RegNo: "03375464", Countries: []string{"FR"}}, false},
		{"its VAT number", company.Criteria{VAT: "GB 123 4567 89", Countries: gb}, true},
		{"its VAT number without the country", company.Criteria{VAT: "123456789", Countries: gb}, true},
		{"another VAT number", company.Criteria{VAT: "123456780", Countries: gb}, false},
		{"its name", company.Criteria{Name: "hollbrook bakery"}, true},
		{"a former name", company.Criteria{Name: "Old Mill Foods"}, true},
		{"a former name, not wanted", company.Criteria{Name: "Old Mill Foods", NoFormerNames: true}, false},
		{"a trading name", company.Criteria{Name: "Bread Basket"}, true},
		{"a trading name, not wanted", company.Criteria{Name: "The Bread Basket", NoTradingNames: true}, false},
		{"a trading name as such", company.Criteria{TradeName: "bread baskett"}, true},
		{"its name is no trading name", company.Criteria{TradeName: "Hollbrook Bakery"}, false},
		{"its acronym", company.Criteria{Acronym: "hbl"}, true},
		{"another acronym", company.Criteria{Acronym: "hbm"}, false},
		{"its exact name", company.Criteria{Name: "HOLLBROOK BAKERY LTD.", Exact: true}, true},
		{"not quite its exact name", company.Criteria{Name: "Hollbrook Bakery", Exact: true}, false},
		{"its post code", company.Criteria{Post: "sw1a1aa"}, true},
		{"the beginning of its post code", company.Criteria{Post: "SW1*"}, true},
		{"the beginning without a star", company.Criteria{Post: "SW1"}, false},
		{"a trading address", company.Criteria{Post: "LS1 4AP"}, true},
		{"a trading address, not wanted", company.Criteria{Post: "LS1 4AP", NoTradingPlaces: true}, false},
		{"a former address", company.Criteria{Post: "OL1 1AA"}, false},
		{"its city without the accent", company.Criteria{City: "malaga"}, true},
		{"part of its city", company.Criteria{City: "mala"}, false},
		{"its street, spelt out", company.Criteria{Street: "Koenigstrasse 12a"}, true},
		{"its street, cut short", company.Criteria{Street: "Königstr."}, true},
		{"a street in a line", company.Criteria{Street: "High St"}, true},
		{"another street", company.Criteria{Street: "Low Street"}, false},
		{"its house", company.Criteria{Street: "Königstraße", House: "12A"}, true},
		{"a house in a line", company.Criteria{Street: "High Street", House: "7"}, true},
		{"the house next door", company.Criteria{Street: "Königstraße", House: "14"}, false},
		{"the house of the other address", company.Criteria{Street: "Königstraße", House: "7"}, false},
		{"its region", company.Criteria{Region: "west yorkshire"}, true},
		{"another region", company.Criteria{Region: "Kent"}, false},
		{"two addresses mixed", company.Criteria{City: "Leeds", Post: "SW1A 1AA"}, false},
		{"a free address", company.Criteria{Address: "7 High St, Leeds LS14AP"}, true},
		{"a free address, in part", company.Criteria{Address: "High Street Leeds"}, true},
		{"a free address with a wrong word", company.Criteria{Address: "7 High St, Bradford LS1 4AP"}, false},
		{"a free address that leads nowhere", company.Criteria{Address: "nowhere at all"}, false},
		{"its telephone number", company.Criteria{Phones: []string{"0113 4960999"}}, true},
		{"one of two telephone numbers", company.Criteria{Phones: []string{"0555 000000", "+441134960999"}}, true},
		{"another telephone number", company.Criteria{Phones: []string{"0113 4960998"}}, false},
		{"its web site", company.Criteria{Website: "hollbrook.example"}, true},
		{"another web site", company.Criteria{Website: "bakery.example"}, false},
		{"its status", company.Criteria{City: "Leeds", Status: company.Active}, true},
		{"another status", company.Criteria{City: "Leeds", Status: company.Pending}, false},
		{"its kind", company.Criteria{City: "Leeds", Kind: company.KindLtd}, true},
		{"another kind", company.Criteria{City: "Leeds", Kind: company.KindNonLtd}, false},
		{"an office that it has", company.Criteria{City: "Leeds", Office: company.OfficeTrading}, true},
		{"an office that it has not", company.Criteria{City: "Leeds", Office: company.OfficeBranch}, false},
		{"its listing", company.Criteria{Name: "Hollbrook", Listed: true}, true},
		{"a name and another city", company.Criteria{Name: "Hollbrook", City: "Bath"}, false},
		{"a name in another country", company.Criteria{Name: "Hollbrook", Countries: []string{"FR", "DE"}}, false},
		{"a name in its country", company.Criteria{Name: "Hollbrook", Countries: []string{"FR", "GB"}}, true},
	}
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "src", false, full(),
			company.Statement{Country: "FR", Number: "1", Facts: company.Facts{
				Name: "Établissements Quenneville", Status: company.Active,
				Addresses: []company.Address{{Kind: company.Registered, Street: "rue Haute", City: "Lyon", Post: "69001", Country: "FR"}},
			}})
		f := d.finder("")
		d.catchUp(t, f)
		for _, c := range cases {
			got := search(t, f, c.asks)
			if found := len(got) == 1 && got[0] == it; found != c.finds || !found && len(got) > 0 {
				t.Errorf("%s: found %v, want it: %v", c.says, got, c.finds)
			}
		}
	})
}

// Pages and cursors show everything once.
func TestPagesOfASearch(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		var list []company.Statement
		for i := range 7 {
			list = append(list, company.Statement{Country: "GB", Number: string(rune('1' + i)), Facts: company.Facts{
				Name: "Hollbrook Bakery Ltd", Addresses: []company.Address{{Kind: company.Registered, City: "Leeds"}},
			}})
		}
		d.take(t, "src", false, list...)
		f := d.finder("")
		d.catchUp(t, f)
		for says, c := range map[string]company.Criteria{"by name": {Name: "Hollbrook"}, "by city": {City: "Leeds"}} {
			var all []company.ID
			page := company.Page{Limit: 3}
			for turn := 0; ; turn++ {
				hits, err := f.Search(t.Context(), c, page)
				noError(t, err)
				if turn == 0 && hits.Total != 7 {
					t.Errorf("%s: %d in all, want 7", says, hits.Total)
				}
				for i := range hits.List {
					all = append(all, hits.List[i].ID)
				}
				if page.After = hits.Next; hits.Next == nil || turn > 9 {
					break
				}
			}
			wantIDs(t, says, all, "GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4", "GB-0-5", "GB-0-6", "GB-0-7")
			second, err := f.Search(t.Context(), c, company.Page{Skip: 3, Limit: 3})
			if err != nil || len(second.List) != 3 || second.List[0].ID != "GB-0-4" {
				t.Errorf("%s: the second page is %+v (%v)", says, second.List, err)
			}
		}
	})
}
