package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// A KYCProfile is a file on somebody that your company does business with. What is
// empty is not known; of what a call changes, it is emptied.
type KYCProfile struct {
	ID                 string          `json:"id,omitempty"`
	Name               string          `json:"name"`
	Type               string          `json:"type,omitempty"`
	Status             string          `json:"status,omitempty"`
	RiskRating         string          `json:"riskRating,omitempty"`
	InternalID         string          `json:"internalId,omitempty"`
	AssignedToID       int64           `json:"assignedToId,omitempty"`
	AssignedTo         string          `json:"assignedTo,omitempty"`
	KYCReviewOn        string          `json:"kycReviewOn,omitempty"`
	KYCComments        string          `json:"kycComments,omitempty"`
	KYCApprovedAt      string          `json:"kycApprovedAt,omitempty"`
	KYCStatusUpdatedOn string          `json:"kycStatusUpdatedOn,omitempty"`
	NoteCount          int             `json:"noteCount,omitempty"`
	OpenAlertCount     int             `json:"openAlertCount,omitempty"`
	ModeOfCreation     string          `json:"modeOfCreation,omitempty"`
	Details            *ProfileDetails `json:"details,omitempty"` // when it is made
	Made
}

// Made says who made something and who changed it last.
type Made struct {
	CreatedAt    string `json:"createdAt,omitempty"`
	CreatedByID  int64  `json:"createdById,omitempty"`
	CreatedBy    string `json:"createdBy,omitempty"`
	ModifiedAt   string `json:"modifiedAt,omitempty"`
	ModifiedByID int64  `json:"modifiedById,omitempty"`
	ModifiedBy   string `json:"modifiedBy,omitempty"`
}

// ProfileDetails are what is known of the subject of a profile.
type ProfileDetails struct {
	LegalName             string   `json:"legalName"`
	TradingName           string   `json:"tradingName,omitempty"`
	Aliases               []string `json:"aliases,omitempty"`
	Activity              string   `json:"activity,omitempty"`
	Description           string   `json:"description,omitempty"`
	ContactName           string   `json:"contactName,omitempty"`
	Email                 string   `json:"email,omitempty"`
	Website               string   `json:"website,omitempty"`
	Telephone             string   `json:"telephone,omitempty"`
	Turnover              *Money   `json:"turnover,omitempty"`
	AssetsUnderManagement *Money   `json:"assetsUnderManagement,omitempty"`
	OrganizationNumber    string   `json:"organizationNumber,omitempty"`
	InternalContact       string   `json:"internalContact,omitempty"`
	InternalEmail         string   `json:"internalEmail,omitempty"`
	DateOfBirth           string   `json:"dateOfBirth,omitempty"`
	CountryCode           string   `json:"countryCode,omitempty"`
	VATNo                 string   `json:"vatNo,omitempty"`
	IsListedOnExchange    *bool    `json:"isListedOnExchange,omitempty"`
	ExchangeName          string   `json:"exchangeName,omitempty"`
	Made
}

// Money is whole units of a currency, such as "gbp".
type Money struct {
	CurrencyCode string `json:"currencyCode"`
	Amount       int64  `json:"amount"`
}

// A ProfileAddress is where the subject of a profile is.
type ProfileAddress struct {
	ID              string `json:"id,omitempty"`
	Type            string `json:"type"` // registered, trading or other
	BuildingDetails string `json:"buildingDetails,omitempty"`
	Street          string `json:"street,omitempty"`
	City            string `json:"city,omitempty"`
	Region          string `json:"region,omitempty"`
	PostalCode      string `json:"postalCode,omitempty"`
	CountryCode     string `json:"countryCode,omitempty"`
	Description     string `json:"description,omitempty"`
	Made
}

// A ProfileNote is what somebody wrote about a profile.
type ProfileNote struct {
	ID         string `json:"id"`
	Body       string `json:"body"`
	IsArchived bool   `json:"isArchived"`
	Made
}

const (
	kycPath      = "/kyc-protect"
	profilesPath = kycPath + "/profiles"
)

func profilePath(id string, more ...string) string {
	path := profilesPath + "/" + url.PathEscape(id)
	for _, m := range more {
		path += "/" + url.PathEscape(m)
	}
	return path
}

// CreateProfile makes a profile. Its Details need a LegalName.
func (c *Client) CreateProfile(ctx context.Context, p KYCProfile) (out KYCProfile, err error) {
	err = c.create(ctx, profilesPath, nil, p, &out)
	return out, err
}

// A ProfileFilter says which profiles to list. What is empty does not matter.
type ProfileFilter struct {
	SearchTerm      string
	Assignees       []int64
	RiskRatings     []string
	KYCReviewAfter  string
	KYCReviewBefore string
	SortBy          string
	SortOrder       string
	Page, PageSize  int
}

// Profiles lists a page of your company's profiles and says how many there are
// in all.
func (c *Client) Profiles(ctx context.Context, f ProfileFilter) (list []KYCProfile, total int64, err error) {
	q := kycPage(f.Page, f.PageSize)
	set(q, "searchTerm", f.SearchTerm)
	set(q, "kycReviewAfter", f.KYCReviewAfter)
	set(q, "kycReviewBefore", f.KYCReviewBefore)
	set(q, "sortBy", f.SortBy)
	set(q, "sortOrder", f.SortOrder)
	q["riskRatings"] = f.RiskRatings
	for _, id := range f.Assignees {
		q.Add("assignees", strconv.FormatInt(id, 10))
	}
	return kycList[KYCProfile](ctx, c, profilesPath, q)
}

// kycPage is the query of a page that counts from 1.
func kycPage(page, size int) url.Values {
	q := url.Values{}
	if page > 0 {
		q.Set("page", strconv.Itoa(page))
	}
	if size > 0 {
		q.Set("pageSize", strconv.Itoa(size))
	}
	return q
}

func set(q url.Values, name, value string) {
	if value != "" {
		q.Set(name, value)
	}
}

// kycList reads a page of a list.
func kycList[T any](ctx context.Context, c *Client, path string, q url.Values) ([]T, int64, error) {
	var out struct {
		Items     []T   `json:"items"`
		TotalSize int64 `json:"totalSize"`
	}
	err := c.Do(ctx, Call{Method: http.MethodGet, Path: path, Query: q, Out: &out})
	return out.Items, out.TotalSize, err
}

// Profile reads a profile.
func (c *Client) Profile(ctx context.Context, id string) (out KYCProfile, err error) {
	err = c.call(ctx, http.MethodGet, profilePath(id), nil, &out)
	return out, err
}

// UpdateProfile changes the profile p.ID, but for its type and details.
func (c *Client) UpdateProfile(ctx context.Context, p KYCProfile) (out KYCProfile, err error) {
	err = c.call(ctx, http.MethodPut, profilePath(p.ID), p, &out)
	return out, err
}

// DeleteProfile takes a profile away.
func (c *Client) DeleteProfile(ctx context.Context, id string) error {
	return c.call(ctx, http.MethodDelete, profilePath(id), nil, nil)
}

// DeleteProfiles takes several profiles away, or none if one is not there.
func (c *Client) DeleteProfiles(ctx context.Context, ids []string) error {
	return c.call(ctx, http.MethodDelete, profilesPath, ids, nil)
}

// ProfileTypes are what profiles can be.
func (c *Client) ProfileTypes(ctx context.Context) (out []string, err error) {
	err = c.call(ctx, http.MethodGet, profilesPath+"/types", nil, &out)
	return out, err
}

// AssignProfile gives a profile to a colleague; 0 is nobody.
func (c *Client) AssignProfile(ctx context.Context, id string, user int64) (out KYCProfile, err error) {
	q := url.Values{"profileId": {id}}
	if user != 0 {
		q.Set("userId", strconv.FormatInt(user, 10))
	}
	err = c.Do(ctx, Call{Method: http.MethodPut, Path: profilesPath + "/assign", Query: q, Out: &out})
	return out, err
}

// AssignProfiles gives several profiles to a colleague; 0 is nobody.
func (c *Client) AssignProfiles(ctx context.Context, ids []string, user int64) (out []KYCProfile, err error) {
	in := map[string]any{"profileIds": ids}
	if user != 0 {
		in["userId"] = user
	}
	err = c.call(ctx, http.MethodPut, profilesPath+"/assign/bulk", in, &out)
	return out, err
}

// ProfileDetails reads what is known of a profile's subject.
func (c *Client) ProfileDetails(ctx context.Context, id string) (out ProfileDetails, err error) {
	err = c.call(ctx, http.MethodGet, profilePath(id, "details"), nil, &out)
	return out, err
}

// UpdateProfileDetails replaces what is known of a profile's subject.
func (c *Client) UpdateProfileDetails(ctx context.Context, id string, d ProfileDetails) (out ProfileDetails, err error) {
	err = c.call(ctx, http.MethodPut, profilePath(id, "details"), d, &out)
	return out, err
}

// AddProfileAddress gives a profile another address.
func (c *Client) AddProfileAddress(ctx context.Context, id string, a ProfileAddress) (out ProfileAddress, err error) {
	err = c.create(ctx, profilePath(id, "details", "addresses"), nil, a, &out)
	return out, err
}

// ProfileAddresses lists the addresses of a profile.
func (c *Client) ProfileAddresses(ctx context.Context, id string) (out []ProfileAddress, err error) {
	err = c.call(ctx, http.MethodGet, profilePath(id, "details", "addresses"), nil, &out)
	return out, err
}

// ProfileAddress reads an address of a profile.
func (c *Client) ProfileAddress(ctx context.Context, id, address string) (out ProfileAddress, err error) {
	err = c.call(ctx, http.MethodGet, profilePath(id, "details", "addresses", address), nil, &out)
	return out, err
}

// UpdateProfileAddress replaces the address a.ID of a profile.
func (c *Client) UpdateProfileAddress(ctx context.Context, id string, a ProfileAddress) (out ProfileAddress, err error) {
	err = c.call(ctx, http.MethodPut, profilePath(id, "details", "addresses", a.ID), a, &out)
	return out, err
}

// DeleteProfileAddress takes an address of a profile away.
func (c *Client) DeleteProfileAddress(ctx context.Context, id, address string) error {
	return c.call(ctx, http.MethodDelete, profilePath(id, "details", "addresses", address), nil, nil)
}

// AddProfileNote writes a note on a profile.
func (c *Client) AddProfileNote(ctx context.Context, id, body string) (out ProfileNote, err error) {
	err = c.create(ctx, profilePath(id, "notes"), nil, map[string]string{"body": body}, &out)
	return out, err
}

// A NoteFilter says which notes to list. What is empty does not matter.
type NoteFilter struct {
	SearchTerm     string
	IsArchived     *bool
	Page, PageSize int
}

// ProfileNotes lists a page of the notes on a profile, the newest first, and
// says how many there are in all.
func (c *Client) ProfileNotes(ctx context.Context, id string, f NoteFilter) (list []ProfileNote, total int64, err error) {
	q := kycPage(f.Page, f.PageSize)
	set(q, "searchTerm", f.SearchTerm)
	if f.IsArchived != nil {
		q.Set("isArchived", strconv.FormatBool(*f.IsArchived))
	}
	return kycList[ProfileNote](ctx, c, profilePath(id, "notes"), q)
}

// ProfileNote reads a note.
func (c *Client) ProfileNote(ctx context.Context, id, note string) (out ProfileNote, err error) {
	err = c.call(ctx, http.MethodGet, profilePath(id, "notes", note), nil, &out)
	return out, err
}

// UpdateProfileNote rewrites the note n.ID, and puts it into the archive or
// takes it out.
func (c *Client) UpdateProfileNote(ctx context.Context, id string, n ProfileNote) (out ProfileNote, err error) {
	err = c.call(ctx, http.MethodPut, profilePath(id, "notes", n.ID), n, &out)
	return out, err
}

// DeleteProfileNote takes a note away.
func (c *Client) DeleteProfileNote(ctx context.Context, id, note string) error {
	return c.call(ctx, http.MethodDelete, profilePath(id, "notes", note), nil, nil)
}

// KYCCurrencies are the currencies that profiles take.
func (c *Client) KYCCurrencies(ctx context.Context) (out []string, err error) {
	err = c.call(ctx, http.MethodGet, kycPath+"/lookup/currencyCodes", nil, &out)
	return out, err
}

// KYCCountries are the countries that profiles and searches take.
func (c *Client) KYCCountries(ctx context.Context) (out []string, err error) {
	err = c.call(ctx, http.MethodGet, kycPath+"/lookup/countryCodes", nil, &out)
	return out, err
}
