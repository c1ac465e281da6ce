package sirene

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
)

// Source is the register of French companies.
var Source = importer.Source[company.Statement]{
	Name:    "sirene",
	Title:   "French companies and establishments (SIRENE)",
	URL:     "https://files.data.gouv.fr/insee-sirene/StockUniteLegale_utf8.zip",
	Every:   7 * 24 * time.Hour,
	Whole:   true,
	Covers:  Covers,
	Licence: "Licence Ouverte / Open Licence 2.0 (Etalab)",
	Credit:  "Source: Insee, base Sirene, under Licence Ouverte 2.0; the date of the file is the date of the data.",
	Sample:  sample,
	Read:    Read,
}

const sample = `siren,statutDiffusionUniteLegale,dateCreationUniteLegale,sigleUniteLegale,trancheEffectifsUniteLegale,anneeEffectifsUniteLegale,dateDebut,etatAdministratifUniteLegale,nomUniteLegale,denominationUniteLegale,categorieJuridiqueUniteLegale,activitePrincipaleUniteLegale,nomenclatureActivitePrincipaleUniteLegale,nicSiegeUniteLegale
999990013,O,2021-03-01,MDE,11,2023,2021-03-01,A,,MOULINS DE L'EXEMPLE,5710,10.61A,NAFRev2,00016
`

// Covers says which statements a file is the whole list of, from its first
// bytes: a list of companies says nothing of establishments, nor the other way
// round. It is nil for a file that is neither.
func Covers(head []byte) func(part string) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	h := newHeader(fieldsOf(string(line)))
	switch {
	case h.has("siret"):
		return func(part string) bool { return part != "" }
	case h.has("siren"):
		return func(part string) bool { return part == "" }
	}
	return nil
}

// Read yields what a file says of companies or of their establishments.
func Read(r io.Reader, _ string) iter.Seq2[company.Statement, error] {
	return func(yield func(company.Statement, error) bool) {
		rows := newRows(r)
		fields, err := rows.next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = fmt.Errorf("%w: there is nothing in it", importer.ErrCutShort)
			}
			yield(company.Statement{}, err)
			return
		}
		read, err := newHeader(fields).reader()
		if err != nil {
			yield(company.Statement{}, err)
			return
		}
		want, some := len(fields), false
		for {
			fields, err := rows.next()
			if errors.Is(err, io.EOF) {
				if !some {
					yield(company.Statement{}, fmt.Errorf("%w: there is a header and no row", importer.ErrCutShort))
				}
				return
			}
			var s company.Statement
			var bad *importer.Bad
			switch {
			case errors.As(err, &bad):
			case err != nil:
				yield(company.Statement{}, err)
				return
			case len(fields) < want && rows.last():
				yield(company.Statement{}, fmt.Errorf("%w: its last row has %d of %d columns", importer.ErrCutShort, len(fields), want))
				return
			case len(fields) != want:
				err = rows.bad(fmt.Errorf("the row has %d columns, the header %d", len(fields), want))
			default:
				if s, err = read(row(fields)); err != nil {
					err = rows.bad(err)
				}
			}
			some = true
			if !yield(s, err) {
				return
			}
		}
	}
}
