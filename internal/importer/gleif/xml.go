package gleif

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"bureau/internal/importer"
)

// xmlRoots are the elements that hold a whole file, and what is in them.
var xmlRoots = map[string]xmlRoot{
	"LEIData":                {leis, "LEIHeader", "LEIRecords", "LEIRecord"},
	"RelationshipData":       {relationships, "Header", "RelationshipRecords", "RelationshipRecord"},
	"ReportingExceptionData": {exceptions, "Header", "ReportingExceptions", "Exception"},
}

type xmlRoot struct {
	kind                 kind
	header, list, record string
}

// An xmlFile is a file while it is read.
type xmlFile struct {
	scanner
	out   *sink
	rec   record
	stack []opened
	chars []byte // the text of the innermost element
	attr  []byte
}

// opened is an element that began; its elem is nil where it is none of ours.
type opened struct {
	elem *elem
	i    int
}

func readXML(w *window, out *sink) error {
	x := &xmlFile{scanner: scanner{window: w}, out: out}
	err := x.file()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: the XML ends in the middle, at line %d", importer.ErrCutShort, x.line())
	}
	return err
}

func (x *xmlFile) file() error {
	for tok := token(0); tok != tokStart; {
		var err error
		if tok, err = x.next(); err != nil {
			return err
		}
	}
	root, ok := xmlRoots[string(x.name)]
	if !ok {
		return fmt.Errorf("this is no LEI file: it begins with <%s>", x.name)
	}
	if err := x.out.begin(root.kind); err != nil {
		return err
	}
	top := tree(root.kind)
	for {
		tok, err := x.next()
		if err != nil {
			return err
		}
		switch {
		case tok == tokEnd:
			return nil
		case tok == tokText:
		case string(x.name) == root.header:
			err = x.header()
		case string(x.name) == root.list:
			err = x.records(root.record, top)
		default:
			err = x.skip()
		}
		if err != nil {
			return err
		}
	}
}

// skip reads to the end of the element that just began.
func (x *xmlFile) skip() error {
	for depth := x.depth(); x.depth() >= depth; {
		if _, err := x.next(); err != nil {
			return err
		}
	}
	return nil
}

// header reads what the file says of itself. Only what is directly in it
// counts: concatenated files list their parts below, with counts of their own.
func (x *xmlFile) header() error {
	depth := x.depth()
	var name string
	for {
		tok, err := x.next()
		if err != nil {
			return err
		}
		switch tok {
		case tokStart:
			name = ""
			if x.depth() == depth+1 {
				name = string(x.name)
			}
			x.chars = x.chars[:0]
		case tokText:
			x.addText()
		case tokEnd:
			if x.depth() < depth {
				return nil
			}
			x.out.header.set(name, clean(x.chars))
			name = ""
		}
	}
}

// set takes in one line of a header.
func (h *header) set(name, value string) {
	switch name {
	case "ContentDate":
		h.date = value
	case "FileContent":
		h.content = value
	case "RecordCount":
		h.count, _ = strconv.ParseInt(value, 10, 64)
	}
}

func (x *xmlFile) records(name string, top *elem) error {
	for {
		x.mark()
		line := x.line()
		tok, err := x.next()
		switch {
		case err != nil:
			return err
		case tok == tokEnd:
			x.kept()
			return nil
		case tok == tokText:
		case string(x.name) != name:
			err = x.skip()
		default:
			if err = x.record(top); err == nil {
				err = x.out.record(&x.rec, line, x.kept())
			}
		}
		if err != nil {
			return err
		}
	}
}

// record reads the record that just began.
func (x *xmlFile) record(top *elem) error {
	x.rec.reset()
	x.stack = append(x.stack[:0], opened{elem: top})
	for len(x.stack) > 0 {
		tok, err := x.next()
		if err != nil {
			return err
		}
		in := x.stack[len(x.stack)-1]
		switch tok {
		case tokStart:
			x.stack = append(x.stack, x.enter(in))
			x.chars = x.chars[:0]
		case tokText:
			if in.elem != nil && in.elem.text != nil {
				x.addText()
			}
		case tokEnd:
			if in.elem != nil && in.elem.text != nil && len(x.chars) > 0 {
				in.elem.put(&x.rec, in.i, x.chars)
			}
			x.chars = x.chars[:0]
			x.stack = x.stack[:len(x.stack)-1]
		}
	}
	return nil
}

// enter finds the place of the element that just began, and its attributes'.
func (x *xmlFile) enter(in opened) opened {
	if in.elem == nil || in.elem.in == nil {
		return opened{}
	}
	is := opened{elem: in.elem.in[string(x.name)], i: in.i}
	if is.elem == nil {
		return is
	}
	if is.elem.count != nil {
		is.i = is.elem.count(&x.rec)
	}
	if len(is.elem.attrs) > 0 {
		for a := range attributes(x.attrs) {
			if to := is.elem.attrs[string(a.name)]; to != nil {
				x.attr = appendText(x.attr[:0], a.value)
				to.put(&x.rec, is.i, x.attr)
			}
		}
	}
	return is
}

// put keeps a text, unless there is nothing in it.
func (e *elem) put(r *record, i int, b []byte) {
	if s := clean(b); s != "" {
		*e.text(r, i) = s
	}
}

func (x *xmlFile) addText() {
	if x.plain {
		x.chars = appendLines(x.chars, x.text)
		return
	}
	x.chars = appendText(x.chars, x.text)
}
