package sirene

import (
	"strconv"
	"strings"

	"bureau/internal/company"
)

// register is GLEIF's code for the register behind a SIREN.
const register = "RA000189"

// units reads the rows of StockUniteLegale.
type units struct {
	siren, shown, created, acronym                  int
	first, usualFirst, alias, association           int
	staff, staffYear, since, state                  int
	surname, usedName, name, form, activity, scheme int
	activity25, headOffice                          int
	usual                                           [3]int
}

func newUnits(h header) *units {
	return &units{
		siren: h["siren"], shown: h["statutDiffusionUniteLegale"],
		created: h["dateCreationUniteLegale"], acronym: h["sigleUniteLegale"],
		first: h["prenom1UniteLegale"], usualFirst: h["prenomUsuelUniteLegale"],
		alias: h["pseudonymeUniteLegale"], association: h["identifiantAssociationUniteLegale"],
		staff: h["trancheEffectifsUniteLegale"], staffYear: h["anneeEffectifsUniteLegale"],
		since: h["dateDebut"], state: h["etatAdministratifUniteLegale"],
		surname: h["nomUniteLegale"], usedName: h["nomUsageUniteLegale"], name: h["denominationUniteLegale"],
		form: h["categorieJuridiqueUniteLegale"], activity: h["activitePrincipaleUniteLegale"],
		scheme: h["nomenclatureActivitePrincipaleUniteLegale"], activity25: h["activitePrincipaleNAF25UniteLegale"],
		headOffice: h["nicSiegeUniteLegale"],
		usual: [3]int{
			h["denominationUsuelle1UniteLegale"], h["denominationUsuelle2UniteLegale"], h["denominationUsuelle3UniteLegale"],
		},
	}
}

func (u *units) read(r row) (company.Statement, error) {
	siren := r.at(u.siren)
	if err := checkSiren(siren); err != nil {
		return company.Statement{}, err
	}
	s := company.Statement{Country: "FR", Number: siren}
	f := &s.Facts
	f.RegNo, f.Register = siren, register
	f.VAT = []string{vat(siren)}
	f.Founded = date(r.at(u.created))
	f.Form, f.Kind = form(r.at(u.form))
	u.status(r, f)
	u.activities(r, f)
	if e, ok := employees(r.at(u.staff), r.at(u.staffYear)); ok {
		f.Employees = []company.Employees{e}
	}
	if nic := r.at(u.headOffice); len(nic) == 5 {
		f.OtherIDs = append(f.OtherIDs, company.OtherID{Scheme: "SIRET", ID: siren + nic})
	}
	if !shown(r.at(u.shown)) || r.hides(u.name, u.surname, u.first, u.usedName) {
		f.Withheld = true
		return s, nil
	}
	if id := r.at(u.association); id != "" {
		f.OtherIDs = append(f.OtherIDs, company.OtherID{Scheme: "RNA", ID: id})
	}
	u.names(r, f)
	return s, nil
}

// names gives a company its name, or a trader that of the person.
func (u *units) names(r row, f *company.Facts) {
	f.Name = r.at(u.name)
	if f.Name == "" {
		first, last := r.at(u.usualFirst), r.at(u.usedName)
		if first == "" {
			first = r.at(u.first)
		}
		if last == "" {
			last = r.at(u.surname)
		}
		f.Name = strings.TrimSpace(first + " " + last)
	}
	add := func(column int, kind company.NameKind) {
		if text := r.at(column); text != "" && text != f.Name {
			f.Names = append(f.Names, company.Name{Text: text, Kind: kind})
		}
	}
	add(u.acronym, company.Short)
	add(u.alias, company.Trading)
	for _, c := range u.usual {
		add(c, company.Trading)
	}
}

func (u *units) status(r row, f *company.Facts) {
	switch r.at(u.state) {
	case "A":
		f.Status, f.StatusText = company.Active, "active"
	case "C":
		// The last period of a company that ceased begins when it did.
		f.Status, f.StatusText = company.NonActive, "cessée"
		f.StatusSince = date(r.at(u.since))
		f.Dissolved = f.StatusSince
	default:
		f.Status, f.StatusText = company.Other, r.at(u.state)
	}
}

func (u *units) activities(r row, f *company.Facts) {
	if code := r.at(u.activity); code != "" {
		f.Activities = append(f.Activities, company.Activity{Scheme: r.at(u.scheme), Code: code})
	}
	if code := r.at(u.activity25); code != "" {
		f.Activities = append(f.Activities, company.Activity{Scheme: "NAF2025", Code: code})
	}
}

// ranges are how many people the publisher says there are, by its code.
var ranges = map[string]string{
	"NN": "0", "00": "0", "01": "1-2", "02": "3-5", "03": "6-9",
	"11": "10-19", "12": "20-49", "21": "50-99", "22": "100-199", "31": "200-249",
	"32": "250-499", "41": "500-999", "42": "1000-1999", "51": "2000-4999",
	"52": "5000-9999", "53": "10000+",
}

func employees(code, year string) (company.Employees, bool) {
	text, ok := ranges[code]
	if !ok {
		return company.Employees{}, false
	}
	n, _ := strconv.Atoi(year) // no year is year 0, which is not written
	return company.Employees{Year: n, Range: text}, true
}
