package kyc

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/match"
)

// A Request is a search as a customer asks for it.
type Request struct {
	Person    bool
	Name      string
	First     string
	Middle    string
	Last      string
	Born      string
	Gender    string
	Countries []string
	Threshold int      // 0: DefaultThreshold
	Datasets  []string // none: all
	Bodies    []string // none: all
	Preferred bool     // the customer's own bodies, in the place of Bodies
	Tiers     []string
}

// Settings are what a customer wants of every search.
type Settings struct {
	DOBRequired bool   // a person is not searched for without a date of birth
	Bodies      []Body // those that are looked at if a search names none
}

// maxHits is how many hits a search keeps.
const maxHits = 500

// wrong gathers what is wrong with a request, field by field.
type wrong []string

func (w *wrong) say(field, format string, args ...any) {
	*w = append(*w, field+": "+fmt.Sprintf(format, args...))
}

func (w wrong) err() error {
	if len(w) == 0 {
		return nil
	}
	return fault.Invalid.Details("Bad request", w...)
}

// subject is who is asked about, as far as the name says.
func (r Request) subject() Subject {
	return Subject{Person: r.Person, Name: clean(r.Name), First: clean(r.First), Middle: clean(r.Middle), Last: clean(r.Last)}
}

// read makes a subject and options of a request, or says everything that is
// wrong with it.
func (r Request) read(set Settings, now time.Time) (who Subject, o Options, err error) {
	var bad wrong
	who = r.subject()
	r.readName(who, &bad)
	who.Born = r.readBorn(set, now, &bad)
	who.Gender = r.readGender(&bad)
	who.Countries = readCountries(r.Countries, &bad)
	o = Options{Threshold: r.Threshold, Limit: maxHits}
	if o.Threshold == 0 {
		o.Threshold = DefaultThreshold
	}
	if o.Threshold < MinThreshold || o.Threshold > MaxThreshold {
		bad.say("threshold", "%d is not between %d and %d", o.Threshold, MinThreshold, MaxThreshold)
	}
	o.Datasets = readDatasets(r.Person, r.Datasets, &bad)
	for i, text := range r.Bodies {
		b, err := ParseBody(text)
		if err != nil {
			bad.say(fmt.Sprintf("sanctionBodies[%d]", i), "%s", err)
		}
		o.Bodies = append(o.Bodies, b)
	}
	if r.Preferred {
		o.Bodies = set.Bodies
	}
	for i, text := range r.Tiers {
		t, ok := choose(tiers, text)
		if !ok {
			bad.say(fmt.Sprintf("pepTiers[%d]", i), "%q is none of %s", text, join(tiers))
		}
		o.Tiers = append(o.Tiers, slices.Index(tiers, t)+1)
	}
	return who, o, bad.err()
}

// tiers are those of politically exposed people, from the first on.
var tiers = []string{"pepTier1", "pepTier2", "pepTier3"}

// TierName is what a tier is called; empty for 0, which is not known.
func TierName(tier int) string {
	if tier < 1 || tier > len(tiers) {
		return ""
	}
	return tiers[tier-1]
}

func (r Request) readName(who Subject, bad *wrong) {
	name := who.FullName()
	kind := match.Company
	if r.Person {
		kind = match.Person
	}
	switch {
	case name == "" && r.Person:
		bad.say("name", "there is none: give name, or firstName and lastName")
	case name == "":
		bad.say("name", "there is none to search for")
	case len([]rune(name)) > maxSubjectName:
		bad.say("name", "it is longer than %d characters", maxSubjectName)
	case who.Name == "" && who.First == "":
		bad.say("firstName", "it is missing; or give name alone")
	case who.Name == "" && who.Last == "":
		bad.say("lastName", "it is missing; or give name alone")
	case match.Read(kind, name).Empty():
		bad.say("name", "there is no letter in it that could be compared")
	}
}

func (r Request) readBorn(set Settings, now time.Time, bad *wrong) company.Date {
	text := strings.TrimSpace(r.Born)
	if cut, _, isTime := strings.Cut(text, "T"); isTime {
		text = cut // some clients send a day as a moment
	}
	born := Date{On: company.Date(text)}
	switch {
	case text == "" && r.Person && set.DOBRequired:
		bad.say("dateOfBirth", "it is missing, and your company's settings ask for it")
	case text == "":
	case !born.Valid() || len(text) == len("2006-01") || len(text) > 4 && !isDay(text):
		bad.say("dateOfBirth", "%q is no date: write 2006-01-31 or 2006", text)
	case text <= "1900" || text > now.UTC().Format(time.DateOnly):
		bad.say("dateOfBirth", "%s is not between 1901 and today", text)
	default:
		return born.On
	}
	return ""
}

// isDay says whether a text is a day that there was.
func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

func (r Request) readGender(bad *wrong) Gender {
	if strings.TrimSpace(r.Gender) == "" {
		return ""
	}
	g, ok := choose([]Gender{Female, Male}, r.Gender)
	if !ok {
		bad.say("gender", "%q is neither female nor male", r.Gender)
	}
	return g
}

func readCountries(list []string, bad *wrong) (out []string) {
	for i, text := range list {
		code := strings.ToUpper(strings.TrimSpace(text))
		if len(code) != 2 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			bad.say(fmt.Sprintf("countryCodes[%d]", i), "%q is no country: use two letters such as GB", text)
		}
		if !slices.Contains(out, code) {
			out = append(out, code)
		}
	}
	return out
}

// readDatasets reads what to look at. Who names none asks for all that there are
// for such a subject, and is told of each that no list holds.
func readDatasets(person bool, list []string, bad *wrong) (out []Dataset) {
	all := BusinessDatasets
	if person {
		all = PersonDatasets
	}
	for i, text := range list {
		d, ok := choose(all, text)
		if !ok {
			bad.say(fmt.Sprintf("datasets[%d]", i), "%q is none of %s", text, join(all))
		}
		if !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	if len(list) > 0 {
		return out
	}
	for _, d := range all {
		if !strings.Contains(string(d), "-") { // the parts are in the whole
			out = append(out, d)
		}
	}
	return out
}
