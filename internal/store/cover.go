package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bureau/internal/company"
	"bureau/internal/monitor"
)

// CoverEvents implements monitor.Coverer. Everything that reads events to show
// or send them ends here.
func (db *DB) CoverEvents(ctx context.Context, events []*monitor.Event) error {
	if db.Cover == nil {
		return nil
	}
	var about []*monitor.Event
	var numbers []int64
	for _, e := range events {
		if e.Field.NamesPeople() {
			about = append(about, e)
			numbers = append(numbers, e.Change)
		}
	}
	if len(about) == 0 {
		return nil
	}
	slices.Sort(numbers)
	items := map[int64]string{}
	err := pick(ctx, db, db, func(r row) error {
		var number int64
		var item string
		err := r.Scan(&number, &item)
		items[number] = item
		return err
	}, `SELECT number, item FROM change WHERE number = $1`, `SELECT number, item FROM change WHERE number = ANY($1)`, slices.Compact(numbers))
	if err != nil {
		return fmt.Errorf("read whom events are about: %w", err)
	}
	told := make([]company.Told, len(about))
	for i, e := range about {
		told[i] = company.Told{Company: e.Company, Field: e.Field, Item: items[e.Change], Words: []*string{&e.Old, &e.New, &e.Why}}
	}
	return db.Cover(ctx, told)
}

// finish is the end of reading events: it adds what is known of their companies,
// which lie elsewhere, and hides who may not be shown.
func (db *DB) finish(ctx context.Context, events []*monitor.Event) error {
	var of []string
	for _, e := range events {
		if !e.IsAlert() { // else its Company is a search
			of = append(of, string(e.Company))
		}
	}
	slices.Sort(of)
	safe := map[company.ID]string{}
	const numbers = `SELECT company, MIN(value) FROM company_ident WHERE kind = 'safe' AND company = `
	err := pick(ctx, db, db.public(), func(r row) error {
		var id company.ID
		var number string
		err := r.Scan(&id, &number)
		safe[id] = number
		return err
	}, numbers+`$1 GROUP BY company`, numbers+`ANY($1) GROUP BY company`, slices.Compact(of))
	if err != nil {
		return fmt.Errorf("read the safe numbers of companies: %w", err)
	}
	for _, e := range events {
		e.SafeNo = safe[e.Company]
	}
	return db.CoverEvents(ctx, events)
}

// safeNumbered are the companies with a safe number.
func (db *DB) safeNumbered(ctx context.Context, number string) (out []company.ID, err error) {
	if number = strings.TrimSpace(number); number == "" {
		return nil, nil
	}
	err = each(ctx, db.public(), func(r row) error {
		var id company.ID
		err := r.Scan(&id)
		out = append(out, id)
		return err
	}, `SELECT company FROM company_ident WHERE kind = 'safe' AND value IN ($1, $2)`, number, strings.ToUpper(number))
	return out, err
}

// finishAll is finish for a list.
func (db *DB) finishAll(ctx context.Context, list []monitor.Event) error {
	events := make([]*monitor.Event, len(list))
	for i := range list {
		events[i] = &list[i]
	}
	return db.finish(ctx, events)
}
