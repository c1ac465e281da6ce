package watchlist

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"bureau/internal/importer"
	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// Source reads the operator's own list.
var Source = importer.Source[kyc.Record]{
	Name:    "watchlist",
	Title:   "the operator's own watchlist, in our own CSV",
	Whole:   true,
	Only:    kyc.Watchlist,
	Licence: "whatever the operator's own data comes under",
	Sample: "number,kind,name,aliases,weakAliases,dateOfBirth,countries,identifiers,address,datasets,programme,reason,remark,link,listedOn\n" +
		`1001,person,Ivan Examplov,Ivan Eksamplov|Иван Экзамплов,The Example,circa 1970,BG|RU,passport:X1234567,"1 Example Street, Sofia",POI,Fraud 2026,` +
		"\"Used a forged invoice, case 17\",,https://intranet.example.com/cases/17,2026-02-28\n",
	Read: Read,
}

var columns = []string{
	"number", "kind", "name", "aliases", "weakAliases", "dateOfBirth", "countries", "identifiers", "address",
	"datasets", "programme", "reason", "remark", "link", "listedOn",
}

var table = listfile.Table{Must: []string{"number", "name"}}

// Read yields the entries of a file.
func Read(r io.Reader, _ string) iter.Seq2[kyc.Record, error] {
	return listfile.Read(func(yield listfile.Reading) error {
		seen := map[string]int64{}
		for row, err := range table.Rows(r, nil) {
			var bad *importer.Bad
			var rec kyc.Record
			if err == nil && len(seen) == 0 {
				if unknown := row.Unknown(columns); len(unknown) > 0 {
					// A misspelt column would be lost in silence.
					return fmt.Errorf("there is no column %q; the columns are %s", unknown[0], strings.Join(columns, ", "))
				}
			}
			if err == nil {
				var why error
				if rec.Entry, why = entry(row); why == nil && seen[rec.Number] > 0 {
					why = fmt.Errorf("number: %s is also that of line %d", rec.Number, seen[rec.Number])
				}
				if why != nil {
					err = row.Bad(why)
				}
			}
			if err != nil && !errors.As(err, &bad) {
				return err
			}
			if err == nil {
				seen[rec.Number] = row.Line
			}
			if !yield(rec, err) {
				return nil
			}
		}
		return nil
	})
}

func entry(r listfile.Row) (kyc.Entry, error) {
	e := kyc.Entry{
		List: kyc.Watchlist, Number: r.Text("number"), Kind: kyc.Kind(strings.ToLower(r.Text("kind"))),
		Programmes: []string{r.Text("programme")}, Reasons: []string{r.Text("reason")}, Remarks: []string{r.Text("remark")},
	}
	if e.Kind == "" {
		e.Kind = kyc.Other
	}
	if e.Number == "" {
		return e, errors.New("number: it is missing")
	}
	if r.Text("name") == "" {
		return e, errors.New("name: it is missing")
	}
	if !slices.Contains([]kyc.Kind{kyc.Person, kyc.Company, kyc.Vessel, kyc.Aircraft, kyc.Other}, e.Kind) {
		return e, fmt.Errorf("kind: %q is none of person, company, ship, aircraft, other", r.Text("kind"))
	}
	e.Names = []kyc.Name{{Text: r.Text("name")}}
	for _, text := range listfile.Fields(r.Text("aliases"), "|") {
		e.Names = append(e.Names, kyc.Name{Text: text, Type: kyc.Alias})
	}
	for _, text := range listfile.Fields(r.Text("weakAliases"), "|") {
		e.Names = append(e.Names, kyc.Name{Text: text, Type: kyc.Alias, Weak: true})
	}
	for _, text := range listfile.Fields(r.Text("dateOfBirth"), "|") {
		d, ok := listfile.Date(text)
		if !ok || digits(text) > digits(d.String()) { // a thirteenth month, of which the year is kept elsewhere
			return e, fmt.Errorf("dateOfBirth: %q is no date: write 1970, 1970-05, 1970-05-31, circa 1970 or 1968 to 1972", text)
		}
		e.Born = append(e.Born, d)
	}
	return e, more(&e, r)
}

func digits(text string) (n int) {
	for _, c := range text {
		if '0' <= c && c <= '9' {
			n++
		}
	}
	return n
}

// more reads the columns that are not needed to find somebody.
func more(e *kyc.Entry, r listfile.Row) error {
	for _, text := range listfile.Fields(r.Text("countries"), "|") {
		code := listfile.Code(text)
		if code == "" {
			return fmt.Errorf("countries: there is no country %q", text)
		}
		if e.Kind == kyc.Person {
			e.Nationalities = append(e.Nationalities, code)
		} else {
			e.Countries = append(e.Countries, code)
		}
	}
	for _, text := range listfile.Fields(r.Text("identifiers"), "|") {
		is, value, ok := strings.Cut(text, ":")
		if !ok {
			return fmt.Errorf("identifiers: %q is not written as type:value", text)
		}
		e.Identifiers = append(e.Identifiers, kyc.Identifier{Type: strings.TrimSpace(is), Value: value})
	}
	if line := r.Text("address"); line != "" {
		e.Addresses = []kyc.Address{{Line: line}}
	}
	for _, text := range listfile.Fields(r.Text("datasets"), "|") {
		d, err := kyc.ParseDataset(text)
		if err != nil {
			return fmt.Errorf("datasets: %w", err)
		}
		e.Datasets = append(e.Datasets, d)
	}
	if len(e.Datasets) == 0 {
		e.Datasets = []kyc.Dataset{kyc.POI}
	}
	if text := r.Text("listedOn"); text != "" {
		if e.Listed = listfile.Day(text); e.Listed == "" {
			return fmt.Errorf("listedOn: %q is no day: write it as 2006-01-02", text)
		}
	}
	e.Sources = []kyc.Source{{Title: kyc.FindList(e.List).Title, Link: r.Text("link"), Added: e.Listed}}
	return nil
}
