package identity

import (
	"slices"
	"strings"

	"bureau/internal/company"
)

// The JSON tags in this file are the form in which consumers are stored and
// imported. A tag is never changed or used again for something else.

// A Consumer is a person, as the operator loaded them.
type Consumer struct {
	Country string `json:"country"` // ISO 3166 alpha-2
	Number  string `json:"number"`  // in that country: a register's number, or the operator's own

	Name   Name        `json:"name"`
	Names  []OtherName `json:"otherNames,omitempty"` // former ones and aliases
	Gender Gender      `json:"gender,omitempty"`

	Birth company.Date `json:"birthDate,omitempty"`
	Death company.Date `json:"deathDate,omitempty"`

	Addresses []Residence `json:"addresses,omitempty"`     // the present one first
	Electoral []Residence `json:"electoralRoll,omitempty"` // where they are registered to vote

	Judgments    []Judgment   `json:"judgments,omitempty"`
	Insolvencies []Insolvency `json:"insolvencies,omitempty"`

	Phones      []string `json:"phones,omitempty"`
	ExDirectory bool     `json:"exDirectory,omitempty"`

	// Person is who they are on the boards of companies, if the operator knows.
	Person company.PersonID `json:"peopleId,omitempty"`

	CivilStatus  string     `json:"civilStatus,omitempty"`
	Municipality string     `json:"municipality,omitempty"`
	County       string     `json:"county,omitempty"`
	Emigrated    string     `json:"emigratedTo,omitempty"` // a country
	Relations    []Relation `json:"relations,omitempty"`
	Incomes      []Income   `json:"incomes,omitempty"` // the newest first
	Score        *Score     `json:"score,omitempty"`   // the operator's own

	// Protected says that the law hides the person: that they exist is not told.
	Protected bool `json:"protected,omitempty"`
	// Test says that nobody is meant: an entry of a register's test data.
	Test bool `json:"test,omitempty"`

	// Accounts and Documents are fingerprints.
	Accounts  []Account  `json:"accountMarks,omitempty"`
	Documents []Document `json:"documentMarks,omitempty"`
}

// An ID names a consumer: the country and the number.
type ID string

// ID is what the consumer is kept under.
func (c *Consumer) ID() ID { return NewID(c.Country, c.Number) }

// NewID is the ID of a number in a country.
func NewID(country, number string) ID { return ID(strings.ToUpper(country) + "-" + number) }

// Country is where the number was given.
func (id ID) Country() string {
	country, _, _ := strings.Cut(string(id), "-")
	return country
}

// Number is the part behind the country.
func (id ID) Number() string {
	_, number, _ := strings.Cut(string(id), "-")
	return number
}

// A Name is a person's name in its parts.
type Name struct {
	Title   string `json:"title,omitempty"`
	First   string `json:"forename,omitempty"`
	Middle  string `json:"otherNames,omitempty"`
	Surname string `json:"surname,omitempty"`
	Suffix  string `json:"suffix,omitempty"`
}

// Full is the name in one line, without the title.
func (n Name) Full() string { return words(n.First, n.Middle, n.Surname, n.Suffix) }

// An OtherName is a name that somebody had before, or has as well.
type OtherName struct {
	Name
	Kind  NameKind     `json:"kind"`
	Until company.Date `json:"until,omitempty"`
}

// NameKind says what another name is.
type NameKind string

const (
	Former NameKind = "former"
	Alias  NameKind = "alias"
)

// Gender is as registers write it.
type Gender string

const (
	Male   Gender = "male"
	Female Gender = "female"
)

// A Residence is an address with its time.
type Residence struct {
	Address
	From  company.Date `json:"from,omitempty"`
	Until company.Date `json:"until,omitempty"`
}

// Present reports whether it has not ended.
func (r Residence) Present() bool { return r.Until == "" }

// An Amount is whole minor units of a currency.
type Amount struct {
	Minor    int64  `json:"minorUnits"`
	Currency string `json:"currency"`
}

// A Judgment is what a court ordered somebody to pay.
type Judgment struct {
	Date      company.Date `json:"date"`
	Amount    Amount       `json:"amount,omitzero"`
	Court     string       `json:"court,omitempty"`
	CourtType string       `json:"courtType,omitempty"`
	Case      string       `json:"caseNumber,omitempty"`
	Satisfied company.Date `json:"satisfied,omitempty"` // when it was paid
	Address   *Address     `json:"address,omitempty"`
}

// An Insolvency is an order about somebody who cannot pay.
type Insolvency struct {
	Kind        string       `json:"kind"` // "bankruptcy", "voluntaryArrangement", "debtRelief"
	Date        company.Date `json:"date"`
	Court       string       `json:"court,omitempty"`
	Case        string       `json:"caseNumber,omitempty"`
	Discharged  company.Date `json:"discharged,omitempty"`
	Amount      Amount       `json:"amount,omitzero"`
	TradingName string       `json:"tradingName,omitempty"`
	Restricted  company.Date `json:"restrictedUntil,omitempty"`
	Address     *Address     `json:"address,omitempty"`
}

// Kinds of insolvencies.
const (
	Bankruptcy           = "bankruptcy"
	VoluntaryArrangement = "voluntaryArrangement"
	DebtRelief           = "debtRelief"
)

// A Relation is somebody of the family.
type Relation struct {
	Kind   string `json:"kind"` // "spouse", "parent", "child", "guardian"
	Number string `json:"number,omitempty"`
}

// An Income is what somebody earned in a year.
type Income struct {
	Year   int    `json:"year"`
	Amount Amount `json:"amount"`
}

// A Score is what the operator thinks of somebody's credit.
type Score struct {
	Value int `json:"value"`
	Band  int `json:"band"`
}

// An Account is a bank account of which we know only a fingerprint.
type Account struct {
	Mark string `json:"mark"`
}

// A Document is an identity document of which we know only a fingerprint.
type Document struct {
	Kind DocumentKind `json:"kind"`
	Mark string       `json:"mark"`
}

// DocumentKind says what a document is.
type DocumentKind string

const (
	Passport          DocumentKind = "passport"
	DrivingLicence    DocumentKind = "drivingLicence"
	IDCard            DocumentKind = "idCard"
	NationalInsurance DocumentKind = "nationalInsurance"
	ElectricityMeter  DocumentKind = "electricityMeter"
)

// DocumentKinds are all of them.
func DocumentKinds() []DocumentKind {
	return []DocumentKind{Passport, DrivingLicence, IDCard, NationalInsurance, ElectricityMeter}
}

// Current is where somebody lives, or lived last.
func (c *Consumer) Current() (Residence, bool) {
	if i := slices.IndexFunc(c.Addresses, Residence.Present); i >= 0 {
		return c.Addresses[i], true
	}
	if len(c.Addresses) > 0 {
		return c.Addresses[0], true
	}
	return Residence{}, false
}

// AllNames are all names that somebody goes by, the present one first.
func (c *Consumer) AllNames() []Name {
	out := []Name{c.Name}
	for _, n := range c.Names {
		out = append(out, n.Name)
	}
	return out
}

// words joins what is not empty.
func words(parts ...string) string {
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}
