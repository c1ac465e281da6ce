package api

import (
	"strings"

	"bureau/internal/company"
	"bureau/internal/kyc"
)

// KYCDetailJSON is what a hit in full says of both kinds.
type KYCDetailJSON struct {
	KYCHitJSON
	Images      []string           `json:"profileImages"`
	Notes       []string           `json:"screeningNotes" doc:"Reasons and remarks of the publisher."`
	Identifiers []kycValueJSON     `json:"identifiers" doc:"Numbers of the subject, the publisher's own number of the entry first."`
	Addresses   []kycAddressJSON   `json:"addresses"`
	Contacts    []kycValueJSON     `json:"contacts"`
	Businesses  []kycBusinessLink  `json:"businessLinks"`
	People      []kycPersonLink    `json:"individualLinks"`
	Sources     []kycSourceJSON    `json:"sources"`
	Results     kycEvidenceJSON    `json:"amlResults" doc:"What it is listed for."`
	List        kycEntryOf         `json:"list" doc:"Where it was found."`
	Decisions   []kycDecisionJSON  `json:"decisions" doc:"Every decision about the hit, the last first."`
	Grades      map[string]string  `json:"grades" doc:"How the two compare, feature by feature: A agrees, B is close, F differs, Z is not known."`
	Probability float64            `json:"probability" doc:"How often pairs like this one are the same."`
	Ship        *kycShipDetailJSON `json:"ship,omitempty"`
}

type individualDetailJSON struct {
	KYCDetailJSON
	First      *string            `json:"firstName"`
	Middle     *string            `json:"middleName"`
	Last       *string            `json:"lastName"`
	Gender     *string            `json:"gender" doc:"female or male."`
	Born       []string           `json:"datesOfBirth"`
	Deceased   bool               `json:"isDeceased"`
	Died       []string           `json:"datesOfDeath"`
	Tier       *string            `json:"pepTier" doc:"tier1, tier2 or tier3."`
	Aliases    []kycPersonAlias   `json:"aliases"`
	Superseded *IndividualHitJSON `json:"supersededHit,omitempty"`
}

type businessDetailJSON struct {
	KYCDetailJSON
	Aliases     []kycBusinessAlias `json:"aliases"`
	Activities  []string           `json:"activities"`
	Description *string            `json:"description"`
	Types       []string           `json:"businessTypes"`
	Superseded  *businessHitJSON   `json:"supersededHit,omitempty"`
}

type kycValueJSON struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

type kycAddressJSON struct {
	Post    *string `json:"postalCode"`
	Line1   *string `json:"line1"`
	Line2   *string `json:"line2"`
	Type    *string `json:"type"`
	County  *string `json:"county"`
	Country *string `json:"countryCode"`
	City    *string `json:"city"`
}

type kycPersonLink struct {
	Relation string   `json:"relationship"`
	Share    *int     `json:"ownershipPercentage"`
	Datasets []string `json:"datasets"`
	First    *string  `json:"firstName"`
	Middle   *string  `json:"middleName"`
	Last     *string  `json:"lastName"`
}

type kycBusinessLink struct {
	Relation string          `json:"relationship"`
	Share    *int            `json:"ownershipPercentage"`
	Datasets []string        `json:"datasets"`
	Name     string          `json:"name"`
	People   []kycPersonLink `json:"individualLinks"`
}

type kycPersonAlias struct {
	Type   *string `json:"type"`
	First  *string `json:"firstName"`
	Middle *string `json:"middleName"`
	Last   *string `json:"lastName"`
	Name   string  `json:"name" doc:"The whole name; some publishers do not tell its parts."`
}

type kycBusinessAlias struct {
	Type *string `json:"type"`
	Name *string `json:"name"`
}

type kycSourceJSON struct {
	Title       *string  `json:"title"`
	Description *string  `json:"description"`
	Link        string   `json:"link"`
	Added       *string  `json:"dateAdded" doc:"Since when it is listed."`
	Copyrighted bool     `json:"isCopyrighted"`
	Published   *string  `json:"datePublished" doc:"When what is said of it was last changed."`
	Document    *string  `json:"documentLink"`
	Datasets    []string `json:"datasets"`
}

type kycEntryOf struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Number  string `json:"entryNumber" doc:"The publisher's own."`
	Version int64  `json:"version" doc:"The version of the list that the entry came or last changed with."`
}

type kycDecisionJSON struct {
	Decision string  `json:"decision"`
	Note     *string `json:"note"`
	At       string  `json:"decidedAt"`
	ByID     int64   `json:"decidedById"`
	By       string  `json:"decidedBy"`
}

type kycShipDetailJSON struct {
	Type    *string  `json:"type"`
	Flag    *string  `json:"flag"`
	Flags   []string `json:"formerFlags"`
	Owner   *string  `json:"owner"`
	Tonnage *string  `json:"tonnage"`
	Built   *string  `json:"built"`
}

func toKYCDetailJSON(h kyc.SavedHit, past []kyc.Ruling, who names) KYCDetailJSON {
	e := &h.Listed
	g := h.Verdict.Grades
	out := KYCDetailJSON{
		KYCHitJSON: toKYCHitJSON(h, who), Images: []string{}, Notes: append(plainTexts(e.Reasons), e.Remarks...), Probability: h.Verdict.Probability,
		Identifiers: []kycValueJSON{{"entryNumber", e.Number}}, Addresses: []kycAddressJSON{}, Contacts: []kycValueJSON{},
		Businesses: []kycBusinessLink{}, People: []kycPersonLink{}, Sources: toSourcesJSON(e.Sources), Results: toEvidenceJSON(e),
		List: kycEntryOf{e.List, kyc.FindList(e.List).Title, e.Number, h.Since}, Decisions: []kycDecisionJSON{},
		Grades: map[string]string{
			"name": g.Name, "words": g.Words, "order": g.Order, "number": g.Number, "form": g.Form,
			"born": g.Born, "country": g.Country, "gender": g.Gender, "identifier": g.Identifier, "address": g.Address,
		},
	}
	for _, i := range e.Identifiers {
		out.Identifiers = append(out.Identifiers, kycValueJSON{i.Type, i.Value})
	}
	for _, a := range e.Addresses {
		out.Addresses = append(out.Addresses, kycAddressJSON{
			Post: textOrNull(a.Post), Line1: textOrNull(a.Line), County: textOrNull(a.Region), Country: textOrNull(a.Country), City: textOrNull(a.City),
		})
	}
	for _, c := range e.Contacts {
		out.Contacts = append(out.Contacts, kycValueJSON{c.Type, c.Value})
	}
	for _, l := range e.Links { // publishers do not say of which kind they are
		out.Businesses = append(out.Businesses, kycBusinessLink{Relation: l.Relation, Datasets: []string{}, Name: l.Name, People: []kycPersonLink{}})
	}
	for _, r := range past {
		out.Decisions = append(out.Decisions, kycDecisionJSON{string(r.Decision), textOrNull(r.Note), naive(r.At), int64(r.By), who[r.By]})
	}
	if sh := e.Ship; sh != nil {
		out.Ship = &kycShipDetailJSON{textOrNull(sh.Type), textOrNull(sh.Flag), plainTexts(sh.FormerFlags), textOrNull(sh.Owner), textOrNull(sh.Tonnage), textOrNull(sh.Built)}
	}
	return out
}

func toSourcesJSON(list []kyc.Source) []kycSourceJSON {
	out := make([]kycSourceJSON, 0, len(list))
	for _, s := range list {
		out = append(out, kycSourceJSON{
			Title: textOrNull(s.Title), Description: textOrNull(s.Description), Link: s.Link, Added: dayOrNull(s.Added), Copyrighted: s.Copyrighted,
			Published: dayOrNull(s.Published), Document: textOrNull(s.Document), Datasets: plainTexts(s.Datasets),
		})
	}
	return out
}

func dayOrNull(d company.Date) *string { return textOrNull(string(d)) }

// aliasType is what a name is to its bearer.
func aliasType(n kyc.Name) *string {
	kind := string(n.Type)
	switch {
	case n.Weak:
		kind = "weak " + strings.TrimSpace(kind)
	case kind == "":
		kind = "alias"
	}
	return textOrNull(strings.TrimSpace(kind))
}

func toIndividualDetailJSON(h kyc.SavedHit, past []kyc.Ruling, who names) individualDetailJSON {
	e := &h.Listed
	row := toIndividualHitJSON(h, who)
	out := individualDetailJSON{
		KYCDetailJSON: toKYCDetailJSON(h, past, who), First: row.First, Middle: row.Middle, Last: row.Last, Gender: row.Gender,
		Born: row.Born, Deceased: len(e.Died) > 0, Died: datesOf(e.Died), Aliases: []kycPersonAlias{}, Superseded: row.Superseded,
	}
	if tier := kyc.TierName(e.PEPTier); tier != "" {
		out.Tier = textOrNull("t" + strings.TrimPrefix(tier, "pepT"))
	}
	for i, n := range e.Names {
		if i > 0 {
			out.Aliases = append(out.Aliases, kycPersonAlias{aliasType(n), textOrNull(n.First), textOrNull(n.Middle), textOrNull(n.Last), n.Text})
		}
	}
	return out
}

func toBusinessDetailJSON(h kyc.SavedHit, past []kyc.Ruling, who names) businessDetailJSON {
	e := &h.Listed
	out := businessDetailJSON{
		KYCDetailJSON: toKYCDetailJSON(h, past, who), Aliases: []kycBusinessAlias{}, Activities: []string{}, Types: []string{string(e.Kind)},
		Description: textOrNull(strings.Join(e.Reasons, " ")), Superseded: toBusinessHitJSON(h, who).Superseded,
	}
	for i, n := range e.Names {
		if i > 0 {
			out.Aliases = append(out.Aliases, kycBusinessAlias{aliasType(n), textOrNull(n.Text)})
		}
	}
	return out
}
