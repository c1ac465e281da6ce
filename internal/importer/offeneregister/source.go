package offeneregister

import (
	"errors"
	"io"
	"iter"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/jsonfile"
)

// Source is the German register.
var Source = importer.Source[company.Statement]{
	Name:    "offeneregister",
	Title:   "German companies (OffeneRegister)",
	URL:     "https://daten.offeneregister.de/de_companies_ocdata.jsonl.bz2",
	Every:   30 * 24 * time.Hour, // it has not changed for years
	Whole:   true,
	Licence: "Creative Commons Attribution 4.0 (CC BY 4.0)",
	Credit:  "German company data: OffeneRegister.de (Open Knowledge Foundation Deutschland) and OpenCorporates, CC BY 4.0.",
	Sample: `{"company_number":"K9999_HRB1","name":"Beispiel Bäckerei GmbH","current_status":"currently registered","jurisdiction_code":"de",` +
		`"registered_address":"Musterstraße 1, 20095 Hamburg.","all_attributes":{"_registerArt":"HRB","_registerNummer":"1",` +
		`"federal_state":"Hamburg","native_company_number":"Musterstadt HRB 1","registered_office":"Hamburg","registrar":"Musterstadt"},` +
		`"officers":[{"name":"Erika Beispiel","position":"Geschäftsführer","type":"person","start_date":"2018-02-06",` +
		`"other_attributes":{"firstname":"Erika","lastname":"Beispiel","city":"Hamburg"}}]}` + "\n",
	Read: Read,
}

// Read yields what a file says of companies.
func Read(r io.Reader, _ string) iter.Seq2[company.Statement, error] {
	return func(yield func(company.Statement, error) bool) {
		for v, err := range jsonfile.Values(r) {
			var s company.Statement
			if err == nil {
				var why error
				if s, why = read(v.Raw); why != nil {
					err = v.Bad(why)
				}
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

func read(raw []byte) (company.Statement, error) {
	var rec record
	r := jsonfile.NewReader(raw)
	r.Object(func(key []byte) { rec.read(r, key) })
	if r.Err() != nil {
		return company.Statement{}, r.Err()
	}
	switch {
	case rec.number == "":
		return company.Statement{}, errors.New("the record has no company_number")
	case rec.name == "":
		return company.Statement{}, errors.New("the record has no name")
	}
	return rec.statement(), nil
}
