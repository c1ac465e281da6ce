package gleif

import (
	"errors"
	"fmt"
	"strings"

	"bureau/internal/company"
)

// linkKinds are the publisher's words for how the start stands to the end.
var linkKinds = map[string]company.LinkKind{
	"IS_DIRECTLY_CONSOLIDATED_BY":   company.Parent,
	"IS_ULTIMATELY_CONSOLIDATED_BY": company.UltimateParent,
	"IS_INTERNATIONAL_BRANCH_OF":    company.HeadOf,
	"IS_FUND-MANAGED_BY":            company.Manager,
	"IS_SUBFUND_OF":                 company.Umbrella,
	"IS_FEEDER_TO":                  company.Master,
}

// exceptionKinds are the links that an exception stands in for.
var exceptionKinds = map[string]company.LinkKind{
	"DIRECT_ACCOUNTING_CONSOLIDATION_PARENT":   company.Parent,
	"ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT": company.UltimateParent,
}

// sayRelationship says what a relationship means for its start, the child.
//
// The publisher knows a relationship by its start and type: there is one of
// each at a time, and a delta with another end replaces it without a word about
// the old one. So the type alone is the part.
func sayRelationship(r *record, h *header) (company.Statement, error) {
	kind, ok := linkKinds[r.relation]
	if !ok {
		return company.Statement{}, fmt.Errorf("%q is no known type of relationship", shorten(r.relation))
	}
	for _, n := range []node{r.start, r.end} {
		if n.kind != "" && n.kind != "LEI" {
			return company.Statement{}, fmt.Errorf("%q is not an LEI: its type is %s", shorten(n.lei), shorten(n.kind))
		}
		if err := checkLEI(n.lei); err != nil {
			return company.Statement{}, err
		}
	}
	if r.start.lei == r.end.lei {
		return company.Statement{}, fmt.Errorf("%s is related to itself", r.start.lei)
	}
	link := company.Link{Kind: kind, LEI: r.end.lei}
	for _, p := range r.periods {
		// The other periods are those of accounts and filings.
		if p.kind == "RELATIONSHIP_PERIOD" {
			link.From, link.Until = day(p.from), day(p.until)
		}
	}
	s := company.Statement{LEI: r.start.lei, Part: r.relation}
	if r.over(link.Until, h) {
		s.Gone = true
		return s, nil
	}
	s.Facts = company.Facts{LEI: r.start.lei, Links: []company.Link{link}}
	return s, nil
}

// over reports whether a relationship is no more. An end counts once the file
// is younger: some are announced.
func (r *record) over(until company.Date, h *header) bool {
	switch r.regStatus {
	case "RETIRED", "ANNULLED", "DUPLICATE", "CANCELLED":
		return true
	}
	now := day(h.date)
	if now == "" {
		now = day(r.updated)
	}
	return r.deleted != "" || r.relStatus == "INACTIVE" || until != "" && until <= now
}

// exceptionPart begins the parts of exceptions, of which there is one of each
// category.
const exceptionPart = "exception:"

// sayException says why a parent is not named.
func sayException(r *record, _ *header) (company.Statement, error) {
	if err := checkLEI(r.lei); err != nil {
		return company.Statement{}, err
	}
	kind, ok := exceptionKinds[r.exception]
	if !ok {
		return company.Statement{}, fmt.Errorf("%q is no known category of exception", shorten(r.exception))
	}
	s := company.Statement{LEI: r.lei, Part: exceptionPart + r.exception}
	if r.deleted != "" {
		s.Gone = true
		return s, nil
	}
	var reasons []string
	for _, reason := range r.reasons {
		if reason != "" {
			reasons = append(reasons, reason)
		}
	}
	if len(reasons) == 0 {
		return company.Statement{}, errors.New("the exception has no reason")
	}
	s.Facts = company.Facts{LEI: r.lei, Links: []company.Link{{Kind: kind, Reason: strings.Join(reasons, ", ")}}}
	return s, nil
}
