package handbook

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// openAPI is what we read of the document.
type openAPI struct {
	Tags []struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	} `json:"tags"`
	Paths      map[string]map[string]*operation `json:"paths"`
	Components struct {
		Schemas map[string]*schema `json:"schemas"`
	} `json:"components"`
}

// An operation is one page.
type operation struct {
	ID         string              `json:"operationId"`
	Tags       []string            `json:"tags"`
	Summary    string              `json:"summary"`
	About      string              `json:"description"`
	Parameters []parameter         `json:"parameters"`
	Body       *body               `json:"requestBody"`
	Responses  map[string]response `json:"responses"`
	Sample     *sample             `json:"x-sample"`

	// Security is missing or has entries where a token is needed.
	Security *[]json.RawMessage `json:"security"`

	Method string `json:"-"`
	Path   string `json:"-"`
}

type parameter struct {
	Name     string  `json:"name"`
	In       string  `json:"in"`
	About    string  `json:"description"`
	Required bool    `json:"required"`
	Schema   *schema `json:"schema"`
}

type body struct {
	Required bool             `json:"required"`
	Content  map[string]media `json:"content"`
}

type response struct {
	About   string           `json:"description"`
	Content map[string]media `json:"content"`
}

type media struct {
	Schema *schema `json:"schema"`
}

// A group is the operations of one product.
type group struct {
	Name, About string
	Operations  []*operation
}

// readDocument reads the OpenAPI document: its groups in order, each operation
// once, in the first group that it belongs to.
func readDocument(b []byte) (openAPI, []group, error) {
	var doc openAPI
	if err := json.Unmarshal(b, &doc); err != nil {
		return doc, nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	groups := make([]group, len(doc.Tags))
	place := map[string]int{}
	for i, t := range doc.Tags {
		groups[i] = group{Name: t.Name, About: t.Description}
		place[t.Name] = i
	}
	for path, item := range doc.Paths {
		for method, op := range item {
			op.Method, op.Path = strings.ToUpper(method), path
			if len(op.Tags) == 0 {
				return doc, nil, fmt.Errorf("the operation %s belongs to no group", op.ID)
			}
			at := place[op.Tags[0]]
			groups[at].Operations = append(groups[at].Operations, op)
		}
	}
	order := []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	for _, g := range groups {
		slices.SortFunc(g.Operations, func(a, b *operation) int {
			return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(slices.Index(order, a.Method), slices.Index(order, b.Method)))
		})
	}
	return doc, groups, nil
}

// NeedsToken reports whether the operation is called with a token.
func (o *operation) NeedsToken() bool { return o.Security != nil && len(*o.Security) > 0 }

// Group is the name of the group that shows it.
func (o *operation) Group() string { return o.Tags[0] }

// ContentType is how the body is sent: JSON where that is possible.
func (o *operation) ContentType() string {
	if o.Body == nil {
		return ""
	}
	kinds := make([]string, 0, len(o.Body.Content))
	for kind := range o.Body.Content {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	if slices.Contains(kinds, "application/json") || len(kinds) == 0 {
		return "application/json"
	}
	return kinds[0]
}

// An answer is a response of an operation, as its page shows it.
type answer struct {
	Status string
	Word   string
	About  string
	Kinds  []string
	Fields []Field
	Type   string
	Good   bool
}

// answers are the responses in the order of their statuses. Errors have one
// form, which the first page explains, so only what succeeds shows its fields.
func (d openAPI) answers(op *operation) []answer {
	var out []answer
	for status, r := range op.Responses {
		n, _ := strconv.Atoi(status)
		a := answer{Status: status, Word: http.StatusText(n), About: r.About, Good: n < 400}
		for kind, m := range r.Content {
			a.Kinds = append(a.Kinds, kind)
			if a.Good && len(a.Fields) == 0 && m.Schema != nil {
				a.Type, a.Fields = d.describe(m.Schema)
			}
		}
		slices.Sort(a.Kinds)
		if a.About == a.Word {
			a.About = ""
		}
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b answer) int { return cmp.Compare(a.Status, b.Status) })
	return out
}
