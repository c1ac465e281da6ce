package kyc

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/company"
)

// An Also is another whom a schedule looks for: a name that its company took, or
// somebody who became an officer of it, since the search was put on a schedule.
type Also struct {
	Item    string  `json:"item"` // what it is known by among those of its schedule
	Subject Subject `json:"subject"`
	Why     string  `json:"why,omitempty"`
}

// OtherAlso are the others whom a schedule of a customer's looks for.
type OtherAlso struct {
	Customer auth.CustomerID
	List     []Also
}

// A WatchedFirm is a schedule whose search is about a company of the register.
type WatchedFirm struct {
	Watched
	Company company.ID
}

// subjects are all whom a schedule looks for, the subject of its search first.
func (s *Schedule) subjects() []Also {
	return append([]Also{{Subject: s.Of.Subject}}, s.Also...)
}

// maxAlso is how many others a schedule looks for; the oldest go.
const maxAlso = 100

// RescreenFirms finds what changes of companies mean for the searches that are on
// a schedule: a business search that is linked to a profile with the country and
// register number of the company. Its new names, and its new officers as people,
// are looked for from then on, beside the subject; those who left are not any
// more. Only schedules of companies whose name or officers changed are read.
func (s *Searches) RescreenFirms(ctx context.Context, changes []company.Change, held func(context.Context, []company.ID) (map[company.ID]company.Held, error)) (News, error) {
	of := map[company.ID][]company.Change{}
	for _, c := range changes {
		if concerns[c.Field] {
			of[c.Company] = append(of[c.Company], c)
		}
	}
	ids := slices.Sorted(maps.Keys(of))
	if len(ids) == 0 {
		return News{}, nil
	}
	kept, err := held(ctx, ids)
	if err != nil {
		return News{}, err
	}
	// A profile may have the register's number where the ID is made of another.
	firms, spelt := map[company.ID]company.Company{}, map[company.ID]company.ID{}
	for _, id := range ids {
		c := company.Merge(kept[id])
		firms[id], spelt[id] = c, id
		if c.RegNo != "" {
			spelt[company.NewID(id.Country(), c.RegNo)] = id
		}
	}
	watched, err := s.Store.KYCWatchedOf(ctx, slices.Sorted(maps.Keys(spelt)))
	if err != nil || len(watched) == 0 {
		return News{}, err
	}
	if err := s.Screener.Index.Refresh(ctx); err != nil {
		return News{}, err
	}
	news := News{Also: map[ScheduleID]OtherAlso{}}
	for _, w := range watched {
		if also, twice := news.Also[w.Schedule.ID]; twice { // its search is in the profiles of two companies
			w.Schedule.Also = also.List
		}
		id := spelt[w.Company]
		now := alsoOf(w.Schedule.Also, of[id], firms[id])
		if sameAlso(now, w.Schedule.Also) {
			continue
		}
		w.Schedule.Also, news.Also[w.Schedule.ID] = now, OtherAlso{w.Customer, now}
		alerts, err := s.rescreen(ctx, w.Watched)
		if err != nil {
			return News{}, err
		}
		news.Alerts = append(news.Alerts, alerts...)
	}
	return news, nil
}

// concerns are the changes of a company that concern screening.
var concerns = map[company.Field]bool{
	company.FieldName: true, company.OtherName: true,
	company.OfficerIn: true, company.OfficerOut: true, company.OfficerChanged: true,
}

// alsoOf is whom a schedule looks for after changes of its company.
func alsoOf(was []Also, changes []company.Change, now company.Company) []Also {
	out := slices.Clone(was)
	drop := func(item string) {
		out = slices.DeleteFunc(out, func(a Also) bool { return a.Item == item })
	}
	for _, c := range changes {
		var add Also
		switch c.Field {
		case company.FieldName, company.OtherName:
			add = renamed(&c)
		case company.OfficerOut:
			drop("officer " + cmp.Or(c.Item, c.Old))
		case company.OfficerIn:
			add = appointed(&c, now.Officers)
		case company.OfficerChanged:
			if slices.ContainsFunc(out, func(a Also) bool { return a.Item == "officer "+c.Item }) { // else there before the schedule was
				add = appointed(&c, now.Officers)
			}
		}
		if add.Item != "" {
			drop(add.Item)
			out = append(out, add)
		}
	}
	if len(out) > maxAlso {
		out = out[len(out)-maxAlso:]
	}
	return out
}

// renamed is a company under a name that it took.
func renamed(c *company.Change) (a Also) {
	who := Subject{Name: clean(c.New), Countries: []string{c.Company.Country()}}
	if _, err := who.asked(); err != nil {
		return a // it lost a name
	}
	return Also{"name " + who.Name, who, "the company is now called " + who.Name}
}

// appointed is an officer of a company, if it is one who may be known. An
// officer that is a company itself is looked for as one.
func appointed(c *company.Change, officers []company.Officer) (a Also) {
	i := slices.IndexFunc(officers, func(o company.Officer) bool {
		return o.Until == "" && (c.Item != "" && o.ID == c.Item || c.Item == "" && o.Name != "" && strings.Contains(c.New, o.Name))
	})
	if i < 0 || officers[i].Protected {
		return a
	}
	p := officers[i].Person
	who := Subject{Person: !p.Company, Name: clean(p.Name), Born: p.Birth}
	if _, err := who.asked(); err != nil {
		return a
	}
	return Also{"officer " + cmp.Or(c.Item, c.New), who, "an officer of the company: " + who.Name}
}

// sameAlso says whether a schedule looks for the same others as before.
func sameAlso(a, b []Also) bool {
	return slices.EqualFunc(a, b, func(a, b Also) bool {
		return a.Item == b.Item && a.Subject.Name == b.Subject.Name && a.Subject.Born == b.Subject.Born
	})
}
