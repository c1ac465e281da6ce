package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// maxUpload is a file and what stands around it in the body.
const maxUpload = monitor.MaxFileSize + 1<<20

// uploadTime is how long a file may take to arrive: its sender is known, and
// some lines are slow.
const uploadTime = 15 * time.Minute

// uploadRow is a row that takes a file. It goes to the database as it comes, so
// the row reads its body itself.
func uploadRow(pattern, id, summary string, sync bool, more ...func(*route)) route {
	r := route{method: http.MethodPost, pattern: pattern, product: auth.Monitoring, id: id, summary: summary, creates: true}
	for _, f := range more {
		f(&r)
	}
	r.register = func(s *Server, r route) {
		s.router.HandleFunc(r.method+" "+r.pattern, s.guarded(r.product, func(w http.ResponseWriter, req *http.Request, by auth.Caller) {
			s.upload(w, req, by, r, sync)
		}))
		s.describeUpload(r)
	}
	return r
}

func (s *Server) describeUpload(r route) {
	op := r.operation()
	op.Parameters = append(op.Parameters, &huma.Param{
		Name: "portfolioId", In: "path", Required: true, Description: "The portfolio's number.",
		Schema: &huma.Schema{Type: huma.TypeInteger, Format: "int64"},
	})
	op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		"multipart/form-data": {Schema: &huma.Schema{
			Type: huma.TypeObject, Required: []string{"importcsv"},
			Properties: map[string]*huma.Schema{
				"importcsv": {Type: huma.TypeString, Format: "binary", Description: "The file. importCsv is taken as well."},
				"email":     {Type: huma.TypeString, Format: "email", Description: "Who wants to hear of the result."},
			},
		}},
	}}
	op.Responses["200"] = jsonResponse("The file was accepted.", s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[acceptedJSON](), true, ""))
	for _, status := range append(op.Errors, http.StatusConflict, http.StatusRequestEntityTooLarge) {
		op.Responses[strconv.Itoa(status)] = s.errorResponse(http.StatusText(status))
	}
	s.api.OpenAPI().AddOperation(&op)
}

type acceptedJSON struct {
	CorrelationID string `json:"correlationId"`
	Status        string `json:"status" example:"Accepted for processing. Import Id 100017"`
	ImportID      int64  `json:"importId" doc:"Where to ask for the result: …/imports/{importId}."`
}

// upload takes a file for a portfolio. Who may not send one is told before it
// is read.
func (s *Server) upload(w http.ResponseWriter, r *http.Request, by auth.Caller, rt route, sync bool) {
	id, err := portfolioOf(r)
	if err == nil {
		err = s.Imports.May(r.Context(), by, id, sync)
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	form, err := s.readUpload(w, r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	begun := false
	defer func() {
		if !begun {
			_ = s.Imports.Drop(context.WithoutCancel(r.Context()), form.file) // else it is forgotten in time
		}
	}()
	begin := func(w http.ResponseWriter, r *http.Request) {
		i, err := s.Imports.Begin(r.Context(), by, id, sync, form.file, form.email)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		begun = true
		if err := s.Gate.Count(context.WithoutCancel(r.Context()), by, rt.product, ""); err != nil {
			s.fail(w, r, err)
			return
		}
		writeJSON(w, http.StatusOK, acceptedJSON{
			CorrelationID: w.Header().Get(CorrelationHeader), ImportID: int64(i.ID),
			Status: fmt.Sprintf("Accepted for processing. Import Id %d", i.ID),
		})
	}
	if key := r.Header.Get("Idempotency-Key"); key != "" {
		sum := requestSum([]byte(r.URL.Path), []byte(r.URL.RawQuery), form.file.Sum[:], []byte(form.email))
		s.onceFor(w, r, rt, by, key, sum, begin)
		return
	}
	begin(w, r)
}

// portfolioOf reads the portfolio in a path.
func portfolioOf(r *http.Request) (monitor.PortfolioID, error) {
	text := r.PathValue("portfolioId")
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, fault.Invalid.Errorf("portfolioId: %q is not a portfolio's number", fault.Clip(text))
	}
	return monitor.PortfolioID(n), nil
}

// uploadForm is what came in a multipart body.
type uploadForm struct {
	file  monitor.Upload
	email string
}

// readUpload reads a multipart body, and keeps its file as it comes.
func (s *Server) readUpload(w http.ResponseWriter, r *http.Request) (form uploadForm, err error) {
	late := time.Now().Add(uploadTime)
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(late) // a connection without deadlines has no need of later ones
	_ = conn.SetWriteDeadline(late.Add(time.Minute))
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	parts, err := r.MultipartReader()
	if err != nil {
		return form, fault.Invalid.Errorf("importcsv: send the file as multipart/form-data, in a part of this name")
	}
	has := false
	defer func() {
		if err != nil && has {
			_ = s.Imports.Drop(context.WithoutCancel(r.Context()), form.file)
		}
	}()
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return form, bodyFault(err)
		}
		switch strings.ToLower(part.FormName()) {
		case "importcsv":
			if has {
				return form, fault.Invalid.Errorf("importcsv: one file at a time")
			}
			if form.file, err = s.Imports.Upload(r.Context(), sent{part}); err != nil {
				return form, err
			}
			has = true
		case "email":
			b, err := io.ReadAll(io.LimitReader(sent{part}, 1024))
			if err != nil {
				return form, err
			}
			form.email = strings.TrimSpace(string(b))
		}
	}
	if !has {
		return form, fault.Invalid.Errorf("importcsv: the file is missing")
	}
	return form, nil
}

// sent reads a part of a body. What is wrong with it is its sender's to know.
type sent struct{ part *multipart.Part }

func (s sent) Read(p []byte) (int, error) {
	n, err := s.part.Read(p)
	if err != nil && !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = bodyFault(err)
	}
	return n, err
}

func bodyFault(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return fault.TooLarge.Errorf("importcsv: the body is larger than a file of %d MB", monitor.MaxFileSize>>20)
	}
	return fault.Invalid.Errorf("the body could not be read to its end")
}
