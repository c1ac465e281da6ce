package bankdir

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"bureau/internal/bank"
	"bureau/internal/importer"
)

// blzWide is how many characters a line has. Newer files have six more, which
// name the rule for making an IBAN.
const (
	blzWide     = 168
	blzWideIBAN = 174
)

// The places of a line, counted from nothing.
var (
	blzCode      = [2]int{0, 8}
	blzOwn       = [2]int{8, 9} // 1: the bank itself, 2: a branch under its code
	blzName      = [2]int{9, 67}
	blzPost      = [2]int{67, 72}
	blzCity      = [2]int{72, 107}
	blzShort     = [2]int{107, 134}
	blzBIC       = [2]int{139, 150}
	blzChange    = [2]int{158, 159} // D: the code ends with this file
	blzSuccessor = [2]int{160, 168}
)

// readBLZ reads lines of fixed places. The publisher writes them in ISO 8859-1;
// copies that were turned into UTF-8 are cut by characters too.
func readBLZ(r io.Reader) iter.Seq2[bank.Bank, error] {
	return func(yield func(bank.Bank, error) bool) {
		in := bufio.NewReader(r)
		some := false
		for n := int64(1); ; n++ {
			text, err := in.ReadString('\n')
			ended := err == io.EOF
			if err != nil && !ended {
				yield(bank.Bank{}, err)
				return
			}
			line := decodeLine(strings.TrimRight(text, "\r\n\x1a"))
			wide := len(line) == blzWide || len(line) == blzWideIBAN
			switch {
			case ended && len(line) == 0 && !some:
				yield(bank.Bank{}, fmt.Errorf("%w: there is no bank in it", importer.ErrCutShort))
				return
			case ended && len(line) == 0:
				return
			case ended && !wide:
				yield(bank.Bank{}, fmt.Errorf("line %d: %w", n, importer.ErrCutShort))
				return
			case !wide && n == 1:
				yield(bank.Bank{}, errOtherFile)
				return
			}
			some = true
			b, keep, why := blzLine(line, wide)
			if why != nil {
				err = &importer.Bad{Line: n, Raw: string(line), Err: why}
			} else {
				err = nil
			}
			if (keep || err != nil) && !yield(b, err) || ended {
				return
			}
		}
	}
}

// decodeLine is a line as characters.
func decodeLine(text string) []rune {
	if utf8.ValidString(text) {
		return []rune(text)
	}
	if s, err := charmap.ISO8859_1.NewDecoder().String(text); err == nil {
		text = s
	}
	return []rune(text)
}

// blzLine reads a line. Branches of a bank under its own code are not kept.
func blzLine(line []rune, wide bool) (b bank.Bank, keep bool, err error) {
	if !wide {
		return b, false, fmt.Errorf("it has %d characters, and must have %d", len(line), blzWide)
	}
	at := func(p [2]int) string { return strings.TrimSpace(string(line[p[0]:p[1]])) }
	b = bank.Bank{Country: "DE", Code: at(blzCode), Name: at(blzName), Short: at(blzShort), Post: at(blzPost), City: at(blzCity)}
	if len(b.Code) != 8 || strings.Trim(b.Code, "0123456789") != "" {
		return b, false, errors.New("it does not begin with a Bankleitzahl of eight digits")
	}
	if text := at(blzBIC); text != "" {
		bic, err := bank.ParseBIC(text)
		if err != nil {
			return b, false, fmt.Errorf("BIC: %w", err)
		}
		b.BICs = []string{string(bic)}
	}
	b.Withdrawn = at(blzChange) == "D"
	if s := at(blzSuccessor); s != "00000000" {
		b.Successor = s
	}
	return b, at(blzOwn) != "2", b.Check()
}
