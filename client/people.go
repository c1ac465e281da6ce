package client

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
)

// A PeopleSearch says which directors to find. All that is set must hold.
type PeopleSearch struct {
	Countries []string // where they sit on boards; none is needed beside ID

	ID                            string
	FirstName, LastName, FullName string
	LocalNumber                   string // the publisher's number for the person
	DateOfBirth                   string // 1970-05; a day is not compared
	CompanyID, CompanyName        string
	CompanyRegNo                  string
}

// A FoundPerson is a director that a search found.
type FoundPerson struct {
	ID          string       `json:"peopleId"`
	FirstName   string       `json:"firstName"`
	LastName    string       `json:"lastName"`
	Name        string       `json:"name"`
	Country     string       `json:"country"`
	CompanyName string       `json:"companyName"` // the one that they were appointed to last
	Status      string       `json:"status"`      // Active or Resigned
	DateOfBirth string       `json:"dateOfBirth"` // never the day
	Address     FoundAddress `json:"address"`
	Boards      int          `json:"numberOfAppointments"`
	Score       int          `json:"score"`
	Company     struct {
		ID string `json:"id"`
	} `json:"company"`
}

// FoundPeople are a page of what was found.
type FoundPeople struct {
	Total    int           `json:"totalSize"`
	Cursor   string        `json:"cursor"` // of the next page; empty at the end
	People   []FoundPerson `json:"directors"`
	Messages []Message     `json:"messages"`
}

// SearchPeople finds directors, the likeliest first.
func (c *Client) SearchPeople(ctx context.Context, s PeopleSearch, p Page) (FoundPeople, error) {
	q := url.Values{}
	for name, v := range map[string]string{
		"countries": strings.Join(s.Countries, ","), "peopleId": s.ID, "firstName": s.FirstName, "lastName": s.LastName,
		"fullName": s.FullName, "localDirectorNumber": s.LocalNumber, "dateOfBirth": s.DateOfBirth,
		"companyId": s.CompanyID, "companyName": s.CompanyName, "companyRegistrationNumber": s.CompanyRegNo,
	} {
		if v != "" {
			q.Set(name, v)
		}
	}
	var out FoundPeople
	err := c.Do(ctx, Call{Method: "GET", Path: "/people", Query: p.into(q), Out: &out})
	return out, err
}

// PeopleCriteria reads what directors can be searched by, as it comes.
func (c *Client) PeopleCriteria(ctx context.Context, countries ...string) (json.RawMessage, error) {
	var out json.RawMessage
	q := url.Values{"countries": {strings.Join(countries, ",")}}
	err := c.Do(ctx, Call{Method: "GET", Path: "/people/searchcriteria", Query: q, Out: &out})
	return out, err
}

// A Person is a director and their companies. Raw is the whole as it came.
type Person struct {
	ID     string `json:"directorId"`
	Report struct {
		Summary struct {
			Current  int `json:"currentAppointments"`
			Inactive int `json:"inactiveAppointments"`
			Previous int `json:"previousAppointments"`
		} `json:"directorSummary"`
		Details struct {
			Name        string `json:"name"`
			DateOfBirth string `json:"dateOfBirth"` // never the day
			Nationality string `json:"nationality"`
		} `json:"directorDetails"`
		Directorships struct {
			Current  []Directorship `json:"current"`
			Previous []Directorship `json:"previous"`
		} `json:"directorships"`
	} `json:"report"`

	Raw json.RawMessage `json:"-"`
}

// A Directorship is a seat on a board.
type Directorship struct {
	CompanyID   string `json:"id"`
	CompanyName string `json:"companyName"`
	Status      string `json:"status"` // of the company
	Position    struct {
		Name      string `json:"positionName"`
		Appointed string `json:"dateAppointed"`
		Resigned  string `json:"resignationDate"`
	} `json:"position"`
}

// Person reads a director and their companies, past and present.
func (c *Client) Person(ctx context.Context, id string) (Person, error) {
	var raw json.RawMessage
	if err := c.get(ctx, "/people/"+url.PathEscape(id), &raw); err != nil {
		return Person{}, err
	}
	out := Person{Raw: raw}
	return out, json.Unmarshal(raw, &out)
}
