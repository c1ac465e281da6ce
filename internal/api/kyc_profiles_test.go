package api_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bureau/client"
	"bureau/internal/auth"
)

const (
	noProfile   = "/kyc-protect/profiles/" + noID
	goodProfile = `{"name":"Example Bakeries","type":"company","details":{"legalName":"Example Bakeries Ltd","aliases":"EB"}}`
	sameProfile = `{"name":"Example Bakeries","riskRating":"low","status":"pending"}`
)

func profileExamples() []example {
	const profiles = "/kyc-protect/profiles"
	return []example{
		{"createProfile", "POST", profiles, goodProfile, 201, "acme"},
		{"createProfile", "POST", profiles, `{"name":"N","type":"club","details":{"legalName":"L"}}`, 400, "acme"},
		{"createProfile", "POST", profiles, goodProfile, 403, "bare"},
		{"profiles", "GET", profiles + "?riskRatings=low&riskRatings=high&sortBy=name&sortOrder=desc", "", 200, "acme"},
		{"profiles", "GET", profiles + "?sortBy=colour", "", 400, "acme"},
		{"deleteProfiles", "DELETE", profiles, `["` + noID + `"]`, 404, "acme"},
		{"deleteProfiles", "DELETE", profiles, `[]`, 400, "acme"},
		{"profile", "GET", noProfile, "", 404, "acme"},
		{"updateProfile", "PUT", noProfile, sameProfile, 404, "acme"},
		{"updateProfile", "PUT", noProfile, `{}`, 400, "acme"},
		{"deleteProfile", "DELETE", noProfile, "", 404, "acme"},
		{"profileTypes", "GET", profiles + "/types", "", 200, "acme"},
		{"assignProfile", "PUT", profiles + "/assign?profileId=" + noID, "", 404, "acme"},
		{"assignProfile", "PUT", profiles + "/assign?profileId=" + noID + "&userId=99999", "", 400, "acme"},
		{"assignProfiles", "PUT", profiles + "/assign/bulk", `{"profileIds":["` + noID + `"]}`, 404, "acme"},
		{"profileDetails", "GET", noProfile + "/details", "", 404, "acme"},
		{"updateProfileDetails", "PUT", noProfile + "/details", `{"legalName":"L"}`, 404, "acme"},
		{"updateProfileDetails", "PUT", noProfile + "/details", `{"legalName":" "}`, 400, "acme"},
		{"createProfileAddress", "POST", noProfile + "/details/addresses", `{"type":"other"}`, 404, "acme"},
		{"profileAddresses", "GET", noProfile + "/details/addresses", "", 404, "acme"},
		{"profileAddress", "GET", noProfile + "/details/addresses/" + noID, "", 404, "acme"},
		{"updateProfileAddress", "PUT", noProfile + "/details/addresses/" + noID, `{"type":"other"}`, 404, "acme"},
		{"deleteProfileAddress", "DELETE", noProfile + "/details/addresses/" + noID, "", 404, "acme"},
		{"createProfileNote", "POST", noProfile + "/notes", `{"body":"b"}`, 404, "acme"},
		{"createProfileNote", "POST", noProfile + "/notes", `{"body":null}`, 400, "acme"},
		{"profileNotes", "GET", noProfile + "/notes?isArchived=false", "", 404, "acme"},
		{"profileNote", "GET", noProfile + "/notes/" + noID, "", 404, "acme"},
		{"updateProfileNote", "PUT", noProfile + "/notes/" + noID, `{"isArchived":1}`, 404, "acme"},
		{"deleteProfileNote", "DELETE", noProfile + "/notes/" + noID, "", 404, "acme"},
		{"profileSearches", "GET", noProfile + "/searches", "", 404, "acme"},
		{"linkSearches", "POST", noProfile + "/searches/link", `{"searchIds":["` + noID + `"]}`, 404, "acme"},
		{"linkSearches", "POST", noProfile + "/searches/link", `{"searchIds":[]}`, 400, "acme"},
		{"unlinkSearches", "DELETE", noProfile + "/searches/link", `{"searchIds":["` + noID + `"]}`, 404, "acme"},
		{"kycCurrencies", "GET", "/kyc-protect/lookup/currencyCodes", "", 200, "acme"},
		{"kycCountries", "GET", "/kyc-protect/lookup/countryCodes", "", 200, "acme"},
	}
}

// profileFixtures are how strangers try the profiles of others.
func profileFixtures() map[string]fixture {
	of := func(behind string) func(*world, login) string {
		return func(w *world, owner login) string { return "/kyc-protect/profiles/" + w.profile(owner).ID + behind }
	}
	address := func(w *world, owner login) string {
		p := w.profile(owner)
		a, err := w.client(owner).AddProfileAddress(w.t.Context(), p.ID, client.ProfileAddress{Type: "other"})
		must(w.t, err)
		return "/kyc-protect/profiles/" + p.ID + "/details/addresses/" + a.ID
	}
	note := func(w *world, owner login) string {
		p := w.profile(owner)
		n, err := w.client(owner).AddProfileNote(w.t.Context(), p.ID, "b")
		must(w.t, err)
		return "/kyc-protect/profiles/" + p.ID + "/notes/" + n.ID
	}
	noAddress, noNote := noProfile+"/details/addresses/"+noID, noProfile+"/notes/"+noID
	return map[string]fixture{
		"profile":              {theirs: of(""), random: noProfile},
		"updateProfile":        {theirs: of(""), random: noProfile, body: sameProfile},
		"deleteProfile":        {theirs: of(""), random: noProfile},
		"profileDetails":       {theirs: of("/details"), random: noProfile + "/details"},
		"updateProfileDetails": {theirs: of("/details"), random: noProfile + "/details", body: `{"legalName":"L"}`},
		"createProfileAddress": {theirs: of("/details/addresses"), random: noProfile + "/details/addresses", body: `{"type":"other"}`},
		"profileAddresses":     {theirs: of("/details/addresses"), random: noProfile + "/details/addresses"},
		"profileAddress":       {theirs: address, random: noAddress},
		"updateProfileAddress": {theirs: address, random: noAddress, body: `{"type":"other"}`},
		"deleteProfileAddress": {theirs: address, random: noAddress},
		"createProfileNote":    {theirs: of("/notes"), random: noProfile + "/notes", body: `{"body":"b"}`},
		"profileNotes":         {theirs: of("/notes"), random: noProfile + "/notes"},
		"profileSearches":      {theirs: of("/searches"), random: noProfile + "/searches"},
		"linkSearches":         {theirs: of("/searches/link"), random: noProfile + "/searches/link", body: `{"searchIds":["` + noID + `"]}`},
		"unlinkSearches":       {theirs: of("/searches/link"), random: noProfile + "/searches/link", body: `{"searchIds":["` + noID + `"]}`},
		"profileNote":          {theirs: note, random: noNote},
		"updateProfileNote":    {theirs: note, random: noNote, body: `{"body":"b"}`},
		"deleteProfileNote":    {theirs: note, random: noNote},
	}
}

// profile makes a profile of somebody's.
func (w *world) profile(l login) client.KYCProfile {
	w.t.Helper()
	p, err := w.client(l).CreateProfile(w.t.Context(), client.KYCProfile{
		Name: "Ada's shop", Type: "soleTrader", Details: &client.ProfileDetails{LegalName: "Ada Quillfeather", DateOfBirth: "1970-05-31"},
	})
	must(w.t, err)
	return p
}

// status is what a call was refused with.
func status(t *testing.T, err error) int {
	t.Helper()
	var refused *client.Error
	if !errors.As(err, &refused) {
		t.Fatalf("got %v, want a refusal", err)
	}
	return refused.Status
}

func TestAProfileFromItsBeginningToItsEnd(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme", everywhere(auth.KYC)...)
	bob := w.account(auth.NewAccount{Customer: l.Customer, UserKey: "bob", First: "Bob", Surname: "Vale"})
	c, ctx := w.client(l), t.Context()

	yes := true
	p, err := c.CreateProfile(ctx, client.KYCProfile{
		Name: " Example Bakeries ", Type: "company", InternalID: "N-1", RiskRating: "medium", KYCReviewOn: "2027-01-31",
		Details: &client.ProfileDetails{
			LegalName: "Example Bakeries Ltd", Aliases: []string{"EB"}, CountryCode: "gb", Turnover: &client.Money{CurrencyCode: "GBP", Amount: 250_000},
			IsListedOnExchange: &yes, Email: "info@bakeries.example",
		},
	})
	must(t, err)
	if p.Name != "Example Bakeries" || p.Status != "new" || p.CreatedBy != "acme" || p.ModeOfCreation != "manual" ||
		p.Details.CountryCode != "GB" || p.Details.Turnover.CurrencyCode != "gbp" || p.KYCStatusUpdatedOn == "" || p.KYCApprovedAt != "" {
		t.Errorf("it is %+v, %+v", p, p.Details)
	}

	w.clock.Step(time.Hour)
	p.Status, p.AssignedToID, p.InternalID = "approved", int64(bob.Account), ""
	p.Details = nil
	p, err = c.UpdateProfile(ctx, p)
	must(t, err)
	if p.KYCApprovedAt != "2026-03-02T10:30:00" || p.AssignedTo != "Bob Vale" || p.InternalID != "" || p.ModifiedBy != "acme" || p.KYCReviewOn != "2027-01-31" {
		t.Errorf("it is %+v", p)
	}
	d, err := c.UpdateProfileDetails(ctx, p.ID, client.ProfileDetails{LegalName: "Other", Aliases: []string{"a", " ", "b"}})
	must(t, err)
	if d.LegalName != "Other" || d.CountryCode != "" || !slices.Equal(d.Aliases, []string{"a", "b"}) || d.ModifiedAt == "" {
		t.Errorf("details are %+v", d)
	}

	a, err := c.AddProfileAddress(ctx, p.ID, client.ProfileAddress{Type: "registered", City: "Leeds", CountryCode: "gb"})
	must(t, err)
	a.City = "York"
	a, err = c.UpdateProfileAddress(ctx, p.ID, a)
	must(t, err)
	if again, err := c.ProfileAddress(ctx, p.ID, a.ID); err != nil || again != a || a.City != "York" || a.CountryCode != "GB" || a.ModifiedBy != "acme" {
		t.Errorf("the address is %+v (%v)", again, err)
	}
	must(t, c.DeleteProfileAddress(ctx, p.ID, a.ID))
	if list, err := c.ProfileAddresses(ctx, p.ID); err != nil || len(list) != 0 {
		t.Errorf("addresses: %v (%v)", list, err)
	}

	n, err := c.AddProfileNote(ctx, p.ID, "Spoke to the director.")
	must(t, err)
	n.IsArchived = true
	n, err = c.UpdateProfileNote(ctx, p.ID, n)
	must(t, err)
	for _, archived := range []bool{true, false} {
		list, total, err := c.ProfileNotes(ctx, p.ID, client.NoteFilter{IsArchived: &archived})
		if err != nil || archived != (total == 1) || archived && list[0] != n {
			t.Errorf("archived %v: %v of %d (%v)", archived, list, total, err)
		}
	}
	if p, err = c.Profile(ctx, p.ID); err != nil || p.NoteCount != 1 {
		t.Errorf("it has %d notes (%v)", p.NoteCount, err)
	}
	must(t, c.DeleteProfile(ctx, p.ID))
	_, err = c.Profile(ctx, p.ID)
	if status(t, err) != http.StatusNotFound {
		t.Errorf("got %v", err)
	}
}

func TestProfilesAreListedAndAssigned(t *testing.T) {
	w := newWorld(t, plan{})
	l, other := w.join("acme", everywhere(auth.KYC)...), w.join("other", everywhere(auth.KYC)...)
	c, ctx := w.client(l), t.Context()
	var ids []string
	for _, name := range []string{"Cleo", "ada", "Bea"} {
		p, err := c.CreateProfile(ctx, client.KYCProfile{Name: name, Type: "individual", RiskRating: "low", Details: &client.ProfileDetails{LegalName: name}})
		must(t, err)
		ids = append(ids, p.ID)
		w.clock.Step(time.Second)
	}
	names := func(f client.ProfileFilter) string {
		t.Helper()
		list, _, err := c.Profiles(ctx, f)
		must(t, err)
		var out []string
		for _, p := range list {
			out = append(out, p.Name)
		}
		return strings.Join(out, " ")
	}
	for want, f := range map[string]client.ProfileFilter{
		"Bea ada Cleo": {},
		"ada Bea Cleo": {SortBy: "name"},
		"Cleo Bea ada": {SortBy: "name", SortOrder: "desc"},
		"ada":          {Page: 2, PageSize: 1},
		"Cleo":         {SearchTerm: "cLE"},
	} {
		if got := names(f); got != want {
			t.Errorf("%+v: %q, want %q", f, got, want)
		}
	}
	list, err := c.AssignProfiles(ctx, ids[:2], int64(l.Account))
	if err != nil || len(list) != 2 || list[0].ID != ids[0] || list[1].AssignedToID != int64(l.Account) {
		t.Errorf("assigned %+v (%v)", list, err)
	}
	if got := names(client.ProfileFilter{Assignees: []int64{int64(l.Account)}}); got != "ada Cleo" {
		t.Errorf("mine are %q", got)
	}
	one, err := c.AssignProfile(ctx, ids[0], 0)
	if err != nil || one.AssignedToID != 0 {
		t.Errorf("it is %+v (%v)", one, err)
	}
	// Nobody of another company, and all or nothing.
	_, err = c.AssignProfiles(ctx, ids, int64(other.Account))
	if status(t, err) != http.StatusBadRequest {
		t.Errorf("got %v", err)
	}
	_, err = c.AssignProfiles(ctx, append(ids[1:], noID), 0)
	if status(t, err) != http.StatusNotFound {
		t.Errorf("got %v", err)
	}
	if got := names(client.ProfileFilter{Assignees: []int64{int64(l.Account)}}); got != "ada" {
		t.Errorf("mine are %q", got)
	}
	err = c.DeleteProfiles(ctx, []string{ids[0], noID})
	if status(t, err) != http.StatusNotFound {
		t.Errorf("got %v", err)
	}
	must(t, c.DeleteProfiles(ctx, ids[:2]))
	if got := names(client.ProfileFilter{}); got != "Bea" {
		t.Errorf("left are %q", got)
	}
}

func TestProfilesThatMakeNoSense(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme", everywhere(auth.KYC)...)
	token := w.token(l)
	for body, want := range map[string]string{
		`{"name":" ","type":"company","details":{"legalName":"L"}}`:                                            "name: it is missing",
		`{"name":"N","type":"company","status":"lost","details":{"legalName":"L"}}`:                            `status: "lost" is none of`,
		`{"name":"N","type":"company","kycReviewOn":"2026-02-30","details":{"legalName":"L"}}`:                 "kycReviewOn: ",
		`{"name":"N","type":"company","assignedToId":12345,"details":{"legalName":"L"}}`:                       "assignedToId: ",
		`{"name":"N","type":"company","details":{"legalName":"L","countryCode":"ZZ"}}`:                         "details.countryCode: ",
		`{"name":"N","type":"company","details":{"legalName":"L","email":"nobody"}}`:                           "details.email: ",
		`{"name":"N","type":"company","details":{"legalName":"L","dateOfBirth":"2026-03-03"}}`:                 "details.dateOfBirth: ",
		`{"name":"N","type":"company","details":{"legalName":"L","turnover":{"currencyCode":"x","amount":1}}}`: "details.turnover.currencyCode: ",
		`{"name":"` + strings.Repeat("é", 201) + `","type":"company","details":{"legalName":"L"}}`:             "name: it has 201 characters",
	} {
		got := w.send("POST", "/kyc-protect/profiles", body, "Authorization", token, "Content-Type", jsonType)
		if got.status != 400 || !strings.Contains(strings.ReplaceAll(got.body, `\"`, `"`), want) {
			t.Errorf("%s: %d %s, want %q", body, got.status, got.body, want)
		}
	}
	if list, total, err := w.client(l).Profiles(t.Context(), client.ProfileFilter{}); err != nil || total != 0 || len(list) != 0 {
		t.Errorf("kept %v (%v)", list, err)
	}
	one := client.KYCProfile{Name: "N", Type: "trust", InternalID: "7", Details: &client.ProfileDetails{LegalName: "L"}}
	_, err := w.client(l).CreateProfile(t.Context(), one)
	must(t, err)
	_, err = w.client(l).CreateProfile(t.Context(), one)
	if status(t, err) != http.StatusConflict {
		t.Errorf("got %v", err)
	}
}

func TestLookUpsOfProfiles(t *testing.T) {
	w := newWorld(t, plan{})
	c := w.client(w.join("acme", everywhere(auth.KYC)...))
	types, err := c.ProfileTypes(t.Context())
	must(t, err)
	if d := cmp.Diff([]string{"trust", "individual", "soleTrader", "company", "plc", "partnership", "otherEntity"}, types); d != "" {
		t.Error(d)
	}
	currencies, err := c.KYCCurrencies(t.Context())
	if err != nil || len(currencies) != 14 || !slices.Contains(currencies, "gbp") {
		t.Errorf("currencies %v (%v)", currencies, err)
	}
	countries, err := c.KYCCountries(t.Context())
	must(t, err)
	for _, code := range []string{"GB", "SE", "XK", "SS", "CW"} {
		if !slices.Contains(countries, code) {
			t.Errorf("%s is no country", code)
		}
	}
	if n := len(countries); n < 245 || n > 260 || !slices.IsSorted(countries) {
		t.Errorf("there are %d countries: %v", n, countries)
	}
}
