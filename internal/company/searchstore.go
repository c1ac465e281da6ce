package company

import (
	"context"
	"time"
)

// SearchStore is what searching asks of a database. Package storetest holds
// every promise made here to account.
type SearchStore interface {
	Store

	// CompanyIDs calls visit with the ID of every company, in order.
	CompanyIDs(ctx context.Context, visit func(ID)) error

	// KeyHolders returns the companies that a query finds, in order.
	KeyHolders(ctx context.Context, q KeyQuery) ([]ID, error)

	// Lands are the countries of all companies, in order.
	Lands(ctx context.Context) ([]string, error)

	// KeysBehind is how many changes the keys know nothing of yet.
	KeysBehind(ctx context.Context) (int64, error)

	// Numbered returns the companies that a query finds, in order, each with
	// when it changed last. It asks the database once.
	Numbered(ctx context.Context, q NumberQuery) ([]Numbered, error)

	// LatestChanges returns when companies changed last, as far as the log
	// goes back. Unknown ones are left out.
	LatestChanges(ctx context.Context, ids []ID) (map[ID]time.Time, error)
}

// A KeyQuery asks who has a key.
type KeyQuery struct {
	Key
	Prefix    bool     // the key begins with the value
	Countries []string // of the companies' IDs; none is all
	After     ID       // only companies behind this one
	Limit     int
}

// A NumberQuery asks for companies by their IDs, and who goes by numbers.
type NumberQuery struct {
	IDs    []ID
	Kind   IdentKind // of Values
	Values []string
	Limit  int
}

// Numbered is a company and when it changed last, as far as the log goes back.
type Numbered struct {
	Held
	Changed time.Time
}

// KeyReader is the name under which the reader that keeps keys has its place.
const KeyReader = "search keys"

// KeysOf reads the companies that changes are about and returns their keys as
// they are now. Those that are gone have none.
func (r *Register) KeysOf(ctx context.Context, changes []Change) ([]Keyed, error) {
	var out []Keyed
	ids := touched(changes, keyFields)
	for len(ids) > 0 {
		n := min(len(ids), 200)
		found, err := r.Companies(ctx, ids[:n])
		if err != nil {
			return nil, err
		}
		for _, id := range ids[:n] {
			c := found[id]
			out = append(out, Keyed{id, c.Keys()})
		}
		ids = ids[n:]
	}
	return out, nil
}

// keyFields and nameFields are what changes keys and names.
var (
	keyFields = map[Field]bool{
		Added: true, Removed: true, FieldHidden: true, FieldWithheld: true, FieldAddress: true, Phone: true, Website: true, Group: true,
		OfficerIn: true, OfficerOut: true, OfficerChanged: true, OfficerPast: true,
	}
	nameFields = map[Field]bool{
		Added: true, Removed: true, FieldName: true, OtherName: true, FieldHidden: true, FieldWithheld: true,
		OfficerIn: true, OfficerOut: true, OfficerChanged: true, OfficerPast: true,
	}
)

// touched are the companies of changes to certain fields, each once, in the
// order of the log.
func touched(changes []Change, fields map[Field]bool) []ID {
	var out []ID
	seen := map[ID]bool{}
	for i := range changes {
		if c := &changes[i]; fields[c.Field] && !seen[c.Company] {
			seen[c.Company] = true
			out = append(out, c.Company)
		}
	}
	return out
}
