package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
)

// A BatchUpload is a file of subjects, and how far it has come.
type BatchUpload struct {
	ID           string `json:"id"`
	Filename     string `json:"filename"`
	Status       string `json:"status"` // submitted, validating, rejected, queued, inProgress, completed, partiallyCompleted or failed
	RowCount     int64  `json:"rowCount"`
	SuccessCount int64  `json:"successCount"`
	ErrorCount   int64  `json:"errorCount"`
	ErrorMessage string `json:"errorMessage"` // why it was rejected
	UploadedAt   string `json:"uploadedAt"`
	UploadedByID int64  `json:"uploadedById"`
	UploadedBy   string `json:"uploadedBy"`
	CompletedAt  string `json:"completedAt"` // empty while it is worked on
}

const batchesPath = kycPath + "/batchUploads"

// BatchTemplate is where an empty file of subjects can be fetched.
func (c *Client) BatchTemplate(ctx context.Context) (out Download, err error) {
	err = c.call(ctx, http.MethodGet, batchesPath+"/template", nil, &out)
	return out, err
}

// UploadBatch sends a CSV of subjects, which are screened in the background;
// BatchUpload tells how far it is. key, if any, is one that the same file is sent
// with again.
func (c *Client) UploadBatch(ctx context.Context, name string, file io.ReadSeeker, key string) (out BatchUpload, err error) {
	err = c.Do(ctx, Call{Method: http.MethodPost, Path: batchesPath, Key: key, form: &form{part: "File", name: name, file: file}, Out: &out})
	return out, err
}

// A BatchFilter says which files to list. What is empty does not matter.
type BatchFilter struct {
	Statuses       []string
	UploadedByID   int64
	Page, PageSize int
}

// BatchUploads lists a page of your company's files, the newest first, and says
// how many there are in all.
func (c *Client) BatchUploads(ctx context.Context, f BatchFilter) (list []BatchUpload, total int64, err error) {
	q := kycPage(f.Page, f.PageSize)
	q["statuses"] = f.Statuses
	if f.UploadedByID > 0 {
		q.Set("uploadedById", strconv.FormatInt(f.UploadedByID, 10))
	}
	return kycList[BatchUpload](ctx, c, batchesPath, q)
}

// BatchUpload reads a file's progress.
func (c *Client) BatchUpload(ctx context.Context, id string) (out BatchUpload, err error) {
	err = c.call(ctx, http.MethodGet, batchesPath+"/"+url.PathEscape(id), nil, &out)
	return out, err
}

// BatchErrors is where the rows that failed can be fetched, as a file that can be
// corrected and sent again.
func (c *Client) BatchErrors(ctx context.Context, id string) (out Download, err error) {
	err = c.call(ctx, http.MethodGet, batchesPath+"/"+url.PathEscape(id)+"/errors/download", nil, &out)
	return out, err
}

// RetryBatch has the rows that failed screened again.
func (c *Client) RetryBatch(ctx context.Context, id string) (out BatchUpload, err error) {
	err = c.call(ctx, http.MethodPut, batchesPath+"/"+url.PathEscape(id)+"/retry", nil, &out)
	return out, err
}

// An AMLJob is many searches for a profile, made in the background.
type AMLJob struct {
	ID            string `json:"id"`
	Status        string `json:"status"` // created, processing or completed
	CreatedAt     string `json:"createdAt"`
	CreatedByID   int64  `json:"createdById"`
	CreatedBy     string `json:"createdBy"`
	StartedAt     string `json:"startedAt"`
	FinishedAt    string `json:"finishedAt"`
	CriteriaCount int64  `json:"criteriaCount"`
}

// A JobItem is one subject that a job looks for.
type JobItem struct {
	Type         string   `json:"type"` // individual or business
	Name         string   `json:"name,omitempty"`
	FirstName    string   `json:"firstName,omitempty"`
	MiddleName   string   `json:"middleName,omitempty"`
	LastName     string   `json:"lastName,omitempty"`
	DateOfBirth  string   `json:"dateOfBirth,omitempty"`
	Gender       string   `json:"gender,omitempty"`
	PEPTiers     []string `json:"pepTiers,omitempty"`
	Datasets     []string `json:"datasets,omitempty"`
	CountryCodes []string `json:"countryCodes,omitempty"`
	Threshold    int      `json:"threshold,omitempty"`
}

// A JobCriterion is an item of a job, and what has become of it.
type JobCriterion struct {
	JobItem
	ID           string `json:"id"` // when it is completed, also that of its search
	JobID        string `json:"jobId"`
	Status       string `json:"status"` // submitted, completed or failed
	ErrorMessage string `json:"errorMessage"`
	TargetType   string `json:"targetType"`
	TargetID     string `json:"targetId"`
	StartedAt    string `json:"startedAt"`
	FinishedAt   string `json:"finishedAt"`
}

const jobsPath = kycPath + "/asyncAmlJobs"

// SearchForProfile has subjects screened in the background; the searches are
// linked to the profile.
func (c *Client) SearchForProfile(ctx context.Context, profile string, items []JobItem) (out AMLJob, err error) {
	in := struct {
		Items []JobItem `json:"items"`
	}{items}
	err = c.create(ctx, profilePath(profile)+"/searches/bulk", nil, in, &out)
	return out, err
}

// AMLJobs lists a page of your company's jobs, the newest first, and says how
// many there are in all.
func (c *Client) AMLJobs(ctx context.Context, page, size int, statuses ...string) (list []AMLJob, total int64, err error) {
	q := kycPage(page, size)
	q["statuses"] = statuses
	return kycList[AMLJob](ctx, c, jobsPath, q)
}

// AMLJob reads a job.
func (c *Client) AMLJob(ctx context.Context, id string) (out AMLJob, err error) {
	err = c.call(ctx, http.MethodGet, jobsPath+"/"+url.PathEscape(id), nil, &out)
	return out, err
}

// AMLJobCriteria lists a page of a job's items, in their order, and says how many
// there are in all.
func (c *Client) AMLJobCriteria(ctx context.Context, id string, page, size int, statuses ...string) (list []JobCriterion, total int64, err error) {
	q := kycPage(page, size)
	q["statuses"] = statuses
	return kycList[JobCriterion](ctx, c, jobsPath+"/"+url.PathEscape(id)+"/criteria", q)
}
