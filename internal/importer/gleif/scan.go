package gleif

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A scanner reads XML as publishers of registers write it: UTF-8, no DTD. It
// gives names without their prefix and looks at attributes only when asked.
// encoding/xml takes seven times as long for the tokens alone: a golden copy is
// a minute with the one and seven with the other. A fuzz test holds the two
// against each other.
type scanner struct {
	*window

	name  []byte // of the element that starts or ends, without prefix
	attrs []byte // of the element that starts, raw
	text  []byte // raw, or as it is where plain
	plain bool   // text comes from CDATA: it has no entities

	open   []byte // the names of open elements, one after the other
	starts []int  // where each begins in open
	closed bool   // the element that just started has ended too: <a/>
}

type token int

const (
	tokStart token = iota + 1
	tokEnd
	tokText
)

// depth is how many elements are open.
func (s *scanner) depth() int { return len(s.starts) }

// next reads one token; its parts hold until the next one. At the end of the
// file it returns io.EOF, whether or not elements are open.
func (s *scanner) next() (token, error) {
	if s.closed {
		s.closed = false
		s.pop()
		return tokEnd, nil
	}
	for {
		if s.pos == s.end {
			if err := s.more(); err != nil {
				return 0, err
			}
		}
		if s.buf[s.pos] != '<' {
			return s.chars()
		}
		if err := s.need(2); err != nil {
			return 0, err
		}
		switch s.buf[s.pos+1] {
		case '/':
			return tokEnd, s.endTag()
		case '?':
			if err := s.instruction(); err != nil {
				return 0, err
			}
		case '!':
			cdata, err := s.bang()
			if err != nil {
				return 0, err
			}
			if cdata {
				return tokText, nil
			}
		default:
			return tokStart, s.startTag()
		}
	}
}

func (s *scanner) chars() (token, error) {
	n, err := s.find('<', 0)
	if errors.Is(err, io.EOF) {
		n, err = len(s.rest()), nil
	}
	if err != nil {
		return 0, err
	}
	s.text, s.plain = s.take(n), false
	return tokText, nil
}

func (s *scanner) startTag() error {
	n, err := s.tagEnd()
	if err != nil {
		return err
	}
	tag := s.take(n + 1)[1:n] // without the brackets
	if len(tag) > 0 && tag[len(tag)-1] == '/' {
		s.closed = true
		tag = tag[:len(tag)-1]
	}
	full := nameOf(tag)
	if len(full) == 0 {
		return fmt.Errorf("line %d: a tag has no name", s.line())
	}
	s.attrs = tag[len(full):]
	s.name = local(full)
	s.starts = append(s.starts, len(s.open))
	s.open = append(s.open, full...)
	return nil
}

// tagEnd finds the bracket that ends a tag: one in quotes does not.
func (s *scanner) tagEnd() (int, error) {
	n, err := s.find('>', 1)
	if err != nil {
		return 0, err
	}
	q := bytes.IndexByte(s.rest()[:n], '"')
	if p := bytes.IndexByte(s.rest()[:n], '\''); p >= 0 && (q < 0 || p < q) {
		q = p
	}
	for q >= 0 {
		// The quote at q opens; find its like, then the next bracket or quote.
		shut, err := s.find(s.rest()[q], q+1)
		if err != nil {
			return 0, err
		}
		if n, err = s.find('>', shut+1); err != nil {
			return 0, err
		}
		q = bytes.IndexAny(s.rest()[shut+1:n], `"'`)
		if q >= 0 {
			q += shut + 1
		}
	}
	return n, nil
}

func (s *scanner) endTag() error {
	n, err := s.find('>', 2)
	if err != nil {
		return err
	}
	name := nameOf(s.take(n + 1)[2:n])
	if len(s.starts) == 0 {
		return fmt.Errorf("line %d: </%s> ends what never began", s.line(), name)
	}
	if want := s.open[s.starts[len(s.starts)-1]:]; !bytes.Equal(name, want) {
		return fmt.Errorf("line %d: <%s> ends with </%s>", s.line(), want, name)
	}
	s.pop()
	return nil
}

func (s *scanner) pop() {
	last := s.starts[len(s.starts)-1]
	s.name = local(s.open[last:])
	s.open, s.starts = s.open[:last], s.starts[:len(s.starts)-1]
}

func (s *scanner) instruction() error {
	n, err := s.findAll([]byte("?>"), 2)
	if err != nil {
		return err
	}
	b := s.take(n + 2)
	if !bytes.HasPrefix(b, []byte("<?xml ")) {
		return nil
	}
	for a := range attributes(b[5:n]) {
		if string(a.name) != "encoding" {
			continue
		}
		switch enc := string(bytes.ToLower(a.value)); enc {
		case "utf-8", "utf8", "us-ascii", "ascii":
		default:
			return fmt.Errorf("the file is in %s: only UTF-8 is read", enc)
		}
	}
	return nil
}

// bang reads a comment or CDATA, and reports which.
func (s *scanner) bang() (cdata bool, err error) {
	if err := s.need(9); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	switch rest := s.rest(); {
	case bytes.HasPrefix(rest, []byte("<!--")):
		n, err := s.findAll([]byte("-->"), 4)
		if err != nil {
			return false, err
		}
		s.take(n + 3)
		return false, nil
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		n, err := s.findAll([]byte("]]>"), 9)
		if err != nil {
			return false, err
		}
		s.text, s.plain = s.take(n + 3)[9:n], true
		return true, nil
	case len(rest) < 9:
		return false, io.EOF
	}
	// A DTD could make entities, and entities could make anything.
	return false, fmt.Errorf("line %d: the file has a DTD, which is not read", s.line())
}

// nameOf is the name at the start of a tag.
func nameOf(tag []byte) []byte {
	for i, c := range tag {
		if isSpace(c) {
			return tag[:i]
		}
	}
	return tag
}

// local is a name without its prefix.
func local(name []byte) []byte {
	if i := bytes.IndexByte(name, ':'); i > 0 && i+1 < len(name) {
		return name[i+1:]
	}
	return name
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
