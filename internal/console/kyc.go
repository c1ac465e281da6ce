package console

import (
	"errors"
	"strconv"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

type kycData struct {
	Person    bool
	Name      string
	Born      string
	Country   string
	Threshold int
	Asked     bool
	Wrong     string
	Hits      []hitRow
	Cover     kyc.Coverage
	Lists     []listRow
	Loaded    int
}

// A hitRow is an entry beside the subject, field by field.
type hitRow struct {
	kyc.Hit
	List   string
	Fields []pairRow
}

// A pairRow is one field: what was asked, what the list says, and how the two
// stand to each other.
type pairRow struct {
	Name, Asked, Listed string
	Class               string // "same", "differs" or neither
}

// A listRow is a list that we can read, loaded or not.
type listRow struct {
	kyc.List
	kyc.Loaded
	There, Old bool
}

// kyc shows the lists and a form to screen a name.
func (s *Server) kyc(v *visit) error {
	d, err := s.kycPage(v)
	if err != nil {
		return err
	}
	return s.show(v, page{name: "kyc", title: "KYC", here: "KYC", data: d})
}

func (s *Server) kycPage(v *visit) (d kycData, err error) {
	if err := s.needs(v, auth.KYC, ""); err != nil {
		return d, err
	}
	d = kycData{Person: true, Threshold: kyc.DefaultThreshold}
	loaded, err := s.Lists.LoadedLists(v.ctx())
	if err != nil {
		return d, err
	}
	for _, l := range kyc.Lists {
		row := listRow{List: l}
		for _, have := range loaded {
			if have.List == l.Name {
				row.Loaded, row.There, row.Old = have, true, have.Old(s.Now())
				d.Loaded++
			}
		}
		if row.There || l.Name != kyc.Sandbox {
			d.Lists = append(d.Lists, row)
		}
	}
	return d, nil
}

// screen looks a name up on the lists. It saves nothing: names of people are in
// no address and in no log.
func (s *Server) screen(v *visit) error {
	d, err := s.kycPage(v)
	if err != nil {
		return err
	}
	d.Person, d.Name, d.Born, d.Country = v.text("kind") != "business", v.text("name"), v.text("born"), strings.ToUpper(v.text("country"))
	if n, err := strconv.Atoi(v.text("threshold")); err == nil {
		d.Threshold = n
	}
	who := kyc.Subject{Person: d.Person, Name: d.Name, Born: company.Date(d.Born)}
	if d.Country != "" {
		who.Countries = []string{d.Country}
	}
	p := page{name: "kyc", title: "KYC", here: "KYC"}
	hits, cover, err := s.Screener.Screen(v.ctx(), who, kyc.Options{Threshold: d.Threshold, Limit: 50})
	if errors.Is(err, fault.Invalid) {
		told, _ := fault.Of(err)
		d.Wrong = told.Text
		p.data, p.status = d, 400
		return s.show(v, p)
	}
	if err != nil {
		return err
	}
	if err := s.Gate.CountRead(v.ctx(), v.by, auth.KYC, "", "screening"); err != nil {
		return err
	}
	d.Asked, d.Cover = true, cover
	for _, h := range hits {
		d.Hits = append(d.Hits, hitRow{h, kyc.FindList(h.Entry.List).Title, pairs(d, h)})
	}
	p.data = d
	return s.show(v, p)
}

// pairs sets a subject and an entry side by side.
func pairs(d kycData, h kyc.Hit) []pairRow {
	e := h.Entry
	var names, born []string
	for _, n := range e.Names {
		names = append(names, n.Text)
	}
	for _, b := range e.Born {
		born = append(born, b.String())
	}
	countries := append(append([]string{}, e.Nationalities...), e.Countries...)
	row := func(name, asked string, listed []string, grade string) pairRow {
		r := pairRow{Name: name, Asked: asked, Listed: clip(strings.Join(listed, "; "), 400)}
		switch {
		case asked == "" || len(listed) == 0:
		case grade == "A":
			r.Class = "same"
		case grade == "F":
			r.Class = "differs"
		}
		return r
	}
	out := []pairRow{
		row("Name", d.Name, names, h.Grades.Name),
		row("Born", d.Born, born, h.Grades.Born),
		row("Countries", d.Country, countries, h.Grades.Country),
	}
	for _, more := range []struct {
		name string
		list []string
	}{{"Positions", e.Positions}, {"Programmes", e.Programmes}, {"Reasons", e.Reasons}, {"Measures", e.Measures}, {"Remarks", e.Remarks}} {
		if len(more.list) > 0 {
			out = append(out, row(more.name, "", more.list, ""))
		}
	}
	return out
}
