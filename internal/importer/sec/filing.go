package sec

import (
	"slices"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/jsonfile"
)

// filings are lists side by side: the first of each belong together.
type filings struct {
	number, date, form, text []string
}

func (f *filings) read(r *jsonfile.Reader, key []byte) {
	switch string(key) {
	case "accessionNumber":
		f.number = texts(r)
	case "filingDate":
		f.date = texts(r)
	case "form":
		f.form = texts(r)
	case "primaryDocDescription":
		f.text = texts(r)
	}
}

// newest are the last few filings, the newest first.
func (f *filings) newest() []company.Filing {
	at := func(list []string, i int) string {
		if i < len(list) {
			return list[i]
		}
		return ""
	}
	var out []company.Filing
	for i, number := range f.number {
		x := company.Filing{Date: date(at(f.date, i)), Type: at(f.form, i), Text: at(f.text, i), Ref: number}
		if strings.EqualFold(x.Text, x.Type) {
			x.Text = ""
		}
		if x.Date != "" && x.Type != "" {
			out = append(out, x)
		}
	}
	slices.SortStableFunc(out, func(a, b company.Filing) int { return strings.Compare(string(b.Date), string(a.Date)) })
	return slices.Clip(out[:min(len(out), maxFilings)])
}
