package console

import (
	"strconv"
	"time"

	"bureau/internal/auth"
	"bureau/internal/monitor"
)

type eventData struct {
	monitor.Cause
	Words string // the rule's sentence
	Done  bool
	Muted *monitor.Quiet // nil if the rule speaks of the company
	Fresh bool           // it was muted a moment ago, and that may be taken back
}

// muteDays is how long a rule is silent about a company.
const muteDays = 30

// event says why something was told.
func (s *Server) event(v *visit) error {
	if err := s.needs(v, auth.Monitoring, ""); err != nil {
		return err
	}
	id, err := v.number("id")
	if err != nil {
		return err
	}
	cause, err := s.Why.Event(v.ctx(), v.by, monitor.EventID(id))
	if err != nil {
		return err
	}
	d := eventData{Cause: cause, Done: cause.Event.Processed()}
	if cause.Rule != nil {
		d.Words = ruleSentence(cause.Rule.Name, cause.Setting.Values)
	}
	if d.Muted, err = s.muted(v, cause.Event); err != nil {
		return err
	}
	d.Fresh = d.Muted != nil && v.query("muted") != ""
	return s.show(v, page{name: "event", title: "Why", here: "Events", data: d})
}

// muted is the silence that keeps an event's rule quiet about its company.
func (s *Server) muted(v *visit, e monitor.Event) (*monitor.Quiet, error) {
	list, err := s.Portfolios.Store.Quiets(v.ctx(), v.by, e.Portfolio)
	if err != nil {
		return nil, err
	}
	for i, q := range list {
		if !q.Until.IsZero() && q.Company == e.Company && q.Rule == e.Rule {
			return &list[i], nil
		}
	}
	return nil, nil //nolint:nilnil // most are not muted, which is no fault
}

// muteEvent keeps a rule quiet about a company for some days, or lets it speak
// again.
func (s *Server) muteEvent(v *visit) error {
	id, err := v.number("id")
	if err != nil {
		return err
	}
	e, err := s.Why.Store.Event(v.ctx(), v.by, monitor.EventID(id))
	if err != nil {
		return err
	}
	to := Path + "/events/" + strconv.FormatInt(id, 10)
	was, err := s.muted(v, e)
	switch {
	case err != nil:
		return err
	case v.text("on") == "":
		if was != nil {
			err = s.Portfolios.Store.EndQuiet(v.ctx(), v.by, e.Portfolio, was.ID)
		}
		if err != nil {
			return err
		}
		return v.redirect(to, "unmuted")
	case was != nil:
		return v.redirect(to, "")
	}
	now := s.Now().UTC()
	q := monitor.Quiet{Company: e.Company, Rule: e.Rule, Until: now.AddDate(0, 0, muteDays).Truncate(time.Millisecond)}
	if err := q.Check(now); err != nil {
		return err
	}
	if _, err := s.Portfolios.Store.AddQuiet(v.ctx(), v.by, e.Portfolio, q); err != nil {
		return err
	}
	return v.redirect(to+"?muted=yes", "")
}
