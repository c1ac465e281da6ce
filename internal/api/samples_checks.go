package api

// bankSamples are those of bank checks: the account of the sandbox's first
// company, and one of a French one.
var bankSamples = map[string]sample{
	"checkBank":                 {body: `{"sortCode":"990101","accountNumber":"10002009","name":"Lornwell Emberwick Care LLP"}`},
	"bankVerificationSearch":    {body: `{"customerName":"Lornwell Emberwick Care LLP","bankAccount":"10002009","sortCode":"990101","accountType":"Business"}`, gives: "verification=/requestId"},
	"bankVerificationValidate":  {set: "id={verification}", body: `{"bankAccount":"10002009","sortCode":"990101"}`},
	"bankVerificationHistory":   {set: "searchByCustomer=true"},
	"bankVerificationById":      {set: "id={verification}"},
	"bankVerificationReference": {set: "id={verification}", body: `{"customerReference":"C-1"}`},
	"sortCode":                  {set: "id=990101"},
	"bankMatch":                 {set: "checkType=Both&companyId=GB-0-99000001&sortCode=990101&accountNumber=10002009"},
	"frBankMatch":               {set: "registrationId=990000002&countryCode=FR&iban=FR1420041010050500013M02606", gives: "audition=/id"},
	"frBankMatchAudition":       {set: "audition_id={audition}"},
}

// identitySamples are those of people: one of the sandbox with nothing against
// her.
var identitySamples = map[string]sample{
	"identitySearch": {
		body:  `{"common":{"person":{"currentName":{"forename":"Dora","surname":"Brimstow"},"dateOfBirth":"1967-02-24","addresses":{"current":{"buildingNo":"134","postCode":"BS1 6XX"}}}},"consumer":{"reason":"CreditApplication"},"products":["AML","consumer"]}`,
		gives: "identity=/uniqueId",
	},
	"resolveIdentity":    {body: `{"uniqueId":"{identity}","resolved":["1"]}`, status: 400}, // only one person lives there
	"identityReasons":    {},
	"identityHistory":    {},
	"identityById":       {set: "uniqueId={identity}"},
	"identityInput":      {set: "uniqueId={identity}"},
	"identityReference":  {set: "uniqueId={identity}", body: `"C-1"`},
	"revalidateIdentity": {set: "uniqueId={identity}", body: `{"passport":{"number":"123456789"}}`},
	"searchIdentity":     {body: `{"name":"Dora Brimstow","dateOfBirth":"1967-02-24","address":"134","postalCode":"BS1 6XX","country":"GB","id":"GB-S000749"}`, gives: "verified=/idvSearchId"},
	"identityFile":       {set: "idvSearchId={verified}"},

	"verifyCompany":    {set: "id=GB-0-99000001&reasonForSearch=CA"},
	"verifySummary":    {set: "id={person}&reasonForSearch=CA"},
	"verifyFull":       {set: "id={person}&reasonForSearch=CA"},
	"verifyDirect":     {set: "reasonForSearch=CA&firstName=Dora&lastName=Brimstow&postCode=BS1 6XX"},
	"verifyDirectBody": {body: `{"reasonForSearch":"CA","firstName":"Dora","lastName":"Brimstow","dateOfBirth":"1967-02-24"}`},
}

// nationalSamples are those of the German and the Swedish services.
var nationalSamples = map[string]sample{
	"nonLimitedCriteria": {},
	"nonLimitedSearch":   {set: "name=Quellhof Silberrode&city=Köln", gives: "nonLimited=/matches/0/id"},
	"nonLimitedReport":   {set: "id={nonLimited}&reason=Purchase"},

	"getDataUnit":            {set: "searchnumber=5599900015"},
	"getDataUnitHealth":      {},
	"companyDateCheck":       {set: "searchnumber=5599900015&referencedate=260101"},
	"consumerDateCheck":      {set: "searchnumber=195702019810&referencedate=260101"},
	"getSignatory":           {set: "searchnumber=5599900015"},
	"getSignatoryHealth":     {},
	"getData":                {set: "searchnumber=5599900015&blockname=BASIC"},
	"getDataHealth":          {},
	"searchSwedishCompanies": {set: "namesearchnumber=5599900015"},
	"searchSwedishPeople":    {set: "namesearchnumber=195702019810"},
	"getPopulation":          {set: "searchnumber=195702019810"},
	"getPopulationHealth":    {},
}
