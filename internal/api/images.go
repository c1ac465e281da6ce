package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// imageRows are the calls about documents that were filed.
func (s *Server) imageRows() []route {
	return []route{
		get("/images/companies", auth.Images, "companyImages", "A company's documents", s.companyImages, free, mayMiss,
			about("Documents that were filed about a company, the newest first. Name the company by id, or by country and localId.")),
		get("/images/companies/types", auth.Images, "imageTypes", "Which documents there are", s.imageTypes, free,
			about("For each country: the kinds of document, the languages and formats, and what an id looks like.")),
		s.imageRow(),
	}
}

type imagesIn struct {
	caller
	ID        string `query:"id" doc:"The company's connectId, or its safe number." example:"GB-0-03836192"`
	Country   string `query:"country" doc:"Two letters, beside localId."`
	LocalID   string `query:"localId" doc:"The company's number in its register, beside country."`
	Type      string `query:"imageType" doc:"Only documents of this type: one of /images/companies/types."`
	Language  string `query:"language" doc:"Only documents in this language: two letters."`
	NewerThan string `query:"newerThan" doc:"Only documents filed on this day or later." example:"2025-01-31"`
	OlderThan string `query:"olderThan" doc:"Only documents filed on this day or earlier."`
	Page      int    `query:"page" default:"1" minimum:"1" maximum:"100000" doc:"Which page; the first is 1."`
	PageSize  int    `query:"pageSize" default:"50" minimum:"1" maximum:"1000" doc:"Documents on a page."`
}

type imagesJSON struct {
	CorrelationID string      `json:"correlationId"`
	TotalSize     int64       `json:"totalSize"`
	Data          []imageJSON `json:"data"`
}

type imageJSON struct {
	ImageID         string            `json:"imageId"`
	Company         imageCompanyJSON  `json:"company"`
	Document        imageDocumentJSON `json:"document"`
	Format          string            `json:"format" enum:"PDF,PNG,JPEG,TIFF"`
	Source          string            `json:"source"`
	FilingDate      string            `json:"filingDate,omitempty"`
	UploadDate      string            `json:"uploadDate"`
	AccountingDate  string            `json:"accountingDate,omitempty"`
	Language        string            `json:"language,omitempty"`
	Comments        string            `json:"comments,omitempty"`
	Status          string            `json:"status" enum:"Available"`
	Formats         []string          `json:"availableFormats"`
	Size            int64             `json:"size" doc:"In bytes."`
	LocalProperties imagePropertyJSON `json:"localProperties"`
}

type imageCompanyJSON struct {
	ID      string `json:"id"`
	LocalID string `json:"localId,omitempty"`
	Country string `json:"country"`
	Name    string `json:"name,omitempty"`
	Type    string `json:"type,omitempty"`
}

type imageDocumentJSON struct {
	Type        string `json:"imageType"`
	Code        string `json:"imageCode"`
	Description string `json:"description"`
}

type imagePropertyJSON struct {
	Reference string `json:"accountRefNumber"`
}

// query says which documents are asked for, or every value that is wrong.
func (in *imagesIn) query() (q company.DocumentQuery, err error) {
	var wrong []string
	q = company.DocumentQuery{
		Language: strings.ToLower(in.Language), From: company.Date(in.NewerThan), To: company.Date(in.OlderThan),
		Skip: (in.Page - 1) * in.PageSize, Limit: in.PageSize,
	}
	if in.ID == "" && (in.Country == "" || in.LocalID == "") {
		wrong = append(wrong, "id: name the company by id, or by country and localId")
	}
	if in.Language != "" && !twoLetters.MatchString(in.Language) {
		wrong = append(wrong, fmt.Sprintf("language: %q is not a language: use two letters such as en", in.Language))
	}
	if in.Type != "" {
		kinds := company.DocumentKinds()
		i := slices.IndexFunc(kinds, func(k company.DocumentKind) bool {
			return strings.EqualFold(k.Code, in.Type) || strings.EqualFold(k.Text, in.Type)
		})
		if i < 0 {
			wrong = append(wrong, fmt.Sprintf("imageType: there is no type %q; /images/companies/types lists them", in.Type))
		} else {
			q.Kind = kinds[i].Code
		}
	}
	for name, day := range map[string]string{"newerThan": in.NewerThan, "olderThan": in.OlderThan} {
		if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
			wrong = append(wrong, fmt.Sprintf("%s: %q is no day: write it as 2006-01-02", name, day))
		}
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return q, fault.Invalid.Details("Bad request", wrong...)
	}
	return q, nil
}

func (s *Server) companyImages(ctx context.Context, in *imagesIn) (*reply[imagesJSON], error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	id := in.ID
	if id == "" {
		id = string(company.NewID(in.Country, in.LocalID))
	}
	c, err := s.Companies.Lookup(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := s.Gate.Allow(ctx, in.by, auth.Images, c.ID.Country()); err != nil {
		return nil, err
	}
	q.Company = c.ID
	list, total, err := s.Documents.Documents(ctx, q)
	if err != nil {
		return nil, err
	}
	out := imagesJSON{CorrelationID: in.correlation, TotalSize: total, Data: []imageJSON{}}
	for _, d := range list {
		out.Data = append(out.Data, toImageJSON(c, d))
	}
	return ok(out), nil
}

func toImageJSON(c company.Company, d company.Document) imageJSON {
	kind := d.Kind
	for _, k := range company.DocumentKinds() {
		if k.Code == d.Kind {
			kind = k.Text
		}
	}
	return imageJSON{
		ImageID: d.ID, Format: d.Media.Format(), Formats: []string{d.Media.Format()}, Source: d.Source,
		Company:    imageCompanyJSON{ID: string(c.ID), LocalID: c.RegNo, Country: c.ID.Country(), Name: c.Name, Type: string(c.Kind)},
		Document:   imageDocumentJSON{Type: kind, Code: d.Kind, Description: d.Text},
		FilingDate: dateOut(d.Filed), UploadDate: d.UploadedAt.UTC().Format("2006-01-02T15:04:05Z"), AccountingDate: dateOut(d.AccountsTo),
		Language: d.Language, Comments: d.Comment, Status: "Available", Size: d.Size,
		LocalProperties: imagePropertyJSON{Reference: d.Reference},
	}
}

var imageID = regexp.MustCompile(`^[A-Z]{2}-[0-9a-f]{20}$`)

// imageRow is the document itself, which is no JSON.
func (s *Server) imageRow() route {
	r := guardedRaw(http.MethodGet, "/images/{imageId}", auth.Images, "companyImage", "A document", s.companyImage)
	inner := r.register
	r.about = "The document as it was filed: a PDF, PNG, JPEG or TIFF, with its length. Parts of it can be asked for with Range."
	r.register = func(s *Server, r route) {
		inner(s, r)
		op := s.api.OpenAPI().Paths["/images/{imageId}"].Get
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: "imageId", In: "path", Required: true, Description: "An imageId of /images/companies.",
			Schema: &huma.Schema{Type: huma.TypeString}, Example: "GB-0123456789abcdef0123",
		})
		content := map[string]*huma.MediaType{}
		for _, m := range []company.Media{company.PDF, company.PNG, company.JPEG, company.TIFF} {
			content[string(m)] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
		}
		op.Responses["200"] = &huma.Response{Description: "The document.", Content: content}
		op.Responses["206"] = &huma.Response{Description: "The part of it that was asked for.", Content: content}
		op.Responses["400"] = s.errorResponse("There is no such document.")
		op.Responses["416"] = &huma.Response{Description: "It is shorter than that.", Content: map[string]*huma.MediaType{"text/plain": {Schema: &huma.Schema{Type: huma.TypeString}}}}
		delete(op.Responses, "404")
	}
	return r
}

// companyImage streams a document. What is not there is a 400, which is what
// clients of this call know.
func (s *Server) companyImage(w http.ResponseWriter, r *http.Request, by auth.Caller) {
	id := r.PathValue("imageId")
	d, err := s.Documents.Document(r.Context(), id)
	if !imageID.MatchString(id) || errors.Is(err, fault.Missing) {
		err = fault.Invalid.Details("Image resource not found", fmt.Sprintf("imageId: there is no image %q", fault.Clip(id)))
	}
	if err == nil {
		err = s.Gate.Allow(r.Context(), by, auth.Images, d.Company.Country())
	}
	if err == nil && r.Method != http.MethodHead {
		err = s.Gate.CountRead(r.Context(), by, auth.Images, d.Company.Country(), "image="+d.ID)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", string(d.Media))
	h.Set("Content-Disposition", `inline; filename="`+d.ID+"."+strings.ToLower(d.Media.Format())+`"`)
	// What was filed by anybody must not run as part of a page of ours.
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", strconv.Quote(d.Digest))
	http.ServeContent(w, r, "", d.UploadedAt, &documentReader{ctx: r.Context(), store: s.Documents, d: d})
}

// A documentReader reads a document from anywhere. It belongs to one call, whose
// context it keeps: io.ReadSeeker has no place for one.
type documentReader struct {
	ctx   context.Context
	store company.DocumentStore
	d     company.Document
	at    int64
	from  io.Reader
}

func (r *documentReader) Read(p []byte) (int, error) {
	if r.at >= r.d.Size {
		return 0, io.EOF
	}
	if r.from == nil {
		r.from = r.store.OpenDocument(r.ctx, r.d, r.at)
	}
	n, err := r.from.Read(p)
	r.at += int64(n)
	return n, err
}

func (r *documentReader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.d.Size
	}
	if offset < 0 {
		return 0, errors.New("seek before the beginning")
	}
	r.at, r.from = offset, nil
	return offset, nil
}
