package sec

import (
	"errors"
	"io"
	"iter"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/jsonfile"
)

// Source is the filers of the SEC.
var Source = importer.Source[company.Statement]{
	Name:  "sec",
	Title: "companies that file with the SEC (EDGAR)",
	// It has no URL: the SEC turns away whoever does not name a contact, and we
	// have none to give. The operator fetches submissions.zip.
	Covers:  coversNothing,
	Licence: "works of the United States government, free to use; at most ten requests a second, with a contact in User-Agent",
	Credit:  "Source: U.S. Securities and Exchange Commission, EDGAR.",
	Sample: `{"cik":"9999999","entityType":"operating","sic":"2050","sicDescription":"Bakery Products","name":"Example Bakeries Inc.",` +
		`"tickers":["EXBK"],"exchanges":["NYSE"],"ein":"990000001","fiscalYearEnd":"1231","stateOfIncorporation":"DE",` +
		`"addresses":{"business":{"street1":"1 MAIN ST","city":"ANYTOWN","stateOrCountry":"CA","zipCode":"90000"}},"phone":"555-0100"}` + "\n",
	Read: Read,
}

// coversNothing: filers come one by one, and the list of tickers is not the
// list of filers.
func coversNothing([]byte) func(part string) bool { return nil }

// submissionsPart is the part of a filer's own document. The list of tickers
// speaks of the whole company, but with less to say: of two parts the later one
// decides.
const submissionsPart = "submissions"

// Read yields what a file says of companies.
func Read(r io.Reader, _ string) iter.Seq2[company.Statement, error] {
	return func(yield func(company.Statement, error) bool) {
		for v, err := range jsonfile.Values(r) {
			if errors.Is(err, jsonfile.ErrEmpty) {
				return
			}
			if err != nil {
				if !yield(company.Statement{}, err) {
					return
				}
				continue
			}
			var d document
			if err := d.read(v.Raw); err != nil {
				if !yield(company.Statement{}, v.Bad(err)) {
					return
				}
				continue
			}
			if !d.yield(v, yield) {
				return
			}
		}
	}
}

// yield yields what a document says. It reports whether to go on.
func (d *document) yield(v jsonfile.Value, yield func(company.Statement, error) bool) bool {
	switch {
	case d.listed != nil:
		for _, s := range d.listed.statements() {
			if !yield(s, nil) {
				return false
			}
		}
		for _, bad := range d.listed.bad {
			v.Raw = bad.raw
			if !yield(company.Statement{}, v.Bad(bad.err)) {
				return false
			}
		}
		return true
	case d.isPage && d.cik == "", d.isPerson():
		return true
	}
	s, err := d.statement()
	if err != nil {
		return yield(company.Statement{}, v.Bad(err))
	}
	return yield(s, nil)
}
