package canada

import (
	"errors"
	"io"
	"iter"
	"strings"
	"time"

	"bureau/internal/importer"
	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// Source reads the list.
var Source = importer.Source[kyc.Record]{
	Name:    "canada-sanctions",
	Title:   "Consolidated Canadian Autonomous Sanctions List (XML)",
	URL:     "https://www.international.gc.ca/world-monde/assets/office_docs/international_relations-relations_internationales/sanctions/sema-lmes.xml",
	Every:   24 * time.Hour,
	Whole:   true,
	Licence: "Open Government Licence – Canada",
	Credit:  "Contains information licensed under the Open Government Licence – Canada.",
	Sample: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<data-set>
  <record>
    <Country>Exampleland / Exemplie</Country><LastName>Examplov</LastName><GivenName>Ivan Petrovich</GivenName>
    <Aliases>Vanya Examplov; Ivan Eksamplov</Aliases><DateOfBirthOrShipBuildDate>1970</DateOfBirthOrShipBuildDate>
    <Schedule>1, Part 1</Schedule><Item>1</Item><DateOfListing>2020-02-29</DateOfListing>
  </record>
</data-set>
`,
	Read: Read,
}

// A record is a line of a schedule.
type record struct {
	Country   string
	LastName  string
	GivenName string
	Entity    string `xml:"EntityOrShip"`
	Title     string `xml:"TitleOrShip"`
	Aliases   string
	Date      string `xml:"DateOfBirthOrShipBuildDate"`
	IMO       string `xml:"ShipIMONumber"`
	Schedule  string
	Item      string
	Listed    string `xml:"DateOfListing"`
}

var errOtherFile = errors.New("this is not the Canadian list: its root is not data-set")

// Read yields the entries of a file.
func Read(r io.Reader, _ string) iter.Seq2[kyc.Record, error] {
	return listfile.Read(func(yield listfile.Reading) error {
		x := listfile.NewXML(r)
		for {
			path, err := x.Next()
			switch {
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				return err
			case !strings.HasPrefix(path, "data-set"):
				return errOtherFile
			case path != "data-set/record":
				continue
			}
			var from record
			if err := x.Read(&from); err != nil {
				return err
			}
			rec := kyc.Record{Entry: from.entry()}
			if strings.TrimSpace(from.Item) == "" {
				err = x.Bad(from.LastName+from.Entity, errors.New("it has no Item"))
			}
			if !yield(rec, err) {
				return nil
			}
		}
	})
}

// regulation is the English of "Belarus / Bélarus".
func (r *record) regulation() string {
	english, _, _ := strings.Cut(r.Country, " / ")
	return strings.TrimSpace(english)
}

func (r *record) entry() kyc.Entry {
	// The list has no numbers of its own: a line of a schedule is the key.
	e := kyc.Entry{
		List: kyc.CanadaSanctions, Number: listfile.Join(" / ", r.regulation(), r.Schedule, r.Item), Kind: kyc.Company,
		Datasets: []kyc.Dataset{kyc.SANCurrent}, Bodies: []kyc.Body{kyc.Canada},
		Programmes: []string{r.regulation()}, Listed: listfile.Day(r.Listed),
	}
	e.Sources = []kyc.Source{{
		Title: kyc.FindList(e.List).Title, Added: e.Listed,
		Link: "https://www.international.gc.ca/world-monde/international_relations-relations_internationales/sanctions/consolidated-consolide.aspx",
	}}
	switch {
	case strings.TrimSpace(r.IMO) != "":
		e.Kind = kyc.Vessel
		e.Identifiers = []kyc.Identifier{{Type: kyc.IMO, Value: r.IMO}}
		e.Ship = &kyc.Ship{Type: r.Title, Built: strings.TrimSpace(r.Date)}
	case strings.TrimSpace(r.LastName+r.GivenName) != "":
		e.Kind = kyc.Person
		e.Born = listfile.Dates(r.Date)
		e.Positions = []string{r.Title}
		if len(e.Born) == 0 && strings.TrimSpace(r.Date) != "" {
			e.Remarks = append(e.Remarks, "date of birth: "+r.Date)
		}
	default:
		e.Remarks = []string{r.Title}
	}
	if e.Kind == kyc.Person {
		e.Names = []kyc.Name{listfile.PersonName(strings.TrimSpace(r.GivenName), "", strings.TrimSpace(r.LastName))}
	} else {
		e.Names = []kyc.Name{{Text: r.Entity}}
	}
	for _, text := range aliases(r.Aliases, e.Kind) {
		e.Names = append(e.Names, kyc.Name{Text: text, Type: kyc.Alias})
	}
	return e
}

// aliases are free text: names between semicolons, else between commas. A comma
// also stands in company names and before a given name, so that only people's
// names are taken apart at commas, and only where each part is a whole name.
func aliases(text string, kind kyc.Kind) []string {
	if strings.Contains(text, ";") {
		return listfile.Fields(text, ";")
	}
	parts := listfile.Fields(text, ",")
	if kind != kyc.Person {
		return listfile.Fields(text, "\n")
	}
	for _, p := range parts {
		if len(strings.Fields(p)) < 2 {
			return []string{text}
		}
	}
	return parts
}
