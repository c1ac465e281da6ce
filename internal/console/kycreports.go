package console

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/kyc"
)

type reportsData struct {
	List     []reportRow
	Total    int64
	Busy     bool // one is being made
	Types    []reportChoice
	Formats  []kyc.SheetFormat
	Type     kyc.ReportType
	Format   kyc.SheetFormat
	From, To company.Date
	Wrong    []string
}

type reportRow struct {
	kyc.Report
	Who         string
	Ready, Work bool
}

// A reportChoice is a type of report, in words.
type reportChoice struct {
	Type  kyc.ReportType
	Words string
}

var reportWords = map[kyc.ReportType]string{
	kyc.ReportAudit: "what was done, by whom", kyc.ReportProfile: "profiles", kyc.ReportScreen: "searches",
	kyc.ReportSchedule: "searches that are repeated", kyc.ReportAlert: "alerts",
}

// reports lists tables that were asked for, and takes orders.
func (s *Server) reports(v *visit) error {
	d, err := s.reportsPage(v)
	if err != nil {
		return err
	}
	p := page{name: "kyc-reports", title: "Reports", here: "KYC", data: d}
	if v.partial() {
		return s.part(v, p, "reportList")
	}
	return s.show(v, p)
}

func (s *Server) reportsPage(v *visit) (d reportsData, err error) {
	if err := s.needs(v, auth.KYC, ""); err != nil {
		return d, err
	}
	list, total, err := s.Reports.List(v.ctx(), v.by, kyc.ReportQuery{Limit: searchesPerPage})
	if err != nil {
		return d, err
	}
	now := s.Now().UTC()
	d = reportsData{
		Total: total, Formats: kyc.SheetFormats, Type: kyc.ReportScreen, Format: kyc.XLSX,
		From: company.Date(now.AddDate(0, -1, 0).Format(time.DateOnly)), To: company.Date(now.Format(time.DateOnly)),
	}
	for _, t := range kyc.ReportTypes() {
		d.Types = append(d.Types, reportChoice{t, reportWords[t]})
	}
	who := s.colleagues(v)
	for _, r := range list {
		row := reportRow{Report: r, Who: who[r.Created.By], Ready: r.State == job.Done, Work: r.State == job.Waiting || r.State == job.Working}
		d.Busy = d.Busy || row.Work
		d.List = append(d.List, row)
	}
	return d, nil
}

// orderReport has a report made while the visitor goes on.
func (s *Server) orderReport(v *visit) error {
	d, err := s.reportsPage(v)
	if err != nil {
		return err
	}
	d.Type, d.Format = kyc.ReportType(v.text("type")), kyc.SheetFormat(v.text("format"))
	d.From, d.To = company.Date(v.text("from")), company.Date(v.text("to"))
	_, err = s.Reports.Order(v.ctx(), v.by, kyc.Report{
		Type: d.Type, Format: d.Format, Criteria: kyc.ReportCriteria{From: d.From, To: d.To},
	})
	if errors.Is(err, fault.Invalid) {
		d.Wrong = wrongWords(err)
		return s.show(v, page{name: "kyc-reports", title: "Reports", here: "KYC", status: 400, data: d})
	}
	if err != nil {
		return err
	}
	return v.redirect(kycPath+"/reports", "")
}

// reportFile is a report that is done. Who takes names away is on record.
func (s *Server) reportFile(v *visit) error {
	if err := s.needs(v, auth.KYC, ""); err != nil {
		return err
	}
	r, err := s.Reports.Ready(v.ctx(), v.by, kyc.ReportID(strings.ToLower(v.r.PathValue("id"))))
	if err != nil {
		return err
	}
	if err := s.noteKYC(v, auth.PersonRead, "", "kycReport="+string(r.ID)); err != nil {
		return err
	}
	attach(v.w, r.Format.MediaType(), r.FileName)
	v.w.WriteHeader(http.StatusOK)
	_, _ = io.Copy(v.w, s.Reports.Open(v.ctx(), r)) // a reader who has gone is nobody's failure
	return nil
}

// attach says that a file follows, to be saved under a name.
func attach(w http.ResponseWriter, media, name string) {
	h := w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	h.Set("X-Content-Type-Options", "nosniff")
}
