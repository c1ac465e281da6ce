package company

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Overdue notices that a company did not file its accounts in time. No source
// says so: the day passes, and nothing comes.
//
// A source may be a month old. What counts is what the register holds when the
// day has passed; a company that filed in time and whose source has not told us
// yet is overdue as far as anybody here can know.
type Overdue struct {
	Store Store

	done Date // the last day that was seen to the end, on this node
}

// overdueNote is what was handled: all deadlines up to the one it names, or all
// before its day.
const overdueNote = "accounts overdue"

// overdueBatch is how many companies are looked at while the register is held.
const overdueBatch = 500

// Step writes a change for each company whose day has passed since the last
// time, on whichever node that was, and which is active and still due. The
// first time it begins with today: what was overdue before is no news. It
// returns how many changes it wrote.
//
// What was handled is kept with the changes, and read under the register's
// lock: a crash repeats nothing, and of two nodes one does it.
func (o *Overdue) Step(ctx context.Context, now time.Time) (n int, err error) {
	today := Date(now.UTC().Format(time.DateOnly))
	for o.done < today {
		var u Update
		var done bool
		err := o.Store.Write(ctx, func(v View) (_ Update, err error) {
			u, done, err = overdue(ctx, v, today)
			for i := range u.Changes {
				u.Changes[i].At = now.UTC().Truncate(time.Millisecond)
			}
			return u, err
		})
		if err != nil {
			return n, fmt.Errorf("look for accounts that are overdue: %w", err)
		}
		n += len(u.Changes)
		if done {
			o.done = today
		}
	}
	return n, nil
}

// overdue is the next piece of the work; done says that none is left today.
func overdue(ctx context.Context, v View, today Date) (u Update, done bool, err error) {
	undated, err := v.Undated(ctx, overdueBatch)
	if err != nil {
		return u, false, err
	}
	if len(undated) > 0 {
		u.Companies, err = resaved(ctx, v, undated)
		return u, false, err
	}
	note, err := v.Note(ctx, overdueNote)
	if err != nil {
		return u, false, err
	}
	day, id, _ := strings.Cut(note, " ")
	after := Deadline{Date(day), ID(id)}
	switch {
	case note == "":
		u.Notes = map[string]string{overdueNote: string(today)}
		return u, true, nil
	case after.Day >= today:
		return u, true, nil
	}
	list, err := v.Deadlines(ctx, after, today, overdueBatch)
	if err != nil {
		return u, false, err
	}
	if u.Changes, err = passed(ctx, v, list); err != nil {
		return u, false, err
	}
	note = string(today)
	if done = len(list) < overdueBatch; !done {
		last := list[len(list)-1]
		note = string(last.Day) + " " + string(last.Company)
	}
	u.Notes = map[string]string{overdueNote: note}
	return u, done, nil
}

// passed are the changes of deadlines that have passed.
func passed(ctx context.Context, v View, list []Deadline) ([]Change, error) {
	ids := make([]ID, 0, len(list))
	for _, d := range list {
		ids = append(ids, d.Company)
	}
	held, err := v.Held(ctx, ids)
	if err != nil {
		return nil, err
	}
	var out []Change
	for _, d := range list {
		c := Merge(held[d.Company])
		if c.Status == Active && c.Due.AccountsNext == d.Day {
			out = append(out, Change{
				Company: d.Company, Field: AccountsOverdue, Item: string(d.Day), New: d.Day.words(), Source: c.From["due"],
			})
		}
	}
	return out, nil
}

// resaved are companies as they are held, with all the columns by which they
// are found.
func resaved(ctx context.Context, v View, ids []ID) ([]Saved, error) {
	held, err := v.Held(ctx, ids)
	out := make([]Saved, 0, len(held))
	for _, h := range held {
		facts := merge(h, nil)
		out = append(out, facts.saved(h))
	}
	return out, err
}

// isDay reports whether a date is a day, not a month or a year.
func (d Date) isDay() bool {
	_, err := time.Parse(time.DateOnly, string(d))
	return err == nil
}

// words is a day as people write it.
func (d Date) words() string {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return string(d)
	}
	return t.Format("2 January 2006")
}
