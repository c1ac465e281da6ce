package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// A BankQuestion asks everything about an account at once. The account is an
// IBAN, or a sort code and an account number, or a country and its national
// number.
type BankQuestion struct {
	IBAN               string `json:"iban,omitempty"`
	BIC                string `json:"bic,omitempty"`
	SortCode           string `json:"sortCode,omitempty"`
	AccountNumber      string `json:"accountNumber,omitempty"`
	Country            string `json:"country,omitempty"`
	BBAN               string `json:"bban,omitempty"`
	RoutingCode        string `json:"routingCode,omitempty"`
	Name               string `json:"name,omitempty"`
	AccountType        string `json:"accountType,omitempty"`
	SecondaryReference string `json:"secondaryReference,omitempty"`
}

// The three results of a check.
const (
	BankPasses  = "passes"
	BankFails   = "fails"
	BankUnknown = "cannot be checked"
)

// A BankFinding is the answer.
type BankFinding struct {
	Result  string   `json:"result"`
	Reasons []string `json:"reasons"`
	Checks  []struct {
		Check  string `json:"check"`
		Field  string `json:"field"`
		Result string `json:"result"`
		Reason string `json:"reason"`
	} `json:"checks"`
	Country       string `json:"country"`
	IBAN          string `json:"iban"`
	IBANPrint     string `json:"ibanPrint"`
	SEPA          bool   `json:"sepa"`
	SortCode      string `json:"sortCode"`
	AccountNumber string `json:"accountNumber"`
	Bank          *struct {
		Code   string    `json:"code"`
		Name   string    `json:"name"`
		City   string    `json:"city"`
		BICs   []string  `json:"bics"`
		Branch *SortCode `json:"sortCodeDetails"`
	} `json:"bank"`
	Payee *struct {
		NameMatchResult      string  `json:"nameMatchResult"`
		ReasonCode           string  `json:"reasonCode"`
		AccountTypeResult    bool    `json:"accountTypeResult"`
		ReturnedCustomerName string  `json:"returnedCustomerName"`
		Score                float64 `json:"score"`
		Why                  string  `json:"why"`
	} `json:"payee"`

	Raw json.RawMessage `json:"-"`
}

// CheckBankAccount answers a question about an account.
func (c *Client) CheckBankAccount(ctx context.Context, q BankQuestion) (BankFinding, error) {
	var raw json.RawMessage
	if err := c.Do(ctx, Call{Method: http.MethodPost, Path: "/checks/bank", In: q, Out: &raw}); err != nil {
		return BankFinding{}, err
	}
	out := BankFinding{Raw: raw}
	return out, json.Unmarshal(raw, &out)
}

// A BankMatchRequest asks about a British account and a company.
type BankMatchRequest struct {
	CheckType     string // Both, Validate or Verify
	CompanyID     string
	SortCode      string
	AccountNumber string
	IBAN          string
	VATNumber     string
}

// A BankMatch is the answer; what was not asked is empty. Results are passes,
// fails or cannot be checked.
type BankMatch struct {
	CompanyNumber string `json:"companyNumber"`
	AccountNumber string `json:"accountNumber"`
	IBAN          string `json:"iban"`
	IBANResult    string `json:"ibanResult"`
	IBANText      string `json:"ibanText"`
	LogDate       string `json:"logDate"`
	SafeNumber    string `json:"safeNumber"`
	ScanResult    string `json:"scanResult"`
	ScanText      string `json:"scanText"`
	SortCode      string `json:"sortCode"`
	StatusResult  string `json:"statusResult"`
	StatusText    string `json:"statusText"`
	VATResult     string `json:"vatResult"`
	VATText       string `json:"vatText"`
}

// MatchBankAccount answers whether a British account is a company's.
func (c *Client) MatchBankAccount(ctx context.Context, r BankMatchRequest) ([]BankMatch, error) {
	q := values(map[string]string{
		"checkType": r.CheckType, "companyId": r.CompanyID, "sortCode": r.SortCode, "accountNumber": r.AccountNumber,
		"iban": r.IBAN, "vatNumber": r.VATNumber,
	})
	var out struct {
		Results []BankMatch `json:"bankMatchResults"`
	}
	err := c.Do(ctx, Call{Method: http.MethodGet, Path: "/localSolutions/GB/bankmatch", Query: q, Out: &out})
	return out.Results, err
}

// An IBANMatchRequest asks whether an account with an IBAN, or with the national
// number of a country that has none, is a company's.
type IBANMatchRequest struct {
	RegistrationID string
	CountryCode    string
	IBAN           string
	BBAN           string
	BIC            string
	RoutingCode    string
	BankCountry    string
}

// An IBANMatch is the answer. Its parts that most programs want have fields; Raw
// is the whole as it came.
type IBANMatch struct {
	ID             string            `json:"id"`
	Score          int               `json:"score"`
	Classification string            `json:"classification"`
	Status         string            `json:"status"`
	Reasons        []string          `json:"reasons"`
	ReasonLabels   map[string]string `json:"reasonLabels"`
	Entity         struct {
		PaymentIdentity struct {
			IBAN string `json:"iban"`
			BBAN string `json:"bban"`
		} `json:"paymentIdentity"`
		Company struct {
			RegistrationID string `json:"registrationId"`
			Name           string `json:"name"`
			Status         string `json:"status"`
		} `json:"company"`
	} `json:"entity"`

	Raw json.RawMessage `json:"-"`
}

// MatchIBAN answers whether an account is a company's, and keeps the answer.
func (c *Client) MatchIBAN(ctx context.Context, r IBANMatchRequest) (IBANMatch, error) {
	return c.ibanMatch(ctx, "/localSolutions/FR/bankMatch", values(map[string]string{
		"registrationId": r.RegistrationID, "countryCode": r.CountryCode, "iban": r.IBAN, "bban": r.BBAN, "bic": r.BIC,
		"routingCode": r.RoutingCode, "bankCountry": r.BankCountry,
	}))
}

// IBANMatchByID reads an earlier answer, without the account number.
func (c *Client) IBANMatchByID(ctx context.Context, id string) (IBANMatch, error) {
	return c.ibanMatch(ctx, "/localSolutions/FR/bankMatch/audition", url.Values{"audition_id": {id}})
}

func (c *Client) ibanMatch(ctx context.Context, path string, q url.Values) (IBANMatch, error) {
	var raw json.RawMessage
	if err := c.Do(ctx, Call{Method: http.MethodGet, Path: path, Query: q, Out: &raw}); err != nil {
		return IBANMatch{}, err
	}
	out := IBANMatch{Raw: raw}
	return out, json.Unmarshal(raw, &out)
}

// values are those that are not empty.
func values(all map[string]string) url.Values {
	q := url.Values{}
	for name, value := range all {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}
