package company

import (
	"maps"
	"slices"
	"strings"
)

// Operator is the source of corrections and suppressions: whatever it says
// comes first, and no import takes it away.
const Operator = "operator"

// Scorecard is the source of the scores that we work out ourselves. Whoever
// else gives a score is believed first.
const Scorecard = "scorecard"

// A Company is what all sources together say, with the source of each field.
type Company struct {
	ID ID
	Facts
	// From names the source of each field that was said, by the field's name.
	From map[string]string
	// Sources are all that speak of the company, the best first.
	Sources []string
}

// rank orders sources; those that are not named come after those that are, by
// name. National registers know best what they register.
var rank = []string{
	Operator, "scores", "companies-house", "sirene", "brreg", "offeneregister", "sec", "companies",
	"companies-house-accounts", "companies-house-officers", "companies-house-psc",
	"gleif", "gleif-relationships", "bods", "sandbox", Scorecard,
}

// rankFor are fields for which another source knows better.
var rankFor = map[string][]string{
	"officers": {Operator, "companies-house-officers"},
	"owners":   {Operator, "companies-house-psc", "bods"},
	"links":    {Operator, "gleif-relationships", "gleif"},
	"accounts": {Operator, "companies-house-accounts"},
	"lei":      {Operator, "gleif"},
}

func rankOf(field, source string) int {
	best := rankFor[field]
	if i := slices.Index(best, source); i >= 0 {
		return i
	}
	if i := slices.Index(rank, source); i >= 0 {
		return len(best) + i
	}
	return len(best) + len(rank)
}

// A field is one thing that can be said of a company.
type field struct {
	name string
	has  func(f *Facts) bool
	take func(into, from *Facts)
	// join says that all sources add to it instead of the best one deciding;
	// take then adds what is not there yet.
	join bool
}

// fields are all of them. To add a fact, give it a row here.
var fields = []field{
	{"name", func(f *Facts) bool { return f.Name != "" }, func(to, f *Facts) { to.Name = f.Name }, false},
	{"names", func(f *Facts) bool { return len(f.Names) > 0 }, takeNames, true},
	{"number", func(f *Facts) bool { return f.RegNo != "" }, func(to, f *Facts) { to.RegNo, to.Register = f.RegNo, f.Register }, false},
	{"lei", func(f *Facts) bool { return f.LEI != "" }, func(to, f *Facts) {
		to.LEI, to.LEIStatus, to.LEIRenewal = f.LEI, f.LEIStatus, f.LEIRenewal
	}, false},
	{"vat", func(f *Facts) bool { return len(f.VAT) > 0 }, func(to, f *Facts) { to.VAT = union(to.VAT, f.VAT, same) }, true},
	{"safeNo", func(f *Facts) bool { return f.SafeNo != "" }, func(to, f *Facts) { to.SafeNo = f.SafeNo }, false},
	{"otherIds", func(f *Facts) bool { return len(f.OtherIDs) > 0 }, func(to, f *Facts) {
		to.OtherIDs = union(to.OtherIDs, f.OtherIDs, func(o OtherID) string { return o.Scheme + " " + o.ID })
	}, true},
	{"status", func(f *Facts) bool { return f.Status != "" }, func(to, f *Facts) {
		to.Status, to.StatusText, to.StatusSince = f.Status, f.StatusText, f.StatusSince
	}, false},
	{"founded", func(f *Facts) bool { return f.Founded != "" }, func(to, f *Facts) { to.Founded = f.Founded }, false},
	{"dissolved", func(f *Facts) bool { return f.Dissolved != "" }, func(to, f *Facts) { to.Dissolved = f.Dissolved }, false},
	{"form", func(f *Facts) bool { return f.Form != Form{} }, func(to, f *Facts) { to.Form = f.Form }, false},
	{"kind", func(f *Facts) bool { return f.Kind != "" }, func(to, f *Facts) { to.Kind = f.Kind }, false},
	{"jurisdiction", func(f *Facts) bool { return f.Jurisdiction != "" }, func(to, f *Facts) { to.Jurisdiction = f.Jurisdiction }, false},
	{"yearEnd", func(f *Facts) bool { return f.YearEnd != "" }, func(to, f *Facts) { to.YearEnd = f.YearEnd }, false},
	{"signing", func(f *Facts) bool { return f.Signing != "" }, func(to, f *Facts) { to.Signing = f.Signing }, false},
	{"activities", func(f *Facts) bool { return len(f.Activities) > 0 }, func(to, f *Facts) { to.Activities = f.Activities }, false},
	{"addresses", func(f *Facts) bool { return len(f.Addresses) > 0 }, takeAddresses, true},
	{"phones", func(f *Facts) bool { return len(f.Phones) > 0 }, func(to, f *Facts) { to.Phones = union(to.Phones, f.Phones, same) }, true},
	{"emails", func(f *Facts) bool { return len(f.Emails) > 0 }, func(to, f *Facts) { to.Emails = union(to.Emails, f.Emails, same) }, true},
	{"websites", func(f *Facts) bool { return len(f.Websites) > 0 }, func(to, f *Facts) { to.Websites = union(to.Websites, f.Websites, same) }, true},
	{"employees", func(f *Facts) bool { return len(f.Employees) > 0 }, func(to, f *Facts) { to.Employees = f.Employees }, false},
	{"capital", func(f *Facts) bool { return f.Capital != Money{} }, func(to, f *Facts) { to.Capital = f.Capital }, false},
	{"officers", func(f *Facts) bool { return len(f.Officers) > 0 }, func(to, f *Facts) { to.Officers = append(to.Officers, f.Officers...) }, false},
	{"owners", func(f *Facts) bool { return len(f.Owners) > 0 }, func(to, f *Facts) { to.Owners = append(to.Owners, f.Owners...) }, false},
	{"links", func(f *Facts) bool { return len(f.Links) > 0 }, takeLinks, true},
	{"accounts", func(f *Facts) bool { return len(f.Accounts) > 0 }, takeAccounts, true},
	{"due", func(f *Facts) bool { return f.Due != Due{} }, func(to, f *Facts) { to.Due = f.Due }, false},
	{"filings", func(f *Facts) bool { return len(f.Filings) > 0 }, func(to, f *Facts) {
		to.Filings = union(to.Filings, f.Filings, func(x Filing) string { return string(x.Date) + x.Type + x.Ref + x.Text })
	}, true},
	{"notices", func(f *Facts) bool { return len(f.Notices) > 0 }, func(to, f *Facts) {
		to.Notices = union(to.Notices, f.Notices, func(x Notice) string { return string(x.Date) + x.Kind + x.Ref + x.Text })
	}, true},
	{"score", func(f *Facts) bool { return f.Score != nil }, func(to, f *Facts) { to.Score = f.Score }, false},
	{"charges", func(f *Facts) bool { return f.Charges != nil }, func(to, f *Facts) { to.Charges = f.Charges }, false},
}

// Merge puts a company together. Parts of one source belong together; for each
// field the best source that says anything decides, or all add to it. What the
// operator suppressed is left out, whoever says it.
func Merge(h Held) Company {
	c := Company{ID: h.ID, From: map[string]string{}}
	for _, g := range h.bySource() {
		c.Sources = append(c.Sources, g[0].Source)
	}
	c.Facts = merge(h, c.From)
	return c
}

// merge is Merge without its trimmings. It notes the source of each field in
// from, if there is one.
func merge(h Held, from map[string]string) (out Facts) {
	if len(h.Said) == 1 && from == nil && len(h.Said[0].Facts.Suppressed) == 0 {
		return h.Said[0].Facts.alone()
	}
	groups := h.bySource()
	hidden := map[string]bool{}
	for i := range h.Said {
		f := &h.Said[i].Facts
		out.Withheld = out.Withheld || f.Withheld
		for _, name := range f.Suppressed {
			hidden[name] = true
		}
	}
	if len(hidden) > 0 {
		out.Suppressed = slices.Sorted(maps.Keys(hidden))
	}
	for i := range fields {
		f := &fields[i]
		if hidden[f.name] {
			continue
		}
		order := groups
		if rankFor[f.name] != nil && len(groups) > 1 {
			order = slices.Clone(groups)
			slices.SortStableFunc(order, func(a, b []Said) int {
				return rankOf(f.name, a[0].Source) - rankOf(f.name, b[0].Source)
			})
		}
		for _, g := range order {
			said := f.takeParts(&out, g)
			if said && from != nil && from[f.name] == "" {
				from[f.name] = g[0].Source
			}
			if said && !f.join {
				break
			}
		}
	}
	return out
}

// takeParts takes a field from the parts of one source, and reports whether it
// said anything.
func (f *field) takeParts(to *Facts, parts []Said) (said bool) {
	if f.name == "links" && len(parts) > 1 {
		// Each relationship is a part; those of another source stay out.
		var all Facts
		for i := range parts {
			all.Links = append(all.Links, parts[i].Facts.Links...)
		}
		parts = []Said{{Facts: all}}
	}
	for i := range parts {
		if f.has(&parts[i].Facts) {
			f.take(to, &parts[i].Facts)
			said = true
		}
	}
	return said
}

// alone is what a single statement comes to. Most companies have one.
func (f Facts) alone() Facts {
	said := f
	if f.RegNo == "" {
		f.Register = ""
	}
	if f.LEI == "" {
		f.LEIStatus, f.LEIRenewal = "", ""
	}
	if f.Status == "" {
		f.StatusText, f.StatusSince = "", ""
	}
	f.Names, f.VAT, f.OtherIDs, f.Phones, f.Emails, f.Websites = nil, nil, nil, nil, nil, nil
	f.Filings, f.Notices, f.Accounts = nil, nil, nil
	for _, i := range lists {
		if fields[i].has(&said) {
			fields[i].take(&f, &said)
		}
	}
	return f
}

// lists are where the fields are whose own items may repeat each other.
var lists = func() (out []int) {
	for i, f := range fields {
		if f.join && f.name != "addresses" && f.name != "links" {
			out = append(out, i)
		}
	}
	return out
}()

// bySource groups what is said by source, the best first.
func (h Held) bySource() [][]Said {
	var groups [][]Said
	for i := 0; i < len(h.Said); {
		j := i + 1
		for j < len(h.Said) && h.Said[j].Source == h.Said[i].Source {
			j++
		}
		groups = append(groups, h.Said[i:j])
		i = j
	}
	slices.SortStableFunc(groups, func(a, b []Said) int {
		return rankOf("", a[0].Source) - rankOf("", b[0].Source)
	})
	return groups
}

func same(s string) string { return s }

// union adds what is not there yet, by a key that ignores how it is written.
func union[T any](have, more []T, key func(T) string) []T {
	if len(have) == 0 && len(more) < 2 {
		return more
	}
	out := slices.Clip(have)
	known := make(map[string]bool, len(have)+len(more))
	for _, h := range have {
		known[fold(key(h))] = true
	}
	for _, m := range more {
		if k := fold(key(m)); !known[k] {
			known[k] = true
			out = append(out, m)
		}
	}
	return out
}

func takeNames(to, f *Facts) {
	to.Names = union(to.Names, f.Names, func(n Name) string { return string(n.Kind) + " " + n.Text })
}

// takeAddresses takes each kind of address from the first source that has it;
// branches and trading places add up.
func takeAddresses(to, f *Facts) {
	had := slices.Clone(to.Addresses)
	for _, a := range f.Addresses {
		many := a.Kind == Branch || a.Kind == TradingPlace || a.Kind == FormerAddress
		taken := slices.ContainsFunc(had, func(o Address) bool {
			return o.Kind == a.Kind && (!many || fold(o.Line()) == fold(a.Line()))
		})
		if !taken {
			to.Addresses = append(to.Addresses, a)
		}
	}
}

// takeLinks takes each kind of link from the first source that has it.
func takeLinks(to, f *Facts) {
	had := slices.Clone(to.Links)
	for _, l := range f.Links {
		if !slices.ContainsFunc(had, func(o Link) bool { return o.Kind == l.Kind }) {
			to.Links = append(to.Links, l)
		}
	}
}

// takeAccounts takes each year from the first source that has it, newest first.
func takeAccounts(to, f *Facts) {
	to.Accounts = union(to.Accounts, f.Accounts, func(a Accounts) string {
		if a.Consolidated {
			return string(a.End) + " group"
		}
		return string(a.End)
	})
	slices.SortStableFunc(to.Accounts, func(a, b Accounts) int { return strings.Compare(string(b.End), string(a.End)) })
}

// Line is the address on one line.
func (a Address) Line() string {
	street := strings.TrimSpace(a.Street)
	if a.House != "" {
		street = strings.TrimSpace(a.House + " " + street)
	}
	parts := append([]string{a.CareOf}, a.Lines...)
	parts = append(parts, street, a.City, a.Region, a.Post, a.Country)
	parts = slices.DeleteFunc(parts, func(s string) bool { return strings.TrimSpace(s) == "" })
	return strings.Join(parts, ", ")
}

// Address finds the first address of a kind.
func (f Facts) Address(kind AddressKind) (Address, bool) {
	i := slices.IndexFunc(f.Addresses, func(a Address) bool { return a.Kind == kind })
	if i < 0 {
		return Address{}, false
	}
	return f.Addresses[i], true
}

// fold takes away what only looks different: case and spaces.
func fold(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

// Fields are the names of all fields, for those who suppress one.
func Fields() []string {
	var out []string
	for _, f := range fields {
		out = append(out, f.name)
	}
	return out
}
