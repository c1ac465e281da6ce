package company_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bureau/internal/company"
)

// A model of a search: a plain look at every company, by plain comparison of
// plain words. Its companies and questions are drawn from few words, so that
// much of what is asked is there, alone and together.

var (
	modelLands   = []string{"GB", "FR", "DE"}
	modelCities  = []string{"Leeds", "Hull", "York"}
	modelPosts   = []string{"AA1 1AA", "AA1 2BB", "BB2 1AA", "BB2 2BB"}
	modelStreets = []string{"High Street", "Mill Lane", "Station Road"}
	modelRegions = []string{"Kent", "Surrey"}
	modelPhones  = []string{"0113 496 0001", "0113 496 0002"}
	modelSites   = []string{"one.example", "two.example"}
)

// drawCompany draws a statement; most parts may be missing.
func drawCompany(r *rapid.T, number string) company.Statement {
	maybe := func(list []string, label string) string {
		return rapid.SampledFrom(append([]string{""}, list...)).Draw(r, label)
	}
	f := company.Facts{
		Name: "Company " + number, RegNo: number,
		Status: rapid.SampledFrom([]company.Status{company.Active, company.NonActive}).Draw(r, "status"),
		Kind:   rapid.SampledFrom([]company.Kind{"", company.Ltd, company.NonLtd}).Draw(r, "kind"),
	}
	for range rapid.IntRange(0, 3).Draw(r, "addresses") {
		f.Addresses = append(f.Addresses, company.Address{
			Kind: rapid.SampledFrom([]company.AddressKind{
				company.Registered, company.TradingPlace, company.Branch, company.FormerAddress,
			}).Draw(r, "address"),
			City: maybe(modelCities, "city"), Post: maybe(modelPosts, "post"), Street: maybe(modelStreets, "street"),
			Region: maybe(modelRegions, "region"), House: maybe([]string{"1", "2"}, "house"),
		})
	}
	if p := maybe(modelPhones, "phone"); p != "" {
		f.Phones = []string{p}
	}
	if w := maybe(modelSites, "site"); w != "" {
		f.Websites = []string{w}
	}
	return company.Statement{Country: rapid.SampledFrom(modelLands).Draw(r, "country"), Number: number, Facts: f}
}

// drawCriteria draws a question with something to look for.
func drawCriteria(r *rapid.T) company.Criteria {
	maybe := func(list []string, label string) string {
		return rapid.SampledFrom(append([]string{"", "", ""}, list...)).Draw(r, label)
	}
	c := company.Criteria{
		City: maybe(modelCities, "city"), Post: maybe(append([]string{"AA1*", "B*", "AA11AA*"}, modelPosts...), "post"),
		Street: maybe(modelStreets, "street"), House: maybe([]string{"1", "2"}, "house"), Region: maybe(modelRegions, "region"),
		Website: maybe(modelSites, "site"), Status: company.Status(maybe([]string{"Active", "NonActive"}, "status")),
		Kind:            company.KindFilter(maybe([]string{"Ltd", "NonLtd", "NotSet"}, "kind")),
		Office:          company.Office(maybe([]string{"registered", "trading", "branch", "other"}, "office")),
		NoTradingPlaces: rapid.Bool().Draw(r, "no trading places"),
	}
	if p := maybe(modelPhones, "phone"); p != "" {
		c.Phones = []string{p}
	}
	for _, l := range modelLands {
		if rapid.Bool().Draw(r, "in "+l) {
			c.Countries = append(c.Countries, l)
		}
	}
	if n := maybe([]string{"000001", "000002", "000003"}, "number"); n != "" {
		c.RegNo = n
	}
	if c.City+c.Post+c.Street+c.Region+c.Website+c.RegNo == "" && len(c.Phones) == 0 {
		c.City = "Leeds"
	}
	return c
}

// modelHolds is the model.
func modelHolds(c company.Criteria, x *company.Company) bool {
	is := func(asked, kept string) bool { return asked == "" || strings.EqualFold(asked, kept) }
	squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	if len(c.Countries) > 0 && !slices.Contains(c.Countries, x.ID.Country()) || c.RegNo != "" && c.RegNo != x.ID.Number() ||
		!is(string(c.Status), string(x.Status)) {
		return false
	}
	switch c.Kind {
	case "":
	case company.KindNotSet:
		if x.Kind != "" {
			return false
		}
	default:
		if string(x.Kind) != string(c.Kind) {
			return false
		}
	}
	if len(c.Phones) > 0 && !slices.Contains(x.Phones, c.Phones[0]) || c.Website != "" && !slices.Contains(x.Websites, c.Website) {
		return false
	}
	if c.Office != "" {
		offices := map[string]bool{}
		for _, a := range x.Addresses {
			offices[map[company.AddressKind]string{company.Registered: "registered", company.TradingPlace: "trading", company.Branch: "branch"}[a.Kind]] = true
		}
		if delete(offices, ""); len(offices) == 0 {
			offices["other"] = true
		}
		if !offices[string(c.Office)] {
			return false
		}
	}
	if c.City+c.Post+c.Street+c.House+c.Region == "" {
		return true
	}
	for _, a := range x.Addresses {
		post := squeeze(c.Post) == squeeze(a.Post)
		if stem, ok := strings.CutSuffix(c.Post, "*"); ok {
			post = strings.HasPrefix(squeeze(a.Post), squeeze(stem))
		}
		if a.Kind != company.FormerAddress && (!c.NoTradingPlaces || a.Kind == company.Registered) &&
			is(c.City, a.City) && (c.Post == "" || post && a.Post != "") && is(c.Street, a.Street) && is(c.House, a.House) && is(c.Region, a.Region) {
			return true
		}
	}
	return false
}

// Whatever is asked, a search finds what a look at every company finds.
func TestSearchIsALookAtEveryCompany(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		f := d.finder("")
		rapid.Check(t, func(r *rapid.T) {
			var list []company.Statement
			for i := range rapid.IntRange(1, 12).Draw(r, "companies") {
				list = append(list, drawCompany(r, fmt.Sprintf("%06d", i+1)))
			}
			d.take(t, "model", true, list...)
			d.catchUp(t, f)
			all := map[company.ID]company.Company{}
			noError(t, d.db.Companies(t.Context(), "", func(h company.Held) error {
				all[h.ID] = company.Merge(h)
				return nil
			}))
			for range 6 {
				c := drawCriteria(r)
				want := []company.ID{}
				for id, x := range all {
					if modelHolds(c, &x) {
						want = append(want, id)
					}
				}
				slices.Sort(want)
				if got := search(t, f, c); !slices.Equal(got, want) {
					r.Fatalf("%+v: got %v, want %v", c, got, want)
				}
			}
		})
	})
}
