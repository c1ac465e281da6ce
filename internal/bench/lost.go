package bench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Statement says whether anything was lost, counted from both ends: what
// callers were told is done, and what is found of it afterwards.
type Statement struct {
	Counts []Count  `json:"counts"`
	Twice  int      `json:"twice"` // events that reached the endpoint more than once
	Lost   []string `json:"lost"`  // what is missing, in words; empty if nothing is
}

// A Count is one kind of thing.
type Count struct {
	What         string `json:"what"`
	Acknowledged int64  `json:"acknowledged"`
	Found        int64  `json:"found"` // never more than was acknowledged
}

// atSink is what is counted at the endpoint.
const atSink = "verified at the sink"

// count adds what one place has. What another has too much does not make up for
// what is missing here.
func (s *Statement) count(what, where string, acknowledged, found int64) {
	found = min(found, acknowledged)
	if missing := acknowledged - found; missing > 0 {
		s.Lost = append(s.Lost, fmt.Sprintf("%s of %s %s are not %s", grouped(missing), grouped(acknowledged), what, where))
	}
	s.add(what, acknowledged, found)
}

func (s *Statement) add(what string, acknowledged, found int64) {
	i := slices.IndexFunc(s.Counts, func(c Count) bool { return c.What == what })
	if i < 0 {
		i = len(s.Counts)
		s.Counts = append(s.Counts, Count{What: what})
	}
	s.Counts[i].Acknowledged += acknowledged
	s.Counts[i].Found += found
}

// Text is the statement in one line.
func (s *Statement) Text() string {
	if len(s.Lost) > 0 {
		return "LOST: " + strings.Join(s.Lost, "; ") + "."
	}
	var parts []string
	for _, c := range s.Counts {
		part := grouped(c.Found) + " " + c.What
		if c.Found == 1 {
			part = strings.TrimSuffix(part, "s")
		}
		if c.What == atSink && s.Twice > 0 {
			part += fmt.Sprintf(" (%s more than once)", grouped(int64(s.Twice)))
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return "Nothing was lost: nothing was done that leaves a trace."
	}
	return "Nothing was lost: " + strings.Join(parts, ", ") + "."
}

// grouped writes a number with commas.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// A trail is the way of changes to a customer: what was acknowledged, what the
// database has, and what the endpoint verified.
type trail struct {
	acknowledged []string // the new values of changes
	changes      []loggedChange
	kept         int // events that were acknowledged without a change of the log
	events       []keptEvent
	got          receipts
}

type loggedChange struct {
	number int64
	value  string
}

type keptEvent struct{ id, change int64 }

// follow follows every change to its end. Each must be in the log and have made
// an event; each event must have come with valid signatures, once or more, and
// after those of its company that happened before it.
func (s *Statement) follow(t trail) {
	logged := map[string]int{}
	for _, c := range t.changes {
		logged[c.value]++
	}
	found := 0
	for _, value := range t.acknowledged {
		if logged[value] > 0 {
			logged[value]--
			found++
		}
	}
	if len(t.acknowledged) > 0 {
		s.count("changes", "in the log", int64(len(t.acknowledged)), int64(found))
	}
	s.followEvents(t)
	s.followMessages(t)
}

func (s *Statement) followEvents(t trail) {
	of := map[int64]bool{}
	for _, e := range t.events {
		of[e.change] = true
	}
	told := 0
	for _, c := range t.changes {
		if of[c.number] {
			told++
		}
	}
	if silent := len(t.changes) - told; silent > 0 {
		s.Lost = append(s.Lost, fmt.Sprintf("%s of %s changes made no event", grouped(int64(silent)), grouped(int64(len(t.changes)))))
	}
	kept := min(len(t.events)-told, t.kept)
	if missing := t.kept - kept; missing > 0 {
		s.Lost = append(s.Lost, fmt.Sprintf("%s of %s events are not in the database", grouped(int64(missing)), grouped(int64(t.kept))))
	}
	s.add("events", int64(len(t.changes)+t.kept), int64(told+kept))
}

func (s *Statement) followMessages(t trail) {
	type lane struct{ hook, company string }
	change, times, last := map[int64]int64{}, map[int64]int{}, map[lane]int64{}
	for _, e := range t.events {
		change[e.id] = e.change
	}
	overtaken := 0
	for _, a := range t.got.Arrivals {
		times[a.Event]++
		if times[a.Event] > 1 {
			continue
		}
		at := lane{a.Hook, a.Company}
		if change[a.Event] < last[at] {
			overtaken++
		}
		last[at] = max(last[at], change[a.Event])
	}
	came := 0
	for _, e := range t.events {
		if times[e.id] > 0 {
			came++
		}
		if times[e.id] > 1 {
			s.Twice++
		}
	}
	if missing := len(t.events) - came; missing > 0 {
		s.Lost = append(s.Lost, fmt.Sprintf("%s of %s events did not reach the sink with a valid signature", grouped(int64(missing)), grouped(int64(len(t.events)))))
	}
	if overtaken > 0 {
		s.Lost = append(s.Lost, fmt.Sprintf("%s events came after a later one of their company", grouped(int64(overtaken))))
	}
	if t.got.Refused > 0 {
		s.Lost = append(s.Lost, fmt.Sprintf("%s messages could not be verified", grouped(int64(t.got.Refused))))
	}
	s.add(atSink, int64(len(t.events)), int64(came))
}
