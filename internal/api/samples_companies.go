package api

// The first company of the sandbox, Lornwell Emberwick Care LLP, is in many
// samples; what else they name is of the sandbox too.

// companySamples are those of access, companies, people and documents.
var companySamples = map[string]sample{
	"authenticate":    {body: `{"username":"your-user-key","password":"your-password"}`},
	"publicKeys":      {},
	"access":          {},
	"accessByCountry": {},
	"me":              {},
	"activeUsers":     {gives: "colleague=/items/0/userId"},

	"companySearchCriteria": {set: "countries=GB,FR"},
	"companySearch":         {set: "countries=GB&name=Lornwell Emberwick&pageSize=5"},
	"companyGlobalSearch":   {set: "city=Leeds&pageSize=5"},
	"companyMatch":          {set: "country=GB&name=Lornwell Emberwick Care"},
	"companyReport":         {set: "connectId=GB-0-99000001&language=en"},
	"signedCompanyReport":   {set: "connectId=GB-0-99000001", status: 403},
	"reportSchema":          {set: "countryCode=GB"},
	"reportCustomData":      {set: "country=DE"},

	"peopleSearchCriteria": {set: "countries=GB"},
	"peopleSearch":         {set: "countries=GB&lastName=Brimstow&pageSize=5", gives: "person=/directors/0/peopleId"},
	"person":               {set: "peopleId={person}"},

	"companyImages": {set: "id=GB-0-99000001", gives: "image=/data/0/imageId"},
	"imageTypes":    {set: "countries=GB"},
	"companyImage":  {set: "imageId={image}"},
}
