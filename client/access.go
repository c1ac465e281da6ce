package client

import (
	"context"
	"net/http"
)

// Access is what your company may use, and how much of it it used.
type Access struct {
	CorrelationID string        `json:"correlationId"`
	CountryAccess CountryAccess `json:"countryAccess"`
}

// CountryAccess lists what was bought of each product, by country.
type CountryAccess struct {
	OnlineReports    []Entitlement `json:"creditsafeConnectOnlineReports"`
	OfflineReports   []Entitlement `json:"creditsafeConnectOfflineReports"`
	Monitoring       []Entitlement `json:"creditsafeConnectMonitoring"`
	DirectorReports  []Entitlement `json:"creditsafeConnectDirectorReports"`
	ImageDocuments   []Entitlement `json:"creditsafeConnectImageDocuments"`
	BankValidation   []Entitlement `json:"creditsafeConnectBankValidation"`
	BankVerification []Entitlement `json:"creditsafeConnectBankVerification"`
	ProtectSearch    []Entitlement `json:"creditsafeConnectProtectSearch"`
	ProtectMonitor   []Entitlement `json:"creditsafeConnectProtectMonitor"`
	DecisionEngine   []Entitlement `json:"creditsafeConnectDecisionEngine"`
	IdentitySearch   []Entitlement `json:"identitySearch"`
	Verify           []Entitlement `json:"verify"`
	NonLimited       []Entitlement `json:"nonLimitedCompanies"`
	Sweden           []Entitlement `json:"sweden"`
}

// An Entitlement is one product in one country.
type Entitlement struct {
	Name         string `json:"name"`
	CountryName  string `json:"countryName"`
	TemplateName string `json:"templateName"`
	Country      string `json:"countryIso2"` // WW for all
	StartDate    string `json:"startDate"`   // the first day, as 2006-01-02T00:00:00
	ExpireDate   string `json:"expireDate"`  // the last; empty if there is none
	Paid         int64  `json:"paid"`        // calls bought; 0 if no number was agreed
	Used         int64  `json:"used"`        // calls made
}

// Access tells what your company may use.
func (c *Client) Access(ctx context.Context) (Access, error) {
	var out Access
	err := c.get(ctx, "/access", &out)
	return out, err
}

// AccessCountries tells the same in an older form.
func (c *Client) AccessCountries(ctx context.Context) ([]CountryAccess, error) {
	var lists []struct {
		CountryAccess []CountryAccess `json:"countryAccess"`
	}
	err := c.get(ctx, "/access/countries", &lists)
	var out []CountryAccess
	for _, l := range lists {
		out = append(out, l.CountryAccess...)
	}
	return out, err
}

// A Profile is an account.
type Profile struct {
	Username        string  `json:"username"` // the user key
	EmailAddress    string  `json:"emailAddress"`
	OwningEntity    string  `json:"owningEntity"` // the company it belongs to
	DefaultLanguage string  `json:"defaultLanguage"`
	PrimaryContact  Contact `json:"primaryContact"`
	IETFLanguage    string  `json:"ietfLanguage"`
	CountryCode     string  `json:"countryCode"`
	IsActive        string  `json:"isActive"` // "true" or "false"
	CorrelationID   string  `json:"correlationId"`
}

// A Contact is the person behind an account.
type Contact struct {
	Title     string `json:"title"`
	FirstName string `json:"firstName"`
	Surname   string `json:"surname"`
}

// Me tells whose token this is.
func (c *Client) Me(ctx context.Context) (Profile, error) {
	var out Profile
	err := c.get(ctx, "/access/users/me", &out)
	return out, err
}

// A User is a colleague's account.
type User struct {
	FirstName string `json:"firstName"`
	Surname   string `json:"surname"`
	UserID    int64  `json:"userId"`
}

// ActiveUsers lists the accounts of your company that are not disabled.
func (c *Client) ActiveUsers(ctx context.Context) ([]User, error) {
	var out struct {
		Items []User `json:"items"`
	}
	err := c.get(ctx, "/access/users/active", &out)
	return out.Items, err
}

// A PublicKey verifies tokens, as RFC 7517 writes it.
type PublicKey struct {
	KeyType  string `json:"kty"`
	Use      string `json:"use"`
	Alg      string `json:"alg"`
	KeyID    string `json:"kid"`
	Curve    string `json:"crv"`
	X        string `json:"x"`
	Y        string `json:"y"`
	Modulus  string `json:"n"`
	Exponent string `json:"e"`
}

// PublicKeys lists the keys that verify the service's tokens. It needs no
// account.
func (c *Client) PublicKeys(ctx context.Context) ([]PublicKey, error) {
	var out struct {
		Keys []PublicKey `json:"keys"`
	}
	err := c.Do(ctx, Call{Method: http.MethodGet, Path: "/.well-known/jwks.json", Out: &out, open: true})
	return out.Keys, err
}

func (c *Client) get(ctx context.Context, path string, out any) error {
	return c.Do(ctx, Call{Method: http.MethodGet, Path: path, Out: out})
}
