package kyc

import (
	"context"

	"bureau/internal/auth"
	"bureau/internal/company"
)

// SearchStore is what searches ask of a database. Each method is one
// transaction, and each that takes a caller sees what is its customer's: someone
// else's is a fault.Missing, exactly like what does not exist.
type SearchStore interface {
	// KYCSettings are those of a customer; without any they are zero.
	// SetKYCSettings replaces them.
	KYCSettings(ctx context.Context, of auth.CustomerID) (Settings, error)
	SetKYCSettings(ctx context.Context, of auth.CustomerID, s Settings) error

	// KYCBackground returns the customer's settings and what was decided for a
	// subject, about whatever entry, the oldest first.
	KYCBackground(ctx context.Context, by auth.Caller, sought string) (Background, error)

	// KYCSearch returns a search, with the tally of its current hits.
	KYCSearch(ctx context.Context, by auth.Caller, id SearchID) (Search, error)

	// UpdateKYCSearch loads a search, lets edit change status, risk, account,
	// note and who changed it, and saves the result, or nothing if edit fails.
	UpdateKYCSearch(ctx context.Context, by auth.Caller, id SearchID, edit func(*Search) error) (Search, error)

	// KYCSearches lists searches, the newest first.
	KYCSearches(ctx context.Context, by auth.Caller, q SearchQuery) (Page[Search], error)

	// KYCHits lists the current hits of a search, the likeliest first.
	KYCHits(ctx context.Context, by auth.Caller, q HitQuery) (Page[SavedHit], error)

	// KYCHit returns a hit of a search, current or not.
	KYCHit(ctx context.Context, by auth.Caller, search SearchID, id HitID) (SavedHit, error)

	// KYCHitsByID returns hits of any search. One that is gone is left out.
	KYCHitsByID(ctx context.Context, by auth.Caller, ids []HitID) (map[HitID]SavedHit, error)

	// DecideKYCHit loads a hit, lets rule change its decision, and keeps it and
	// what rule returns under the next number of the hit. Two at once are both
	// kept, one after the other.
	DecideKYCHit(ctx context.Context, by auth.Caller, s Search, id HitID, rule func(*SavedHit) Ruling) (SavedHit, error)

	// KYCRulings returns what was decided about entries for a subject, in any
	// search, the oldest first.
	KYCRulings(ctx context.Context, by auth.Caller, sought string, entries []EntryID) (map[EntryID][]Ruling, error)

	// KYCHistory returns what was decided about a hit, the last first.
	KYCHistory(ctx context.Context, by auth.Caller, id HitID) ([]Ruling, error)

	// AddKYCSchedule puts a search on a schedule. One that is on another is a
	// fault.Conflict.
	AddKYCSchedule(ctx context.Context, by auth.Caller, s Schedule) error

	// KYCSchedule returns a schedule with its search, and KYCSchedules lists
	// them, the newest first.
	KYCSchedule(ctx context.Context, by auth.Caller, id ScheduleID) (Schedule, error)
	KYCSchedules(ctx context.Context, by auth.Caller, q ScheduleQuery) (Page[Schedule], error)

	// UpdateKYCSchedule loads a schedule, lets edit change it and saves the
	// result, or nothing if edit fails.
	UpdateKYCSchedule(ctx context.Context, by auth.Caller, id ScheduleID, edit func(*Schedule) error) (Schedule, error)

	// EndKYCSchedule takes the search off the schedule, which is then gone.
	EndKYCSchedule(ctx context.Context, by auth.Caller, id ScheduleID) error

	// KYCWatched lists the schedules of all customers by their IDs, from the one
	// behind after on.
	KYCWatched(ctx context.Context, after ScheduleID, limit int) ([]Watched, error)

	// KYCWatchedByID returns schedules of any customer. One that ended is left out.
	KYCWatchedByID(ctx context.Context, ids []ScheduleID) ([]Watched, error)

	// KYCWatching appends the schedules of all customers to a list, in short, in
	// the order of their numbers, from the one behind after on. Whoever reads on
	// from there meets all that there were at the beginning, but for those that
	// ended: one that changes meanwhile gets a number behind all others.
	KYCWatching(ctx context.Context, after int64, limit int, list []Watching) ([]Watching, error)

	// WriteKYCWatching writes down whom a schedule looks for, if it never was.
	WriteKYCWatching(ctx context.Context, w Watched) error

	// KYCWatchedOf returns the schedules of business searches that are linked to a
	// profile of one of these companies, with which it is.
	KYCWatchedOf(ctx context.Context, of []company.ID) ([]WatchedFirm, error)

	// KYCHitsOn returns the current hits of searches on a schedule on entries, as
	// alerts without a cause, but for those of which it was told that the entry
	// left.
	KYCHitsOn(ctx context.Context, entries []EntryID) ([]Alert, error)

	// AddKYCAlerts saves alerts and gives each the next number, in their order.
	// The hit that one supersedes is current no more. Each is also an event of
	// its customer, made in the same transaction. One that another has told of
	// meanwhile is left out, and one whose search is gone.
	AddKYCAlerts(ctx context.Context, list []Alert) error

	// KYCAlerts lists the current hits that schedules found, the newest first.
	KYCAlerts(ctx context.Context, by auth.Caller, q AlertQuery) (Page[Alert], error)
}
