package client

import (
	"context"
	"net/http"
	"net/url"
)

// VerifyFlags say whether there is anything about somebody.
type VerifyFlags struct {
	Judgment      bool `json:"ccjMatch"`
	ElectoralRoll bool `json:"electoralRegisterMatch"`
	Deceased      bool `json:"deceasedRegisterMatch"`
	Insolvency    bool `json:"insolvencyMatch"`
}

// A VerifyReport is whether somebody is known and, where it was asked for, what
// is known of them.
type VerifyReport struct {
	Match     bool        `json:"verifyMatch"`
	Flags     VerifyFlags `json:"flags"`
	Judgments []struct {
		Date     string `json:"date"`
		PaidDate string `json:"paidDate"`
		Amount   int64  `json:"amount"`
		Currency string `json:"currency"`
		Court    string `json:"court"`
		Case     string `json:"caseNumber"`
	} `json:"countyCourtJudgments"`
	ElectoralRolls []struct {
		Address   string `json:"address"`
		StartDate string `json:"startDate"`
		EndDate   string `json:"endDate"`
	} `json:"electoralRolls"`
	Insolvencies []struct {
		Type       string `json:"type"`
		Date       string `json:"date"`
		Case       string `json:"caseNumber"`
		Discharged string `json:"dischargeDate"`
	} `json:"insolvencies"`
	DateOfDeath string `json:"dateOfDeath"`
	Notices     []struct {
		Comment string `json:"comment"`
	} `json:"notices"`
}

const verifyPath = "/localSolutions/GB/verify"

// why is the reason that every verification needs.
func why(reason string) url.Values { return url.Values{"reasonForSearch": {reason}} }

// VerifyCompany reports whether anybody who runs a company is known.
func (c *Client) VerifyCompany(ctx context.Context, id, reason string) (bool, error) {
	var out struct {
		Match bool `json:"verifyMatch"`
	}
	err := c.Do(ctx, Call{Method: http.MethodGet, Path: verifyPath + "/company/" + url.PathEscape(id), Query: why(reason), Out: &out})
	return out.Match, err
}

// VerifySummary says whether a director is known, with flags only.
func (c *Client) VerifySummary(ctx context.Context, peopleID, reason string) (VerifyReport, error) {
	return c.verify(ctx, Call{Method: http.MethodGet, Path: verifyPath + "/individual/" + url.PathEscape(peopleID) + "/summary", Query: why(reason)})
}

// VerifyFull says what is known of a director.
func (c *Client) VerifyFull(ctx context.Context, peopleID, reason string) (VerifyReport, error) {
	return c.verify(ctx, Call{Method: http.MethodGet, Path: verifyPath + "/individual/" + url.PathEscape(peopleID) + "/full", Query: why(reason)})
}

// An Individual is somebody who is described.
type Individual struct {
	Title       string `json:"title,omitempty"`
	FirstName   string `json:"firstName"`
	MiddleName  string `json:"middleName,omitempty"`
	LastName    string `json:"lastName"`
	DateOfBirth string `json:"dateOfBirth,omitempty"`
	Reason      string `json:"reasonForSearch"`
	Addresses   struct {
		Current  *VerifyAddress  `json:"currentAddress,omitempty"`
		Previous []VerifyAddress `json:"previousAddresses,omitempty"`
	} `json:"addresses"`
}

// A VerifyAddress is where somebody lives.
type VerifyAddress struct {
	PostCode     string `json:"postCode,omitempty"`
	AddressLine  string `json:"addressLine,omitempty"`
	BuildingNo   string `json:"buildingNo,omitempty"`
	BuildingName string `json:"buildingName,omitempty"`
	SubBuilding  string `json:"subBuilding,omitempty"`
	Street       string `json:"street,omitempty"`
	Town         string `json:"town,omitempty"`
	County       string `json:"county,omitempty"`
}

// VerifyIndividual says what is known of somebody who is described.
func (c *Client) VerifyIndividual(ctx context.Context, who Individual) (VerifyReport, error) {
	return c.verify(ctx, Call{Method: http.MethodPost, Path: verifyPath + "/individual/directReport", In: who})
}

// VerifyByName is VerifyIndividual with no more than a name, a date of birth and
// an address.
func (c *Client) VerifyByName(ctx context.Context, first, last, dateOfBirth, address, postCode, reason string) (VerifyReport, error) {
	q := why(reason)
	for name, value := range map[string]string{"firstName": first, "lastName": last, "dateOfBirth": dateOfBirth, "address": address, "postCode": postCode} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return c.verify(ctx, Call{Method: http.MethodGet, Path: verifyPath + "/individual/directReport", Query: q})
}

func (c *Client) verify(ctx context.Context, call Call) (out VerifyReport, err error) {
	call.Out = &out
	err = c.Do(ctx, call)
	return out, err
}
