package offeneregister

import (
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/jsonfile"
)

// A record is one line.
type record struct {
	number, name, status, address string
	art, native, office, state    string
	court                         string
	former                        []string
	officers                      []company.Officer
	successor, successorFrom      string
}

// read takes in one member.
func (rec *record) read(r *jsonfile.Reader, key []byte) {
	switch string(key) {
	case "company_number":
		rec.number = r.Text()
	case "name":
		rec.name = clean(r.Text())
	case "current_status":
		rec.status = r.Text()
	case "registered_address":
		rec.address = r.Text()
	case "all_attributes":
		r.Object(func(key []byte) { rec.readAttribute(r, key) })
	case "previous_names":
		r.Array(func() {
			r.Object(func(key []byte) {
				if string(key) == "company_name" {
					rec.former = append(rec.former, clean(r.Text()))
				}
			})
		})
	case "officers":
		r.Array(func() {
			if o, ok := readOfficer(r); ok {
				rec.officers = add(rec.officers, o)
			}
		})
	case "subsequent_registrations":
		r.Array(func() { rec.readSuccessor(r) })
	}
}

func (rec *record) readAttribute(r *jsonfile.Reader, key []byte) {
	switch string(key) {
	case "_registerArt":
		rec.art = r.Text()
	case "native_company_number":
		rec.native = r.Text()
	case "registered_office":
		rec.office = r.Text()
	case "federal_state":
		rec.state = r.Text()
	case "registrar":
		rec.court = r.Text()
	}
}

// readSuccessor reads where a company went on, when it moved to another court.
func (rec *record) readSuccessor(r *jsonfile.Reader) {
	r.Object(func(key []byte) {
		switch string(key) {
		case "start_date":
			rec.successorFrom = r.Text()
		case "subsequent_entity":
			r.Object(func(key []byte) {
				if string(key) != "entity_properties" {
					return
				}
				r.Object(func(key []byte) {
					if string(key) == "company_number" {
						rec.successor = r.Text()
					}
				})
			})
		}
	})
}

func (rec *record) statement() company.Statement {
	s := company.Statement{Country: "DE", Number: rec.number}
	f := &s.Facts
	f.Name, f.RegNo = rec.name, rec.native
	if rec.court != "" {
		f.Register = "Amtsgericht " + rec.court
	}
	for _, n := range rec.former {
		if n != "" && n != f.Name {
			f.Names = append(f.Names, company.Name{Text: n, Kind: company.Former})
		}
	}
	rec.setStatus(f)
	f.Form.Text = form(rec.name)
	f.Kind = kinds[rec.art]
	f.Officers = rec.officers
	if a, ok := address(rec.address, rec.office, rec.state); ok {
		f.Addresses = []company.Address{a}
	}
	if rec.successor != "" {
		f.Links = []company.Link{{
			Kind: company.Successor, ID: company.NewID("DE", rec.successor), From: date(rec.successorFrom),
		}}
	}
	return s
}

func (rec *record) setStatus(f *company.Facts) {
	f.StatusText = rec.status
	switch rec.status {
	case "currently registered":
		f.Status = company.Active
		for _, o := range rec.officers {
			// Only a company that is being wound up has a liquidator.
			if o.Role == "liquidator" && o.Until == "" {
				f.Status = company.Pending
			}
		}
	case "removed":
		f.Status = company.NonActive
	case "":
	default:
		f.Status = company.Other
	}
}

// kinds are of the registers: B is of companies with limited liability, A of
// partnerships and traders.
var kinds = map[string]company.Kind{
	"HRB": company.Ltd, "GnR": company.Ltd,
	"HRA": company.NonLtd, "VR": company.NonLtd, "PR": company.NonLtd,
}

// forms are the legal forms that a German name ends with, the longer ones
// first. The register does not name them elsewhere.
var forms = []struct{ end, form string }{
	{"ug (haftungsbeschränkt) & co. kg", "UG (haftungsbeschränkt) & Co. KG"},
	{"ug (haftungsbeschränkt)", "UG (haftungsbeschränkt)"},
	{"gmbh & co. kgaa", "GmbH & Co. KGaA"},
	{"gmbh & co. kg", "GmbH & Co. KG"},
	{"gmbh & co kg", "GmbH & Co. KG"},
	{"gmbh & co. ohg", "GmbH & Co. OHG"},
	{"gesellschaft mit beschränkter haftung", "GmbH"},
	{"ggmbh", "gGmbH"},
	{"gmbh", "GmbH"},
	{"mbh", "GmbH"},
	{"kgaa", "KGaA"},
	{"aktiengesellschaft", "AG"},
	{" ag", "AG"},
	{" se", "SE"},
	{"kommanditgesellschaft", "KG"},
	{" kg", "KG"},
	{" ohg", "OHG"},
	{" e.k.", "e.K."},
	{" e.kfr.", "e.K."},
	{" e.kfm.", "e.K."},
	{" eg", "eG"},
	{" e.v.", "e.V."},
	{" partg", "PartG"},
	{" partg mbb", "PartG mbB"},
	{" partmbb", "PartG mbB"},
	{" vvag", "VVaG"},
}

func form(name string) string {
	lower := strings.TrimRight(strings.ToLower(name), " ")
	for _, f := range forms {
		if strings.HasSuffix(lower, f.end) || strings.HasSuffix(strings.TrimSuffix(lower, "."), f.end) {
			return f.form
		}
	}
	return ""
}

// clean puts a name on one line with single spaces.
func clean(s string) string {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == ' ' && (i == 0 || i == len(s)-1 || s[i+1] == ' ') {
			return strings.Join(strings.Fields(s), " ")
		}
	}
	return s
}

// date reads a day. What is no day was not said.
func date(s string) company.Date {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' || strings.Trim(s, "-0123456789") != "" {
		return ""
	}
	return company.Date(s)
}
