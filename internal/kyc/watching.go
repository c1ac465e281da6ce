package kyc

import (
	"fmt"
	"strings"

	"bureau/internal/company"
	"bureau/internal/match"
)

// A Watching is a schedule as short as it can be kept: whom it looks for, and how
// near they must be. There may be millions.
type Watching struct {
	Number    int64 // of its last change: it only grows
	Schedule  ScheduleID
	Threshold int
	Subjects  string // as PackSubjects writes them; empty if they never were
}

// Between the subjects of a schedule, the fields of a subject, the values of a
// field, and what a value has of two parts. None of them can be in a name.
const (
	packSubject = "\x1e"
	packField   = "\x1f"
	packValue   = "\x1d"
	packPair    = "\x1c"
)

// PackSubjects writes down whom a schedule looks for. JSON would be twice as long,
// and cost as much to read as the rest of the work on a subject.
func (s *Schedule) PackSubjects() string {
	var b strings.Builder
	for i, also := range s.subjects() {
		if i > 0 {
			b.WriteString(packSubject)
		}
		packSubjectTo(&b, &also.Subject)
	}
	return b.String()
}

func packSubjectTo(b *strings.Builder, s *Subject) {
	kind := "b"
	if s.Person {
		kind = "p"
	}
	ids := make([]string, len(s.Identifiers))
	for i, id := range s.Identifiers {
		ids[i] = clean(id.Type) + packPair + clean(id.Value)
	}
	fields := []string{kind, s.FullName(), string(s.Born), string(s.Gender), strings.Join(s.Countries, packValue), strings.Join(ids, packValue), clean(s.Address)}
	for len(fields[len(fields)-1]) == 0 {
		fields = fields[:len(fields)-1]
	}
	b.WriteString(strings.Join(fields, packField))
}

// subjects reads whom a schedule looks for.
func (w *Watching) subjects(read func(match.Kind, string) match.Name, each func(*match.Subject) (stop bool)) error {
	for text := range strings.SplitSeq(w.Subjects, packSubject) {
		who := unpackSubject(text)
		q, err := who.askedBy(read)
		if err != nil {
			return fmt.Errorf("read whom the schedule %s looks for: %w", w.Schedule, err)
		}
		if each(&q) {
			return nil
		}
	}
	return nil
}

func unpackSubject(text string) (s Subject) {
	next := func() (field string) {
		field, text, _ = strings.Cut(text, packField)
		return field
	}
	s.Person = next() == "p"
	s.Name = next()
	s.Born, s.Gender = company.Date(next()), Gender(next())
	if list := next(); list != "" {
		s.Countries = strings.Split(list, packValue)
	}
	if list := next(); list != "" {
		for id := range strings.SplitSeq(list, packValue) {
			kind, value, _ := strings.Cut(id, packPair)
			s.Identifiers = append(s.Identifiers, Identifier{Type: kind, Value: value})
		}
	}
	s.Address = next()
	return s
}
