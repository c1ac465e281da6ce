package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"bureau/internal/kyc"
	"bureau/internal/monitor"
)

// An eventWriter writes server-sent events, each piece at once. A reader that
// does not take a piece in time is gone.
type eventWriter func([]byte) error

func (o eventWriter) line(text string) error { return o([]byte(text)) }

func (o eventWriter) events(list []monitor.Event) error {
	if len(list) == 0 {
		return nil
	}
	var b []byte
	for i := range list {
		kind, data := "monitoring.event", any(nil)
		if e := &list[i]; e.IsAlert() {
			kind, data = string(monitor.AMLAlert), writeAlert(e)
		} else {
			data = writeEvent(e)
		}
		text, err := json.Marshal(data)
		if err != nil {
			return err
		}
		b = fmt.Appendf(b, "id: %d\nevent: %s\ndata: %s\n\n", list[i].ID, kind, text)
	}
	return o(b)
}

// alertJSON is an AML alert, as webhooks have it too.
type alertJSON struct {
	kyc.Notice
	EventID     int64  `json:"eventId"`
	CreatedDate string `json:"createdDate"`
}

func writeAlert(e *monitor.Event) alertJSON {
	return alertJSON{kyc.ReadNotice(e.New), int64(e.ID), naive(e.CreatedAt)}
}

// writerOf writes through the server.
func writerOf(w http.ResponseWriter) eventWriter {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{}) // else the server would take the reader for gone
	return func(b []byte) error {
		_ = control.SetWriteDeadline(time.Now().Add(streamWrite))
		if _, err := w.Write(b); err != nil {
			return err
		}
		if err := control.Flush(); err != nil {
			return err
		}
		// A deadline that passes between two writes ends a stream of HTTP/2.
		_ = control.SetWriteDeadline(time.Time{})
		return nil
	}
}

// takeOver goes on with a stream without the server, and reports whether it
// does. A call that the server has in hand takes three times the memory of a
// connection on which only a line is written now and then: buffers, two
// goroutines whose stacks have grown, the request. In HTTP/2 a connection has
// many calls, and stays with the server. Whether the reader is still there shows
// at the next beat.
func (s *Server) takeOver(w http.ResponseWriter, r *http.Request, sub *monitor.Subscription, after monitor.EventID) bool {
	if r.ProtoMajor != 1 || r.ProtoMinor < 1 {
		return false
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return false // a writer that cannot: the stream goes on as it is
	}
	s.spawn(func() {
		defer conn.Close()
		defer sub.Close()
		s.follow(context.Background(), sub, after, chunksTo(conn)) // it ends with the hub
		_, _ = io.WriteString(conn, "0\r\n\r\n")
	})
	return true
}

// chunksTo writes the pieces of a body whose head was sent by the server.
func chunksTo(conn net.Conn) eventWriter {
	return func(b []byte) error {
		_ = conn.SetWriteDeadline(time.Now().Add(streamWrite))
		_, err := conn.Write(fmt.Appendf(nil, "%x\r\n%s\r\n", len(b), b))
		return err
	}
}

// spawn starts what goes on after a call was answered. Whoever gave us Go waits
// for it.
func (s *Server) spawn(f func()) {
	if s.Go == nil {
		go f()
		return
	}
	s.Go(f)
}
