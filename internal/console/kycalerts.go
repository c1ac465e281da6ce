package console

import (
	"strconv"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

type alertsData struct {
	Decision kyc.Decision
	Hits     []hitRow
	Total    int64
	Next     string
}

// alerts are the hits that schedules found, to be decided like any other.
func (s *Server) alerts(v *visit) error {
	if err := s.needs(v, auth.KYC, ""); err != nil {
		return err
	}
	d := alertsData{Decision: kyc.Undecided}
	switch text := v.query("decision"); text {
	case "":
	case "any":
		d.Decision = ""
	default:
		one, err := kyc.ParseDecision(text)
		if err != nil {
			return fault.Missing.Errorf("there is no such page")
		}
		d.Decision = one
	}
	q := kyc.AlertQuery{Limit: hitsPerPage}
	if d.Decision != "" {
		q.Decisions = []kyc.Decision{d.Decision}
	}
	q.After, _ = strconv.ParseInt(v.query("after"), 10, 64)
	found, err := s.KYC.Alerts(v.ctx(), v.by, q)
	if err != nil {
		return err
	}
	who, of := s.colleagues(v), map[kyc.SearchID]kyc.Search{}
	for _, a := range found.List {
		search, known := of[a.Search]
		if !known {
			if search, err = s.KYC.Search(v.ctx(), v.by, a.Person, a.Search); err != nil {
				return err
			}
			of[a.Search] = search
		}
		d.Hits = append(d.Hits, s.hitRow(search, a.SavedHit, who))
	}
	d.Total = found.Total
	if found.More {
		d.Next = v.with("after", strconv.FormatInt(found.List[len(found.List)-1].Alert, 10))
	}
	if err := s.noteKYC(v, auth.PersonRead, "", "kycAlerts"); err != nil {
		return err
	}
	return s.kycTab(v, "kyc-alerts", "Alerts", d)
}

// openAlerts is how many hits that schedules found wait for somebody.
func (s *Server) openAlerts(v *visit) (int64, error) {
	found, err := s.KYC.Store.KYCAlerts(v.ctx(), v.by, kyc.AlertQuery{Decisions: []kyc.Decision{kyc.Undecided}, Limit: 1})
	return found.Total, err
}
