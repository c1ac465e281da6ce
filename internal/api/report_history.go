package api

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bureau/internal/company"
)

// reasons are why a score is what it is: the points of our own scorecard in
// words, or what another source gave as its reasons.
func (w reportWriter) reasons(s *company.Score) []string {
	if len(s.Points) == 0 {
		return s.Reasons
	}
	var out []string
	for _, p := range s.Points {
		out = append(out, fmt.Sprintf("%+d %s", p.Points, w.words.reason(p)))
	}
	return out
}

// commentaries are the same, for clients that read them one by one.
func (w reportWriter) commentaries(s *company.Score) []commentaryJSON {
	out := []commentaryJSON{}
	if s == nil {
		return out
	}
	for _, p := range s.Points {
		sign := "Positive"
		if p.Points < 0 {
			sign = "Negative"
		}
		out = append(out, commentaryJSON{Text: w.words.reason(p), Sign: sign, SignToo: sign, Rule: p.Rule, Points: &p.Points})
	}
	if len(s.Points) == 0 {
		for _, text := range s.Reasons {
			out = append(out, commentaryJSON{Text: text, Sign: "Neutral", SignToo: "Neutral"})
		}
	}
	return out
}

func (w reportWriter) creditScore(r company.Report) *creditScoreJSON {
	if r.Score == nil {
		return nil
	}
	out := &creditScoreJSON{Current: w.rating(r.Score), Changed: dateOut(r.Score.At)}
	if l := r.Score.Limit; l != (company.Money{}) {
		out.Limit = &amountJSON{Currency: l.Currency, Value: major(l.Minor)}
	}
	if was, at, ok := r.PastRating(); ok {
		out.Previous, out.Changed = w.rating(&was), dateOut(at)
	}
	return out
}

// previousForms are the legal forms that the log has seen go.
func previousForms(history []company.Change) []previousFormJSON {
	out := []previousFormJSON{}
	for _, c := range history {
		if c.Field == company.FieldForm && c.Old != "" {
			out = append(out, previousFormJSON{DateChanged: changedAt(c), Form: legalForm{Description: c.Old}})
		}
	}
	return out
}

// pastAddresses are those that the log has seen go.
func (w reportWriter) pastAddresses(history []company.Change) (out []addressJSON) {
	for _, c := range history {
		if c.Field == company.FieldAddress && c.Old != "" && c.Item == string(company.Registered) {
			out = append(out, addressJSON{Type: w.words.addresses[company.FormerAddress], SimpleValue: c.Old})
		}
	}
	return out
}

func changedAt(c company.Change) string { return c.At.UTC().Format("2006-01-02T15:04:05Z") }

func (w reportWriter) other(r company.Report) *otherInfoJSON {
	out := &otherInfoJSON{Employees: []employeesJSON{}}
	years := map[int]bool{}
	for _, e := range r.Employees {
		j := employeesJSON{Number: e.Range}
		if e.Year > 0 {
			years[e.Year] = true
			j.Year = &e.Year
		}
		if e.Range == "" {
			j.Number = strconv.FormatInt(e.Count, 10)
		}
		out.Employees = append(out.Employees, j)
	}
	for _, a := range r.Accounts {
		n, ok := a.Items[company.EmployeesAverage]
		year, err := strconv.Atoi(string(a.End[:min(4, len(a.End))]))
		if ok && err == nil && !years[year] && !a.Consolidated {
			years[year] = true
			out.Employees = append(out.Employees, employeesJSON{Year: &year, Number: strconv.FormatInt(n, 10)})
		}
	}
	slices.SortStableFunc(out.Employees, func(a, b employeesJSON) int { return cmp.Compare(yearOf(b), yearOf(a)) })
	return out
}

func yearOf(e employeesJSON) int {
	if e.Year == nil {
		return 0
	}
	return *e.Year
}

func (w reportWriter) additional(r company.Report) *additionalJSON {
	out := &additionalJSON{
		Sources: orEmpty(r.Sources), FieldSource: r.From, Filings: []filingJSON{}, Withheld: r.Withheld,
		Due:          dueJSON{dateOut(r.Due.AccountsLast), dateOut(r.Due.AccountsNext), dateOut(r.Due.ReturnLast), dateOut(r.Due.ReturnNext)},
		Commentaries: w.commentaries(r.Score), History: w.history(r.History),
		Ratings: []ratingHistoryJSON{}, Limits: []limitHistoryJSON{},
		Misc: miscJSON{AccountsDue: dateOut(r.Due.AccountsNext)},
		PSC:  w.controllers(r),
	}
	for _, f := range r.Filings {
		out.Filings = append(out.Filings, filingJSON{Date: dateOut(f.Date), Type: f.Type, Description: f.Text})
		if out.Misc.AccountsFiled == "" && isAccounts(f) {
			out.Misc.AccountsFiled = dateOut(f.Date)
		}
	}
	if c := r.Charges; c != nil {
		out.Mortgages = &mortgagesJSON{Outstanding: c.Outstanding, Satisfied: c.Satisfied}
	}
	for _, c := range r.History {
		switch c.Field {
		case company.ScoreValue:
			if n, err := strconv.Atoi(c.New); err == nil {
				out.Ratings = append(out.Ratings, ratingHistoryJSON{Date: changedAt(c), Value: n, Description: w.words.bands[company.BandOf(n)]})
			}
		case company.ScoreLimit:
			if m, ok := company.ParseMoney(c.New); ok {
				out.Limits = append(out.Limits, limitHistoryJSON{Date: changedAt(c), Value: amountJSON{m.Currency, major(m.Minor)}})
			}
		}
	}
	return out
}

func isAccounts(f company.Filing) bool {
	return strings.Contains(strings.ToLower(f.Type+" "+f.Text), "accounts")
}

// history is what happened to the company, but for what has lists of its own.
func (w reportWriter) history(list []company.Change) []historyJSON {
	out := []historyJSON{}
	for _, c := range list {
		switch c.Field {
		case company.ScoreValue, company.ScoreBand, company.ScoreLimit, company.NewFiling, company.OfficerPast:
			continue
		}
		out = append(out, historyJSON{Date: changedAt(c), Description: w.words.changed(c.Field) + told(c)})
	}
	return out
}

// told is what a change says, in as few words as do.
func told(c company.Change) string {
	switch {
	case c.Field == company.AccountsFiled || c.Field == company.AccountsChanged:
		return ": " + c.Item // the figures are in the report
	case c.Old == "" && c.New == "":
		return ""
	case c.Old == "":
		return ": " + c.New
	case c.New == "":
		return ": " + c.Old + " →"
	}
	return ": " + c.Old + " → " + c.New
}

// controllers are the owners in the form that British clients read.
func (w reportWriter) controllers(r company.Report) *pscJSON {
	if r.ID.Country() != "GB" || len(r.Owners) == 0 {
		return nil
	}
	out := &pscJSON{Active: []controllerJSON{}, Ceased: []controllerJSON{}}
	for _, o := range r.Owners {
		p := w.person(o.Person)
		j := controllerJSON{
			Title: p.Title, Name: p.Name, PersonType: personType(o.Person), Address: p.Address, Country: p.Country,
			DateOfBirth: p.DateOfBirth, Nationality: p.Nationality, Residence: p.Residence,
			Natures: strings.Join(o.Natures, ", "), NotifiedOn: dateOut(o.From), CeasedOn: dateOut(o.Until),
		}
		if o.Company {
			j.RegNo = o.RegNo
		}
		if o.Until == "" {
			out.Active = append(out.Active, j)
		} else {
			out.Ceased = append(out.Ceased, j)
		}
	}
	return out
}

func members(tree []company.Member) []memberJSON {
	var out []memberJSON
	for _, m := range tree {
		j := memberJSON{
			ID: string(m.ID), Country: m.ID.Country(), SafeNo: m.SafeNo, IDType: "RegistrationNumber", Name: m.Name,
			RegNo: m.RegNo, Level: m.Level, Status: string(m.Status),
		}
		if len(m.Accounts) > 0 {
			j.LatestAccounts = dateOut(m.Accounts[0].End)
		}
		if m.Score != nil {
			j.Band = m.Score.Band
		}
		out = append(out, j)
	}
	return out
}
