package lines

import "bureau/internal/company"

// A person is who an officer or owner is.
type person struct {
	ID          string       `json:"id,omitempty"`
	Company     bool         `json:"company,omitempty"`
	Name        string       `json:"name,omitempty"`
	Title       string       `json:"title,omitempty"`
	First       string       `json:"firstName,omitempty"`
	Middle      string       `json:"middleName,omitempty"`
	Surname     string       `json:"surname,omitempty"`
	Birth       company.Date `json:"birth,omitempty"`
	Nationality string       `json:"nationality,omitempty"`
	Residence   string       `json:"residence,omitempty"`
	Occupation  string       `json:"occupation,omitempty"`
	Gender      string       `json:"gender,omitempty"`
	Address     *address     `json:"address,omitempty"`
	RegNo       string       `json:"registerNumber,omitempty"`
	Country     string       `json:"country,omitempty"`
	LEI         string       `json:"lei,omitempty"`
	Protected   bool         `json:"protected,omitempty"`
}

type officer struct {
	person
	Role     string       `json:"role"`
	RoleText string       `json:"roleText,omitempty"`
	From     company.Date `json:"from,omitempty"`
	Until    company.Date `json:"until,omitempty"`
}

type owner struct {
	person
	Natures  []string     `json:"natures,omitempty"`
	ShareMin float64      `json:"shareMin,omitempty"`
	ShareMax float64      `json:"shareMax,omitempty"`
	Indirect bool         `json:"indirect,omitempty"`
	From     company.Date `json:"from,omitempty"`
	Until    company.Date `json:"until,omitempty"`
}

func (p person) domain() company.Person {
	return company.Person{
		ID: p.ID, Company: p.Company, Name: p.Name, Title: p.Title,
		First: p.First, Middle: p.Middle, Surname: p.Surname,
		Birth: p.Birth, Nationality: p.Nationality, Residence: p.Residence,
		Occupation: p.Occupation, Gender: p.Gender, Address: (*company.Address)(p.Address),
		RegNo: p.RegNo, Country: p.Country, LEI: p.LEI, Protected: p.Protected,
	}
}

func newPerson(p company.Person) person {
	return person{
		ID: p.ID, Company: p.Company, Name: p.Name, Title: p.Title,
		First: p.First, Middle: p.Middle, Surname: p.Surname,
		Birth: p.Birth, Nationality: p.Nationality, Residence: p.Residence,
		Occupation: p.Occupation, Gender: p.Gender, Address: (*address)(p.Address),
		RegNo: p.RegNo, Country: p.Country, LEI: p.LEI, Protected: p.Protected,
	}
}

func (o officer) domain() company.Officer {
	return company.Officer{Person: o.person.domain(), Role: o.Role, RoleText: o.RoleText, From: o.From, Until: o.Until}
}

func newOfficer(o company.Officer) officer {
	return officer{person: newPerson(o.Person), Role: o.Role, RoleText: o.RoleText, From: o.From, Until: o.Until}
}

func (o owner) domain() company.Owner {
	return company.Owner{
		Person: o.person.domain(), Natures: o.Natures, ShareMin: o.ShareMin, ShareMax: o.ShareMax,
		Indirect: o.Indirect, From: o.From, Until: o.Until,
	}
}

func newOwner(o company.Owner) owner {
	return owner{
		person: newPerson(o.Person), Natures: o.Natures, ShareMin: o.ShareMin, ShareMax: o.ShareMax,
		Indirect: o.Indirect, From: o.From, Until: o.Until,
	}
}
