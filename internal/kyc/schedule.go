package kyc

import (
	"context"
	"fmt"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// A Schedule repeats a search whenever a list changes.
type Schedule struct {
	ID         ScheduleID
	Search     SearchID
	Threshold  int
	Datasets   []Dataset
	Email      bool
	Recipients []string
	Also       []Also // others whom it looks for, since the register ties them to the subject
	CreatedAt  time.Time
	CreatedBy  auth.AccountID
	ModifiedAt time.Time
	ModifiedBy auth.AccountID

	Of Search // the search, when a schedule is read to be shown
}

// NoSchedule is what callers are told of a schedule that is not there.
const NoSchedule = "Schedule not found"

// A ScheduleWish is what a schedule is to be. What is nil stays as it is, or as
// the search has it.
type ScheduleWish struct {
	Threshold  *int
	Datasets   *[]string
	Email      *bool
	Recipients *[]string
}

// maxRecipients is how many addresses a schedule may name.
const maxRecipients = 50

func (w ScheduleWish) apply(s *Schedule, person bool) error {
	var bad wrong
	if w.Threshold != nil {
		if s.Threshold = *w.Threshold; s.Threshold < MinThreshold || s.Threshold > MaxThreshold {
			bad.say("threshold", "%d is not between %d and %d", s.Threshold, MinThreshold, MaxThreshold)
		}
	}
	if w.Datasets != nil && len(*w.Datasets) > 0 {
		s.Datasets = readDatasets(person, *w.Datasets, &bad)
	}
	if w.Email != nil {
		s.Email = *w.Email
	}
	if w.Recipients != nil {
		s.Recipients = *w.Recipients
	}
	if len(s.Recipients) > maxRecipients {
		bad.say("emailRecipients", "there are more than %d", maxRecipients)
	}
	for i, r := range s.Recipients {
		if at := strings.LastIndexByte(r, '@'); at < 1 || at == len(r)-1 || strings.ContainsAny(r, " \t\r\n<>,;") {
			bad.say(fmt.Sprintf("emailRecipients[%d]", i), "%q is not an e-mail address", r)
		}
	}
	return bad.err()
}

// Schedule puts a search on a schedule, and looks at once whether the lists have
// changed since it was made.
func (s *Searches) Schedule(ctx context.Context, by auth.Caller, id SearchID, w ScheduleWish) (Schedule, error) {
	if !isID(string(id)) {
		return Schedule{}, fault.Missing.Errorf(NoSearch)
	}
	search, err := s.Store.KYCSearch(ctx, by, SearchID(strings.ToLower(string(id))))
	if err != nil {
		return Schedule{}, err
	}
	now := s.now()
	sch := Schedule{
		ID: ScheduleID(newID()), Search: search.ID, Threshold: search.Options.Threshold, Datasets: search.Options.Datasets,
		CreatedAt: now, CreatedBy: by.Account, ModifiedAt: now, ModifiedBy: by.Account,
	}
	if err := w.apply(&sch, search.Subject.Person); err != nil {
		return Schedule{}, err
	}
	if err := s.Store.AddKYCSchedule(ctx, by, sch); err != nil {
		return Schedule{}, err
	}
	search.Schedule = sch.ID
	sch.Of = search
	// Whoever reads the log from now on knows the schedule; what came before is
	// in the index once it was refreshed.
	if err := s.Screener.Index.Refresh(ctx); err != nil {
		return sch, err
	}
	alerts, err := s.rescreen(ctx, Watched{Customer: by.Customer, Schedule: sch})
	if err != nil {
		return sch, err
	}
	return sch, s.Store.AddKYCAlerts(ctx, alerts)
}

// ScheduleByID returns a schedule of the caller's customer.
func (s *Searches) ScheduleByID(ctx context.Context, by auth.Caller, id ScheduleID) (Schedule, error) {
	if !isID(string(id)) {
		return Schedule{}, fault.Missing.Errorf(NoSchedule)
	}
	return s.Store.KYCSchedule(ctx, by, ScheduleID(strings.ToLower(string(id))))
}

// Schedules lists those of the caller's customer, the newest first.
func (s *Searches) Schedules(ctx context.Context, by auth.Caller, q ScheduleQuery) (Page[Schedule], error) {
	return s.Store.KYCSchedules(ctx, by, q)
}

// EditSchedule changes a schedule.
func (s *Searches) EditSchedule(ctx context.Context, by auth.Caller, id ScheduleID, w ScheduleWish) (Schedule, error) {
	held, err := s.ScheduleByID(ctx, by, id)
	if err != nil {
		return held, err
	}
	return s.Store.UpdateKYCSchedule(ctx, by, held.ID, func(sch *Schedule) error {
		sch.ModifiedAt, sch.ModifiedBy = s.now(), by.Account
		return w.apply(sch, sch.Of.Subject.Person)
	})
}

// EndSchedule takes a search off its schedule, and returns what it was.
func (s *Searches) EndSchedule(ctx context.Context, by auth.Caller, id ScheduleID) (Schedule, error) {
	held, err := s.ScheduleByID(ctx, by, id)
	if err != nil {
		return held, err
	}
	return held, s.Store.EndKYCSchedule(ctx, by, held.ID)
}

// A ScheduleQuery says which schedules to list.
type ScheduleQuery struct {
	After *SchedulePlace
	Skip  int
	Limit int
}

// A SchedulePlace is a place in a list of schedules: the last one seen.
type SchedulePlace struct {
	At time.Time
	ID ScheduleID
}

// Alerts lists the hits that schedules found, the newest first.
func (s *Searches) Alerts(ctx context.Context, by auth.Caller, q AlertQuery) (Page[Alert], error) {
	page, err := s.Store.KYCAlerts(ctx, by, q)
	if err != nil {
		return page, err
	}
	hits := make([]SavedHit, len(page.List))
	for i := range page.List {
		hits[i] = page.List[i].SavedHit
	}
	err = s.show(ctx, by, hits)
	for i := range hits {
		page.List[i].SavedHit = hits[i]
	}
	return page, err
}

// An AlertQuery says which alerts to list.
type AlertQuery struct {
	Decisions []Decision // none: all
	After     int64      // the number of the last one seen; 0: from the newest
	Skip      int
	Limit     int
}
