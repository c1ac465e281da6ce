package api_test

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"bureau/client"
	"bureau/internal/auth"
)

func auditExamples() []example {
	return []example{
		{"kycAudits", "GET", "/kyc-protect/audits?categories=profile&actions=created,updated&startDate=2026-01-01", "", 200, "acme"},
		{"kycAudits", "GET", "/kyc-protect/audits?actions=painted", "", 400, "acme"},
		{"kycAudits", "GET", "/kyc-protect/audits", "", 403, "bare"},
		{"listProtectAudit", "GET", "/protect/audit?type=profile.created&order=asc", "", 200, "acme"},
		{"listProtectAudit", "GET", "/protect/audit?type=profile.painted", "", 400, "acme"},
		{"createProtectAudit", "POST", "/protect/audit", `{"fileType":"csv"}`, 200, "acme"},
		{"createProtectAudit", "POST", "/protect/audit", `{"fileType":"doc"}`, 400, "acme"},
		{"signedKYCFile", "GET", "/signed/kyc/audit", "", 403, ""},
	}
}

// actions are what a list of entries says was done, the newest first.
func actions(list []client.KYCAudit) string {
	var out []string
	for _, a := range list {
		out = append(out, a.Action)
	}
	return strings.Join(out, " ")
}

func TestWhatWasDoneWithProfilesIsInTheAuditTrail(t *testing.T) {
	w := newWorld(t, plan{})
	l, other := w.join("acme", everywhere(auth.KYC)...), w.join("other", everywhere(auth.KYC)...)
	c, ctx := w.client(l), t.Context()
	p := w.profile(l)
	w.profile(other)
	p.Status, p.RiskRating, p.Details = "approved", "low", nil
	_, err := c.UpdateProfile(ctx, p)
	must(t, err)
	n, err := c.AddProfileNote(ctx, p.ID, "Quillfeather called.")
	must(t, err)
	w.clock.Step(24 * time.Hour)
	must(t, c.DeleteProfileNote(ctx, p.ID, n.ID))
	must(t, c.DeleteProfile(ctx, p.ID))
	// A call that is refused did nothing.
	if err := c.DeleteProfile(ctx, p.ID); status(t, err) != http.StatusNotFound {
		t.Errorf("got %v", err)
	}

	list, cursor, err := c.KYCAudits(ctx, client.KYCAuditFilter{})
	must(t, err)
	if got := actions(list); got != "deleted noteDeleted noteCreated kycStatusUpdated updated created" || cursor != "" {
		t.Fatalf("it says %q", got)
	}
	if e := list[3]; e.Payload["profileId"] != p.ID || e.Payload["from"] != "new" || e.Payload["to"] != "approved" || e.CreatedBy != "acme" || e.Category != "profile" {
		t.Errorf("the status is told as %+v", e)
	}
	for want, f := range map[string]client.KYCAuditFilter{
		"deleted noteDeleted":                          {StartDate: "2026-03-03"},
		"noteCreated kycStatusUpdated updated created": {EndDate: "2026-03-02"},
		"updated created":                              {Actions: []string{"created", "updated"}},
		"":                                             {ProfileIDs: []string{noID}},
	} {
		if list, _, err := c.KYCAudits(ctx, f); err != nil || actions(list) != want {
			t.Errorf("%+v: %q (%v), want %q", f, actions(list), err, want)
		}
	}
	// Page after page nothing is skipped, whatever is done meanwhile.
	var paged []client.KYCAudit
	for f := (client.KYCAuditFilter{PageSize: 4}); ; {
		page, cursor, err := c.KYCAudits(ctx, f)
		must(t, err)
		paged = append(paged, page...)
		if f.After = cursor; cursor == "" {
			break
		}
		w.profile(l)
	}
	if got := actions(paged); got != actions(list) {
		t.Errorf("in pages: %q", got)
	}

	log := w.log.String()
	for _, secret := range []string{"Quillfeather", "1970-05-31"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds %s", secret)
		}
	}
	must(t, w.db.AuditLog(ctx, 0, func(e auth.Entry) error {
		if strings.Contains(e.Detail, "Quillfeather") || strings.Contains(e.Detail, "Ada") {
			t.Errorf("the audit log names a person: %s", e.Detail)
		}
		return nil
	}))
	found, err := auth.VerifyAudit(ctx, w.db, w.server.Vault, w.dir.Keys())
	if err != nil || found.Problem != "" {
		t.Errorf("the log is not whole: %+v (%v)", found, err)
	}
}

func TestTheAuditTrailInItsOlderForm(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme", everywhere(auth.KYC)...)
	c, ctx := w.client(l), t.Context()
	p := w.profile(l)
	_, err := c.AddProfileNote(ctx, p.ID, "b")
	must(t, err)
	p.Status, p.RiskRating, p.Details = "pending", "low", nil
	_, err = c.UpdateProfile(ctx, p)
	must(t, err)
	types := func(f client.ProtectAuditFilter) (out []string) {
		t.Helper()
		list, err := c.ProtectAudits(ctx, f)
		must(t, err)
		for _, e := range list {
			out = append(out, e.Type)
		}
		return out
	}
	all := []string{"profile.created", "note.created", "profile.updated", "profile.updated"}
	if got := types(client.ProtectAuditFilter{Ascending: true}); !slices.Equal(got, all) {
		t.Errorf("it says %v", got)
	}
	for _, word := range all {
		for _, got := range types(client.ProtectAuditFilter{Type: word}) {
			if got != word {
				t.Errorf("asked for %s it says %s", word, got)
			}
		}
	}
	if got := types(client.ProtectAuditFilter{Type: "alert.received"}); len(got) != 0 {
		t.Errorf("what is done no more was done: %v", got)
	}

	address, err := c.ExportProtectAudits(ctx, client.ProtectAuditFilter{Type: "profile.updated", ProfileID: p.ID})
	must(t, err)
	var file bytes.Buffer
	must(t, c.Fetch(ctx, address, &file))
	rows, err := csv.NewReader(&file).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][3] != "kycStatusUpdated" || !strings.Contains(rows[2][5], p.ID) {
		t.Errorf("the file holds %v (%v)", rows, err)
	}
	// The address is good for what it was made for, and for a while.
	if err := c.Fetch(ctx, strings.Replace(address, "type=profile.updated", "type=profile.created", 1), &file); status(t, err) != http.StatusForbidden {
		t.Errorf("a changed address: %v", err)
	}
	w.clock.Step(15 * time.Minute)
	if err := c.Fetch(ctx, address, &file); status(t, err) != http.StatusForbidden {
		t.Errorf("an old address: %v", err)
	}
}
