package api

import (
	"context"
	"slices"
	"strings"

	"github.com/biter777/countries"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

type noInput struct{ caller }

// accessEntry is one line of a contract. Clients expect these keys in each.
type accessEntry struct {
	Name         string `json:"name,omitempty" doc:"The product or country in words."`
	CountryName  string `json:"countryName,omitempty" doc:"The country in English."`
	TemplateName string `json:"templateName,omitempty" doc:"The report template."`
	CountryISO2  string `json:"countryIso2,omitempty" doc:"The country's two letters."`
	StartDate    string `json:"startDate" doc:"The first day."`
	ExpireDate   string `json:"expireDate" doc:"The last day; empty if there is none."`
	Paid         int64  `json:"paid" doc:"How many calls were bought; 0 means no limit was agreed."`
	Used         int64  `json:"used" doc:"How many calls were made."`
}

type countryAccess struct {
	OnlineReports    []accessEntry `json:"creditsafeConnectOnlineReports"`
	OfflineReports   []accessEntry `json:"creditsafeConnectOfflineReports"`
	Monitoring       []accessEntry `json:"creditsafeConnectMonitoring"`
	DirectorReports  []accessEntry `json:"creditsafeConnectDirectorReports"`
	ImageDocuments   []accessEntry `json:"creditsafeConnectImageDocuments"`
	BankValidation   []accessEntry `json:"creditsafeConnectBankValidation"`
	BankVerification []accessEntry `json:"creditsafeConnectBankVerification"`
	ProtectSearch    []accessEntry `json:"creditsafeConnectProtectSearch"`
	ProtectMonitor   []accessEntry `json:"creditsafeConnectProtectMonitor"`
	DecisionEngine   []accessEntry `json:"creditsafeConnectDecisionEngine"`
	IdentitySearch   []accessEntry `json:"identitySearch"`
	Verify           []accessEntry `json:"verify"`
	NonLimited       []accessEntry `json:"nonLimitedCompanies"`
	Sweden           []accessEntry `json:"sweden"`
}

type accessJSON struct {
	CorrelationID string        `json:"correlationId"`
	CountryAccess countryAccess `json:"countryAccess"`
}

func (s *Server) access(ctx context.Context, in *noInput) (*reply[accessJSON], error) {
	a, err := s.readAccess(ctx, in.by)
	if err != nil {
		return nil, err
	}
	return ok(accessJSON{CorrelationID: in.correlation, CountryAccess: a}), nil
}

type accessListJSON struct {
	CountryAccess []countryAccess `json:"countryAccess"`
}

func (s *Server) accessCountries(ctx context.Context, in *noInput) (*reply[[]accessListJSON], error) {
	a, err := s.readAccess(ctx, in.by)
	if err != nil {
		return nil, err
	}
	return ok([]accessListJSON{{CountryAccess: []countryAccess{a}}}), nil
}

func (s *Server) readAccess(ctx context.Context, by auth.Caller) (countryAccess, error) {
	lines, err := s.Usage.Contract(ctx, by.Customer)
	if err != nil {
		return countryAccess{}, err
	}
	a := countryAccess{OfflineReports: []accessEntry{}, DecisionEngine: []accessEntry{}}
	for _, list := range []struct {
		into    *[]accessEntry
		product auth.Product
		entry   func(country, name string) accessEntry
	}{
		{&a.OnlineReports, auth.Companies, func(c, n string) accessEntry {
			return accessEntry{CountryName: n, CountryISO2: c, TemplateName: "full"}
		}},
		{&a.Monitoring, auth.Monitoring, named},
		{&a.DirectorReports, auth.People, func(c, n string) accessEntry { return accessEntry{CountryName: n, CountryISO2: c} }},
		{&a.ImageDocuments, auth.Images, named},
		{&a.BankValidation, auth.BankMatch, named},
		{&a.BankVerification, auth.BankVerification, named},
		{&a.ProtectSearch, auth.KYC, named},
		{&a.ProtectMonitor, auth.KYC, named},
		{&a.IdentitySearch, auth.Identity, named},
		{&a.Verify, auth.Verify, named},
		{&a.NonLimited, auth.NonLimited, named},
		{&a.Sweden, auth.Sweden, named},
	} {
		*list.into = []accessEntry{}
		for _, l := range lines {
			if l.Grant.Product != list.product {
				continue
			}
			e := list.entry(countryCode(l.Grant.Country), countryName(l.Grant.Country))
			e.StartDate, e.ExpireDate = dateTime(l.Grant.From), dateTime(l.Grant.Until)
			e.Paid, e.Used = l.Grant.Paid, l.Used
			*list.into = append(*list.into, e)
		}
	}
	return a, nil
}

func named(country, name string) accessEntry { return accessEntry{Name: name, CountryISO2: country} }

// dateTime is a day as the clients expect it: with a time, without a zone.
func dateTime(d auth.Date) string {
	if d == "" {
		return ""
	}
	return string(d) + "T00:00:00"
}

// countryCode is WW for all countries, as clients know it.
func countryCode(code string) string {
	if code == auth.Everywhere {
		return "WW"
	}
	return code
}

func countryName(code string) string {
	if code == auth.Everywhere {
		return "All countries"
	}
	if c := countries.ByName(code); c != countries.Unknown {
		return c.Info().Name
	}
	return code
}

type meJSON struct {
	Username        string      `json:"username" doc:"The account's user key."`
	EmailAddress    string      `json:"emailAddress"`
	OwningEntity    string      `json:"owningEntity" doc:"The company that the account belongs to."`
	DefaultLanguage string      `json:"defaultLanguage" example:"EN"`
	PrimaryContact  contactJSON `json:"primaryContact"`
	IETFLanguage    string      `json:"ietfLanguage" example:"en-GB"`
	CountryCode     string      `json:"countryCode" example:"GB"`
	IsActive        string      `json:"isActive" enum:"true,false"`
	CorrelationID   string      `json:"correlationId"`
}

type contactJSON struct {
	Title     string `json:"title"`
	FirstName string `json:"firstName"`
	Surname   string `json:"surname"`
}

func (s *Server) me(_ context.Context, in *noInput) (*reply[meJSON], error) {
	a, okA := s.Directory.Account(in.by.Account)
	c, okC := s.Directory.Customer(in.by.Customer)
	if !okA || !okC {
		return nil, fault.Missing.Errorf("User not found")
	}
	language, country, _ := strings.Cut(a.Language, "-")
	return ok(meJSON{
		Username: a.UserKey, EmailAddress: a.Email, OwningEntity: c.Name,
		DefaultLanguage: strings.ToUpper(language), IETFLanguage: a.Language, CountryCode: country,
		PrimaryContact: contactJSON{a.Title, a.First, a.Surname},
		IsActive:       "true", CorrelationID: in.correlation,
	}), nil
}

type activeUsersJSON struct {
	Items     []userJSON `json:"items"`
	TotalSize int64      `json:"totalSize"`
}

type userJSON struct {
	FirstName string `json:"firstName"`
	Surname   string `json:"surname"`
	UserID    int64  `json:"userId"`
}

func (s *Server) activeUsers(_ context.Context, in *noInput) (*reply[activeUsersJSON], error) {
	out := activeUsersJSON{Items: []userJSON{}}
	accounts := slices.DeleteFunc(s.Directory.Accounts(in.by.Customer), func(a auth.Account) bool { return a.Disabled })
	for _, a := range accounts {
		out.Items = append(out.Items, userJSON{FirstName: a.First, Surname: a.Surname, UserID: int64(a.ID)})
	}
	out.TotalSize = int64(len(out.Items))
	return ok(out), nil
}
