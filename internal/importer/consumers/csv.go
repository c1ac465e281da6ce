package consumers

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"bureau/internal/company"
	"bureau/internal/identity"
	"bureau/internal/importer"
)

// columns are those of our CSV: one person a line, with one present and one
// former address.
var columns = []struct {
	name string
	set  func(r *identity.Record, text string) error
}{
	{"country", func(r *identity.Record, s string) error { r.Country = s; return nil }},
	{"number", func(r *identity.Record, s string) error { r.Number = s; return nil }},
	{"title", func(r *identity.Record, s string) error { r.Name.Title = s; return nil }},
	{"forename", func(r *identity.Record, s string) error { r.Name.First = s; return nil }},
	{"otherNames", func(r *identity.Record, s string) error { r.Name.Middle = s; return nil }},
	{"surname", func(r *identity.Record, s string) error { r.Name.Surname = s; return nil }},
	{"suffix", func(r *identity.Record, s string) error { r.Name.Suffix = s; return nil }},
	{"formerSurname", func(r *identity.Record, s string) error {
		r.Names = append(r.Names, identity.OtherName{Kind: identity.Former, Name: identity.Name{First: r.Name.First, Surname: s}})
		return nil
	}},
	{"gender", func(r *identity.Record, s string) error { r.Gender = identity.Gender(strings.ToLower(s)); return nil }},
	{"birthDate", func(r *identity.Record, s string) error { r.Birth = company.Date(s); return nil }},
	{"deathDate", func(r *identity.Record, s string) error { r.Death = company.Date(s); return nil }},

	{"careOf", address(0, func(a *identity.Residence) *string { return &a.CareOf })},
	{"subBuilding", address(0, func(a *identity.Residence) *string { return &a.SubBuilding })},
	{"buildingName", address(0, func(a *identity.Residence) *string { return &a.BuildingName })},
	{"buildingNo", address(0, func(a *identity.Residence) *string { return &a.BuildingNo })},
	{"street", address(0, func(a *identity.Residence) *string { return &a.Street })},
	{"district", address(0, func(a *identity.Residence) *string { return &a.District })},
	{"city", address(0, func(a *identity.Residence) *string { return &a.City })},
	{"postCode", address(0, func(a *identity.Residence) *string { return &a.PostCode })},
	{"addressFrom", address(0, func(a *identity.Residence) *string { return (*string)(&a.From) })},
	{"previousBuildingNo", address(1, func(a *identity.Residence) *string { return &a.BuildingNo })},
	{"previousStreet", address(1, func(a *identity.Residence) *string { return &a.Street })},
	{"previousCity", address(1, func(a *identity.Residence) *string { return &a.City })},
	{"previousPostCode", address(1, func(a *identity.Residence) *string { return &a.PostCode })},
	{"previousUntil", address(1, func(a *identity.Residence) *string { return (*string)(&a.Until) })},

	{"onElectoralRoll", func(r *identity.Record, s string) error {
		on, err := flag(s)
		if on && len(r.Addresses) > 0 {
			r.Electoral = []identity.Residence{r.Addresses[0]}
		}
		return err
	}},
	{"phone", func(r *identity.Record, s string) error { r.Phones = append(r.Phones, s); return nil }},
	{"sortCode", account(func(b *identity.BankAccount) *string { return &b.SortCode })},
	{"accountNumber", account(func(b *identity.BankAccount) *string { return &b.Number })},
	{"peopleId", func(r *identity.Record, s string) error { r.Person = company.PersonID(s); return nil }},
	{"municipality", func(r *identity.Record, s string) error { r.Municipality = s; return nil }},
	{"county", func(r *identity.Record, s string) error { r.County = s; return nil }},
	{"protected", func(r *identity.Record, s string) (err error) { r.Protected, err = flag(s); return err }},
	{"gone", func(r *identity.Record, s string) (err error) { r.Gone, err = flag(s); return err }},
}

// address sets a part of the n-th address.
func address(n int, part func(*identity.Residence) *string) func(*identity.Record, string) error {
	return func(r *identity.Record, s string) error {
		for len(r.Addresses) <= n {
			r.Addresses = append(r.Addresses, identity.Residence{})
		}
		*part(&r.Addresses[n]) = s
		return nil
	}
}

// account sets a part of the only bank account.
func account(part func(*identity.BankAccount) *string) func(*identity.Record, string) error {
	return func(r *identity.Record, s string) error {
		if len(r.BankAccounts) == 0 {
			r.BankAccounts = []identity.BankAccount{{}}
		}
		*part(&r.BankAccounts[0]) = s
		return nil
	}
}

func flag(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "0", "n", "no", "false":
		return false, nil
	case "1", "y", "yes", "true":
		return true, nil
	}
	return false, errors.New("it is neither true nor false")
}

// readCSV yields the people of a CSV. Its first line names the columns, in any
// order and case; the last line must have its end, since nothing else tells a
// whole file from one that is cut short.
func readCSV(in *bufio.Reader) iter.Seq2[identity.Record, error] {
	return func(yield func(identity.Record, error) bool) {
		tail := &importer.Tail{From: in}
		r := csv.NewReader(tail)
		r.FieldsPerRecord = -1
		head, err := r.Read()
		if err != nil {
			yield(identity.Record{}, fmt.Errorf("read the first line: %w", err))
			return
		}
		setters, err := header(head)
		if err != nil {
			yield(identity.Record{}, err)
			return
		}
		for {
			values, err := r.Read()
			var broken *csv.ParseError
			switch {
			case err == io.EOF && tail.Last != '\n':
				yield(identity.Record{}, fmt.Errorf("%w: its last line has no end", importer.ErrCutShort))
				return
			case err == io.EOF:
				return
			case errors.As(err, &broken):
				err = &importer.Bad{Line: int64(broken.StartLine), Err: broken.Err}
			case err != nil:
				yield(identity.Record{}, err)
				return
			}
			var rec identity.Record
			if err == nil {
				if rec, err = record(setters, values); err != nil {
					n, _ := r.FieldPos(0) // a line that could not be read has none
					err = &importer.Bad{Line: int64(n), Err: err}
				}
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// header finds our columns in the first line, in our own order: some need others
// before them.
func header(head []string) ([]int, error) {
	at := make([]int, len(columns))
	for i := range at {
		at[i] = -1
	}
	var names []string
	for _, c := range columns {
		names = append(names, c.name)
	}
	for i, text := range head {
		text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
		found := false
		for j, name := range names {
			if !strings.EqualFold(name, text) {
				continue
			}
			if at[j] >= 0 {
				return nil, fmt.Errorf("the first line names the column %s twice", name)
			}
			at[j], found = i, true
		}
		if !found {
			return nil, fmt.Errorf("the first line names no column of ours with %q; the columns are %s", text, strings.Join(names, ", "))
		}
	}
	return at, nil
}

func record(at []int, values []string) (identity.Record, error) {
	var rec identity.Record
	for j, i := range at {
		if i < 0 || i >= len(values) {
			continue
		}
		text := strings.TrimSpace(values[i])
		switch {
		case text == "":
			continue
		case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
			return rec, fmt.Errorf("%s: it holds what is no text", columns[j].name)
		}
		if err := columns[j].set(&rec, text); err != nil {
			return rec, fmt.Errorf("%s: %w", columns[j].name, err)
		}
	}
	return rec, rec.Check()
}
