package kyc

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"

	"bureau/internal/auth"
)

// auditColumns are those of the audit trail as a file.
var auditColumns = []SheetColumn{
	{"Time (UTC)", 1.6},
	{"User", 0.7},
	{"Category", 0.9},
	{"Action", 1.3},
	{"What happened", 2},
	{"What it concerns", 3},
}

// sheetPage is how much of a long list is read at once.
const sheetPage = 1000

// all reads the deeds that a query finds to their end, page by page: what is
// added meanwhile is newer, and neither seen nor in the way.
func (t *Trail) all(ctx context.Context, by auth.Caller, q DeedQuery) iter.Seq2[Deed, error] {
	return func(yield func(Deed, error) bool) {
		q.Limit, q.Skip, q.Up = sheetPage, 0, false
		for {
			list, _, err := t.Deeds(ctx, by, q)
			if err != nil {
				yield(Deed{}, err)
				return
			}
			for _, d := range list {
				if !yield(d, nil) {
					return
				}
				q.Before = d.Number
			}
			if len(list) < sheetPage {
				return
			}
		}
	}
}

// Sheet is what was done, as a table.
func (t *Trail) Sheet(ctx context.Context, by auth.Caller, q DeedQuery) Sheet {
	return Sheet{Title: "Audit trail", Columns: auditColumns, Rows: func(yield func([]string, error) bool) {
		for d, err := range t.all(ctx, by, q) {
			if err != nil {
				yield(nil, err)
				return
			}
			payload, err := json.Marshal(d.Payload())
			if err != nil {
				yield(nil, fmt.Errorf("write audit entry %d: %w", d.Number, err))
				return
			}
			if !yield([]string{
				d.At.UTC().Format(time.DateTime), strconv.FormatInt(int64(d.By), 10), string(d.Category), string(d.Action), d.Describe(), string(payload),
			}, nil) {
				return
			}
		}
	}}
}

// Export writes what was done as a CSV.
func (t *Trail) Export(ctx context.Context, by auth.Caller, q DeedQuery, w io.Writer) error {
	return writeCSV(w, t.Sheet(ctx, by, q))
}
