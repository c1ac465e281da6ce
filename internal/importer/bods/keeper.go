package bods

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"bureau/internal/company"
	"bureau/internal/importer"
)

// A record is the newest statement about one: an entity, a person, or a tie
// between two.
type record struct {
	card
	entity *company.Facts
	tie    *tie
}

// A card is the part of a record that others ask for.
type card struct {
	ID     string          `json:"i"`
	Date   string          `json:"d,omitempty"`
	Line   int64           `json:"l"`
	Closed bool            `json:"c,omitempty"`
	Party  *company.Person `json:"p,omitempty"` // the entity or person, as an owner
	Reason string          `json:"r,omitempty"` // why nobody is named
}

// isKnown reports whether it is said which company it is.
func (c *card) isKnown() bool {
	return c.Party != nil && c.Party.Company && (c.Party.RegNo != "" || c.Party.LEI != "")
}

// about is a statement about the company that the card is of.
func (c *card) about() company.Statement {
	return company.Statement{Country: c.Party.Country, Number: c.Party.RegNo, LEI: c.Party.LEI}
}

// A keeper holds the newest statement about each record until the file is read.
type keeper struct {
	scratch
	at map[uint64]int64 // where the newest is, by a hash of the record
}

func newKeeper() *keeper { return &keeper{at: map[uint64]int64{}} }

func (k *keeper) key(id string) uint64 { return xxhash.Sum64String(id) }

// keep keeps a record, unless a newer statement about it is kept already.
func (k *keeper) keep(rec record) error {
	old, known, err := k.find(rec.ID)
	switch {
	case err != nil:
		return err
	case known && rec.Date != "" && rec.Date < old.Date:
		return nil
	case known && rec.entity == nil && rec.tie == nil && rec.Party == nil:
		// It is only said to be closed: what it was stands where it was new.
		old.Date, old.Line, old.Closed = rec.Date, rec.Line, rec.Closed
		rec = old
	}
	b, err := rec.encode()
	if err == nil {
		k.at[k.key(rec.ID)], err = k.add(b)
	}
	if err != nil {
		return fmt.Errorf("keep record %s: %w", rec.ID, err)
	}
	return nil
}

// An entry in the scratch is the length of the card, the card, what the rest
// is, and the rest.
const (
	restNone   = 'n'
	restEntity = 'e'
	restTie    = 't'
)

func (rec *record) encode() ([]byte, error) {
	front, err := json.Marshal(rec.card)
	if err != nil {
		return nil, err
	}
	b := binary.AppendUvarint(nil, uint64(len(front)))
	b = append(b, front...)
	switch {
	case rec.entity != nil:
		return appendJSON(append(b, restEntity), rec.entity)
	case rec.tie != nil:
		return appendJSON(append(b, restTie), rec.tie)
	}
	return append(b, restNone), nil
}

func appendJSON(b []byte, v any) ([]byte, error) {
	more, err := json.Marshal(v)
	return append(b, more...), err
}

func decodeCard(b []byte) (c card, rest []byte, err error) {
	n, used := binary.Uvarint(b)
	front := b[used : used+int(n)]
	return c, b[used+int(n):], json.Unmarshal(front, &c)
}

func decode(b []byte) (rec record, err error) {
	c, rest, err := decodeCard(b)
	rec.card = c
	switch {
	case err != nil || rest[0] == restNone:
	case rest[0] == restEntity:
		err = json.Unmarshal(rest[1:], &rec.entity)
	default:
		err = json.Unmarshal(rest[1:], &rec.tie)
	}
	return rec, err
}

// find returns the newest statement about a record.
func (k *keeper) find(id string) (rec record, ok bool, err error) {
	b, ok, err := k.look(id)
	if err == nil && ok {
		rec, err = decode(b)
	}
	return rec, ok && rec.ID == id, err // else another has the same hash
}

// findCard returns only who a record is of.
func (k *keeper) findCard(id string) (c card, ok bool, err error) {
	b, ok, err := k.look(id)
	if err == nil && ok {
		c, _, err = decodeCard(b)
	}
	return c, ok && c.ID == id, err
}

func (k *keeper) look(id string) ([]byte, bool, error) {
	at, ok := k.at[k.key(id)]
	if !ok {
		return nil, false, nil
	}
	b, err := k.get(at)
	if err != nil {
		return nil, false, fmt.Errorf("look up record %s: %w", id, err)
	}
	return b, true, nil
}

// each yields what the records come to, in their order. It reports whether to
// go on.
func (k *keeper) each(yield func(company.Statement, error) bool) bool {
	for at, b := range k.all() {
		rec, err := decode(b)
		if err == nil && k.at[k.key(rec.ID)] != at {
			continue // a newer one follows
		}
		var s company.Statement
		ok := true
		if err == nil {
			s, ok, err = k.says(rec)
		}
		if ok && !yield(s, err) {
			return false
		}
	}
	if k.err != nil {
		yield(company.Statement{}, k.err)
		return false
	}
	return true
}

// says is what a record says about a company. It is not ok where that is
// nothing.
func (k *keeper) says(rec record) (s company.Statement, ok bool, err error) {
	switch {
	case rec.entity != nil && rec.isKnown():
		s = rec.about()
		if s.Gone = rec.Closed; !s.Gone {
			s.Facts = *rec.entity
		}
		return s, true, nil
	case rec.tie == nil || rec.tie.Subject == "":
		return s, false, nil // a person, or what nobody knows
	}
	s, err = k.owned(rec)
	return s, true, err
}

// owned is what a tie says about its subject.
func (k *keeper) owned(rec record) (company.Statement, error) {
	bad := func(format string, args ...any) (company.Statement, error) {
		raw := fmt.Sprintf("recordId %s: subject %s, interestedParty %s", rec.ID, rec.tie.Subject, rec.tie.Party)
		return company.Statement{}, &importer.Bad{Line: rec.Line, Raw: raw, Err: fmt.Errorf(format, args...)}
	}
	subject, known, err := k.findCard(rec.tie.Subject)
	switch {
	case err != nil:
		return company.Statement{}, err
	case !known || subject.Party == nil || !subject.Party.Company:
		return bad("the subject %s is no entity of this file", rec.tie.Subject)
	case !subject.isKnown():
		return bad("the subject %q has no identifier that says which company it is", subject.Party.Name)
	}
	s := subject.about()
	s.Part = rec.ID
	if s.Gone = rec.Closed || rec.tie.Nobody; s.Gone {
		return s, nil
	}
	owner, reason := rec.tie.Owner, rec.Reason
	if rec.tie.Party != "" {
		party, known, err := k.findCard(rec.tie.Party)
		switch {
		case err != nil:
			return company.Statement{}, err
		case !known || party.Party == nil:
			return bad("the interested party %s is nobody of this file", rec.tie.Party)
		}
		owner.Person, reason = *party.Party, party.Reason
	}
	owner.Natures = withReason(owner.Natures, reason)
	s.Facts.Owners = []company.Owner{owner}
	return s, nil
}
