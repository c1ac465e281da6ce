package monitor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
)

// importBatch is how many rows are looked up and added at once.
const importBatch = 2000

// Kinds are what a worker needs to do imports.
func (s *Imports) Kinds() map[string]func(context.Context, *job.Hold) ([]byte, error) {
	return map[string]func(context.Context, *job.Hold) ([]byte, error){importKind: s.doImport, syncKind: s.doSync}
}

// importNotes are where an import goes on after it was broken off.
type importNotes struct {
	Place  filePlace    `json:"place"`
	Report ImportReport `json:"report"`
}

// An importing is an import under way.
type importing struct {
	*Imports
	hold      *job.Hold
	by        auth.Caller
	portfolio PortfolioID
	file      *fileReader
	report    ImportReport
	refusals  map[string]string // by country: why its companies may not be watched
	stay      Stay              // who is not removed by a sync
	unread    int               // the first line of which it cannot be told whom it names
}

// begin opens the file of an import, at the place where it was broken off.
func (s *Imports) begin(ctx context.Context, h *job.Hold) (*importing, error) {
	var in importInput
	if err := json.Unmarshal(h.Input, &in); err != nil {
		return nil, fmt.Errorf("read what was asked for: %w", err)
	}
	file, err := openFile(h.Open(ctx, 0))
	if err != nil {
		return nil, err
	}
	i := &importing{
		Imports: s, hold: h, portfolio: in.Portfolio, file: file, refusals: map[string]string{},
		by: auth.Caller{Customer: auth.CustomerID(h.Customer), Account: auth.AccountID(h.Account)},
	}
	h.Of = h.FileSize
	if len(h.Notes) > 0 {
		var notes importNotes
		if err := json.Unmarshal(h.Notes, &notes); err != nil {
			return nil, fmt.Errorf("read how far it came: %w", err)
		}
		i.report = notes.Report
		file.goOn(h.Open(ctx, notes.Place.Offset), notes.Place)
	}
	return i, nil
}

// doImport adds what a file names, batch by batch. Each is saved together with
// the place behind it.
func (s *Imports) doImport(ctx context.Context, h *job.Hold) ([]byte, error) {
	ctx = auth.Within(ctx, auth.CustomerID(h.Customer))
	i, err := s.begin(ctx, h)
	if err != nil {
		return nil, err
	}
	for end := false; !end; {
		kept := i.report
		var list []Member
		var good int64
		if list, good, end, err = i.read(ctx); err == nil {
			err = i.add(ctx, list, good)
		}
		if err != nil {
			i.report = kept // nothing of this batch was added
			return i.result(), i.explain(ctx, err)
		}
	}
	return i.result(), nil
}

func (i *importing) add(ctx context.Context, list []Member, good int64) error {
	note := func(there []company.ID) job.Task {
		added := int64(len(list) - len(there))
		i.report.Added += added
		i.report.There += good - added
		notes, _ := json.Marshal(importNotes{Place: i.file.place(), Report: i.report}) // plain values
		i.hold.Further(i.file.place().Offset, notes)
		return i.hold.Task
	}
	if len(list) == 0 {
		note(nil)
		return i.hold.Keep(ctx)
	}
	return i.Store.ImportMembers(ctx, i.by, i.portfolio, list, i.hold.Life, i.hold.Task, note)
}

// doSync reads a whole file before it makes what it names the portfolio's
// content, all at once.
func (s *Imports) doSync(ctx context.Context, h *job.Hold) ([]byte, error) {
	ctx = auth.Within(ctx, auth.CustomerID(h.Customer))
	i, err := s.begin(ctx, h)
	if err != nil {
		return nil, err
	}
	var all []Member
	var good int64
	seen := map[company.ID]bool{}
	for end := false; !end; {
		var list []Member
		var n int64
		if list, n, end, err = i.read(ctx); err != nil {
			return i.result(), err
		}
		good += n
		for _, m := range list {
			if !seen[m.Company] {
				seen[m.Company] = true
				all = append(all, m)
			}
		}
		h.Done = i.file.place().Offset
		if err := h.Keep(ctx); err != nil {
			return i.result(), err
		}
	}
	if len(all) == 0 {
		return i.result(), fault.Invalid.Errorf("the file names no company that can be watched; the portfolio was left as it is")
	}
	before := i.report
	err = s.Store.SyncMembers(ctx, i.by, i.portfolio, all, i.stay, h.Task, func(added, removed, kept int) job.Task {
		i.report.Added, i.report.There, i.report.Removed = int64(added), good-int64(added), int64(removed)
		i.report.Kept = int64(kept)
		if i.stay.All && kept > 0 {
			i.report.Note = fmt.Sprintf("nothing was removed: line %d may name any of the companies that the rest of the file does not name", i.unread)
		}
		h.Result = i.result()
		return h.Task
	})
	if err != nil {
		i.report = before
		return i.result(), i.explain(ctx, err)
	}
	return nil, job.ErrOver
}

// explain tells a company that went from the register while we looked, which
// another attempt will find to be unknown, from a portfolio that is gone.
func (i *importing) explain(ctx context.Context, err error) error {
	if !errors.Is(err, fault.Missing) {
		return err
	}
	if _, _, gone := i.Store.Portfolio(ctx, i.by, i.portfolio); gone != nil {
		return gone
	}
	return errors.New("a company left the register on the way into a portfolio")
}

func (i *importing) result() []byte {
	b, _ := json.Marshal(i.report) // plain values
	return b
}

// read reads a batch of rows and finds the companies that they name, each once.
// good is how many rows were about those; the rest is in the report.
func (i *importing) read(ctx context.Context) (list []Member, good int64, end bool, err error) {
	batch := i.Batch
	if batch == 0 {
		batch = importBatch
	}
	var rows []FileRow
	var names []string
	for len(rows) < batch {
		row, err := i.file.next()
		if errors.Is(err, io.EOF) {
			end = true
			break
		}
		if err != nil {
			return nil, 0, false, err
		}
		i.report.Rows++
		rows = append(rows, row)
		if !row.Nameless {
			names = append(names, row.name())
		}
	}
	found, err := i.Companies.LookupAll(ctx, names)
	if err != nil {
		return nil, 0, false, err
	}
	seen := map[company.ID]bool{}
	for n := range rows {
		m, ok, err := i.take(ctx, &rows[n], found)
		if err != nil {
			return nil, 0, false, err
		}
		if !ok {
			continue
		}
		if good++; !seen[m.Company] {
			seen[m.Company] = true
			list = append(list, m)
		}
	}
	return list, good, end, nil
}

// name is what the register is asked for.
func (r *FileRow) name() string {
	if r.ID != "" {
		return r.ID
	}
	return r.Country + "-0-" + r.RegNo
}

// take makes a member of a row, or notes why it is none.
func (i *importing) take(ctx context.Context, row *FileRow, found map[string]company.ID) (m Member, ok bool, err error) {
	id, known := found[row.name()]
	if row.Problem != "" {
		i.leave(row, id)
		i.report.Refused++
		i.problem(row, row.Problem)
		return m, false, nil
	}
	if !known {
		i.leave(row, id)
		i.report.Unknown++
		i.problem(row, "the register has no such company")
		return m, false, nil
	}
	why, err := i.refusal(ctx, id.Country())
	if err != nil {
		return m, false, err
	}
	if why != "" {
		i.leave(row, id)
		i.report.Refused++
		i.problem(row, why)
		return m, false, nil
	}
	m = row.member()
	m.Company = id
	return m, true, nil
}

// leave has a sync leave in whom a row names that could not be taken: id, if the
// register holds it. A file with a mistake in it shall cost nobody a company.
func (i *importing) leave(row *FileRow, id company.ID) {
	if i.hold.Kind != syncKind {
		return
	}
	if row.Nameless {
		if !i.stay.All {
			i.stay.All, i.unread = true, row.Line
		}
		return
	}
	if id == "" {
		var err error
		if id, err = company.ParseID(row.name()); err != nil {
			// The safe number of a company that left the register leads nowhere.
			i.stay.Gone = true
			return
		}
	}
	i.stay.Of = append(i.stay.Of, id)
}

// refusal says why companies of a country may not be watched; empty if they
// may. Each country is asked about once.
func (i *importing) refusal(ctx context.Context, country string) (string, error) {
	if why, asked := i.refusals[country]; asked {
		return why, nil
	}
	err := i.Allow(ctx, i.by, country)
	view, told := fault.Of(err)
	if err != nil && !told {
		return "", err
	}
	i.refusals[country] = view.Text
	return view.Text, nil
}

func (i *importing) problem(row *FileRow, reason string) {
	if len(i.report.Problems) == maxProblems {
		return
	}
	value := row.Value()
	if r := []rune(value); len(r) > 100 {
		value = string(r[:100]) + "…"
	}
	i.report.Problems = append(i.report.Problems, ImportProblem{Line: row.Line, Value: value, Reason: reason})
}
