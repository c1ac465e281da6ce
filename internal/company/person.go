package company

import (
	"encoding/base32"
	"encoding/binary"
	"regexp"
	"strings"

	"github.com/cespare/xxhash/v2"

	"bureau/internal/fault"
)

// A PersonID is who sits on a board: a country, a hyphen, and a number in that
// country ("GB-123456780001"). It is the same on every board, for as long as the
// publisher says the same of the person.
type PersonID string

var personID = regexp.MustCompile(`^[A-Za-z]{2}[0-9]{0,3}-[A-Za-z0-9$]{1,60}$`)

// ParsePersonID reads the id of a person. Its country may be in any case.
func ParsePersonID(s string) (PersonID, error) {
	s = strings.TrimSpace(s)
	if !personID.MatchString(s) {
		return "", fault.Invalid.Errorf("%q is not a person's id: it looks like GB-123456780001", fault.Clip(s))
	}
	return PersonID(strings.ToUpper(s[:2]) + s[2:]), nil
}

// Country is where the person's number was given.
func (id PersonID) Country() string {
	if len(id) < 2 {
		return ""
	}
	return string(id[:2])
}

// PersonID is who an officer of a company is. Two officers are the same person
//
//   - where the publisher gave both the same number in the same country, else
//   - where they have the same name and were born in the same month, in the
//     same country, else
//   - where they have the same name on the board of the same company.
//
// A namesake is never taken for somebody: what a publisher does not tell apart
// by a number or a date of birth stays apart by company. A company on a board is
// known by its own number. Somebody who may not be shown has no id.
func (p *Person) PersonID(of ID) PersonID {
	country := of.Country()
	switch number := plainNumber(p.ID); {
	case p.Protected || p.Name == "":
		return ""
	case personID.MatchString(p.ID):
		return PersonID(strings.ToUpper(p.ID[:2]) + p.ID[2:])
	case number != "":
		return PersonID(country + "-" + number)
	case p.Company && p.RegNo != "":
		return madeID(country, "company", p.Country, string(NewID(p.Country, p.RegNo)))
	case len(p.Birth) >= len("2006-01"):
		return madeID(country, "born", fold(p.Name), string(p.Birth[:len("2006-01")]))
	}
	return madeID(country, "board", string(of), fold(p.Name))
}

// plainNumber is a publisher's number with nothing in it but letters and digits.
func plainNumber(s string) string {
	s = strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' {
			return r
		}
		return -1
	}, s)
	if len(s) > 60 {
		return ""
	}
	return s
}

// madeID is an id of our own making. The X tells it from a publisher's.
func madeID(country string, parts ...string) PersonID {
	sum := binary.BigEndian.AppendUint64(nil, xxhash.Sum64String(strings.Join(parts, "\x00")))
	return PersonID(country + "-X" + base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum))
}

// A Director is a person and all boards that they sit on, or sat on.
type Director struct {
	ID PersonID
	Person
	Seats []Seat
}

// A Seat is an appointment of a director.
type Seat struct {
	Company Company
	Officer
}

// Present reports whether the appointment has not ended.
func (s *Seat) Present() bool { return s.Until == "" }

// seats are the appointments of one person in a company.
func (c *Company) seats(id PersonID) (out []Seat) {
	for i := range c.Officers {
		if c.Officers[i].PersonID(c.ID) == id {
			out = append(out, Seat{*c, c.Officers[i]})
		}
	}
	return out
}
