package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A KYCAudit is one thing that somebody did with a profile or a search.
type KYCAudit struct {
	ID          string            `json:"id"`
	Description string            `json:"description"`
	Category    string            `json:"category"`
	Subcategory string            `json:"subcategory"`
	Action      string            `json:"action"`
	CreatedAt   string            `json:"createdAt"`
	CreatedByID int64             `json:"createdById"`
	CreatedBy   string            `json:"createdBy"`
	Payload     map[string]string `json:"payload"`
}

// A KYCAuditFilter says which entries to list. What is empty does not matter.
type KYCAuditFilter struct {
	ProfileIDs, Categories, Subcategories, Actions []string
	UserIDs                                        []int64
	StartDate, EndDate                             string
	PageSize                                       int
	After                                          string // the cursor of the page before
}

// KYCAudits lists a page of what was done, the newest first. The cursor leads to
// the next page; it is empty at the end.
func (c *Client) KYCAudits(ctx context.Context, f KYCAuditFilter) (list []KYCAudit, cursor string, err error) {
	q := kycPage(0, f.PageSize)
	q["profileIds"], q["categories"], q["subcategories"], q["actions"] = f.ProfileIDs, f.Categories, f.Subcategories, f.Actions
	for _, id := range f.UserIDs {
		q.Add("userIds", strconv.FormatInt(id, 10))
	}
	set(q, "startDate", f.StartDate)
	set(q, "endDate", f.EndDate)
	set(q, "after", f.After)
	var out struct {
		Items  []KYCAudit `json:"items"`
		Cursor string     `json:"cursor"`
	}
	err = c.Do(ctx, Call{Method: http.MethodGet, Path: kycPath + "/audits", Query: q, Out: &out})
	return out.Items, out.Cursor, err
}

// A ProtectAudit is the same in an older form.
type ProtectAudit struct {
	ID          string            `json:"id"`
	Description string            `json:"description"`
	Type        string            `json:"type"`
	UserID      string            `json:"userId"`
	Payload     map[string]string `json:"payload"`
	CreatedAt   string            `json:"createdAt"`
}

// A ProtectAuditFilter says which entries to list or export. What is empty does
// not matter.
type ProtectAuditFilter struct {
	Type                 string
	NewerThan, OlderThan time.Time
	ProfileID            string
	UserID               int64
	Ascending            bool
	Page, PageSize       int
}

// ProtectAudits lists a page of what was done, in the older form.
func (c *Client) ProtectAudits(ctx context.Context, f ProtectAuditFilter) (out []ProtectAudit, err error) {
	q := kycPage(f.Page, f.PageSize)
	set(q, "type", f.Type)
	set(q, "profileId", f.ProfileID)
	for name, at := range map[string]time.Time{"newerThan": f.NewerThan, "olderThan": f.OlderThan} {
		if !at.IsZero() {
			q.Set(name, at.UTC().Format(time.RFC3339))
		}
	}
	if f.UserID != 0 {
		q.Set("userId", strconv.FormatInt(f.UserID, 10))
	}
	if f.Ascending {
		q.Set("order", "asc")
	}
	err = c.Do(ctx, Call{Method: http.MethodGet, Path: "/protect/audit", Query: q, Out: &out})
	return out, err
}

// ExportProtectAudits makes a CSV of what was done and returns its address,
// which Fetch reads.
func (c *Client) ExportProtectAudits(ctx context.Context, f ProtectAuditFilter) (address string, err error) {
	in := map[string]any{"fileType": "csv"}
	if f.Type != "" {
		in["auditType"] = f.Type
	}
	if f.UserID != 0 {
		in["userId"] = f.UserID
	}
	for name, at := range map[string]time.Time{"createdAtOrAfter": f.NewerThan, "createdAtOrBefore": f.OlderThan} {
		if !at.IsZero() {
			in[name] = at.UTC().Format(time.RFC3339)
		}
	}
	if f.ProfileID != "" {
		in["payload"] = map[string]string{"profileId": f.ProfileID}
	}
	var out struct {
		Location string `json:"location"`
	}
	err = c.call(ctx, http.MethodPost, "/protect/audit", in, &out)
	return out.Location, err
}

// Fetch writes the file at an address that the service gave out to w. The
// address carries its own proof.
func (c *Client) Fetch(ctx context.Context, address string, w io.Writer) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	// It may name the service as the world knows it; we ask where we always do.
	path := strings.TrimPrefix(u.Path, "/v1")
	return c.Do(ctx, Call{Method: http.MethodGet, Path: path, Query: u.Query(), accept: "*/*", open: true, write: w})
}
