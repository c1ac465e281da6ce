package listfile

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"bureau/internal/importer"
)

// XML reads a list in XML element by element. Elements go by their local names:
// publishers change their namespaces.
type XML struct {
	d     *xml.Decoder
	path  []string
	start xml.StartElement
	root  bool // it has one
}

// NewXML reads from r.
func NewXML(r io.Reader) *XML {
	d := xml.NewDecoder(r)
	d.CharsetReader = func(charset string, in io.Reader) (io.Reader, error) {
		switch strings.ToLower(charset) {
		case "windows-1252", "iso-8859-1", "latin1", "us-ascii", "ascii":
			return charmap.Windows1252.NewDecoder().Reader(in), nil
		}
		return nil, fmt.Errorf("the encoding %s is not one that we read", charset)
	}
	return &XML{d: d}
}

// ErrNotXML says that a file is no XML at all.
var ErrNotXML = errors.New("this is not XML")

// Next goes on to the next element and returns its path from the root:
// "CONSOLIDATED_LIST/INDIVIDUALS/INDIVIDUAL". At the end it is io.EOF; a file
// that ends before its root does is cut short.
func (x *XML) Next() (string, error) {
	for {
		t, err := x.d.Token()
		switch t := t.(type) {
		case xml.StartElement:
			x.start, x.root = t, true
			x.path = append(x.path, t.Name.Local)
			return strings.Join(x.path, "/"), nil
		case xml.EndElement:
			x.path = x.path[:len(x.path)-1]
		case xml.CharData:
			if len(x.path) == 0 && len(bytes.TrimSpace(bytes.TrimPrefix(t, []byte("\ufeff")))) > 0 {
				return "", ErrNotXML
			}
		}
		if err != nil {
			return "", x.failed(err)
		}
	}
}

// Read reads the element that Next stopped at, with all that is in it.
func (x *XML) Read(into any) error {
	err := x.d.DecodeElement(into, &x.start)
	x.path = x.path[:len(x.path)-1]
	if err != nil {
		return x.failed(err)
	}
	return nil
}

// Skip passes the element by.
func (x *XML) Skip() error {
	err := x.d.Skip()
	x.path = x.path[:len(x.path)-1]
	if err != nil {
		return x.failed(err)
	}
	return nil
}

// Text reads an element that holds nothing but text.
func (x *XML) Text() (string, error) {
	var s string
	err := x.Read(&s)
	return strings.TrimSpace(s), err
}

// Attr is an attribute of the element that Next stopped at.
func (x *XML) Attr(name string) string {
	for _, a := range x.start.Attr {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}

// Line is where the reading has come to.
func (x *XML) Line() int64 {
	line, _ := x.d.InputPos()
	return int64(line)
}

// Bad is a record that ends here and makes no sense.
func (x *XML) Bad(raw string, err error) *importer.Bad {
	return &importer.Bad{Line: x.Line(), Raw: raw, Err: err}
}

func (x *XML) failed(err error) error {
	var syntax *xml.SyntaxError
	switch {
	case errors.Is(err, io.EOF) && len(x.path) == 0 && x.root:
		return io.EOF
	case errors.Is(err, io.EOF) && len(x.path) == 0:
		return fmt.Errorf("%w: it ends before it begins", importer.ErrCutShort)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.As(err, &syntax) && strings.Contains(syntax.Msg, "unexpected EOF"):
		return fmt.Errorf("%w: it ends inside %s", importer.ErrCutShort, strings.Join(x.path, "/"))
	}
	return fmt.Errorf("line %d: %w", x.Line(), err)
}
