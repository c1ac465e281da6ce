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

// A screenBatch is the lines of a file that are being screened.
type screenBatch struct {
	t     *terminal
	api   *client.Client
	kind  client.SubjectKind
	asked client.ScreeningQuestion // what holds for every line
	head  []string
	lines [][]string
	began time.Time

	done, hit, refused, wide int
}

// screenFile screens a CSV line by line, in its order.
func (t *terminal) screenFile(api *client.Client, kind client.SubjectKind, q client.ScreeningQuestion, path string) error {
	in := t.in
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	api.MaxWait = checkPatience
	r := csv.NewReader(in)
	head, err := r.Read()
	if err != nil {
		return fmt.Errorf("read the line that names the columns: %w", err)
	}
	b := &screenBatch{t: t, api: api, kind: kind, asked: q, head: head, began: time.Now()}
	if b.column("name") < 0 && b.column("lastName") < 0 {
		return misuse{fmt.Errorf("%s names neither the column name nor lastName in its first line", path)}
	}
	fmt.Fprintln(t.out, csvLine(append(head, "hits", "best", "searchId", "warnings")))
	for {
		values, err := r.Read() // as many columns as the first line
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return errors.Join(b.flush(), err)
		}
		if b.lines = append(b.lines, values); len(b.lines) == 8*checksAtOnce {
			if err := b.flush(); err != nil {
				return err
			}
		}
	}
	if err := b.flush(); err != nil {
		return err
	}
	b.tell()
	fmt.Fprintln(t.err)
	return nil
}

// column is where a column is; -1 if it is not there.
func (b *screenBatch) column(name string) int {
	for i, have := range b.head {
		if strings.EqualFold(strings.TrimSpace(strings.TrimPrefix(have, "\ufeff")), name) {
			return i
		}
	}
	return -1
}

func (b *screenBatch) question(values []string) client.ScreeningQuestion {
	q := b.asked
	get := func(name string) string {
		if i := b.column(name); i >= 0 {
			return strings.TrimSpace(values[i])
		}
		return ""
	}
	q.Name = get("name")
	if b.kind == client.Individuals {
		q.FirstName, q.MiddleName, q.LastName = get("firstName"), get("middleName"), get("lastName")
		q.DateOfBirth, q.Gender = get("dateOfBirth"), get("gender")
	}
	if c := get("country"); c != "" {
		q.CountryCodes = []string{c}
	}
	return q
}

// flush screens the lines and writes what came of them.
func (b *screenBatch) flush() error {
	var all errgroup.Group
	all.SetLimit(checksAtOnce)
	out := make([][]string, len(b.lines))
	for i, values := range b.lines {
		all.Go(func() (err error) {
			out[i], err = b.ask(values)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return err
	}
	for i, values := range b.lines {
		fmt.Fprintln(b.t.out, csvLine(append(values, out[i]...)))
		b.done++
		switch out[i][0] {
		case "0":
		case "refused":
			b.refused++
		default:
			b.hit++
		}
	}
	b.lines = b.lines[:0]
	b.tell()
	return nil
}

// ask screens one line. What the service refuses is an answer to the line, and
// does not stop the others.
func (b *screenBatch) ask(values []string) ([]string, error) {
	search, err := b.api.Screen(b.t.ctx, b.kind, b.question(values), client.NewKey())
	var refused *client.Error
	switch {
	case errors.As(err, &refused) && refused.Is(client.ErrBadRequest):
		return []string{"refused", "", "", refused.Details}, nil
	case err != nil:
		return nil, err
	}
	best := ""
	if search.TotalHitCount > 0 {
		for h, err := range b.api.ScreeningHits(b.t.ctx, b.kind, search.ID) {
			if err != nil {
				return nil, err
			}
			best = fmt.Sprintf("%s (%d)", h.Name, h.HitScore)
			break
		}
	}
	return []string{fmt.Sprint(search.TotalHitCount), best, search.ID, strings.Join(search.Coverage.Warnings, "; ")}, nil
}

// tell writes the progress line on standard error.
func (b *screenBatch) tell() {
	text := fmt.Sprintf("screened %d: %d with hits, %d refused", b.done, b.hit, b.refused)
	if secs := time.Since(b.began).Seconds(); secs > 0.5 {
		text += fmt.Sprintf(", %.0f a second", float64(b.done)/secs)
	}
	fmt.Fprintf(b.t.err, "\r%-*s", b.wide, text)
	b.wide = max(b.wide, len(text))
}
