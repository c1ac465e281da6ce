package kyc

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"bureau/internal/fault"
)

// The limits of a file of subjects.
const (
	MaxBatchFile = 20 << 20
	MaxBatchRows = 50_000
)

// BatchTemplate is an empty file of subjects: the line that names its columns.
func BatchTemplate() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(batchHead()) // to memory
	w.Flush()
	return b.Bytes()
}

func batchHead() (head []string) {
	for _, c := range batchColumns {
		head = append(head, c.name)
	}
	return head
}

// readBatch reads a file of subjects. What is wrong with the file as a whole is a
// fault; what is wrong with a row is found when its turn comes.
func readBatch(file io.Reader) ([]BatchRow, error) {
	in := bufio.NewReader(file)
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		_, _ = in.Discard(3)
	}
	first, err := in.Peek(4096)
	if len(first) == 0 && err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	r := csv.NewReader(in)
	line, _, _ := strings.Cut(string(first), "\n")
	if !strings.Contains(line, ",") && strings.Contains(line, ";") {
		r.Comma = ';' // as some spreadsheets write it
	}
	r.FieldsPerRecord = -1
	head, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, fault.Invalid.Errorf("the file is empty")
	}
	if err != nil {
		return nil, csvFault(err)
	}
	places, err := batchPlaces(head)
	if err != nil {
		return nil, err
	}
	var rows []BatchRow
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, csvFault(err)
		}
		at, _ := r.FieldPos(0)
		row := BatchRow{Number: int64(len(rows) + 1), ID: newID(), Line: int64(at), State: RowSubmitted}
		empty := true
		for i, cell := range cells {
			if cell = strings.TrimSpace(cell); cell == "" {
				continue
			}
			if !utf8.ValidString(cell) || strings.ContainsRune(cell, 0) {
				return nil, fault.Invalid.Errorf("line %d: the file is not a CSV in UTF-8", at)
			}
			if bare := strings.TrimPrefix(cell, "'"); harmless(bare) == cell {
				cell = strings.TrimSpace(bare) // it comes from a file of errors
			}
			switch empty = false; {
			case i >= len(places):
				row.Asked.Surplus = strings.TrimSpace(row.Asked.Surplus + " " + cell)
			case places[i] != nil:
				*places[i](&row.Asked) = cell
			}
		}
		if empty {
			continue
		}
		if rows = append(rows, row); len(rows) > MaxBatchRows {
			return nil, fault.Invalid.Errorf("the file has more than %d rows", MaxBatchRows)
		}
	}
	if len(rows) == 0 {
		return nil, fault.Invalid.Errorf("the file has no rows below the line that names its columns")
	}
	return rows, nil
}

// batchPlaces says for each column of a file what it holds. A column that we do
// not know is passed over.
func batchPlaces(head []string) ([]func(*BatchLine) *string, error) {
	out := make([]func(*BatchLine) *string, len(head))
	known := map[string]bool{}
	for i, name := range head {
		for _, c := range batchColumns {
			if !strings.EqualFold(strings.TrimSpace(name), c.name) {
				continue
			}
			if known[c.name] {
				return nil, fault.Invalid.Errorf("the first line names the column %s twice", c.name)
			}
			out[i], known[c.name] = c.of, true
		}
	}
	if !known["type"] || !known["name"] && !known["lastName"] {
		return nil, fault.Invalid.Errorf("the first line must name the columns type and name, or type, firstName and lastName: see the template")
	}
	return out, nil
}

func csvFault(err error) error {
	var bad *csv.ParseError
	if errors.As(err, &bad) {
		return fault.Invalid.Errorf("line %d: %v", bad.Line, bad.Err)
	}
	return err
}

// WriteBatchErrors writes the rows that failed as a file that can be corrected
// and sent again: its first two columns, which an upload passes over, say where
// each was and what is wrong with it.
func WriteBatchErrors(w io.Writer, b Batch, rows iter.Seq2[BatchRow, error]) error {
	out := csv.NewWriter(w)
	if err := out.Write(append([]string{"line", "error"}, batchHead()...)); err != nil {
		return err
	}
	if b.Status() == "rejected" {
		_ = out.Write([]string{"", b.Error})
	}
	for row, err := range rows {
		if err != nil {
			return err
		}
		cells := []string{fmt.Sprint(row.Line), row.Error}
		for _, c := range batchColumns {
			cells = append(cells, harmless(*c.of(&row.Asked)))
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
