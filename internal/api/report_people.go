package api

import (
	"strings"

	"bureau/internal/company"
)

func (w reportWriter) person(p company.Person) personJSON {
	if p.Protected {
		return personJSON{Name: w.words.protected}
	}
	out := personJSON{
		ID: p.ID, Name: p.Name, Title: p.Title, FirstName: p.First, MiddleName: p.Middle, Surname: p.Surname,
		DateOfBirth: birthOut(p.Birth), Nationality: p.Nationality, Residence: p.Residence, Country: p.Country,
		Gender: p.Gender, Occupation: p.Occupation,
	}
	if p.ID != "" {
		out.IDType = "PersonNumber"
	}
	if p.Company {
		out.ID, out.IDType = p.RegNo, "RegistrationNumber"
	}
	if p.Address != nil {
		a := w.address(*p.Address)
		out.Address = &a
	}
	return out
}

// birthOut never shows the day: registers keep it back for good reason, and a
// source that does not is no reason for us. Clients read a date with a time, so
// it is the first of the month; of the year, where that is all there is.
func birthOut(d company.Date) string {
	switch {
	case len(d) >= len("2006-01"):
		return string(d[:len("2006-01")]) + "-01T00:00:00"
	case len(d) == len("2006"):
		return string(d) + "-01-01T00:00:00"
	}
	return ""
}

func personType(p company.Person) string {
	if p.Company {
		return "Company"
	}
	return "Person"
}

func (w reportWriter) directors(r company.Report) *directorsJSON {
	out := &directorsJSON{Current: []directorJSON{}, Previous: []directorJSON{}}
	for _, o := range r.Officers {
		d := directorJSON{
			personJSON: w.director(o.PersonID(r.ID), o.Person), Type: personType(o.Person), Resignation: dateOut(o.Until),
			Positions: []positionJSON{{DateAppointed: dateOut(o.From), ProviderCode: o.Role, PositionName: w.role(o)}},
		}
		if o.Until != "" {
			out.Previous = append(out.Previous, d)
		} else {
			out.Current = append(out.Current, d)
		}
	}
	return out
}

func (w reportWriter) role(o company.Officer) string {
	if word, ok := w.words.roles[o.Role]; ok {
		return word
	}
	if o.RoleText != "" {
		return o.RoleText
	}
	return o.Role
}

func (w reportWriter) shares(r company.Report) *sharesJSON {
	out := &sharesJSON{ShareHolders: []shareHolderJSON{}}
	if r.Capital != (company.Money{}) {
		out.Issued = &amountJSON{Currency: r.Capital.Currency, Value: major(r.Capital.Minor)}
	}
	for _, o := range r.Owners {
		j := shareHolderJSON{
			personJSON: w.owner(r.ID, o.Person), Type: personType(o.Person), ShareType: strings.Join(o.Natures, ", "),
			StartDate: dateOut(o.From), EndDate: dateOut(o.Until),
		}
		if o.ShareMax > 0 {
			j.Percent = &o.ShareMin
			if o.ShareMax != o.ShareMin {
				j.PercentTo = &o.ShareMax
			}
		}
		out.ShareHolders = append(out.ShareHolders, j)
	}
	return out
}

func (w reportWriter) group(r company.Report) *groupJSON {
	out := &groupJSON{Subsidiaries: []relatedJSON{}, Affiliated: []relatedJSON{}}
	if r.Parent != nil {
		j := w.related(*r.Parent)
		out.Immediate = &j
	}
	if r.Ultimate != nil {
		j := w.related(*r.Ultimate)
		out.Ultimate = &j
	}
	for _, c := range r.Subsidiaries {
		out.Subsidiaries = append(out.Subsidiaries, w.related(c))
	}
	for _, c := range r.Affiliated {
		out.Affiliated = append(out.Affiliated, w.related(c))
	}
	for _, l := range r.Links {
		if l.Reason != "" {
			out.Exceptions = append(out.Exceptions, string(l.Kind)+": "+l.Reason)
		}
	}
	return out
}

func (w reportWriter) related(c company.Company) relatedJSON {
	out := relatedJSON{
		ID: string(c.ID), Country: c.ID.Country(), RegNo: c.RegNo, SafeNo: c.SafeNo, IDType: "RegistrationNumber",
		Name: c.Name, Status: string(c.Status), VATNo: c.VAT, LegalForm: c.Form.Text, LEI: c.LEI,
		Type: string(c.Kind), Activity: mainActivity(c.Activities),
	}
	if a, ok := mainAddress(c.Facts); ok {
		j := w.address(a)
		out.Address = &j
	}
	return out
}
