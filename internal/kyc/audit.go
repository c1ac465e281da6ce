package kyc

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"bureau/internal/auth"
)

// A Trail is the part of the audit log that tells what was done with profiles
// and searches. It is the one chained log of package auth: whatever is read here
// is what "bureau audit verify" holds to account.
type Trail struct {
	Store   TrailStore
	Journal *auth.Journal
}

// TrailStore is what a trail asks of a database.
type TrailStore interface {
	// Deeds lists a customer's entries of the actions that are deeds, which a query
	// finds, the newest first, and says how many there are in all, before a
	// number or not.
	Deeds(ctx context.Context, by auth.Caller, q DeedQuery) (list []auth.Entry, total int64, err error)
}

// A Deed is one thing that somebody did. It names profiles, searches and notes
// by their numbers, and nobody by a name: what the numbers stand for goes when a
// profile or search is purged, and the log stays as it is.
type Deed struct {
	Category    DeedCategory    `json:"category"`
	Subcategory DeedSubcategory `json:"subcategory,omitempty"`
	Action      DeedAction      `json:"action"`
	Profile     ProfileID       `json:"profileId,omitempty"`
	Search      string          `json:"searchId,omitempty"`
	Hit         string          `json:"hitId,omitempty"`
	Note        NoteID          `json:"noteId,omitempty"`
	Address     PremisesID      `json:"addressId,omitempty"`
	Schedule    string          `json:"scheduleId,omitempty"`
	Report      string          `json:"reportId,omitempty"`
	Batch       string          `json:"batchUploadId,omitempty"`
	Field       string          `json:"field,omitempty"` // what was changed, if one thing was
	From        string          `json:"from,omitempty"`  // a word of ours, never free text
	To          string          `json:"to,omitempty"`

	// Of an entry that was read:
	ID     string         `json:"-"` // a UUID made of the entry's sum
	Number int64          `json:"-"` // in the log
	By     auth.AccountID `json:"-"`
	At     time.Time      `json:"-"`
	// Person is whom it concerns, as the log names them. It is written, and not
	// shown.
	Person string `json:"-"`
}

// A DeedCategory is what something was done with.
type DeedCategory string

// A DeedSubcategory is which part of it.
type DeedSubcategory string

// A DeedAction is what was done.
type DeedAction string

// The words of deeds, as the wire has them.
const (
	OfProfile DeedCategory = "profile"
	OfSearch  DeedCategory = "amlSearch"

	OfDetails    DeedSubcategory = "profileDetails"
	OfMonitoring DeedSubcategory = "amlMonitoring"

	Created        DeedAction = "created"
	Updated        DeedAction = "updated"
	Deleted        DeedAction = "deleted"
	SearchLinked   DeedAction = "searchLinked"
	SearchRemoved  DeedAction = "searchRemoved"
	NoteCreated    DeedAction = "noteCreated"
	NoteUpdated    DeedAction = "noteUpdated"
	NoteDeleted    DeedAction = "noteDeleted"
	NoteArchived   DeedAction = "noteArchived"
	NoteUnarchived DeedAction = "noteUnarchived"
	AddressCreated DeedAction = "addressCreated"
	AddressUpdated DeedAction = "addressUpdated"
	AddressDeleted DeedAction = "addressDeleted"
	StatusUpdated  DeedAction = "kycStatusUpdated"
	MonitorAdded   DeedAction = "addedToAmlMonitoring"
	MonitorUpdated DeedAction = "updatedInAmlMonitoring"
	MonitorRemoved DeedAction = "removedFromAmlMonitoring"
)

// All words of deeds, for who asks for some of them.
var (
	DeedCategories    = []DeedCategory{OfProfile, OfSearch}
	DeedSubcategories = []DeedSubcategory{OfDetails, "keyParty", OfMonitoring}
	DeedActions       = []DeedAction{
		Created, Updated, Deleted, SearchRemoved, SearchLinked, "attachmentCreated", "attachmentUpdated", "attachmentDeleted",
		NoteCreated, NoteUpdated, NoteDeleted, NoteArchived, NoteUnarchived, AddressCreated, AddressUpdated, AddressDeleted,
		StatusUpdated, MonitorAdded, MonitorUpdated, MonitorRemoved,
	}
)

// A DeedQuery says which deeds to list. What is empty does not matter.
type DeedQuery struct {
	Profiles      []ProfileID
	Searches      []string
	Categories    []DeedCategory
	Subcategories []DeedSubcategory
	Actions       []DeedAction
	To            []string // what it was changed to
	Accounts      []auth.AccountID
	From, Until   time.Time // from then on, and before then
	Before        int64     // only lower numbers of the log; 0 is all
	Up            bool      // the oldest first
	Skip, Limit   int
}

// Note writes a deed down. It happened, whether or not the caller still waits.
func (t *Trail) Note(ctx context.Context, by auth.Caller, d Deed) error {
	return t.Journal.Write(context.WithoutCancel(ctx), auth.Entry{
		Action: auth.KYCDone, Customer: by.Customer, Account: by.Account, Person: d.Person, Detail: d.Detail(),
	})
}

// Detail is a deed as the audit log keeps it. Entries of the actions Screened,
// SearchChanged, HitDecided and ScheduleChanged have one too.
func (d Deed) Detail() string {
	detail, err := json.Marshal(d)
	if err != nil {
		panic(fmt.Sprintf("write a deed: %v", err)) // texts can be written
	}
	return string(detail)
}

// Deeds lists what was done, the newest first, and says how much there is in all.
func (t *Trail) Deeds(ctx context.Context, by auth.Caller, q DeedQuery) (list []Deed, total int64, err error) {
	entries, total, err := t.Store.Deeds(ctx, by, q)
	if err != nil {
		return nil, 0, err
	}
	list = make([]Deed, 0, len(entries))
	for _, e := range entries {
		var d Deed
		if err := json.Unmarshal([]byte(e.Detail), &d); err != nil {
			return nil, 0, fmt.Errorf("read audit entry %d: %w", e.Number, err)
		}
		id := [16]byte(e.Sum[:16])
		id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // a UUID whose bits are our own
		d.ID, d.Number, d.By, d.At, d.Person = dashed(id), e.Number, e.Account, e.At, e.Person
		list = append(list, d)
	}
	return list, total, nil
}

// Payload is what a deed names, by the words of the wire.
func (d Deed) Payload() map[string]string {
	all := map[string]string{
		"profileId": string(d.Profile), "searchId": d.Search, "hitId": d.Hit, "noteId": string(d.Note), "addressId": string(d.Address),
		"scheduleId": d.Schedule, "reportId": d.Report, "batchUploadId": d.Batch, "field": d.Field, "from": d.From, "to": d.To,
	}
	for k, v := range all {
		if v == "" {
			delete(all, k)
		}
	}
	return all
}

// deedWords say what was done, in a few words.
var deedWords = map[DeedAction]string{
	Created: "created", Updated: "changed", Deleted: "deleted", SearchLinked: "a search was linked", SearchRemoved: "a search was unlinked",
	NoteCreated: "a note was written", NoteUpdated: "a note was changed", NoteDeleted: "a note was deleted",
	NoteArchived: "a note was archived", NoteUnarchived: "a note was taken out of the archive",
	AddressCreated: "an address was added", AddressUpdated: "an address was changed", AddressDeleted: "an address was deleted",
	StatusUpdated: "the status was changed", MonitorAdded: "put under ongoing screening",
	MonitorUpdated: "ongoing screening was changed", MonitorRemoved: "taken out of ongoing screening",
}

// Describe says in words what was done.
func (d Deed) Describe() string {
	what := "Profile"
	if d.Category == OfSearch {
		what = "Search"
	}
	words := what + " " + deedWords[d.Action]
	if len(deedWords[d.Action]) > len("changed") {
		words = what + ": " + deedWords[d.Action]
	}
	if d.Field != "" {
		words += " (" + d.Field + ")"
	}
	switch {
	case d.From != "":
		words += fmt.Sprintf(", from %q to %q", d.From, d.To)
	case d.To != "":
		words += fmt.Sprintf(": %q", d.To)
	}
	return words
}
