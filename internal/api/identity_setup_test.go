package api_test

import (
	"context"
	"strings"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/identity"
	"bureau/internal/importer/consumers"
)

// directors hands on to the finder, which is made after the desk.
type directors struct{ w *world }

func (d directors) Person(ctx context.Context, id company.PersonID) (company.Director, error) {
	return d.w.server.Finder.Person(ctx, id)
}

func newIdentityDesk(w *world, v *auth.Vault) *identity.Desk {
	return &identity.Desk{
		Store: w.db, Directors: directors{w}, Companies: &company.Register{Store: w.db, Now: w.clock.Now},
		Now: w.clock.Now, Fingerprint: v.BankAccount,
	}
}

// people are some that no sandbox has.
const people = `{"country":"GB","number":"T1","name":{"title":"Ms","forename":"Ada","otherNames":"Mary","surname":"Hollbrook"},"otherNames":[{"kind":"former","forename":"Ada","surname":"Quillfeather"}],"birthDate":"1970-05-31","addresses":[{"buildingNo":"7","street":"Mill Lane","city":"Testford","postCode":"TE1 1ST","from":"2001-04-01"},{"buildingNo":"90","street":"Old Road","city":"Testford","postCode":"TE2 2ST","from":"1990-01-01","until":"2001-03-31"}],"electoralRoll":[{"buildingNo":"7","street":"Mill Lane","city":"Testford","postCode":"TE1 1ST","from":"2002-01-01"}],"judgments":[{"date":"2024-02-03","amount":{"minorUnits":120000,"currency":"GBP"},"court":"Testford County Court","caseNumber":"J1"},{"date":"2019-02-03","amount":{"minorUnits":5000,"currency":"GBP"},"caseNumber":"J2","satisfied":"2020-01-01"}],"insolvencies":[{"kind":"bankruptcy","date":"2015-06-07","caseNumber":"I1","discharged":"2016-06-07"}],"phones":["01632 960123"],"peopleId":"GB-77","bankAccounts":[{"sortCode":"77-77-01","accountNumber":"12345679"}],"documents":[{"kind":"passport","number":"123456789"}],"score":{"value":512,"band":3}}
{"country":"GB","number":"T2","name":{"forename":"Peter","surname":"Oakenshaw"},"birthDate":"1950-01-02","deathDate":"2025-12-24","addresses":[{"buildingNo":"9","street":"Mill Lane","city":"Testford","postCode":"TE1 1ST"}]}
{"country":"GB","number":"T3","name":{"forename":"Sam","surname":"Underhay"},"birthDate":"1960-01-02","addresses":[{"subBuilding":"Flat 1","buildingNo":"20","street":"High Street","city":"Testford","postCode":"TE3 3ST"}]}
{"country":"GB","number":"T4","name":{"forename":"Sam","surname":"Underhay"},"birthDate":"1990-01-02","addresses":[{"subBuilding":"Flat 2","buildingNo":"20","street":"High Street","city":"Testford","postCode":"TE3 3ST"}]}
{"country":"GB","number":"T5","name":{"forename":"Hidden","surname":"Person"},"birthDate":"1980-01-02","protected":true,"addresses":[{"buildingNo":"1","street":"Nowhere","postCode":"TE4 4ST"}]}
`

// populate loads people as an operator does.
func (w *world) populate(lines string) {
	w.t.Helper()
	ctx := w.t.Context()
	in := w.intake(false)
	for rec, err := range consumers.Read(strings.NewReader(lines), "people.jsonl") {
		must(w.t, err)
		must(w.t, in.Add(ctx, []identity.Record{rec}))
	}
	must(w.t, in.Finish(ctx))
}

// intake takes people in; if whole, who is not in it is gone.
func (w *world) intake(whole bool) *identity.Intake {
	in := &identity.Intake{Store: w.db, Turn: 1, Whole: whole, Now: w.clock.Now, Fingerprint: w.server.Identity.Fingerprint}
	if whole {
		in.Turn = 2
	}
	return in
}

// ada is a question that finds one of them.
func ada(products ...string) client.IdentityQuestion {
	return client.IdentityQuestion{
		Name: client.PersonName{Forename: "Ada", Surname: "Hollbrook"}, DateOfBirth: "1970-05-31", Reference: "ref 1", Products: products,
		Addresses: []client.PersonAddress{{BuildingNo: "7", Street: "Mill Lane", PostCode: "te1 1st"}}, Reason: "CreditApplication",
	}
}

const askAda = `{"common":{"person":{"currentName":{"forename":"Ada","surname":"Hollbrook"},"dateOfBirth":"1970-05-31","addresses":{"current":{"buildingNo":"7","postCode":"TE1 1ST"}}}},"consumer":{"reason":"CreditApplication"},"products":["AML","consumer"]}`

const noSearch = "0123456789abcdef0123456789abcdef"

func identityExamples() []example {
	const search, verify = "/localSolutions/GB/identitysearch", "/localSolutions/GB/verify"
	return []example{
		{"identitySearch", "POST", search, askAda, 200, "acme"},
		{"identitySearch", "POST", search, `{"common":{"person":{"currentName":{},"addresses":{"current":{}}}}}`, 400, "acme"},
		{"identitySearch", "POST", search, askAda, 403, "bare"},
		{"resolveIdentity", "PUT", search + "?uniqueId=" + noSearch + "&resolved=1", "", 404, "acme"},
		{"resolveIdentity", "PUT", search, `{}`, 400, "acme"},
		{"identityReasons", "GET", search + "/searchreasons", "", 200, "acme"},
		{"identityHistory", "GET", search + "/history", "", 200, "acme"},
		{"identityHistory", "GET", search + "/history?page=0", "", 400, "acme"},
		{"identityById", "GET", search + "/history/" + noSearch, "", 404, "acme"},
		{"identityInput", "GET", search + "/history/" + noSearch + "/input", "", 404, "acme"},
		{"identityReference", "PUT", search + "/history/" + noSearch + "/reference", `"mine"`, 404, "acme"},
		{"revalidateIdentity", "PUT", search + "/revalidation/" + noSearch, `{"passport":{"number":"1"}}`, 404, "acme"},
		{"verifyCompany", "GET", verify + "/company/GB-0-1?reasonForSearch=CA", "", 200, "acme"},
		{"verifyCompany", "GET", verify + "/company/GB-0-1", "", 400, "acme"},
		{"verifySummary", "GET", verify + "/individual/GB-1/summary?reasonForSearch=CA", "", 404, "acme"},
		{"verifySummary", "GET", verify + "/individual/nobody/summary?reasonForSearch=CA", "", 400, "acme"},
		{"verifyFull", "GET", verify + "/individual/GB-1/full?reasonForSearch=CA", "", 404, "acme"},
		{"verifyDirect", "GET", verify + "/individual/directReport?reasonForSearch=CA&firstName=A&lastName=B&postCode=TE1%201ST", "", 200, "acme"},
		{"verifyDirect", "GET", verify + "/individual/directReport", "", 400, "acme"},
		{"verifyDirectBody", "POST", verify + "/individual/directReport", `{"reasonForSearch":"CA","firstName":"A","lastName":"B","dateOfBirth":"1970-05-31"}`, 200, "acme"},
		{"verifyDirectBody", "POST", verify + "/individual/directReport", `{}`, 400, "acme"},
		{"searchIdentity", "POST", "/protect/idv/gdc/search", `{"name":"Ada Brook","dateOfBirth":"1970-05-31","address":"7 Mill Lane","country":"GB","id":"x"}`, 200, "acme"},
		{"searchIdentity", "POST", "/protect/idv/gdc/search", `{"name":"Ada Brook","dateOfBirth":"1970-13-31","address":"7 Mill Lane","country":"GB","id":"x"}`, 400, "acme"},
		{"identityFile", "GET", "/protect/idv/file?idvSearchId=" + noID, "", 404, "acme"},
		{"nonLimitedCriteria", "GET", "/localSolutions/DE/nonLtdCompanies/searchcriteria", "", 200, "acme"},
		{"nonLimitedSearch", "GET", "/localSolutions/DE/nonLtdCompanies?name=Specht&city=Leipzig", "", 200, "acme"},
		{"nonLimitedSearch", "GET", "/localSolutions/DE/nonLtdCompanies?name=Specht", "", 400, "acme"},
		{"nonLimitedReport", "GET", "/localSolutions/DE/nonLtdCompanies/7?reason=Purchase", "", 404, "acme"},
		{"nonLimitedReport", "GET", "/localSolutions/DE/nonLtdCompanies/7", "", 400, "acme"},
		{"getDataUnit", "GET", "/getdataunit?searchnumber=5560001234", "", 400, "acme"},
		{"getDataUnit", "GET", "/getdataunit?searchnumber=5560001231", "", 404, "acme"},
		{"getDataUnitHealth", "GET", "/getdataunit/health", "", 200, "acme"},
		{"companyDateCheck", "GET", "/datecheck/company?searchnumber=5560001231&referencedate=260101", "", 404, "acme"},
		{"companyDateCheck", "GET", "/datecheck/company?searchnumber=5560001231", "", 400, "acme"},
		{"consumerDateCheck", "GET", "/datecheck/consumer?searchnumber=198112189876&referencedate=260101", "", 404, "acme"},
		{"getSignatory", "GET", "/getsignatory?searchnumber=5560001231", "", 404, "acme"},
		{"getSignatory", "GET", "/getsignatory?searchnumber=5560001231&language=fi", "", 400, "acme"},
		{"getSignatory", "GET", "/getsignatory?searchnumber=5560001231", "", 403, "bare"},
		{"getSignatoryHealth", "GET", "/getsignatory/health", "", 200, "acme"},
		{"getData", "GET", "/getdata?searchnumber=5560001231&blockname=BASIC", "", 404, "acme"},
		{"getDataHealth", "GET", "/getdata/health", "", 200, "acme"},
		{"searchSwedishCompanies", "GET", "/search/company?namesearchnumber=5560001231", "", 404, "acme"},
		{"searchSwedishPeople", "GET", "/search/consumer?namesearchnumber=Svensson", "", 404, "acme"},
		{"getPopulation", "GET", "/spar?searchnumber=198112189876", "", 404, "acme"},
		{"getPopulation", "GET", "/spar?searchnumber=198112189877", "", 400, "acme"},
		{"getPopulationHealth", "GET", "/spar/health", "", 200, "acme"},
	}
}

// identityFixtures are how strangers try the searches of others.
func identityFixtures() map[string]fixture {
	const search = "/localSolutions/GB/identitysearch"
	theirs := func(before, behind string) func(*world, login) string {
		return func(w *world, owner login) string {
			w.t.Helper()
			got, err := w.client(owner).SearchIdentity(w.t.Context(), ada("AML"), "")
			must(w.t, err)
			return before + got.UniqueID + behind
		}
	}
	return map[string]fixture{
		"identityById":       {theirs: theirs(search+"/history/", ""), random: search + "/history/" + noSearch},
		"identityInput":      {theirs: theirs(search+"/history/", "/input"), random: search + "/history/" + noSearch + "/input"},
		"identityReference":  {theirs: theirs(search+"/history/", "/reference"), random: search + "/history/" + noSearch + "/reference", body: `"mine"`},
		"revalidateIdentity": {theirs: theirs(search+"/revalidation/", ""), random: search + "/revalidation/" + noSearch, body: `{"passport":"1"}`},
		"nonLimitedReport":   {nobodys: "the register is the same for every customer"},
		"verifyCompany":      {nobodys: "the register is the same for every customer"},
		"verifySummary":      {nobodys: "people are the same for every customer"},
		"verifyFull":         {nobodys: "people are the same for every customer"},
	}
}
