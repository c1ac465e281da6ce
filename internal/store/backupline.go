package store

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"
)

// A backup is gzip of lines of JSON, the same from both engines:
//
//	{"format":"bureau backup","number":1,"schema":1,"made":"2026-03-01T12:00:00Z"}
//	{"table":"customer","columns":["id","name"]}
//	[1001,"Acme"]
//	[1002,"Bolt"]
//	{"rows":2,"sha256":"…"}
//	{"end":"bureau backup","tables":1,"rows":2,"sha256":"…"}
//
// Tables stand after those that they refer to, and rows in the order of the
// primary key. A table's sum covers its rows with their line ends, and the last
// line's sum every byte before it. In a row a number is an integer, a string is
// text, {"x":"…"} is bytes in base 64, and {"t":"…"} is text that is not UTF-8
// in base 64.
const (
	backupFormat = "bureau backup"
	backupNumber = 1
)

type headerLine struct {
	Format string    `json:"format"`
	Number int       `json:"number"`
	Schema int64     `json:"schema"`
	Made   time.Time `json:"made"`
}

type tableLine struct {
	Table   string   `json:"table"`
	Columns []string `json:"columns"`
}

type tableEndLine struct {
	Rows int64  `json:"rows"`
	Sum  string `json:"sha256"`
}

type endLine struct {
	End    string `json:"end"`
	Tables int    `json:"tables"`
	Rows   int64  `json:"rows"`
	Sum    string `json:"sha256"`
}

// A value is one field of a row as the engines give it: nil, int64, string or
// []byte.
type value struct{ v any }

// Scan keeps an empty []byte apart from NULL, though one driver makes it nil.
func (c *value) Scan(from any) error {
	c.v = from
	if b, ok := from.([]byte); ok {
		c.v = append([]byte{}, b...)
	}
	return nil
}

// appendRow writes a row as a line.
func appendRow(line []byte, row []value) ([]byte, error) {
	line = append(line, '[')
	for i, c := range row {
		if i > 0 {
			line = append(line, ',')
		}
		switch v := c.v.(type) {
		case nil:
			line = append(line, "null"...)
		case int64:
			line = strconv.AppendInt(line, v, 10)
		case string:
			line = appendText(line, v)
		case []byte:
			line = appendBase64(line, `{"x":"`, v)
		default:
			return line, fmt.Errorf("a value is a %T", v)
		}
	}
	return append(line, "]\n"...), nil
}

func appendText(line []byte, s string) []byte {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			plain = false
			break
		}
	}
	switch {
	case plain:
		line = append(line, '"')
		line = append(line, s...)
		return append(line, '"')
	case !utf8.ValidString(s):
		// JSON would put U+FFFD in its place, and nobody would notice.
		return appendBase64(line, `{"t":"`, []byte(s))
	}
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // no string makes it fail
	}
	return append(line, b...)
}

func appendBase64(line []byte, before string, b []byte) []byte {
	line = append(line, before...)
	line = base64.StdEncoding.AppendEncode(line, b)
	return append(line, `"}`...)
}

// UnmarshalJSON undoes appendRow for one value.
func (c *value) UnmarshalJSON(b []byte) (err error) {
	switch b[0] {
	case 'n':
		c.v = nil
	case '"':
		var s string
		err = json.Unmarshal(b, &s)
		c.v = s
	case '{':
		var coded struct {
			X, T *[]byte
		}
		err = json.Unmarshal(b, &coded)
		switch {
		case err != nil:
		case coded.X != nil:
			c.v = *coded.X
		case coded.T != nil:
			c.v = string(*coded.T)
		default:
			err = errors.New("a value is neither bytes nor text")
		}
	default:
		c.v, err = strconv.ParseInt(string(b), 10, 64)
	}
	return err
}
