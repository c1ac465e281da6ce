package api

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

func (k oldKind) holds(d kyc.Deed) bool {
	return k.category == d.Category && slices.Contains(k.actions, d.Action) && (len(k.to) == 0 || slices.Contains(k.to, d.To))
}

// olderKind narrows a query to what an older word means. ok is false if it means
// nothing that is done any more.
func olderKind(wrong *wrongs, field, word string, q *kyc.DeedQuery) (ok bool) {
	if word == "" {
		return true
	}
	var words []string
	for _, o := range older {
		words = append(words, o.word)
	}
	word = oneOf(wrong, field, word, words)
	for _, o := range older {
		if o.word == word && o.kind.category != "" {
			q.Categories, q.Actions, q.To = []kyc.DeedCategory{o.kind.category}, o.kind.actions, o.kind.to
			return true
		}
	}
	return false
}

type protectAuditIn struct {
	caller
	ProfilePage
	Type      string `query:"type" doc:"Only entries of this type, such as profile.created."`
	NewerThan string `query:"newerThan" doc:"From this time on." example:"2026-01-31T00:00:00"`
	OlderThan string `query:"olderThan" doc:"Up to this time; a day without a time is meant to its end."`
	Profile   string `query:"profileId" doc:"Only what was done with this profile."`
	Order     string `query:"order" doc:"desc, the newest first, unless asc is asked for."`
	User      string `query:"userId" doc:"Only what this colleague did."`
}

type protectAuditJSON struct {
	ID          string            `json:"id" format:"uuid"`
	Description string            `json:"description" doc:"What was done, in words."`
	Type        string            `json:"type" example:"profile.created"`
	UserID      string            `json:"userId"`
	Payload     map[string]string `json:"payload" doc:"The ids of what it concerns, and what changed."`
	CreatedAt   string            `json:"createdAt"`
}

func (s *Server) protectAudit(ctx context.Context, in *protectAuditIn) (*reply[[]protectAuditJSON], error) {
	var wrong wrongs
	q := kyc.DeedQuery{Skip: in.skip(), Limit: in.Size}
	some := olderKind(&wrong, "type", in.Type, &q)
	q.From, q.Until = span(&wrong, "newerThan", in.NewerThan, "olderThan", in.OlderThan)
	if in.Profile != "" {
		q.Profiles = profileIDs([]string{in.Profile})
	}
	if in.User != "" {
		q.Accounts = accountsOf(&wrong, "userId", []string{in.User})
	}
	if in.Order != "" {
		q.Up = oneOf(&wrong, "order", in.Order, []string{"asc", "desc"}) == "asc"
	}
	if err := wrong.fault(); err != nil {
		return nil, err
	}
	out := []protectAuditJSON{}
	if !some {
		return ok(out), nil
	}
	list, _, err := s.Trail.Deeds(ctx, in.by, q)
	if err != nil {
		return nil, err
	}
	for _, d := range list {
		out = append(out, protectAuditJSON{
			ID: d.ID, Description: d.Describe(), Type: olderWord(d), UserID: strconv.FormatInt(int64(d.By), 10), Payload: d.Payload(), CreatedAt: naive(d.At),
		})
	}
	return ok(out), nil
}

type exportProtectAuditIn struct {
	caller
	Body struct {
		FileType string  `json:"fileType" enum:"csv" example:"csv"`
		Type     *string `json:"auditType,omitempty" doc:"Only entries of this type, such as profile.created."`
		User     *int64  `json:"userId,omitempty" doc:"Only what this colleague did."`
		From     *string `json:"createdAtOrAfter,omitempty"`
		Until    *string `json:"createdAtOrBefore,omitempty"`
		Payload  *struct {
			Profile *string `json:"profileId,omitempty"`
			Search  *string `json:"investigationId,omitempty"`
		} `json:"payload,omitempty" doc:"Only what concerns this profile, or this search."`
	}
}

type locationJSON struct {
	Location      string `json:"location" format:"uri" doc:"Where the file is; no token is needed there, and for 15 minutes only."`
	CorrelationID string `json:"correlationId"`
}

func (s *Server) exportProtectAudit(_ context.Context, in *exportProtectAuditIn) (*reply[locationJSON], error) {
	b := in.Body
	q := url.Values{}
	put := func(name, value string) {
		if value != "" {
			q.Set(name, value)
		}
	}
	put("type", textOf(b.Type))
	put("from", textOf(b.From))
	put("until", textOf(b.Until))
	if b.User != nil {
		put("user", strconv.FormatInt(*b.User, 10))
	}
	if b.Payload != nil {
		put("profile", textOf(b.Payload.Profile))
		put("search", textOf(b.Payload.Search))
	}
	if _, _, err := auditFileQuery(q); err != nil {
		return nil, err
	}
	address, _ := s.signedFile(in.by, "audit", q)
	return ok(locationJSON{address, in.correlation}), nil
}

// auditFileQuery reads what a file of the audit trail is to hold.
func auditFileQuery(p url.Values) (q kyc.DeedQuery, some bool, err error) {
	var wrong wrongs
	some = olderKind(&wrong, "auditType", p.Get("type"), &q)
	q.From, q.Until = span(&wrong, "createdAtOrAfter", p.Get("from"), "createdAtOrBefore", p.Get("until"))
	if user := p.Get("user"); user != "" {
		q.Accounts = accountsOf(&wrong, "userId", []string{user})
	}
	if id := p.Get("profile"); id != "" {
		q.Profiles = profileIDs([]string{id})
	}
	if id := p.Get("search"); id != "" {
		q.Searches = []string{strings.ToLower(id)}
	}
	return q, some, wrong.fault()
}

// writeAuditFile writes the audit trail as a CSV.
func (s *Server) writeAuditFile(w http.ResponseWriter, r *http.Request, by auth.Caller, p url.Values) error {
	q, some, err := auditFileQuery(p)
	if err != nil {
		return err
	}
	if !some {
		q.Until = time.UnixMilli(1) // nothing was done before then
	}
	attach(w, kyc.CSV.MediaType(), "audit.csv")
	return s.Trail.Export(r.Context(), by, q, w)
}
