package uk

import (
	"strings"

	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// nameType reads Primary Name, Primary Name Variation and Alias with their
// strength.
func nameType(n *kyc.Name, is, strength string) {
	if !strings.EqualFold(strings.TrimSpace(is), "Primary Name") {
		n.Type = kyc.Alias
	}
	n.Weak = strings.HasPrefix(strings.ToLower(strings.TrimSpace(strength)), "low")
}

// otherNumbers are what an entry is called on other lists.
func otherNumbers(e *kyc.Entry, ofsi, un string) {
	if ofsi = strings.TrimSpace(ofsi); ofsi != "" {
		e.Identifiers = append(e.Identifiers, kyc.Identifier{Type: kyc.OtherList, Value: ofsi, Note: "OFSI Group ID"})
	}
	if un = strings.TrimSpace(un); un != "" {
		e.Identifiers = append(e.Identifiers, kyc.Identifier{Type: kyc.UNReference, Value: un})
	}
}

// addRelated adds the companies above and below.
func addRelated(e *kyc.Entry, subsidiaries, parent string) {
	for _, s := range listfile.Numbered(subsidiaries) {
		e.Links = append(e.Links, kyc.Link{Relation: "subsidiary", Name: s})
	}
	for _, s := range listfile.Numbered(parent) {
		e.Links = append(e.Links, kyc.Link{Relation: "parent company", Name: s})
	}
}

// shipFacts are what is said of a ship.
type shipFacts struct {
	imo, owner, formerOwner, flag, formerFlags, is, tonnage, length, built, hull string
}

func addShip(e *kyc.Entry, f shipFacts) {
	for _, number := range listfile.Numbered(f.imo) {
		number = strings.TrimSpace(strings.TrimPrefix(strings.ToUpper(number), "IMO"))
		e.Identifiers = append(e.Identifiers, kyc.Identifier{Type: kyc.IMO, Value: number})
	}
	if f.hull != "" {
		e.Identifiers = append(e.Identifiers, kyc.Identifier{Type: kyc.SerialNumber, Value: f.hull, Note: "hull identification number"})
	}
	if e.Ship == nil {
		e.Ship = &kyc.Ship{}
	}
	s := e.Ship
	s.Type, s.Owner, s.FormerOwner, s.Tonnage, s.Length, s.Built = f.is, f.owner, f.formerOwner, f.tonnage, f.length, f.built
	s.Flag, s.FormerFlags = listfile.Country(f.flag), nil
	for _, flag := range listfile.Numbered(f.formerFlags) {
		s.FormerFlags = append(s.FormerFlags, listfile.Country(flag))
	}
}
