package api

import (
	"net/http"
	"strconv"

	"bureau/internal/auth"
)

// A route is one row of the table: what can be called, which product it belongs
// to, and what answers. It is also an operation of the OpenAPI document.
type route struct {
	method  string
	pattern string
	product auth.Product // auth.Open: any account may call it
	open    bool         // no token at all
	creates bool         // takes an Idempotency-Key
	free    bool         // not counted as a use of the product
	status  int          // of success; 0 is 200

	// resource is what the envelope of a Swedish service calls it; empty for rows
	// without an envelope.
	resource string

	fails   []int // statuses beyond those that every row may answer with
	id      string
	summary string
	about   string

	countryOf func(in any) string
	register  func(*Server, route)
}

// routes is everything that can be called.
func (s *Server) routes() []route {
	rs := []route{
		open(http.MethodPost, "/authenticate", "authenticate", s.authenticate),
		open(http.MethodGet, "/.well-known/jwks.json", "publicKeys", s.jwks),

		get("/access", auth.Open, "access", "What your company may use", s.access,
			about("Every product and country of your company's contract, how many calls it bought and how many it made.")),
		get("/access/countries", auth.Open, "accessByCountry", "What your company may use, as a list", s.accessCountries,
			about("The same facts as /access in an older form that some clients still read.")),
		get("/access/users/me", auth.Open, "me", "Who you are", s.me,
			about("The account that the token belongs to.")),
		get("/access/users/active", auth.Open, "activeUsers", "Your colleagues", s.activeUsers,
			about("The accounts of your company that are not disabled.")),

		reportRow(),
		open(http.MethodGet, "/signed/companies/{connectId}", "signedCompanyReport", s.signedCompanyReport),
		get("/companies/schema/{countryCode}", auth.Companies, "reportSchema", "The form of a report", s.reportSchema,
			free, about("A JSON Schema of what a company report holds, for the country's reports.")),
		get("/reportcustomdata/{country}", auth.Companies, "reportCustomData", "What a country asks before a report", s.reportCustomData,
			free, about("Some countries want to know why a report is read. These are the keys and values that customData takes.")),
	}
	rs = append(rs, s.searchRows()...)
	rs = append(rs, s.portfolioRows()...)
	rs = append(rs, s.portfolioCompanyRows()...)
	rs = append(rs, s.ruleRows()...)
	rs = append(rs, s.eventRows()...)
	rs = append(rs, s.streamRow())
	rs = append(rs, s.whyRows()...)
	rs = append(rs, s.silenceRows()...)
	rs = append(rs, s.importRows()...)
	rs = append(rs, s.webhookRows()...)
	rs = append(rs, s.bankRows()...)
	rs = append(rs, s.imageRows()...)
	rs = append(rs, s.identityRows()...)
	rs = append(rs, s.verifyRows()...)
	rs = append(rs, s.nonLimitedRows()...)
	rs = append(rs, s.swedenRows()...)
	rs = append(rs, s.idvRows()...)
	rs = append(rs, s.kycRows()...)
	rs = append(rs, s.profileRows()...)
	rs = append(rs, s.auditRows()...)
	rs = append(rs, s.kycReportRows()...)
	rs = append(rs, s.kycBatchRows()...)
	rs = append(rs, s.kycJobRows()...)
	rs = append(rs, s.profileSearchRows()...)
	return append(rs, retiredRow())
}

// country is where a call happens, for counting it.
func (r route) country(in any) string {
	if r.countryOf == nil {
		return ""
	}
	return r.countryOf(in)
}

// free is for what helps to use a product and is not itself a use of it.
func free(r *route) { r.free = true }

// created is for what answers 201.
func created(r *route) { r.status = http.StatusCreated }

// creates is for what must not happen twice when it is sent twice.
func creates(r *route) { r.creates = true }

// clashes is for what may meet something that is there already.
func clashes(r *route) { r.fails = append(r.fails, http.StatusConflict) }

func about(text string) func(*route) { return func(r *route) { r.about = text } }

// open is a row without a token. A test names the few that there are.
func open(method, pattern, id string, h http.HandlerFunc) route {
	return route{
		method: method, pattern: pattern, open: true, id: id,
		register: func(s *Server, r route) {
			s.router.HandleFunc(r.method+" "+r.pattern, h)
			s.api.OpenAPI().AddOperation(rawOperations[id])
		},
	}
}

// guardedRaw is a row whose handler writes its own answer.
func guardedRaw(method, pattern string, p auth.Product, id, summary string, h func(http.ResponseWriter, *http.Request, auth.Caller)) route {
	return route{
		method: method, pattern: pattern, product: p, id: id, summary: summary,
		register: func(s *Server, r route) {
			s.router.HandleFunc(r.method+" "+r.pattern, s.guarded(p, h))
			op := r.operation()
			op.Responses["404"] = s.errorResponse("Not served yet.")
			for _, status := range op.Errors {
				op.Responses[strconv.Itoa(status)] = s.errorResponse(http.StatusText(status))
			}
			s.api.OpenAPI().AddOperation(&op)
		},
	}
}

// retiredRow is everything else under /protect/.
func retiredRow() route {
	return route{
		pattern: "/protect/...", open: true, id: "retired",
		register: func(s *Server, r route) {
			s.router.HandleFunc("/protect", s.retired)
			s.router.HandleFunc(r.pattern, s.retired)
		},
	}
}
