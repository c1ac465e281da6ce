package kyc

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
)

// A ReportID is a report's number, a UUID.
type ReportID string

// A ReportType is what a report is about.
type ReportType string

// A Report is a table that a customer asked for, and the file that it became. It
// is made while the customer goes about other things.
type Report struct {
	ID       ReportID
	Type     ReportType
	Format   SheetFormat
	FileName string // no two reports of a customer share one
	Criteria ReportCriteria
	Created  Act

	// What became of it:
	State    job.TaskState
	Rows     int64
	Error    string
	Changed  time.Time  // when that last changed
	Expires  time.Time  // when it is forgotten
	Contents job.FileID // of one that is done
}

// Status is what has become of a report, in the words of the wire.
func (r *Report) Status() string {
	switch r.State {
	case job.Working:
		return "inProgress"
	case job.Done:
		return "completed"
	case job.Failed:
		return "failed"
	}
	return "queued"
}

// ReportCriteria are what a report is to hold: the days, both of them included,
// and of other fields the values that count.
type ReportCriteria struct {
	From, To company.Date
	Lists    map[string][]string `json:",omitempty"`
}

// span is from the first moment to the one behind the last.
func (c ReportCriteria) span() (from, until time.Time) {
	from, _ = time.Parse(time.DateOnly, string(c.From))
	until, _ = time.Parse(time.DateOnly, string(c.To))
	if !until.IsZero() {
		until = until.AddDate(0, 0, 1)
	}
	return from, until
}

// words are the values of a field, as words of a kind.
func criteriaWords[T ~string](c ReportCriteria, field string) (out []T) {
	for _, w := range c.Lists[field] {
		out = append(out, T(w))
	}
	return out
}

func (c ReportCriteria) accounts(field string) (out []auth.AccountID) {
	for _, w := range c.Lists[field] {
		n, _ := strconv.ParseInt(w, 10, 64) // it was checked
		out = append(out, auth.AccountID(n))
	}
	return out
}

// A ReportField is something that can be asked of a report.
type ReportField struct {
	Name    string
	About   string
	Numbers bool     // its values are userIds
	Accepts []string // none: anything
}

// A reportKind is what a type of report takes and how its rows come about. To
// add one, put it here.
type reportKind struct {
	fields []ReportField
	sheet  func(*Reports, context.Context, auth.Caller, ReportCriteria) Sheet
}

// The types of reports, as the wire has them.
const (
	ReportAudit    ReportType = "audit"
	ReportProfile  ReportType = "profile"
	ReportScreen   ReportType = "amlScreen"
	ReportSchedule ReportType = "monitorSearch"
	ReportAlert    ReportType = "amlAlert"
)

// kindField narrows a report to people or to businesses.
var kindField = ReportField{Name: "types", About: "Only people, or only businesses.", Accepts: []string{"individual", "business"}}

var reportKinds = map[ReportType]reportKind{
	ReportAudit: {
		fields: []ReportField{
			{Name: "categories", About: "Only what was done with these.", Accepts: texts(DeedCategories)},
			{Name: "subcategories", About: "Only what was done with these parts.", Accepts: texts(DeedSubcategories)},
			{Name: "actions", About: "Only these.", Accepts: texts(DeedActions)},
			{Name: "profileIds", About: "Only what was done with these profiles."},
			{Name: "userIds", About: "Only what these colleagues did.", Numbers: true},
		},
		sheet: (*Reports).auditSheet,
	},
	ReportProfile: {
		fields: []ReportField{
			{Name: "types", About: "Only profiles of these types.", Accepts: texts(ProfileTypes)},
			{Name: "statuses", About: "Only profiles that have come so far.", Accepts: texts(ProfileStatuses)},
			{Name: "riskRatings", About: "Only profiles of these risks.", Accepts: texts(RiskRatings)},
			{Name: "assignees", About: "Only profiles that these colleagues look after.", Numbers: true},
		},
		sheet: (*Reports).profileSheet,
	},
	ReportScreen: {
		fields: []ReportField{
			kindField,
			{Name: "statuses", About: "Only searches that have come so far.", Accepts: texts(Statuses)},
			{Name: "riskRatings", About: "Only searches of these risks.", Accepts: texts(Risks)},
		},
		sheet: (*Reports).screenSheet,
	},
	ReportSchedule: {fields: []ReportField{kindField}, sheet: (*Reports).scheduleSheet},
	ReportAlert: {
		fields: []ReportField{
			kindField,
			{Name: "hitDecisions", About: "Only hits that were decided so.", Accepts: texts(Decisions)},
		},
		sheet: (*Reports).alertSheet,
	},
}

// ReportTypes are what reports there are.
func ReportTypes() []ReportType {
	var out []ReportType
	for t := range reportKinds {
		out = append(out, t)
	}
	slices.Sort(out)
	return out
}

// ReportFields are what can be asked of a type of report, beside the days.
func ReportFields(t ReportType) []ReportField { return reportKinds[t].fields }

func texts[T ~string](list []T) (out []string) {
	for _, s := range list {
		out = append(out, string(s))
	}
	return out
}

// check tidies up what was asked for and says what is wrong with it. Fields that
// the type does not have are taken away.
func (r *Report) check() error {
	var wrong complaints
	kind, known := reportKinds[r.Type]
	if !known {
		oneWord(&wrong, "type", r.Type, ReportTypes())
		return wrong.fault()
	}
	oneWord(&wrong, "format", r.Format, SheetFormats)
	wrong.text("fileName", &r.FileName, longName)
	if strings.ContainsAny(r.FileName, `/\`) || strings.ContainsFunc(r.FileName, unicode.IsControl) {
		wrong.say("fileName", "it holds a character that file names cannot have")
	}
	for _, day := range []struct {
		field string
		date  *company.Date
	}{{"criteria.fromDate", &r.Criteria.From}, {"criteria.toDate", &r.Criteria.To}} {
		if *day.date == "" {
			wrong.say(day.field, "it is missing")
		}
		wrong.date(day.field, day.date)
	}
	if r.Criteria.To != "" && r.Criteria.From > r.Criteria.To {
		wrong.say("criteria.toDate", "it is before fromDate")
	}
	lists := map[string][]string{}
	for _, f := range kind.fields {
		if given := r.Criteria.Lists[f.Name]; len(given) > 0 {
			lists[f.Name] = f.read(&wrong, given)
		}
	}
	r.Criteria.Lists = lists
	return wrong.fault()
}

// read checks the values of a field.
func (f ReportField) read(wrong *complaints, given []string) (out []string) {
	if len(given) > 200 {
		wrong.say("criteria."+f.Name, "there are %d; at most 200 can be asked for", len(given))
		return nil
	}
	for _, v := range given {
		v = strings.TrimSpace(v)
		i := slices.IndexFunc(f.Accepts, func(a string) bool { return strings.EqualFold(a, v) })
		_, err := strconv.ParseInt(v, 10, 64)
		switch {
		case i >= 0:
			v = f.Accepts[i]
		case f.Accepts != nil:
			wrong.say("criteria."+f.Name, "%q is none of %s", fault.Clip(v), strings.Join(f.Accepts, ", "))
		case f.Numbers && err != nil:
			wrong.say("criteria."+f.Name, "%q is not a userId", fault.Clip(v))
		}
		out = append(out, v)
	}
	return out
}

// name gives a report a file name and a format that agree.
func (r *Report) name(now time.Time) {
	ending := SheetFormat(strings.ToLower(strings.TrimPrefix(path.Ext(r.FileName), ".")))
	if !slices.Contains(SheetFormats, ending) {
		ending = ""
	}
	switch {
	case r.Format == "" && ending != "":
		r.Format = ending
	case r.Format == "":
		r.Format = CSV
	}
	if r.FileName == "" {
		r.FileName = string(r.Type) + "-" + now.UTC().Format("20060102-150405") + "-" + string(r.ID[:8])
	}
	if ending != r.Format {
		r.FileName += "." + string(r.Format)
	}
}
