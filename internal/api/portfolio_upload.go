package api

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

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
	var file monitor.Upload
	var email string
	kept, begun := false, false
	defer func() {
		if kept && !begun {
			_ = s.Imports.Drop(context.WithoutCancel(r.Context()), file) // else it is forgotten in time
		}
	}()
	form := fileForm{
		field: "importcsv", most: monitor.MaxFileSize, texts: map[string]*string{"email": &email},
		keep: func(_ string, in io.Reader) (err error) {
			file, err = s.Imports.Upload(r.Context(), in)
			kept = err == nil
			return err
		},
	}
	if err := form.read(w, r); err != nil {
		s.fail(w, r, err)
		return
	}
	begin := func(w http.ResponseWriter, r *http.Request) {
		i, err := s.Imports.Begin(r.Context(), by, id, sync, file, email)
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
		sum := requestSum([]byte(r.URL.Path), []byte(r.URL.RawQuery), file.Sum[:], []byte(email))
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
