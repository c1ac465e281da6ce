package api

// monitoringSamples are those of portfolios, rules and events. What changes a
// portfolio is tried on one that was made for it; events are those of the
// portfolios that the sandbox comes with.
var monitoringSamples = map[string]sample{
	"monitoringUser":  {},
	"portfolios":      {gives: "watched=/data/portfolios/0/portfolioId"},
	"createPortfolio": {body: `{"name":"Example {n}","emailLanguage":"en"}`, gives: "portfolio=/portfolioId"},
	"portfolio":       {set: "portfolioId={portfolio}"},
	"editPortfolio":   {set: "portfolioId={portfolio}", body: `{"emailSubject":"What happened"}`},
	"deletePortfolio": {set: "portfolioId={portfolio}"},

	"portfolioShares":    {set: "portfolioId={portfolio}"},
	"sharePortfolio":     {set: "portfolioId={portfolio}", body: `{"revokeAll":true}`},
	"portfolioCountries": {set: "portfolioId={watched}"},
	"portfolioRisk":      {set: "portfolioId={watched}"},
	"portfolioCompanies": {set: "portfolioId={watched}&pageSize=5"},

	"addCompany":       {set: "portfolioId={portfolio}", body: `{"id":"GB-0-99000001","personalReference":"C-1"}`},
	"portfolioCompany": {set: "portfolioId={portfolio}&companyId=GB-0-99000001", after: []string{"addCompany"}},
	"editCompany":      {set: "portfolioId={portfolio}&companyId=GB-0-99000001", body: `{"freeText":"Pays on time"}`, after: []string{"addCompany"}},
	"removeCompany":    {set: "portfolioId={portfolio}&companyId=GB-0-99000001", after: []string{"addCompany"}},
	"copyCompanies":    {set: "portfolioId={watched}", body: `{"companies":[{"id":"GB-0-99000001"}],"portfolios":[{portfolio}]}`},
	"moveCompanies":    {set: "portfolioId={portfolio}", body: `{"companies":[{"id":"GB-0-99000001"}],"portfolios":[{watched}]}`, after: []string{"addCompany"}},
	"clearCompanies":   {set: "portfolioId={portfolio}", body: `{"companies":["GB-0-99000001"]}`, after: []string{"addCompany"}},

	"rules":                   {},
	"rulesByCountry":          {set: "countryCode=GB"},
	"portfolioRules":          {set: "portfolioId={watched}"},
	"portfolioRulesByCountry": {set: "portfolioId={watched}&countryCode=XX"},
	"switchRules":             {set: "portfolioId={portfolio}&countryCode=XX", body: `[{"ruleCode":105,"isActive":1}]`},
	"switchRulesOff":          {set: "portfolioId={portfolio}"},
	"backTest":                {set: "portfolioId={watched}&countryCode=XX&ruleCode=105", body: `{"startDate":"2026-01-01"}`},

	"events":                 {set: "pageSize=5", gives: "event=/data/0/eventId,eventPortfolio=/data/0/company/portfolioId,eventCompany=/data/0/company/id"},
	"markEvents":             {body: `{"isProcessed":true,"upTo":{event}}`},
	"markEvent":              {set: "eventId={event}", body: `{"isProcessed":true}`},
	"eventsByDay":            {set: "startDate=2026-10-01&endDate=2026-10-31"},
	"portfolioEvents":        {set: "portfolioId={watched}&pageSize=5"},
	"markPortfolioEvents":    {set: "portfolioId={eventPortfolio}", body: `{"isProcessed":true,"upTo":{event}}`},
	"markPortfolioEvent":     {set: "portfolioId={eventPortfolio}&notificationEventId={event}", body: `{"isProcessed":true}`},
	"portfolioEventsByDay":   {set: "portfolioId={watched}&startDate=2026-10-01&endDate=2026-10-31"},
	"portfolioCompanyEvents": {set: "portfolioId={eventPortfolio}&companyId={eventCompany}"},
	"companyEvents":          {set: "id={eventCompany}"},
	"eventStream":            {set: "after=0"},
	"whyEvent":               {set: "eventId={event}"},
	"whyChanges":             {set: "portfolioId={eventPortfolio}&companyId={eventCompany}"},

	"silence":    {set: "portfolioId={portfolio}", body: `{"ruleCode":105,"until":"2030-01-01","note":"Known"}`, gives: "silence=/silenceId"},
	"silences":   {set: "portfolioId={watched}"},
	"endSilence": {set: "portfolioId={portfolio}&silenceId={silence}"},

	"importPortfolio":          {set: "portfolioId={portfolio}", body: `{"importcsv":"id\nGB-0-99000001\nGB-0-99000002\n"}`, gives: "import=/importId"},
	"importPortfolioCompanies": {set: "portfolioId={portfolio}", body: `{"importcsv":"id\nGB-0-99000001\n"}`},
	"syncPortfolio":            {set: "portfolioId={portfolio}", body: `{"importcsv":"id\nGB-0-99000001\n"}`},
	"portfolioImports":         {set: "portfolioId={watched}"},
	"portfolioImport":          {set: "portfolioId={portfolio}&importId={import}"},
}

// webhookSamples are those of webhooks. {receiver} is a server of the caller's
// that answers the challenge, such as the one in docs/receiver.
var webhookSamples = map[string]sample{
	"webhooks":            {},
	"createWebhook":       {body: `{"url":"{receiver}"}`, gives: "webhook=/id"},
	"webhook":             {set: "id={webhook}"},
	"editWebhook":         {set: "id={webhook}", body: `{"disabled":true}`},
	"deleteWebhook":       {set: "id={webhook}"},
	"rotateWebhookSecret": {set: "id={webhook}", body: `{"overlapHours":24}`},
	"testWebhook":         {set: "id={webhook}"},
	"webhookDeliveries":   {set: "id={webhook}"},
	"webhookDelivery":     {set: "id={webhook}&eventId={event}", after: []string{"replayWebhook"}},
	"replayWebhook":       {set: "id={webhook}", body: `{"eventId":{event}}`},
}
