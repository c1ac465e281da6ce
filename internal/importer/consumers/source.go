package consumers

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"bureau/internal/identity"
	"bureau/internal/importer"
)

// Source is people, in lines of JSON or in a CSV.
var Source = importer.Source[identity.Record]{
	Name:    "consumers",
	Title:   "people: addresses, electoral roll, judgments, population register, in our own JSON lines or CSV",
	Licence: "whatever the operator's own data comes under",
	Sample: `{"country":"GB","number":"C1001","name":{"title":"Ms","forename":"Ada","surname":"Example"},"birthDate":"1970-05-31",` +
		`"addresses":[{"buildingNo":"7","street":"Example Lane","city":"Exampleton","postCode":"EX1 1AA","from":"2001-04-01"}],` +
		`"electoralRoll":[{"buildingNo":"7","street":"Example Lane","city":"Exampleton","postCode":"EX1 1AA","from":"2002-01-01"}]}` + "\n",
	Read: Read,
}

// maxLine is the length of the longest record.
const maxLine = 1 << 20

// Read yields the people of a file. It is JSON lines if its first character is a
// bracket, and a CSV otherwise. A record that is refused is not repeated in what
// is kept of the refusal: it is somebody's data.
func Read(r io.Reader, _ string) iter.Seq2[identity.Record, error] {
	return func(yield func(identity.Record, error) bool) {
		in := bufio.NewReaderSize(r, 1<<16)
		first, err := firstByte(in)
		if err != nil {
			yield(identity.Record{}, err)
			return
		}
		read := readCSV
		if first == '{' {
			read = readLines
		}
		for rec, err := range read(in) {
			var bad *importer.Bad
			if errors.As(err, &bad) {
				bad.Raw = ""
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// firstByte looks at the first character that is none of white space.
func firstByte(in *bufio.Reader) (byte, error) {
	for {
		r, _, err := in.ReadRune()
		switch {
		case err == io.EOF:
			return 0, fmt.Errorf("%w: there is nothing in it", importer.ErrCutShort)
		case err != nil:
			return 0, err
		case unicode.IsSpace(r) || r == '\ufeff':
			continue
		}
		if err := in.UnreadRune(); err != nil {
			return 0, err
		}
		if r < utf8.RuneSelf {
			return byte(r), nil
		}
		return 0, nil
	}
}

func readLines(in *bufio.Reader) iter.Seq2[identity.Record, error] {
	return func(yield func(identity.Record, error) bool) {
		for n := int64(1); ; n++ {
			line, err := readLine(in)
			switch {
			case err == io.EOF:
				return
			case errors.Is(err, errLong):
				if !yield(identity.Record{}, &importer.Bad{Line: n, Err: err}) {
					return
				}
				continue
			case err != nil:
				yield(identity.Record{}, err)
				return
			case len(bytes.TrimSpace(line)) == 0:
				continue
			}
			rec, why := parse(line)
			if why != nil {
				err = &importer.Bad{Line: n, Err: why}
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

var errLong = fmt.Errorf("the record is longer than %d bytes", maxLine)

// readLine reads to the end of a line. A last line without one is cut short.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			for err == bufio.ErrBufferFull {
				_, err = in.ReadSlice('\n')
			}
			if err != nil && err != io.EOF {
				return nil, err
			}
			return nil, errLong
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(line) > 0:
			return nil, fmt.Errorf("%w: its last line has no end", importer.ErrCutShort)
		}
		return nil, err
	}
}

// parse reads one record. A field that we do not know is an error, since a
// misspelt one would be lost in silence.
func parse(line []byte) (identity.Record, error) {
	var rec identity.Record
	if !utf8.Valid(line) || bytes.Contains(line, []byte(`\u0000`)) {
		return rec, errors.New("it holds what is no text")
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&rec); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) { // its text would repeat the value
			return rec, fmt.Errorf("%s: it is a %s", strings.TrimPrefix(wrong.Field, "Consumer."), wrong.Value)
		}
		return rec, err
	}
	if _, err := d.Token(); err != io.EOF {
		return rec, errors.New("there is something behind the record")
	}
	return rec, rec.Check()
}
