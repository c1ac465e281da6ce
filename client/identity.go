package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A PersonName is a person's name in its parts.
type PersonName struct {
	Title      string `json:"title,omitempty"`
	Forename   string `json:"forename"`
	OtherNames string `json:"otherNames,omitempty"`
	Surname    string `json:"surname"`
	Suffix     string `json:"suffix,omitempty"`
}

// A PersonAddress is where somebody lives.
type PersonAddress struct {
	AbodeNo      string `json:"abodeNo,omitempty"`
	BuildingNo   string `json:"buildingNo,omitempty"`
	BuildingName string `json:"buildingName,omitempty"`
	SubBuilding  string `json:"subBuilding,omitempty"`
	Street       string `json:"street,omitempty"`
	SubStreet    string `json:"subStreet,omitempty"`
	District     string `json:"district,omitempty"`
	City         string `json:"city,omitempty"`
	PostCode     string `json:"postCode,omitempty"`
}

// An IdentityQuestion asks who somebody is.
type IdentityQuestion struct {
	Name        PersonName
	Previous    *PersonName
	DateOfBirth string          // 1970-05-31
	Addresses   []PersonAddress // the present one, and up to two before it
	Reference   string
	Products    []string // Consumer, Id, AML, BankMatch, AMLWithBankMatch

	Reason      string // of a consumer search
	AddressLink bool

	Landline          string
	SortCode          string
	BankAccountNumber string
}

// body is the question as it is sent.
func (q IdentityQuestion) body() any {
	addresses := map[string]PersonAddress{}
	for i, name := range []string{"current", "previous1", "previous2"} {
		if i < len(q.Addresses) {
			addresses[name] = q.Addresses[i]
		}
	}
	if len(q.Addresses) == 0 {
		addresses["current"] = PersonAddress{}
	}
	person := map[string]any{"currentName": q.Name, "addresses": addresses}
	if q.Previous != nil {
		person["previousName"] = q.Previous
	}
	if q.DateOfBirth != "" {
		person["dateOfBirth"] = q.DateOfBirth
	}
	out := map[string]any{"common": map[string]any{"person": person, "reference": q.Reference}, "products": q.Products}
	if q.Reason != "" || q.AddressLink {
		out["consumer"] = map[string]any{"reason": q.Reason, "addressLink": q.AddressLink}
	}
	aml := map[string]any{}
	for name, value := range map[string]string{"landlineNumber": q.Landline, "sortCode": q.SortCode, "bankAccountNumber": q.BankAccountNumber} {
		if value != "" {
			aml[name] = value
		}
	}
	if len(aml) > 0 {
		out["idAml"] = aml
	}
	return out
}

// An Identity is the answer to an identity search.
type Identity struct {
	UniqueID string `json:"uniqueId"`
	Common   struct {
		Reference  string `json:"reference"`
		SearchText string `json:"searchText"`
		SearchTime string `json:"searchTime"`
	} `json:"common"`
	Consumer *struct {
		Success bool            `json:"success"`
		Reason  string          `json:"reason"`
		Report  json.RawMessage `json:"applicant1Report"`
	} `json:"consumerResult"`
	AML *struct {
		Band      string                   `json:"band"`
		Score     int                      `json:"score"`
		HasAlerts bool                     `json:"hasAlerts"`
		Success   bool                     `json:"success"`
		Results   map[string]IdentityCheck `json:"resultCodes"`
	} `json:"amlResult"`
	BankMatch *struct {
		Success bool `json:"success"`
	} `json:"bankMatch"`
	Picklist []struct {
		Options []struct {
			Option string `json:"option"`
			Value  string `json:"value"`
		} `json:"options"`
	} `json:"picklist"`
	Message string `json:"message"`

	// Raw is the answer as it came.
	Raw json.RawMessage `json:"-"`
}

// An IdentityCheck is what one database says.
type IdentityCheck struct {
	Pass        string `json:"pass"` // Match, Partial, Mismatch, NotChecked
	Alert       string `json:"alert"`
	Address     string `json:"address"`
	DateOfBirth string `json:"dateOfBirth"`
	Forename    string `json:"forename"`
	Surname     string `json:"surname"`
	Description string `json:"description"`
}

const identityPath = "/localSolutions/GB/identitysearch"

// identity sends a call that an identity answers.
func (c *Client) identity(ctx context.Context, call Call) (out Identity, err error) {
	call.Out = &out.Raw
	if err = c.Do(ctx, call); err != nil {
		return out, err
	}
	return out, json.Unmarshal(out.Raw, &out)
}

// SearchIdentity asks who somebody is. The key is the Idempotency-Key; it may be
// empty.
func (c *Client) SearchIdentity(ctx context.Context, q IdentityQuestion, key string) (Identity, error) {
	return c.identity(ctx, Call{Method: http.MethodPost, Path: identityPath, In: q.body(), Key: key})
}

// ResolveIdentity chooses an option of a pick-list by its value.
func (c *Client) ResolveIdentity(ctx context.Context, uniqueID, value string) (Identity, error) {
	return c.identity(ctx, Call{Method: http.MethodPut, Path: identityPath, Query: url.Values{"uniqueId": {uniqueID}, "resolved": {value}}})
}

// IdentityReasons are the reasons for a consumer search.
func (c *Client) IdentityReasons(ctx context.Context) (map[string]bool, error) {
	var out struct {
		Data map[string]bool `json:"data"`
	}
	err := c.get(ctx, identityPath+"/searchreasons", &out)
	return out.Data, err
}

// An IdentityFilter says which searches to list. What is empty does not matter.
type IdentityFilter struct {
	Whole    bool // of the whole company, not only your own
	Products []string
	From, To time.Time
	Keyword  string
	Result   string
	Page     int // from 1 on
	PageSize int
}

// An IdentityRow is a line of the history.
type IdentityRow struct {
	UniqueID    string `json:"uniqueId"`
	SearchTime  string `json:"searchTime"`
	SearchText  string `json:"searchText"`
	Reference   string `json:"reference"`
	HasConsumer bool   `json:"hasConsumer"`
	HasAML      bool   `json:"hasAml"`
	Reason      string `json:"consumerReason"`
	AMLResult   int    `json:"amlResult"` // 0 fail, 1 refer, 2 pass
	Revalidated bool   `json:"amlHasRevalidated"`
}

// IdentityHistory lists earlier searches, the newest first, and says how many
// there are in all.
func (c *Client) IdentityHistory(ctx context.Context, f IdentityFilter) ([]IdentityRow, int64, error) {
	q := url.Values{"includeCustomer": {strconv.FormatBool(f.Whole)}}
	if len(f.Products) > 0 {
		q["products"] = f.Products
	}
	for name, value := range map[string]string{"keyword": f.Keyword, "result": f.Result} {
		if value != "" {
			q.Set(name, value)
		}
	}
	for name, at := range map[string]time.Time{"dateFrom": f.From, "dateTo": f.To} {
		if !at.IsZero() {
			q.Set(name, at.UTC().Format("2006-01-02T15:04:05.999Z"))
		}
	}
	for name, n := range map[string]int{"page": f.Page, "pageSize": f.PageSize} {
		if n > 0 {
			q.Set(name, strconv.Itoa(n))
		}
	}
	var out struct {
		TotalCount int64         `json:"totalCount"`
		Data       []IdentityRow `json:"data"`
	}
	err := c.Do(ctx, Call{Method: http.MethodGet, Path: identityPath + "/history", Query: q, Out: &out})
	return out.Data, out.TotalCount, err
}

// Identity reads an earlier search.
func (c *Client) Identity(ctx context.Context, uniqueID string) (Identity, error) {
	return c.identity(ctx, Call{Method: http.MethodGet, Path: identityPath + "/history/" + url.PathEscape(uniqueID)})
}

// IdentityInput reads what an earlier search asked.
func (c *Client) IdentityInput(ctx context.Context, uniqueID string) (Identity, error) {
	return c.identity(ctx, Call{Method: http.MethodGet, Path: identityPath + "/history/" + url.PathEscape(uniqueID) + "/input"})
}

// SetIdentityReference gives a search another reference.
func (c *Client) SetIdentityReference(ctx context.Context, uniqueID, reference string) error {
	return c.Do(ctx, Call{Method: http.MethodPut, Path: identityPath + "/history/" + url.PathEscape(uniqueID) + "/reference", In: reference})
}

// Papers are numbers of documents that somebody showed.
type Papers struct {
	Passport            string `json:"passport,omitempty"`
	DriversLicense      string `json:"driversLicense,omitempty"`
	ElectricitySupplier string `json:"electricitySupplier,omitempty"`
	EuropeanIDCard      string `json:"europeanIDCard,omitempty"`
	NINumber            string `json:"niNumber,omitempty"`
}

// RevalidateIdentity answers an AML search anew, with documents.
func (c *Client) RevalidateIdentity(ctx context.Context, uniqueID string, p Papers) (Identity, error) {
	return c.identity(ctx, Call{Method: http.MethodPut, Path: identityPath + "/revalidation/" + url.PathEscape(uniqueID), In: p})
}
