package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/handbook"
)

// What can be called is told in four places: the routes, the OpenAPI document,
// the pages at /docs and the client. They tell the same.
func TestFourListsAreOne(t *testing.T) {
	w := newWorld(t, plan{})
	var routes []string
	for _, r := range w.server.Rows() {
		if r.Pattern() != "/protect/..." { // retired, and described nowhere
			routes = append(routes, r.ID())
		}
	}
	slices.Sort(routes)

	var documented []string
	for _, op := range operations(document(t, w)) {
		documented = append(documented, op.OperationID)
	}

	body, err := w.server.Document()
	must(t, err)
	pages, err := (&handbook.Server{Document: body}).Handler()
	must(t, err)
	var described []string
	for _, id := range routes {
		got := httptest.NewRecorder()
		pages.ServeHTTP(got, httptest.NewRequest(http.MethodGet, handbook.Path+"/"+id, nil))
		if got.Code == http.StatusOK {
			described = append(described, id)
		}
	}

	for name, list := range map[string][]string{
		"the OpenAPI document": documented, "the pages at /docs": described, "the client": clientOperations(t), "the samples": sampleIDs(w),
	} {
		slices.Sort(list)
		if d := cmp.Diff(routes, list); d != "" {
			t.Errorf("%s: other operations than the routes (-routes +it):\n%s", name, d)
		}
	}
}

func sampleIDs(w *world) []string { return slices.Collect(maps.Keys(w.server.Samples())) }

// clientOperations are the operations that the client's own test finds a method
// for, or the reason why there is none.
func clientOperations(t *testing.T) (ids []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../client/operations_test.go", nil, 0)
	must(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Values) != 1 || v.Names[0].Name != "methods" && v.Names[0].Name != "without" {
			return true
		}
		for _, e := range v.Values[0].(*ast.CompositeLit).Elts {
			id, err := strconv.Unquote(e.(*ast.KeyValueExpr).Key.(*ast.BasicLit).Value)
			must(t, err)
			ids = append(ids, id)
		}
		return false
	})
	return ids
}
