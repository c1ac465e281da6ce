package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"bureau/client"
)

const (
	// linesAtOnce is how many lines of a file are asked about at the same time.
	linesAtOnce = 8
	// linePatience is how long one line waits when the service says that calls
	// come too often.
	linePatience = 10 * time.Minute
)

// A lineWork asks the service about a CSV line by line, and writes it out in its
// order with what came of each line behind it.
type lineWork struct {
	api   *client.Client
	adds  []string                          // the columns of an answer
	needs func(has func(string) bool) error // whether the columns are enough to ask with

	// ask asks about one line, of which get is a column; empty if it is not there.
	ask func(get func(column string) string) (answer []string, err error)
	// tally says in words what came of so many lines, by the first column of
	// their answers.
	tally func(done int, by map[string]int) string

	t     *terminal
	head  []string // as they are compared
	lines [][]string
	began time.Time
	done  int
	by    map[string]int
	wide  int
}

// refusedLine is the answer to a line that the service refuses, in its first
// column; the reason stands in the last.
const refusedLine = "refused"

func (w *lineWork) run(t *terminal, path string) error {
	in := t.in
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	w.t, w.began, w.by = t, time.Now(), map[string]int{}
	w.api.MaxWait = linePatience
	r := csv.NewReader(in)
	r.FieldsPerRecord = -1
	head, err := r.Read()
	if err != nil {
		return fmt.Errorf("read the line that names the columns: %w", err)
	}
	for _, name := range head {
		w.head = append(w.head, strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))))
	}
	if err := w.needs(func(name string) bool { return w.column(name) >= 0 }); err != nil {
		return misuse{fmt.Errorf("%s: %w", path, err)}
	}
	fmt.Fprintln(t.out, csvLine(append(head, w.adds...)))
	for n := 2; ; n++ {
		values, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && len(values) != len(head) {
			err = fmt.Errorf("it has %d columns, and the first one %d", len(values), len(head))
		}
		if err != nil {
			return errors.Join(w.flush(), fmt.Errorf("line %d: %w", n, err))
		}
		if w.lines = append(w.lines, values); len(w.lines) < 8*linesAtOnce {
			continue
		}
		if err := w.flush(); err != nil {
			return err
		}
	}
	err = w.flush()
	fmt.Fprintln(t.err)
	if n := w.by[refusedLine]; err == nil && n > 0 {
		return fmt.Errorf("%d of %d lines were refused: their last column says why", n, w.done)
	}
	return err
}

func (w *lineWork) column(name string) int {
	for i, have := range w.head {
		if strings.EqualFold(have, name) {
			return i
		}
	}
	return -1
}

// flush asks about the lines that were read, and writes what came of them.
func (w *lineWork) flush() error {
	var all errgroup.Group
	all.SetLimit(linesAtOnce)
	answers := make([][]string, len(w.lines))
	for i, values := range w.lines {
		all.Go(func() (err error) {
			answers[i], err = w.answer(values)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return err
	}
	for i, values := range w.lines {
		fmt.Fprintln(w.t.out, csvLine(append(values, answers[i]...)))
		w.by[answers[i][0]]++
		w.done++
	}
	w.lines = w.lines[:0]
	w.tell()
	return nil
}

// answer asks about one line. What the service refuses is an answer to the line,
// and does not stop the others.
func (w *lineWork) answer(values []string) ([]string, error) {
	got, err := w.ask(func(name string) string {
		if i := w.column(name); i >= 0 {
			return strings.TrimSpace(values[i])
		}
		return ""
	})
	var refused *client.Error
	if errors.As(err, &refused) && refused.Is(client.ErrBadRequest) {
		got, err = make([]string, len(w.adds)), nil
		got[0], got[len(got)-1] = refusedLine, refused.Details
	}
	return got, err
}

// tell writes the progress line on standard error.
func (w *lineWork) tell() {
	text := w.tally(w.done, w.by)
	if secs := time.Since(w.began).Seconds(); secs > 0.5 {
		text += fmt.Sprintf(", %.0f a second", float64(w.done)/secs)
	}
	fmt.Fprintf(w.t.err, "\r%-*s", w.wide, text)
	w.wide = max(w.wide, len(text))
}
