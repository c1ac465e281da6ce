package identity

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// An Intake takes consumers in.
type Intake struct {
	Store       Store
	Turn        int64 // the number of the import
	Whole       bool  // who is not in the file is gone
	Now         func() time.Time
	Fingerprint func(number string) string
	Result
}

// A Result is what an intake came to.
type Result struct{ New, Changed, Unchanged, Removed int64 }

// Add takes the next consumers.
func (in *Intake) Add(ctx context.Context, list []Record) error {
	last := make(map[ID]Record, len(list)) // of several about one person the last holds
	var ids []ID
	for _, r := range list {
		if _, ok := last[r.ID()]; !ok {
			ids = append(ids, r.ID())
		}
		last[r.ID()] = r
	}
	slices.Sort(ids) // two intakes at once take them in the same order
	for part := range slices.Chunk(ids, 500) {
		if err := in.add(ctx, part, last); err != nil {
			return err
		}
	}
	return nil
}

func (in *Intake) add(ctx context.Context, ids []ID, said map[ID]Record) error {
	var got Result
	at := in.Now().UTC().Truncate(time.Millisecond)
	err := in.Store.EditConsumers(ctx, in.Turn, ids, func(held map[ID]Held) (u Update, err error) {
		got = Result{} // it may be tried again
		for _, id := range ids {
			r := said[id]
			was := held[id]
			known := was.Known()
			switch {
			case r.Gone && known:
				u.remove(id, was)
				got.Removed++
				continue
			case r.Gone:
				continue
			}
			is := Held{Consumer: in.marked(r), Rights: was.Rights}
			changes := Compare(&was.Consumer, &is.Consumer)
			switch {
			case !known:
				got.New++
				changes = []Field{Added}
			case len(changes) > 0:
				got.Changed++
			default:
				got.Unchanged++
			}
			for _, f := range changes {
				u.Changes = append(u.Changes, Change{id, f, at})
			}
			u.Keep = append(u.Keep, Kept{is, is.keys()})
		}
		return u, nil
	})
	in.New, in.Changed = in.New+got.New, in.Changed+got.Changed
	in.Unchanged, in.Removed = in.Unchanged+got.Unchanged, in.Removed+got.Removed
	return err
}

// marked is a consumer with fingerprints in the place of numbers.
func (in *Intake) marked(r Record) Consumer {
	c := r.Consumer
	c.Accounts, c.Documents = nil, nil
	for _, b := range r.BankAccounts {
		c.Accounts = append(c.Accounts, Account{in.Fingerprint(b.Plain())})
	}
	for _, p := range r.Papers {
		c.Documents = append(c.Documents, Document{p.Kind, in.Fingerprint(p.Plain())})
	}
	return normal(c)
}

// Finish removes who is no longer in a whole list.
func (in *Intake) Finish(ctx context.Context) error {
	for in.Whole {
		ids, err := in.Store.OldConsumers(ctx, in.Turn, 1000)
		if err != nil || len(ids) == 0 {
			return err
		}
		err = in.Store.EditConsumers(ctx, in.Turn, ids, func(held map[ID]Held) (u Update, err error) {
			for _, id := range ids {
				u.remove(id, held[id])
			}
			return u, nil
		})
		if err != nil {
			return err
		}
		in.Removed += int64(len(ids))
	}
	return nil
}

// remove forgets a consumer, but not that they objected.
func (u *Update) remove(id ID, was Held) {
	u.Remove = append(u.Remove, id)
	if keys, any := was.left(id); any {
		u.Keys = append(u.Keys, keys)
	}
}

// A Field names what changed about a consumer.
type Field string

const (
	Added         Field = "added"
	FieldName     Field = "name"
	FieldAddress  Field = "address"
	FieldStatus   Field = "status" // born, died, emigrated, protected
	FieldFamily   Field = "family" // civil status and relations
	FieldIncome   Field = "income"
	FieldRemarks  Field = "paymentRemarks"
	FieldContacts Field = "contacts"
	FieldRoll     Field = "electoralRoll"
	FieldPapers   Field = "documents"
)

// Fields are the categories in which changes are told.
func Fields() []Field {
	return []Field{FieldName, FieldAddress, FieldStatus, FieldFamily, FieldIncome, FieldRemarks, FieldContacts, FieldRoll, FieldPapers}
}

// parts are what belongs to each category. Together they are all of a consumer;
// a test sees to that.
func (c *Consumer) parts() map[Field]any {
	return map[Field]any{
		FieldName:     []any{c.Name, c.Names, c.Gender},
		FieldAddress:  []any{c.Addresses, c.Municipality, c.County},
		FieldStatus:   []any{c.Birth, c.Death, c.Emigrated, c.Protected, c.Test},
		FieldFamily:   []any{c.CivilStatus, c.Relations},
		FieldIncome:   []any{c.Incomes, c.Score},
		FieldRemarks:  []any{c.Judgments, c.Insolvencies},
		FieldContacts: []any{c.Phones, c.ExDirectory, c.Person},
		FieldRoll:     c.Electoral,
		FieldPapers:   []any{c.Accounts, c.Documents},
	}
}

// Compare finds the categories in which two consumers are different.
func Compare(was, is *Consumer) (out []Field) {
	a, b := was.parts(), is.parts()
	for _, f := range Fields() {
		if plainJSON(a[f]) != plainJSON(b[f]) {
			out = append(out, f)
		}
	}
	return out
}

// normal is a consumer as it comes back from where it is stored: an empty list
// and none are the same.
func normal(c Consumer) (out Consumer) {
	if err := json.Unmarshal([]byte(plainJSON(c)), &out); err != nil {
		panic(err) // we wrote it ourselves
	}
	return out
}

func plainJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // our own types
	}
	return string(b)
}
