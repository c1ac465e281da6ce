package client

import (
	"context"
	"iter"
)

// The methods of this file read whole lists. What each lists, and how it is
// filtered, is said at the method of the same name without All; a page that its
// filter names does not matter here, and a page size does.

// AllCompanies is SearchCompanies to the end.
func (c *Client) AllCompanies(ctx context.Context, s CompanySearch) iter.Seq2[FoundCompany, error] {
	return pages(func(after string) ([]FoundCompany, string, error) {
		found, err := c.SearchCompanies(ctx, s, Page{Size: pageSize, After: after})
		return found.Companies, found.Cursor, err
	})
}

// AllEverywhere is SearchEverywhere to the end.
func (c *Client) AllEverywhere(ctx context.Context, s CompanySearch) iter.Seq2[FoundCompany, error] {
	return pages(func(after string) ([]FoundCompany, string, error) {
		found, err := c.SearchEverywhere(ctx, s, Page{Size: pageSize, After: after})
		return found.Companies, found.Cursor, err
	})
}

// AllPeople is SearchPeople to the end.
func (c *Client) AllPeople(ctx context.Context, s PeopleSearch) iter.Seq2[FoundPerson, error] {
	return pages(func(after string) ([]FoundPerson, string, error) {
		found, err := c.SearchPeople(ctx, s, Page{Size: pageSize, After: after})
		return found.People, found.Cursor, err
	})
}

// AllPortfolioImports is PortfolioImports to the end.
func (c *Client) AllPortfolioImports(ctx context.Context, portfolio int64) iter.Seq2[PortfolioImport, error] {
	return pages(func(after string) ([]PortfolioImport, string, error) {
		found, err := c.PortfolioImports(ctx, portfolio, after, pageSize)
		return found.Imports, found.Cursor, err
	})
}

// AllKYCAudits is KYCAudits to the end.
func (c *Client) AllKYCAudits(ctx context.Context, f KYCAuditFilter) iter.Seq2[KYCAudit, error] {
	f.PageSize = or(f.PageSize, pageSize)
	return pages(func(after string) ([]KYCAudit, string, error) {
		f.After = after
		return c.KYCAudits(ctx, f)
	})
}

// AllBankVerifications is BankVerifications to the end.
func (c *Client) AllBankVerifications(ctx context.Context, f BankVerificationFilter) iter.Seq2[BankVerificationRow, error] {
	f.Limit = or(f.Limit, pageSize)
	return pages(func(after string) ([]BankVerificationRow, string, error) {
		f.After = after
		list, err := c.BankVerifications(ctx, f)
		if err != nil || len(list) < f.Limit {
			return list, "", err
		}
		return list, list[len(list)-1].RequestID, nil
	})
}

// AllCompanyImages is CompanyImages to the end.
func (c *Client) AllCompanyImages(ctx context.Context, q ImageQuery) iter.Seq2[Image, error] {
	q.PageSize = or(q.PageSize, pageSize)
	return numbered(q.PageSize, func(i Image) string { return i.ID }, func(page int) (list []Image, err error) {
		q.Page = page
		list, _, err = c.CompanyImages(ctx, q)
		return list, err
	})
}

// AllIdentityHistory is IdentityHistory to the end.
func (c *Client) AllIdentityHistory(ctx context.Context, f IdentityFilter) iter.Seq2[IdentityRow, error] {
	f.PageSize = or(f.PageSize, pageSize)
	return numbered(f.PageSize, func(r IdentityRow) string { return r.UniqueID }, func(page int) (list []IdentityRow, err error) {
		f.Page = page
		list, _, err = c.IdentityHistory(ctx, f)
		return list, err
	})
}

// AllProfiles is Profiles to the end.
func (c *Client) AllProfiles(ctx context.Context, f ProfileFilter) iter.Seq2[KYCProfile, error] {
	f.PageSize = or(f.PageSize, pageSize)
	return numbered(f.PageSize, func(p KYCProfile) string { return p.ID }, func(page int) (list []KYCProfile, err error) {
		f.Page = page
		list, _, err = c.Profiles(ctx, f)
		return list, err
	})
}

// AllProfileNotes is ProfileNotes to the end.
func (c *Client) AllProfileNotes(ctx context.Context, id string, f NoteFilter) iter.Seq2[ProfileNote, error] {
	f.PageSize = or(f.PageSize, pageSize)
	return numbered(f.PageSize, func(n ProfileNote) string { return n.ID }, func(page int) (list []ProfileNote, err error) {
		f.Page = page
		list, _, err = c.ProfileNotes(ctx, id, f)
		return list, err
	})
}

// AllProfileSearches is ProfileSearches to the end.
func (c *Client) AllProfileSearches(ctx context.Context, id string, f LinkFilter) iter.Seq2[Screening, error] {
	f.PageSize = or(f.PageSize, pageSize)
	return numbered(f.PageSize, func(s Screening) string { return s.ID }, func(page int) (list []Screening, err error) {
		f.Page = page
		list, _, err = c.ProfileSearches(ctx, id, f)
		return list, err
	})
}

// reportsAtOnce is the largest page of reports.
const reportsAtOnce = 100

// AllKYCReports is KYCReports to the end.
func (c *Client) AllKYCReports(ctx context.Context, f KYCReportFilter) iter.Seq2[KYCReport, error] {
	f.PageSize = or(f.PageSize, reportsAtOnce)
	return numbered(f.PageSize, func(r KYCReport) string { return r.ID }, func(page int) (list []KYCReport, err error) {
		f.Page = page
		list, _, err = c.KYCReports(ctx, f)
		return list, err
	})
}

// AllBatchUploads is BatchUploads to the end.
func (c *Client) AllBatchUploads(ctx context.Context, f BatchFilter) iter.Seq2[BatchUpload, error] {
	f.PageSize = or(f.PageSize, pageSize)
	return numbered(f.PageSize, func(b BatchUpload) string { return b.ID }, func(page int) (list []BatchUpload, err error) {
		f.Page = page
		list, _, err = c.BatchUploads(ctx, f)
		return list, err
	})
}

// AllAMLJobs is AMLJobs to the end.
func (c *Client) AllAMLJobs(ctx context.Context, statuses ...string) iter.Seq2[AMLJob, error] {
	return numbered(pageSize, func(j AMLJob) string { return j.ID }, func(page int) (list []AMLJob, err error) {
		list, _, err = c.AMLJobs(ctx, page, pageSize, statuses...)
		return list, err
	})
}

// AllAMLJobCriteria is AMLJobCriteria to the end.
func (c *Client) AllAMLJobCriteria(ctx context.Context, id string, statuses ...string) iter.Seq2[JobCriterion, error] {
	return numbered(pageSize, func(j JobCriterion) string { return j.ID }, func(page int) (list []JobCriterion, err error) {
		list, _, err = c.AMLJobCriteria(ctx, id, page, pageSize, statuses...)
		return list, err
	})
}

// AllProtectAudits is ProtectAudits to the end.
func (c *Client) AllProtectAudits(ctx context.Context, f ProtectAuditFilter) iter.Seq2[ProtectAudit, error] {
	f.PageSize = or(f.PageSize, pageSize)
	return numbered(f.PageSize, func(a ProtectAudit) string { return a.ID }, func(page int) ([]ProtectAudit, error) {
		f.Page = page
		return c.ProtectAudits(ctx, f)
	})
}

// or is a number, or another where it is not set.
func or(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}
