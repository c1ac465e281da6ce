package companieshouse

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"bureau/internal/company"
)

// years are the accounts of the document, its own year first and the one before
// it second; where it has both, those of the company come before those of its
// group. filed is the day in the name of the file.
func (d *document) years(filed company.Date) []company.Accounts {
	figures := d.figures()
	count := map[company.Date]int{}
	for _, f := range figures {
		count[f.end]++
	}
	end := d.date(isBalanceDate, isEnd)
	if filed != "" && (end == "" || count[end] == 0 && count[filed] > 0) {
		end = filed
	}
	if end == "" {
		for e := range count {
			end = max(end, e)
		}
	}
	if end == "" {
		return nil
	}
	// The balance sheet of the year before, rather than some other day that
	// the notes name: the one with the most figures.
	var before company.Date
	for e, n := range count {
		if e < end && (n > count[before] || n == count[before] && e > before) {
			before = e
		}
	}
	out := d.upTo(end, figures)
	if len(out) == 0 { // dormant, say, with nothing but a flag
		out = []company.Accounts{{End: end, Currency: "GBP"}}
	}
	for i := range out {
		out[i].Kind = d.kind()
		if start := d.date(isStart); out[i].Start == "" && start != "" && start < end {
			out[i].Start, out[i].Months = start, months(start, end)
		}
	}
	if before != "" {
		out = append(out, d.upTo(before, figures)...)
	}
	return out
}

// upTo are the accounts up to a day, of the company and of its group.
func (d *document) upTo(end company.Date, figures []figure) []company.Accounts {
	var out []company.Accounts
	for _, group := range []bool{false, true} {
		var some []figure
		for _, f := range figures {
			if f.end == end && f.group == group {
				some = append(some, f)
			}
		}
		if len(some) == 0 {
			continue
		}
		a := company.Accounts{End: end, Start: d.start(end, some), Consolidated: group}
		if a.Start != "" {
			a.Months = months(a.Start, end)
		}
		a.Currency, a.Items = items(some, a.Start)
		out = append(out, a)
	}
	return out
}

// items takes the best figure for each item, of those that are of a day or of
// the whole period.
func items(figures []figure, start company.Date) (currency string, out map[string]int64) {
	all := map[string][]figure{}
	for _, f := range figures {
		if f.start == "" || f.start == start {
			all[f.item] = append(all[f.item], f)
		}
	}
	best := map[string]figure{}
	count := map[string]int{}
	for item, list := range all {
		f := slices.MinFunc(list, func(x, y figure) int {
			return cmp.Or(cmp.Compare(x.partial, y.partial), cmp.Compare(x.order, y.order))
		})
		if f.partial == ofSomePart && slices.ContainsFunc(list, func(o figure) bool { return o.value != f.value }) {
			continue // parts of something, and nobody says the whole
		}
		best[item] = f
		if f.currency != "" {
			count[f.currency]++
		}
	}
	for c, n := range count { // the one that most are in
		if n > count[currency] || n == count[currency] && c < currency {
			currency = c
		}
	}
	out = map[string]int64{}
	for item, f := range best {
		if f.currency == "" || f.currency == currency {
			out[item] = f.value
		}
	}
	return currency, out
}

// start is the beginning of the longest period up to a day that accounts may
// cover, which is eighteen months: shorter ones are quarters, longer ones
// "since then". The figures know best, then the contexts.
func (d *document) start(end company.Date, figures []figure) company.Date {
	first := company.Date("")
	take := func(start company.Date) {
		if start != "" && start < end && months(start, end) <= 18 && (first == "" || start < first) {
			first = start
		}
	}
	for _, f := range figures {
		take(f.start)
	}
	if first != "" {
		return first
	}
	for _, c := range d.contexts {
		if c.end == end && len(c.members) == 0 {
			take(c.start)
		}
	}
	return first
}

// kind is what sort of accounts these are.
func (d *document) kind() string {
	var members []string
	small := false
	for _, f := range d.facts {
		switch f.concept {
		case isDormant, isDormant2009, isDormant2008:
			if strings.EqualFold(f.printed, "true") || strings.HasSuffix(f.format, "true") {
				return "dormant"
			}
		case isStandard, isType, isType2022:
			if c := d.contexts[f.context]; c != nil {
				members = append(members, c.members...)
			}
		case isSmall2008:
			small = strings.EqualFold(f.printed, "true")
		}
	}
	for _, k := range kindMembers {
		if slices.Contains(members, k.member) {
			return k.kind
		}
	}
	if small {
		return "small"
	}
	return ""
}

// date is the first date that the document gives under one of the names.
func (d *document) date(names ...string) company.Date {
	for _, name := range names {
		for _, f := range d.facts {
			if f.concept == name {
				if day := longDay(f.printed); day != "" {
					return day
				}
			}
		}
	}
	return ""
}

// longDay reads a date as accounts print it.
func longDay(s string) company.Date {
	if day := isoDay(s); day != "" {
		return day
	}
	words := strings.Fields(strings.ReplaceAll(s, ",", " "))
	for i, w := range words { // 31st
		if len(w) > 2 && isDigits(w[:len(w)-2]) {
			switch strings.ToLower(w[len(w)-2:]) {
			case "st", "nd", "rd", "th":
				words[i] = w[:len(w)-2]
			}
		}
	}
	s = strings.Join(words, " ")
	for _, form := range []string{
		"2 January 2006", "2 Jan 2006", "January 2 2006", "2/1/2006", "2.1.2006", "2-1-2006", "2/1/06", "2.1.06",
	} {
		if t, err := time.Parse(form, s); err == nil {
			return company.Date(t.Format(time.DateOnly))
		}
	}
	return ""
}

// months is how many months a period has, to the nearest.
func months(start, end company.Date) int {
	from, err := time.Parse(time.DateOnly, string(start))
	to, err2 := time.Parse(time.DateOnly, string(end))
	if err != nil || err2 != nil {
		return 0
	}
	const days = 30.44 // of a month
	return int((to.Sub(from).Hours()/24+1)/days + 0.5)
}

func year(d company.Date) int {
	n, _ := strconv.Atoi(string(d[:4]))
	return n
}
