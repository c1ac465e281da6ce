package api

import (
	"context"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

type monitoringUserJSON struct {
	CountryCode     string  `json:"countryCode" example:"GB"`
	CreatedDate     string  `json:"createdDate" example:"2026-01-31T00:00:00"`
	CustomerID      int64   `json:"csCustomerId"`
	AccountID       int64   `json:"csUserId"`
	IsAutoTracker   bool    `json:"isAutoTracker" doc:"Always false: companies are watched when somebody adds them."`
	LanguageCode    string  `json:"languageCode" example:"en"`
	LastAccessDate  *string `json:"lastAccessDate" doc:"Not kept: null."`
	ModifiedDate    *string `json:"modifiedDate" doc:"Not kept: null."`
	ContractEndDate *string `json:"contractEndDate" doc:"The last day of monitoring; null if there is no end."`
	UserID          int64   `json:"userId" doc:"The same number as csUserId."`
}

func (s *Server) monitoringUser(_ context.Context, in *noInput) (*reply[[]monitoringUserJSON], error) {
	a, okA := s.Directory.Account(in.by.Account)
	c, okC := s.Directory.Customer(in.by.Customer)
	if !okA || !okC {
		return nil, fault.Missing.Errorf("User not found")
	}
	language, country, _ := strings.Cut(a.Language, "-")
	return ok([]monitoringUserJSON{{
		CountryCode: country, LanguageCode: strings.ToLower(language), CreatedDate: naive(a.CreatedAt),
		CustomerID: int64(c.ID), AccountID: int64(a.ID), UserID: int64(a.ID),
		ContractEndDate: textOrNull(dateTime(lastDay(c, auth.Monitoring))),
	}}), nil
}

// lastDay is the last day on which a customer has a product anywhere, and
// empty if there is none.
func lastDay(c auth.Customer, p auth.Product) (last auth.Date) {
	for _, g := range c.Grants {
		switch {
		case g.Product != p:
		case g.Until == "":
			return ""
		default:
			last = max(last, g.Until)
		}
	}
	return last
}
