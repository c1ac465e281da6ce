package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"bureau/internal/auth"
)

// rawOperations describe the open operations, whose handlers write their own
// answers, by operation id.
var rawOperations = map[string]*huma.Operation{
	"authenticate":   authenticateOperation(),
	"signedKYCPaper": signedKYCOperation(),
	"signedCompanyReport": {
		Method: http.MethodGet, Path: "/signed/companies/{connectId}", OperationID: "signedCompanyReport", Tags: []string{"Companies"},
		Summary:     "A large report",
		Description: "Where the 302 of a report above 10 MB leads. The address carries its own proof and lives for five minutes.",
		Parameters: []*huma.Param{
			{Name: "connectId", In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}, Description: "The company's id."},
		},
		Responses: map[string]*huma.Response{
			"200": jsonResponse("The report.", &huma.Schema{Type: huma.TypeObject}),
			"403": jsonResponse("The address is not valid any more.", &huma.Schema{Type: huma.TypeObject}),
		},
		Security: []map[string][]string{},
	},
	"signedKYCFile": {
		Method: http.MethodGet, Path: "/signed/kyc/{file}", OperationID: "signedKYCFile", Tags: []string{"KYC"},
		Summary:     "A file that was asked for",
		Description: "Where the addresses of downloads lead. They carry their own proof and live for 15 minutes.",
		Parameters: []*huma.Param{
			{Name: "file", In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}, Description: "Which kind of file."},
		},
		Responses: map[string]*huma.Response{
			"200": {Description: "The file.", Content: map[string]*huma.MediaType{"*/*": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}},
			"403": jsonResponse("The address is not valid any more.", &huma.Schema{Type: huma.TypeObject}),
		},
		Security: []map[string][]string{},
	},
	"publicKeys": {
		Method: http.MethodGet, Path: "/.well-known/jwks.json", OperationID: "publicKeys", Tags: []string{accessTag},
		Summary:     "The keys that verify our tokens",
		Description: "A JSON Web Key Set (RFC 7517). It may be cached for as long as its Cache-Control says: a new key is published before it signs.",
		Responses: map[string]*huma.Response{
			"200": jsonResponse("The keys.", &huma.Schema{
				Type: huma.TypeObject, Required: []string{"keys"},
				Properties: map[string]*huma.Schema{"keys": {Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeObject}}},
			}),
		},
	},
}

func authenticateOperation() *huma.Operation {
	credential := func(about, format string) *huma.Schema {
		one, most := 1, auth.MaxCredential
		return &huma.Schema{Type: huma.TypeString, MinLength: &one, MaxLength: &most, Description: about, Format: format}
	}
	request := &huma.Schema{
		Type: huma.TypeObject, Required: []string{"username", "password"},
		Properties: map[string]*huma.Schema{
			"username": credential("The account's user key (not its e-mail address). Case-sensitive.", ""),
			"password": credential("Case-sensitive.", "password"),
		},
	}
	text := func(about string, schema *huma.Schema) *huma.Response {
		return &huma.Response{Description: about, Content: map[string]*huma.MediaType{"text/plain": {Schema: schema}}}
	}
	nothing := 0
	str := func(about string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: about} }
	limited := jsonResponse("Too many requests. The body has the form of an unexpected server error; Retry-After says when to try again.",
		&huma.Schema{
			Type: huma.TypeObject, Required: []string{"error"},
			Properties: map[string]*huma.Schema{"error": {
				Type: huma.TypeObject, Required: []string{"code", "text", "detail"},
				Properties: map[string]*huma.Schema{
					"code": str("The kind of error."), "text": str("What went wrong, in a few words."), "detail": str("What exactly is wrong."),
				},
			}},
		})
	header := func(about string, kind string) *huma.Header {
		return &huma.Header{Description: about, Schema: &huma.Schema{Type: kind}}
	}
	limited.Headers = map[string]*huma.Header{
		"Retry-After":      header("Seconds until the same request would be admitted.", huma.TypeInteger),
		"RateLimit":        header("What is left of each limit.", huma.TypeString),
		"RateLimit-Policy": header("The limits.", huma.TypeString),
	}
	var tags []string
	for _, t := range productTags {
		tags = append(tags, t.tag)
	}
	return &huma.Operation{
		Method: http.MethodPost, Path: "/authenticate", OperationID: "authenticate",
		Tags:    append([]string{accessTag}, tags...),
		Summary: "Get a token",
		Description: "Exchanges a user key and a password for a token that every other operation takes. A token is valid for one hour; " +
			"several may be valid at once. More than five identical invalid requests in two minutes are refused with 429.",
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/json": {
				Schema:  request,
				Example: map[string]any{"username": "your-user-key", "password": "your-password"},
			},
			"application/x-www-form-urlencoded": {Schema: request},
		}},
		Responses: map[string]*huma.Response{
			"200": jsonResponse("The token.", &huma.Schema{
				Type: huma.TypeObject, Required: []string{"token"},
				Properties: map[string]*huma.Schema{"token": str("A JWT. Send it as: Authorization: Bearer <token>.")},
			}),
			"400": text("A field is missing, empty, too long or of the wrong type, or the body cannot be read. The body is empty.",
				&huma.Schema{Type: huma.TypeString, MaxLength: &nothing}),
			"401": text("Access denied.", str("A sentence.")),
			"429": limited,
		},
		Security: []map[string][]string{},
	}
}
