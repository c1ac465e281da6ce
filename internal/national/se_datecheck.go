package national

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/identity"
)

// A Checked is the last day on which something of a category changed.
type Checked struct {
	Category string
	On       time.Time
}

// How far back dates are checked, in months.
const (
	companyMonths  = 60
	consumerMonths = 36
)

// Reference reads the date from which changes are looked for: YYMMDD, YYYYMMDD
// or YYYY-MM-DD, not before the oldest that is allowed.
func (s *Sweden) reference(text string, months int) (time.Time, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return time.Time{}, refuse(fault.Invalid, NoReference, "referencedate: it is missing")
	}
	layout := map[int]string{6: "060102", 8: "20060102", 10: time.DateOnly}[len(text)]
	at, err := time.Parse(layout, text)
	if layout == "" || err != nil {
		return time.Time{}, refuse(fault.Invalid, BadReference, "referencedate: it is written YYMMDD, YYYYMMDD or YYYY-MM-DD")
	}
	today := s.Now().UTC().Truncate(24 * time.Hour)
	oldest := today.AddDate(0, -months, 0)
	switch {
	case at.After(today):
		return time.Time{}, refuse(fault.Invalid, BadReference, "referencedate: it is still to come")
	case at.Before(oldest):
		return time.Time{}, refuse(fault.Invalid, OldReference, "referencedate: the oldest allowed is "+oldest.Format(time.DateOnly))
	}
	return at, nil
}

// companyCategories are the categories of a company's changes.
var companyCategories = map[company.Field]string{
	company.Added: "registration", company.Removed: "registration", company.Founded: "registration", company.FieldForm: "registration",
	company.FieldKind: "registration", company.Jurisdiction: "registration", company.RegNo: "registration", company.VAT: "tax",
	company.FieldName: "name", company.OtherName: "name", company.FieldAddress: "address", company.FieldStatus: "status",
	company.StatusText: "status", company.Dissolved: "status", company.FieldActivity: "industry", company.Phone: "contacts", company.Email: "contacts",
	company.Website: "contacts", company.FieldEmployees: "employees", company.Capital: "shareCapital", company.OfficerIn: "board",
	company.OfficerOut: "board", company.OfficerChanged: "board", company.OfficerPast: "board", company.Signing: "signatory",
	company.OwnerIn: "owners", company.OwnerOut: "owners", company.OwnerChanged: "owners", company.Group: "group",
	company.AccountsFiled: "accounts", company.AccountsChanged: "accounts", company.AccountsDue: "accounts", company.AccountsOverdue: "accounts",
	company.YearEnd: "accounts", company.ScoreValue: "rating", company.ScoreBand: "rating", company.ScoreLimit: "rating",
	company.NewNotice: "paymentRemarks", company.ChargesChanged: "paymentRemarks",
}

// CompanyDates says when something of each category last changed since a date.
func (s *Sweden) CompanyDates(ctx context.Context, number, since string) ([]Checked, error) {
	n, err := s.Number("searchnumber", number)
	if err != nil {
		return nil, err
	}
	from, err := s.reference(since, companyMonths)
	if err != nil {
		return nil, err
	}
	c, err := s.company(ctx, n)
	if err != nil {
		return nil, err
	}
	last := map[string]time.Time{}
	const page = 1000
	for before := int64(0); ; {
		list, err := s.Companies.Store.ChangesOf(ctx, c.ID, before, page)
		if err != nil {
			return nil, err
		}
		for _, ch := range list {
			before = ch.Number
			category := cmp.Or(companyCategories[ch.Field], "other")
			if !ch.At.Before(from) && ch.At.After(last[category]) {
				last[category] = ch.At
			}
		}
		if len(list) < page || list[len(list)-1].At.Before(from) {
			return checked(last), nil
		}
	}
}

// ConsumerDates is CompanyDates for a person.
func (s *Sweden) ConsumerDates(ctx context.Context, number, since string) (identity.ID, []Checked, error) {
	n, err := s.Number("searchnumber", number)
	if err != nil {
		return "", nil, err
	}
	if !n.IsPerson() {
		return "", nil, refuse(fault.Invalid, BadInput, "searchnumber: it is an organisation's")
	}
	from, err := s.reference(since, consumerMonths)
	if err != nil {
		return "", nil, err
	}
	_, c, err := s.person(ctx, n, false)
	if err != nil {
		return "", nil, err
	}
	list, err := s.People.Store.ConsumerChanges(ctx, c.ID(), from)
	if err != nil {
		return "", nil, err
	}
	last := map[string]time.Time{}
	for _, ch := range list {
		category := string(ch.Field)
		if ch.Field == identity.Added {
			category = "registration"
		}
		if ch.At.After(last[category]) {
			last[category] = ch.At
		}
	}
	return c.ID(), checked(last), nil
}

func checked(last map[string]time.Time) []Checked {
	out := []Checked{}
	for category, on := range last {
		out = append(out, Checked{category, on})
	}
	slices.SortFunc(out, func(a, b Checked) int { return strings.Compare(a.Category, b.Category) })
	return out
}
