package offeneregister

import (
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/jsonfile"
)

// roles are what positions are called here.
var roles = map[string]string{
	"Geschäftsführer": "director", "Geschäftsführender Direktor": "director",
	"Vorstand": "board member", "Vorsitzender": "chair", "Stellvertretender Vorsitzender": "deputy chair",
	"Prokurist": "authorised signatory", "Liquidator": "liquidator", "Abwickler": "liquidator",
	"Persönlich haftender Gesellschafter": "general partner", "Inhaber": "owner", "Partner": "partner",
	"Ständiger Vertreter": "representative", "Schatzmeister": "treasurer", "Schriftführer": "secretary",
}

func readOfficer(r *jsonfile.Reader) (company.Officer, bool) {
	var o company.Officer
	var kind, title, city string
	dismissed := false
	r.Object(func(key []byte) {
		switch string(key) {
		case "name":
			o.Name = clean(r.Text())
		case "position":
			o.RoleText = r.Text()
		case "type":
			kind = r.Text()
		case "start_date":
			o.From = date(r.Text())
		case "end_date":
			o.Until = date(r.Text())
		case "other_attributes":
			r.Object(func(key []byte) {
				switch string(key) {
				case "firstname":
					o.First = clean(r.Text())
				case "lastname":
					o.Surname = clean(r.Text())
				case "city":
					city = clean(r.Text())
				case "title":
					title = clean(r.Text())
				case "dismissed":
					dismissed = r.Bool()
				}
			})
		}
	})
	o.Role = roles[o.RoleText]
	if o.Role == "" {
		o.Role = strings.ToLower(o.RoleText)
	}
	if o.Role == "" {
		o.Role = "officer"
	}
	if kind == "company" {
		o.Name, city, o.RegNo = companyOfficer(o.Name)
		o.Company, o.Country = true, "DE"
	}
	// The publisher's title is often a place or a trade that it took for one.
	if strings.HasPrefix(title, "Dr") || strings.HasPrefix(title, "Prof") {
		o.Title = title
	}
	if city != "" {
		o.Address = &company.Address{Kind: company.Postal, City: city}
	}
	// Who was dismissed nobody knows when cannot be told from who is still there.
	return o, o.Name != "" && (!dismissed || o.Until != "")
}

// add adds an officer. The register enters one who stays again whenever
// something about them changes: the first entry says since when.
func add(list []company.Officer, o company.Officer) []company.Officer {
	if o.Until != "" {
		return append(list, o)
	}
	for i := range list {
		have := &list[i]
		if have.Until != "" || have.Name != o.Name || have.Role != o.Role {
			continue
		}
		if o.From != "" && (have.From == "" || o.From < have.From) {
			have.From = o.From
		}
		if o.Address != nil {
			have.Address = o.Address
		}
		return list
	}
	return append(list, o)
}

// clauses are how the register goes on after the name of a company that is an
// officer: what it may and may not do.
var clauses = []string{
	", mit der Befugnis", ", mit Befugnis", ", einzelvertretungsberechtigt", ", vertretungsberechtigt",
	", gemeinsam vertretungsberechtigt", ", von der Vertretung", ", jeweils", ", befreit von", ", Vertretungsbefugnis",
	", jeder", ", allein", "; ",
}

// companyOfficer takes apart what the register says of a company that is an
// officer: "Muster GmbH, Hamburg (AG Hamburg HRB 1), mit der Befugnis …".
func companyOfficer(text string) (name, city, number string) {
	for _, c := range clauses {
		if i := strings.Index(text, c); i > 0 {
			text = text[:i]
		}
	}
	text = strings.Trim(text, ".,; ")
	for _, court := range []string{" (Amtsgericht ", " (AG "} {
		i := strings.LastIndex(text, court)
		if i < 0 {
			continue
		}
		number = text[i+len(court):]
		if end := strings.IndexByte(number, ')'); end >= 0 {
			number = number[:end]
		}
		number = strings.ReplaceAll(number, ",", "")
		text = strings.TrimRight(text[:i], ".,; ")
		break
	}
	// The seat stands last. A name that holds a comma and no seat is rare.
	if i := strings.LastIndex(text, ", "); i > 0 && !strings.ContainsAny(text[i:], "&()") {
		return text[:i], text[i+2:], number
	}
	return text, "", number
}
