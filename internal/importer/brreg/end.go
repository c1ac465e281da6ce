package brreg

import (
	"slices"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/jsonfile"
)

// An end is what may put an end to a company, and when it began.
type end struct {
	deleted                                            string
	bankrupt, windingUp, forced, restructuring, abroad bool
	bankruptOn, windingUpOn, forcedOn                  string
	restructuringOn, abroadOn                          string
}

// read takes in one member.
func (e *end) read(r *jsonfile.Reader, key []byte) {
	switch string(key) {
	case "slettedato":
		e.deleted = r.Text()
	case "konkurs":
		e.bankrupt = r.Bool()
	case "konkursdato":
		e.bankruptOn = r.Text()
	case "underAvvikling":
		e.windingUp = r.Bool()
	case "underAvviklingDato":
		e.windingUpOn = r.Text()
	case "underTvangsavviklingEllerTvangsopplosning":
		e.forced = r.Bool()
	case "underRekonstruksjonsforhandling":
		e.restructuring = r.Bool()
	case "underRekonstruksjonsforhandlingDato":
		e.restructuringOn = r.Text()
	case "underUtenlandskInsolvensbehandling":
		e.abroad = r.Bool()
	case "underUtenlandskInsolvensbehandlingDato":
		e.abroadOn = r.Text()
	case "tvangsavvikletPgaManglendeSlettingDato",
		"tvangsopplostPgaManglendeDagligLederDato",
		"tvangsopplostPgaManglendeRevisorDato",
		"tvangsopplostPgaManglendeRegnskapDato",
		"tvangsopplostPgaMangelfulltStyreDato":
		if day := r.Text(); e.forcedOn == "" {
			e.forcedOn = day // why it is forced: no manager, auditor, accounts or board
		}
	}
}

// facts are the status of a company and the notices that explain it.
func (e *end) facts(f *company.Facts) {
	f.Status = company.Active
	pending := func(is bool, kind, word, text, on string) {
		if !is {
			return
		}
		since := date(on)
		if f.Status != company.Pending {
			f.Status, f.StatusText, f.StatusSince = company.Pending, word, since
		}
		f.Notices = append(f.Notices, company.Notice{Date: since, Kind: kind, Text: text})
	}
	pending(e.bankrupt, "insolvency", "konkurs", "bankruptcy opened", e.bankruptOn)
	pending(e.abroad, "insolvency", "utenlandsk insolvensbehandling", "insolvency proceedings abroad", e.abroadOn)
	pending(e.forced, "liquidation", "tvangsavvikling eller tvangsoppløsning", "forced winding up or dissolution", e.forcedOn)
	pending(e.windingUp, "liquidation", "under avvikling", "winding up", e.windingUpOn)
	pending(e.restructuring, "insolvency", "rekonstruksjonsforhandling", "negotiations on restructuring", e.restructuringOn)
	slices.SortStableFunc(f.Notices, func(a, b company.Notice) int { return strings.Compare(string(b.Date), string(a.Date)) })
	if d := date(e.deleted); d != "" {
		f.Status, f.StatusText, f.StatusSince, f.Dissolved = company.NonActive, "slettet", d, d
	}
}
