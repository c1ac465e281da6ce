package monitor

import (
	"strings"
	"time"
	"unicode/utf8"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// A Member is a company in a portfolio, and what its watcher noted on it.
type Member struct {
	Company     company.ID
	Reference   string
	Notes       string
	Limit       string // the watcher's own credit limit, as it was written
	AddedAt     time.Time
	ChangedAt   time.Time
	LastEventAt time.Time // when the newest event about it happened; zero if there is none
}

// Check says what is wrong with a watcher's notes.
func (m *Member) Check() error {
	var wrong []string
	for _, f := range []struct {
		name, text string
		max        int
	}{{"personalReference", m.Reference, 200}, {"freeText", m.Notes, 4000}, {"personalLimit", m.Limit, 50}} {
		switch {
		case utf8.RuneCountInString(f.text) > f.max:
			wrong = append(wrong, f.name+": at most "+itoa(f.max)+" characters")
		case !utf8.ValidString(f.text) || strings.ContainsRune(f.text, 0): // PostgreSQL keeps no NUL
			wrong = append(wrong, f.name+": holds a character that is none")
		}
	}
	if len(wrong) > 0 {
		return fault.Invalid.Details("the company's notes cannot be kept like this", wrong...)
	}
	return nil
}

// MemberQuery says which companies of a portfolio to list.
type MemberQuery struct {
	Search  string // part of the name, the ID, the safe number, the reference or the notes
	Country string
	Told    bool       // only those with events
	After   company.ID // only IDs above; without a Sort alone
	Sort    MemberSort
	Down    bool // the other way round, with a Sort
	Skip    int
	Limit   int
}

// A MemberSort is an order of a portfolio's companies. What is alike in it comes
// in the order of the IDs.
type MemberSort string

const (
	ByCompanyID MemberSort = ""
	ByCompany   MemberSort = "name"
	ByStatus    MemberSort = "status"
	ByBand      MemberSort = "band" // those without one last
	ByReference MemberSort = "reference"
	ByLastEvent MemberSort = "lastEvent"
)

// MemberSorts are all of them that are not the IDs'.
var MemberSorts = []MemberSort{ByCompany, ByStatus, ByBand, ByReference, ByLastEvent}

// Members is a page of a portfolio's companies.
type Members struct {
	List  []Member
	Total int64
}

// Bands counts the companies of a portfolio by band. Those without one are in
// the total alone.
type Bands struct {
	Total int64
	Of    map[string]int64
}
