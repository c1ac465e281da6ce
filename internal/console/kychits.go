package console

import (
	"slices"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

// A hitRow is an entry beside the subject, field by field.
type hitRow struct {
	kyc.SavedHit
	Of     kyc.Search
	Base   string // the address of the search
	Name   string // the entry's main one
	List   string
	Fields []pairRow
	By     string // who decided
	Told   bool   // a schedule found it
	Alone  bool   // it is on a page of its own
	Saved  bool   // it was decided a moment ago
}

// Percent is how often pairs like this one are the same.
func (h hitRow) Percent() float64 { return h.Verdict.Probability }

// Why says in words how the two compare.
func (h hitRow) Why() []string { return h.Verdict.Why }

// Changes say what is otherwise since the hit was decided before.
func (h hitRow) Changes() []string { return h.Verdict.Changes }

// A pairRow is one field: what was asked, what the list says, and how the two
// stand to each other.
type pairRow struct {
	Name, Asked, Listed string
	Class               string // "same", "differs" or neither
}

func (s *Server) hitRow(of kyc.Search, h kyc.SavedHit, who map[auth.AccountID]string) hitRow {
	return hitRow{
		SavedHit: h, Of: of, Base: searchPath(of), Name: h.Listed.Main(), List: kyc.FindList(h.Listed.List).Title,
		Fields: pairs(of.Subject, h), By: who[h.DecidedBy], Told: h.Alert > 0,
	}
}

// pairs sets a subject and an entry side by side.
func pairs(who kyc.Subject, h kyc.SavedHit) []pairRow {
	e := h.Listed
	var names, born []string
	for _, n := range e.Names {
		if n.Text != h.Verdict.Match {
			names = append(names, n.Text)
		}
	}
	if h.Verdict.Match != "" {
		names = append([]string{h.Verdict.Match}, names...) // the nearest first
	}
	for _, b := range e.Born {
		born = append(born, b.String())
	}
	row := func(name, asked string, listed []string, grade string) pairRow {
		r := pairRow{Name: name, Asked: clip(asked, 400), Listed: clip(strings.Join(listed, "; "), 600)}
		switch {
		case asked == "" || len(listed) == 0:
		case grade == "A":
			r.Class = "same"
		case grade == "F":
			r.Class = "differs"
		}
		return r
	}
	g := h.Verdict.Grades
	out := []pairRow{row("Name", who.FullName(), names, g.Name)}
	if who.Person {
		out = append(out, row("Born", string(who.Born), born, g.Born), row("Gender", string(who.Gender), some(string(e.Gender)), g.Gender))
	}
	out = append(out, row("Countries", strings.Join(who.Countries, ", "), e.TiedTo(), g.Country))
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

func some(text string) []string {
	return slices.DeleteFunc([]string{text}, func(s string) bool { return s == "" })
}

// decisionWords are what people call a decision.
var decisionWords = map[kyc.Decision]string{
	kyc.Undecided: "undecided", kyc.TrueMatch: "true match", kyc.FalsePositive: "false positive", kyc.Discarded: "discarded",
}

// hitData is a hit on a page of its own, with every decision about it.
type hitData struct {
	Hit  hitRow
	Past []rulingRow
}

type rulingRow struct {
	kyc.Ruling
	Who string
}

// hit shows all that a list says of whom was found.
func (s *Server) hit(v *visit) error {
	person, id, err := s.kycSearchOf(v)
	if err != nil {
		return err
	}
	search, h, past, err := s.KYC.Hit(v.ctx(), v.by, person, id, kyc.HitID(v.r.PathValue("hit")))
	if err != nil {
		return err
	}
	who := s.colleagues(v)
	d := hitData{Hit: s.hitRow(search, h, who)}
	d.Hit.Alone = true
	for _, p := range past {
		d.Past = append(d.Past, rulingRow{p, who[p.By]})
	}
	if err := s.noteKYC(v, auth.PersonRead, s.KYC.Mark(search), "kycHit="+string(h.ID)); err != nil {
		return err
	}
	return s.kycTab(v, "kyc-hit", "A hit", d)
}

// decide keeps what the visitor thinks of a hit. Without a decision only the
// note is new.
func (s *Server) decide(v *visit) error {
	person, id, err := s.kycSearchOf(v)
	if err != nil {
		return err
	}
	note := v.text("note")
	var decision *string
	if d := v.text("decision"); d != "" {
		decision = &d
	}
	search, h, err := s.KYC.Decide(v.ctx(), v.by, person, id, kyc.HitID(v.r.PathValue("hit")), decision, &note)
	if err != nil {
		return err
	}
	err = s.noteKYC(v, auth.HitDecided, s.KYC.Mark(search), kyc.Deed{
		Category: kyc.OfSearch, Action: kyc.Updated, Search: string(h.Search), Hit: string(h.ID), Field: "decision", To: string(h.Decision),
	}.Detail())
	if err != nil {
		return err
	}
	if v.partial() {
		row := s.hitRow(search, h, s.colleagues(v))
		row.Saved, row.Alone = true, v.text("alone") != ""
		return s.part(v, page{name: "kyc-search", data: row}, "hit")
	}
	return v.redirect(searchPath(search)+"/hits/"+string(h.ID), "decided")
}
