package lines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"bureau/internal/company"
)

// A Writer writes companies as lines.
type Writer struct {
	W io.Writer
}

// Write writes one line. What Read makes of it says the same.
func (w Writer) Write(s company.Statement) error {
	b, err := Marshal(s)
	if err != nil {
		return err
	}
	if _, err := w.W.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("write %s: %w", company.NewID(s.Country, s.Number), err)
	}
	return nil
}

// Marshal makes one line, without its end.
func Marshal(s company.Statement) ([]byte, error) {
	l := newLine(s.Facts)
	l.Part, l.Gone = s.Part, s.Gone
	switch {
	case s.Number != "":
		l.ID = company.NewID(s.Country, s.Number)
	default:
		l.Country = s.Country
		if l.LEI == "" {
			l.LEI = s.LEI
		}
		if l.LEI == "" && len(l.VATNumbers) == 0 && s.VAT != "" {
			l.VATNumbers = []string{s.VAT}
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // lines are read by people too
	if err := e.Encode(l); err != nil {
		return nil, fmt.Errorf("write %s as a line: %w", company.NewID(s.Country, s.Number), err)
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
