package console

import (
	"bureau/internal/auth"
	"bureau/internal/monitor"
)

type eventData struct {
	monitor.Cause
	Words string // the rule's sentence
	Done  bool
}

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
	return s.show(v, page{name: "event", title: "Why", here: "Events", data: d})
}
