package uk

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

// Source reads both lists.
var Source = importer.Source[kyc.Record]{
	Name:    "uk-sanctions",
	Title:   "UK Sanctions List (CSV or XML) and OFSI consolidated list (CSV)",
	URL:     "https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.xml",
	Every:   24 * time.Hour,
	Whole:   true,
	Licence: "Open Government Licence 3.0",
	Credit:  "Contains public sector information licensed under the Open Government Licence v3.0.",
	Sample: `<?xml version="1.0" encoding="utf-8"?>
<Designations>
  <DateGenerated>13/11/2026</DateGenerated>
  <Designation>
    <LastUpdated>04/08/2026</LastUpdated><DateDesignated>29/02/2020</DateDesignated><UniqueID>EXA0001</UniqueID>
    <Names><Name><Name1>IVAN</Name1><Name2>PETROVICH</Name2><Name6>EXAMPLOV</Name6><NameType>Primary Name</NameType></Name></Names>
    <RegimeName>The Example (Sanctions) (EU Exit) Regulations 2020</RegimeName><IndividualEntityShip>Individual</IndividualEntityShip>
    <SanctionsImposed>Asset freeze|Travel Ban</SanctionsImposed>
    <IndividualDetails><Individual><DOBs><DOB>dd/mm/1970</DOB></DOBs></Individual></IndividualDetails>
  </Designation>
</Designations>
`,
	Read: Read,
}

var errOtherFile = errors.New("this is none of the lists of the United Kingdom that we read: neither the UK Sanctions List nor OFSI's")

// Read tells the forms apart by how a file begins.
func Read(r io.Reader, _ string) iter.Seq2[kyc.Record, error] {
	return listfile.Read(func(yield listfile.Reading) error {
		in := bufio.NewReaderSize(r, 64<<10)
		head, err := in.Peek(8 << 10)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		text := bytes.TrimLeft(head, "\ufeff \t\r\n")
		switch {
		case len(text) == 0:
			return fmt.Errorf("%w: there is nothing in it", importer.ErrCutShort)
		case text[0] == '<':
			return readXML(in, yield)
		case bytes.Contains(text, []byte("Unique ID")):
			return readTable(in, listTable, kyc.UKSanctions, "Unique ID", addListRow, yield)
		case bytes.Contains(text, []byte("Group ID")):
			return readTable(in, ofsiTable, kyc.UKOFSI, "Group ID", addOFSIRow, yield)
		case bytes.Count(text, []byte("\n")) < 2 && len(head) < 8<<10:
			return fmt.Errorf("%w: it ends in its header", importer.ErrCutShort)
		}
		return errOtherFile
	})
}

// newEntry is what all entries of a list have.
func newEntry(list, number string) kyc.Entry {
	link := "https://www.gov.uk/government/publications/the-uk-sanctions-list"
	if list == kyc.UKOFSI {
		link = "https://www.gov.uk/government/publications/financial-sanctions-consolidated-list-of-targets"
	}
	return kyc.Entry{
		List: list, Number: number, Kind: kyc.Company,
		Datasets: []kyc.Dataset{kyc.SANCurrent}, Bodies: []kyc.Body{kyc.UK},
		Sources: []kyc.Source{{Title: kyc.FindList(list).Title, Link: link}},
	}
}

func kindOf(word string) kyc.Kind {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "individual":
		return kyc.Person
	case "ship":
		return kyc.Vessel
	}
	return kyc.Company
}

// parts is a name in six: the last is the family's, or the whole of a company's.
func parts(kind kyc.Kind, names ...string) kyc.Name {
	last := names[len(names)-1]
	given := names[:len(names)-1]
	if kind != kyc.Person {
		return kyc.Name{Text: listfile.Join(" ", append(append([]string(nil), given...), last)...)}
	}
	return listfile.PersonName(strings.TrimSpace(given[0]), listfile.Join(" ", given[1:]...), strings.TrimSpace(last))
}

// dates sets when an entry was listed and last changed.
func dates(e *kyc.Entry, listed, updated string) {
	if on := listfile.Day(listed); on != "" && (e.Listed == "" || on < e.Listed) {
		e.Listed = on
		e.Sources[0].Added = on
	}
	if on := listfile.Day(updated); on > e.Sources[0].Published {
		e.Sources[0].Published = on
	}
}

// addBirths adds dates of birth, which may be numbered in one cell.
func addBirths(e *kyc.Entry, text string) {
	for _, part := range listfile.Numbered(text) {
		e.Born = append(e.Born, listfile.Dates(part)...)
	}
}

func addNationalities(e *kyc.Entry, text string) {
	for _, part := range listfile.Numbered(text) {
		e.Nationalities = append(e.Nationalities, listfile.Country(part))
	}
}

func addNumbers(e *kyc.Entry, is, text, note string) {
	for _, part := range listfile.Numbered(text) {
		e.Identifiers = append(e.Identifiers, kyc.Identifier{Type: is, Value: part, Note: note})
	}
}

// addContacts adds what is reached by a phone, a mailbox or a browser.
func addContacts(e *kyc.Entry, is, text string) {
	for _, part := range listfile.Numbered(text) {
		e.Contacts = append(e.Contacts, kyc.Contact{Type: is, Value: part})
	}
}
