package un

import (
	"errors"
	"io"
	"iter"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// Source reads the list.
var Source = importer.Source[kyc.Record]{
	Name:    "un-sanctions",
	Title:   "UN Security Council Consolidated List (XML)",
	URL:     "https://scsanctions.un.org/resources/xml/en/consolidated.xml",
	Every:   24 * time.Hour,
	Whole:   true,
	Licence: "the terms of use of the United Nations' website",
	Credit:  "United Nations Security Council Consolidated List",
	Sample: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<CONSOLIDATED_LIST dateGenerated="2026-11-13T00:00:00.000Z">
  <INDIVIDUALS>
    <INDIVIDUAL>
      <DATAID>9990001</DATAID><VERSIONNUM>1</VERSIONNUM>
      <FIRST_NAME>JEAN</FIRST_NAME><SECOND_NAME>EXEMPLE</SECOND_NAME>
      <UN_LIST_TYPE>Example</UN_LIST_TYPE><REFERENCE_NUMBER>XXi.001</REFERENCE_NUMBER><LISTED_ON>2020-02-29</LISTED_ON>
      <NATIONALITY><VALUE>France</VALUE></NATIONALITY>
      <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>Le Modèle</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>1970</YEAR></INDIVIDUAL_DATE_OF_BIRTH>
    </INDIVIDUAL>
  </INDIVIDUALS>
  <ENTITIES/>
</CONSOLIDATED_LIST>
`,
	Read: Read,
}

var errOtherFile = errors.New("this is not the consolidated list: its root is not CONSOLIDATED_LIST")

// Read yields the entries of a file.
func Read(r io.Reader, _ string) iter.Seq2[kyc.Record, error] {
	return listfile.Read(func(yield listfile.Reading) error {
		x := listfile.NewXML(r)
		var asOf company.Date
		for {
			path, err := x.Next()
			switch {
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				return err
			case !strings.HasPrefix(path, "CONSOLIDATED_LIST"):
				return errOtherFile
			case path == "CONSOLIDATED_LIST":
				day, _, _ := strings.Cut(x.Attr("dateGenerated"), "T")
				asOf = listfile.Day(day)
			case strings.HasSuffix(path, "S/INDIVIDUAL"), strings.HasSuffix(path, "/ENTITY"):
				var from record
				if err := x.Read(&from); err != nil {
					return err
				}
				kind := kyc.Company
				if strings.HasSuffix(path, "INDIVIDUAL") {
					kind = kyc.Person
				}
				if strings.TrimSpace(from.Reference) == "" {
					if !yield(kyc.Record{}, x.Bad(from.First, errors.New("it has no REFERENCE_NUMBER"))) {
						return nil
					}
					continue
				}
				if !yield(kyc.Record{Entry: from.entry(kind), AsOf: asOf}, nil) {
					return nil
				}
			}
		}
	})
}
