package console_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bureau/internal/app"
	"bureau/internal/auth"
)

// A person's identity is checked for a stated reason; who was shown and why is in
// the audit log, and nobody else's customer sees it.
func TestIdentityCheck(t *testing.T) {
	h := newHouse(t)
	file := filepath.Join(t.TempDir(), "consumers.jsonl")
	must(t, os.WriteFile(file, []byte(`{"country":"GB","number":"T1","name":{"forename":"Ada","surname":"<b>Hollbrook"},"birthDate":"1970-05-31",`+
		`"addresses":[{"buildingNo":"7","street":"Mill Lane<script>","city":"Testham","postCode":"TE1 1ST"}]}`+"\n"), 0o600))
	got, err := h.Import(t.Context(), "consumers", []string{file}, nil, app.ImportOptions{})
	must(t, err)
	if got.Refused > 0 {
		t.Fatal(got.Reasons)
	}
	b := h.as("analyst")
	must(t, h.Screener.Index.Refresh(t.Context())) // whoever is checked is looked for on the lists too
	ask := url.Values{"forename": {"Ada"}, "surname": {"<b>Hollbrook"}, "born": {"1970-05-31"}, "house": {"7"}, "postCode": {"TE1 1ST"}, "full": {"yes"}}
	res, body := b.post("/console/checks/identity", ask)
	if res.StatusCode != http.StatusBadRequest || !strings.Contains(body, "reason: say why you look") {
		t.Errorf("without a reason: %s", res.Status)
	}
	ask.Set("reason", "<i>curious")
	if res, _ := b.post("/console/checks/identity", ask); res.StatusCode != http.StatusBadRequest {
		t.Errorf("with a reason that is none: %s", res.Status)
	}
	ask.Set("reason", "TenantVet")
	res, body = b.post("/console/checks/identity", ask)
	at := res.Header.Get("Location")
	if res.StatusCode != http.StatusSeeOther || strings.Contains(at, "Hollbrook") {
		t.Fatalf("%s to %q\n%s", res.Status, at, body)
	}
	if _, body = b.get(at); !strings.Contains(body, "Mill Lane&lt;script&gt;") || strings.Contains(body, "<b>Hollbrook") || !strings.Contains(body, "tenant vet") {
		t.Errorf("the answer is not shown, or not as text:\n%s", body)
	}
	if res, _ := h.as("stranger").get(at); res.StatusCode != http.StatusNotFound {
		t.Errorf("another customer: %s, want 404", res.Status)
	}
	noted := 0
	must(t, h.DB.AuditLog(t.Context(), 0, func(e auth.Entry) error {
		if e.Action == auth.PersonRead && e.Person == h.Vault.Person("GB-T1") && strings.HasSuffix(e.Detail, "reason=TenantVet") {
			noted++
		}
		return nil
	}))
	if noted != 2 { // when it was searched for, and when the answer was opened
		t.Errorf("%d entries of the audit log tell that she was shown, want 2", noted)
	}
	must(t, h.ObjectPerson(t.Context(), "GB-T1", ""))
	if _, body := b.get(at); !strings.Contains(body, "may not be shown any more") || strings.Contains(body, "Mill Lane") {
		t.Error("who objected is still shown")
	}
}
