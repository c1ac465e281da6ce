package api

// kycSamples are those of searches, schedules and reports. The sandbox's own list
// names a person and a business to find.
var kycSamples = map[string]sample{
	"searchIndividual":         {body: `{"name":"Ivor Calderford","datasets":["SAN"],"threshold":80}`, gives: "individual=/id"},
	"individualSearches":       {set: "pageSize=5"},
	"updateIndividualSearches": {body: `{"items":[{"searchId":"{individual}","riskRating":"low"}]}`},
	"individualSearch":         {set: "searchId={individual}"},
	"updateIndividualSearch":   {set: "searchId={individual}", body: `{"riskRating":"high","note":"Ask for a passport"}`},
	"individualHits":           {set: "searchId={individual}", gives: "individualHit=/items/0/id"},
	"decideIndividualHits":     {set: "searchId={individual}", body: `{"items":[{"hitId":"{individualHit}","decision":"falsePositive"}]}`},
	"individualHit":            {set: "searchId={individual}&hitId={individualHit}"},
	"decideIndividualHit":      {set: "searchId={individual}&hitId={individualHit}", body: `{"decision":"trueMatch","note":"Same day of birth"}`},
	"noteIndividualHit":        {set: "searchId={individual}&hitId={individualHit}", body: `{"note":"Asked for a passport"}`},
	"downloadIndividualSearch": {set: "searchId={individual}", body: `[]`, gives: "paper=/downloadUrl"},
	"downloadIndividualHit":    {set: "searchId={individual}&hitId={individualHit}"},
	"signedKYCPaper":           {url: "{paper}"},

	"searchBusiness":         {body: `{"name":"Wendford Timber LLP","datasets":["SAN"],"threshold":80}`, gives: "business=/id"},
	"businessSearches":       {set: "pageSize=5"},
	"updateBusinessSearches": {body: `{"items":[{"searchId":"{business}","riskRating":"low"}]}`},
	"businessSearch":         {set: "searchId={business}"},
	"updateBusinessSearch":   {set: "searchId={business}", body: `{"riskRating":"high","note":"Ask for its owners"}`},
	"businessHits":           {set: "searchId={business}", gives: "businessHit=/items/0/id"},
	"decideBusinessHits":     {set: "searchId={business}", body: `{"items":[{"hitId":"{businessHit}","decision":"falsePositive"}]}`},
	"businessHit":            {set: "searchId={business}&hitId={businessHit}"},
	"decideBusinessHit":      {set: "searchId={business}&hitId={businessHit}", body: `{"decision":"trueMatch","note":"Same number"}`},
	"noteBusinessHit":        {set: "searchId={business}&hitId={businessHit}", body: `{"note":"Asked for its owners"}`},
	"downloadBusinessSearch": {set: "searchId={business}", body: `[]`},
	"downloadBusinessHit":    {set: "searchId={business}&hitId={businessHit}"},

	"createSchedules": {body: `{"items":[{"searchId":"{individual}","threshold":80}]}`, gives: "schedule=/successful/0/items/0/id"},
	"schedules":       {},
	"updateSchedules": {body: `{"items":[{"scheduleId":"{schedule}","threshold":85}]}`},
	"endSchedules":    {body: `{"items":["{schedule}"]}`},
	"amlAlerts":       {set: "hitDecisions=undecided"},
	"schedule":        {set: "scheduleId={schedule}"},
	"updateSchedule":  {set: "scheduleId={schedule}", body: `{"threshold":90}`},
	"endSchedule":     {set: "scheduleId={schedule}"},

	"kycReportCriteria": {set: "type=audit"},
	"createKYCReport":   {body: `{"type":"audit","criteria":{"fromDate":"2026-01-01","toDate":"2030-12-31"}}`, gives: "report=/id"},
	"kycReports":        {set: "reportType=audit"},
	"kycReport":         {set: "reportId={report}"},
	"kycReportDownload": {set: "reportId={report}", waits: true},

	"batchTemplate": {},
	"uploadBatch":   {body: `{"File":"type,name,dateOfBirth\nindividual,Ivor Calderford,1961\nindividual,Ada Example,yesterday\n"}`, gives: "upload=/id"},
	"batchUploads":  {set: "statuses=completed"},
	"batchUpload":   {set: "uploadId={upload}"},
	"batchErrors":   {set: "uploadId={upload}", waits: true},
	"retryBatch":    {set: "uploadId={upload}", waits: true},

	"searchForProfile": {set: "profileId={profile}", body: `{"items":[{"type":"individual","name":"Ivor Calderford","datasets":["SAN"]}]}`, gives: "job=/id"},
	"amlJobs":          {},
	"amlJob":           {set: "jobId={job}"},
	"amlJobCriteria":   {set: "jobId={job}"},

	"kycAudits":          {set: "categories=profile&actions=created"},
	"listProtectAudit":   {set: "type=profile.created&order=asc"},
	"createProtectAudit": {body: `{"fileType":"csv"}`, gives: "file=/location"},
	"signedKYCFile":      {url: "{file}"},
	"kycCurrencies":      {},
	"kycCountries":       {},
}

// profileSamples are those of profiles, with all that hangs on one.
var profileSamples = map[string]sample{
	"createProfile":  {body: `{"name":"Example Bakeries","type":"company","details":{"legalName":"Example Bakeries Ltd","countryCode":"GB"}}`, gives: "profile=/id"},
	"profiles":       {set: "sortBy=name&sortOrder=desc"},
	"deleteProfiles": {body: `["{profile}"]`},
	"profile":        {set: "profileId={profile}"},
	"updateProfile":  {set: "profileId={profile}", body: `{"name":"Example Bakeries","riskRating":"low","status":"pending"}`},
	"deleteProfile":  {set: "profileId={profile}"},
	"profileTypes":   {},
	"assignProfile":  {set: "profileId={profile}&userId={colleague}"},
	"assignProfiles": {body: `{"profileIds":["{profile}"],"userId":{colleague}}`},

	"profileDetails":       {set: "profileId={profile}"},
	"updateProfileDetails": {set: "profileId={profile}", body: `{"legalName":"Example Bakeries Ltd","website":"https://bakeries.example"}`},
	"createProfileAddress": {set: "profileId={profile}", body: `{"type":"registered","street":"Mill Lane","city":"Leeds","countryCode":"GB"}`, gives: "address=/id"},
	"profileAddresses":     {set: "profileId={profile}"},
	"profileAddress":       {set: "profileId={profile}&addressId={address}"},
	"updateProfileAddress": {set: "profileId={profile}&addressId={address}", body: `{"type":"trading","street":"Mill Lane","city":"York"}`},
	"deleteProfileAddress": {set: "profileId={profile}&addressId={address}"},

	"createProfileNote": {set: "profileId={profile}", body: `{"body":"Called; papers will come by post."}`, gives: "note=/id"},
	"profileNotes":      {set: "profileId={profile}&isArchived=false"},
	"profileNote":       {set: "profileId={profile}&noteId={note}"},
	"updateProfileNote": {set: "profileId={profile}&noteId={note}", body: `{"isArchived":1}`},
	"deleteProfileNote": {set: "profileId={profile}&noteId={note}"},

	"profileSearches": {set: "profileId={profile}"},
	"linkSearches":    {set: "profileId={profile}", body: `{"searchIds":["{individual}"]}`},
	"unlinkSearches":  {set: "profileId={profile}", body: `{"searchIds":["{individual}"]}`, after: []string{"linkSearches"}},
}
