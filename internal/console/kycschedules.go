package console

import (
	"bureau/internal/auth"
	"bureau/internal/kyc"
)

type schedulesData struct {
	List  []scheduleRow
	Total int64
	Next  string
	Ended *searchRow // what was just ended, and may be put back
}

type scheduleRow struct {
	kyc.Schedule
	Link string
	Who  string
}

// schedules are the searches that are asked again whenever a list changes.
func (s *Server) schedules(v *visit) error {
	if err := s.needs(v, auth.KYC, ""); err != nil {
		return err
	}
	q := kyc.ScheduleQuery{Limit: searchesPerPage}
	if at, id, ok := readPlace(v.query("before")); ok {
		q.After = &kyc.SchedulePlace{At: at, ID: kyc.ScheduleID(id)}
	}
	found, err := s.KYC.Schedules(v.ctx(), v.by, q)
	if err != nil {
		return err
	}
	who := s.colleagues(v)
	d := schedulesData{Total: found.Total}
	for _, c := range found.List {
		d.List = append(d.List, scheduleRow{c, searchPath(c.Of), who[c.CreatedBy]})
	}
	if found.More {
		last := found.List[len(found.List)-1]
		d.Next = v.with("before", writePlace(last.CreatedAt, string(last.ID)))
	}
	if id := v.query("ended"); id != "" && v.may(auth.Analyst) {
		for _, person := range []bool{true, false} {
			if of, err := s.KYC.Search(v.ctx(), v.by, person, kyc.SearchID(id)); err == nil && of.Schedule == "" {
				d.Ended = &searchRow{of, searchPath(of), ""}
			}
		}
	}
	if err := s.noteKYC(v, auth.PersonRead, "", "kycSchedules"); err != nil {
		return err
	}
	return s.kycTab(v, "kyc-schedules", "Schedules", d)
}

// switchSchedule has a search asked again whenever a list changes, or no longer.
func (s *Server) switchSchedule(v *visit) error {
	person, id, err := s.kycSearchOf(v)
	if err != nil {
		return err
	}
	search, err := s.KYC.Search(v.ctx(), v.by, person, id)
	if err != nil {
		return err
	}
	on, word := v.text("on") != "", ""
	switch {
	case on && search.Schedule == "":
		word, err = "watched", s.watchSearch(v, search.ID)
	case !on && search.Schedule != "":
		var was kyc.Schedule
		if was, err = s.KYC.EndSchedule(v.ctx(), v.by, search.Schedule); err == nil {
			word, err = "unwatched", s.noteSchedule(v, was, kyc.MonitorRemoved)
		}
	}
	if err != nil {
		return err
	}
	if v.text("back") == "schedules" {
		to := kycPath + "/schedules"
		if !on {
			to, word = to+"?ended="+string(search.ID), ""
		}
		return v.redirect(to, word)
	}
	return v.redirect(searchPath(search), word)
}

// watchSearch puts a search on a schedule.
func (s *Server) watchSearch(v *visit, id kyc.SearchID) error {
	c, err := s.KYC.Schedule(v.ctx(), v.by, id, kyc.ScheduleWish{})
	if err != nil {
		return err
	}
	return s.noteSchedule(v, c, kyc.MonitorAdded)
}
