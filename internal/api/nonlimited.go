package api

import (
	"context"
	"encoding/base64"
	"strconv"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/national"
)

// nonLimitedRows are German companies that are not limited.
func (s *Server) nonLimitedRows() []route {
	de := inCountry("DE")
	return []route{
		get("/localSolutions/DE/nonLtdCompanies/searchcriteria", auth.NonLimited, "nonLimitedCriteria", "What German non-limited companies are found by",
			s.nonLimitedCriteria, de, free,
			about("Which parts of a question are needed, and the reasons that a report takes.")),
		get("/localSolutions/DE/nonLtdCompanies", auth.NonLimited, "nonLimitedSearch", "Find German non-limited companies", s.findNonLimited, de, free, mayBeBusy,
			about("By name and city. A match has a number, by which its report is read.")),
		get("/localSolutions/DE/nonLtdCompanies/{id}", auth.NonLimited, "nonLimitedReport", "The report of a German non-limited company", s.nonLimitedReport, de, countsItself,
			about("You must say why you read it: behind many of these companies is one person.")),
	}
}

type nonLimitedCriteriaIn struct{ caller }

type nonLimitedCriteriaJSON struct {
	Sets      []nonLimitedSetJSON `json:"criteriaSets"`
	Languages []string            `json:"languages"`
	Country   []string            `json:"country"`
	Reasons   []string            `json:"reasons" doc:"What a report takes as its reason."`
}

type nonLimitedSetJSON struct {
	Name struct {
		Required bool `json:"required"`
		Min      int  `json:"minLength"`
	} `json:"name"`
	Telephone struct {
		CountryArea bool `json:"countryAreaCode"`
		Number      bool `json:"number"`
		Area        bool `json:"areaCode"`
	} `json:"telephone" doc:"Whether each part is needed."`
	Address struct {
		PostPoBox bool `json:"postCodePoBox"`
		Country   bool `json:"country"`
		PoBox     bool `json:"poBox"`
		Post      bool `json:"postCode"`
		City      bool `json:"city"`
		Street    bool `json:"street"`
	} `json:"address" doc:"Whether each part is needed."`
}

func (s *Server) nonLimitedCriteria(context.Context, *nonLimitedCriteriaIn) (*reply[nonLimitedCriteriaJSON], error) {
	out := nonLimitedCriteriaJSON{Languages: []string{"de", "en"}, Country: []string{"DE"}, Reasons: national.NonLimitedReasons()}
	var set nonLimitedSetJSON
	set.Name.Required, set.Name.Min, set.Address.City = true, 2, true
	out.Sets = []nonLimitedSetJSON{set}
	return ok(out), nil
}

type nonLimitedSearchIn struct {
	caller
	Name   string `query:"name" maxLength:"200" doc:"Needed." example:"Müller"`
	City   string `query:"city" maxLength:"100" doc:"Needed." example:"Leipzig"`
	Street string `query:"street" maxLength:"200" doc:"The street, without the number."`
	House  string `query:"houseNo" maxLength:"20" doc:"The number of the house."`
	Post   string `query:"postCode" maxLength:"10" doc:"The post code."`
	Phone  string `query:"telephone" maxLength:"40" doc:"A telephone number of the company."`
}

type nonLimitedMatchesJSON struct {
	CorrelationID string                `json:"correlationId"`
	Matches       []nonLimitedMatchJSON `json:"matches" doc:"Read the report of one by its id."`
}

type nonLimitedMatchJSON struct {
	ID      int64  `json:"id" example:"10001"`
	Country string `json:"country" enum:"DE"`
	Name    string `json:"name"`
	Form    string `json:"legalForm"`
	Status  string `json:"status"`
	Street  string `json:"street"`
	House   string `json:"houseNo"`
	Post    string `json:"postCode"`
	City    string `json:"city"`
}

func (s *Server) findNonLimited(ctx context.Context, in *nonLimitedSearchIn) (*reply[nonLimitedMatchesJSON], error) {
	list, err := s.NonLimited.Search(ctx, national.NonLimitedQuestion{
		Name: in.Name, City: in.City, Street: in.Street, House: in.House, Post: in.Post, Phone: in.Phone,
	})
	if err != nil {
		return nil, err
	}
	out := nonLimitedMatchesJSON{CorrelationID: in.correlation, Matches: []nonLimitedMatchJSON{}}
	for i := range list {
		m := &list[i]
		one := nonLimitedMatchJSON{ID: m.Number, Country: "DE", Name: m.Name, Form: m.Form.Text, Status: string(m.Status)}
		if len(m.Addresses) > 0 {
			a := m.Addresses[0]
			one.Street, one.House, one.Post, one.City = a.Street, a.House, a.Post, a.City
		}
		out.Matches = append(out.Matches, one)
	}
	return ok(out), nil
}

type nonLimitedIn struct {
	caller
	ID     string `path:"id" maxLength:"20" doc:"The id of a match." example:"10001"`
	Reason string `query:"reason" enum:"CreditEnquiry,CreditDecision,CreditAssessmentFutureBusiness,CreditAssessmentExistingBusiness,CollectionCheck,Purchase,LeasingOrRent,InsuranceContract" doc:"Why you read it. It is kept with the reading."`
}

// nonLimitedReportJSON is a report.
type nonLimitedReportJSON struct {
	CorrelationID string             `json:"correlationId"`
	PDF           string             `json:"pdfFile" doc:"The report as a PDF, in base64."`
	Status        string             `json:"status"`
	Data          nonLimitedDataJSON `json:"companyData"`
}

type nonLimitedDataJSON struct {
	Date    string `json:"reportDate"`
	Contact struct {
		ID     string `json:"id"`
		Reason string `json:"requestReason"`
	} `json:"contact"`
	ID         string              `json:"id"`
	Basic      nonLimitedBasicJSON `json:"currentBasicData"`
	Previous   []string            `json:"previousBasicData" doc:"Former names."`
	Address    string              `json:"currentAddress"`
	OldAddress []string            `json:"previousAddress"`
	Register   string              `json:"currentRegisterData"`
	Rating     *swedishRatingJSON  `json:"creditRatingData,omitempty"`
	Employees  string              `json:"employees"`
	Capital    string              `json:"shareCapital"`
	Purpose    string              `json:"businessPurpose"`
	Industry   []industryCodeJSON  `json:"industry"`
	Years      []swedishYearJSON   `json:"balancesheet"`
	Directors  []directorDEJSON    `json:"currentDirector"`
	Former     []directorDEJSON    `json:"previousDirector"`
	Owners     []directorDEJSON    `json:"shareholderCurrent"`
	OldOwners  []directorDEJSON    `json:"shareholderPrevious"`
	Notices    []swedishRemarkJSON `json:"notification"`
}

type nonLimitedBasicJSON struct {
	Name    string   `json:"name"`
	Form    string   `json:"legalForm"`
	Status  string   `json:"status"`
	Founded string   `json:"foundationDate,omitempty"`
	Phones  []string `json:"telephone"`
	Emails  []string `json:"email"`
}

type directorDEJSON struct {
	Name  string `json:"name"`
	Role  string `json:"function,omitempty"`
	From  string `json:"from,omitempty"`
	Until string `json:"until,omitempty"`
}

func (s *Server) nonLimitedReport(ctx context.Context, in *nonLimitedIn) (*reply[nonLimitedReportJSON], error) {
	number, err := strconv.ParseInt(in.ID, 10, 64)
	if err != nil {
		return nil, fault.Invalid.Details("Bad request", "id: it is a number such as 10001")
	}
	c, reason, err := s.NonLimited.Report(ctx, number, in.Reason)
	if err != nil {
		return nil, err
	}
	out := nonLimitedReportJSON{CorrelationID: in.correlation, Status: "delivered", Data: toNonLimited(&c)}
	out.Data.Date, out.Data.Contact.ID, out.Data.Contact.Reason = s.Gate.Now().UTC().Format("2006-01-02"), in.ID, reason
	file, err := s.nonLimitedPaper(&c, out.Data, s.Gate.Now())
	if err != nil {
		return nil, err
	}
	out.PDF = base64.StdEncoding.EncodeToString(file)
	return ok(out), s.Gate.CountRead(context.WithoutCancel(ctx), in.by, auth.NonLimited, "DE", "nonLimited="+string(c.ID)+" reason="+reason)
}

func toNonLimited(c *company.Company) nonLimitedDataJSON {
	out := nonLimitedDataJSON{
		ID: string(c.ID), Basic: nonLimitedBasicJSON{c.Name, c.Form.Text, string(c.Status), string(c.Founded), append([]string{}, c.Phones...), append([]string{}, c.Emails...)},
		Previous: []string{}, OldAddress: []string{}, Register: joined(c.Register, c.RegNo), Employees: employeeRange(c), Industry: []industryCodeJSON{},
		Years: []swedishYearJSON{}, Directors: []directorDEJSON{}, Former: []directorDEJSON{}, Owners: []directorDEJSON{}, OldOwners: []directorDEJSON{},
		Notices: []swedishRemarkJSON{},
	}
	for _, n := range c.Names {
		if n.Kind == company.Former {
			out.Previous = append(out.Previous, n.Text)
		}
	}
	for _, a := range c.Addresses {
		switch {
		case a.Until != "" || a.Kind == company.FormerAddress:
			out.OldAddress = append(out.OldAddress, a.Line())
		case out.Address == "":
			out.Address = a.Line()
		}
	}
	if c.Score != nil {
		out.Rating = &swedishRatingJSON{c.Score.Value, c.Score.Band, c.Score.Limit.Minor / 100}
	}
	if c.Capital.Currency != "" {
		out.Capital = strconv.FormatInt(c.Capital.Minor/100, 10) + " " + c.Capital.Currency
	}
	for i, a := range c.Activities {
		if i == 0 {
			out.Purpose = a.Text
		}
		out.Industry = append(out.Industry, industryCodeJSON{a.Code, a.Text})
	}
	for _, a := range c.Accounts {
		out.Years = append(out.Years, swedishYearJSON{string(a.End), a.Currency, a.Items})
	}
	for i := range c.Officers {
		o := &c.Officers[i]
		seat(&out.Directors, &out.Former, &o.Person, o.Role, o.From, o.Until)
	}
	for i := range c.Owners {
		o := &c.Owners[i]
		seat(&out.Owners, &out.OldOwners, &o.Person, "", o.From, o.Until)
	}
	for _, n := range c.Notices {
		out.Notices = append(out.Notices, swedishRemarkJSON{Date: string(n.Date), Type: n.Kind, Text: n.Text})
	}
	return out
}

// seat puts somebody among those of today or of before. Who may not be shown is
// among neither.
func seat(today, before *[]directorDEJSON, p *company.Person, role string, from, until company.Date) {
	if p.Protected {
		return
	}
	if until != "" {
		today = before
	}
	*today = append(*today, directorDEJSON{p.Name, role, string(from), string(until)})
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}
