package api

import (
	"context"
	"net/http"
	"net/url"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

const batchPath = "/kyc-protect/batchUploads"

// kycBatchRows are the calls about files of subjects. How one is taken in is in
// kyc_batch_upload.go.
func (s *Server) kycBatchRows() []route {
	return []route{
		get(batchPath+"/template", auth.KYC, "batchTemplate", "An empty file of subjects", s.batchTemplate, free,
			about("Where a CSV with the columns of an upload, and nothing below them, can be fetched. The address needs no token and can be used for 15 minutes.")),
		batchUploadRow(),
		get(batchPath, auth.KYC, "batchUploads", "Your company's files", s.batchUploads, free, about("The newest first. Files are remembered for 30 days; their searches stay.")),
		get(batchPath+"/{uploadId}", auth.KYC, "batchUpload", "A file, and how far it has come", s.batchUpload, free, mayMiss,
			about("completed: every row was screened. partiallyCompleted: some were; the others are in the error file. rejected: the file as a whole made no sense, and nothing was screened.")),
		get(batchPath+"/{uploadId}/errors/download", auth.KYC, "batchErrors", "The rows that failed", s.batchErrors, free, mayMiss,
			about("Where a CSV of the rows that failed can be fetched, with the line and the reason of each. Corrected, it can be uploaded as it is. The address needs no token and can be used for 15 minutes.")),
		put(batchPath+"/{uploadId}/retry", auth.KYC, "retryBatch", "Screen the rows that failed again", s.retryBatch, free, accepted, mayMiss, clashes,
			about("A file that is still being worked on, that was rejected, or of which no row failed is 409.")),
	}
}

func (s *Server) batchTemplate(_ context.Context, in *noInput) (*reply[downloadJSON], error) {
	address, expires := s.signedFile(in.by, "batchTemplate", nil)
	return ok(downloadJSON{address, "subjects.csv", naive(expires), in.correlation}), nil
}

func (s *Server) writeBatchTemplate(w http.ResponseWriter, _ *http.Request, _ auth.Caller, _ url.Values) error {
	attach(w, "text/csv; charset=utf-8", "subjects.csv")
	_, _ = w.Write(kyc.BatchTemplate())
	return nil
}

// BatchJSON is a file of subjects. It is exported since it is a part of answers.
type BatchJSON struct {
	ID          string  `json:"id" format:"uuid"`
	Name        string  `json:"filename"`
	Status      string  `json:"status" enum:"submitted,validating,rejected,validated,insufficientCredits,queued,inProgress,processed,completed,partiallyCompleted,failed"`
	Rows        int64   `json:"rowCount" doc:"0 until the file was read."`
	Successes   int64   `json:"successCount" doc:"Rows that were screened, so far."`
	Failures    int64   `json:"errorCount" doc:"Rows that failed, so far."`
	Error       *string `json:"errorMessage" doc:"Why the file was rejected, or could not be finished."`
	UploadedAt  string  `json:"uploadedAt"`
	UploadedID  int64   `json:"uploadedById"`
	UploadedBy  string  `json:"uploadedBy"`
	CompletedAt *string `json:"completedAt" doc:"null while it is worked on."`
}

type oneBatchJSON struct {
	BatchJSON
	CorrelationID string `json:"correlationId"`
}

func (s *Server) toBatchJSON(b *kyc.Batch) BatchJSON {
	return BatchJSON{
		ID: string(b.ID), Name: b.Name, Status: b.Status(), Rows: b.Rows, Successes: b.Done, Failures: b.Failed, Error: textOrNull(b.Error),
		UploadedAt: naive(b.Created.At), UploadedID: int64(b.Created.By), UploadedBy: s.userName(b.Created.By), CompletedAt: naiveOrNull(b.FinishedAt),
	}
}

type batchUploadsIn struct {
	caller
	ProfilePage
	Statuses []string `query:"statuses,explode" doc:"Only files in these states."`
	By       int64    `query:"uploadedById" minimum:"0" doc:"Only files that this colleague uploaded."`
}

func (s *Server) batchUploads(ctx context.Context, in *batchUploadsIn) (*reply[kycListJSON[BatchJSON]], error) {
	q := kyc.BatchQuery{Kind: kyc.Upload, Account: auth.AccountID(in.By), Skip: in.skip(), Limit: in.Size}
	var wrong wrongs
	for _, word := range wordsOf(in.Statuses) {
		q.Statuses = append(q.Statuses, oneOf(&wrong, "statuses", word, kyc.BatchStatuses))
	}
	if err := wrong.fault(); err != nil {
		return nil, err
	}
	list, total, err := s.Batches.Store.Batches(ctx, in.by, q)
	if err != nil {
		return nil, err
	}
	out := kycListJSON[BatchJSON]{Items: []BatchJSON{}, TotalSize: total, CorrelationID: in.correlation}
	for i := range list {
		out.Items = append(out.Items, s.toBatchJSON(&list[i]))
	}
	return ok(out), nil
}

type batchIn struct {
	caller
	ID string `path:"uploadId" maxLength:"64" doc:"The file's id."`
}

func (s *Server) batchUpload(ctx context.Context, in *batchIn) (*reply[oneBatchJSON], error) {
	b, err := s.Batches.Get(ctx, in.by, kyc.Upload, in.ID)
	if err != nil {
		return nil, err
	}
	return ok(oneBatchJSON{s.toBatchJSON(&b), in.correlation}), nil
}

func (s *Server) retryBatch(ctx context.Context, in *batchIn) (*reply[oneBatchJSON], error) {
	b, err := s.Batches.Retry(ctx, in.by, in.ID)
	if err != nil {
		return nil, err
	}
	return ok(oneBatchJSON{s.toBatchJSON(&b), in.correlation}), nil
}

func (s *Server) batchErrors(ctx context.Context, in *batchIn) (*reply[downloadJSON], error) {
	b, err := s.Batches.Get(ctx, in.by, kyc.Upload, in.ID)
	if err != nil {
		return nil, err
	}
	address, expires := s.signedFile(in.by, "batchErrors", url.Values{"upload": {string(b.ID)}})
	// Who takes names away is on record.
	return ok(downloadJSON{address, "errors-" + b.Name, naive(expires), in.correlation}), s.noteTaken(ctx, in.by, "kycBatchErrors="+string(b.ID))
}

func (s *Server) writeBatchErrors(w http.ResponseWriter, r *http.Request, by auth.Caller, q url.Values) error {
	b, err := s.Batches.Get(r.Context(), by, kyc.Upload, q.Get("upload"))
	if err != nil {
		return err
	}
	attach(w, "text/csv; charset=utf-8", "errors-"+b.Name)
	if err := kyc.WriteBatchErrors(w, b, s.Batches.Failures(r.Context(), by, b.ID)); err != nil {
		s.logFailure("batchErrors", "", err) // the answer has begun
	}
	return nil
}

// batchUploadRow is the row that takes a file. It goes to the database as it
// comes, so the row reads its body itself.
func batchUploadRow() route {
	r := route{
		method: http.MethodPost, pattern: batchPath, product: auth.KYC, id: "uploadBatch", summary: "Screen a file of subjects", creates: true, free: true,
		status: http.StatusAccepted,
		about: "A CSV in UTF-8 of at most 20 MB and 50,000 rows; its first line names the columns, as the template has them, in any order. " +
			"type is individual or business. Several countryCodes, datasets or pepTiers are separated by semicolons. " +
			"The rows are screened while you go about other things: ask for the file until it is over. Every row that succeeds is a search like any other.",
	}
	r.register = func(s *Server, r route) {
		s.router.HandleFunc(r.method+" "+r.pattern, s.guarded(r.product, func(w http.ResponseWriter, req *http.Request, by auth.Caller) {
			s.uploadBatch(w, req, by, r)
		}))
		op := r.operation()
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"multipart/form-data": {Schema: &huma.Schema{
				Type: huma.TypeObject, Required: []string{"File"},
				Properties: map[string]*huma.Schema{"File": {Type: huma.TypeString, Format: "binary", Description: "The file."}},
			}},
		}}
		op.Responses["202"] = jsonResponse("The file was accepted.", s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[oneBatchJSON](), true, ""))
		for _, status := range append(op.Errors, http.StatusConflict, http.StatusRequestEntityTooLarge) {
			op.Responses[strconv.Itoa(status)] = s.errorResponse(http.StatusText(status))
		}
		s.api.OpenAPI().AddOperation(&op)
	}
	return r
}
