package bankdir

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"time"

	"bureau/internal/bank"
	"bureau/internal/company"
	"bureau/internal/importer"
)

// Modulus is the modulus table: the weights, the substitutions, or both, each in
// a file of its own.
var Modulus = importer.Source[bank.TableLine]{
	Name:    "modulus-weights",
	Title:   "modulus table of British sort codes, and its substitutions",
	Whole:   true,
	Licence: "the publisher's own terms: fetch it from there and do not hand it on",
	Sample: "# valid from 2026-01-01\n" +
		"990000 990099 MOD11    0    0    0    0    0    0    8    7    6    5    4    3    2    1\n",
	Read: ReadModulus,
}

// dateInName finds the day in a file's name, as in valacdos-2026-03-02.txt: the
// publisher says in a letter from when a table holds, and not in the table.
var dateInName = regexp.MustCompile(`(20\d\d)-?(\d\d)-?(\d\d)`)

// validFrom is how a line of ours in a file says the same.
var validFrom = regexp.MustCompile(`(?i)^#\s*valid[ -]from:?\s+(\d{4}-\d\d-\d\d)\s*$`)

// ReadModulus yields the lines of a table. A line that cannot be read ends the
// file: a table that lacks a row passes numbers that are wrong.
func ReadModulus(r io.Reader, name string) iter.Seq2[bank.TableLine, error] {
	return func(yield func(bank.TableLine, error) bool) {
		from := dayInName(name)
		lines := bufio.NewReader(r)
		some := false
		for n := 1; ; n++ {
			text, err := lines.ReadString('\n')
			line := strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
			switch {
			case err == io.EOF && line == "" && !some:
				yield(bank.TableLine{}, fmt.Errorf("%w: there is no row in it", importer.ErrCutShort))
				return
			case err == io.EOF && line == "":
				return
			case err == io.EOF:
				yield(bank.TableLine{}, fmt.Errorf("line %d: %w: it has no line end", n, importer.ErrCutShort))
				return
			case err != nil:
				yield(bank.TableLine{}, err)
				return
			case line == "":
				continue
			case line[0] == '#':
				if m := validFrom.FindStringSubmatch(line); m != nil {
					from = company.Date(m[1])
				}
				continue
			}
			l, err := readModulusLine(line)
			if err != nil {
				yield(bank.TableLine{}, fmt.Errorf("line %d: %w; nothing was taken in", n, err))
				return
			}
			some, l.ValidFrom = true, from
			if !yield(l, nil) {
				return
			}
		}
	}
}

func dayInName(name string) company.Date {
	m := dateInName.FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	day := m[1] + "-" + m[2] + "-" + m[3]
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	return company.Date(day)
}

// readModulusLine reads a row of weights (start, end, method, fourteen weights
// and perhaps an exception) or of substitutions (two sort codes).
func readModulusLine(line string) (bank.TableLine, error) {
	w := strings.Fields(line)
	var codes [2]bank.SortCode
	for i := range min(2, len(w)) {
		c, err := bank.ParseSortCode(w[i])
		if err != nil {
			return bank.TableLine{}, fmt.Errorf("%q: %w", w[i], err)
		}
		codes[i] = c
	}
	switch len(w) {
	case 2:
		return bank.TableLine{Substitution: &bank.Substitution{From: codes[0], To: codes[1]}}, nil
	case 17, 18:
	default:
		return bank.TableLine{}, fmt.Errorf("it has %d columns: weights have 17 or 18 and substitutions 2", len(w))
	}
	row := &bank.Row{From: codes[0], To: codes[1], Method: bank.Method(strings.ToUpper(w[2]))}
	for i := range row.Weights {
		n, err := strconv.ParseInt(w[3+i], 10, 16)
		if err != nil {
			return bank.TableLine{}, fmt.Errorf("%q is no weight", w[3+i])
		}
		row.Weights[i] = int16(n)
	}
	if len(w) == 18 {
		n, err := strconv.ParseUint(w[17], 10, 8)
		if err != nil || n == 0 {
			return bank.TableLine{}, fmt.Errorf("%q is no exception", w[17])
		}
		row.Exception = uint8(n)
	}
	return bank.TableLine{Row: row}, row.Check()
}

// errNoHeader is what a CSV of ours must begin with.
var errNoHeader = errors.New("the first line does not name its columns")
