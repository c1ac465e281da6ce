package api

import (
	"context"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/kyc"
)

const schedulesPath = "/kyc-protect/schedules"

// kycScheduleRows are searches that are repeated whenever a list changes.
func (s *Server) kycScheduleRows() []route {
	return []route{
		post(schedulesPath, auth.KYC, "createSchedules", "Repeat searches", inItems(s.createSchedules), free, creates,
			about("Each search is asked again whenever a list changes; what is new is an alert. Each item by itself: what cannot be done is told under failed.")),
		get(schedulesPath, auth.KYC, "schedules", "Searches that are repeated", s.listSchedules, free, about("The newest first, each with the search that it repeats and what it asks.")),
		put(schedulesPath, auth.KYC, "updateSchedules", "Change several schedules", s.updateSchedules, free,
			about("Each is changed for itself: the answer lists those that were and those that could not be, with the reason.")),
		del(schedulesPath, auth.KYC, "endSchedules", "End several schedules", s.endSchedules, free,
			about("Each is ended for itself: the answer lists those that were and those that could not be, with the reason.")),
		get(schedulesPath+"/amlAlerts", auth.KYC, "amlAlerts", "What schedules found", s.amlAlerts, free,
			about("The newest first. A hit that was judged false before and is here again says under changes what is otherwise now.")),
		get(schedulesPath+"/{scheduleId}", auth.KYC, "schedule", "One schedule", s.readSchedule, free,
			about("What is asked again whenever a list changes, and who is told.")),
		put(schedulesPath+"/{scheduleId}", auth.KYC, "updateSchedule", "Change a schedule", s.updateSchedule, free,
			about("Changes the threshold, the datasets and who gets mail. What is left out stays as it is.")),
		del(schedulesPath+"/{scheduleId}", auth.KYC, "endSchedule", "End a schedule", s.endSchedule, free,
			about("The search and its hits stay.")),
	}
}

// KYCScheduleWish is what a schedule is to be.
type KYCScheduleWish struct {
	Threshold  *looseInt  `json:"threshold,omitempty" doc:"50 to 100. Left out: that of the search."`
	Datasets   *looseList `json:"datasets,omitempty" doc:"Left out: those of the search."`
	Email      *looseBool `json:"isEmailRequired,omitempty"`
	Recipients *looseList `json:"emailRecipients,omitempty"`
}

func (w KYCScheduleWish) wish() kyc.ScheduleWish {
	out := kyc.ScheduleWish{Datasets: (*[]string)(w.Datasets), Recipients: (*[]string)(w.Recipients), Email: (*bool)(w.Email)}
	if w.Threshold != nil {
		n := int(*w.Threshold)
		out.Threshold = &n
	}
	return out
}

type kycScheduleJSON struct {
	ID           string   `json:"id"`
	Search       string   `json:"searchId"`
	Email        bool     `json:"isEmailRequired"`
	Recipients   []string `json:"emailRecipients"`
	Frequency    string   `json:"frequency" enum:"Daily" doc:"Lists are followed as they change, which is at least daily."`
	CreatedByID  int64    `json:"createdById"`
	CreatedAt    string   `json:"createdAt"`
	CreatedBy    string   `json:"createdBy"`
	ModifiedByID int64    `json:"modifiedById"`
	ModifiedAt   string   `json:"modifiedAt"`
	ModifiedBy   string   `json:"modifiedBy"`
	Type         string   `json:"type" enum:"individual,business"`
	Name         string   `json:"name"`
	First        *string  `json:"firstName"`
	Middle       *string  `json:"middleName"`
	Last         *string  `json:"lastName"`
	Gender       *string  `json:"gender"`
	Born         *string  `json:"dateOfBirth"`
	Countries    []string `json:"countries"`
	Threshold    int      `json:"threshold"`
	Datasets     []string `json:"datasets"`
	Tiers        []string `json:"pepTiers"`
}

func toScheduleJSON(c kyc.Schedule, who names) kycScheduleJSON {
	of := toIndividualSearchJSON(kycShown{Search: c.Of}, who)
	out := kycScheduleJSON{
		ID: string(c.ID), Search: string(c.Search), Email: c.Email, Recipients: plainTexts(c.Recipients), Frequency: "Daily",
		CreatedByID: int64(c.CreatedBy), CreatedAt: naive(c.CreatedAt), CreatedBy: who[c.CreatedBy],
		ModifiedByID: int64(c.ModifiedBy), ModifiedAt: naive(c.ModifiedAt), ModifiedBy: who[c.ModifiedBy],
		Type: "business", Name: of.Name, First: of.First, Middle: of.Middle, Last: of.Last, Gender: of.Gender, Born: of.Born,
		Countries: of.Countries, Threshold: c.Threshold, Datasets: plainTexts(c.Datasets), Tiers: of.Tiers,
	}
	if c.Of.Subject.Person {
		out.Type = "individual"
	}
	return out
}

// noteSchedule keeps in the audit log what was done with a schedule.
func (s *Server) noteSchedule(ctx context.Context, by auth.Caller, c kyc.Schedule, did kyc.DeedAction) error {
	return s.noteKYC(ctx, by, auth.ScheduleChanged, s.KYC.Mark(c.Of), kyc.Deed{
		Category: kyc.OfSearch, Subcategory: kyc.OfMonitoring, Action: did, Search: string(c.Search), Schedule: string(c.ID),
	}.Detail())
}

type kycNewSchedule struct {
	KYCScheduleWish
	Search string `json:"searchId" maxLength:"64"`
}

type createSchedulesIn struct {
	caller
	Body struct {
		Items []kycNewSchedule `json:"items" maxItems:"1000"`
	}
}

func (s *Server) createSchedules(ctx context.Context, in *createSchedulesIn) (*reply[kycBulkJSON[kycNewSchedule, kycScheduleJSON]], error) {
	who := s.namesOf(in.by)
	out, err := eachKYC(in.caller, in.Body.Items, func(item kycNewSchedule) (kycScheduleJSON, error) {
		c, err := s.KYC.Schedule(ctx, in.by, kyc.SearchID(item.Search), item.wish())
		if err != nil {
			return kycScheduleJSON{}, err
		}
		return toScheduleJSON(c, who), s.noteSchedule(ctx, in.by, c, kyc.MonitorAdded)
	})
	return ok(out), err
}

type listSchedulesIn struct {
	caller
	KYCPage
}

func (s *Server) listSchedules(ctx context.Context, in *listSchedulesIn) (*reply[kycListJSON[kycScheduleJSON]], error) {
	var after kyc.SchedulePlace
	skip, err := in.place(s, in.by, "schedules", &after)
	if err != nil {
		return nil, err
	}
	q := kyc.ScheduleQuery{Skip: skip, Limit: in.Size}
	if in.After != "" {
		q.After = &after
	}
	page, err := s.KYC.Schedules(ctx, in.by, q)
	if err != nil {
		return nil, err
	}
	out := kycListJSON[kycScheduleJSON]{Items: []kycScheduleJSON{}, TotalSize: page.Total, CorrelationID: in.correlation}
	who := s.namesOf(in.by)
	for _, c := range page.List {
		out.Items = append(out.Items, toScheduleJSON(c, who))
	}
	if page.More {
		last := page.List[len(page.List)-1]
		out.Cursor = textOrNull(s.sealCursor(in.by, "schedules", kyc.SchedulePlace{At: last.CreatedAt, ID: last.ID}))
	}
	return ok(out), s.noteKYC(ctx, in.by, auth.PersonRead, "", "kycSchedules")
}

// KYCScheduleIn names a schedule.
type KYCScheduleIn struct {
	caller
	ID string `path:"scheduleId" maxLength:"64" doc:"The id of a schedule."`
}

func (s *Server) readSchedule(ctx context.Context, in *KYCScheduleIn) (*reply[kycScheduleJSON], error) {
	c, err := s.KYC.ScheduleByID(ctx, in.by, kyc.ScheduleID(in.ID))
	if err != nil {
		return nil, err
	}
	return ok(toScheduleJSON(c, s.namesOf(in.by))), s.noteKYC(ctx, in.by, auth.PersonRead, s.KYC.Mark(c.Of), "kycSchedule="+string(c.ID))
}

type updateScheduleIn struct {
	KYCScheduleIn
	Body KYCScheduleWish
}

func (s *Server) updateSchedule(ctx context.Context, in *updateScheduleIn) (*reply[kycScheduleJSON], error) {
	out, err := s.changeSchedule(ctx, in.by, in.ID, in.Body)
	return ok(out), err
}

func (s *Server) changeSchedule(ctx context.Context, by auth.Caller, id string, w KYCScheduleWish) (kycScheduleJSON, error) {
	c, err := s.KYC.EditSchedule(ctx, by, kyc.ScheduleID(id), w.wish())
	if err != nil {
		return kycScheduleJSON{}, err
	}
	return toScheduleJSON(c, s.namesOf(by)), s.noteSchedule(ctx, by, c, kyc.MonitorUpdated)
}

type kycScheduleEdit struct {
	KYCScheduleWish
	ID string `json:"scheduleId" maxLength:"64"`
}

type updateSchedulesIn struct {
	caller
	Body struct {
		Items []kycScheduleEdit `json:"items" maxItems:"1000"`
	}
}

func (s *Server) updateSchedules(ctx context.Context, in *updateSchedulesIn) (*reply[kycBulkJSON[kycScheduleEdit, kycScheduleJSON]], error) {
	out, err := eachKYC(in.caller, in.Body.Items, func(item kycScheduleEdit) (kycScheduleJSON, error) {
		return s.changeSchedule(ctx, in.by, item.ID, item.KYCScheduleWish)
	})
	return ok(out), err
}

func (s *Server) stopSchedule(ctx context.Context, by auth.Caller, id string) error {
	c, err := s.KYC.EndSchedule(ctx, by, kyc.ScheduleID(id))
	if err != nil {
		return err
	}
	return s.noteSchedule(ctx, by, c, kyc.MonitorRemoved)
}

func (s *Server) endSchedule(ctx context.Context, in *KYCScheduleIn) (*none, error) {
	return nil, s.stopSchedule(ctx, in.by, in.ID)
}

type endSchedulesIn struct {
	caller
	Body struct {
		Items []string `json:"items" maxItems:"1000" doc:"The ids of schedules."`
	}
}

func (s *Server) endSchedules(ctx context.Context, in *endSchedulesIn) (*reply[kycBulkJSON[string, string]], error) {
	out, err := eachKYC(in.caller, in.Body.Items, func(id string) (string, error) { return id, s.stopSchedule(ctx, in.by, id) })
	return ok(out), err
}

type amlAlertsIn struct {
	caller
	KYCPage
	Decisions []string `query:"hitDecisions,explode" doc:"Any of undecided, trueMatch, falsePositive, discarded. None: all."`
}

type amlAlertJSON struct {
	IndividualHitJSON
	Search   string  `json:"searchId"`
	Schedule *string `json:"scheduleId" doc:"null once the schedule has ended."`
	Profile  *string `json:"profileId"`
	KeyParty *string `json:"keyPartyId"`
	Type     string  `json:"searchType" enum:"individual,business"`
}

func (s *Server) amlAlerts(ctx context.Context, in *amlAlertsIn) (*reply[kycListJSON[amlAlertJSON]], error) {
	decisions, err := decisionsOf(in.Decisions)
	if err != nil {
		return nil, err
	}
	of := fmt.Sprint("amlAlerts ", decisions)
	q := kyc.AlertQuery{Decisions: decisions, Limit: in.Size}
	if q.Skip, err = in.place(s, in.by, of, &q.After); err != nil {
		return nil, err
	}
	page, err := s.KYC.Alerts(ctx, in.by, q)
	if err != nil {
		return nil, err
	}
	out := kycListJSON[amlAlertJSON]{Items: []amlAlertJSON{}, TotalSize: page.Total, CorrelationID: in.correlation}
	who := s.namesOf(in.by)
	for _, a := range page.List {
		one := amlAlertJSON{IndividualHitJSON: toIndividualHitJSON(a.SavedHit, who), Search: string(a.Search), Schedule: textOrNull(string(a.Schedule)), Type: "business"}
		if a.Person {
			one.Type = "individual"
		}
		out.Items = append(out.Items, one)
	}
	if page.More {
		out.Cursor = textOrNull(s.sealCursor(in.by, of, page.List[len(page.List)-1].Alert))
	}
	return ok(out), s.noteKYC(ctx, in.by, auth.PersonRead, "", "kycAlerts")
}
