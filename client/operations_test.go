package client_test

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bureau/client"
)

// methods are the operations of the service and the method that calls each.
var methods = map[string]string{
	"getDataUnitHealth":   "SwedishHealth",
	"getSignatoryHealth":  "SwedishHealth",
	"getDataHealth":       "SwedishHealth",
	"getPopulationHealth": "SwedishHealth",
	"authenticate":        "Authenticate",
	"publicKeys":          "PublicKeys",
	"access":              "Access",
	"accessByCountry":     "AccessCountries",
	"me":                  "Me",
	"activeUsers":         "ActiveUsers",

	"companySearchCriteria": "CompanyCriteria",
	"companySearch":         "SearchCompanies",
	"companyMatch":          "MatchCompany",
	"companyGlobalSearch":   "SearchEverywhere",
	"peopleSearchCriteria":  "PeopleCriteria",
	"peopleSearch":          "SearchPeople",
	"person":                "Person",

	"companyReport":    "CompanyReport",
	"reportSchema":     "ReportSchema",
	"reportCustomData": "ReportCustomData",

	"companyImages": "CompanyImages",
	"imageTypes":    "ImageTypes",
	"companyImage":  "Image",

	"bankVerificationSearch":    "VerifyBankAccount",
	"bankVerificationValidate":  "IsVerifiedAccount",
	"bankVerificationHistory":   "BankVerifications",
	"bankVerificationById":      "BankVerification",
	"bankVerificationReference": "SetBankVerificationReference",
	"sortCode":                  "SortCode",
	"bankMatch":                 "MatchBankAccount",
	"frBankMatch":               "MatchIBAN",
	"frBankMatchAudition":       "IBANMatchByID",
	"checkBank":                 "CheckBankAccount",

	"identitySearch":     "SearchIdentity",
	"resolveIdentity":    "ResolveIdentity",
	"identityReasons":    "IdentityReasons",
	"identityHistory":    "IdentityHistory",
	"identityById":       "Identity",
	"identityInput":      "IdentityInput",
	"identityReference":  "SetIdentityReference",
	"revalidateIdentity": "RevalidateIdentity",
	"verifyCompany":      "VerifyCompany",
	"verifySummary":      "VerifySummary",
	"verifyFull":         "VerifyFull",
	"verifyDirect":       "VerifyByName",
	"verifyDirectBody":   "VerifyIndividual",
	"searchIdentity":     "VerifyIdentity",
	"identityFile":       "IdentityFile",

	"searchIndividual":         "Screen",
	"individualSearches":       "Screenings",
	"updateIndividualSearches": "EditScreenings",
	"individualSearch":         "Screening",
	"updateIndividualSearch":   "EditScreening",
	"individualHits":           "ScreeningHits",
	"decideIndividualHits":     "DecideHits",
	"individualHit":            "ScreeningHit",
	"decideIndividualHit":      "DecideHit",
	"noteIndividualHit":        "NoteHit",
	"downloadIndividualSearch": "DownloadScreening",
	"downloadIndividualHit":    "DownloadHit",
	"downloadBusinessSearch":   "DownloadScreening",
	"downloadBusinessHit":      "DownloadHit",
	"createSchedules":          "Schedule",
	"schedules":                "Schedules",
	"updateSchedules":          "EditSchedules",
	"endSchedules":             "EndSchedules",
	"amlAlerts":                "ScreeningAlerts",
	"schedule":                 "ScheduleByID",
	"updateSchedule":           "EditSchedule",
	"endSchedule":              "EndSchedule",
	"searchBusiness":           "Screen",
	"businessSearches":         "Screenings",
	"updateBusinessSearches":   "EditScreenings",
	"businessSearch":           "Screening",
	"updateBusinessSearch":     "EditScreening",
	"businessHits":             "ScreeningHits",
	"decideBusinessHits":       "DecideHits",
	"businessHit":              "ScreeningHit",
	"decideBusinessHit":        "DecideHit",
	"noteBusinessHit":          "NoteHit",

	"nonLimitedCriteria": "NonLimitedCriteria",
	"nonLimitedSearch":   "SearchNonLimited",
	"nonLimitedReport":   "NonLimitedReport",

	"getDataUnit":            "DataUnits",
	"companyDateCheck":       "CompanyDateCheck",
	"consumerDateCheck":      "ConsumerDateCheck",
	"getSignatory":           "Signatories",
	"getData":                "SwedishData",
	"searchSwedishCompanies": "SearchSwedishCompanies",
	"searchSwedishPeople":    "SearchSwedishPeople",
	"getPopulation":          "Population",

	"monitoringUser":          "MonitoringUser",
	"portfolios":              "Portfolios",
	"createPortfolio":         "CreatePortfolio",
	"portfolio":               "Portfolio",
	"editPortfolio":           "EditPortfolio",
	"deletePortfolio":         "DeletePortfolio",
	"portfolioShares":         "PortfolioShares",
	"sharePortfolio":          "SharePortfolio",
	"portfolioCountries":      "PortfolioCountries",
	"portfolioRisk":           "PortfolioRisk",
	"portfolioCompanies":      "PortfolioCompanies",
	"addCompany":              "AddCompany",
	"copyCompanies":           "CopyCompanies",
	"moveCompanies":           "MoveCompanies",
	"clearCompanies":          "ClearCompanies",
	"portfolioCompany":        "PortfolioCompany",
	"editCompany":             "EditCompany",
	"removeCompany":           "RemoveCompany",
	"rules":                   "Rules",
	"rulesByCountry":          "RulesByCountry",
	"portfolioRules":          "PortfolioRules",
	"portfolioRulesByCountry": "PortfolioRulesByCountry",
	"switchRules":             "SwitchRules",
	"switchRulesOff":          "SwitchRulesOff",

	"events":                 "Events",
	"markEvents":             "MarkEvents",
	"eventsByDay":            "EventsByDay",
	"markEvent":              "MarkEvent",
	"portfolioEvents":        "PortfolioEvents",
	"markPortfolioEvents":    "MarkPortfolioEvents",
	"portfolioEventsByDay":   "PortfolioEventsByDay",
	"markPortfolioEvent":     "MarkPortfolioEvent",
	"portfolioCompanyEvents": "PortfolioCompanyEvents",
	"companyEvents":          "CompanyEvents",
	"eventStream":            "Follow",
	"whyEvent":               "WhyEvent",
	"whyChanges":             "WhyChanges",
	"backTest":               "BackTest",
	"silences":               "Silences",
	"silence":                "Silence",
	"endSilence":             "EndSilence",

	"importPortfolio":  "ImportPortfolio",
	"syncPortfolio":    "SyncPortfolio",
	"portfolioImport":  "PortfolioImport",
	"portfolioImports": "PortfolioImports",

	"webhooks":            "Webhooks",
	"createWebhook":       "CreateWebhook",
	"webhook":             "Webhook",
	"editWebhook":         "EditWebhook",
	"deleteWebhook":       "DeleteWebhook",
	"rotateWebhookSecret": "RotateWebhookSecret",
	"testWebhook":         "TestWebhook",
	"webhookDeliveries":   "WebhookDeliveries",
	"webhookDelivery":     "WebhookDelivery",
	"replayWebhook":       "ReplayWebhook",

	"createProfile":        "CreateProfile",
	"profiles":             "Profiles",
	"deleteProfiles":       "DeleteProfiles",
	"profile":              "Profile",
	"updateProfile":        "UpdateProfile",
	"deleteProfile":        "DeleteProfile",
	"profileTypes":         "ProfileTypes",
	"assignProfile":        "AssignProfile",
	"assignProfiles":       "AssignProfiles",
	"profileDetails":       "ProfileDetails",
	"updateProfileDetails": "UpdateProfileDetails",
	"createProfileAddress": "AddProfileAddress",
	"profileAddresses":     "ProfileAddresses",
	"profileAddress":       "ProfileAddress",
	"updateProfileAddress": "UpdateProfileAddress",
	"deleteProfileAddress": "DeleteProfileAddress",
	"createProfileNote":    "AddProfileNote",
	"profileNotes":         "ProfileNotes",
	"profileNote":          "ProfileNote",
	"updateProfileNote":    "UpdateProfileNote",
	"deleteProfileNote":    "DeleteProfileNote",
	"kycCurrencies":        "KYCCurrencies",
	"kycCountries":         "KYCCountries",
	"kycAudits":            "KYCAudits",
	"listProtectAudit":     "ProtectAudits",
	"createProtectAudit":   "ExportProtectAudits",
	"signedKYCFile":        "Fetch",
	"profileSearches":      "ProfileSearches",
	"linkSearches":         "LinkSearches",
	"unlinkSearches":       "UnlinkSearches",
	"kycReportCriteria":    "KYCReportCriteria",
	"createKYCReport":      "CreateKYCReport",
	"kycReports":           "KYCReports",
	"kycReport":            "KYCReport",
	"kycReportDownload":    "KYCReportDownload",
	"batchTemplate":        "BatchTemplate",
	"uploadBatch":          "UploadBatch",
	"batchUploads":         "BatchUploads",
	"batchUpload":          "BatchUpload",
	"batchErrors":          "BatchErrors",
	"retryBatch":           "RetryBatch",
	"searchForProfile":     "SearchForProfile",
	"amlJobs":              "AMLJobs",
	"amlJob":               "AMLJob",
	"amlJobCriteria":       "AMLJobCriteria",
}

// without are operations that have no method, and why.
var without = map[string]string{
	"signedCompanyReport":      "CompanyReport follows the redirect to it",
	"signedKYCPaper":           "DownloadScreening and DownloadHit return its address",
	"importPortfolioCompanies": "an older path of ImportPortfolio",
}

func TestEveryOperationHasAMethod(t *testing.T) {
	b, err := os.ReadFile("../openapi/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
		}
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for path, item := range doc.Paths {
		for method, op := range item {
			documented[op.OperationID] = true
			if methods[op.OperationID] == "" && without[op.OperationID] == "" {
				t.Errorf("%s %s (%s) has no method: write one and add it to the table", method, path, op.OperationID)
			}
		}
	}
	ours := reflect.TypeFor[*client.Client]()
	for id, name := range methods {
		if _, ok := ours.MethodByName(name); !ok {
			t.Errorf("%s: there is no method %s", id, name)
		}
	}
	for _, id := range slices.Concat(slices.Collect(maps.Keys(methods)), slices.Collect(maps.Keys(without))) {
		if !documented[id] {
			t.Errorf("%s is in the table but not in the document", id)
		}
	}
	for i := range ours.NumMethod() { // but for the report's other form, another part of the stream, and whole lists
		name := ours.Method(i).Name
		if strings.HasPrefix(name, "All") {
			continue
		}
		if name != "Do" && name != "CompanyReportPDF" && name != "FollowAlerts" && !slices.Contains(slices.Collect(maps.Values(methods)), name) {
			t.Errorf("the method %s belongs to no operation", name)
		}
	}
}
