package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
)

// A PortfolioFile is a CSV file of companies. Its first line names the columns:
// id, or countryCode and regNo; and reference, personalLimit, notes. Without
// such a line it is one id a line.
type PortfolioFile struct {
	Name  string // such as companies.csv
	File  io.ReadSeeker
	Email string // who wants to hear of the result; may be empty
	Key   string // see Call.Key; may be empty
}

// ImportPortfolio sends a file whose companies are added to a portfolio, and
// returns the import's number. The service takes it in in the background;
// PortfolioImport tells how far it is.
func (c *Client) ImportPortfolio(ctx context.Context, portfolio int64, f PortfolioFile) (int64, error) {
	return c.sendFile(ctx, portfolio, "import", f)
}

// SyncPortfolio sends a file that becomes a portfolio's whole content.
func (c *Client) SyncPortfolio(ctx context.Context, portfolio int64, f PortfolioFile) (int64, error) {
	return c.sendFile(ctx, portfolio, "sync", f)
}

func (c *Client) sendFile(ctx context.Context, portfolio int64, what string, f PortfolioFile) (int64, error) {
	send := &form{part: "importcsv", name: f.Name, file: f.File}
	if f.Email != "" {
		send.fields = map[string]string{"email": f.Email}
	}
	var out struct {
		ImportID int64 `json:"importId"`
	}
	err := c.Do(ctx, Call{
		Method: http.MethodPost, Path: fmt.Sprintf("/monitoring/portfolios/%d/%s", portfolio, what),
		Key: f.Key, form: send, Out: &out,
	})
	return out.ImportID, err
}

// A PortfolioImport is a file that was sent to a portfolio, and what became of
// it.
type PortfolioImport struct {
	ImportID     int64   `json:"importId"`
	PortfolioID  int64   `json:"portfolioId"`
	Type         string  `json:"type"`  // import or sync
	State        string  `json:"state"` // waiting, working, done or failed
	Percent      int     `json:"percent"`
	Error        *string `json:"error"` // why it failed
	Rows         int64   `json:"rows"`
	Added        int64   `json:"added"`
	AlreadyThere int64   `json:"alreadyThere"`
	Unknown      int64   `json:"unknown"` // companies that the register does not hold
	Refused      int64   `json:"refused"` // lines that make no sense, companies that you may not monitor
	Removed      int64   `json:"removed"` // by a sync
	Kept         int64   `json:"kept"`    // by a sync, because of lines that could not be taken
	Note         *string `json:"note"`    // that a sync removed nothing, and why
	CreatedDate  string  `json:"createdDate"`
	StartedDate  *string `json:"startedDate"`
	FinishedDate *string `json:"finishedDate"`

	// Problems are the lines that are unknown or refused, the first thousand.
	// PortfolioImports leaves them out.
	Problems  []ImportProblem `json:"problems,omitempty"`
	Truncated bool            `json:"truncated,omitempty"`
}

// Over reports whether nothing more will happen to the import.
func (i *PortfolioImport) Over() bool { return i.State == "done" || i.State == "failed" }

// An ImportProblem is a line that could not be taken.
type ImportProblem struct {
	Line   int    `json:"line"`
	Value  string `json:"value"`
	Reason string `json:"reason"`
}

// PortfolioImport tells what became of a file.
func (c *Client) PortfolioImport(ctx context.Context, portfolio, id int64) (PortfolioImport, error) {
	var out PortfolioImport
	err := c.get(ctx, fmt.Sprintf("/monitoring/portfolios/%d/imports/%d", portfolio, id), &out)
	return out, err
}

// PortfolioImportsPage is a page of the files that were sent to a portfolio.
type PortfolioImportsPage struct {
	Imports []PortfolioImport `json:"data"`
	Total   int64             `json:"totalCount"`
	Cursor  string            `json:"cursor"` // for the next page; empty on the last
}

// PortfolioImports lists the files that were sent to a portfolio, the newest
// first, at most size of them. after is the cursor of the page before, or empty.
func (c *Client) PortfolioImports(ctx context.Context, portfolio int64, after string, size int) (PortfolioImportsPage, error) {
	q := url.Values{"pageSize": {strconv.Itoa(size)}}
	if after != "" {
		q.Set("after", after)
	}
	var out PortfolioImportsPage
	err := c.Do(ctx, Call{
		Method: http.MethodGet, Path: fmt.Sprintf("/monitoring/portfolios/%d/imports", portfolio), Query: q, Out: &out,
	})
	return out, err
}
