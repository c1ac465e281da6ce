package brreg

import (
	"bytes"
	"io"
	"iter"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/jsonfile"
)

// Source is the register of Norwegian companies.
var Source = importer.Source[company.Statement]{
	Name:    "brreg",
	Title:   "Norwegian companies (Enhetsregisteret)",
	URL:     "https://data.brreg.no/enhetsregisteret/api/enheter/lastned",
	Every:   24 * time.Hour,
	Whole:   true,
	Covers:  Covers,
	Licence: "Norwegian Licence for Open Government Data (NLOD) 2.0",
	Credit:  "Contains data under the Norwegian licence for Open Government data (NLOD) distributed by the Brønnøysund Register Centre.",
	Sample: `[{"organisasjonsnummer":"310000019","navn":"EKSEMPEL BAKERI AS","organisasjonsform":{"kode":"AS","beskrivelse":"Aksjeselskap"},` +
		`"stiftelsesdato":"2015-04-01","registrertIMvaregisteret":true,"naeringskode1":{"kode":"10.710"},"antallAnsatte":12,` +
		`"forretningsadresse":{"adresse":["Storgata 1"],"postnummer":"0001","poststed":"OSLO","landkode":"NO"},"konkurs":false}]` + "\n",
	Read: Read,
}

const (
	rolesPart  = "roles"
	updatePart = "update"
)

// Covers says which statements a file is the whole list of, from its first
// bytes: the list of units says nothing of roles and sub-units, and so on. It
// is nil for a page or a single document, which is a list of nothing.
func Covers(head []byte) func(part string) bool {
	head = bytes.TrimLeft(head, " \t\r\n\xef\xbb\xbf")
	first, ok := bytes.CutPrefix(head, []byte("["))
	if !ok {
		return nil
	}
	for v := range jsonfile.Values(bytes.NewReader(first)) {
		d, err := readDocument(v.Raw)
		switch {
		case err != nil || d.change != "" || d.isPage:
			return nil
		case d.hasRoles:
			return func(part string) bool { return part == rolesPart }
		case d.isSubUnit():
			return func(part string) bool { return part != "" && part != rolesPart && part != updatePart }
		}
		return func(part string) bool { return part == "" || part == updatePart }
	}
	return nil
}

// Read yields what a file says of companies.
func Read(r io.Reader, name string) iter.Seq2[company.Statement, error] {
	return func(yield func(company.Statement, error) bool) {
		for v, err := range jsonfile.Values(r) {
			if err != nil {
				if !yield(company.Statement{}, err) {
					return
				}
				continue
			}
			v.Raw = unescapeR(v.Raw)
			if !one(v, name, true, yield) {
				return
			}
		}
	}
}

// one yields what one value says; pages says that it may be a page of several.
// It reports whether to go on.
func one(v jsonfile.Value, name string, pages bool, yield func(company.Statement, error) bool) bool {
	d, err := readDocument(v.Raw)
	if err != nil {
		return yield(company.Statement{}, v.Bad(err))
	}
	if d.isPage && pages {
		for _, raw := range d.page {
			if !one(jsonfile.Value{Line: v.Line, Raw: raw}, name, false, yield) {
				return false
			}
		}
		return true
	}
	s, ok, err := d.says(name)
	switch {
	case err != nil:
		return yield(company.Statement{}, v.Bad(err))
	case !ok:
		return true
	}
	return yield(s, nil)
}

// says is what a document says. It is not ok where that is nothing.
func (d *document) says(name string) (s company.Statement, ok bool, err error) {
	switch {
	case d.change != "":
		return d.whatHappened()
	case d.hasRoles:
		s, err = d.whoRuns(name)
	case d.isSubUnit():
		s, err = d.branch()
	default:
		s, err = d.statement()
	}
	return s, true, err
}
