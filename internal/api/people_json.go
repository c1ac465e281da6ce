package api

import (
	"cmp"

	"bureau/internal/company"
)

// personReplyJSON is the answer to GET /people/{peopleId}.
type personReplyJSON struct {
	CorrelationID string           `json:"correlationId"`
	DirectorID    string           `json:"directorId"`
	DateOfOrder   string           `json:"dateOfOrder"`
	Language      string           `json:"language"`
	UserID        int64            `json:"userId"`
	Report        personReportJSON `json:"report"`
}

type personReportJSON struct {
	DirectorID     string                `json:"directorId"`
	Summary        personSummaryJSON     `json:"directorSummary"`
	Details        directorJSON          `json:"directorDetails"`
	OtherAddresses []addressJSON         `json:"otherAddresses"`
	Directorships  directorshipsListJSON `json:"directorships"`
}

type personSummaryJSON struct {
	Current  int `json:"currentAppointments" doc:"In companies that are active or in proceedings."`
	Inactive int `json:"inactiveAppointments" doc:"That have not ended, in companies that have."`
	Previous int `json:"previousAppointments" doc:"That have ended."`
}

type directorshipsListJSON struct {
	Current  []directorshipJSON `json:"current"`
	Previous []directorshipJSON `json:"previous"`
}

type directorshipJSON struct {
	ID               string           `json:"id"`
	IDType           string           `json:"idType"`
	CompanyName      string           `json:"companyName"`
	CompanyNumber    string           `json:"companyNumber,omitempty"`
	RegNo            string           `json:"companyRegistrationNumber,omitempty"`
	SafeNo           string           `json:"safeNumber"`
	Country          string           `json:"country"`
	Address          *addressJSON     `json:"address,omitempty"`
	Status           string           `json:"status,omitempty" enum:"Active,NonActive,Pending,Other"`
	Activity         *activityJSON    `json:"activity,omitempty"`
	Position         seatPositionJSON `json:"position"`
	RegistrationDate string           `json:"companyRegistrationDate,omitempty"`
	LegalForm        *legalForm       `json:"legalForm,omitempty"`
	LatestTurnover   *amountJSON      `json:"latestTurnoverFigure,omitempty"`
	NetWorth         *amountJSON      `json:"netWorth,omitempty"`
	CreditScore      *seatScoreJSON   `json:"creditScore,omitempty"`
}

type seatPositionJSON struct {
	positionJSON
	Resigned string `json:"resignationDate,omitempty"`
}

type seatScoreJSON struct {
	Current *ratingJSON `json:"currentCreditRating"`
}

func (w reportWriter) personReport(d *company.Director) personReportJSON {
	out := personReportJSON{
		DirectorID: string(d.ID), OtherAddresses: []addressJSON{},
		Details: directorJSON{personJSON: w.director(d.ID, d.Person), Type: personType(d.Person), Positions: []positionJSON{}},
	}
	out.Directorships = directorshipsListJSON{Current: []directorshipJSON{}, Previous: []directorshipJSON{}}
	addresses := map[string]bool{}
	if d.Address != nil {
		addresses[d.Address.Line()] = true
	}
	for i := range d.Seats {
		at := &d.Seats[i]
		if at.Address != nil && !addresses[at.Address.Line()] {
			addresses[at.Address.Line()] = true
			out.OtherAddresses = append(out.OtherAddresses, w.address(*at.Address))
		}
		j := w.directorship(at)
		switch {
		case !at.Present():
			out.Summary.Previous++
			out.Directorships.Previous = append(out.Directorships.Previous, j)
			continue
		case at.Company.Status == company.NonActive:
			out.Summary.Inactive++
		default:
			out.Summary.Current++
		}
		out.Directorships.Current = append(out.Directorships.Current, j)
		out.Details.Positions = append(out.Details.Positions, j.Position.positionJSON)
	}
	return out
}

// director is a person under the id by which /people knows them.
func (w reportWriter) director(id company.PersonID, p company.Person) personJSON {
	out := w.person(p)
	if id != "" && !p.Company {
		out.ID, out.IDType = string(id), "PersonNumber"
	}
	return out
}

// owner is a person who holds a company. One whom the publisher has a number for
// goes by it as directors do.
func (w reportWriter) owner(of company.ID, p company.Person) personJSON {
	if p.ID == "" {
		return w.person(p)
	}
	return w.director(p.PersonID(of), p)
}

func (w reportWriter) directorship(at *company.Seat) directorshipJSON {
	c := &at.Company
	out := directorshipJSON{
		ID: string(c.ID), IDType: "RegistrationNumber", CompanyName: c.Name, CompanyNumber: c.RegNo, RegNo: c.RegNo,
		SafeNo: cmp.Or(c.SafeNo, c.ID.SafeNo()), Country: c.ID.Country(), Status: string(c.Status), Activity: mainActivity(c.Activities),
		RegistrationDate: dateOut(c.Founded),
		Position: seatPositionJSON{
			positionJSON{DateAppointed: dateOut(at.From), ProviderCode: at.Role, PositionName: w.role(at.Officer)}, dateOut(at.Until),
		},
		LatestTurnover: latest(c.Accounts, company.Turnover), NetWorth: latest(c.Accounts, company.Equity, company.NetAssets),
	}
	if a, ok := mainAddress(c.Facts); ok {
		j := w.address(a)
		out.Address = &j
	}
	if c.Form != (company.Form{}) {
		out.LegalForm = &legalForm{CommonCode: string(c.Kind), ProviderCode: c.Form.Code, Description: c.Form.Text}
	}
	if r := w.rating(c.Score); r != nil {
		out.CreditScore = &seatScoreJSON{r}
	}
	return out
}
