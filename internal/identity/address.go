package identity

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// An Address is where somebody lives, in the parts that the British post knows.
// In other countries some of them stay empty.
type Address struct {
	CareOf       string `json:"careOf,omitempty"`
	Abode        string `json:"abodeNo,omitempty"`
	SubBuilding  string `json:"subBuilding,omitempty"`
	BuildingName string `json:"buildingName,omitempty"`
	BuildingNo   string `json:"buildingNo,omitempty"`
	Street       string `json:"street,omitempty"`
	SubStreet    string `json:"subStreet,omitempty"`
	District     string `json:"district,omitempty"`
	City         string `json:"city,omitempty"`
	PostCode     string `json:"postCode,omitempty"`
	Country      string `json:"country,omitempty"`
}

// Line is the address in one line.
func (a Address) Line() string { return a.line(true) }

// LineWithoutCareOf leaves out at whose place it is.
func (a Address) LineWithoutCareOf() string { return a.line(false) }

func (a Address) line(careOf bool) string {
	parts := []string{words(a.Abode, a.SubBuilding), a.BuildingName, words(a.BuildingNo, a.Street), a.SubStreet, a.District, words(a.City), a.PostCode}
	if careOf && a.CareOf != "" {
		parts = append([]string{"c/o " + a.CareOf}, parts...)
	}
	var out []string
	for _, p := range parts {
		if p = words(p); p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, ", ")
}

// A Grade says how what was asked stands to what is held.
type Grade int

const (
	Unknown Grade = iota // there is nothing to compare on one side or both
	Differs
	Close
	Same
)

var gradeWords = [...]string{Unknown: "not known", Differs: "differs", Close: "is close", Same: "is the same"}

func (g Grade) String() string { return gradeWords[g] }

// Compare says how two addresses stand to each other. The postcode decides, with
// the house: two flats of one house are different, and a house that one side
// does not name may be the same.
func (a Address) Compare(b Address) Grade {
	x, y := a.plain(), b.plain()
	if x == (plainAddress{}) || y == (plainAddress{}) {
		return Unknown
	}
	house := x.house(y)
	switch {
	case x.post != "" && x.post == y.post:
		return house
	case x.post != "" && y.post != "" && !near(x.post, y.post):
		return Differs
	case house != Same || !sameWords(x.street, y.street) || x.street == "":
		return Differs
	case x.city != "" && y.city != "" && !near(x.city, y.city):
		return Differs
	case x.post == "" || y.post == "":
		return Same
	}
	return Close // a letter of the postcode is wrong
}

// A plainAddress is an address as it is compared.
type plainAddress struct{ post, no, flat, street, city string }

func (a Address) plain() plainAddress {
	p := plainAddress{post: PlainPost(a.PostCode), city: fold(a.City)}
	p.no = plainNumber(a.BuildingNo)
	street, name := fold(a.Street), fold(a.BuildingName)
	if p.no == "" {
		// "12 High Street" in one field.
		if first, rest, ok := strings.Cut(street, " "); ok && startsWithDigit(first) {
			p.no, street = first, rest
		} else if first, rest, _ := strings.Cut(name, " "); startsWithDigit(first) {
			p.no, name = first, rest
		}
	}
	if p.no == "" {
		p.no = name
	}
	p.flat = flatOf(fold(words(a.Abode, a.SubBuilding)))
	var out []string
	for w := range strings.FieldsSeq(street) {
		if long, ok := streetWords[w]; ok {
			w = long
		}
		out = append(out, w)
	}
	p.street = strings.Join(out, " ")
	return p
}

// house compares what is inside a postcode.
func (p plainAddress) house(q plainAddress) Grade {
	switch {
	case p.no == "" || q.no == "":
		return Close
	case p.no != q.no:
		return Differs
	case p.flat != "" && q.flat != "" && p.flat != q.flat:
		return Differs
	case p.flat != q.flat:
		return Close
	}
	return Same
}

// PlainPost is a postcode without what people write between its halves.
func PlainPost(s string) string {
	return strings.ToUpper(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s))
}

var britishPost = regexp.MustCompile(`^[A-Z]{1,2}[0-9][A-Z0-9]?[0-9][A-Z]{2}$`)

// IsBritishPost reports whether a text can be a British postcode.
func IsBritishPost(s string) bool { return britishPost.MatchString(PlainPost(s)) }

func plainNumber(s string) string { return strings.ReplaceAll(fold(s), " ", "") }

func startsWithDigit(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }

// flatOf takes off the words that only say that it is a flat.
func flatOf(s string) string {
	var out []string
	for w := range strings.FieldsSeq(s) {
		switch w {
		case "flat", "apartment", "apt", "unit", "suite", "room", "no", "lgh":
		default:
			out = append(out, w)
		}
	}
	return strings.Join(out, "")
}

// streetWords are short forms and what they stand for.
var streetWords = map[string]string{
	"st": "street", "rd": "road", "ave": "avenue", "av": "avenue", "ln": "lane", "dr": "drive", "cl": "close", "ct": "court",
	"cres": "crescent", "gdns": "gardens", "pl": "place", "sq": "square", "terr": "terrace", "ter": "terrace", "gr": "grove", "pk": "park",
}

// fold is a text in small letters without accents, with single blanks for
// everything else.
func fold(s string) string {
	var b strings.Builder
	blank := false
	for _, r := range norm.NFD.String(strings.ToLower(s)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if blank && b.Len() > 0 {
				b.WriteByte(' ')
			}
			blank = false
			b.WriteRune(r)
		case r == '\'' || r == '’' || unicode.Is(unicode.Mn, r):
		default:
			blank = true
		}
	}
	return b.String()
}

func sameWords(a, b string) bool {
	return near(strings.ReplaceAll(a, " ", ""), strings.ReplaceAll(b, " ", ""))
}

// near reports whether two texts are the same but for one letter that is
// missing, wrong, or has changed places with its neighbour.
func near(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) < len(y) {
		x, y = y, x
	}
	if len(x)-len(y) > 1 {
		return false
	}
	i := 0
	for i < len(y) && x[i] == y[i] {
		i++
	}
	tail := func(p, q []rune) bool { return string(p) == string(q) }
	switch {
	case i == len(x):
		return true
	case len(x) > len(y):
		return tail(x[i+1:], y[i:])
	case tail(x[i+1:], y[i+1:]):
		return true
	}
	return i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && tail(x[i+2:], y[i+2:])
}
