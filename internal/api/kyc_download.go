package api

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

const signedKYC = "/signed/kyc-protect/searches/{searchId}"

// kycDownloadRows are searches and hits on paper. Each answers with an address
// that needs no token, for a few minutes.
func kycDownloadRows[S, H, D any](s *Server, k kycKind[S, H, D]) []route {
	return []route{
		post(k.path+"/{searchId}/download", auth.KYC, "download"+title(k.id)+"Search", "A search on paper", k.download(s), free,
			about("Where a PDF of the search can be fetched without a token, for a few minutes: what was asked, what was looked at, what was found and what was decided. "+
				"The body names the hits that are told in full; without any it is all of them.")),
		get(k.path+"/{searchId}/hits/{hitId}/download", auth.KYC, "download"+title(k.id)+"Hit", "A hit on paper", k.downloadHit(s), free,
			about("Where a PDF of the hit can be fetched without a token, for a few minutes.")),
	}
}

type kycDownloadIn struct {
	KYCSearchIn
	Body []string `required:"false" maxItems:"500" doc:"The ids of hits."`
}

type kycDownloadJSON struct {
	URL           string `json:"downloadUrl" doc:"The PDF. It needs no token."`
	File          string `json:"fileName"`
	Expires       string `json:"expiresAt"`
	Search        string `json:"searchId"`
	CorrelationID string `json:"correlationId"`
}

func (k kycKind[S, H, D]) download(s *Server) func(context.Context, *kycDownloadIn) (*reply[kycDownloadJSON], error) {
	return func(ctx context.Context, in *kycDownloadIn) (*reply[kycDownloadJSON], error) {
		return s.offerPaper(ctx, in.caller, k.person, in.ID, in.Body, "search-")
	}
}

func (k kycKind[S, H, D]) downloadHit(s *Server) func(context.Context, *KYCHitIn) (*reply[kycDownloadJSON], error) {
	return func(ctx context.Context, in *KYCHitIn) (*reply[kycDownloadJSON], error) {
		return s.offerPaper(ctx, in.caller, k.person, in.ID, []string{in.Hit}, "hit-")
	}
}

// offerPaper makes an address for a paper, once all that is to be on it was
// found. What is written is what there is when it is fetched.
func (s *Server) offerPaper(ctx context.Context, in caller, person bool, id string, hits []string, file string) (*reply[kycDownloadJSON], error) {
	ids := make([]kyc.HitID, len(hits))
	for i, h := range hits {
		ids[i] = kyc.HitID(h)
	}
	d, err := s.KYC.Dossier(ctx, in.by, person, kyc.SearchID(id), ids)
	if err != nil {
		return nil, err
	}
	expires := s.Gate.Now().Add(signedFor)
	q := url.Values{
		"expires": {strconv.FormatInt(expires.Unix(), 10)}, "person": {boolWord(person)}, "hits": {strings.Join(hits, ",")},
		"customer": {decimal(int64(in.by.Customer))}, "account": {decimal(int64(in.by.Account))},
	}
	path := "/v1" + strings.Replace(signedKYC, "{searchId}", string(d.Search.ID), 1)
	q.Set("signature", s.Vault.Sign(path+"?"+q.Encode()))
	if file += string(d.Search.ID); len(hits) == 1 && strings.HasPrefix(file, "hit-") {
		file = "hit-" + strings.ToLower(hits[0])
	}
	return ok(kycDownloadJSON{
		URL: s.PublicURL + path + "?" + q.Encode(), File: file + ".pdf", Expires: naive(expires), Search: string(d.Search.ID), CorrelationID: in.correlation,
	}), s.noteKYC(ctx, in.by, auth.PersonRead, s.KYC.Mark(d.Search), "kycDownload="+string(d.Search.ID))
}

// signedKYCPaper serves what offerPaper leads to.
func (s *Server) signedKYCPaper(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	signature := q.Get("signature")
	q.Del("signature")
	id := r.PathValue("searchId")
	expires, err := strconv.ParseInt(q.Get("expires"), 10, 64)
	signed := "/v1" + strings.Replace(signedKYC, "{searchId}", url.PathEscape(id), 1) + "?" + q.Encode()
	if err != nil || !s.Vault.Signed(signed, signature) || s.Gate.Now().Unix() >= expires {
		s.fail(w, r, fault.Denied.Errorf("this address is not valid, or not any more: ask for the download again"))
		return
	}
	customer, _ := strconv.ParseInt(q.Get("customer"), 10, 64)
	account, _ := strconv.ParseInt(q.Get("account"), 10, 64)
	by := auth.Caller{Customer: auth.CustomerID(customer), Account: auth.AccountID(account)}
	var hits []kyc.HitID
	for _, h := range splitList(q.Get("hits")) {
		hits = append(hits, kyc.HitID(h))
	}
	r = within(r, by)
	d, err := s.KYC.Dossier(r.Context(), by, q.Get("person") == boolWord(true), kyc.SearchID(id), hits)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	b, err := s.kycPaper(d, s.namesOf(by), s.Gate.Now())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/pdf")
	h.Set("Content-Disposition", `attachment; filename="search-`+string(d.Search.ID)+`.pdf"`)
	h.Set("Cache-Control", "no-store")
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(string(b)))
}

func signedKYCOperation() *huma.Operation {
	return &huma.Operation{
		Method: http.MethodGet, Path: signedKYC, OperationID: "signedKYCPaper", Tags: []string{"KYC"},
		Summary:     "A search or a hit as a PDF",
		Description: "Where the downloadUrl of a download leads. The address carries its own proof and lives for five minutes.",
		Parameters:  []*huma.Param{{Name: "searchId", In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}, Description: "The search's id."}},
		Responses: map[string]*huma.Response{
			"200": {Description: "The document.", Content: map[string]*huma.MediaType{"application/pdf": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}},
			"403": jsonResponse("The address is not valid any more.", &huma.Schema{Type: huma.TypeObject}),
			"404": jsonResponse("The search is not there any more.", &huma.Schema{Type: huma.TypeObject}),
		},
		Security: []map[string][]string{},
	}
}
