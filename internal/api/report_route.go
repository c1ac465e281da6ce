package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"bureau/internal/auth"
)

// reportRow is the row of the report, which answers with the report or with
// where to fetch it.
func reportRow() route {
	return route{
		method: http.MethodGet, pattern: "/companies/{connectId}", product: auth.Companies,
		id: "companyReport", summary: "A company's report",
		about: "Everything that the register holds about a company, and which source says it. With Accept: application/json+pdf the answer holds it as a PDF to send on. A report above 10 MB is answered with a 302 to an address that lives a few minutes.",
		register: func(s *Server, r route) {
			op := r.operation()
			op.Middlewares = huma.Middlewares{s.gated(r)}
			op.Responses["200"] = jsonResponse("The report.", s.reportSchemaRef())
			op.Responses["200"].Content[pdfType] = &huma.MediaType{Schema: s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[pdfReplyJSON](), true, "")}
			op.Responses["302"] = &huma.Response{
				Description: "The report is above 10 MB: fetch it at Location.",
				Headers:     map[string]*huma.Param{"Location": {Schema: &huma.Schema{Type: huma.TypeString}}},
			}
			huma.Register(s.api, op, func(ctx context.Context, in *reportIn) (*reportOut, error) {
				in.caller, _ = ctx.Value(callerKey{}).(caller)
				out, err := s.companyReport(ctx, in)
				if err != nil {
					return nil, s.refusal(r, in.caller, err)
				}
				return out, nil
			})
		},
	}
}

func (s *Server) reportSchemaRef() *huma.Schema {
	return s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[reportReplyJSON](), true, "")
}

type schemaIn struct {
	caller
	Country  string `path:"countryCode" doc:"Two letters." example:"GB"`
	Section  string `query:"section" enum:"CompanyReportResponse,DirectorReportResponse" default:"CompanyReportResponse" doc:"Which reply."`
	Template string `query:"template" default:"full" doc:"Which report: full."`
}

// reportSchema answers with the JSON Schema of a report. It is the same for
// every country: what a country does not publish is left out of its reports.
func (s *Server) reportSchema(_ context.Context, in *schemaIn) (*reply[map[string]any], error) {
	if _, err := knownCountry("countryCode", in.Country); err != nil {
		return nil, err
	}
	b, err := json.Marshal(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"$ref":    s.reportSchemaRef().Ref,
		"$defs":   s.api.OpenAPI().Components.Schemas.Map(),
	})
	if err != nil {
		return nil, fmt.Errorf("write the schema: %w", err)
	}
	var out map[string]any
	text := strings.ReplaceAll(string(b), "#/components/schemas/", "#/$defs/")
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		return nil, fmt.Errorf("write the schema: %w", err)
	}
	return ok(out), nil
}
