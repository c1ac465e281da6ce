package client

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// ImageQuery says which documents of a company to list. The zero query, but for
// the company, asks for the first page of all.
type ImageQuery struct {
	Company   string // its connectId
	Type      string // one of ImageTypes
	Language  string // two letters
	NewerThan string // filed on this day or later: 2006-01-02
	OlderThan string
	Page      int // from 1
	PageSize  int
}

// An Image is a document that was filed.
type Image struct {
	ID      string `json:"imageId"`
	Company struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"company"`
	Document struct {
		Type        string `json:"imageType"`
		Code        string `json:"imageCode"`
		Description string `json:"description"`
	} `json:"document"`
	Format         string `json:"format"`
	Source         string `json:"source"`
	FilingDate     string `json:"filingDate"`
	UploadDate     string `json:"uploadDate"`
	AccountingDate string `json:"accountingDate"`
	Language       string `json:"language"`
	Comments       string `json:"comments"`
	Size           int64  `json:"size"`
}

// CompanyImages lists a company's documents, the newest first, and says how many
// there are in all.
func (c *Client) CompanyImages(ctx context.Context, q ImageQuery) (list []Image, total int64, err error) {
	v := url.Values{"id": {q.Company}}
	for name, value := range map[string]string{
		"imageType": q.Type, "language": q.Language, "newerThan": q.NewerThan, "olderThan": q.OlderThan,
	} {
		if value != "" {
			v.Set(name, value)
		}
	}
	if q.Page > 0 {
		v.Set("page", strconv.Itoa(q.Page))
	}
	if q.PageSize > 0 {
		v.Set("pageSize", strconv.Itoa(q.PageSize))
	}
	var out struct {
		TotalSize int64   `json:"totalSize"`
		Data      []Image `json:"data"`
	}
	err = c.Do(ctx, Call{Method: http.MethodGet, Path: "/images/companies", Query: v, Out: &out})
	return out.Data, out.TotalSize, err
}

// ImageTypes are what documents of a country can be.
type ImageTypes struct {
	Country   string `json:"country"`
	Languages []struct {
		Language string `json:"language"`
		Types    []struct {
			Type        string   `json:"type"`
			Description string   `json:"description"`
			Formats     []string `json:"availableImageFormats"`
		} `json:"filingTypes"`
	} `json:"availableLanguages"`
}

// ImageTypes lists them; without countries, for all that you may use.
func (c *Client) ImageTypes(ctx context.Context, countries ...string) (out []ImageTypes, err error) {
	v := url.Values{}
	if len(countries) > 0 {
		v.Set("countries", strings.Join(countries, ","))
	}
	err = c.Do(ctx, Call{Method: http.MethodGet, Path: "/images/companies/types", Query: v, Out: &out})
	return out, err
}

// Image writes a document to w as it comes.
func (c *Client) Image(ctx context.Context, imageID string, w io.Writer) error {
	return c.Do(ctx, Call{Method: http.MethodGet, Path: "/images/" + url.PathEscape(imageID), accept: "*/*", write: w})
}
