package kyc

import (
	"strings"
	"time"

	"bureau/internal/auth"
)

// A SearchID is a search's number: a random UUID.
type SearchID string

// A Search is a question of a customer that was answered and kept, with all
// that it takes to ask it again.
type Search struct {
	ID         SearchID
	Subject    Subject
	Options    Options
	Looked     Looked
	Status     Status
	Risk       Risk
	AssignedTo auth.AccountID // 0: nobody
	Note       string
	Schedule   ScheduleID // empty if it is on none
	CreatedAt  time.Time
	CreatedBy  auth.AccountID
	ModifiedAt time.Time
	ModifiedBy auth.AccountID

	Sought string // the subject's name as a keyed hash
	Secret []byte // a part of how the audit log names the subject
	Tally  Tally  // of its hits, as they stand when it is read
}

// Looked is what a search was answered from.
type Looked struct {
	Engine string // match.Version
	Coverage
}

// A Tally counts hits by what was decided.
type Tally struct{ Total, True, False, Undecided int64 }

// A Status is how far a customer is with a search.
type Status string

// Statuses are all of them. A search begins as the first.
var Statuses = []Status{"new", "approved", "declined", "pending", "cancelled", "referred", "closed"}

// A Risk is what a customer thinks of a subject.
type Risk string

// Risks are all of them. A search begins as the first.
var Risks = []Risk{"notApplicable", "veryLow", "low", "medium", "high", "veryHigh"}

// A ScheduleID is a schedule's number: a random UUID.
type ScheduleID string

// sought is what a subject is remembered by: the kind and the name. What else is
// known of it may change.
func (s Subject) sought() string {
	kind := "business"
	if s.Person {
		kind = "person"
	}
	return kind + "\n" + strings.ToLower(s.FullName())
}

// A SearchQuery says which searches to list: the newest first.
type SearchQuery struct {
	Person    bool
	Scheduled *bool // nil: both
	After     *SearchPlace
	Skip      int
	Limit     int
}

// A SearchPlace is a place in a list of searches: the last one seen.
type SearchPlace struct {
	At time.Time
	ID SearchID
}

// A Page is a part of a list. More says that something comes behind it.
type Page[T any] struct {
	List  []T
	Total int64
	More  bool
}

// choose finds a text among a few, in any case.
func choose[T ~string](all []T, text string) (T, bool) {
	for _, one := range all {
		if strings.EqualFold(string(one), strings.TrimSpace(text)) {
			return one, true
		}
	}
	return "", false
}
