package api

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"bureau/internal/company"
	"bureau/internal/kyc"
)

// detailsBody is what a caller knows of a profile's subject.
type detailsBody struct {
	LegalName       string     `json:"legalName" example:"Example Bakeries Ltd"`
	TradingName     *string    `json:"tradingName,omitempty"`
	Aliases         looseTexts `json:"aliases,omitempty"`
	Activity        *string    `json:"activity,omitempty" example:"62409"`
	Description     *string    `json:"description,omitempty"`
	ContactName     *string    `json:"contactName,omitempty"`
	Email           *string    `json:"email,omitempty"`
	Website         *string    `json:"website,omitempty"`
	Telephone       *string    `json:"telephone,omitempty"`
	Turnover        *moneyBody `json:"turnover,omitempty"`
	Assets          *moneyBody `json:"assetsUnderManagement,omitempty"`
	Number          *string    `json:"organizationNumber,omitempty" example:"12345678"`
	InternalContact *string    `json:"internalContact,omitempty"`
	InternalEmail   *string    `json:"internalEmail,omitempty"`
	Born            *string    `json:"dateOfBirth,omitempty" example:"1970-05-31"`
	Country         *string    `json:"countryCode,omitempty" example:"GB"`
	VATNo           *string    `json:"vatNo,omitempty" example:"GB12345678"`
	Listed          *bool      `json:"isListedOnExchange,omitempty"`
	Exchange        *string    `json:"exchangeName,omitempty"`
}

type moneyBody struct {
	Currency string  `json:"currencyCode" doc:"One of /kyc-protect/lookup/currencyCodes." example:"gbp"`
	Amount   float64 `json:"amount" doc:"Whole units." example:"250000"`
}

func (m *moneyBody) money() *kyc.Money {
	if m == nil {
		return nil
	}
	return &kyc.Money{Currency: m.Currency, Amount: int64(m.Amount)}
}

func (b *detailsBody) details() kyc.Details {
	return kyc.Details{
		LegalName: b.LegalName, TradingName: textOf(b.TradingName), Aliases: b.Aliases, Activity: textOf(b.Activity),
		Description: textOf(b.Description), ContactName: textOf(b.ContactName), Email: textOf(b.Email), Website: textOf(b.Website),
		Telephone: textOf(b.Telephone), Turnover: b.Turnover.money(), Assets: b.Assets.money(), Number: textOf(b.Number),
		InternalContact: textOf(b.InternalContact), InternalEmail: textOf(b.InternalEmail), Born: company.Date(textOf(b.Born)),
		Country: textOf(b.Country), VATNo: textOf(b.VATNo), Listed: b.Listed, Exchange: textOf(b.Exchange),
	}
}

// looseTexts is a list of texts, or a single one: clients send both.
type looseTexts []string

func (l *looseTexts) UnmarshalJSON(text []byte) error {
	var one *string
	if json.Unmarshal(text, &one) == nil {
		*l = nil
		if one != nil && strings.TrimSpace(*one) != "" {
			*l = looseTexts{*one}
		}
		return nil
	}
	var many []string
	if json.Unmarshal(text, &many) != nil {
		return errors.New("a list of texts is wanted")
	}
	*l = many
	return nil
}

// Schema tells huma what is allowed.
func (looseTexts) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Description: "A list of texts; a single one is taken too.",
		AnyOf: []*huma.Schema{
			{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString}},
			{Type: huma.TypeString, Nullable: true},
		},
	}
}

type profileDetailsJSON struct {
	Profile         string     `json:"profileId" format:"uuid"`
	LegalName       string     `json:"legalName"`
	TradingName     *string    `json:"tradingName"`
	Aliases         []string   `json:"aliases"`
	Activity        *string    `json:"activity"`
	Description     *string    `json:"description"`
	ContactName     *string    `json:"contactName"`
	Email           *string    `json:"email"`
	Website         *string    `json:"website"`
	Telephone       *string    `json:"telephone"`
	Turnover        *moneyJSON `json:"turnover,omitempty"`
	Assets          *moneyJSON `json:"assetsUnderManagement,omitempty"`
	Born            *string    `json:"dateOfBirth"`
	Country         *string    `json:"countryCode"`
	VATNo           *string    `json:"vatNo"`
	Listed          *bool      `json:"isListedOnExchange"`
	Exchange        *string    `json:"exchangeName"`
	Number          *string    `json:"organizationNumber"`
	InternalContact *string    `json:"internalContact"`
	InternalEmail   *string    `json:"internalEmail"`
	Score           *string    `json:"internationalScore" doc:"Of a company that was taken from the register."`
	CreatedAt       string     `json:"createdAt"`
	CreatedID       int64      `json:"createdById"`
	CreatedBy       string     `json:"createdBy"`
	ModifiedAt      *string    `json:"modifiedAt"`
	ModifiedID      *int64     `json:"modifiedById"`
	ModifiedBy      *string    `json:"modifiedBy"`
	Notes           int        `json:"noteCount"`
	Attached        int        `json:"attachmentCount" doc:"Profiles take no attachments yet."`
}

type moneyJSON struct {
	Currency string `json:"currencyCode"`
	Amount   int64  `json:"amount"`
}

func toMoneyJSON(m *kyc.Money) *moneyJSON {
	if m == nil {
		return nil
	}
	return &moneyJSON{m.Currency, m.Amount}
}

func (s *Server) toProfileDetailsJSON(p *kyc.Profile) profileDetailsJSON {
	d := &p.Details
	out := profileDetailsJSON{
		Profile: string(p.ID), LegalName: d.LegalName, TradingName: textOrNull(d.TradingName), Aliases: append([]string{}, d.Aliases...),
		Activity: textOrNull(d.Activity), Description: textOrNull(d.Description), ContactName: textOrNull(d.ContactName),
		Email: textOrNull(d.Email), Website: textOrNull(d.Website), Telephone: textOrNull(d.Telephone),
		Turnover: toMoneyJSON(d.Turnover), Assets: toMoneyJSON(d.Assets), Born: textOrNull(string(d.Born)), Country: textOrNull(d.Country),
		VATNo: textOrNull(d.VATNo), Listed: d.Listed, Exchange: textOrNull(d.Exchange), Number: textOrNull(d.Number),
		InternalContact: textOrNull(d.InternalContact), InternalEmail: textOrNull(d.InternalEmail),
		CreatedAt: naive(p.Created.At), CreatedID: int64(p.Created.By), CreatedBy: s.userName(p.Created.By), Notes: p.Notes,
	}
	out.ModifiedAt, out.ModifiedID, out.ModifiedBy = s.actOrNull(d.Modified)
	return out
}

func (s *Server) profileDetails(ctx context.Context, in *profileIn) (*reply[profileDetailsJSON], error) {
	p, err := s.Profiles.Store.Profile(ctx, in.by, in.profile())
	if err != nil {
		return nil, err
	}
	return ok(s.toProfileDetailsJSON(&p)), nil
}

type updateProfileDetailsIn struct {
	caller
	ProfileOf
	Body detailsBody
}

func (s *Server) updateProfileDetails(ctx context.Context, in *updateProfileDetailsIn) (*reply[profileDetailsJSON], error) {
	p, err := s.Profiles.SetDetails(ctx, in.by, in.profile(), in.Body.details())
	if err != nil {
		return nil, err
	}
	return ok(s.toProfileDetailsJSON(&p)), nil
}

type addressBody struct {
	Type        string  `json:"type" enum:"registered,trading,other" example:"registered"`
	Building    *string `json:"buildingDetails,omitempty"`
	Street      *string `json:"street,omitempty" example:"1 Sample Street"`
	City        *string `json:"city,omitempty"`
	Region      *string `json:"region,omitempty"`
	PostCode    *string `json:"postalCode,omitempty"`
	Country     *string `json:"countryCode,omitempty" example:"GB"`
	Description *string `json:"description,omitempty"`
}

func (b *addressBody) premises() kyc.Premises {
	return kyc.Premises{
		Type: b.Type, Building: textOf(b.Building), Street: textOf(b.Street), City: textOf(b.City), Region: textOf(b.Region),
		PostCode: textOf(b.PostCode), Country: textOf(b.Country), Description: textOf(b.Description),
	}
}

type profileAddressJSON struct {
	ID          string  `json:"id" format:"uuid"`
	Building    *string `json:"buildingDetails"`
	Street      *string `json:"street"`
	City        *string `json:"city"`
	Region      *string `json:"region"`
	PostCode    *string `json:"postalCode"`
	Country     *string `json:"countryCode"`
	Type        string  `json:"type" enum:"registered,trading,other"`
	Description *string `json:"description"`
	CreatedAt   string  `json:"createdAt"`
	CreatedID   int64   `json:"createdById"`
	CreatedBy   string  `json:"createdBy"`
	ModifiedAt  *string `json:"modifiedAt"`
	ModifiedID  *int64  `json:"modifiedById"`
	ModifiedBy  *string `json:"modifiedBy"`
}

func (s *Server) toProfileAddressJSON(a *kyc.Premises) profileAddressJSON {
	out := profileAddressJSON{
		ID: string(a.ID), Building: textOrNull(a.Building), Street: textOrNull(a.Street), City: textOrNull(a.City),
		Region: textOrNull(a.Region), PostCode: textOrNull(a.PostCode), Country: textOrNull(a.Country), Type: a.Type,
		Description: textOrNull(a.Description), CreatedAt: naive(a.Created.At), CreatedID: int64(a.Created.By), CreatedBy: s.userName(a.Created.By),
	}
	out.ModifiedAt, out.ModifiedID, out.ModifiedBy = s.actOrNull(a.Modified)
	return out
}

type createProfileAddressIn struct {
	caller
	ProfileOf
	Body addressBody
}

func (s *Server) createProfileAddress(ctx context.Context, in *createProfileAddressIn) (*reply[profileAddressJSON], error) {
	a, err := s.Profiles.AddPremises(ctx, in.by, in.profile(), in.Body.premises())
	if err != nil {
		return nil, err
	}
	return ok(s.toProfileAddressJSON(&a)), nil
}

func (s *Server) profileAddresses(ctx context.Context, in *profileIn) (*reply[[]profileAddressJSON], error) {
	p, err := s.Profiles.Store.Profile(ctx, in.by, in.profile())
	if err != nil {
		return nil, err
	}
	out := make([]profileAddressJSON, 0, len(p.Premises))
	for i := range p.Premises {
		out = append(out, s.toProfileAddressJSON(&p.Premises[i]))
	}
	return ok(out), nil
}

type profileAddressIn struct {
	caller
	ProfileOf
	Address string `path:"addressId" format:"uuid" doc:"The address's id."`
}

func (in *profileAddressIn) address() kyc.PremisesID {
	return kyc.PremisesID(strings.ToLower(in.Address))
}

func (s *Server) profileAddress(ctx context.Context, in *profileAddressIn) (*reply[profileAddressJSON], error) {
	a, err := s.Profiles.Premises(ctx, in.by, in.profile(), in.address())
	if err != nil {
		return nil, err
	}
	return ok(s.toProfileAddressJSON(&a)), nil
}

type updateProfileAddressIn struct {
	caller
	ProfileOf
	Address string `path:"addressId" format:"uuid" doc:"The address's id."`
	Body    addressBody
}

func (s *Server) updateProfileAddress(ctx context.Context, in *updateProfileAddressIn) (*reply[profileAddressJSON], error) {
	a := in.Body.premises()
	a.ID = kyc.PremisesID(strings.ToLower(in.Address))
	a, err := s.Profiles.ChangePremises(ctx, in.by, in.profile(), a)
	if err != nil {
		return nil, err
	}
	return ok(s.toProfileAddressJSON(&a)), nil
}

func (s *Server) deleteProfileAddress(ctx context.Context, in *profileAddressIn) (*none, error) {
	return nil, s.Profiles.DeletePremises(ctx, in.by, in.profile(), in.address())
}
