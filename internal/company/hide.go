package company

import "slices"

// whoIsBehind are the fields that tell who is behind a company: what a publisher
// keeps back when it withholds that.
var whoIsBehind = []string{"name", "names", "addresses", "phones", "emails", "websites", "officers", "owners"}

// turned are the fields that were hidden from view between two states of a
// company, or brought back. Nothing happened to them: whoever reads the log is
// told that they must look again, and not what there was to be seen.
func turned(was, is *Facts) []string {
	var out []string
	for _, f := range fields {
		if slices.Contains(was.Suppressed, f.name) != slices.Contains(is.Suppressed, f.name) {
			out = append(out, f.name)
		}
	}
	if veiled(peopleOf(was.Officers, Officer.person), peopleOf(is.Officers, Officer.person)) {
		out = append(out, "officers")
	}
	if veiled(peopleOf(was.Owners, Owner.person), peopleOf(is.Owners, Owner.person)) {
		out = append(out, "owners")
	}
	return out
}

func (o Officer) person() Person { return o.Person }
func (o Owner) person() Person   { return o.Person }

func peopleOf[T any](list []T, person func(T) Person) []Person {
	out := make([]Person, len(list))
	for i, o := range list {
		out[i] = person(o)
	}
	return out
}

// veiled reports whether somebody who could be seen may no longer be, or the
// other way round: there are more who are protected, and one less to be seen.
func veiled(was, is []Person) bool {
	before, hidden := seen(was)
	after, still := seen(is)
	switch {
	case still > hidden:
		return !covers(after, before)
	case still < hidden:
		return !covers(before, after)
	}
	return false
}

// seen are those who may be seen, and how many may not.
func seen(list []Person) (keys map[string]bool, hidden int) {
	keys = make(map[string]bool, len(list))
	for _, p := range list {
		if p.Protected {
			hidden++
		} else {
			keys[p.key()] = true
		}
	}
	return keys, hidden
}

func covers(all, some map[string]bool) bool {
	for k := range some {
		if !all[k] {
			return false
		}
	}
	return true
}

// without is a company's facts without some fields.
func (f Facts) without(names []string) Facts {
	out := Facts{Withheld: f.Withheld, Suppressed: f.Suppressed}
	for i := range fields {
		if w := &fields[i]; !slices.Contains(names, w.name) && w.has(&f) {
			w.take(&out, &f)
		}
	}
	return out
}
