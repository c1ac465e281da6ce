package console

import (
	"errors"
	"strconv"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

// kycPath is where all of screening is.
const kycPath = Path + "/kyc"

type kycData struct {
	Person    bool
	Name      string
	Born      string
	Country   string
	Gender    string
	Threshold int
	Watch     bool // put the search on a schedule at once
	Wrong     []string
	Lists     []listRow
	Loaded    int
}

// A listRow is a list that we can read, loaded or not.
type listRow struct {
	kyc.List
	kyc.Loaded
	There, Old bool
}

// kycTab shows one of the pages of screening.
func (s *Server) kycTab(v *visit, name, title string, data any) error {
	return s.show(v, page{name: name, title: title, here: "KYC", data: data})
}

// kyc shows the lists and a form to screen a name.
func (s *Server) kyc(v *visit) error {
	d, err := s.kycPage(v)
	if err != nil {
		return err
	}
	return s.kycTab(v, "kyc", "KYC", d)
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

// screen looks a name up on the lists and keeps question and answer. The name
// travels in the form: it is in no address and in no log.
func (s *Server) screen(v *visit) error {
	d, err := s.kycPage(v)
	if err != nil {
		return err
	}
	d.Person, d.Name, d.Born, d.Country = v.text("kind") != "business", v.text("name"), v.text("born"), strings.ToUpper(v.text("country"))
	d.Gender, d.Watch = v.text("gender"), v.text("watch") != ""
	if n, err := strconv.Atoi(v.text("threshold")); err == nil {
		d.Threshold = n
	}
	r := kyc.Request{Person: d.Person, Name: d.Name, Threshold: d.Threshold, Preferred: true}
	if d.Person {
		r.Born, r.Gender = d.Born, d.Gender
	}
	if d.Country != "" {
		r.Countries = []string{d.Country}
	}
	search, err := s.makeSearch(v, r)
	if errors.Is(err, fault.Invalid) {
		d.Wrong = wrongWords(err)
		return s.show(v, page{name: "kyc", title: "KYC", here: "KYC", status: 400, data: d})
	}
	if err != nil {
		return err
	}
	if d.Watch {
		if err := s.watchSearch(v, search.ID); err != nil {
			return err
		}
	}
	return v.redirect(searchPath(search), "")
}

// wrongWords are what is wrong with a form, a line for each field.
func wrongWords(err error) []string {
	told, _ := fault.Of(err)
	if len(told.Details) > 0 {
		return inWords(told.Details)
	}
	return []string{told.Text}
}
