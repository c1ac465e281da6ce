package company

import (
	"slices"
	"strconv"
	"strings"
)

// How the lists of a company are told apart and told, for Compare.

func nameItems(names []Name) []item {
	var out []item
	for _, n := range names {
		out = append(out, item{fold(string(n.Kind) + " " + n.Text), string(n.Kind), n.Text})
	}
	return out
}

func plainItems(texts []string) []item {
	var out []item
	for _, t := range texts {
		out = append(out, item{fold(t), "", t})
	}
	return out
}

func filingItems(list []Filing) []item {
	var out []item
	for _, f := range list {
		text := strings.TrimSpace(string(f.Date) + " " + f.Type + " " + f.Text)
		out = append(out, item{fold(text + f.Ref), f.Type, text})
	}
	return out
}

func noticeItems(list []Notice) []item {
	var out []item
	for _, n := range list {
		text := strings.TrimSpace(string(n.Date) + " " + n.Text)
		out = append(out, item{fold(n.Kind + text + n.Ref), n.Kind, text})
	}
	return out
}

func activityWords(list []Activity) string {
	var codes []string
	for _, a := range list {
		codes = append(codes, strings.TrimSpace(a.Code+" "+a.Text))
	}
	if len(codes) > 1 {
		slices.Sort(codes[1:]) // the main one stands first; the others have no order
	}
	return strings.Join(codes, "; ")
}

func employeeWords(list []Employees) string {
	if len(list) == 0 {
		return ""
	}
	e := list[0]
	if e.Range != "" {
		return e.Range
	}
	return strconv.FormatInt(e.Count, 10)
}

func officerItems(list []Officer) []term {
	var out []term
	for _, o := range list {
		out = append(out, term{
			key: o.key() + " " + fold(o.Role) + " " + string(o.From), id: o.ID,
			text: o.Role + ": " + o.shown(), ended: o.Until != "", until: o.Until, rest: o.details(),
		})
	}
	return out
}

func ownerItems(list []Owner) []term {
	var out []term
	for _, o := range list {
		natures := slices.Clone(o.Natures)
		slices.Sort(natures)
		out = append(out, term{
			key: o.key(), id: o.ID, text: o.shown(), ended: o.Until != "", until: o.Until,
			rest: o.details() + "; " + strings.Join(natures, ", "),
		})
	}
	return out
}

// key is what a person is known by: the source's number, or name and birth.
func (p Person) key() string {
	if p.ID != "" {
		return p.ID
	}
	return fold(p.Name) + " " + string(p.Birth)
}

// shown is the person's name, unless it may not be shown.
func (p Person) shown() string {
	if p.Protected {
		return "(protected)"
	}
	return p.Name
}

// details are what else may change about a person.
func (p Person) details() string {
	if p.Protected {
		return "(protected)"
	}
	parts := []string{p.Name, p.Nationality, p.Residence, p.Occupation}
	if p.Address != nil {
		parts = append(parts, p.Address.Line())
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, "; ")
}
