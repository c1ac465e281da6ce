package national

import (
	"regexp"
	"strings"
)

// read turns the rule into clauses, and says how many of its sentences it
// understood.
func (b Board) read() (out []clause, understood, sentences int) {
	for _, text := range strings.FieldsFunc(b.Rule, func(r rune) bool { return r == '.' || r == ';' || r == '\n' }) {
		s := strings.ToLower(strings.Join(strings.Fields(text), " "))
		if s == "" {
			continue
		}
		sentences++
		if isDaily(s) {
			understood++ // it says what the law says anyway
			continue
		}
		all := true
		for _, way := range alternatives(s) {
			c, ok := b.sentence(way)
			if ok {
				out = append(out, c)
			}
			all = all && ok
		}
		if all {
			understood++
		}
	}
	return out, understood, sentences
}

func isDaily(s string) bool {
	return strings.Contains(s, "löpande förvaltning") || strings.Contains(s, "day-to-day") || strings.Contains(s, "daily running")
}

var opening = regexp.MustCompile(`^(dessutom )?(bolagets firma|firman|firma|the company|the firm) (tecknas|is signed|is signed for)( dessutom| också| also)?( av| by)? ?`)

// alternatives are the ways that a sentence offers.
func alternatives(s string) (out []string) {
	s = opening.ReplaceAllString(s, "")
	for _, part := range regexp.MustCompile(` eller av | eller | or by | or `).Split(s, -1) {
		out = append(out, strings.Trim(part, " ,"))
	}
	return out
}

const (
	jointly = `(?:i förening|gemensamt|tillsammans|jointly|together)`
	alone   = `(?:var för sig|ensam|var och en|each|alone|individually|severally)`
	count   = `(en|ett|två|tre|fyra|fem|one|two|three|four|five)`
)

var counts = map[string]int{
	"en": 1, "ett": 1, "two": 2, "två": 2, "tre": 3, "three": 3, "fyra": 4, "four": 4, "fem": 5, "five": 5, "one": 1,
}

// forms are the sentences that registers write. Each makes a clause of what its
// groups caught; the first that fits is taken.
var forms = []struct {
	form  *regexp.Regexp
	makes func(b Board, m []string) (clause, bool)
}{
	{regexp.MustCompile(`^(?:styrelsen|hela styrelsen|the board)$`), Board.wholeBoard},
	{regexp.MustCompile(`^` + alone + ` (?:av |of |by )?(.+)$`), Board.anyOne},
	{regexp.MustCompile(`^(.+?),? ` + alone + `$`), Board.anyOne},
	{regexp.MustCompile(`^(.+?),? ` + jointly + ` (?:med|with) (.+)$`), Board.both},
	{regexp.MustCompile(`^` + count + `,? ` + jointly + `,? (?:av |of )?(.+)$`), Board.some},
	{regexp.MustCompile(`^` + count + ` (?:av |of )?(.+?),? ` + jointly + `$`), Board.some},
	{regexp.MustCompile(`^` + jointly + ` (?:av |by )?(.+)$`), Board.allOf},
	{regexp.MustCompile(`^(.+?),? ` + jointly + `$`), Board.allOf},
	{regexp.MustCompile(`^` + count + ` (?:av |of )(.+)$`), Board.some},
	{regexp.MustCompile(`^(.+)$`), Board.single},
}

func (b Board) sentence(s string) (clause, bool) {
	for _, f := range forms {
		if m := f.form.FindStringSubmatch(s); m != nil {
			if c, ok := f.makes(b, m); ok {
				return c, true
			}
		}
	}
	return nil, false
}

// wholeBoard is the board as a body: more than half of its members.
func (b Board) wholeBoard([]string) (clause, bool) {
	all := b.members()
	return clause{{n: len(all.list())/2 + 1, from: all}}, true
}

// members are the ordinary members, the chair among them.
func (b Board) members() people { return b.with(Member) | b.with(Chair) }

func (b Board) anyOne(m []string) (clause, bool) {
	g, ok := b.group(m[1])
	return clause{{1, g}}, ok
}

func (b Board) some(m []string) (clause, bool) {
	g, ok := b.group(m[2])
	return clause{{counts[m[1]], g}}, ok
}

// both joins two sides, each of which may be "one of" some, or somebody.
func (b Board) both(m []string) (clause, bool) {
	left, ok := b.side(m[1])
	right, ok2 := b.side(m[2])
	return append(left, right...), ok && ok2
}

var oneOf = regexp.MustCompile(`^` + count + ` (?:av |of )?(.+)$`)

func (b Board) side(text string) (clause, bool) {
	if m := oneOf.FindStringSubmatch(text); m != nil {
		return b.some(m)
	}
	if c, ok := b.single([]string{"", text}); ok {
		return c, true
	}
	return b.allOf([]string{"", text})
}

// allOf is everybody who is named.
func (b Board) allOf(m []string) (out clause, ok bool) {
	for _, item := range items(m[1]) {
		g, ok := b.item(item)
		if !ok || len(g.list()) > 1 {
			return nil, false // "the members jointly" is not a number of them
		}
		out = append(out, pick{1, g})
	}
	return out, len(out) > 0
}

// single is one person, by name or by a role that one person has.
func (b Board) single(m []string) (clause, bool) {
	g, ok := b.item(m[1])
	return clause{{1, g}}, ok && len(g.list()) <= 1
}

// group is the people of a list of roles and names.
func (b Board) group(text string) (out people, ok bool) {
	list := items(text)
	for _, item := range list {
		g, ok := b.item(item)
		if !ok {
			return 0, false
		}
		out |= g
	}
	return out, len(list) > 0
}

var between = regexp.MustCompile(`, och |, samt |, and |,| och | samt | respektive | and `)

func items(text string) (out []string) {
	for _, item := range between.Split(text, -1) {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}

// item is one role, or one person. A role that nobody has today is understood:
// it is nobody.
func (b Board) item(text string) (people, bool) {
	text = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(text), "the "), "of ")
	for i, s := range b.Signers {
		if strings.EqualFold(strings.Join(strings.Fields(s.Name), " "), text) {
			return 1 << i, true
		}
	}
	switch r := wordOf(text); r {
	case OtherRole:
		return 0, false
	case Member:
		return b.members(), true
	default:
		return b.with(r), true
	}
}

// wordOf is the role that a text names and nothing else: a name that happens to
// hold such a word is none.
func wordOf(text string) Role {
	r := roleOf(text)
	if r == OtherRole || strings.Count(text, " ") > 2 {
		return OtherRole
	}
	for _, w := range roleWords {
		if strings.HasPrefix(text, w.word) {
			return r
		}
	}
	return OtherRole
}

func (b Board) with(r Role) (out people) {
	for i, s := range b.Signers {
		for _, has := range s.Roles {
			if has == r {
				out |= 1 << i
			}
		}
	}
	return out
}
