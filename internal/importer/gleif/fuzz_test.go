package gleif

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/company"
	"bureau/internal/importer"
)

// FuzzRead: whatever a file holds, reading it ends, with statements that name a
// company.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.*")
	for _, name := range files {
		if b, err := os.ReadFile(name); err == nil && !strings.HasSuffix(name, ".golden") {
			f.Add(b)
		}
	}
	f.Add([]byte(`{"records":[{"LEI":"984500B0REAU00000135","Entity":[[],{"LegalName":{"a":{"$":[null,"x"]}}}]},]}`))
	f.Add([]byte("<LEIData><LEIRecords><LEIRecord/></LEIRecords></LEIData>"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, src := range []importer.Source[company.Statement]{LEI, Relationships} {
			for s, err := range src.Read(bytes.NewReader(b), "fuzz") {
				if err == nil && checkLEI(s.LEI) != nil {
					t.Errorf("a statement about %q", s.LEI)
				}
			}
		}
	})
}

// FuzzScanner holds our XML scanner against the standard one: where that one
// is content, ours sees the same.
func FuzzScanner(f *testing.F) {
	for _, s := range []string{
		LEI.Sample, Relationships.Sample,
		`<a b="1>2" c='"'><d/>x &amp; y<![CDATA[<&]]><!-- no --> z</a>`,
		"<?xml version='1.0' encoding='UTF-8'?>\r\n<n:a xmlns:n='u'>\r&#65;&#x42;&lt;&gt;&quot;&apos;\r\n</n:a >",
		`<a><b></b ><c d = "e"/></a>`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		want, err := standardTokens(b)
		if err != nil {
			return // the library does not read it either
		}
		for _, r := range []io.Reader{bytes.NewReader(b), iotest.OneByteReader(bytes.NewReader(b))} {
			got, err := ourTokens(r)
			if err != nil {
				t.Fatalf("%v, where encoding/xml reads %q", err, want)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-encoding/xml +ours):\n%s", diff)
			}
		}
	})
}

var errElsewhere = errors.New("not of our XML")

// standardTokens are those of encoding/xml, each as a line.
func standardTokens(b []byte) ([]string, error) {
	d := xml.NewDecoder(bytes.NewReader(b))
	var l tokenLines
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return l.lines, nil
		}
		if err != nil {
			return nil, err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			line := "<" + tok.Name.Local
			for _, a := range tok.Attr {
				line += fmt.Sprintf(" %s=%q", a.Name.Local, a.Value)
			}
			l.add(line)
		case xml.EndElement:
			l.add("</" + tok.Name.Local)
		case xml.CharData:
			l.text(string(tok))
		case xml.Directive:
			return nil, errElsewhere
		}
	}
}

func ourTokens(r io.Reader) ([]string, error) {
	s := &scanner{window: newWindow(r)}
	var l tokenLines
	for {
		tok, err := s.next()
		if errors.Is(err, io.EOF) {
			return l.lines, nil
		}
		if err != nil {
			return nil, err
		}
		switch tok {
		case tokStart:
			line := "<" + string(s.name)
			for a := range attributes(s.attrs) {
				line += fmt.Sprintf(" %s=%q", a.name, appendText(nil, a.value))
			}
			l.add(line)
		case tokEnd:
			l.add("</" + string(s.name))
		case tokText:
			if s.plain {
				l.text(string(appendLines(nil, s.text)))
			} else {
				l.text(string(appendText(nil, s.text)))
			}
		}
	}
}

// tokenLines join texts that only a comment or CDATA keeps apart.
type tokenLines struct {
	lines []string
	chars bool
}

func (l *tokenLines) add(line string) {
	l.lines = append(l.lines, line)
	l.chars = false
}

func (l *tokenLines) text(s string) {
	switch {
	case s == "":
	case l.chars:
		l.lines[len(l.lines)-1] += s
	default:
		l.lines = append(l.lines, s)
		l.chars = true
	}
}

// What comes in small pieces reads the same.
func TestSmallReads(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.*")
	for _, name := range files {
		if strings.HasSuffix(name, ".golden") {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		read := func(r io.Reader) (out []string) {
			for s, err := range sourceOf(name).Read(r, name) {
				out = append(out, fmt.Sprintf("%+v %v", s, err))
			}
			return out
		}
		want := read(bytes.NewReader(b))
		for what, r := range map[string]io.Reader{
			"one byte": iotest.OneByteReader(bytes.NewReader(b)),
			"halves":   iotest.HalfReader(bytes.NewReader(b)),
			"early":    iotest.DataErrReader(bytes.NewReader(b)),
		} {
			if diff := cmp.Diff(want, read(r)); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, what, diff)
			}
		}
	}
}

// An error of the disk is not a cut.
func TestReadError(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, text := range []string{"", LEI.Sample[:len(LEI.Sample)/2], `{"records":[{"LEI`, "LEI,Entity.LegalName\n"} {
		var end error
		for _, err := range LEI.Read(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), "x") {
			end = err
		}
		if !errors.Is(end, broken) || errors.Is(end, importer.ErrCutShort) {
			t.Errorf("after %d bytes: %v, want the error of reading", len(text), end)
		}
	}
}
