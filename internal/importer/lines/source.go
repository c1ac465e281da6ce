package lines

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/jsonfile"
)

// Source is the operator's own feed.
var Source = importer.Source[company.Statement]{
	Name:    "companies",
	Title:   "companies in our own JSON lines",
	Licence: "whatever the operator's own data comes under",
	Sample: `{"id":"GB-0-09999990","name":"EXAMPLE BAKERIES LIMITED","status":"Active","founded":"2015-04-01","kind":"Ltd",` +
		`"addresses":[{"kind":"registered","street":"High Street","house":"1","city":"Anytown","postCode":"ZZ1 1ZZ","country":"GB"}]}` + "\n",
	Read: Read,
}

// Read yields what a file of lines says. An empty file says nothing.
func Read(r io.Reader, _ string) iter.Seq2[company.Statement, error] {
	return func(yield func(company.Statement, error) bool) {
		for v, err := range jsonfile.Values(r) {
			if errors.Is(err, jsonfile.ErrEmpty) {
				return
			}
			var s company.Statement
			if err == nil {
				var why error
				if s, why = Parse(v.Raw); why != nil {
					err = v.Bad(why)
				}
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

// Parse reads one line.
func Parse(raw []byte) (company.Statement, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	var l line
	if err := d.Decode(&l); err != nil {
		return company.Statement{}, explain(err)
	}
	s, err := l.who()
	if err != nil {
		return company.Statement{}, err
	}
	s.Part, s.Gone = l.Part, l.Gone
	if l.Gone {
		return s, nil
	}
	if err := l.check(); err != nil {
		return company.Statement{}, err
	}
	s.Facts = l.facts()
	return s, nil
}

// who tells which company a line is about: the one with its id or its number,
// else the one with its LEI or its first VAT number.
func (l *line) who() (company.Statement, error) {
	var s company.Statement
	c := &checker{}
	c.country("country", l.Country)
	if c.err != nil {
		return s, c.err
	}
	if l.ID != "" {
		id, err := company.ParseID(string(l.ID))
		if err != nil {
			return s, fmt.Errorf("id: %w", err)
		}
		if l.Number != "" && company.NewID(l.Country, l.Number) != id {
			return s, fmt.Errorf("id: %s is not country %s and number %s", id, l.Country, l.Number)
		}
		return company.Statement{Country: id.Country(), Number: id.Number()}, nil
	}
	s.Country, s.Number = l.Country, l.Number
	switch {
	case s.Number != "" && s.Country == "":
		return s, errors.New("country: it is missing beside the number")
	case s.Number != "":
	case l.LEI != "":
		s.LEI = l.LEI
	case len(l.VATNumbers) > 0:
		s.VAT = l.VATNumbers[0]
	default:
		return s, errors.New("id: the line names no company: give id, or country and number, or lei, or vatNumbers")
	}
	return s, nil
}

// explain puts what the decoder says into words for who wrote the line.
func explain(err error) error {
	why := jsonfile.Explain(err)
	// A person's fields stand beside those of the officer or owner.
	if text := strings.Replace(why.Error(), ".person.", ".", 1); text != why.Error() {
		return errors.New(text)
	}
	return why
}
