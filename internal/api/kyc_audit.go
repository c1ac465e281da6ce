package api

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

// auditRows are the audit trail, in two forms of one log.
func (s *Server) auditRows() []route {
	return []route{
		get("/kyc-protect/audits", auth.KYC, "kycAudits", "What was done with profiles and searches", s.kycAudits, free,
			about("By whom and when, the newest first. Entries name things by their ids, never people by their names. They are lines of the audit log, in which nothing can be changed unseen.")),
		get("/protect/audit", auth.KYC, "listProtectAudit", "The audit trail in its older form", s.protectAudit, free,
			about("The same entries as /kyc-protect/audits, in the words of an earlier product.")),
		post("/protect/audit", auth.KYC, "createProtectAudit", "The audit trail as a file", s.exportProtectAudit, free,
			about("Answers with the address of a CSV, which is written as it is fetched.")),
		open(http.MethodGet, "/signed/kyc/{file}", "signedKYCFile", s.signedKYCFile),
	}
}

type kycAuditsIn struct {
	caller
	ProfilePage
	After         string   `query:"after" doc:"Only what comes behind: the cursor of the answer before, with the same filters. page is then left out."`
	Profiles      []string `query:"profileIds,explode" doc:"Only what was done with these profiles."`
	Categories    []string `query:"categories,explode" doc:"profile or amlSearch."`
	Subcategories []string `query:"subcategories,explode" doc:"profileDetails, keyParty or amlMonitoring."`
	Actions       []string `query:"actions,explode" doc:"What was done: created, updated, deleted, noteCreated …"`
	Users         []string `query:"userIds,explode" doc:"Only what these colleagues did."`
	From          string   `query:"startDate" doc:"On this day or later." example:"2026-01-31"`
	Until         string   `query:"endDate" doc:"On this day or earlier."`
}

func (in *kycAuditsIn) query() (kyc.DeedQuery, error) {
	var wrong wrongs
	q := kyc.DeedQuery{
		Profiles: profileIDs(wordsOf(in.Profiles)), Accounts: accountsOf(&wrong, "userIds", in.Users),
		Skip: in.skip(), Limit: in.Size,
	}
	for _, c := range wordsOf(in.Categories) {
		q.Categories = append(q.Categories, oneOf(&wrong, "categories", c, kyc.DeedCategories))
	}
	for _, c := range wordsOf(in.Subcategories) {
		q.Subcategories = append(q.Subcategories, oneOf(&wrong, "subcategories", c, kyc.DeedSubcategories))
	}
	for _, a := range wordsOf(in.Actions) {
		q.Actions = append(q.Actions, oneOf(&wrong, "actions", a, kyc.DeedActions))
	}
	q.From, q.Until = span(&wrong, "startDate", in.From, "endDate", in.Until)
	return q, wrong.fault()
}

// span reads the first and the last moment that are meant, and returns the
// moment behind the last: a day alone is meant to its end.
func span(wrong *wrongs, fromField, from, untilField, until string) (first, behind time.Time) {
	first, err := timeOf(from)
	if err != nil {
		wrong.say(fromField, "%s", err)
	}
	last, err := endOf(until)
	switch {
	case err != nil:
		wrong.say(untilField, "%s", err)
	case !last.IsZero():
		behind = last.Add(time.Millisecond)
	}
	return first, behind
}

type kycAuditJSON struct {
	ID          string            `json:"id" format:"uuid"`
	Description string            `json:"description" doc:"What was done, in words."`
	Category    string            `json:"category" enum:"profile,amlSearch"`
	Subcategory *string           `json:"subcategory" doc:"profileDetails, keyParty, amlMonitoring or null."`
	Action      string            `json:"action"`
	CreatedAt   string            `json:"createdAt"`
	CreatedID   int64             `json:"createdById"`
	CreatedBy   string            `json:"createdBy"`
	Payload     map[string]string `json:"payload" doc:"The ids of what it concerns, and what changed."`
}

type kycAuditsJSON struct {
	Items         []kycAuditJSON `json:"items"`
	Total         int64          `json:"totalSize" doc:"How many there are on all pages."`
	Cursor        *string        `json:"cursor" doc:"Hand it back as after to read on; null at the end."`
	CorrelationID string         `json:"correlationId"`
}

func (s *Server) kycAudits(ctx context.Context, in *kycAuditsIn) (*reply[kycAuditsJSON], error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	of := fmt.Sprintf("kycAudits %q %q %q %q %q %q %q", in.Profiles, in.Categories, in.Subcategories, in.Actions, in.Users, in.From, in.Until)
	if in.After != "" {
		q.Skip = 0
		if err := s.openCursor(in.by, of, in.After, &q.Before); err != nil {
			return nil, err
		}
	}
	q.Limit++ // to see whether there is more
	list, total, err := s.Trail.Deeds(ctx, in.by, q)
	if err != nil {
		return nil, err
	}
	out := kycAuditsJSON{Items: make([]kycAuditJSON, 0, len(list)), Total: total, CorrelationID: in.correlation}
	if len(list) > in.Size {
		list = list[:in.Size]
		cursor := s.sealCursor(in.by, of, list[in.Size-1].Number)
		out.Cursor = &cursor
	}
	for _, d := range list {
		out.Items = append(out.Items, kycAuditJSON{
			ID: d.ID, Description: d.Describe(), Category: string(d.Category), Subcategory: textOrNull(string(d.Subcategory)),
			Action: string(d.Action), CreatedAt: naive(d.At), CreatedID: int64(d.By), CreatedBy: s.userName(d.By), Payload: d.Payload(),
		})
	}
	return ok(out), nil
}

// older are the words of an earlier product for what is done. A word without a
// kind is one that nothing has any more.
var older = []struct {
	word string
	kind oldKind
}{
	{"profile.created", oldKind{category: kyc.OfProfile, actions: []kyc.DeedAction{kyc.Created}}},
	{"profile.removed", oldKind{category: kyc.OfProfile, actions: []kyc.DeedAction{kyc.Deleted}}},
	{"profile.added", oldKind{category: kyc.OfProfile, actions: []kyc.DeedAction{kyc.SearchLinked}}},
	{"investigation.record_removed", oldKind{category: kyc.OfProfile, actions: []kyc.DeedAction{kyc.SearchRemoved}}},
	{"note.created", oldKind{category: kyc.OfProfile, actions: []kyc.DeedAction{kyc.NoteCreated}}},
	{"investigation.note_removed", oldKind{category: kyc.OfProfile, actions: []kyc.DeedAction{kyc.NoteDeleted}}},
	{"schedule.created", oldKind{category: kyc.OfSearch, actions: []kyc.DeedAction{kyc.MonitorAdded}}},
	{"schedule.updated", oldKind{category: kyc.OfSearch, actions: []kyc.DeedAction{kyc.MonitorUpdated}}},
	{"schedule.removed", oldKind{category: kyc.OfSearch, actions: []kyc.DeedAction{kyc.MonitorRemoved}}},
	{"investigation.created", oldKind{category: kyc.OfSearch, actions: []kyc.DeedAction{kyc.Created}}},
	{"investigation.removed", oldKind{category: kyc.OfSearch, actions: []kyc.DeedAction{kyc.Deleted}}},
	{"investigation.accepted", oldKind{category: kyc.OfSearch, actions: []kyc.DeedAction{kyc.Updated}, to: []string{"trueMatch"}}},
	{"investigation.rejected", oldKind{category: kyc.OfSearch, actions: []kyc.DeedAction{kyc.Updated}, to: []string{"falsePositive", "discarded"}}},
	// What is left is the general word for it.
	{"investigation.status", oldKind{category: kyc.OfSearch, actions: []kyc.DeedAction{kyc.Updated, kyc.StatusUpdated}}},
	{"profile.updated", oldKind{category: kyc.OfProfile, actions: []kyc.DeedAction{
		kyc.Updated, kyc.StatusUpdated, kyc.NoteUpdated, kyc.NoteArchived, kyc.NoteUnarchived, kyc.AddressCreated, kyc.AddressUpdated, kyc.AddressDeleted,
	}}},
	{word: "alert.accepted"},
	{word: "alert.rejected"},
	{word: "alert.received"},
	{word: "investigation.file_downloaded"},
	{word: "investigation.risk_assigned"},
	{word: "investigation.assigned_to"},
	{word: "idv.file_downloaded"},
	{word: "idv.gdc_search"},
	{word: "schedule.recharged"},
	{word: "schedule.disabled"},
	{word: "schedule.deleted"},
	{word: "report.monitoring.requested"},
	{word: "report.monitoring.submitted"},
	{word: "report.monitoring.completed"},
	{word: "report.monitoring.failed"},
}

type oldKind struct {
	category kyc.DeedCategory
	actions  []kyc.DeedAction
	to       []string
}

// olderWord is the earlier product's word for a deed.
func olderWord(d kyc.Deed) string {
	for _, o := range older {
		if o.kind.holds(d) {
			return o.word
		}
	}
	return string(d.Category) + "." + strings.ToLower(string(d.Action))
}
