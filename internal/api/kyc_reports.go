package api

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

// kycReportRows are the calls about reports.
func (s *Server) kycReportRows() []route {
	const reports = "/kyc-protect/reports"
	return []route{
		get(reports+"/criteria/{type}", auth.KYC, "kycReportCriteria", "What can be asked of a report", s.kycReportCriteria, free, mayMiss,
			about("For a type of report: each field that its criteria take, whether it is needed, and its values.")),
		post(reports, auth.KYC, "createKYCReport", "Order a report", s.createKYCReport, free, accepted, creates, clashes,
			about("The report is made while you go about other things: ask for it until its status is completed, then for its download. No two reports of your company share a fileName.")),
		get(reports, auth.KYC, "kycReports", "Your company's reports", s.kycReports, free, about("The newest first, each with how far it has come and until when its file is kept.")),
		get(reports+"/{reportId}", auth.KYC, "kycReport", "A report", s.kycReport, free, mayMiss,
			about("How far a report has come: submitted, being made, completed or failed, and how many rows it has.")),
		get(reports+"/{reportId}/download", auth.KYC, "kycReportDownload", "Where a report can be fetched", s.kycReportDownload, free, mayMiss, clashes,
			about("The address needs no token and can be used for 15 minutes. A report that is not completed is 409.")),
	}
}

type reportCriteriaIn struct {
	caller
	Type string `path:"type" doc:"A type of report." example:"audit"`
}

type reportFieldJSON struct {
	Required bool       `json:"isRequired"`
	Type     string     `json:"type" doc:"string, array[string] or array[integer]."`
	Format   *string    `json:"format" doc:"How it is written, where that is fixed."`
	About    string     `json:"description"`
	Accepts  acceptable `json:"acceptableValues"`
}

// acceptable are the values that a field takes. Clients read null as "anything".
type acceptable []string

// Schema tells huma what it can be.
func (acceptable) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Description: "The values that it takes; null: anything.",
		AnyOf:       []*huma.Schema{{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString}}, {Type: "null"}},
	}
}

func (s *Server) kycReportCriteria(_ context.Context, in *reportCriteriaIn) (*reply[map[string]reportFieldJSON], error) {
	var wrong wrongs
	t := oneOf(&wrong, "type", in.Type, kyc.ReportTypes())
	if err := wrong.fault(); err != nil {
		return nil, err
	}
	day := "yyyy-mm-dd"
	out := map[string]reportFieldJSON{
		"fromDate": {Required: true, Type: "string", Format: &day, About: "The first day."},
		"toDate":   {Required: true, Type: "string", Format: &day, About: "The last day."},
	}
	for _, f := range kyc.ReportFields(t) {
		field := reportFieldJSON{Type: "array[string]", About: f.About, Accepts: f.Accepts}
		if f.Numbers {
			field.Type = "array[integer]"
		}
		out[f.Name] = field
	}
	return ok(out), nil
}

type createReportIn struct {
	caller
	Body struct {
		Type     string                     `json:"type" doc:"One of the types that have criteria." example:"audit"`
		FileName *string                    `json:"fileName,omitempty" doc:"What the file is to be called; we make a name up, if it is left out. Its ending (csv, xlsx, pdf) is the format." example:"march.xlsx"`
		Format   *string                    `json:"format,omitempty" enum:"csv,xlsx,pdf" doc:"The format, where the name does not say it; else csv."`
		Criteria map[string]json.RawMessage `json:"criteria" doc:"fromDate and toDate, and what else /kyc-protect/reports/criteria names. What is not named there is left out of account." example:"{\"fromDate\":\"2026-01-01\",\"toDate\":\"2026-01-31\"}"`
	}
}

// criteriaOf reads criteria: a text, a number, or a list of either.
func criteriaOf(given map[string]json.RawMessage) (c kyc.ReportCriteria, err error) {
	var wrong wrongs
	c.Lists = map[string][]string{}
	for name, raw := range given {
		var one looseText
		var many []looseText
		switch {
		case string(raw) == "null":
		case json.Unmarshal(raw, &many) == nil:
			for _, v := range many {
				c.Lists[name] = append(c.Lists[name], string(v))
			}
		case json.Unmarshal(raw, &one) == nil:
			c.Lists[name] = []string{string(one)}
		default:
			wrong.say("criteria."+name, "a text or a list of texts is wanted")
		}
	}
	for name, day := range map[string]*company.Date{"fromDate": &c.From, "toDate": &c.To} {
		*day = company.Date(strings.Join(c.Lists[name], ","))
		delete(c.Lists, name)
	}
	return c, wrong.fault()
}

// KYCReportJSON is a report. It is exported since it is a part of answers.
type KYCReportJSON struct {
	ID         string         `json:"id" format:"uuid"`
	FileName   string         `json:"fileName"`
	Format     string         `json:"format" enum:"csv,xlsx,pdf"`
	Status     string         `json:"status" enum:"submitted,queued,inProgress,completed,failed"`
	Type       string         `json:"type"`
	CreatedAt  string         `json:"createdAt"`
	CreatedID  int64          `json:"createdById"`
	CreatedBy  string         `json:"createdByUser"`
	ModifiedAt string         `json:"modifiedAt" doc:"When its status last changed."`
	Criteria   map[string]any `json:"criteria" doc:"What counted of your criteria."`
	Rows       int64          `json:"rowCount" doc:"How many rows it has, or has so far."`
	Error      *string        `json:"errorMessage" doc:"Why it failed."`
	ExpiresAt  string         `json:"expiresAt" doc:"Until when it is kept."`
}

// oneKYCReportJSON is a report alone.
type oneKYCReportJSON struct {
	KYCReportJSON
	CorrelationID string `json:"correlationId"`
}

func (s *Server) toKYCReportJSON(r *kyc.Report) KYCReportJSON {
	criteria := map[string]any{"fromDate": string(r.Criteria.From), "toDate": string(r.Criteria.To)}
	for name, values := range r.Criteria.Lists {
		criteria[name] = values
	}
	return KYCReportJSON{
		ID: string(r.ID), FileName: r.FileName, Format: string(r.Format), Status: r.Status(), Type: string(r.Type),
		CreatedAt: naive(r.Created.At), CreatedID: int64(r.Created.By), CreatedBy: s.userName(r.Created.By), ModifiedAt: naive(r.Changed),
		Criteria: criteria, Rows: r.Rows, Error: textOrNull(r.Error), ExpiresAt: naive(r.Expires),
	}
}

func (s *Server) createKYCReport(ctx context.Context, in *createReportIn) (*reply[oneKYCReportJSON], error) {
	criteria, err := criteriaOf(in.Body.Criteria)
	if err != nil {
		return nil, err
	}
	var wrong wrongs
	t := oneOf(&wrong, "type", in.Body.Type, kyc.ReportTypes())
	if err := wrong.fault(); err != nil {
		return nil, err
	}
	r, err := s.Reports.Order(ctx, in.by, kyc.Report{
		Type: t, FileName: textOf(in.Body.FileName), Format: kyc.SheetFormat(strings.ToLower(textOf(in.Body.Format))), Criteria: criteria,
	})
	if err != nil {
		return nil, err
	}
	out := oneKYCReportJSON{s.toKYCReportJSON(&r), in.correlation}
	out.Status = "submitted"
	return ok(out), nil
}

type kycReportsIn struct {
	caller
	Page int    `query:"page" minimum:"1" maximum:"1000000" default:"1" doc:"Which page, from 1."`
	Size int    `query:"pageSize" minimum:"1" maximum:"100" default:"10" doc:"Reports on a page."`
	Type string `query:"reportType" doc:"Only reports of this type." example:"audit"`
	Term string `query:"searchTerm" maxLength:"200" doc:"Part of a file's name."`
}

type kycReportsJSON struct {
	Items         []KYCReportJSON `json:"items"`
	Total         int64           `json:"totalSize" doc:"How many there are on all pages."`
	CorrelationID string          `json:"correlationId"`
}

func (s *Server) kycReports(ctx context.Context, in *kycReportsIn) (*reply[kycReportsJSON], error) {
	var wrong wrongs
	q := kyc.ReportQuery{Term: in.Term, Skip: (in.Page - 1) * in.Size, Limit: in.Size}
	if in.Type != "" {
		q.Type = oneOf(&wrong, "reportType", in.Type, kyc.ReportTypes())
	}
	if err := wrong.fault(); err != nil {
		return nil, err
	}
	list, total, err := s.Reports.List(ctx, in.by, q)
	if err != nil {
		return nil, err
	}
	out := kycReportsJSON{make([]KYCReportJSON, 0, len(list)), total, in.correlation}
	for i := range list {
		out.Items = append(out.Items, s.toKYCReportJSON(&list[i]))
	}
	return ok(out), nil
}

type kycReportIn struct {
	caller
	ID string `path:"reportId" format:"uuid" doc:"The report's id."`
}

func (in *kycReportIn) report() kyc.ReportID { return kyc.ReportID(strings.ToLower(in.ID)) }

func (s *Server) kycReport(ctx context.Context, in *kycReportIn) (*reply[oneKYCReportJSON], error) {
	r, err := s.Reports.Get(ctx, in.by, in.report())
	if err != nil {
		return nil, err
	}
	return ok(oneKYCReportJSON{s.toKYCReportJSON(&r), in.correlation}), nil
}

func (s *Server) kycReportDownload(ctx context.Context, in *kycReportIn) (*reply[downloadJSON], error) {
	r, err := s.Reports.Ready(ctx, in.by, in.report())
	if err != nil {
		return nil, err
	}
	address, expires := s.signedFile(in.by, "report", url.Values{"report": {string(r.ID)}})
	// Who takes names away is on record.
	return ok(downloadJSON{address, r.FileName, naive(expires), in.correlation}), s.noteTaken(ctx, in.by, "kycReport="+string(r.ID))
}

// writeReportFile writes the file of a report.
func (s *Server) writeReportFile(w http.ResponseWriter, r *http.Request, by auth.Caller, q url.Values) error {
	report, err := s.Reports.Ready(r.Context(), by, kyc.ReportID(q.Get("report")))
	if err != nil {
		return err
	}
	file := s.Reports.Open(r.Context(), report)
	first := make([]byte, 1)
	if _, err := io.ReadFull(file, first); err != nil {
		return fault.Missing.Errorf("Report not found")
	}
	attach(w, report.Format.MediaType(), report.FileName)
	if _, err := w.Write(first); err != nil {
		return nil // whoever asked is gone
	}
	_, _ = io.Copy(w, file)
	return nil
}
