package store

import (
	"context"
	"fmt"
	"slices"

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

// coverAll hides in a list of events who may not be shown.
func (db *DB) coverAll(ctx context.Context, list []monitor.Event) error {
	events := make([]*monitor.Event, len(list))
	for i := range list {
		events[i] = &list[i]
	}
	return db.CoverEvents(ctx, events)
}
