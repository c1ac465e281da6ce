package api

import (
	"context"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/monitor"
)

// importRows are the files that fill a portfolio. Sending one is a raw row; see
// portfolio_upload.go.
func (s *Server) importRows() []route {
	const file = "A CSV file in UTF-8, with commas, semicolons or tabs. Its first line names the columns: id (a connectId or safe number), " +
		"or countryCode and regNo; and if you like reference, personalLimit, notes. A file without such a line has one id a line. " +
		"At most 50 MB and 1,000,000 lines. It is taken in in the background: importId leads to the result."
	return []route{
		uploadRow("/monitoring/portfolios/{portfolioId}/import", "importPortfolio", "Add the companies of a file", false,
			about("Companies that are in the portfolio already, or in the file twice, stay as they are. "+file)),
		uploadRow("/monitoring/portfolios/{portfolioId}/companies/import", "importPortfolioCompanies", "Add the companies of a file (older path)", false,
			about("The same as /monitoring/portfolios/{portfolioId}/import.")),
		uploadRow("/monitoring/portfolios/{portfolioId}/sync", "syncPortfolio", "Make a file the portfolio's content", true,
			about("Companies that the file does not name are removed; notes of those that stay are replaced. A company that a line names which cannot be taken stays as it is; "+
				"while there is a line of which it cannot be told whom it names, none is removed, and the result says so. It happens at once or not at all. "+file)),
		get("/monitoring/portfolios/{portfolioId}/imports", auth.Monitoring, "portfolioImports", "The files that were sent to a portfolio", s.imports,
			free, about("The newest first. They are remembered for 30 days.")),
		get("/monitoring/portfolios/{portfolioId}/imports/{importId}", auth.Monitoring, "portfolioImport", "What became of a file", s.importResult,
			free, about("How far it has come, what it did, and the lines that could not be taken.")),
	}
}

// importSummaryJSON is what became of a file.
type importSummaryJSON struct {
	ImportID     int64   `json:"importId"`
	PortfolioID  int64   `json:"portfolioId"`
	Type         string  `json:"type" enum:"import,sync"`
	State        string  `json:"state" enum:"waiting,working,done,failed"`
	Percent      int     `json:"percent" minimum:"0" maximum:"100" doc:"How much of the file was read."`
	Error        *string `json:"error" doc:"Why it failed; null if it did not."`
	Rows         int64   `json:"rows" doc:"Lines that name something: the sum of added, alreadyThere, unknown and refused once it is done."`
	Added        int64   `json:"added"`
	AlreadyThere int64   `json:"alreadyThere" doc:"Companies that were in the portfolio, or were in the file before."`
	Unknown      int64   `json:"unknown" doc:"Companies that the register does not hold."`
	Refused      int64   `json:"refused" doc:"Lines that make no sense, and companies that you may not monitor."`
	Removed      int64   `json:"removed" doc:"Companies that a sync took out."`
	Kept         int64   `json:"kept" doc:"Companies that a sync left in because a line that could not be taken names them, or may."`
	Note         *string `json:"note" doc:"That a sync took nothing out, and why; null if there is nothing to say."`
	CreatedDate  string  `json:"createdDate" example:"2026-02-28T05:33:02"`
	StartedDate  *string `json:"startedDate"`
	FinishedDate *string `json:"finishedDate"`
}

type importJSON struct {
	CorrelationID string `json:"correlationId"`
	importSummaryJSON
	Problems  []importProblemJSON `json:"problems" doc:"The lines that are unknown or refused, at most the first 1,000."`
	Truncated bool                `json:"truncated" doc:"There are more than are listed."`
}

type importProblemJSON struct {
	Line   int    `json:"line" doc:"In the file, from 1."`
	Value  string `json:"value" doc:"The company as the file names it."`
	Reason string `json:"reason"`
}

func toImportSummary(i *monitor.Import) importSummaryJSON {
	kind := "import"
	if i.Sync {
		kind = "sync"
	}
	return importSummaryJSON{
		ImportID: int64(i.ID), PortfolioID: int64(i.Portfolio), Type: kind, State: i.State, Percent: i.Percent,
		Error: textOrNull(i.Error), Rows: i.Rows, Added: i.Added, AlreadyThere: i.There,
		Unknown: i.Unknown, Refused: i.Refused, Removed: i.Removed, Kept: i.Kept, Note: textOrNull(i.Note),
		CreatedDate: naive(i.CreatedAt), StartedDate: naiveOrNull(i.StartedAt), FinishedDate: naiveOrNull(i.FinishedAt),
	}
}

type importIn struct {
	caller
	Portfolio int64 `path:"portfolioId" minimum:"1" doc:"The portfolio's number."`
	Import    int64 `path:"importId" minimum:"1" doc:"The import's number."`
}

func (s *Server) importResult(ctx context.Context, in *importIn) (*reply[importJSON], error) {
	i, err := s.Imports.Get(ctx, in.by, monitor.PortfolioID(in.Portfolio), monitor.ImportID(in.Import))
	if err != nil {
		return nil, err
	}
	out := importJSON{
		CorrelationID: in.correlation, importSummaryJSON: toImportSummary(&i),
		Problems: make([]importProblemJSON, 0, len(i.Problems)), Truncated: i.Truncated(),
	}
	for _, p := range i.Problems {
		out.Problems = append(out.Problems, importProblemJSON(p))
	}
	return ok(out), nil
}

type importsIn struct {
	caller
	PageFilter
	Portfolio int64 `path:"portfolioId" minimum:"1" doc:"The portfolio's number."`
}

type importsJSON struct {
	CorrelationID string              `json:"correlationId"`
	Total         int64               `json:"totalCount" doc:"How many there are on all pages."`
	Data          []importSummaryJSON `json:"data"`
	Paging        pagingJSON          `json:"paging"`
	Cursor        *string             `json:"cursor" doc:"Hand it back as after to read on; null at the end."`
}

func (s *Server) imports(ctx context.Context, in *importsIn) (*reply[importsJSON], error) {
	list := fmt.Sprint("imports of ", in.Portfolio)
	// One more than fits tells whether anything comes behind.
	q := monitor.ImportQuery{Limit: in.Size + 1}
	var err error
	if q.Skip, err = in.place(s, in.by, list, &q.Before); err != nil {
		return nil, err
	}
	found, total, err := s.Imports.List(ctx, in.by, monitor.PortfolioID(in.Portfolio), q)
	if err != nil {
		return nil, err
	}
	out := importsJSON{
		CorrelationID: in.correlation, Total: total, Data: []importSummaryJSON{}, Paging: in.paging(total),
	}
	if len(found) > in.Size {
		found = found[:in.Size]
		cursor := s.sealCursor(in.by, list, found[in.Size-1].ID)
		out.Cursor = &cursor
	}
	for i := range found {
		out.Data = append(out.Data, toImportSummary(&found[i]))
	}
	return ok(out), nil
}
