package console

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

const (
	searchesPerPage = 50
	hitsPerPage     = 25
)

// searchPath is the address of a search: its number, and no name.
func searchPath(of kyc.Search) string {
	kind := "businesses"
	if of.Subject.Person {
		kind = "people"
	}
	return kycPath + "/searches/" + kind + "/" + string(of.ID)
}

// kycSearchOf reads which search an address is about.
func (s *Server) kycSearchOf(v *visit) (person bool, id kyc.SearchID, err error) {
	if err := s.needs(v, auth.KYC, ""); err != nil {
		return false, "", err
	}
	switch v.r.PathValue("kind") {
	case "people":
		person = true
	case "businesses":
	default:
		return false, "", fault.Missing.Errorf(kyc.NoSearch)
	}
	return person, kyc.SearchID(v.r.PathValue("id")), nil
}

type searchesData struct {
	Person bool
	Kept   string // "watched" for those on a schedule
	List   []searchRow
	Total  int64
	Next   string
}

type searchRow struct {
	kyc.Search
	Link string
	Who  string
}

// searches lists what the customer's people asked, the newest first.
func (s *Server) searches(v *visit) error {
	if err := s.needs(v, auth.KYC, ""); err != nil {
		return err
	}
	d := searchesData{Person: v.query("kind") != "businesses", Kept: v.query("kept")}
	q := kyc.SearchQuery{Person: d.Person, Limit: searchesPerPage}
	if d.Kept == "watched" {
		q.Scheduled = &[]bool{true}[0]
	}
	if at, id, ok := readPlace(v.query("before")); ok {
		q.After = &kyc.SearchPlace{At: at, ID: kyc.SearchID(id)}
	}
	found, err := s.KYC.List(v.ctx(), v.by, q)
	if err != nil {
		return err
	}
	who := s.colleagues(v)
	d.Total = found.Total
	for _, one := range found.List {
		d.List = append(d.List, searchRow{one, searchPath(one), who[one.CreatedBy]})
	}
	if found.More {
		last := found.List[len(found.List)-1]
		d.Next = v.with("before", writePlace(last.CreatedAt, string(last.ID)))
	}
	if err := s.noteKYC(v, auth.PersonRead, "", "kycSearches"); err != nil {
		return err
	}
	return s.kycTab(v, "kyc-searches", "Searches", d)
}

// writePlace and readPlace put the end of a page into an address.
func writePlace(at time.Time, id string) string { return fmt.Sprintf("%d.%s", at.UnixMilli(), id) }

func readPlace(text string) (at time.Time, id string, ok bool) {
	ms, id, ok := strings.Cut(text, ".")
	n, err := strconv.ParseInt(ms, 10, 64)
	return time.UnixMilli(n).UTC(), id, ok && err == nil
}

type searchData struct {
	kyc.Search
	Base     string
	Who      string
	Hits     []hitRow
	Shown    int64
	Decision kyc.Decision // only hits that were decided so; empty: all
	Next     string
	Wrong    []string
	Statuses []kyc.Status
	Risks    []kyc.Risk
}

// search shows a search: what was asked, what was looked at, and each hit beside
// the subject.
func (s *Server) search(v *visit) error {
	person, id, err := s.kycSearchOf(v)
	if err != nil {
		return err
	}
	q := kyc.HitQuery{Search: id, Limit: hitsPerPage}
	if text := v.query("decision"); text != "" {
		one, err := kyc.ParseDecision(text)
		if err != nil {
			return fault.Missing.Errorf("there is no such page")
		}
		q.Decisions = []kyc.Decision{one}
	}
	if score, hit, ok := strings.Cut(v.query("after"), "."); ok {
		n, _ := strconv.Atoi(score)
		q.After = &kyc.HitPlace{Score: n, ID: kyc.HitID(hit)}
	}
	search, found, err := s.KYC.Hits(v.ctx(), v.by, person, q)
	if err != nil {
		return err
	}
	who := s.colleagues(v)
	d := searchData{
		Search: search, Base: searchPath(search), Who: who[search.CreatedBy], Shown: found.Total, Statuses: kyc.Statuses, Risks: kyc.Risks,
	}
	if len(q.Decisions) > 0 {
		d.Decision = q.Decisions[0]
	}
	for _, h := range found.List {
		d.Hits = append(d.Hits, s.hitRow(search, h, who))
	}
	if found.More {
		last := found.List[len(found.List)-1]
		d.Next = v.with("after", fmt.Sprintf("%d.%s", last.Score, last.ID))
	}
	if err := s.noteKYC(v, auth.PersonRead, s.KYC.Mark(search), "kycHits="+string(search.ID)); err != nil {
		return err
	}
	return s.kycTab(v, "kyc-search", "A search", d)
}

// editSearch changes what the customer thinks of a search.
func (s *Server) editSearch(v *visit) error {
	person, id, err := s.kycSearchOf(v)
	if err != nil {
		return err
	}
	status, risk, note := v.text("status"), v.text("risk"), v.text("note")
	search, err := s.KYC.Update(v.ctx(), v.by, person, id, kyc.Edit{Status: &status, Risk: &risk, Note: &note})
	if err != nil {
		return err
	}
	err = s.noteKYC(v, auth.SearchChanged, s.KYC.Mark(search), kyc.Deed{
		Category: kyc.OfSearch, Action: kyc.Updated, Search: string(search.ID), Field: "status", To: string(search.Status),
	}.Detail())
	if err != nil {
		return err
	}
	return v.redirect(searchPath(search), "saved")
}

// paper is a search, or one hit of it, as a PDF to be filed.
func (s *Server) paper(v *visit) error {
	person, id, err := s.kycSearchOf(v)
	if err != nil {
		return err
	}
	var only []kyc.HitID
	if hit := v.query("hit"); hit != "" {
		only = []kyc.HitID{kyc.HitID(hit)}
	}
	dossier, err := s.KYC.Dossier(v.ctx(), v.by, person, id, only)
	if err != nil {
		return err
	}
	b, err := s.Paper(v.by, dossier)
	if err != nil {
		return err
	}
	if err := s.noteKYC(v, auth.PersonRead, s.KYC.Mark(dossier.Search), "kycDownload="+string(dossier.Search.ID)); err != nil {
		return err
	}
	name := "search-" + string(dossier.Search.ID)
	if len(only) == 1 {
		name = "hit-" + string(dossier.Hits[0].ID)
	}
	attach(v.w, "application/pdf", name+".pdf")
	v.w.WriteHeader(http.StatusOK)
	_, _ = v.w.Write(b)
	return nil
}
