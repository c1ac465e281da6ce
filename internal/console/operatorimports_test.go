package console_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bureau/internal/app"
)

// The operator sees which records of a file were refused and why, as text
// whatever is in them; nobody else sees that there is such a page.
func TestRefusedRecordsAreShown(t *testing.T) {
	h := newHouse(t)
	file := filepath.Join(t.TempDir(), "<b>companies.jsonl")
	must(t, os.WriteFile(file, []byte(strings.Join([]string{
		`{"country":"GB","number":"1","name":"Acorn"}`,
		`{"country":"GB","number":"2","name":"<script>alert(1)</script>","status":"asleep"}`,
		`{"country":"GB","number":"3","name":"Beech"}`,
	}, "\n")), 0o600))
	res, err := h.Import(t.Context(), "companies", []string{file}, nil, app.ImportOptions{})
	must(t, err)
	if res.Refused != 1 {
		t.Fatalf("%d were refused: %v", res.Refused, res.Reasons)
	}
	b := h.as("operator")
	_, list := b.get("/console/operator/imports")
	if !strings.Contains(list, `href="/console/operator/imports/1"`) {
		t.Errorf("the list leads nowhere: %s", list)
	}
	_, page := b.get("/console/operator/imports/1")
	for _, want := range []string{"2 records were taken in, 1 refused", "asleep", "&lt;script&gt;alert(1)&lt;/script&gt;", ">2<"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not in the page: %s", want, page)
		}
	}
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "<b>companies") {
		t.Error("a record is markup")
	}
	for who, path := range map[string]string{"operator": "/console/operator/imports/99", "admin": "/console/operator/imports/1"} {
		if got, _ := h.as(who).get(path); got.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s: %s", who, path, got.Status)
		}
	}
}
