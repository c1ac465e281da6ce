package console

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

const (
	beat      = 15 * time.Second
	askStill  = 10 * time.Second // how often a stream's session is looked up
	streamOne = 10 * time.Second // for one write to a slow reader
	pastPage  = 500
)

// stream tells events as they arrive, each as a row of the table.
func (s *Server) stream(v *visit) error {
	if err := s.needs(v, auth.Monitoring, ""); err != nil {
		return err
	}
	text := v.query("after")
	if last := v.r.Header.Get("Last-Event-ID"); last != "" {
		text = last
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return fault.Invalid.Errorf("after: that is not the number of an event")
	}
	after := monitor.EventID(n)
	sub, err := s.Hub.Subscribe(v.ctx(), v.by, after, s.still(v))
	if err != nil {
		return err
	}
	defer sub.Close()
	h := v.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	f := v.eventFilter()
	if s.say(v, ": following\n\n") != nil {
		return nil
	}
	for {
		list, err := sub.Past(v.ctx(), after, pastPage)
		if err != nil {
			if v.ctx().Err() == nil { // else the reader has gone
				s.Log.ErrorContext(v.ctx(), "console", "page", "events/stream", "err", err)
			}
			return nil
		}
		if len(list) == 0 {
			break
		}
		if s.tell(v, f, list) != nil {
			return nil
		}
		after = list[len(list)-1].ID
	}
	s.followEvents(v, f, sub)
	return nil
}

func (s *Server) followEvents(v *visit, f eventFilter, sub *monitor.Subscription) {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		select {
		case <-v.ctx().Done():
			return
		case <-tick.C:
			if s.say(v, ": still here\n\n") != nil {
				return
			}
		case <-sub.Ready():
			list, end := sub.Next()
			if s.tell(v, f, list) != nil || end != nil {
				return // the browser comes back by itself, with the last number
			}
		}
	}
}

// still is asked every second whether the session goes on. It looks it up now
// and then.
func (s *Server) still(v *visit) func() bool {
	asked, ctx := s.Now(), v.ctx()
	return func() bool {
		a, ok := s.Directory.Account(v.account.ID)
		if !ok || a.Disabled || a.Epoch != v.session.Epoch {
			return false
		}
		if now := s.Now(); now.Sub(asked) > askStill {
			asked = now
			found, _, err := s.Sessions.Find(ctx, v.secret)
			return err == nil && !found.Waiting
		}
		return true
	}
}

// tell writes those of a list that the page wants.
func (s *Server) tell(v *visit, f eventFilter, list []monitor.Event) error {
	var b bytes.Buffer
	for i := range list {
		e := &list[i]
		if !f.wants(e) {
			fmt.Fprintf(&b, "id: %d\nevent: other\ndata:\n\n", e.ID)
			continue
		}
		var row bytes.Buffer
		with := view{Token: v.token, MayWork: v.may(auth.Analyst), Now: s.Now().UTC(), Data: eventRow{*e, true}}
		if err := s.pages.fill(&row, "events", "eventRow", with); err != nil {
			return err
		}
		fmt.Fprintf(&b, "id: %d\ndata: %s\n\n", e.ID, bytes.ReplaceAll(row.Bytes(), []byte("\n"), []byte(" ")))
	}
	if b.Len() == 0 {
		return nil
	}
	return s.say(v, b.String())
}

func (s *Server) say(v *visit, text string) error {
	out := http.NewResponseController(v.w)
	if err := out.SetWriteDeadline(time.Now().Add(streamOne)); err != nil {
		return err
	}
	if _, err := v.w.Write([]byte(text)); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	// A deadline that passes while nothing is written ends an HTTP/2 stream too.
	return out.SetWriteDeadline(time.Time{})
}
