package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"bureau/internal/fault"
	"bureau/internal/match"
)

// A matchSide is a name with what else is known: a bare string, or an object.
type matchSide struct {
	Name    string   `json:"name"`
	Names   []string `json:"names"`
	DOB     texts    `json:"dob"`
	Country texts    `json:"country"`
	Gender  string   `json:"gender"`
	Address string   `json:"address"`
}

func (s *matchSide) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &s.Name)
	}
	type plain matchSide
	return json.Unmarshal(b, (*plain)(s))
}

// texts is one text or several.
type texts []string

func (t *texts) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		if *t = nil; one != "" {
			*t = texts{one}
		}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(t))
}

// A matchPair is a line of 'bureau match pair'. A dob or a country beside a and b
// is that of both, or of each if there are two.
type matchPair struct {
	A       *matchSide `json:"a"`
	B       *matchSide `json:"b"`
	Kind    string     `json:"kind"`
	DOB     texts      `json:"dob"`
	Country texts      `json:"country"`
}

// A matchAnswer is what is said about a pair or a hit.
type matchAnswer struct {
	Score       float64      `json:"score"`
	Probability float64      `json:"probability"`
	Grades      match.Grades `json:"grades"`
	Why         []string     `json:"why"`
}

func toMatchAnswer(v match.Verdict) matchAnswer {
	return matchAnswer{v.Score, v.Probability, v.Grades, v.Why}
}

func (s *matchSide) subject(k match.Kind, shared matchPair, side int) (match.Subject, error) {
	all := s.Names
	if s.Name != "" {
		all = append([]string{s.Name}, all...)
	}
	out := match.NewSubject(k, all...)
	out.Gender, out.Address = s.Gender, s.Address
	dobs, lands := s.DOB, s.Country
	if n := len(shared.DOB); n > 0 {
		dobs = append(dobs, shared.DOB[min(side, n-1)])
	}
	if n := len(shared.Country); n > 0 {
		lands = append(lands, shared.Country[min(side, n-1)])
	}
	for _, text := range dobs {
		if text == "" {
			continue // only that of the other is known
		}
		d, ok := match.ParseDate(text)
		if !ok {
			return out, fault.Invalid.Errorf("dob: %q is no date; write 1970, 1970-05 or 1970-05-31", clip(text))
		}
		out.Born = append(out.Born, d)
	}
	for _, c := range lands {
		if c == "" {
			continue
		}
		if len(c) != 2 {
			return out, fault.Invalid.Errorf("country: %q is no country; write two letters, as DE", clip(c))
		}
		out.Countries = append(out.Countries, c)
	}
	return out, nil
}

// clip keeps a mistake from filling the screen.
func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// MatchPairs answers lines of pairs, each with one line, in order. A line that
// cannot be read is answered with its error; the rest go on. It reports how many
// lines those were.
func MatchPairs(in io.Reader, out io.Writer) (bad int, err error) {
	return answerLines(in, out, comparePair)
}

func comparePair(line []byte) (any, error) {
	var p matchPair
	if err := json.Unmarshal(line, &p); err != nil {
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) && wrong.Field != "" {
			return nil, fault.Invalid.Errorf("%s: it is a text, not a %s", wrong.Field, wrong.Value)
		}
		return nil, fault.Invalid.Errorf("this is no JSON object with a, b and kind")
	}
	kind, ok := match.ParseKind(p.Kind)
	switch {
	case !ok:
		return nil, fault.Invalid.Errorf("kind: %q is neither person nor company", clip(p.Kind))
	case p.A == nil:
		return nil, fault.Invalid.Errorf("a is missing")
	case p.B == nil:
		return nil, fault.Invalid.Errorf("b is missing")
	}
	a, err := p.A.subject(kind, p, 0)
	if err != nil {
		return nil, err
	}
	b, err := p.B.subject(kind, p, 1)
	if err != nil {
		return nil, err
	}
	return toMatchAnswer(match.Compare(a, b)), nil
}

// MatchSearch is a list of names to search in.
type MatchSearch struct {
	Kind   match.Kind
	Limit  int
	Alerts bool // only hits that are worth a person's time

	names []string
	ids   []string
	index *match.Index
}

// ParseMatchKind reads "person" or "company".
func ParseMatchKind(s string) (match.Kind, bool) { return match.ParseKind(s) }

// A listLine is a line of the list, or of the queries: an object, or a bare name.
type listLine struct {
	matchSide
	ID   json.RawMessage `json:"id"`
	line int
}

func parseListLine(line []byte) (l listLine, err error) {
	line = bytes.TrimSpace(line)
	if !bytes.HasPrefix(line, []byte("{")) {
		l.Name = string(line)
		return l, nil
	}
	var id struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &id) != nil || json.Unmarshal(line, &l.matchSide) != nil {
		return l, fault.Invalid.Errorf("this is no JSON object with a name")
	}
	l.ID = id.ID
	if l.Name == "" && len(l.Names) > 0 {
		l.Name, l.Names = l.Names[0], l.Names[1:]
	}
	if l.Name == "" {
		return l, fault.Invalid.Errorf("it has neither name nor names")
	}
	return l, nil
}

// Read reads the list: a name a line, or a JSON object a line with name or names,
// and id, dob and country if it likes. Empty lines are passed over.
func (m *MatchSearch) Read(r io.Reader) error {
	from := newLines(r)
	var all []listLine
	for n := 1; ; n++ {
		line, err := from.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return badLine(n, err)
		}
		l, err := parseListLine(line)
		if err != nil {
			return badLine(n, err)
		}
		if l.Name == "" {
			continue
		}
		l.line = n
		if l.ID == nil {
			l.ID = fmt.Append(nil, n)
		}
		all = append(all, l)
		m.names = append(m.names, l.Name)
		m.ids = append(m.ids, string(l.ID))
	}
	var first error
	var mu sync.Mutex
	m.index = match.BuildIndex(len(all), func(i int) (uint64, match.Subject) {
		s, err := all[i].subject(m.Kind, matchPair{}, 0)
		if err != nil {
			mu.Lock()
			defer mu.Unlock()
			if first == nil {
				first = badLine(all[i].line, err)
			}
		}
		return uint64(i), s
	})
	return first
}

// badLine says which line is wrong. The command was given as it should be, so it
// is no misuse of it.
func badLine(n int, err error) error { return fmt.Errorf("line %d: %v", n, err) }

type matchHit struct {
	ID   json.RawMessage `json:"id"`
	Name string          `json:"name"`
	matchAnswer
}

// Answer searches for each line of in, and answers it with one line.
func (m *MatchSearch) Answer(in io.Reader, out io.Writer) (bad int, err error) {
	return answerLines(in, out, func(line []byte) (any, error) {
		q, err := parseListLine(line)
		if err != nil {
			return nil, err
		}
		s, err := q.subject(m.Kind, matchPair{}, 0)
		if err != nil {
			return nil, err
		}
		var answer struct {
			ID   json.RawMessage `json:"id,omitempty"`
			Name string          `json:"name"`
			Hits []matchHit      `json:"hits"`
		}
		answer.ID, answer.Name, answer.Hits = q.ID, q.Name, []matchHit{}
		for _, c := range m.index.Search(s, m.Limit, match.Filter{}) {
			if !m.Alerts || c.Alert() {
				answer.Hits = append(answer.Hits, matchHit{json.RawMessage(m.ids[c.ID]), m.names[c.ID], toMatchAnswer(c.Verdict)})
			}
		}
		return answer, nil
	})
}
