package api

import (
	"cmp"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"bureau/internal/auth"
)

// productTags are how the document groups what belongs to a product.
var productTags = []struct {
	product auth.Product
	tag     string
	about   string
}{
	{auth.Companies, "Companies", "Find companies and read their reports."},
	{auth.Monitoring, "Monitoring", "Watch companies and hear what changes."},
	{auth.People, "People", "Find directors and their companies."},
	{auth.Images, "Images", "Documents that companies filed."},
	{auth.KYC, "KYC", "Screen people and businesses against lists."},
	{auth.BankMatch, "Bank match", "Does an account belong to a company?"},
	{auth.BankVerification, "Bank verification", "Sort codes and account numbers."},
	{auth.Identity, "Identity", "Search and verify identities."},
	{auth.Verify, "Verify", "Verification of individuals and directors."},
	{auth.NonLimited, "Non-limited companies", "German companies that are not limited."},
	{auth.Sweden, "Sweden", "The Swedish services."},
}

const accessTag = "Access"

// document is the OpenAPI document before the routes are added to it.
func (s *Server) document() huma.Config {
	c := huma.DefaultConfig("Bureau", "1.0.0")
	c.Info.Description = "Credit information: who a company is, how sound it is, what changed, and whether a person or a company is on a list."
	c.OpenAPIPath, c.DocsPath, c.SchemasPath, c.CreateHooks = "", "", "", nil
	c.AllowAdditionalPropertiesByDefault = true
	c.Formats = formats(c.Formats)
	// huma lists a 422 wherever there is input; ours is a 400.
	c.OnAddOperation = append(c.OnAddOperation, func(_ *huma.OpenAPI, op *huma.Operation) { delete(op.Responses, "422") })
	// huma would call a reply "json" for those who ask for that.
	c.Transformers = append(c.Transformers, func(ctx huma.Context, _ string, v any) (any, error) {
		ctx.SetHeader("Content-Type", "application/json")
		return v, nil
	})
	c.Servers = []*huma.Server{{URL: "/v1", Description: "This server. Every path is served without /v1 too."}}
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"bearer": {
			Type: "http", Scheme: "bearer", BearerFormat: "JWT",
			Description: "The token of POST /authenticate, valid for one hour.",
		},
	}
	c.Tags = []*huma.Tag{{Name: accessTag, Description: "Tokens, your account and what it may use."}}
	for _, t := range productTags {
		c.Tags = append(c.Tags, &huma.Tag{Name: t.tag, Description: t.about})
	}
	return c
}

// operation is the route's part of the document.
func (r route) operation() huma.Operation {
	op := huma.Operation{
		Method: r.method, Path: r.pattern, OperationID: r.id, Summary: r.summary, Description: r.about,
		Tags:          []string{r.tag()},
		Security:      []map[string][]string{{"bearer": {}}},
		Errors:        []int{http.StatusBadRequest, http.StatusForbidden, http.StatusTooManyRequests},
		MaxBodyBytes:  maxBody,
		DefaultStatus: cmp.Or(r.status, http.StatusOK),
		Responses: map[string]*huma.Response{
			"401": jsonResponse("The token is missing, invalid or expired.", &huma.Schema{
				Type: huma.TypeObject, Required: []string{"error"},
				Properties: map[string]*huma.Schema{"error": {Type: huma.TypeString, Enum: []any{"Invalid token."}}},
			}),
		},
	}
	if strings.Contains(r.pattern, "{") {
		op.Errors = append(op.Errors, http.StatusNotFound)
	}
	op.Errors = append(op.Errors, r.fails...)
	if r.creates {
		op.Errors = append(op.Errors, http.StatusConflict)
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: "Idempotency-Key", In: "header", Schema: &huma.Schema{Type: huma.TypeString},
			Description: "Any text of at most 255 characters. The same key within 24 hours gets the first answer, and nothing is made twice.",
		})
	}
	return op
}

func (r route) tag() string {
	for _, t := range productTags {
		if t.product == r.product {
			return t.tag
		}
	}
	return accessTag
}

// openapi serves the document.
func (s *Server) openapi(w http.ResponseWriter, _ *http.Request) {
	b, err := s.Document()
	if err != nil {
		panic(err) // our own document
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(b)
}

// Document is the OpenAPI document, indented.
func (s *Server) Document() ([]byte, error) {
	b, err := json.MarshalIndent(s.api.OpenAPI(), "", "  ")
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}

// errorResponse describes an answer with our usual error body.
func (s *Server) errorResponse(about string) *huma.Response {
	return jsonResponse(about, s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[errorBody](), true, ""))
}

func jsonResponse(about string, schema *huma.Schema) *huma.Response {
	return &huma.Response{Description: about, Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
}
