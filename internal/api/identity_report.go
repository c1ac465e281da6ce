package api

import (
	"fmt"
	"time"

	"bureau/internal/company"
	"bureau/internal/identity"
)

// consumerResultJSON is what a consumer search tells. What we hold nothing of
// (shared credit accounts, demographics) is not there.
type consumerResultJSON struct {
	Report     *applicantJSON `json:"applicant1Report,omitempty" doc:"Not there if nobody was found."`
	At         string         `json:"dateAndTimeOfReport"`
	Reason     string         `json:"reason"`
	Success    bool           `json:"success"`
	SupplierID string         `json:"supplierId"`
	Credits    int            `json:"creditsIncurred"`
}

type applicantJSON struct {
	Title        string               `json:"reportTitle"`
	Type         string               `json:"reportType"`
	Summary      applicantSummaryJSON `json:"summary"`
	Score        *consumerScoreJSON   `json:"score,omitempty" doc:"The operator's own, if one was loaded."`
	Address      *residentJSON        `json:"address,omitempty"`
	Previous1    *residentJSON        `json:"previousAddress1,omitempty"`
	Previous2    *residentJSON        `json:"previousAddress2,omitempty"`
	Links        linksJSON            `json:"links"`
	Insolvencies []insolvencyJSON     `json:"insolvencies"`
	Judgements   []judgementJSON      `json:"judgements"`
	History      []enquiryJSON        `json:"history" doc:"Who else asked about the person in the last twelve months: when and why."`
	Notices      []ownWordJSON        `json:"notices" doc:"The person's own statements."`
	ShareIs      bool                 `json:"shareAvailable"`
}

type consumerScoreJSON struct {
	Band  int `json:"band"`
	Score int `json:"score"`
}

type applicantSummaryJSON struct {
	Matched      []matchedPersonJSON `json:"matchedData"`
	MatchLevel   string              `json:"matchLevel" enum:"Full,Partial"`
	Corrections  bool                `json:"noticesOfCorrections"`
	Disputes     int                 `json:"totalDisputes"`
	Confirmed    string              `json:"confirmedAddress"`
	Residency    []residencyJSON     `json:"residency"`
	SearchesHere struct {
		Last3  int `json:"numberInLast3Months"`
		Last12 int `json:"numberInLast12Months"`
	} `json:"creditSearchesAtCurrentAddress"`
	Insolvency struct {
		Restricted bool `json:"restricted"`
		Currently  bool `json:"currentlyInsolvent"`
		Discharged int  `json:"totalDischarged"`
	} `json:"insolvencyAtAddress"`
	Links struct {
		Addresses  int `json:"undeclaredAddressCount"`
		Aliases    int `json:"undeclaredAliasCount"`
		Associates int `json:"undeclaredAssociatesCount"`
	} `json:"links"`
	Judgements struct {
		Total     int   `json:"total"`
		Active    int   `json:"totalActive"`
		Satisfied int   `json:"totalSatisfied"`
		Amount    int64 `json:"totalActiveAmount"`
	} `json:"judgements"`
	Impaired struct {
		Any         bool `json:"impairedCredit"`
		Judgement   bool `json:"judgement"`
		Arrangement bool `json:"individualVoluntaryAgreement"`
		Bankruptcy  bool `json:"bankruptcy"`
	} `json:"impairedCreditHistory"`
	Address struct {
		RollingRoll bool `json:"rollingRoll" doc:"The person is on the electoral roll there."`
	} `json:"address"`
	Deceased *string `json:"deceasedDate"`
}

type matchedPersonJSON struct {
	Birth    *string `json:"dateOfBirth"`
	Name     string  `json:"name"`
	Line1    string  `json:"addressLine1"`
	Selected bool    `json:"isSelected"`
}

type residencyJSON struct {
	Address string `json:"address"`
	Current bool   `json:"currentAddress"`
	ID      int    `json:"id"`
	Message string `json:"message"`
}

type residentJSON struct {
	Address   string          `json:"address"`
	IsCurrent bool            `json:"isCurrent"`
	Residents []residenceJSON `json:"residents"`
}

type residenceJSON struct {
	MatchType string     `json:"matchType" enum:"NotChecked,Mismatch,Partial,Match"`
	Name      string     `json:"name"`
	Duration  string     `json:"duration" doc:"In months, as an ISO 8601 duration."`
	From      *string    `json:"startDate"`
	Until     *string    `json:"endDate"`
	Electoral bool       `json:"electoralRollValid"`
	Rolls     []spanJSON `json:"electoralRollHistory"`
}

type spanJSON struct {
	From  *string `json:"startDate"`
	Until *string `json:"endDate"`
}

type linksJSON struct {
	Undeclared []undeclaredJSON `json:"undeclaredAddresses"`
	Aliases    []aliasJSON      `json:"aliases"`
	Associates []struct{}       `json:"associates"`
}

type undeclaredJSON struct {
	Address string  `json:"undeclaredAddress"`
	Last    *string `json:"lastConfirmation"`
	First   *string `json:"earliestConfirmation"`
}

type aliasJSON struct {
	Declared bool    `json:"declared"`
	Name     string  `json:"name"`
	Alias    string  `json:"alias"`
	Last     *string `json:"lastConfirmation"`
}

type placeJSON struct {
	Address string `json:"address"`
	Current bool   `json:"isCurrent"`
}

type insolvencyJSON struct {
	Address     *placeJSON `json:"address,omitempty"`
	Court       string     `json:"court"`
	Name        string     `json:"name"`
	Date        *string    `json:"orderDate"`
	Code        string     `json:"orderTypeCode"`
	Type        string     `json:"orderType"`
	Status      string     `json:"status" enum:"Active,Discharged"`
	StatusCode  string     `json:"statusCode" enum:"A,D"`
	TradingName string     `json:"tradingName"`
	Amount      int64      `json:"amount"`
	CaseYear    int        `json:"caseYear"`
	CaseRef     string     `json:"caseRef"`
	Restriction *spanJSON  `json:"restriction,omitempty"`
}

type judgementJSON struct {
	Name      string     `json:"name"`
	Address   *placeJSON `json:"address,omitempty"`
	Date      *string    `json:"judgementDate"`
	Amount    int64      `json:"amount"`
	Status    string     `json:"status" enum:"Active,Satisfied"`
	Court     string     `json:"court"`
	CourtType string     `json:"courtType"`
	Case      string     `json:"caseNumber"`
	Satisfied *string    `json:"satisfiedDate"`
}

type enquiryJSON struct {
	Date   string `json:"searchDate"`
	Reason string `json:"reason"`
}

type ownWordJSON struct {
	Name   string `json:"name"`
	Text   string `json:"comment"`
	Raised string `json:"dateRaised"`
}

// whole is an amount in whole units of its currency.
func whole(a identity.Amount) int64 { return a.Minor / 100 }

func toConsumerResult(s identity.Search) *consumerResultJSON {
	out := &consumerResultJSON{At: naive(s.At), Reason: string(s.Question.Reason), Success: s.Consumer != "", SupplierID: s.ID, Credits: 1}
	if r := s.Answer.Report; r != nil {
		out.Report = toApplicant(s, r)
	}
	return out
}

func toApplicant(s identity.Search, r *identity.Report) *applicantJSON {
	out := &applicantJSON{
		Title: "Consumer report", Type: "Consumer", Links: linksJSON{[]undeclaredJSON{}, []aliasJSON{}, []struct{}{}},
		Insolvencies: []insolvencyJSON{}, Judgements: []judgementJSON{}, History: []enquiryJSON{}, Notices: []ownWordJSON{},
	}
	if r.Score != nil {
		out.Score = &consumerScoreJSON{r.Score.Band, r.Score.Value}
	}
	name := r.Name.Full()
	for i, to := range []**residentJSON{&out.Address, &out.Previous1, &out.Previous2} {
		*to = toResident(name, r.Addresses[i], s.At)
	}
	for _, n := range r.Aliases {
		out.Links.Aliases = append(out.Links.Aliases, aliasJSON{s.Question.Previous.Full() == n.Full(), name, n.Full(), midnight(n.Until)})
	}
	if s.Question.AddressLink {
		for _, a := range r.Undeclared {
			out.Links.Undeclared = append(out.Links.Undeclared, undeclaredJSON{a.Line(), midnight(a.Until), midnight(a.From)})
		}
	}
	for _, i := range r.Insolvencies {
		out.Insolvencies = append(out.Insolvencies, toInsolvency(name, i))
	}
	for _, j := range r.Judgments {
		out.Judgements = append(out.Judgements, toJudgement(name, j))
	}
	for _, e := range r.Enquiries {
		out.History = append(out.History, enquiryJSON{naive(e.At), string(e.Reason)})
	}
	for _, n := range r.Notices {
		out.Notices = append(out.Notices, ownWordJSON{name, n.Text, naive(n.At)})
	}
	out.Summary = toSummary(s, r)
	return out
}

func toResident(name string, r *identity.Resident, at time.Time) *residentJSON {
	if r == nil {
		return nil
	}
	one := residenceJSON{
		MatchType: gradeOut[r.Grade], Name: name, Duration: months(r.From, r.Until, at), From: midnight(r.From), Until: midnight(r.Until), Rolls: []spanJSON{},
	}
	for _, e := range r.Electoral {
		one.Electoral = one.Electoral || e.Present()
		one.Rolls = append(one.Rolls, spanJSON{midnight(e.From), midnight(e.Until)})
	}
	out := &residentJSON{Address: r.Address, IsCurrent: r.Current, Residents: []residenceJSON{}}
	if r.Grade >= identity.Close {
		out.Residents = append(out.Residents, one)
	}
	return out
}

// months is how long something lasted, or has lasted so far.
func months(from, until company.Date, at time.Time) string {
	a, err := time.Parse(time.DateOnly, string(from))
	if err != nil {
		return ""
	}
	b, err := time.Parse(time.DateOnly, string(until))
	if err != nil {
		b = at
	}
	n := (b.Year()-a.Year())*12 + int(b.Month()) - int(a.Month())
	if b.Day() < a.Day() {
		n--
	}
	return fmt.Sprintf("P%dM", max(0, n))
}

// orderTypes are the kinds of insolvency, as this wire names them.
var orderTypes = map[string][2]string{
	identity.Bankruptcy:           {"BO", "Bankruptcy order"},
	identity.VoluntaryArrangement: {"VA", "Individual voluntary arrangement"},
	identity.DebtRelief:           {"DR", "Debt relief order"},
}

func toPlace(a *identity.Address) *placeJSON {
	if a == nil {
		return nil
	}
	return &placeJSON{Address: a.Line()}
}

func toInsolvency(name string, i identity.Insolvency) insolvencyJSON {
	t := orderTypes[i.Kind]
	out := insolvencyJSON{
		Address: toPlace(i.Address), Court: i.Court, Name: name, Date: midnight(i.Date), Code: t[0], Type: t[1], Status: "Active", StatusCode: "A",
		TradingName: i.TradingName, Amount: whole(i.Amount), CaseRef: i.Case,
	}
	if at, err := time.Parse(time.DateOnly, string(i.Date)); err == nil {
		out.CaseYear = at.Year()
	}
	if i.Discharged != "" {
		out.Status, out.StatusCode = "Discharged", "D"
	}
	if i.Restricted != "" {
		out.Restriction = &spanJSON{midnight(i.Date), midnight(i.Restricted)}
	}
	return out
}

func toJudgement(name string, j identity.Judgment) judgementJSON {
	out := judgementJSON{
		Name: name, Address: toPlace(j.Address), Date: midnight(j.Date), Amount: whole(j.Amount), Status: "Active", Court: j.Court,
		CourtType: j.CourtType, Case: j.Case, Satisfied: midnight(j.Satisfied),
	}
	if j.Satisfied != "" {
		out.Status = "Satisfied"
	}
	return out
}

func toSummary(s identity.Search, r *identity.Report) (out applicantSummaryJSON) {
	out.Matched = []matchedPersonJSON{{midnight(r.Birth), r.Name.Full(), r.Confirmed, true}}
	out.MatchLevel = "Partial"
	if r.NameIs == identity.Same && r.AddressIs == identity.Same && r.BirthIs != identity.Close {
		out.MatchLevel = "Full"
	}
	out.Corrections, out.Disputes = len(r.Notices) > 0, len(r.Notices)
	out.Confirmed, out.Deceased, out.Residency = r.Confirmed, midnight(r.Deceased), []residencyJSON{}
	for i, a := range r.Residences {
		declared := true
		for _, u := range r.Undeclared {
			declared = declared && u != a
		}
		if declared || s.Question.AddressLink {
			out.Residency = append(out.Residency, residencyJSON{a.Line(), a.Present(), i + 1, ""})
		}
	}
	for _, e := range r.Enquiries {
		out.SearchesHere.Last12++
		if !e.At.Before(s.At.AddDate(0, -3, 0)) {
			out.SearchesHere.Last3++
		}
	}
	out.Links.Addresses, out.Links.Aliases = len(r.Undeclared), len(r.Aliases)
	today := s.At.Format(time.DateOnly)
	for _, i := range r.Insolvencies {
		if i.Discharged == "" {
			out.Insolvency.Currently = true
		} else {
			out.Insolvency.Discharged++
		}
		out.Insolvency.Restricted = out.Insolvency.Restricted || string(i.Restricted) >= today
		out.Impaired.Bankruptcy = out.Impaired.Bankruptcy || i.Kind == identity.Bankruptcy
		out.Impaired.Arrangement = out.Impaired.Arrangement || i.Kind == identity.VoluntaryArrangement
	}
	for _, j := range r.Judgments {
		out.Judgements.Total++
		if j.Satisfied != "" {
			out.Judgements.Satisfied++
			continue
		}
		out.Judgements.Active++
		out.Judgements.Amount += whole(j.Amount)
	}
	out.Impaired.Judgement = out.Judgements.Active > 0
	out.Impaired.Any = out.Impaired.Judgement || len(r.Insolvencies) > 0
	if a := r.Addresses[0]; a != nil {
		for _, e := range a.Electoral {
			out.Address.RollingRoll = out.Address.RollingRoll || e.Present()
		}
	}
	return out
}
