package bods

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/jsonfile"
)

// Source is statements of any publisher in BODS 0.4.
var Source = importer.Source[company.Statement]{
	Name:    "bods",
	Title:   "beneficial owners (BODS 0.4)",
	Licence: "each publisher's own: a statement may name it in publicationDetails.license",
	Credit:  "Name the publisher of the file (publicationDetails.publisher) and its licence.",
	Sample: `[{"statementId":"s1","statementDate":"2024-01-01","recordId":"r1","recordType":"entity","recordStatus":"new",` +
		`"recordDetails":{"isComponent":false,"entityType":{"type":"registeredEntity"},"name":"Example Bakeries Limited",` +
		`"identifiers":[{"scheme":"GB-COH","id":"09999990"}]}},` +
		`{"statementId":"s2","statementDate":"2024-01-01","recordId":"r2","recordType":"person","recordStatus":"new",` +
		`"recordDetails":{"isComponent":false,"personType":"knownPerson","names":[{"type":"legal","fullName":"Erin Example"}],"birthDate":"1970-05"}},` +
		`{"statementId":"s3","statementDate":"2024-01-01","recordId":"r3","recordType":"relationship","recordStatus":"new",` +
		`"recordDetails":{"isComponent":false,"subject":"r1","interestedParty":"r2",` +
		`"interests":[{"type":"shareholding","directOrIndirect":"direct","share":{"exact":60}}]}}]` + "\n",
	Read: Read,
}

// Read yields what a file says of companies and their owners.
func Read(r io.Reader, _ string) iter.Seq2[company.Statement, error] {
	return func(yield func(company.Statement, error) bool) {
		k := newKeeper()
		defer k.close()
		for v, err := range jsonfile.Values(r) {
			switch {
			case errors.Is(err, jsonfile.ErrEmpty):
				return
			case errors.Is(err, importer.ErrCutShort):
				// What came before is as good as it ever was.
				if k.each(yield) {
					yield(company.Statement{}, err)
				}
				return
			case err != nil:
				if !yield(company.Statement{}, err) {
					return
				}
				continue
			}
			rec, err := read(v)
			var bad *importer.Bad
			if err == nil {
				err = k.keep(rec)
			}
			if err != nil && (!yield(company.Statement{}, err) || !errors.As(err, &bad)) {
				return
			}
		}
		k.each(yield)
	}
}

// A statement is one as it stands in a file.
type statement struct {
	date, record, kind, status string
	details                    []byte
	version                    string
	isOld                      bool // it has what only versions before 0.4 have
}

func readStatement(raw []byte) (statement, error) {
	var s statement
	r := jsonfile.NewReader(raw)
	r.Object(func(key []byte) {
		switch string(key) {
		case "statementDate":
			s.date = r.Text()
		case "recordId":
			s.record = r.Text()
		case "recordType":
			s.kind = r.Text()
		case "recordStatus":
			s.status = r.Text()
		case "recordDetails":
			s.details = r.Raw()
		case "statementID", "statementType":
			s.isOld = true
		case "publicationDetails":
			r.Object(func(key []byte) {
				if string(key) == "bodsVersion" {
					s.version = r.Text()
				}
			})
		}
	})
	return s, r.Err()
}

func read(v jsonfile.Value) (record, error) {
	s, err := readStatement(v.Raw)
	if err != nil {
		return record{}, v.Bad(err)
	}
	if err := s.checkVersion(); err != nil {
		return record{}, err
	}
	if s.record == "" {
		return record{}, v.Bad(errors.New("the statement has no recordId"))
	}
	rec := record{card: card{ID: s.record, Date: s.date, Line: v.Line, Closed: s.status == "closed"}}
	bare := len(s.details) == 0 || string(s.details) == "null"
	switch {
	case bare && rec.Closed:
	case bare:
		err = errors.New("the statement has no recordDetails")
	default:
		err = rec.readDetails(s)
	}
	if err != nil {
		return record{}, v.Bad(err)
	}
	return rec, nil
}

func (rec *record) readDetails(s statement) error {
	switch s.kind {
	case "entity":
		return rec.readEntity(s.details)
	case "person":
		return rec.readPerson(s.details)
	case "relationship":
		return rec.readTie(s.details)
	}
	return fmt.Errorf("recordType: %q is none of entity, person, relationship", s.kind)
}

// checkVersion refuses files that are built otherwise: there, statements refer
// to each other by their own ids.
func (s *statement) checkVersion() error {
	old := s.isOld || strings.HasPrefix(s.version, "0.1") ||
		strings.HasPrefix(s.version, "0.2") || strings.HasPrefix(s.version, "0.3")
	if !old {
		return nil
	}
	return fmt.Errorf("this is BODS %s: version 0.4 is needed, and its publisher or the standard's own tools can convert it",
		cmp.Or(s.version, "before 0.4"))
}
