package api

import (
	"context"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/identity"
)

// verifyRows are the verification of individuals and directors.
func (s *Server) verifyRows() []route {
	gb := inCountry("GB")
	return []route{
		get("/localSolutions/GB/verify/company/{id}", auth.Verify, "verifyCompany", "Is anybody who runs a company known?", s.verifyCompany, gb, countsItself,
			about("Whether at least one of the people who run the company today is known. You must say why you look.")),
		get("/localSolutions/GB/verify/individual/{id}/summary", auth.Verify, "verifySummary", "Is a director known, and is there anything against them?",
			s.verifySummary, gb, countsItself, about("Flags only. You must say why you look.")),
		get("/localSolutions/GB/verify/individual/{id}/full", auth.Verify, "verifyFull", "What is known of a director", s.verifyFull, gb, countsItself,
			about("The flags, and the judgments, registrations and orders behind them. You must say why you look.")),
		get("/localSolutions/GB/verify/individual/directReport", auth.Verify, "verifyDirect", "What is known of an individual", s.verifyDirect, gb, countsItself,
			about("For somebody who has no id: name, date of birth and address. You must say why you look.")),
		post("/localSolutions/GB/verify/individual/directReport", auth.Verify, "verifyDirectBody", "What is known of an individual, with former addresses",
			s.verifyDirectBody, gb, countsItself, about("As the GET, and former addresses as well.")),
	}
}

// VerifyWhy is part of every input here: nobody is verified without a reason.
type VerifyWhy struct {
	Reason string `query:"reasonForSearch" doc:"Why you look: AM, AV, BS, CA, DC, DS, EC, GI, QS, TV, GC, SA or IA." example:"CA"`
}

func (w VerifyWhy) read(wrong *wrongs) identity.Reason {
	r, err := identity.ParseVerifyReason(w.Reason)
	if err != nil {
		wrong.say("reasonForSearch", "%s", err)
	}
	return r
}

// countVerify counts a verification, and keeps who was shown and why.
func (s *Server) countVerify(ctx context.Context, by auth.Caller, why identity.Reason, what string, shown ...identity.ID) error {
	return s.Gate.CountPeople(context.WithoutCancel(ctx), by, auth.Verify, "GB", s.marks(shown...), "verify "+what+" reason="+string(why))
}

type verifyCompanyIn struct {
	caller
	VerifyWhy
	ID string `path:"id" maxLength:"100" doc:"A connectId or safe number." example:"GB-0-09999990"`
}

type verifyCompanyJSON struct {
	CompanyID string `json:"companyID"`
	Match     bool   `json:"verifyMatch"`
}

func (s *Server) verifyCompany(ctx context.Context, in *verifyCompanyIn) (*reply[verifyCompanyJSON], error) {
	var wrong wrongs
	why := in.read(&wrong)
	if err := wrong.fault(); err != nil {
		return nil, err
	}
	c, known, err := s.Identity.VerifyCompany(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if c.ID.Country() != "GB" {
		return nil, fault.Missing.Errorf("Company resource not found")
	}
	return ok(verifyCompanyJSON{string(c.ID), len(known) > 0}), s.countVerify(ctx, in.by, why, "company="+string(c.ID), known...)
}

type verifyIn struct {
	caller
	VerifyWhy
	ID   string `path:"id" maxLength:"70" doc:"A director's peopleId." example:"GB-9000001"`
	Text string `query:"freeText" maxLength:"255" doc:"Your own note; it is not read."`
}

type verifyFlagsJSON struct {
	Judgment  bool `json:"ccjMatch"`
	Electoral bool `json:"electoralRegisterMatch"`
	Deceased  bool `json:"deceasedRegisterMatch"`
	Insolvent bool `json:"insolvencyMatch"`
}

type verifySummaryJSON struct {
	Match bool            `json:"verifyMatch"`
	Flags verifyFlagsJSON `json:"flags"`
}

type verifyFullJSON struct {
	CorrelationID string             `json:"correlationId"`
	Match         bool               `json:"verifyMatch"`
	Flags         verifyFlagsJSON    `json:"flags"`
	Judgments     []verifyJudgment   `json:"countyCourtJudgments"`
	Electoral     []verifyElectoral  `json:"electoralRolls"`
	Insolvencies  []verifyInsolvency `json:"insolvencies"`
	Deceased      *string            `json:"dateOfDeath"`
	Notices       []ownWordJSON      `json:"notices" doc:"The person's own statements."`
}

type verifyJudgment struct {
	Date     string  `json:"date"`
	Paid     *string `json:"paidDate"`
	Amount   int64   `json:"amount" doc:"In whole units of the currency."`
	Currency string  `json:"currency"`
	Court    string  `json:"court"`
	Case     string  `json:"caseNumber"`
	Address  string  `json:"address"`
}

type verifyElectoral struct {
	Address string  `json:"address"`
	From    *string `json:"startDate"`
	Until   *string `json:"endDate"`
}

type verifyInsolvency struct {
	Type       string  `json:"type"`
	Date       string  `json:"date"`
	Court      string  `json:"court"`
	Case       string  `json:"caseNumber"`
	Discharged *string `json:"dischargeDate"`
}

func toVerifyFlags(v identity.Verification) verifyFlagsJSON {
	return verifyFlagsJSON{len(v.Judgments) > 0, len(v.Electoral) > 0, v.Deceased, len(v.Orders) > 0}
}

func day(d company.Date) *string { return textOrNull(string(d)) }

func toVerifyFull(c caller, v identity.Verification) verifyFullJSON {
	out := verifyFullJSON{
		CorrelationID: c.correlation, Match: v.Match, Flags: toVerifyFlags(v), Deceased: day(v.Death),
		Judgments: []verifyJudgment{}, Electoral: []verifyElectoral{}, Insolvencies: []verifyInsolvency{}, Notices: []ownWordJSON{},
	}
	for _, j := range v.Judgments {
		one := verifyJudgment{string(j.Date), day(j.Satisfied), whole(j.Amount), j.Amount.Currency, j.Court, j.Case, ""}
		if j.Address != nil {
			one.Address = j.Address.Line()
		}
		out.Judgments = append(out.Judgments, one)
	}
	for _, e := range v.Electoral {
		out.Electoral = append(out.Electoral, verifyElectoral{e.Line(), day(e.From), day(e.Until)})
	}
	for _, i := range v.Orders {
		out.Insolvencies = append(out.Insolvencies, verifyInsolvency{orderTypes[i.Kind][1], string(i.Date), i.Court, i.Case, day(i.Discharged)})
	}
	for _, n := range v.Notices {
		out.Notices = append(out.Notices, ownWordJSON{Text: n.Note, Raised: naive(n.At)})
	}
	return out
}

// director verifies somebody by their peopleId.
func (s *Server) director(ctx context.Context, in *verifyIn, what string) (identity.Verification, error) {
	var wrong wrongs
	why := in.read(&wrong)
	id, err := company.ParsePersonID(in.ID)
	if err != nil {
		wrong.say("id", "%s", err)
	}
	if err := wrong.fault(); err != nil {
		return identity.Verification{}, err
	}
	v, err := s.Identity.VerifyDirector(ctx, id)
	if err != nil {
		return v, err
	}
	return v, s.countVerify(ctx, in.by, why, what+"="+string(id), v.Consumer)
}

func (s *Server) verifySummary(ctx context.Context, in *verifyIn) (*reply[verifySummaryJSON], error) {
	v, err := s.director(ctx, in, "summary")
	if err != nil {
		return nil, err
	}
	return ok(verifySummaryJSON{v.Match, toVerifyFlags(v)}), nil
}

func (s *Server) verifyFull(ctx context.Context, in *verifyIn) (*reply[verifyFullJSON], error) {
	v, err := s.director(ctx, in, "full")
	if err != nil {
		return nil, err
	}
	return ok(toVerifyFull(in.caller, v)), nil
}

type verifyDirectIn struct {
	caller
	VerifyWhy
	First   string `query:"firstName" maxLength:"200" doc:"Their first name."`
	Last    string `query:"lastName" maxLength:"200" doc:"Their surname."`
	Birth   string `query:"dateOfBirth" doc:"The day of birth, year first." example:"1970-05-31"`
	Address string `query:"address" maxLength:"400" doc:"The house and the street."`
	Post    string `query:"postCode" maxLength:"20" doc:"Where they live." example:"EX1 1AA"`
}

func (s *Server) verifyDirect(ctx context.Context, in *verifyDirectIn) (*reply[verifyFullJSON], error) {
	q := identity.DirectQuestion{Name: identity.Name{First: in.First, Surname: in.Last}, Birth: in.Birth}
	if in.Address != "" || in.Post != "" {
		q.Addresses = []identity.Address{{Street: in.Address, PostCode: in.Post}}
	}
	return s.direct(ctx, in.caller, in.VerifyWhy, q)
}

// direct answers for somebody who is described.
func (s *Server) direct(ctx context.Context, c caller, w VerifyWhy, q identity.DirectQuestion) (*reply[verifyFullJSON], error) {
	var wrong wrongs
	why := w.read(&wrong)
	if err := wrong.fault(); err != nil {
		return nil, err
	}
	v, err := s.Identity.VerifyIndividual(ctx, q)
	if err != nil {
		return nil, err
	}
	return ok(toVerifyFull(c, v)), s.countVerify(ctx, c.by, why, "directReport", v.Consumer)
}

type verifyDirectBodyIn struct {
	caller
	Body struct {
		Title     string `json:"title,omitempty"`
		First     string `json:"firstName,omitempty"`
		Middle    string `json:"middleName,omitempty"`
		Last      string `json:"lastName,omitempty"`
		Birth     string `json:"dateOfBirth,omitempty" example:"1970-05-31"`
		Reason    string `json:"reasonForSearch,omitempty" doc:"Why you look." example:"CA"`
		Addresses struct {
			Current  *verifyAddressIn  `json:"currentAddress,omitempty"`
			Previous []verifyAddressIn `json:"previousAddresses,omitempty" maxItems:"20"`
		} `json:"addresses,omitempty"`
	}
}

type verifyAddressIn struct {
	Post         looseText `json:"postCode,omitempty"`
	Line         looseText `json:"addressLine,omitempty"`
	BuildingNo   looseText `json:"buildingNo,omitempty"`
	BuildingName looseText `json:"buildingName,omitempty"`
	SubBuilding  looseText `json:"subBuilding,omitempty"`
	Street       looseText `json:"street,omitempty"`
	Town         looseText `json:"town,omitempty"`
	County       looseText `json:"county,omitempty"`
}

func (a verifyAddressIn) domain() identity.Address {
	street := string(a.Street)
	if street == "" {
		street = string(a.Line)
	}
	return identity.Address{
		SubBuilding: string(a.SubBuilding), BuildingName: string(a.BuildingName), BuildingNo: string(a.BuildingNo),
		Street: street, City: string(a.Town), PostCode: string(a.Post),
	}
}

func (s *Server) verifyDirectBody(ctx context.Context, in *verifyDirectBodyIn) (*reply[verifyFullJSON], error) {
	b := &in.Body
	q := identity.DirectQuestion{Name: identity.Name{Title: b.Title, First: b.First, Middle: b.Middle, Surname: b.Last}, Birth: b.Birth}
	if b.Addresses.Current != nil {
		q.Addresses = append(q.Addresses, b.Addresses.Current.domain())
	}
	for _, a := range b.Addresses.Previous {
		q.Addresses = append(q.Addresses, a.domain())
	}
	return s.direct(ctx, in.caller, VerifyWhy{b.Reason}, q)
}
