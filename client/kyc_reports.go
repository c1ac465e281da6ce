package client

import (
	"context"
	"net/http"
	"net/url"
)

// A KYCReport is a table that was ordered, and the file that it became.
type KYCReport struct {
	ID            string         `json:"id"`
	FileName      string         `json:"fileName"`
	Format        string         `json:"format"` // csv, xlsx or pdf
	Status        string         `json:"status"` // submitted, queued, inProgress, completed or failed
	Type          string         `json:"type"`
	CreatedAt     string         `json:"createdAt"`
	CreatedByID   int64          `json:"createdById"`
	CreatedByUser string         `json:"createdByUser"`
	ModifiedAt    string         `json:"modifiedAt"`
	Criteria      map[string]any `json:"criteria"`
	RowCount      int64          `json:"rowCount"`
	ErrorMessage  string         `json:"errorMessage"`
	ExpiresAt     string         `json:"expiresAt"`
}

// A KYCReportField is something that can be asked of a report.
type KYCReportField struct {
	IsRequired       bool     `json:"isRequired"`
	Type             string   `json:"type"`
	Format           string   `json:"format"`
	Description      string   `json:"description"`
	AcceptableValues []string `json:"acceptableValues"`
}

// A KYCReportOrder says what a report is to hold. Criteria need fromDate and
// toDate.
type KYCReportOrder struct {
	Type     string         `json:"type"`
	FileName string         `json:"fileName,omitempty"`
	Format   string         `json:"format,omitempty"`
	Criteria map[string]any `json:"criteria"`
}

const reportsPath = kycPath + "/reports"

// KYCReportCriteria is what can be asked of a type of report, by its field.
func (c *Client) KYCReportCriteria(ctx context.Context, reportType string) (out map[string]KYCReportField, err error) {
	err = c.call(ctx, http.MethodGet, reportsPath+"/criteria/"+url.PathEscape(reportType), nil, &out)
	return out, err
}

// CreateKYCReport has a report made. It is ready when its status is completed.
func (c *Client) CreateKYCReport(ctx context.Context, o KYCReportOrder) (out KYCReport, err error) {
	err = c.create(ctx, reportsPath, nil, o, &out)
	return out, err
}

// A KYCReportFilter says which reports to list. What is empty does not matter.
type KYCReportFilter struct {
	ReportType, SearchTerm string
	Page, PageSize         int
}

// KYCReports lists a page of your company's reports, the newest first, and says
// how many there are in all.
func (c *Client) KYCReports(ctx context.Context, f KYCReportFilter) (list []KYCReport, total int64, err error) {
	q := kycPage(f.Page, f.PageSize)
	set(q, "reportType", f.ReportType)
	set(q, "searchTerm", f.SearchTerm)
	return kycList[KYCReport](ctx, c, reportsPath, q)
}

// KYCReport reads a report.
func (c *Client) KYCReport(ctx context.Context, id string) (out KYCReport, err error) {
	err = c.call(ctx, http.MethodGet, reportsPath+"/"+url.PathEscape(id), nil, &out)
	return out, err
}

// KYCReportDownload is where a report that is completed can be fetched.
func (c *Client) KYCReportDownload(ctx context.Context, id string) (out Download, err error) {
	err = c.call(ctx, http.MethodGet, reportsPath+"/"+url.PathEscape(id)+"/download", nil, &out)
	return out, err
}
