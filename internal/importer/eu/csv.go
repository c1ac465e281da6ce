package eu

import (
	"errors"
	"fmt"
	"io"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

var table = listfile.Table{
	Comma: ';', Loose: true,
	Must: []string{"fileGenerationDate", "Entity_LogicalId", "NameAlias_WholeName", "BirthDate_BirthDate"},
}

// readCSV puts the rows of each entry together: they follow each other in some
// files and not in others, so all are held.
func readCSV(in io.Reader, yield listfile.Reading) error {
	var all listfile.Grouped[kyc.Entry]
	var asOf company.Date
	for row, err := range table.Rows(in, nil) {
		number := row.Text("Entity_LogicalId")
		if err == nil && number == "" {
			err = row.Bad(errors.New("it has no Entity_LogicalId"))
		}
		var bad *importer.Bad
		switch {
		case errors.As(err, &bad):
			if !yield(kyc.Record{}, err) {
				return nil
			}
			continue
		case errors.Is(err, listfile.ErrHeader):
			return fmt.Errorf("%w (%w)", errOtherFile, err)
		case err != nil:
			return err
		}
		asOf = listfile.Day(row.Text("fileGenerationDate"))
		e, fresh := all.At(number)
		if fresh {
			*e = newEntry(number)
			e.Kind = kindOf(row.Text("Entity_SubjectType"), row.Text("Entity_SubjectType_ClassificationCode"))
			numbers(e, row.Text("Entity_EU_ReferenceNumber"), row.Text("Entity_UnitedNationId"))
		}
		addRow(e, row)
	}
	for _, e := range all.All() {
		if !yield(kyc.Record{Entry: *e, AsOf: asOf}, nil) {
			return nil
		}
	}
	return nil
}

// addRow takes the one fact of a row; what is not said is empty.
func addRow(e *kyc.Entry, r listfile.Row) {
	addSource(e, regulation{
		r.Text("Entity_Regulation_NumberTitle"), r.Text("Entity_Regulation_Programme"),
		r.Text("Entity_Regulation_PublicationDate"), r.Text("Entity_Regulation_PublicationUrl"),
	})
	e.Remarks = append(e.Remarks, r.Text("Entity_Remark"))
	e.Reasons = append(e.Reasons, r.Text("Entity_DesignationDetails"))
	if whole := r.Text("NameAlias_WholeName"); whole != "" || r.Text("NameAlias_LastName") != "" {
		n := kyc.Name{Text: whole, First: r.Text("NameAlias_FirstName"), Middle: r.Text("NameAlias_MiddleName"), Last: r.Text("NameAlias_LastName")}
		addName(e, n, r.Text("NameAlias_Gender"), r.Text("NameAlias_Title"), r.Text("NameAlias_Function"))
	}
	a := kyc.Address{
		Line: listfile.Join(", ", r.Text("Address_Street"), r.Text("Address_PoBox"), r.Text("Address_Place")), City: r.Text("Address_City"),
		Region: r.Text("Address_Region"), Post: r.Text("Address_ZipCode"), Country: country(r.Text("Address_CountryIso2Code")), Note: r.Text("Address_Remark"),
	}
	if a != (kyc.Address{}) {
		e.Addresses = append(e.Addresses, a)
	}
	b := birth{
		r.Text("BirthDate_BirthDate"), r.Text("BirthDate_Day"), r.Text("BirthDate_Month"), r.Text("BirthDate_Year"),
		r.Text("BirthDate_YearRangeFrom"), r.Text("BirthDate_YearRangeTo"), r.Text("BirthDate_Circa"), r.Text("BirthDate_CalendarType"),
	}
	if d, ok := b.kept(); ok {
		e.Born = append(e.Born, d)
	}
	e.BirthPlaces = append(e.BirthPlaces, listfile.Join(", ", r.Text("BirthDate_City"), r.Text("BirthDate_Place"), r.Text("BirthDate_Region"), country(r.Text("BirthDate_CountryIso2Code"))))
	if number := r.Text("Identification_Number"); number != "" && r.Text("Identification_KnownFalse") != "true" {
		addIdentification(e, identification{
			number, r.Text("Identification_TypeCode"), r.Text("Identification_TypeDescription"),
			r.Text("Identification_CountryIso2Code"), r.Text("Identification_Remark"),
		})
	}
	e.Nationalities = append(e.Nationalities, country(r.Text("Citizenship_CountryIso2Code")))
}

// addName adds a name. The first is the main one.
func addName(e *kyc.Entry, n kyc.Name, gender, title, function string) {
	if n.Text == "" {
		n.Text = listfile.Join(" ", n.First, n.Middle, n.Last)
	}
	if len(e.Names) > 0 {
		n.Type = kyc.Alias
	}
	e.Names = append(e.Names, n)
	if g := listfile.Gender(gender); g != "" {
		e.Gender = g
	}
	e.Titles = append(e.Titles, title)
	e.Positions = append(e.Positions, function)
}
