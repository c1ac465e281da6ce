package api

import (
	"context"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/bank"
	"bureau/internal/fault"
)

type verifyAccountIn struct {
	caller
	Body struct {
		Name      string `json:"customerName" doc:"The holder's name, as you know it." example:"Example Bakeries Ltd"`
		Number    string `json:"bankAccount" doc:"Eight digits." example:"10002009"`
		SortCode  string `json:"sortCode" doc:"Six digits." example:"990101"`
		Type      string `json:"accountType" doc:"Business or Personal." example:"Business"`
		Secondary string `json:"secondaryReference,omitempty" doc:"A roll number or the like, where the account needs one."`
		Reference string `json:"customerReference,omitempty" doc:"Your own reference."`
	}
}

type verificationJSON struct {
	Request   verificationRequestJSON  `json:"supplierRequestData" doc:"What you asked."`
	Reference string                   `json:"customerReference" doc:"Your own reference."`
	Response  verificationResponseJSON `json:"supplierResponse" doc:"What we answer."`
	At        string                   `json:"requestDatetime"`
	ID        string                   `json:"requestId"`
	Branch    sortCodeCheckResponse    `json:"sortCodeDetails"`
}

// The account's numbers are shown to who has just sent them, and are not there
// in the history.
type verificationRequestJSON struct {
	Name      string `json:"customerName"`
	Number    string `json:"bankAccount,omitempty"`
	SortCode  string `json:"sortCode,omitempty"`
	Type      string `json:"accountType"`
	Secondary string `json:"secondaryReference"`
}

type verificationResponseJSON struct {
	Name     string `json:"customerName"`
	Number   string `json:"bankAccount,omitempty"`
	SortCode string `json:"sortCode,omitempty"`
	Returned string `json:"returnedCustomerName" doc:"The holder's name, where the one that you gave is close to it."`
	Result   bool   `json:"result" doc:"The account is held under this name and of this type."`
	Text     string `json:"resultText" doc:"The answer in words."`
	Match    string `json:"nameMatchResult" enum:"Full,Close,No Match," doc:"Empty if there is no name to compare with."`
	TypeIs   bool   `json:"accountTypeResult" doc:"The account is of the type that you gave."`
	Code     string `json:"reasonCode" enum:",ANNM,MBAM,BANM,PANM,BAMM,PAMM,AC01,IVCR,ACNS,OPTO,CASS,SCNS" doc:"Why, in the codes that banks use; empty for a match."`
}

func toVerificationJSON(v bank.Verification) verificationJSON {
	return verificationJSON{
		Request:   verificationRequestJSON{Name: v.Name, Type: string(v.Type), Secondary: v.Secondary},
		Reference: v.Reference, At: naive(v.At), ID: v.ID, Branch: toSortCodeJSON(v.Branch),
		Response: verificationResponseJSON{
			Name: v.Name, Returned: v.Payee.Name, Result: v.Payee.State() == bank.Passes, Text: v.Payee.Text(),
			Match: string(v.Payee.Match), TypeIs: v.Payee.TypeRight, Code: string(v.Payee.Code),
		},
	}
}

// verifyAccount answers POST /localSolutions/GB/bankVerification/search.
func (s *Server) verifyAccount(ctx context.Context, in *verifyAccountIn) (*reply[verificationJSON], error) {
	b := in.Body
	v, err := s.Bank.Verify(ctx, in.by, bank.Request{
		Name: b.Name, Number: b.Number, SortCode: b.SortCode, Type: b.Type, Secondary: b.Secondary, Reference: b.Reference,
	})
	if err != nil {
		return nil, err
	}
	out := toVerificationJSON(v)
	out.Request.Number, out.Request.SortCode = b.Number, b.SortCode
	out.Response.Number, out.Response.SortCode = b.Number, b.SortCode
	return ok(out), s.countBank(ctx, in.by, auth.BankVerification, "GB", "bankVerification="+v.ID)
}

// countBank counts a call that showed whose account something is. It happened,
// whether or not the caller still waits for the answer.
func (s *Server) countBank(ctx context.Context, by auth.Caller, p auth.Product, country, what string) error {
	return s.Gate.CountRead(context.WithoutCancel(ctx), by, p, country, what)
}

// noteBank keeps in the audit log that somebody looked at what was answered
// before. Looking again is no further use of the product.
func (s *Server) noteBank(ctx context.Context, by auth.Caller, what string) error {
	return s.Gate.Journal.Write(context.WithoutCancel(ctx), auth.Entry{
		Action: auth.PersonRead, Customer: by.Customer, Account: by.Account, Detail: what,
	})
}

type sameAccountIn struct {
	caller
	ID   string `path:"id" doc:"The requestId of a verification."`
	Body struct {
		Number   string `json:"bankAccount" doc:"Eight digits." example:"10002009"`
		SortCode string `json:"sortCode" doc:"Six digits." example:"990101"`
	}
}

type sameAccountJSON struct {
	Valid bool `json:"isValid" doc:"It is the account that the verification was about."`
}

func (s *Server) sameAccount(ctx context.Context, in *sameAccountIn) (*reply[sameAccountJSON], error) {
	is, err := s.Bank.IsSame(ctx, in.by, in.ID, in.Body.SortCode, in.Body.Number)
	if err != nil {
		return nil, err
	}
	return ok(sameAccountJSON{is}), nil
}

type verificationIn struct {
	caller
	ID string `path:"id" doc:"The requestId of a verification."`
}

func (s *Server) readVerification(ctx context.Context, in *verificationIn) (*reply[verificationJSON], error) {
	v, err := s.Bank.Verification(ctx, in.by, in.ID)
	if err != nil {
		return nil, err
	}
	return ok(toVerificationJSON(v)), s.noteBank(ctx, in.by, "bankVerification="+v.ID)
}

type referVerificationIn struct {
	caller
	ID   string `path:"id" doc:"The requestId of a verification."`
	Body struct {
		Reference string `json:"customerReference" doc:"Your own reference."`
	}
}

func (s *Server) referVerification(ctx context.Context, in *referVerificationIn) (*none, error) {
	return nil, s.Bank.SetReference(ctx, in.by, in.ID, in.Body.Reference)
}

type verificationsIn struct {
	caller
	Whole     bool   `query:"searchByCustomer" required:"true" doc:"true: of your whole company; false: your own."`
	Name      string `query:"customerName" maxLength:"140" doc:"Part of a name."`
	Match     string `query:"matchResult" doc:"Full, Close or No Match."`
	From      string `query:"dateFrom" doc:"From this time on." example:"2026-01-31T00:00:00"`
	To        string `query:"dateTo" doc:"Up to this time; a day without a time is meant to its end."`
	Type      string `query:"accountType" doc:"Business or Personal."`
	Reference string `query:"customerReference" maxLength:"255" doc:"Your own reference."`
	After     string `query:"after" doc:"The requestId of the last row that you have seen."`
	Size      int    `query:"pageSize" minimum:"1" maximum:"1000" default:"1000" doc:"How many rows at most."`
}

func (in *verificationsIn) query() (q bank.VerificationQuery, err error) {
	q = bank.VerificationQuery{
		Mine: !in.Whole, Name: in.Name, Reference: in.Reference, After: in.After, Limit: in.Size,
	}
	var wrong []string
	for _, d := range []struct {
		name, text string
		into       *time.Time
	}{{"dateFrom", in.From, &q.From}, {"dateTo", in.To, &q.Until}} {
		if *d.into, err = timeOf(d.text); err != nil {
			wrong = append(wrong, d.name+": "+err.Error())
		}
	}
	switch {
	case q.Until.IsZero():
	case len(strings.TrimSpace(in.To)) == len(time.DateOnly):
		q.Until = q.Until.AddDate(0, 0, 1)
	default:
		q.Until = q.Until.Add(time.Millisecond)
	}
	if in.Type != "" {
		if q.Type, err = bank.ParseAccountType(in.Type); err != nil {
			wrong = append(wrong, "accountType: "+err.Error())
		}
	}
	if in.Match != "" {
		if q.Match, err = bank.ParseNameMatch(in.Match); err != nil {
			wrong = append(wrong, "matchResult: "+err.Error())
		}
	}
	if len(wrong) > 0 {
		return q, fault.Invalid.Details("Bad request", wrong...)
	}
	return q, nil
}

type verificationRowJSON struct {
	ID        string `json:"requestId"`
	Name      string `json:"customerName"`
	Type      string `json:"accountType"`
	Reference string `json:"customerReference"`
	Match     string `json:"matchResult" enum:"Full,Close,No Match,"`
	At        string `json:"requestDatetime"`
}

func (s *Server) listVerifications(ctx context.Context, in *verificationsIn) (*reply[[]verificationRowJSON], error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	list, err := s.Bank.Verifications(ctx, in.by, q)
	if err != nil {
		return nil, err
	}
	out := make([]verificationRowJSON, 0, len(list))
	for _, v := range list {
		out = append(out, verificationRowJSON{v.ID, v.Name, string(v.Type), v.Reference, string(v.Payee.Match), naive(v.At)})
	}
	return ok(out), s.noteBank(ctx, in.by, "bankVerifications")
}

type sortCodeIn struct {
	caller
	Code string `path:"id" doc:"Six digits." example:"990101"`
}

func (s *Server) sortCode(ctx context.Context, in *sortCodeIn) (*reply[sortCodeCheckResponse], error) {
	code, err := bank.ParseSortCode(in.Code)
	if err != nil {
		return nil, fault.Invalid.Details("Bad request", "id: "+err.Error())
	}
	b, err := s.Bank.Branch(ctx, code)
	if err != nil {
		return nil, err
	}
	return ok(toSortCodeJSON(b)), nil
}
