package client_test

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"testing"

	"bureau/client"
)

// methods are the operations of the service and the method that calls each.
var methods = map[string]string{
	"authenticate":    "Authenticate",
	"publicKeys":      "PublicKeys",
	"access":          "Access",
	"accessByCountry": "AccessCountries",
	"me":              "Me",
	"activeUsers":     "ActiveUsers",

	"companyReport":    "CompanyReport",
	"reportSchema":     "ReportSchema",
	"reportCustomData": "ReportCustomData",
}

// without are operations that have no method, and why.
var without = map[string]string{
	"signedCompanyReport": "CompanyReport follows the redirect to it",

	"createProtectAudit": "not served yet",
	"listProtectAudit":   "not served yet",
	"searchIdentity":     "not served yet",
	"identityFile":       "not served yet",
}

func TestEveryOperationHasAMethod(t *testing.T) {
	b, err := os.ReadFile("../openapi/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
		}
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	for path, item := range doc.Paths {
		for method, op := range item {
			documented[op.OperationID] = true
			if methods[op.OperationID] == "" && without[op.OperationID] == "" {
				t.Errorf("%s %s (%s) has no method: write one and add it to the table", method, path, op.OperationID)
			}
		}
	}
	ours := reflect.TypeFor[*client.Client]()
	for id, name := range methods {
		if _, ok := ours.MethodByName(name); !ok {
			t.Errorf("%s: there is no method %s", id, name)
		}
	}
	for _, id := range slices.Concat(slices.Collect(maps.Keys(methods)), slices.Collect(maps.Keys(without))) {
		if !documented[id] {
			t.Errorf("%s is in the table but not in the document", id)
		}
	}
	for i := range ours.NumMethod() {
		name := ours.Method(i).Name
		if name != "Do" && !slices.Contains(slices.Collect(maps.Values(methods)), name) {
			t.Errorf("the method %s belongs to no operation", name)
		}
	}
}
