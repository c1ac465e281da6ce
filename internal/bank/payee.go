package bank

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"bureau/internal/fault"
	"bureau/internal/match"
)

// NameMatch is what the comparison of names comes to, in the words that clients
// know.
type NameMatch string

const (
	FullMatch  NameMatch = "Full"
	CloseMatch NameMatch = "Close"
	NoMatch    NameMatch = "No Match"
	NotAsked   NameMatch = "" // there was no name to compare with
)

// closeName is the score of package match from which a name is close. It stands
// far below that of screening: there a name is all there is, here it stands
// beside an account number that only few people have. A nickname before the commonest
// surname (Bill Smith, William Smith) has some 0.65, a given name alone 0.3, brothers (Tom
// and Tim) have 0.1.
const closeName = 0.45

// A Naming is how a name that was given stands to one that an account is held
// under.
type Naming struct {
	Held  string
	Match NameMatch
	Score float64 // from 0 to 1
	Why   string  // in a few words
}

// CompareNames says how the name that a payer gave stands to one that an account
// is held under. A full match has the same words; titles, accents, order and the
// ways to write a legal form do not matter. Another legal form is another company
// until somebody has looked.
func CompareNames(given, held string, kind AccountType) Naming {
	k := match.Person
	if kind == Business {
		k = match.Company
	}
	v := match.Compare(match.NewSubject(k, given), match.NewSubject(k, held))
	n := Naming{Held: held, Match: NoMatch, Score: v.Score, Why: strings.Join(v.Why, "; ")}
	switch {
	case v.Grades.Name == "A" && (v.Grades.Form == "A" || v.Grades.Form == "Z"):
		n.Match = FullMatch
	case k == match.Person && (initials(given) || initials(held)):
		// They are those of too many to come close to anybody.
	case v.Score >= closeName:
		n.Match = CloseMatch
	}
	return n
}

// initials says that a name has no word of more than a letter.
func initials(name string) bool {
	for w := range strings.FieldsSeq(Sought(name)) {
		if utf8.RuneCountInString(w) > 1 {
			return false
		}
	}
	return true
}

// nearest is the best of all pairs of a name given and a name held.
func nearest(given, held []string, kind AccountType) Naming {
	rank := map[NameMatch]int{CloseMatch: 1, FullMatch: 2}
	out := Naming{Match: NoMatch, Why: "there is no name to compare"}
	for _, g := range given {
		for _, h := range held {
			n := CompareNames(g, h, kind)
			if c := cmp.Compare(rank[n.Match], rank[out.Match]); c > 0 || c == 0 && (n.Score > out.Score || out.Held == "") {
				out = n
			}
		}
	}
	return out
}

// Sought is a name as it is searched for: without case, accents and punctuation.
func Sought(name string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ReplaceAll(name, "&", " and ")) {
		switch {
		case unicode.Is(unicode.Mn, r) || strings.ContainsRune("'’.`´", r):
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteString(fold(unicode.ToLower(r)))
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// fold writes the letters that do not come apart into a letter and a mark as
// they are written without it.
func fold(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ø':
		return "o"
	case 'đ', 'ð':
		return "d"
	case 'ł':
		return "l"
	case 'þ':
		return "th"
	case 'ı':
		return "i"
	}
	return string(r)
}

// ParseNameMatch reads what a comparison came to, in any case and with or
// without the blank.
func ParseNameMatch(text string) (NameMatch, error) {
	for _, m := range []NameMatch{FullMatch, CloseMatch, NoMatch} {
		if strings.EqualFold(strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(string(m), " ", "")) {
			return m, nil
		}
	}
	return "", fault.Invalid.Errorf("it is Full, Close or No Match")
}
