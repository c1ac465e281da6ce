package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A SortCode is what is known about a British sort code.
type SortCode struct {
	SortCode   string `json:"sortCode"`
	BankName   string `json:"bankName"`
	BranchName string `json:"branchName"`
	Address    struct {
		SimpleValue string `json:"simpleValue"`
		Country     string `json:"country"`
		PostCode    string `json:"postCode"`
	} `json:"address"`
	Telephone    string `json:"telephone"`
	BIC          string `json:"bicCode"`
	ChapsBIC     string `json:"chapsBicCode"`
	PaymentTypes struct {
		Chaps          bool `json:"chaps"`
		Cheques        bool `json:"cncccPayment"`
		DirectDebit    bool `json:"directDebit"`
		FasterPayments bool `json:"fasterPayments"`
		Bacs           bool `json:"paymentBacs"`
	} `json:"paymentTypes"`
}

// A BankVerificationRequest asks whether a British account is held under a name.
type BankVerificationRequest struct {
	CustomerName       string `json:"customerName"`
	BankAccount        string `json:"bankAccount"`
	SortCode           string `json:"sortCode"`
	AccountType        string `json:"accountType"` // Business or Personal
	SecondaryReference string `json:"secondaryReference"`
	CustomerReference  string `json:"customerReference"`
}

// A BankVerification is what was asked and answered. The account's numbers are
// in the first answer and not in the history.
type BankVerification struct {
	Request           BankVerificationRequest `json:"supplierRequestData"`
	CustomerReference string                  `json:"customerReference"`
	Response          struct {
		CustomerName         string `json:"customerName"`
		BankAccount          string `json:"bankAccount"`
		SortCode             string `json:"sortCode"`
		ReturnedCustomerName string `json:"returnedCustomerName"`
		Result               bool   `json:"result"`
		ResultText           string `json:"resultText"`
		NameMatchResult      string `json:"nameMatchResult"`
		AccountTypeResult    bool   `json:"accountTypeResult"`
		ReasonCode           string `json:"reasonCode"`
	} `json:"supplierResponse"`
	RequestDatetime string   `json:"requestDatetime"`
	RequestID       string   `json:"requestId"`
	SortCodeDetails SortCode `json:"sortCodeDetails"`
}

const verificationPath = "/localSolutions/GB/bankVerification"

// VerifyBankAccount asks whether a British account is held under a name. The key
// is the Idempotency-Key; it may be empty.
func (c *Client) VerifyBankAccount(ctx context.Context, r BankVerificationRequest, key string) (BankVerification, error) {
	var out BankVerification
	err := c.Do(ctx, Call{Method: http.MethodPost, Path: verificationPath + "/search", Key: key, In: r, Out: &out})
	return out, err
}

// IsVerifiedAccount reports whether an account is the one of an earlier
// verification.
func (c *Client) IsVerifiedAccount(ctx context.Context, requestID, sortCode, bankAccount string) (bool, error) {
	var out struct {
		IsValid bool `json:"isValid"`
	}
	in := map[string]string{"sortCode": sortCode, "bankAccount": bankAccount}
	err := c.Do(ctx, Call{Method: http.MethodPost, Path: verificationPath + "/validate/" + url.PathEscape(requestID), In: in, Out: &out})
	return out.IsValid, err
}

// A BankVerificationFilter says which verifications to list. What is empty does
// not matter.
type BankVerificationFilter struct {
	Whole             bool // of the whole company, not only your own
	CustomerName      string
	MatchResult       string
	From, To          time.Time
	AccountType       string
	CustomerReference string
	After             string // the RequestID of the last one that you have seen
	Limit             int
}

// A BankVerificationRow is a line of the history.
type BankVerificationRow struct {
	RequestID         string `json:"requestId"`
	CustomerName      string `json:"customerName"`
	AccountType       string `json:"accountType"`
	CustomerReference string `json:"customerReference"`
	MatchResult       string `json:"matchResult"`
	RequestDatetime   string `json:"requestDatetime"`
}

// BankVerifications lists earlier verifications, the newest first.
func (c *Client) BankVerifications(ctx context.Context, f BankVerificationFilter) ([]BankVerificationRow, error) {
	q := url.Values{"searchByCustomer": {strconv.FormatBool(f.Whole)}}
	for name, value := range map[string]string{
		"customerName": f.CustomerName, "matchResult": f.MatchResult, "accountType": f.AccountType,
		"customerReference": f.CustomerReference, "after": f.After,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	for name, at := range map[string]time.Time{"dateFrom": f.From, "dateTo": f.To} {
		if !at.IsZero() {
			q.Set(name, at.UTC().Format("2006-01-02T15:04:05.999Z"))
		}
	}
	if f.Limit > 0 {
		q.Set("pageSize", strconv.Itoa(f.Limit))
	}
	var out []BankVerificationRow
	err := c.Do(ctx, Call{Method: http.MethodGet, Path: verificationPath + "/history", Query: q, Out: &out})
	return out, err
}

// BankVerification reads an earlier verification.
func (c *Client) BankVerification(ctx context.Context, requestID string) (BankVerification, error) {
	var out BankVerification
	err := c.get(ctx, verificationPath+"/history/"+url.PathEscape(requestID), &out)
	return out, err
}

// SetBankVerificationReference gives a verification another reference.
func (c *Client) SetBankVerificationReference(ctx context.Context, requestID, reference string) error {
	return c.Do(ctx, Call{
		Method: http.MethodPatch, Path: verificationPath + "/history/" + url.PathEscape(requestID) + "/reference",
		In: map[string]string{"customerReference": reference},
	})
}

// SortCode reads what is known about a sort code.
func (c *Client) SortCode(ctx context.Context, sortCode string) (SortCode, error) {
	var out SortCode
	err := c.get(ctx, verificationPath+"/sortCode/"+url.PathEscape(sortCode), &out)
	return out, err
}
