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
	checksAtOnce = 8
	// checkPatience is how long one line of a file waits when the service says
	// that calls come too often.
	checkPatience = 10 * time.Minute
)

// A checked is a line of a file and what came of it.
type checked struct {
	values  []string
	result  string
	reasons string
}

// checkFile answers a CSV line by line, in its order.
func (t *terminal) checkFile(api *client.Client, path string) (err error) {
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
	r.FieldsPerRecord = -1
	head, err := r.Read()
	if err != nil {
		return fmt.Errorf("read the line that names the columns: %w", err)
	}
	if len(questionColumns(head)) == 0 {
		return misuse{fmt.Errorf("%s names none of the columns %s in its first line", path, strings.Join(bankColumns, ", "))}
	}
	fmt.Fprintln(t.out, csvLine(append(head, "result", "reasons")))
	b := &checkBatch{t: t, api: api, head: head, began: time.Now(), counts: map[string]int{}}
	for n := 2; ; n++ {
		values, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return errors.Join(b.flush(), fmt.Errorf("line %d: %w", n, err))
		}
		if len(values) != len(head) {
			return errors.Join(b.flush(), fmt.Errorf("line %d has %d columns, and the first one %d", n, len(values), len(head)))
		}
		b.lines = append(b.lines, checked{values: values})
		if len(b.lines) == 8*checksAtOnce {
			if err := b.flush(); err != nil {
				return err
			}
		}
	}
	if err := b.flush(); err != nil {
		return err
	}
	b.tell(true)
	return nil
}

// A checkBatch is the lines that are being asked about.
type checkBatch struct {
	t      *terminal
	api    *client.Client
	head   []string
	lines  []checked
	began  time.Time
	done   int
	wide   int
	counts map[string]int
}

// flush asks about the lines and writes what came of them.
func (b *checkBatch) flush() error {
	var all errgroup.Group
	all.SetLimit(checksAtOnce)
	for i := range b.lines {
		all.Go(func() error { return b.ask(&b.lines[i]) })
	}
	if err := all.Wait(); err != nil {
		return err
	}
	for _, l := range b.lines {
		fmt.Fprintln(b.t.out, csvLine(append(l.values, l.result, l.reasons)))
		b.counts[l.result]++
		b.done++
	}
	b.lines = b.lines[:0]
	b.tell(false)
	return nil
}

// ask asks about one line. What the service refuses is an answer to the line,
// and does not stop the others.
func (b *checkBatch) ask(l *checked) error {
	f, err := b.api.CheckBankAccount(b.t.ctx, question(b.head, l.values))
	var refused *client.Error
	switch {
	case errors.As(err, &refused) && refused.Is(client.ErrBadRequest):
		l.result, l.reasons = "refused", refused.Details
	case err != nil:
		return err
	default:
		l.result, l.reasons = f.Result, strings.Join(f.Reasons, "; ")
	}
	return nil
}

// tell writes the progress line on standard error.
func (b *checkBatch) tell(end bool) {
	text := fmt.Sprintf("checked %d: %d pass, %d fail, %d cannot be checked, %d refused", b.done,
		b.counts[client.BankPasses], b.counts[client.BankFails], b.counts[client.BankUnknown], b.counts["refused"])
	if secs := time.Since(b.began).Seconds(); secs > 0.5 {
		text += fmt.Sprintf(", %.0f a second", float64(b.done)/secs)
	}
	fmt.Fprintf(b.t.err, "\r%-*s", b.wide, text)
	b.wide = max(b.wide, len(text))
	if end {
		fmt.Fprintln(b.t.err)
	}
}

// bankColumns are the columns that a question is made of.
var bankColumns = []string{
	"iban", "bic", "sortCode", "accountNumber", "country", "bban", "routingCode", "name", "accountType", "secondaryReference",
}

func questionColumns(head []string) (out []string) {
	for _, have := range head {
		for _, c := range bankColumns {
			if strings.EqualFold(strings.TrimSpace(strings.TrimPrefix(have, "\ufeff")), c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// question puts the columns of a line together.
func question(head, values []string) (q client.BankQuestion) {
	into := map[string]*string{
		"iban": &q.IBAN, "bic": &q.BIC, "sortcode": &q.SortCode, "accountnumber": &q.AccountNumber, "country": &q.Country,
		"bban": &q.BBAN, "routingcode": &q.RoutingCode, "name": &q.Name, "accounttype": &q.AccountType, "secondaryreference": &q.SecondaryReference,
	}
	for i, name := range head {
		name = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")))
		if p := into[name]; p != nil {
			*p = strings.TrimSpace(values[i])
		}
	}
	return q
}

func csvLine(values []string) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = csvField(v)
	}
	return strings.Join(out, ",")
}
