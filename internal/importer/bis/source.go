package bis

import (
	"errors"
	"io"
	"iter"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// Source reads the list.
var Source = importer.Source[kyc.Record]{
	Name:    "bis",
	Title:   "BIS Denied Persons List (text with tabs)",
	URL:     "https://www.bis.doc.gov/dpl/dpl.txt",
	Every:   24 * time.Hour,
	Whole:   true,
	Licence: "free of copyright, as a work of the government of the United States",
	Sample: "\"Name\"\t\"Street_Address\"\t\"City\"\t\"State\"\t\"Country\"\t\"Postal_Code\"\t\"Effective_Date\"\t\"Expiration_Date\"\t\"Standard_Order\"\t\"Last_Update\"\t\"Action\"\t\"FR_Citation\"\n" +
		"\"IVAN EXAMPLOV\"\t\"1 EXAMPLE STREET\"\t\"EL PASO\"\t\"TX\"\t\"US\"\t\"79905\"\t\"08/24/2022\"\t\"01/14/2030\"\t\"Y\"\t\"2022-08-29\"\t\"F.R. NOTICE ADDED\"\t\"87 F.R. 1 8/29/2022\"\n",
	Read: Read,
}

var table = listfile.Table{
	Comma: '\t', Must: []string{"Name", "Street_Address", "Effective_Date", "FR_Citation"},
}

// Read yields the entries of a file. The list has no numbers: an order against a
// name that began on a day is one entry, with an address from each of its rows.
func Read(r io.Reader, _ string) iter.Seq2[kyc.Record, error] {
	return listfile.Read(func(yield listfile.Reading) error {
		var all listfile.Grouped[kyc.Entry]
		for row, err := range table.Rows(r, nil) {
			var bad *importer.Bad
			if err == nil && row.Text("Name") == "" {
				err = row.Bad(errors.New("it has no name"))
			}
			switch {
			case errors.As(err, &bad):
				if !yield(kyc.Record{}, err) {
					return nil
				}
				continue
			case err != nil:
				return err
			}
			add(&all, row)
		}
		for _, e := range all.All() {
			if !yield(kyc.Record{Entry: *e}, nil) {
				return nil
			}
		}
		return nil
	})
}

func add(all *listfile.Grouped[kyc.Entry], row listfile.Row) {
	name, from := row.Text("Name"), day(row.Text("Effective_Date"))
	number := listfile.Join(" ", name, string(from))
	e, fresh := all.At(number)
	if fresh {
		*e = kyc.Entry{
			List: kyc.DeniedPersons, Number: number, Kind: kyc.Other, // the list does not say who is a person
			Names: []kyc.Name{{Text: name}}, Bodies: []kyc.Body{kyc.BIS}, Datasets: []kyc.Dataset{kyc.SANCurrent},
			Programmes: []string{"Denied Persons List"}, Listed: from, Until: day(row.Text("Expiration_Date")),
		}
		if row.Text("Standard_Order") == "Y" {
			e.Measures = []string{"Standard denial order"}
		}
		e.Sources = []kyc.Source{{
			Title: kyc.FindList(e.List).Title, Description: row.Text("FR_Citation"), Added: from,
			Link:      "https://www.bis.gov/licensing/end-user-guidance/denied-persons-list-dpl",
			Published: day(row.Text("Last_Update")),
		}}
	}
	// An empty country is the United States where there is a state.
	country := row.Text("Country")
	if country == "" && row.Text("State") != "" {
		country = "US"
	}
	e.Addresses = append(e.Addresses, kyc.Address{
		Line: row.Text("Street_Address"), City: row.Text("City"), Region: row.Text("State"),
		Post: row.Text("Postal_Code"), Country: listfile.Country(country),
	})
	e.Remarks = append(e.Remarks, row.Text("Action"), row.Text("FR_Citation"))
}

// day reads 06/19/2003 and 2007-01-31.
func day(text string) company.Date {
	if d := listfile.AmericanDay(text); d != "" {
		return d
	}
	return listfile.Day(text)
}
