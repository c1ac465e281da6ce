package api

import (
	"slices"
	"strconv"
	"strings"

	"bureau/internal/company"
)

// A writer of reports knows the language and what to write.
type reportWriter struct {
	words vocabulary
}

// section is a part of the report, under the name that reportSections uses.
var sections = []struct {
	name string
	make func(w reportWriter, r company.Report, into *reportJSON)
}{
	{"CompanySummary", func(w reportWriter, r company.Report, into *reportJSON) { into.Summary = w.summary(r) }},
	{"CompanyIdentification", func(w reportWriter, r company.Report, into *reportJSON) { into.Identification = w.identification(r) }},
	{"CreditScore", func(w reportWriter, r company.Report, into *reportJSON) { into.CreditScore = w.creditScore(r) }},
	{"ContactInformation", func(w reportWriter, r company.Report, into *reportJSON) { into.Contact = w.contact(r) }},
	{"ShareCapitalStructure", func(w reportWriter, r company.Report, into *reportJSON) { into.Shares = w.shares(r) }},
	{"Directors", func(w reportWriter, r company.Report, into *reportJSON) { into.Directors = w.directors(r) }},
	{"OtherInformation", func(w reportWriter, r company.Report, into *reportJSON) { into.Other = w.other(r) }},
	{"GroupStructure", func(w reportWriter, r company.Report, into *reportJSON) { into.Group = w.group(r) }},
	{"ExtendedGroupStructure", func(_ reportWriter, r company.Report, into *reportJSON) { into.ExtendedGroup = members(r.Tree) }},
	{"GlobalFinancialStatements", func(_ reportWriter, r company.Report, into *reportJSON) { into.Statements = statements(r.Accounts) }},
	{"NegativeInformation", func(w reportWriter, r company.Report, into *reportJSON) { into.Negative = w.negative(r) }},
	{"AdditionalInformation", func(w reportWriter, r company.Report, into *reportJSON) { into.Additional = w.additional(r) }},
}

// write makes the wanted sections; none named means all.
func (w reportWriter) write(r company.Report, want []string) reportJSON {
	out := reportJSON{CompanyID: string(r.ID), Language: w.words.code}
	for _, s := range sections {
		if len(want) == 0 || slices.ContainsFunc(want, func(n string) bool { return strings.EqualFold(n, s.name) }) {
			s.make(w, r, &out)
		}
	}
	return out
}

func (w reportWriter) summary(r company.Report) *summaryJSON {
	return &summaryJSON{
		BusinessName: r.Name, Country: r.ID.Country(), CompanyNumber: r.RegNo, RegNo: r.RegNo,
		MainActivity: mainActivity(r.Activities), Status: w.status(r.Facts),
		LatestTurnover: latest(r.Accounts, company.Turnover), LatestEquity: latest(r.Accounts, company.Equity, company.NetAssets),
		CreditRating: w.rating(r.Score),
	}
}

func (w reportWriter) status(f company.Facts) *statusJSON {
	if f.Status == "" {
		return nil
	}
	return &statusJSON{Status: string(f.Status), Provider: f.StatusText, Description: w.statusWords(f)}
}

// statusWords are the publisher's words, which say more than ours. In another
// language than English ours come first, and the publisher's where they add
// something.
func (w reportWriter) statusWords(f company.Facts) string {
	english, _ := speak("en")
	ours := w.words.statuses[f.Status]
	switch {
	case f.StatusText == "" || strings.EqualFold(f.StatusText, english.statuses[f.Status]) || strings.EqualFold(f.StatusText, ours):
		return ours
	case w.words.code == english.code:
		return f.StatusText
	}
	return ours + " (" + f.StatusText + ")"
}

func mainActivity(list []company.Activity) *activityJSON {
	if len(list) == 0 {
		return nil
	}
	a := toActivityJSON(list[0])
	return &a
}

func toActivityJSON(a company.Activity) activityJSON {
	return activityJSON{Code: a.Code, Description: a.Text, Classification: a.Scheme}
}

// latest is the newest figure of the first name that any year has.
func latest(list []company.Accounts, names ...string) *amountJSON {
	for _, name := range names {
		for _, a := range list {
			if v, ok := a.Items[name]; ok {
				return &amountJSON{Currency: a.Currency, Value: major(v)}
			}
		}
	}
	return nil
}

// major is an amount in whole units, as clients expect it.
func major(minor int64) float64 { return float64(minor) / 100 }

func (w reportWriter) rating(s *company.Score) *ratingJSON {
	if s == nil {
		return nil
	}
	r := &ratingJSON{
		CommonValue: s.Band, CommonDescription: w.words.bands[s.Band],
		ProviderValue:       providerValue{Max: "100", Min: "0", Value: strconv.Itoa(s.Value)},
		ProviderDescription: w.words.bands[s.Band], Assessment: strings.Join(w.reasons(s), "; "),
	}
	if s.Limit != (company.Money{}) {
		r.CreditLimit = &limitJSON{Currency: s.Limit.Currency, Value: strconv.FormatInt(s.Limit.Minor/100, 10)}
	}
	return r
}

func (w reportWriter) identification(r company.Report) *identificationJSON {
	out := &identificationJSON{
		Basic: basicJSON{
			BusinessName: r.Name, RegisteredName: r.Name, RegNo: r.RegNo, Country: r.ID.Country(),
			RegistrationDate: dateOut(r.Founded), OperationsStart: dateOut(r.Founded),
			Status: w.status(r.Facts), PrincipalActivity: mainActivity(r.Activities), LEI: r.LEI, LEIStatus: r.LEIStatus,
		},
		Activities: []classificationOf{}, PreviousNames: []previousNameJSON{}, OtherNames: []otherNameJSON{},
		PreviousForms: previousForms(r.History), Identifiers: []identifierJSON{},
	}
	if len(r.VAT) > 0 {
		out.Basic.VATNo = r.VAT[0]
	}
	if r.Form != (company.Form{}) {
		out.Basic.LegalForm = &legalForm{CommonCode: string(r.Kind), ProviderCode: r.Form.Code, Description: r.Form.Text}
	}
	if a, ok := mainAddress(r.Facts); ok {
		j := w.address(a)
		out.Basic.ContactAddress = &j
	}
	for _, a := range r.Activities {
		i := slices.IndexFunc(out.Activities, func(c classificationOf) bool { return c.Classification == a.Scheme })
		if i < 0 {
			out.Activities = append(out.Activities, classificationOf{Classification: a.Scheme})
			i = len(out.Activities) - 1
		}
		out.Activities[i].Activities = append(out.Activities[i].Activities, toActivityJSON(a))
	}
	for _, n := range r.Names {
		if n.Kind == company.Former {
			out.PreviousNames = append(out.PreviousNames, previousNameJSON{DateChanged: dateOut(n.Until), Name: n.Text})
			continue
		}
		out.OtherNames = append(out.OtherNames, otherNameJSON{Name: n.Text, Type: string(n.Kind), Language: n.Lang})
	}
	for _, id := range r.OtherIDs {
		out.Identifiers = append(out.Identifiers, identifierJSON{Type: id.Scheme, Value: id.ID})
	}
	return out
}

// mainAddress is where to write to.
func mainAddress(f company.Facts) (company.Address, bool) {
	for _, kind := range []company.AddressKind{company.Registered, company.HeadOffice, company.Postal} {
		if a, ok := f.Address(kind); ok {
			return a, true
		}
	}
	return company.Address{}, false
}

func (w reportWriter) address(a company.Address) addressJSON {
	return addressJSON{
		Type: w.words.addresses[a.Kind], SimpleValue: a.Line(), Street: streetOf(a), HouseNumber: a.House,
		City: a.City, PostalCode: a.Post, Province: a.Region, Country: a.Country,
	}
}

func streetOf(a company.Address) string {
	if a.Street == "" && len(a.Lines) > 0 {
		return a.Lines[0]
	}
	return a.Street
}

func (w reportWriter) contact(r company.Report) *contactInfoJSON {
	out := &contactInfoJSON{
		Other: []addressJSON{}, Previous: []addressJSON{}, Emails: orEmpty(r.Emails), Websites: orEmpty(r.Websites),
	}
	first, found := mainAddress(r.Facts)
	if found {
		j := w.address(first)
		if len(r.Phones) > 0 {
			j.Telephone = r.Phones[0]
		}
		out.Main = &j
	}
	for _, a := range r.Addresses {
		switch {
		case a.Kind == company.FormerAddress:
			out.Previous = append(out.Previous, w.address(a))
		case !found || a.Kind != first.Kind || a.Line() != first.Line():
			out.Other = append(out.Other, w.address(a))
		}
	}
	out.Previous = append(out.Previous, w.pastAddresses(r.History)...)
	return out
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (w reportWriter) negative(r company.Report) *negativeJSON {
	out := &negativeJSON{Notices: []noticeJSON{}}
	for _, n := range r.Notices {
		out.Notices = append(out.Notices, noticeJSON{Date: dateOut(n.Date), Type: n.Kind, Description: n.Text, Reference: n.Ref})
	}
	if c := r.Charges; c != nil {
		out.Charges = &chargesJSON{Total: c.Total, Outstanding: c.Outstanding, Satisfied: c.Satisfied}
	}
	return out
}

// dateOut is a date as clients expect it: with a time, in UTC. A month or a
// year stays what it is: a day that nobody knows is not made up.
func dateOut(d company.Date) string {
	if len(d) != len("2006-01-02") {
		return string(d)
	}
	return string(d) + "T00:00:00Z"
}
