package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// A ReportRequest says what to tell about a company. The zero request asks for
// the whole report in English.
type ReportRequest struct {
	Language string   // two letters
	Template string   // a set of sections: full, summary, financial or people
	Sections []string // only these, such as "CompanySummary"
	// CustomData are pairs that some countries ask for, such as
	// "de_reason_code" and "1".
	CustomData map[string]string
}

// A Report is what is known about a company. Its parts that most programs want
// have fields; Raw is the whole as it came.
type Report struct {
	CompanyID   string `json:"companyId"`
	Language    string `json:"language"`
	DateOfOrder string `json:"dateOfOrder"`
	Report      struct {
		Summary struct {
			BusinessName string `json:"businessName"`
			Country      string `json:"country"`
			Number       string `json:"companyRegistrationNumber"`
			Status       struct {
				Status      string `json:"status"`
				Description string `json:"description"`
			} `json:"companyStatus"`
			Rating struct {
				Band        string `json:"commonValue"`
				Description string `json:"commonDescription"`
				Limit       struct {
					Currency string `json:"currency"`
					Value    string `json:"value"`
				} `json:"creditLimit"`
				Provider struct {
					Value string `json:"value"`
				} `json:"providerValue"`
				Assessment string `json:"assessment"`
			} `json:"creditRating"`
		} `json:"companySummary"`
		Additional struct {
			Sources []string `json:"sources"`
		} `json:"additionalInformation"`
	} `json:"report"`

	Raw json.RawMessage `json:"-"`
}

// CompanyReport reads a company's report. A large one is fetched from where the
// service says it lies.
func (c *Client) CompanyReport(ctx context.Context, connectID string, r ReportRequest) (Report, error) {
	var raw json.RawMessage
	call := Call{Method: http.MethodGet, Path: "/companies/" + url.PathEscape(connectID), Query: r.query(), Out: &raw}
	if err := c.Do(ctx, call); err != nil {
		return Report{}, err
	}
	out := Report{Raw: raw}
	return out, json.Unmarshal(raw, &out)
}

// CompanyReportPDF reads a company's report as a PDF. Template and Sections make
// no difference to it: it is always the whole report.
func (c *Client) CompanyReportPDF(ctx context.Context, connectID string, r ReportRequest) ([]byte, error) {
	var out struct {
		Stream []byte `json:"pdfReportStream"`
	}
	call := Call{
		Method: http.MethodGet, Path: "/companies/" + url.PathEscape(connectID), Query: r.query(), Out: &out,
		accept: "application/json+pdf",
	}
	err := c.Do(ctx, call)
	return out.Stream, err
}

func (r ReportRequest) query() url.Values {
	q := url.Values{}
	if r.Template != "" {
		q.Set("template", r.Template)
	}
	if r.Language != "" {
		q.Set("language", r.Language)
	}
	if len(r.Sections) > 0 {
		q.Set("reportSections", strings.Join(r.Sections, ","))
	}
	var pairs []string
	for k, v := range r.CustomData {
		pairs = append(pairs, k+"::"+v)
	}
	if len(pairs) > 0 {
		q.Set("customData", strings.Join(pairs, ","))
	}
	return q
}

// ReportSchema reads the JSON Schema of a country's reports.
func (c *Client) ReportSchema(ctx context.Context, country string) (json.RawMessage, error) {
	var out json.RawMessage
	err := c.get(ctx, "/companies/schema/"+url.PathEscape(country), &out)
	return out, err
}

// A CustomDatum is something that a country wants to know before it lets a
// report be read.
type CustomDatum struct {
	Key           string   `json:"key"`
	Optional      bool     `json:"optional"`
	AllowedValues []string `json:"allowedValues"`
	Description   []string `json:"description"`
}

// ReportCustomData lists what a country wants to know.
func (c *Client) ReportCustomData(ctx context.Context, country string) ([]CustomDatum, error) {
	var out struct {
		CustomData []CustomDatum `json:"customData"`
	}
	err := c.get(ctx, "/reportcustomdata/"+url.PathEscape(country), &out)
	return out.CustomData, err
}
