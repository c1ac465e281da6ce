package api

import (
	"time"

	"bureau/internal/company"
	"bureau/internal/pdf"
)

// nonLimitedPaper is a report as people send it on.
func (s *Server) nonLimitedPaper(c *company.Company, d nonLimitedDataJSON, made time.Time) ([]byte, error) {
	p := s.Fonts.New(pdf.Head{
		Title: "Company report", ID: d.Contact.ID, Date: d.Date, Source: "Bureau", Page: "Page %s of %s", Language: "en", Made: made,
		Romanised: "Some names were written in Latin letters.",
	})
	p.Title(c.Name, joined(d.Basic.Form, d.Basic.Status))
	p.Facts([]pdf.Fact{
		{Label: "Address", Value: d.Address},
		{Label: "Register", Value: d.Register},
		{Label: "Founded", Value: d.Basic.Founded},
		{Label: "Employees", Value: d.Employees},
		{Label: "Business", Value: d.Purpose},
		{Label: "Read for", Value: d.Contact.Reason},
	})
	people := func(title string, list []directorDEJSON) {
		if len(list) == 0 {
			return
		}
		t := pdf.Table{Columns: []pdf.Column{{Title: "Name", Width: 3}, {Title: "Function", Width: 2}, {Title: "From", Width: 1}, {Title: "Until", Width: 1}}}
		for _, one := range list {
			t.Rows = append(t.Rows, []string{one.Name, one.Role, one.From, one.Until})
		}
		p.Section(title, 20)
		p.Table(t)
	}
	people("Who runs it", d.Directors)
	people("Who ran it", d.Former)
	people("Who owns it", d.Owners)
	if len(d.Notices) > 0 {
		t := pdf.Table{Columns: []pdf.Column{{Title: "Date", Width: 1}, {Title: "Notice", Width: 4}}}
		for _, n := range d.Notices {
			t.Rows = append(t.Rows, []string{n.Date, joined(n.Type, n.Text)})
		}
		p.Section("Notices", 20)
		p.Table(t)
	}
	return p.Bytes()
}
