package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// streamRow is the row of the stream of events.
func (s *Server) streamRow() route {
	return route{
		method: http.MethodGet, pattern: "/monitoring/notificationEvents/stream", product: auth.Monitoring,
		id: "eventStream", summary: "Events as they happen", free: true,
		about: "Server-sent events: one for each event in your portfolios (monitoring.event), and, if your company has screening, one for each AML alert of it (kyc.alert), with its number as id. Begin with after or Last-Event-ID to get what came since; without, only what is to come. " +
			"A line that begins with a colon comes every 15 seconds. The stream ends when the token does, and when a reader is too slow: connect again with the last id, and nothing is missed. " +
			"410 says that events behind the cursor are no longer kept.",
		register: func(s *Server, r route) {
			s.router.HandleFunc(r.method+" "+r.pattern, s.guarded(r.product, s.eventStream))
			op := r.operation()
			op.Parameters = append(op.Parameters,
				&huma.Param{Name: "after", In: "query", Description: "The number of the last event that you have.", Schema: &huma.Schema{Type: huma.TypeInteger}},
				&huma.Param{Name: "Last-Event-ID", In: "header", Description: "The same, as browsers send it.", Schema: &huma.Schema{Type: huma.TypeInteger}})
			op.Responses["200"] = &huma.Response{Description: "The stream.", Content: map[string]*huma.MediaType{
				"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}},
			}}
			op.Responses["410"] = s.errorResponse("Events behind the cursor are no longer kept.")
			for _, status := range op.Errors {
				op.Responses[strconv.Itoa(status)] = s.errorResponse(http.StatusText(status))
			}
			s.api.OpenAPI().AddOperation(&op)
		},
	}
}

const (
	streamBeat  = 15 * time.Second
	streamWrite = 10 * time.Second // for one write to a slow reader
	streamPage  = 500
)

// eventStream follows the caller's events until somebody ends it.
func (s *Server) eventStream(w http.ResponseWriter, r *http.Request, by auth.Caller) {
	after, err := s.streamStart(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	header := strings.Clone(r.Header.Get("Authorization"))
	sub, err := s.Hub.Subscribe(r.Context(), by, after, func() bool { return s.Gate.Still(header, auth.Monitoring) })
	if errors.Is(err, fault.Conflict) {
		v, _ := fault.Of(err)
		writeError(w, http.StatusGone, "Gone", v.Text)
		return
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // for proxies that would hold it back
	out := writerOf(w)
	if out.line(": following\n\n") != nil {
		sub.Close()
		return
	}
	if !s.takeOver(w, r, sub, after) {
		defer sub.Close()
		s.follow(r.Context(), sub, after, out)
	}
}

// streamStart is the event behind which a caller wants to begin.
func (s *Server) streamStart(r *http.Request) (monitor.EventID, error) {
	text := r.URL.Query().Get("after")
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		text = last // a browser that connects again sends the first address with it
	}
	if text == "" {
		return s.Hub.Newest(r.Context())
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < 0 {
		return 0, fault.Invalid.Details("Bad request", "after: "+strconv.Quote(fault.Clip(text))+" is not the number of an event")
	}
	return monitor.EventID(n), nil
}

// follow writes first what is past, then what comes.
func (s *Server) follow(ctx context.Context, sub *monitor.Subscription, after monitor.EventID, out eventWriter) {
	for {
		list, err := sub.Past(ctx, after, streamPage)
		if err != nil {
			s.logFailure("eventStream", "", err)
			return
		}
		if len(list) == 0 {
			break
		}
		if out.events(list) != nil {
			return
		}
		after = list[len(list)-1].ID
	}
	beat := time.NewTicker(streamBeat)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
			if out.line(": still here\n\n") != nil {
				return
			}
		case <-sub.Ready():
			list, end := sub.Next()
			if out.events(list) != nil {
				return
			}
			if end != nil {
				v, _ := fault.Of(end)
				_ = out.line(fmt.Sprintf("event: end\ndata: {\"reason\":%s}\n\n", strconv.Quote(v.Text)))
				return
			}
		}
	}
}
