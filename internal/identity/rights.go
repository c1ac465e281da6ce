package identity

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// A Right is what a person asked of us and got. It outlives every import.
type Right struct {
	ID   int64
	Kind RightKind
	At   time.Time
	Note string // a statement of the person's, or why the operator did it

	// Correction is what a Corrected says instead of what was loaded.
	Correction Correction
}

// RightKind says what a right is.
type RightKind string

const (
	// Corrected: what was loaded is wrong in part, and the person's word holds.
	Corrected RightKind = "correction"
	// Objected: nothing about the person is shown to anybody any more.
	Objected RightKind = "objection"
	// Allowed: the person takes the objection back.
	Allowed RightKind = "objectionEnded"
	// Noted: the person's own statement goes with every report about them.
	Noted RightKind = "notice"
)

// A Correction takes the place of parts of a consumer. What is nil stays.
type Correction struct {
	Name         *Name         `json:"name,omitempty"`
	Birth        *company.Date `json:"birthDate,omitempty"`
	Death        *company.Date `json:"deathDate,omitempty"`
	Addresses    []Residence   `json:"addresses,omitempty"`
	Electoral    []Residence   `json:"electoralRoll,omitempty"`
	Phones       []string      `json:"phones,omitempty"`
	Protected    *bool         `json:"protected,omitempty"`
	NotJudgments []string      `json:"withoutJudgments,omitempty"`    // by case number
	NotOrders    []string      `json:"withoutInsolvencies,omitempty"` // by case number
}

// ParseCorrection reads a correction as the operator writes it: JSON with the
// fields of a consumer that are to be others.
func ParseCorrection(text string) (c Correction, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fault.Invalid.Errorf("correction: %s", err)
	}
	if c.isEmpty() {
		return c, fault.Invalid.Errorf("correction: it changes nothing")
	}
	check := checker{}
	for field, at := range map[string]*company.Date{"birthDate": c.Birth, "deathDate": c.Death} {
		if at != nil {
			check.date(field, *at)
		}
	}
	check.residences("", "addresses", c.Addresses)
	check.residences("", "electoralRoll", c.Electoral)
	if err := check.err(); err != nil {
		return c, fault.Invalid.Errorf("correction: %s", err)
	}
	return c, nil
}

func (c Correction) isEmpty() bool {
	b, err := json.Marshal(c)
	return err == nil && string(b) == "{}"
}

// apply changes a consumer.
func (c Correction) apply(to *Consumer) {
	if c.Name != nil {
		to.Name = *c.Name
	}
	if c.Birth != nil {
		to.Birth = *c.Birth
	}
	if c.Death != nil {
		to.Death = *c.Death
	}
	if c.Addresses != nil {
		to.Addresses = c.Addresses
	}
	if c.Electoral != nil {
		to.Electoral = c.Electoral
	}
	if c.Phones != nil {
		to.Phones = c.Phones
	}
	if c.Protected != nil {
		to.Protected = *c.Protected
	}
	to.Judgments = slices.DeleteFunc(slices.Clone(to.Judgments), func(j Judgment) bool { return slices.Contains(c.NotJudgments, j.Case) })
	to.Insolvencies = slices.DeleteFunc(slices.Clone(to.Insolvencies), func(i Insolvency) bool { return slices.Contains(c.NotOrders, i.Case) })
}

// Held is what is kept of a consumer: what was loaded, and the person's rights
// in the order in which they came.
type Held struct {
	Consumer
	Rights []Right
}

// Known reports whether more is held than rights.
func (h *Held) Known() bool { return h.Number != "" }

// Shown is the consumer as services may know them, or false if they may not.
func (h *Held) Shown() (Consumer, bool) {
	c := h.corrected()
	return c, !c.Protected && !h.objects()
}

// objects reports whether the person's last word on it is an objection.
func (h *Held) objects() (yes bool) {
	for _, r := range h.Rights {
		switch r.Kind {
		case Objected:
			yes = true
		case Allowed:
			yes = false
		}
	}
	return yes
}

// left are the keys of somebody of whom rights stay and nothing else.
func (h *Held) left(id ID) (out Keyed, any bool) {
	if !h.objects() {
		return Keyed{Of: id}, false
	}
	return Keyed{id, veils(id, h.Person)}, true
}

func (h *Held) corrected() Consumer {
	c := h.Consumer
	for _, r := range h.Rights {
		if r.Kind == Corrected {
			r.Correction.apply(&c)
		}
	}
	return c
}

// Notices are the person's own statements.
func (h *Held) Notices() (out []Right) {
	for _, r := range h.Rights {
		if r.Kind == Noted || r.Kind == Corrected && r.Note != "" {
			out = append(out, r)
		}
	}
	return out
}

// keys are what the consumer is found by. Somebody who may not be shown is found
// by nothing but their own number, and veiled wherever else they are named.
func (h *Held) keys() []string {
	c, ok := h.Shown()
	if !ok {
		return veils(c.ID(), c.Person)
	}
	keys := map[string]bool{}
	add := func(kind, value string) {
		if value != "" {
			keys[c.Country+" "+kind+" "+value] = true
		}
	}
	for _, n := range c.AllNames() {
		for w := range strings.FieldsSeq(fold(n.Full())) {
			add(byWord, w)
		}
	}
	add(byBirth, string(c.Birth))
	if len(c.Birth) >= len("2006-01") {
		add(byMonth, string(c.Birth[:len("2006-01")]))
	}
	for _, r := range slices.Concat(c.Addresses, c.Electoral) {
		add(byPost, PlainPost(r.PostCode))
	}
	add(byPerson, string(c.Person))
	out := make([]string, 0, len(keys))
	for k := range keys {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// What consumers are found by.
const (
	byWord   = "word"   // of a name
	byBirth  = "birth"  // a day
	byMonth  = "month"  // of birth
	byPost   = "post"   // of a present or former address
	byPerson = "person" // on boards
)

// key is one of them.
func key(country, kind, value string) string {
	return fmt.Sprintf("%s %s %s", strings.ToUpper(country), kind, value)
}
