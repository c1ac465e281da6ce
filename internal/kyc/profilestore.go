package kyc

import (
	"context"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
)

// ProfileStore is what profiles ask of a database. Each method is one
// transaction. A profile or note of another customer is a fault.Missing, exactly
// like one that does not exist.
type ProfileStore interface {
	// AddProfile keeps a new profile. An InternalID that another profile of the
	// customer has is a fault.Conflict.
	AddProfile(ctx context.Context, by auth.Caller, p Profile) error

	// Profile returns a profile, with how many notes it has.
	Profile(ctx context.Context, by auth.Caller, id ProfileID) (Profile, error)

	// Profiles lists a customer's profiles, and says how many there are in all.
	// What a profile does not have sorts behind what others have.
	Profiles(ctx context.Context, by auth.Caller, q ProfileQuery) (list []Profile, total int64, err error)

	// UpdateProfiles loads profiles, lets edit change each, and saves them all;
	// if one is missing or edit fails, none. They come back in the order of the
	// ids.
	UpdateProfiles(ctx context.Context, by auth.Caller, ids []ProfileID, edit func(*Profile) error) ([]Profile, error)

	// DeleteProfiles takes profiles away with all that hangs on them; if one is
	// missing, none.
	DeleteProfiles(ctx context.Context, by auth.Caller, ids []ProfileID) error

	// AddNote keeps a new note on a profile.
	AddNote(ctx context.Context, by auth.Caller, of ProfileID, n Note) error

	// Note returns a note of a profile.
	Note(ctx context.Context, by auth.Caller, of ProfileID, id NoteID) (Note, error)

	// Notes lists the notes of a profile, the newest first, and says how many
	// there are in all.
	Notes(ctx context.Context, by auth.Caller, of ProfileID, q NoteQuery) (list []Note, total int64, err error)

	// UpdateNote loads a note, lets edit change it and saves it, or nothing if
	// edit fails.
	UpdateNote(ctx context.Context, by auth.Caller, of ProfileID, id NoteID, edit func(*Note) error) (Note, error)

	// DeleteNote takes a note away.
	DeleteNote(ctx context.Context, by auth.Caller, of ProfileID, id NoteID) error
}

// A ProfileQuery says which profiles to list. What is empty does not matter.
type ProfileQuery struct {
	Term         string // part of the name, the legal name or the internal number
	Assigned     []auth.AccountID
	Risks        []RiskRating
	Types        []ProfileType
	Statuses     []ProfileStatus
	From, Until  time.Time     // made from then on, and before then
	After        *ProfilePlace // only those behind, sorted by ByCreated
	ReviewAfter  company.Date  // that day or later
	ReviewBefore company.Date  // that day or earlier
	Sort         ProfileSort
	Down         bool // in descending order
	Skip, Limit  int
}

// A ProfilePlace is a place in the list of profiles by their age.
type ProfilePlace struct {
	At time.Time
	ID ProfileID
}

// A ProfileSort is what profiles are sorted by; those alike, by their age.
type ProfileSort string

// The orders of profiles. Without one the newest come first.
const (
	ByCreated    ProfileSort = "createdAt"
	ByName       ProfileSort = "name"
	ByStatus     ProfileSort = "status"
	ByType       ProfileSort = "type"
	ByRisk       ProfileSort = "riskRating"
	ByReview     ProfileSort = "kycReviewOn"
	ByModified   ProfileSort = "modifiedAt"
	ByInternalID ProfileSort = "internalId"
)

// ProfileSorts are all of them.
var ProfileSorts = []ProfileSort{ByCreated, ByName, ByStatus, ByType, ByRisk, ByReview, ByModified, ByInternalID}

// A NoteQuery says which notes to list.
type NoteQuery struct {
	Term        string // part of the body
	Archived    *bool  // only those that are, or are not
	Skip, Limit int
}
