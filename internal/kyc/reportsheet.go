package kyc

import (
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"bureau/internal/fault"
	"bureau/internal/pdf"
)

// A Sheet is a table that somebody takes away as a file.
type Sheet struct {
	Title   string
	Columns []SheetColumn
	Rows    iter.Seq2[[]string, error]
}

// A SheetColumn is a column, and its share of the width on paper.
type SheetColumn struct {
	Title string
	Width float64
}

// A SheetFormat is how a sheet is written.
type SheetFormat string

// The formats of sheets.
const (
	CSV  SheetFormat = "csv"
	XLSX SheetFormat = "xlsx"
	PDF  SheetFormat = "pdf"
)

// SheetFormats are all of them.
var SheetFormats = []SheetFormat{CSV, XLSX, PDF}

// MediaType is what a file of the format is called on the wire.
func (f SheetFormat) MediaType() string {
	switch f {
	case XLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case PDF:
		return "application/pdf"
	}
	return "text/csv; charset=utf-8"
}

// harmless is a cell of a CSV that no spreadsheet takes for a formula. What
// begins like one gets an apostrophe, which spreadsheets read as "this is text".
func harmless(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

// writeCSV writes a sheet as text.
func writeCSV(w io.Writer, s Sheet) error {
	out := csv.NewWriter(w)
	row := make([]string, len(s.Columns))
	for i, c := range s.Columns {
		row[i] = c.Title
	}
	if err := out.Write(row); err != nil {
		return err
	}
	for cells, err := range s.Rows {
		if err != nil {
			return err
		}
		for i, c := range cells {
			row[i] = harmless(c)
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// maxXLSX is how many rows a worksheet can have below its head, by its format.
const maxXLSX = 1<<20 - 1

// maxCell is how many characters a cell of a worksheet can have.
const maxCell = 32_767

// writeXLSX writes a sheet as a workbook. Its cells are texts, never formulas.
func writeXLSX(w io.Writer, s Sheet) (err error) {
	book := excelize.NewFile()
	defer func() {
		if cerr := book.Close(); err == nil {
			err = cerr
		}
	}()
	bold, err := book.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if err != nil {
		return err
	}
	out, err := book.NewStreamWriter("Sheet1")
	if err != nil {
		return err
	}
	row := make([]any, len(s.Columns))
	for i, c := range s.Columns {
		row[i] = excelize.Cell{StyleID: bold, Value: c.Title}
		if err := out.SetColWidth(i+1, i+1, 12*c.Width); err != nil {
			return err
		}
	}
	if err := out.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	if err := out.SetRow("A1", row); err != nil {
		return err
	}
	n := 1
	for cells, err := range s.Rows {
		if err != nil {
			return err
		}
		if n++; n > maxXLSX {
			return fault.Invalid.Errorf("a workbook holds at most %d rows: ask for less, or for a CSV", maxXLSX)
		}
		for i, c := range cells {
			if runes := []rune(c); len(runes) > maxCell {
				c = string(runes[:maxCell-1]) + "…"
			}
			row[i] = c
		}
		if err := out.SetRow(fmt.Sprintf("A%d", n), row[:len(cells)]); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return book.Write(w)
}

// maxPaper is how many rows a PDF has at most: about 200 pages.
const maxPaper = 5000

// writePDF writes a sheet as a document that can be filed.
func writePDF(w io.Writer, s Sheet, fonts *pdf.Fonts, id, by string, made time.Time) error {
	paper := fonts.New(pdf.Head{
		Title: s.Title, ID: id, Date: made.UTC().Format(time.DateOnly), Made: made.UTC(), Source: by, Trace: id,
		Page: "Page", Language: "en", Romanised: "Names in scripts that cannot be printed here are written in Latin letters.",
	})
	var table pdf.Table
	for _, c := range s.Columns {
		table.Columns = append(table.Columns, pdf.Column{Title: c.Title, Width: c.Width})
	}
	for cells, err := range s.Rows {
		if err != nil {
			return err
		}
		if len(table.Rows) == maxPaper {
			return fault.Invalid.Errorf("a PDF holds at most %d rows: ask for less, or for a CSV or XLSX", maxPaper)
		}
		table.Rows = append(table.Rows, cells)
	}
	rows := fmt.Sprintf("%d rows", len(table.Rows))
	if len(table.Rows) == 1 {
		rows = "1 row"
	}
	paper.Title(s.Title, made.UTC().Format("2006-01-02 15:04")+" UTC · "+rows)
	if len(table.Rows) == 0 {
		paper.Text("Nothing fits what was asked for.")
	} else {
		paper.Table(table)
	}
	b, err := paper.Bytes()
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}
