package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/google/go-cmp/cmp"

	"bureau/internal/auth"
)

// The document is kept beside the code, so that a change of the wire shows in
// the diff.
func TestDocumentIsTheGoldenOne(t *testing.T) {
	w := newWorld(t, plan{})
	got := w.send("GET", "/openapi.json", "")
	if got.status != 200 || got.header.Get("Content-Type") != jsonType {
		t.Fatalf("got %d %q", got.status, got.header.Get("Content-Type"))
	}
	golden(t, "../../openapi/openapi.json", []byte(got.body))
}

// document is the document as it is served, read by another program's eyes.
func document(t *testing.T, w *world) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData([]byte(w.send("GET", "/v1/openapi.json", "").body))
	must(t, err)
	must(t, doc.Validate(t.Context()))
	return doc
}

func operations(doc *openapi3.T) map[string]*openapi3.Operation {
	out := map[string]*openapi3.Operation{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			out[method+" "+path] = op
		}
	}
	return out
}

func TestDocumentAndRoutesAgree(t *testing.T) {
	w := newWorld(t, plan{})
	doc := document(t, w)
	want, got := map[string]string{}, map[string]string{}
	for _, r := range w.server.Rows() {
		if r.Pattern() != "/protect/..." { // retired, and described nowhere
			want[r.Method()+" "+r.Pattern()] = r.ID()
		}
	}
	for at, op := range operations(doc) {
		got[at] = op.OperationID
		if op.Summary == "" || len(op.Tags) == 0 || op.Responses.Len() == 0 {
			t.Errorf("%s has no summary, tag or response", at)
		}
		if op.Responses.Value("422") != nil {
			t.Errorf("%s promises a 422, which we never send", at)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the document has other operations than the table (-table +document):\n%s", d)
	}
	ids := map[string]string{}
	for at, id := range got {
		if other, twice := ids[id]; twice {
			t.Errorf("%s and %s are both called %s", at, other, id)
		}
		ids[id] = at
	}
}

// What the specification says of the document.
func TestDocumentOfAuthenticate(t *testing.T) {
	doc := document(t, newWorld(t, plan{}))
	if doc.Info.Version != "1.0.0" {
		t.Errorf("got version %s, want 1.0.0", doc.Info.Version)
	}
	op := operations(doc)["POST /authenticate"]
	if op == nil || op.OperationID != "authenticate" {
		t.Fatalf("there is no operation authenticate: %+v", op)
	}
	if op.Security == nil || len(*op.Security) != 0 {
		t.Errorf("authenticate needs %+v, want nothing", op.Security)
	}
	// Every product's area shows it.
	var tags []string
	for _, tag := range doc.Tags {
		tags = append(tags, tag.Name)
	}
	if d := cmp.Diff(slices.Sorted(slices.Values(tags)), slices.Sorted(slices.Values(op.Tags))); d != "" {
		t.Errorf("authenticate is not under every tag (-want +got):\n%s", d)
	}
	if len(tags) != len(auth.Products())+1 {
		t.Errorf("got %d tags for %d products", len(tags), len(auth.Products()))
	}
	kinds := map[string]string{"200": jsonType, "400": "text/plain", "401": "text/plain", "429": jsonType}
	for status, kind := range kinds {
		r := op.Responses.Value(status)
		if r == nil || r.Value.Content.Get(kind) == nil {
			t.Errorf("%s: want an answer of %s", status, kind)
		}
	}
	for name, field := range op.RequestBody.Value.Content.Get(jsonType).Schema.Value.Properties {
		if most := field.Value.MaxLength; most == nil || *most != 30 {
			t.Errorf("%s: want at most 30 characters", name)
		}
	}
	for at, op := range operations(doc) {
		open := slices.Contains([]string{"authenticate", "publicKeys", "signedCompanyReport", "signedKYCPaper", "signedKYCFile"}, op.OperationID)
		if !open && (op.Security == nil || len(*op.Security) != 1 || op.Responses.Value("401") == nil) {
			t.Errorf("%s does not say that it needs a token", at)
		}
	}
}

// An example is a request that the document allows, and the status it gets.
type example struct {
	id     string
	method string
	path   string
	body   string
	status int
	who    string // "acme" has every product, "bare" none, "" no token
}

func examples(password string) []example {
	login := credentials("acme", password)
	return slices.Concat(imageExamples(), portfolioExamples(), eventExamples(), webhookExamples(), searchExamples(), identityExamples(), kycExamples(), profileExamples(), auditExamples(), kycReportExamples(), kycBatchExamples(), []example{
		{"authenticate", "POST", "/authenticate", login, 200, ""},
		{"authenticate", "POST", "/authenticate", `{}`, 400, ""},
		{"authenticate", "POST", "/authenticate", credentials("acme", "wrong"), 401, ""},
		{"authenticate", "POST", "/authenticate", credentials("acme", "limited"), 429, ""},
		{"publicKeys", "GET", "/.well-known/jwks.json", "", 200, ""},
		{"access", "GET", "/access", "", 200, "acme"},
		{"access", "GET", "/access", "", 200, "bare"},
		{"accessByCountry", "GET", "/access/countries", "", 200, "acme"},
		{"me", "GET", "/access/users/me", "", 200, "acme"},
		{"activeUsers", "GET", "/access/users/active", "", 200, "acme"},
		{"companyReport", "GET", "/companies/GB-0-03836192", "", 404, "acme"},
		{"companyReport", "GET", "/companies/GB-0-03836192", "", 403, "bare"},
		{"signedCompanyReport", "GET", "/signed/companies/GB-0-03836192", "", 403, ""},
		{"reportSchema", "GET", "/companies/schema/GB", "", 200, "acme"},
		{"reportCustomData", "GET", "/reportcustomdata/DE", "", 200, "acme"},
		{"importPortfolio", "POST", "/monitoring/portfolios/1/import", "", 404, "acme"},
		{"importPortfolio", "POST", "/monitoring/portfolios/x/import", "", 400, "acme"},
		{"importPortfolio", "POST", "/monitoring/portfolios/1/import", "", 403, "bare"},
		{"importPortfolioCompanies", "POST", "/monitoring/portfolios/1/companies/import", "", 404, "acme"},
		{"syncPortfolio", "POST", "/monitoring/portfolios/1/sync", "", 404, "acme"},
		{"portfolioImports", "GET", "/monitoring/portfolios/1/imports", "", 404, "acme"},
		{"portfolioImport", "GET", "/monitoring/portfolios/1/imports/1", "", 404, "acme"},
		{"bankVerificationSearch", "POST", "/localSolutions/GB/bankVerification/search", `{"customerName":"A","bankAccount":"12345678","sortCode":"123456","accountType":"Business"}`, 200, "acme"},
		{"bankVerificationSearch", "POST", "/localSolutions/GB/bankVerification/search", `{}`, 400, "acme"},
		{"bankVerificationSearch", "POST", "/localSolutions/GB/bankVerification/search", `{}`, 403, "bare"},
		{"bankVerificationValidate", "POST", "/localSolutions/GB/bankVerification/validate/none", `{"bankAccount":"12345678","sortCode":"123456"}`, 404, "acme"},
		{"bankVerificationHistory", "GET", "/localSolutions/GB/bankVerification/history?searchByCustomer=true", "", 200, "acme"},
		{"bankVerificationHistory", "GET", "/localSolutions/GB/bankVerification/history", "", 400, "acme"},
		{"bankVerificationById", "GET", "/localSolutions/GB/bankVerification/history/none", "", 404, "acme"},
		{"bankVerificationReference", "PATCH", "/localSolutions/GB/bankVerification/history/none/reference", `{"customerReference":"r"}`, 404, "acme"},
		{"sortCode", "GET", "/localSolutions/GB/bankVerification/sortCode/123456", "", 404, "acme"},
		{"sortCode", "GET", "/localSolutions/GB/bankVerification/sortCode/12", "", 400, "acme"},
		{"bankMatch", "GET", "/localSolutions/GB/bankmatch?checkType=Both&companyId=GB-0-1&sortCode=123456&accountNumber=12345678", "", 200, "acme"},
		{"frBankMatch", "GET", "/localSolutions/FR/bankMatch?registrationId=999999998&countryCode=FR&iban=DE89370400440532013000", "", 200, "acme"},
		{"frBankMatchAudition", "GET", "/localSolutions/FR/bankMatch/audition?audition_id=none", "", 404, "acme"},
		{"checkBank", "POST", "/checks/bank", `{"iban":"GB29NWBK60161331926819","name":"A"}`, 200, "acme"},
		{"checkBank", "POST", "/checks/bank", `{}`, 400, "acme"},
	})
}

// Every operation's answers are as the document says, and so are the refusals.
func TestAnswersAreAsDocumented(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(1)
	l := w.join("acme", everywhere(auth.Products()...)...)
	tokens := map[string]string{"acme": w.token(l), "bare": w.token(w.join("bare")), "": ""}
	doc := document(t, w)
	router, err := legacy.NewRouter(doc)
	must(t, err)
	all := examples(l.Password)
	for _, op := range operations(doc) {
		if !slices.ContainsFunc(all, func(e example) bool { return e.id == op.OperationID }) {
			t.Errorf("%s has no example", op.OperationID)
		}
		for _, e := range all { // whatever needs a token says so without one
			if e.id == op.OperationID && e.who == "acme" && !slices.Contains(all, example{e.id, e.method, e.path, e.body, 401, ""}) {
				all = append(all, example{e.id, e.method, e.path, e.body, 401, ""})
			}
		}
	}
	for range 5 {
		w.send("POST", "/authenticate", credentials("acme", "limited"))
	}
	for _, e := range all {
		t.Run(e.id, func(t *testing.T) {
			header := []string{"Content-Type", jsonType}
			if e.body == "" {
				header = nil
			}
			if token := tokens[e.who]; token != "" {
				header = append(header, "Authorization", "Bearer "+token)
			}
			got := w.send(e.method, "/v1"+e.path, e.body, header...)
			if got.status != e.status {
				t.Errorf("%s %s: got %d %s, want %d", e.method, e.path, got.status, got.body, e.status)
			}
			if err := holds(t.Context(), router, e, got); err != nil {
				t.Errorf("%s %s: %d %s\nis not as documented: %v", e.method, e.path, got.status, got.body, err)
			}
		})
	}
	// The check itself can fail.
	e := all[len(all)-1]
	if holds(t.Context(), router, e, answer{418, http.Header{"Content-Type": {jsonType}}, `{}`}) == nil {
		t.Error("a status that is not in the document was taken")
	}
	if holds(t.Context(), router, example{method: "GET", path: "/access/users/me"}, answer{200, http.Header{"Content-Type": {jsonType}}, `{"username":7}`}) == nil {
		t.Error("a body that is not as documented was taken")
	}
}

// holds compares an answer with the document.
func holds(ctx context.Context, router routers.Router, e example, got answer) error {
	r, err := http.NewRequestWithContext(ctx, e.method, "/v1"+e.path, strings.NewReader(e.body))
	if err != nil {
		return err
	}
	route, params, err := router.FindRoute(r)
	if err != nil {
		return err
	}
	options := &openapi3filter.Options{IncludeResponseStatus: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}
	return openapi3filter.ValidateResponse(ctx, &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 got.status, Header: got.header, Options: options,
		Body: io.NopCloser(bytes.NewReader([]byte(got.body))),
	})
}

// Lists are lists in the document too: a client that is made from it must not
// expect null.
func TestDocumentHasNoListThatMayBeNull(t *testing.T) {
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if kinds, ok := v["type"].([]any); ok && slices.Contains(kinds, any("array")) && slices.Contains(kinds, any("null")) {
				t.Errorf("%s may be null", path)
			}
			for k, next := range v {
				walk(path+"/"+k, next)
			}
		case []any:
			for _, next := range v {
				walk(path, next)
			}
		}
	}
	var doc any
	must(t, json.Unmarshal([]byte(newWorld(t, plan{}).send("GET", "/openapi.json", "").body), &doc))
	walk("", doc)
}
