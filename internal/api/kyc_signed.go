package api

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// signedFileFor is how long the address of a file can be used.
const signedFileFor = 15 * time.Minute

// downloadJSON is where a file can be fetched.
type downloadJSON struct {
	URL           string `json:"downloadUrl" doc:"Where the file is. The address carries its own proof: no token is needed."`
	Name          string `json:"fileName" doc:"What to call it."`
	ExpiresAt     string `json:"expiresAt" doc:"Until when the address can be used."`
	CorrelationID string `json:"correlationId"`
}

// signedFile is an address that leads to a file of the caller's company, without
// a token, for a while.
func (s *Server) signedFile(by auth.Caller, kind string, more url.Values) (address string, expires time.Time) {
	expires = s.Gate.Now().Add(signedFileFor)
	q := url.Values{
		"customer": {strconv.FormatInt(int64(by.Customer), 10)}, "account": {strconv.FormatInt(int64(by.Account), 10)},
		"expires": {strconv.FormatInt(expires.Unix(), 10)},
	}
	for k, v := range more {
		q[k] = v
	}
	path := "/v1/signed/kyc/" + kind
	q.Set("signature", s.Vault.Sign(path+"?"+q.Encode()))
	return s.PublicURL + path + "?" + q.Encode(), expires
}

// signedFiles are the kinds of files and what writes them. Whoever they are
// written for was let in when the address was made.
func (s *Server) signedFiles() map[string]func(http.ResponseWriter, *http.Request, auth.Caller, url.Values) error {
	return map[string]func(http.ResponseWriter, *http.Request, auth.Caller, url.Values) error{
		"audit":  s.writeAuditFile,
		"report": s.writeReportFile,

		"batchTemplate": s.writeBatchTemplate,
		"batchErrors":   s.writeBatchErrors,
	}
}

// signedKYCFile serves what signedFile leads to.
func (s *Server) signedKYCFile(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	signature := q.Get("signature")
	q.Del("signature")
	kind := r.PathValue("file")
	write, known := s.signedFiles()[kind]
	expires, err := strconv.ParseInt(q.Get("expires"), 10, 64)
	if err != nil || !known || !s.Vault.Signed("/v1/signed/kyc/"+kind+"?"+q.Encode(), signature) || s.Gate.Now().Unix() >= expires {
		s.fail(w, r, fault.Denied.Errorf("this address is not valid, or not any more: ask for the file again"))
		return
	}
	customer, _ := strconv.ParseInt(q.Get("customer"), 10, 64)
	account, _ := strconv.ParseInt(q.Get("account"), 10, 64)
	by := auth.Caller{Customer: auth.CustomerID(customer), Account: auth.AccountID(account)}
	w.Header().Set("Cache-Control", "no-store")
	if err := write(w, within(r, by), by, q); err != nil {
		s.fail(w, r, err)
	}
}

// noteTaken keeps in the audit log that somebody took a file away in which people
// are named.
func (s *Server) noteTaken(ctx context.Context, by auth.Caller, what string) error {
	return s.Gate.Journal.Write(context.WithoutCancel(ctx), auth.Entry{
		Action: auth.PersonRead, Customer: by.Customer, Account: by.Account, Detail: what,
	})
}

// attach says what a file is, before it is written.
func attach(w http.ResponseWriter, mediaType, name string) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Disposition", "attachment; filename*=UTF-8''"+url.PathEscape(name))
	w.Header().Set("X-Content-Type-Options", "nosniff")
}
