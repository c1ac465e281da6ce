package company

import (
	"fmt"
	"strings"
	"testing"
)

func TestWhoIsVeiledLeavesASeatAndNothingElse(t *testing.T) {
	somebody := func(id, name string) Person { return Person{ID: id, Name: name, Birth: "1970-05"} }
	r := Report{
		Company: Company{ID: NewID("SE", "5597770006"), Facts: Facts{
			Officers: []Officer{
				{Person: somebody("197005317719", "Åsa Lindqvist"), Role: "chair", From: "2020-01-01"},
				{Person: somebody("", "Bo Samordning"), Role: "director"},
				{Person: Person{Name: "Bolaget AB", RegNo: "5597770014", Country: "SE", Company: true}, Role: "auditor"},
			},
			Owners: []Owner{{Person: somebody("19700531-7719", "Åsa Lindqvist"), ShareMin: 25, ShareMax: 50}},
		}},
		History: []Change{
			{Field: OfficerIn, Item: "197005317719", New: "chair: Åsa Lindqvist"},
			{Field: OwnerIn, New: "Åsa Lindqvist"},
			{Field: OfficerIn, New: "director: Bo Samordning"},
			{Field: FieldName, Old: "Åsa Lindqvist AB"},
		},
	}
	if got := r.People(); len(got) != 2 || got[0] != "SE-197005317719" {
		t.Errorf("the people are %v", got)
	}
	before := r.Officers
	r.Veil(map[PersonID]bool{"SE-197005317719": true})
	if o := r.Officers[0]; !o.Protected || o.Role != "chair" || o.From != "2020-01-01" {
		t.Errorf("the seat is %+v", o)
	}
	if all := fmt.Sprintf("%+v %+v", r.Officers, r.Owners); strings.Contains(all, "Lindqvist") || strings.Contains(all, "7719") || !strings.Contains(all, "Bo Samordning") {
		t.Errorf("it shows %s", all)
	}
	if len(r.History) != 2 || r.History[1].Field != FieldName {
		t.Errorf("the history is %+v", r.History)
	}
	if before[0].Protected {
		t.Error("the register's own list was changed")
	}
}
