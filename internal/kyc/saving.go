package kyc

import (
	"context"

	"bureau/internal/auth"
)

// A Saving is a search that was answered and is to be kept, in one turn with what
// the audit log says of it.
type Saving struct {
	By     auth.Caller
	Search Search
	Hits   []SavedHit

	Settings Settings // those under which it was answered

	// The batch that it was asked for in, if any, and the number of its row there,
	// which is completed with it. With a row that does not wait it is refused with a
	// fault.Conflict. It is linked to the batch's profile, if that is still there.
	Batch *Batch
	Row   int64

	mark func(Search) string
}

// Entry is what the audit log says of it. The store has filled in the secret of the
// subject by then.
func (s *Saving) Entry() auth.Entry {
	d := Deed{Category: OfSearch, Action: Created, Search: string(s.Search.ID)}
	if s.Batch != nil {
		d.Batch, d.Profile = string(s.Batch.ID), s.Batch.Profile
	}
	return auth.Entry{
		Action: auth.Screened, Customer: s.By.Customer, Account: s.By.Account, Person: s.mark(s.Search), Detail: d.Detail(),
	}
}

// A Background is what a customer's answers depend on, besides the lists.
type Background struct {
	Settings
	Rulings []Ruling // for the subject, the oldest first
}

// rulings are those by entry.
func (b *Background) rulings() map[EntryID][]Ruling {
	out := map[EntryID][]Ruling{}
	for _, r := range b.Rulings {
		out[r.Entry] = append(out[r.Entry], r)
	}
	return out
}

// Screen screens a subject for a customer, and keeps nothing. A request that makes no
// sense is a fault.Invalid that names each field, and leaves no trace.
func (s *Searches) Screen(ctx context.Context, by auth.Caller, r Request) (*Saving, error) {
	return s.screen(ctx, by, SearchID(newID()), r)
}

func (s *Searches) screen(ctx context.Context, by auth.Caller, id SearchID, r Request) (*Saving, error) {
	known, err := s.Store.KYCBackground(ctx, by, s.Fingerprint(r.subject().sought()))
	if err != nil {
		return nil, err
	}
	search, hits, err := s.answer(ctx, by, known, id, r)
	if err != nil {
		return nil, err
	}
	return &Saving{By: by, Search: search, Hits: hits, Settings: known.Settings, mark: s.Mark}, nil
}
