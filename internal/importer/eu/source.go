package eu

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
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
	Name:  "eu-sanctions",
	Title: "EU consolidated list of financial sanctions (CSV 1.1 or XML 1.1)",
	// The publisher gives each reader an address of its own, so there is no URL.
	Every:   24 * time.Hour,
	Whole:   true,
	Licence: "Commission decision 2011/833/EU on the reuse of documents: free, with the source named",
	Credit:  "© European Union, consolidated list of persons, groups and entities subject to EU financial sanctions",
	Sample: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-11-13T21:24:35.826+01:00" globalFileId="1">
  <sanctionEntity designationDetails="" unitedNationId="" euReferenceNumber="EU.9999.1" logicalId="9999">
    <remark>An example</remark>
    <regulation regulationType="regulation" publicationDate="2020-02-29" numberTitle="1/2020 (OJ L1)" programme="EXA" logicalId="1">
      <publicationUrl>https://eur-lex.europa.eu/example</publicationUrl>
    </regulation>
    <subjectType code="person" classificationCode="P"/>
    <nameAlias firstName="Jana" middleName="" lastName="Vzorová" wholeName="Jana Vzorová" gender="F" strong="true" logicalId="2"/>
    <birthdate circa="false" calendarType="GREGORIAN" year="1970" countryIso2Code="CZ" logicalId="3"/>
  </sanctionEntity>
</export>
`,
	Read: Read,
}

var errOtherFile = errors.New("this is neither the XML nor the CSV of the EU's list, version 1.1")

// Read tells the forms apart by the first bytes.
func Read(r io.Reader, _ string) iter.Seq2[kyc.Record, error] {
	return listfile.Read(func(yield listfile.Reading) error {
		in := bufio.NewReaderSize(r, 64<<10)
		head, err := in.Peek(512)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		text := bytes.TrimLeft(head, "\ufeff \t\r\n")
		switch {
		case len(text) == 0:
			return fmt.Errorf("%w: there is nothing in it", importer.ErrCutShort)
		case text[0] == '<':
			return readXML(in, yield)
		}
		return readCSV(in, yield)
	})
}

// newEntry is what all entries have.
func newEntry(number string) kyc.Entry {
	return kyc.Entry{
		List: kyc.EUSanctions, Number: number, Kind: kyc.Company,
		Datasets: []kyc.Dataset{kyc.SANCurrent}, Bodies: []kyc.Body{kyc.EU},
	}
}

// kindOf reads both words for a kind: in some files they are swapped.
func kindOf(words ...string) kyc.Kind {
	for _, w := range words {
		switch strings.ToLower(w) {
		case "person", "p":
			return kyc.Person
		case "enterprise", "e":
			return kyc.Company
		}
	}
	return kyc.Other
}

// A regulation is the law that lists somebody.
type regulation struct{ title, programme, published, link string }

// addSource adds the law that lists an entry. Of several, each is a source.
func addSource(e *kyc.Entry, r regulation) {
	if r.title == "" && r.link == "" {
		return
	}
	on := listfile.Day(r.published)
	if e.Listed == "" || on != "" && on < e.Listed {
		e.Listed = on
	}
	if r.programme != "" {
		e.Programmes = append(e.Programmes, r.programme)
	}
	s := kyc.Source{
		Title: kyc.FindList(e.List).Title, Description: r.title, Added: on, Published: on, Document: r.link,
		Link: "https://www.sanctionsmap.eu/",
	}
	for _, have := range e.Sources {
		if have.Description == s.Description && have.Document == s.Document {
			return
		}
	}
	e.Sources = append(e.Sources, s)
}

// A birth is one in parts.
type birth struct {
	date, day, month, year, from, to, circa, calendar string
}

// kept says which dates can be compared: those of our calendar.
func (b birth) kept() (kyc.Date, bool) {
	if b.calendar != "" && !strings.EqualFold(b.calendar, "GREGORIAN") {
		return kyc.Date{}, false
	}
	text := b.date
	switch {
	case text != "":
	case b.from != "" && b.to != "":
		text = b.from + " to " + b.to
	case b.year != "":
		text = fmt.Sprintf("%s/%s/%s", orZero(b.day), orZero(b.month), b.year)
	}
	d, ok := listfile.Date(text)
	d.About = d.About || strings.EqualFold(b.circa, "true")
	return d, ok
}

func orZero(s string) string {
	if s == "" {
		return "0"
	}
	return s
}

// An identification is a document or a number.
type identification struct{ number, code, word, country, note string }

var codes = map[string]string{
	"passport": kyc.Passport, "id": kyc.NationalID, "ssn": kyc.NationalID, "regnumber": kyc.Registration, "tradelic": kyc.Registration,
	"fiscalcode": kyc.TaxID, "swiftbic": kyc.BIC, "imo": kyc.IMO, "lei": kyc.LEI, "inn": kyc.INN,
}

func addIdentification(e *kyc.Entry, i identification) {
	is := codes[strings.ToLower(i.code)]
	if is == "" {
		is = kyc.OtherID
	}
	e.Identifiers = append(e.Identifiers, kyc.Identifier{
		Type: is, Value: i.number, Country: country(i.country), Note: listfile.Join(", ", i.word, i.note),
	})
}

// country is a code; 00 is one that is not known.
func country(code string) string {
	if code == "00" {
		return ""
	}
	return code
}

// numbers adds the numbers that an entry has elsewhere.
func numbers(e *kyc.Entry, reference, un string) {
	if reference != "" {
		e.Identifiers = append(e.Identifiers, kyc.Identifier{Type: kyc.OtherID, Value: reference, Note: "EU reference"})
	}
	if un != "" {
		e.Identifiers = append(e.Identifiers, kyc.Identifier{Type: kyc.UNReference, Value: un})
	}
}
