package company

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// A Told is a change in the words in which somebody was told of it.
type Told struct {
	Company ID
	Field   Field
	Item    string    // of the change
	Words   []*string // that may name somebody
}

// NamesPeople reports whether changes of a field name people.
func (f Field) NamesPeople() bool { return slices.Contains(peopleFields, f) }

// coveredName stands for somebody who may not be shown, as where a publisher
// keeps a name back.
var coveredName = Person{Protected: true}.shown()

// Cover hides who may not be shown in what was told: also what was told long
// before they asked for it.
func (f *Finder) Cover(ctx context.Context, told []Told) error {
	if f.Veil == nil {
		return nil
	}
	var ids []ID
	for i := range told {
		if told[i].Field.NamesPeople() {
			ids = append(ids, told[i].Company)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	companies, err := f.Register.Companies(ctx, slices.Compact(ids))
	if err != nil {
		return fmt.Errorf("read who is on boards: %w", err)
	}
	named := make([][]Person, len(told))
	var people []PersonID
	for i := range told {
		if !told[i].Field.NamesPeople() {
			continue
		}
		c := companies[told[i].Company]
		named[i] = told[i].named(&c)
		for _, p := range named[i] {
			people = append(people, p.PersonID(told[i].Company))
		}
	}
	slices.Sort(people)
	hidden, err := f.Veil(ctx, slices.Compact(people))
	if err != nil || len(hidden) == 0 {
		return err
	}
	for i := range told {
		for _, p := range named[i] {
			if hidden[p.PersonID(told[i].Company)] {
				told[i].cover(p.Name)
			}
		}
	}
	return nil
}

// named are those whom a change may be about: who is on the board now or was, and
// who is named in the words and may have left it.
func (t *Told) named(c *Company) (out []Person) {
	c.eachPerson(func(p *Person) {
		if p.Company || p.Protected {
			return
		}
		if t.Item != "" && p.ID == t.Item || t.has(p.Name) {
			out = append(out, *p)
		}
	})
	for _, w := range t.Words {
		name := *w
		if t.Field == OfficerIn || t.Field == OfficerOut || t.Field == OfficerPast {
			if _, after, ok := strings.Cut(name, ": "); ok {
				name = after // behind the office
			}
		} else if before, _, ok := strings.Cut(name, "; "); ok {
			name = before // before nationality and address
		}
		if name != "" {
			out = append(out, Person{ID: t.Item, Name: name})
		}
	}
	return out
}

func (t *Told) has(name string) bool {
	return name != "" && slices.ContainsFunc(t.Words, func(w *string) bool { return strings.Contains(*w, name) })
}

// cover takes a name out of the words. Where they tell what somebody's details
// became, those go with it.
func (t *Told) cover(name string) {
	details := t.Field == OfficerChanged || t.Field == OwnerChanged
	for _, w := range t.Words {
		switch {
		case *w == "":
		case details:
			*w = coveredName
		default:
			*w = strings.ReplaceAll(*w, name, coveredName)
		}
	}
}
