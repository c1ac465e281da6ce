package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"strings"
)

// A SubjectKind is what is searched for on lists: people or businesses.
type SubjectKind string

const (
	Individuals SubjectKind = "individuals"
	Businesses  SubjectKind = "businesses"
)

// A ScreeningQuestion asks whether somebody is on a list. Of a business only the
// name, the countries, the threshold, the datasets and the bodies are asked.
type ScreeningQuestion struct {
	Name         string   `json:"name,omitempty"`
	FirstName    string   `json:"firstName,omitempty"` // with LastName in the place of Name
	MiddleName   string   `json:"middleName,omitempty"`
	LastName     string   `json:"lastName,omitempty"`
	DateOfBirth  string   `json:"dateOfBirth,omitempty"` // 1970-05-31 or 1970
	Gender       string   `json:"gender,omitempty"`
	CountryCodes []string `json:"countryCodes,omitempty"`
	Threshold    int      `json:"threshold,omitempty"` // 50 to 100; 0: 75
	Datasets     []string `json:"datasets,omitempty"`  // none: all
	PEPTiers     []string `json:"pepTiers,omitempty"`

	// SanctionBodies are whose sanctions are looked at: nil are those of the
	// customer's settings, and none are all.
	SanctionBodies *[]string `json:"sanctionBodies,omitempty"`
}

// A Screening is a search on the lists that was kept.
type Screening struct {
	ID                     string            `json:"id"`
	Name                   string            `json:"name"`
	Type                   string            `json:"type"`
	Threshold              int               `json:"threshold"`
	Datasets               []string          `json:"datasets"`
	SanctionBodies         []string          `json:"sanctionBodies"`
	CountryCodes           []string          `json:"countryCodes"`
	FirstName              string            `json:"firstName"`
	MiddleName             string            `json:"middleName"`
	LastName               string            `json:"lastName"`
	Gender                 string            `json:"gender"`
	DateOfBirth            string            `json:"dateOfBirth"`
	IsDobRequired          bool              `json:"isDobRequired"`
	Status                 string            `json:"status"`
	RiskRating             string            `json:"riskRating"`
	AssignedToUserID       int64             `json:"assignedToUserId"`
	Note                   string            `json:"note"`
	ScheduleID             string            `json:"scheduleId"`
	CreatedBy              string            `json:"createdBy"`
	CreatedAt              string            `json:"createdAt"`
	TotalHitCount          int               `json:"totalHitCount"`
	TruePositiveHitsCount  int               `json:"truePositiveHitsCount"`
	FalsePositiveHitsCount int               `json:"falsePositiveHitsCount"`
	UndecidedHitsCount     int               `json:"undecidedHitsCount"`
	Coverage               ScreeningCoverage `json:"coverage"`
}

// ScreeningCoverage is what a search looked at, and what it could not look at.
type ScreeningCoverage struct {
	IsComplete                bool     `json:"isComplete"`
	Warnings                  []string `json:"warnings"`
	DatasetsWithoutList       []string `json:"datasetsWithoutList"`
	SanctionBodiesWithoutList []string `json:"sanctionBodiesWithoutList"`
	EngineVersion             string   `json:"engineVersion"`
	Lists                     []struct {
		Name    string `json:"name"`
		Title   string `json:"title"`
		Version int64  `json:"version"`
		AsOf    string `json:"asOf"`
		IsOld   bool   `json:"isOld"`
	} `json:"lists"`
}

// A ScreeningHit is somebody on a list who may be the subject.
type ScreeningHit struct {
	ID            string        `json:"id"`
	HitScore      int           `json:"hitScore"`
	Name          string        `json:"name"`
	Match         string        `json:"match"`
	Countries     []string      `json:"countries"`
	Datasets      []string      `json:"datasets"`
	DatesOfBirth  []string      `json:"datesOfBirth"`
	Decision      string        `json:"decision"`
	Note          string        `json:"note"`
	ModifiedBy    string        `json:"modifiedBy"`
	ModifiedAt    string        `json:"modifiedAt"`
	CreatedAt     string        `json:"createdAt"`
	Reasons       []string      `json:"reasons"`
	Changes       []string      `json:"changes"`
	SupersededHit *ScreeningHit `json:"supersededHit"`
}

// A ScreeningDetail is a hit in full. Raw has what is not a field here.
type ScreeningDetail struct {
	ScreeningHit
	Identifiers []struct{ Type, Value string } `json:"identifiers"`
	Sources     []struct {
		Title         string   `json:"title"`
		Description   string   `json:"description"`
		Link          string   `json:"link"`
		DateAdded     string   `json:"dateAdded"`
		IsCopyrighted bool     `json:"isCopyrighted"`
		DatePublished string   `json:"datePublished"`
		DocumentLink  string   `json:"documentLink"`
		Datasets      []string `json:"datasets"`
	} `json:"sources"`
	Decisions []struct {
		Decision  string `json:"decision"`
		Note      string `json:"note"`
		DecidedAt string `json:"decidedAt"`
		DecidedBy string `json:"decidedBy"`
	} `json:"decisions"`

	Raw json.RawMessage `json:"-"`
}

// A ScreeningEdit changes a search. What is nil stays.
type ScreeningEdit struct {
	SearchID         string  `json:"searchId,omitempty"` // of several at once
	AssignedToUserID *int64  `json:"assignedToUserId,omitempty"`
	Status           *string `json:"status,omitempty"`
	RiskRating       *string `json:"riskRating,omitempty"`
	Note             *string `json:"note,omitempty"`
}

// A HitDecision is what somebody thinks of a hit: undecided, trueMatch,
// falsePositive or discarded.
type HitDecision struct {
	HitID    string  `json:"hitId,omitempty"` // of several at once
	Decision string  `json:"decision,omitempty"`
	Note     *string `json:"note,omitempty"`
}

// A Bulk says what became of several things at once.
type Bulk[T any] struct {
	Successful []T `json:"successful"`
	Failed     []struct {
		FailedItem json.RawMessage `json:"failedItem"`
		Error      struct {
			Title  string `json:"title"`
			Status int    `json:"status"`
			Detail string `json:"detail"`
		} `json:"error"`
	} `json:"failed"`
}

func searchesPath(kind SubjectKind, parts ...string) string {
	path := "/kyc-protect/searches/" + string(kind)
	for _, p := range parts {
		path += "/" + url.PathEscape(p)
	}
	return path
}

// Screen asks whether somebody is on a list, and keeps question and answer. The
// key is the Idempotency-Key; it may be empty.
func (c *Client) Screen(ctx context.Context, kind SubjectKind, q ScreeningQuestion, key string) (out Screening, err error) {
	return out, c.Do(ctx, Call{Method: http.MethodPost, Path: searchesPath(kind), In: q, Out: &out, Key: key})
}

// Screenings lists searches, the newest first.
func (c *Client) Screenings(ctx context.Context, kind SubjectKind) iter.Seq2[Screening, error] {
	return kycPages[Screening](ctx, c, searchesPath(kind), nil)
}

// Screening is one search.
func (c *Client) Screening(ctx context.Context, kind SubjectKind, id string) (out Screening, err error) {
	return out, c.call(ctx, http.MethodGet, searchesPath(kind, id), nil, &out)
}

// EditScreening changes a search.
func (c *Client) EditScreening(ctx context.Context, kind SubjectKind, id string, e ScreeningEdit) (out Screening, err error) {
	return out, c.call(ctx, http.MethodPut, searchesPath(kind, id), e, &out)
}

// EditScreenings changes several searches.
func (c *Client) EditScreenings(ctx context.Context, kind SubjectKind, list []ScreeningEdit) (out Bulk[Screening], err error) {
	return out, c.call(ctx, http.MethodPut, searchesPath(kind), map[string]any{"items": list}, &out)
}

// ScreeningHits lists the hits of a search, the likeliest first: those of some
// decisions, or all.
func (c *Client) ScreeningHits(ctx context.Context, kind SubjectKind, id string, decisions ...string) iter.Seq2[ScreeningHit, error] {
	return kycPages[ScreeningHit](ctx, c, searchesPath(kind, id, "hits"), url.Values{"hitDecisions": {strings.Join(decisions, ",")}})
}

// ScreeningHit is a hit in full.
func (c *Client) ScreeningHit(ctx context.Context, kind SubjectKind, id, hit string) (out ScreeningDetail, err error) {
	if err := c.call(ctx, http.MethodGet, searchesPath(kind, id, "hits", hit), nil, &out.Raw); err != nil {
		return out, err
	}
	return out, json.Unmarshal(out.Raw, &out)
}

// DecideHit keeps what somebody thinks of a hit.
func (c *Client) DecideHit(ctx context.Context, kind SubjectKind, id, hit string, d HitDecision) (out ScreeningHit, err error) {
	return out, c.call(ctx, http.MethodPut, searchesPath(kind, id, "hits", hit), d, &out)
}

// DecideHits decides about several hits.
func (c *Client) DecideHits(ctx context.Context, kind SubjectKind, id string, list []HitDecision) (out Bulk[ScreeningHit], err error) {
	path, body := searchesPath(kind, id, "hits"), map[string]any{"items": list}
	if kind == Individuals {
		return out, c.call(ctx, http.MethodPut, path, body, &out)
	}
	var got bulkInItems[ScreeningHit]
	err = c.call(ctx, http.MethodPut, path, body, &got)
	return got.bulk(), err
}

// bulkInItems is a Bulk whose successes are in a list within the list.
type bulkInItems[T any] struct {
	Bulk[struct {
		Items []T `json:"items"`
	}]
}

func (b bulkInItems[T]) bulk() (out Bulk[T]) {
	out.Failed = b.Failed
	for _, some := range b.Successful {
		out.Successful = append(out.Successful, some.Items...)
	}
	return out
}

// NoteHit writes a note on a hit, in the place of the one before. The decision
// stays.
func (c *Client) NoteHit(ctx context.Context, kind SubjectKind, id, hit, note string) (out ScreeningHit, err error) {
	return out, c.call(ctx, http.MethodPut, searchesPath(kind, id, "hits", hit, "note"), map[string]any{"note": note}, &out)
}

// kycPages reads a list of screening to its end.
func kycPages[T any](ctx context.Context, c *Client, path string, filter url.Values) iter.Seq2[T, error] {
	return pages(func(after string) ([]T, string, error) {
		var out struct {
			Items  []T    `json:"items"`
			Cursor string `json:"cursor"`
		}
		err := c.Do(ctx, Call{Method: http.MethodGet, Path: path, Query: page(filter, after), Out: &out})
		return out.Items, out.Cursor, err
	})
}

// A Download is where a document can be fetched, without a token, for a few
// minutes.
type Download struct {
	DownloadURL string `json:"downloadUrl"`
	FileName    string `json:"fileName"`
	ExpiresAt   string `json:"expiresAt"`
	SearchID    string `json:"searchId"`
}

// DownloadScreening offers a search as a PDF, with some of its hits or with all.
func (c *Client) DownloadScreening(ctx context.Context, kind SubjectKind, id string, hits ...string) (out Download, err error) {
	return out, c.call(ctx, http.MethodPost, searchesPath(kind, id, "download"), append([]string{}, hits...), &out)
}

// DownloadHit offers a hit as a PDF.
func (c *Client) DownloadHit(ctx context.Context, kind SubjectKind, id, hit string) (out Download, err error) {
	return out, c.call(ctx, http.MethodGet, searchesPath(kind, id, "hits", hit, "download"), nil, &out)
}
