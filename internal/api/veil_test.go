package api_test

import (
	"fmt"
	"strings"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/identity"
)

func (w *world) rights() *identity.Rights {
	return &identity.Rights{
		Store: w.db, Audit: w.db, Journal: w.server.Gate.Journal, Directors: w.server.Finder, Directory: w.dir, Now: w.clock.Now, Mark: w.server.Vault.Person,
	}
}

// Who objects is shown by no service that showed them before, whoever the words
// come from, and by all of them again when the objection is taken back.
func TestAnObjectionIsHonouredByEveryService(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		l := w.join("acme", everywhere(auth.Products()...)...)
		token, c := w.token(l), w.client(l)
		found, err := c.SearchNonLimited(t.Context(), "Waldspecht", "Prüfstadt")
		must(t, err)
		before, err := c.SearchIdentity(t.Context(), ada("Consumer"), "")
		must(t, err)
		idv := `{"name":"Ada Hollbrook","dateOfBirth":"1970-05-31","address":"7 Mill Lane","postalCode":"TE1 1ST","country":"GB","id":"x"}`
		partner := specht().Facts.Officers[0]
		partnerID := partner.PersonID(company.NewID("DE", "X7777_HRA1"))
		services := []struct{ who, method, path, body, shows string }{
			{"GB-T1", "POST", "/localSolutions/GB/identitysearch", askAda, `"confirmedAddress":"7 Mill Lane`},
			{"GB-T1", "GET", "/localSolutions/GB/identitysearch/history/" + before.UniqueID, "", `"confirmedAddress":"7 Mill Lane`},
			{"GB-T1", "GET", "/localSolutions/GB/verify/individual/GB-77/full?reasonForSearch=CA", "", `"J1"`},
			{"GB-T1", "GET", "/localSolutions/GB/verify/individual/GB-77/summary?reasonForSearch=CA", "", `"ccjMatch":true`},
			{"GB-T1", "GET", "/localSolutions/GB/verify/company/GB-0-03375464?reasonForSearch=CA", "", `"verifyMatch":true`},
			{"GB-T1", "GET", "/localSolutions/GB/verify/individual/directReport?firstName=Ada&lastName=Hollbrook&dateOfBirth=1970-05-31&reasonForSearch=CA", "", `"J1"`},
			{"GB-T1", "POST", "/protect/idv/gdc/search", idv, `"fullMatch"`},
			{"GB-T1", "GET", "/companies/GB-0-03375464", "", "Ada Hollbrook"},
			{"GB-T1", "GET", "/people?countries=GB&lastName=Hollbrook", "", "Ada Hollbrook"},
			{"GB-T1", "GET", "/people?peopleId=GB-77", "", "Ada Hollbrook"},
			{"GB-T1", "GET", "/people?countries=GB&companyId=GB-0-03375464", "", "Ada Hollbrook"},
			{"GB-T1", "GET", "/people/GB-77", "", "Ada Hollbrook"},
			{"SE-197005317719", "GET", "/getdata?searchnumber=197005317719&blockname=FULL", "", "Lindqvist"},
			{"SE-197005317719", "GET", "/getdata?searchnumber=5597770006&blockname=BOARD", "", "Åsa Lindqvist"},
			{"SE-197005317719", "GET", "/getsignatory?searchnumber=5597770006", "", "Åsa Lindqvist"},
			{"SE-197005317719", "GET", "/datecheck/consumer?searchnumber=197005317719&referencedate=260101", "", `"registration"`},
			{"SE-197005317719", "GET", "/search/consumer?namesearchnumber=Lindqvist", "", "Åsa Lindqvist"},
			{"SE-197005317719", "GET", "/search/consumer?namesearchnumber=7005317719", "", "Åsa Lindqvist"},
			{"SE-197005317719", "GET", "/spar?searchnumber=197005317719", "", "Lindqvist"},
			{"SE-197005317719", "GET", "/companies/SE-0-5597770006", "", "Åsa Lindqvist"},
			{"SE-197005317719", "GET", "/people?countries=SE&lastName=Lindqvist", "", "Åsa Lindqvist"},
			// Somebody whom nobody loaded may object as well, by the id that boards have.
			{string(partnerID), "GET", fmt.Sprintf("/localSolutions/DE/nonLtdCompanies/%d?reason=Purchase", found[0].ID), "", "Uwe Waldspecht"},
			{string(partnerID), "GET", "/companies/DE-0-X7777_HRA1?customData=de_reason_code::1", "", "Uwe Waldspecht"},
		}
		see := func(when string, want bool) {
			t.Helper()
			for _, s := range services {
				got := w.send(s.method, s.path, s.body, "Authorization", token, "Content-Type", jsonType)
				if strings.Contains(got.body, s.shows) != want || got.status >= 500 {
					t.Errorf("%s, %s: %d %s\nshows %s: want %v", when, s.path, got.status, got.body, s.shows, want)
				}
				if strings.Contains(got.body, "Hemlig") || strings.Contains(got.body, "198501012390") {
					t.Errorf("%s, %s shows whom the law hides: %s", when, s.path, got.body)
				}
			}
		}
		give := func(kind identity.RightKind) {
			t.Helper()
			for _, who := range []identity.ID{"GB-T1", "SE-197005317719", identity.ID(partnerID)} {
				must(t, w.rights().Give(t.Context(), who, identity.Right{Kind: kind}))
			}
		}
		see("before", true)
		give(identity.Objected)
		see("after an objection", false)
		w.populate(people)
		w.populate(swedes)
		see("after an import", false)
		must(t, w.intake(true).Finish(t.Context())) // everybody is removed
		for _, path := range []string{"/companies/GB-0-03375464", "/people/GB-77", "/companies/SE-0-5597770006", "/getsignatory?searchnumber=5597770006"} {
			if got := w.send("GET", path, "", "Authorization", token); strings.Contains(got.body, "Ada Hollbrook") || strings.Contains(got.body, "Åsa Lindqvist") {
				t.Errorf("after everybody was removed, %s: %s", path, got.body)
			}
		}
		w.populate(people)
		w.populate(swedes)
		give(identity.Allowed)
		see("after it was taken back", true)
	})
}
