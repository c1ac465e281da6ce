package api

import (
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"net/http"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/identity"
	"bureau/internal/national"
)

// swedenRows are the Swedish services. Their answers have an envelope of their
// own.
func (s *Server) swedenRows() []route {
	se := inCountry("SE")
	is := func(resource string) func(*route) { return func(r *route) { r.resource = resource } }
	health := func(name, id, resource string) route {
		return get("/"+name+"/health", auth.Sweden, id, "Is "+name+" well?", s.swedishHealth, free, is(resource),
			about("Says UP while this server answers. It asks nothing of a register and is not counted."))
	}
	return []route{
		get("/getdataunit", auth.Sweden, "getDataUnit", "Places of an organisation", s.dataUnits, is("GetDataUnit"), se, mayMiss, mayBeBusy,
			about("The offices and branches of an organisation, by its number, its name or a postcode.")),
		health("getdataunit", "getDataUnitHealth", "GetDataUnit"),
		get("/datecheck/company", auth.Sweden, "companyDateCheck", "When did something about a company change?", s.companyDates, is("DateCheck Company"), se, mayMiss,
			about("The last day of change in each category since a date, at most 60 months back.")),
		get("/datecheck/consumer", auth.Sweden, "consumerDateCheck", "When did something about a person change?", s.consumerDates, is("DateCheck Consumer"), se, countsItself, mayMiss,
			about("The last day of change in each category since a date, at most 36 months back.")),
		get("/getsignatory", auth.Sweden, "getSignatory", "Who may sign for a company?", s.signatories, is("GetSignatory"), se, countsItself, mayMiss,
			about("Every combination of people who may sign together, worked out from the company's signing rule: the smallest ones, at most 5,000.")),
		health("getsignatory", "getSignatoryHealth", "GetSignatory"),
		get("/getdata", auth.Sweden, "getData", "Data of a company or a person", s.swedishData, is("GetData"), se, countsItself, mayMiss,
			about("In blocks: BASIC, BOARD, ACCOUNTS, RATING, REMARKS, INCOME, FULL. A person gets a copy of what you are told about them; lodCreated says so.")),
		health("getdata", "getDataHealth", "GetData"),
		get("/search/company", auth.Sweden, "searchSwedishCompanies", "Find Swedish companies", s.findSwedishCompanies, is("Search Company"), se, mayMiss, mayBeBusy,
			about("By name, or by the ten digits of an organisation number, with an address to tell companies of one name apart.")),
		get("/search/consumer", auth.Sweden, "searchSwedishPeople", "Find Swedish people", s.findSwedishPeople, is("Search Consumer"), se, countsItself, mayMiss,
			about("By name, or by the twelve digits of a personal number, with an address to tell people of one name apart.")),
		get("/spar", auth.Sweden, "getPopulation", "A person of the population register", s.population, is("SPAR"), se, countsItself, mayMiss,
			about("Name, address and status of a person. Relations need the identity product in SE as well.")),
		health("spar", "getPopulationHealth", "SPAR"),
	}
}

// mayBeBusy is for what needs the index of names.
func mayBeBusy(r *route) { r.fails = append(r.fails, http.StatusServiceUnavailable) }

// SwedishIn is part of every input of the Swedish services.
type SwedishIn struct {
	Language    string `query:"language" doc:"en or sv." example:"en"`
	Transaction string `query:"transactionid" doc:"Your own text, at most 14 characters."`
}

type swedishMeta struct {
	LogID    int64  `json:"apiLogId" doc:"A number for this call; name it when you ask about it."`
	At       string `json:"timeStamp"`
	Resource string `json:"resource"`
	Method   string `json:"method"`
	URL      string `json:"requestUrl"`
	Letter   *bool  `json:"lodCreated,omitempty" doc:"The person gets a copy of what you were told."`
}

// swedishJSON is the envelope. On a rejection of a person there is an error and
// no report.
type swedishJSON[T any] struct {
	Meta   swedishMeta   `json:"metaData"`
	Report *T            `json:"report,omitempty"`
	Error  *swedishError `json:"error,omitempty"`
}

type swedishError struct {
	Code   string `json:"code"`
	Text   string `json:"text"`
	Detail string `json:"detail,omitempty"`
}

// swedishTexts are the codes in words, English and Swedish.
var swedishTexts = map[national.Code][2]string{
	national.BadLanguage:   {"The language is en or sv", "Språket är en eller sv"},
	national.NotAllowed:    {"Access forbidden", "Behörighet saknas"},
	national.BadInput:      {"Bad request", "Felaktig fråga"},
	national.NoMatch:       {"No match record", "Ingen träff"},
	national.NoReference:   {"The reference date is missing", "Referensdatum saknas"},
	national.BadReference:  {"The reference date cannot be read", "Felaktigt referensdatum"},
	national.OldReference:  {"The reference date is too old", "Referensdatum är för gammalt"},
	national.Inactive:      {"The company is not active", "Företaget är inte aktivt"},
	national.Bankrupt:      {"The company is bankrupt", "Företaget är i konkurs"},
	national.PersonDead:    {"The person is deceased", "Personen är avliden"},
	national.PersonGone:    {"The person has emigrated", "Personen har utvandrat"},
	national.PersonBlocked: {"The person is blocked", "Personen är spärrad"},
}

// meta is the envelope's first part.
func (s *Server) meta(c caller) swedishMeta {
	h := fnv.New64a()
	_, _ = h.Write([]byte(c.correlation))
	return swedishMeta{
		LogID: int64(h.Sum64() >> 12), At: naive(s.Gate.Now()), Resource: c.resource, Method: http.MethodGet, URL: c.url,
	}
}

// envelopeKey is where an operation keeps how its errors are dressed, for those
// that are found before a handler runs.
const envelopeKey = "envelope"

func (s *Server) envelope(r route) map[string]any {
	if r.resource == "" {
		return nil
	}
	return map[string]any{envelopeKey: s.dress}
}

// dress puts an error into the envelope of the service that was called, with the
// code that its clients know, unless it is in one.
func (s *Server) dress(body *errorBody, c caller) {
	if c.resource == "" || body.Meta != nil {
		return
	}
	meta := s.meta(c)
	body.Meta = &meta
	switch body.status {
	case http.StatusBadRequest:
		body.Err.Code = string(national.BadInput)
	case http.StatusForbidden:
		body.Err.Code = string(national.NotAllowed)
	}
}

// check refuses a language that we do not speak, and a transaction that is too
// long.
func (in SwedishIn) check() error {
	switch {
	case in.Language != "" && in.Language != "en" && in.Language != "sv":
		return &national.Refusal{Code: national.BadLanguage, Detail: "language: it is en or sv"}
	case len([]rune(in.Transaction)) > 14:
		return &national.Refusal{Code: national.BadInput, Detail: "transactionid: it is longer than 14 characters"}
	}
	return nil
}

// swedish answers a call in the envelope. ask does the work; a person who is
// refused is told with status 200, as clients expect, everything else with its
// own.
func swedish[T any](ctx context.Context, s *Server, c caller, in SwedishIn, ask func() (T, error)) (*reply[swedishJSON[T]], error) {
	out := swedishJSON[T]{Meta: s.meta(c)}
	err := in.check()
	if err == nil {
		var report T
		if report, err = ask(); err == nil {
			out.Report = &report
			return ok(out), nil
		}
	}
	var no *national.Refusal
	if !errors.As(err, &no) {
		return nil, err // it is dressed on its way out
	}
	text := swedishTexts[no.Code][0]
	if in.Language == "sv" {
		text = swedishTexts[no.Code][1]
	}
	if no.About != "" {
		// That somebody died or may not be shown is told of them too.
		out.Error = &swedishError{string(no.Code), text, no.Detail}
		return ok(out), s.countPeople(ctx, c.by, c.resource+" "+string(no.Code), no.About)
	}
	body := newErrorBody(c.correlation, statuses[kindOf(no)].status, text, no.Detail)
	body.Err.Code, body.Meta = string(no.Code), &out.Meta
	return nil, body
}

// kindOf is what a refusal is; one of ours is a bad request.
func kindOf(no *national.Refusal) fault.Kind {
	for _, k := range []fault.Kind{fault.Missing, fault.Denied, fault.Invalid} {
		if errors.Is(no, k) {
			return k
		}
	}
	return fault.Invalid
}

type healthIn struct{ caller }

type healthJSON struct {
	Status string `json:"status" enum:"UP"`
}

func (s *Server) swedishHealth(context.Context, *healthIn) (*reply[healthJSON], error) {
	return ok(healthJSON{"UP"}), nil
}

// countPeople counts a call that showed Swedish people, or was refused for one.
func (s *Server) countPeople(ctx context.Context, by auth.Caller, what string, shown ...identity.ID) error {
	return s.Gate.CountPeople(context.WithoutCancel(ctx), by, auth.Sweden, "SE", s.marks(shown...), what)
}

// letter keeps a person's copy of what was told.
func (s *Server) letter(ctx context.Context, by auth.Caller, id identity.ID, service string, told any) error {
	b, err := json.Marshal(told)
	if err != nil {
		return err
	}
	return s.Sweden.Letter(ctx, by, id, service, string(b))
}
