package kyc

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/match"
)

// Searches are what customers asked, were told and decided.
type Searches struct {
	Screener  *Screener
	Store     SearchStore
	Directory *auth.Directory
	Now       func() time.Time
	Block     int // how many of the watched are read at once; 0: 10,000

	// Fingerprint makes a keyed hash of a name, by which a subject is
	// recognised. Named makes the name under which the audit log has a subject.
	Fingerprint func(string) string
	Named       func(string) string
}

// What callers are told of what is not there, or not theirs.
const (
	NoSearch = "Search not found"
	NoHit    = "Hit not found"
)

// answer screens a subject, and keeps nothing.
func (s *Searches) answer(ctx context.Context, by auth.Caller, known Background, id SearchID, r Request) (Search, []SavedHit, error) {
	now := s.now()
	who, o, err := r.read(known.Settings, now)
	if err != nil {
		return Search{}, nil, err
	}
	search := Search{
		ID: id, Subject: who, Options: o, Status: Statuses[0], Risk: Risks[0],
		CreatedAt: now, CreatedBy: by.Account, ModifiedAt: now, ModifiedBy: by.Account,
		Sought: s.Fingerprint(who.sought()), Secret: newSecret(),
	}
	hits, cover, err := s.Screener.Screen(ctx, who, o)
	if err != nil {
		return Search{}, nil, err
	}
	search.Looked = Looked{Engine: match.Version(), Coverage: cover}
	kept, err := s.judgeBy(known.rulings(), search, who, hits)
	search.Tally = tally(kept)
	return search, kept, err
}

// judge makes hits to be kept, each with what was decided of its entry before.
// who was looked for: the subject of the search, or another who is tied to it.
func (s *Searches) judge(ctx context.Context, by auth.Caller, search Search, who Subject, hits []Hit) ([]SavedHit, error) {
	if len(hits) == 0 {
		return nil, nil
	}
	ids := make([]EntryID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	earlier, err := s.Store.KYCRulings(ctx, by, search.Sought, ids)
	if err != nil {
		return nil, err
	}
	return s.judgeBy(earlier, search, who, hits)
}

// judgeBy is judge for who knows what was decided before.
func (s *Searches) judgeBy(earlier map[EntryID][]Ruling, search Search, who Subject, hits []Hit) ([]SavedHit, error) {
	if len(hits) == 0 {
		return nil, nil
	}
	q, err := who.asked()
	if err != nil {
		return nil, err
	}
	now := s.now()
	out := make([]SavedHit, 0, len(hits))
	for i := range hits {
		h := &hits[i]
		kept := SavedHit{
			ID: HitID(newID()), Search: search.ID, Entry: h.ID, Since: h.Since, Score: h.Score, CreatedAt: now,
			Verdict: Verdict{Verdict: h.Verdict, Match: h.Entry.nearest(q)}, Decision: Undecided, Current: true,
		}
		if r, changes, known := remember(earlier[h.ID], newBasis(who, &h.Entry)); known {
			kept.Supersedes, kept.Verdict.Changes = r.Hit, changes
			if r.Decision.quiet() && len(changes) == 0 {
				kept.Decision, kept.Note, kept.DecidedAt, kept.DecidedBy = r.Decision, r.Note, r.At, r.By
			}
		}
		out = append(out, kept)
	}
	return out, nil
}

func tally(hits []SavedHit) (t Tally) {
	for i := range hits {
		t.Add(hits[i].Decision, 1)
	}
	return t
}

// Add counts hits of a decision.
func (t *Tally) Add(d Decision, n int64) {
	t.Total += n
	switch d {
	case TrueMatch:
		t.True += n
	case FalsePositive:
		t.False += n
	case Undecided:
		t.Undecided += n
	}
}

// Search returns a search of the caller's customer, of a person or a business.
func (s *Searches) Search(ctx context.Context, by auth.Caller, person bool, id SearchID) (Search, error) {
	if !isID(string(id)) {
		return Search{}, fault.Missing.Errorf(NoSearch)
	}
	got, err := s.Store.KYCSearch(ctx, by, SearchID(strings.ToLower(string(id))))
	if err == nil && got.Subject.Person != person {
		return Search{}, fault.Missing.Errorf(NoSearch)
	}
	return got, err
}

// List lists searches of the caller's customer, the newest first.
func (s *Searches) List(ctx context.Context, by auth.Caller, q SearchQuery) (Page[Search], error) {
	return s.Store.KYCSearches(ctx, by, q)
}

// An Edit is what is to be changed of a search. What is nil stays.
type Edit struct {
	Status     *string
	Risk       *string
	AssignedTo *auth.AccountID
	Note       *string
}

// maxNote is how long a note may be.
const maxNote = 4000

// Update changes what the customer thinks of a search.
func (s *Searches) Update(ctx context.Context, by auth.Caller, person bool, id SearchID, e Edit) (Search, error) {
	if _, err := s.Search(ctx, by, person, id); err != nil {
		return Search{}, err
	}
	return s.Store.UpdateKYCSearch(ctx, by, SearchID(strings.ToLower(string(id))), func(search *Search) error {
		var bad wrong
		if e.Status != nil {
			var ok bool
			if search.Status, ok = choose(Statuses, *e.Status); !ok {
				bad.say("status", "%q is none of %s", *e.Status, join(Statuses))
			}
		}
		if e.Risk != nil {
			var ok bool
			if search.Risk, ok = choose(Risks, *e.Risk); !ok {
				bad.say("riskRating", "%q is none of %s", *e.Risk, join(Risks))
			}
		}
		if e.AssignedTo != nil {
			if search.AssignedTo = *e.AssignedTo; *e.AssignedTo != 0 && !s.colleague(by, *e.AssignedTo) {
				bad.say("assignedToUserId", "your company has no account %d", *e.AssignedTo)
			}
		}
		if e.Note != nil {
			search.Note = *e.Note
			checkNote(*e.Note, &bad)
		}
		search.ModifiedAt, search.ModifiedBy = s.now(), by.Account
		return bad.err()
	})
}

func checkNote(text string, bad *wrong) {
	if len([]rune(text)) > maxNote {
		bad.say("note", "it is longer than %d characters", maxNote)
	}
}

// colleague reports whether an account belongs to the caller's customer.
func (s *Searches) colleague(by auth.Caller, id auth.AccountID) bool {
	for _, a := range s.Directory.Accounts(by.Customer) {
		if a.ID == id && !a.Disabled {
			return true
		}
	}
	return false
}

// Mark is the name of a search's subject in the audit log. It cannot be made
// without the secret that is kept with the subject.
func (s *Searches) Mark(search Search) string {
	return s.Named(hex.EncodeToString(search.Secret) + " " + search.Sought)
}

// Settings are those of a customer.
func (s *Searches) Settings(ctx context.Context, of auth.CustomerID) (Settings, error) {
	return s.Store.KYCSettings(ctx, of)
}

func (s *Searches) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }

func newSecret() []byte {
	b := make([]byte, 16)
	rand.Read(b)
	return b
}

// newID is a random UUID.
func newID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// isID says whether a text can be an ID of ours. What cannot is not asked of a
// database.
func isID(text string) bool {
	return len(text) == 36 && strings.Count(text, "-") == 4 && strings.Trim(text, "0123456789abcdefABCDEF-") == ""
}
