package api

import (
	"encoding/json"
	"fmt"
	"strings"

	"bureau/internal/company"
	"bureau/internal/pdf"
)

// pdfReplyJSON is a report as a PDF, in the form that clients read.
type pdfReplyJSON struct {
	CorrelationID  string   `json:"correlationID"`
	FailedSections []string `json:"failedSections"`
	Stream         []byte   `json:"pdfReportStream" doc:"The PDF, in Base64."`
	CompanyID      string   `json:"companyID"`
	DateOfOrder    string   `json:"dateOfOrder"`
	Language       string   `json:"language"`
	UserID         int64    `json:"userID"`
}

func (s *Server) pdfReport(r company.Report, o reportOrder) ([]byte, error) {
	p := &reportPaper{
		words: o.words, w: reportWriter{o.words}, r: r, today: s.Gate.Now().UTC(),
		Paper: s.Fonts.New(pdf.Head{
			Title: r.Name, ID: string(r.ID), Date: s.Gate.Now().UTC().Format("2006-01-02"), Made: s.Gate.Now().UTC(),
			Source: o.words.sayOf("source", strings.Join(r.Sources, ", ")), Trace: o.correlation,
			Page: o.words.say("page"), Language: o.words.code, Romanised: o.words.say("romanised"),
		}),
	}
	p.write()
	b, err := p.Bytes()
	if err != nil {
		return nil, fmt.Errorf("report on %s: %w", r.ID, err)
	}
	out, err := json.Marshal(pdfReplyJSON{
		CorrelationID: o.correlation, FailedSections: []string{}, Stream: b, CompanyID: string(r.ID),
		DateOfOrder: s.orderedAt(), Language: o.words.code, UserID: int64(o.account),
	})
	if err != nil {
		return nil, fmt.Errorf("report on %s: %w", r.ID, err)
	}
	return append(out, '\n'), nil
}
