package kyc

import (
	"bureau/internal/company"
)

// An Entry is one subject on a list, as its publisher describes it. What is
// empty was not said.
type Entry struct {
	List   string `json:"-"` // the list's name
	Number string `json:"-"` // the publisher's own, which stays the same from file to file

	Kind  Kind   `json:"k"`
	Names []Name `json:"n"` // the main one first

	Born          []Date   `json:"b,omitempty"` // several where the publisher is not sure
	Died          []Date   `json:"d,omitempty"`
	BirthPlaces   []string `json:"bp,omitempty"`
	Gender        Gender   `json:"g,omitempty"`
	Nationalities []string `json:"na,omitempty"` // ISO 3166 alpha-2, or the publisher's word
	Countries     []string `json:"c,omitempty"`  // otherwise tied to it: where it is registered, its flag
	Titles        []string `json:"t,omitempty"`
	Positions     []string `json:"p,omitempty"`

	Identifiers []Identifier `json:"i,omitempty"`
	Addresses   []Address    `json:"a,omitempty"`
	Contacts    []Contact    `json:"co,omitempty"`
	Ship        *Ship        `json:"sh,omitempty"`
	Links       []Link       `json:"l,omitempty"`

	Datasets   []Dataset `json:"ds"`           // what it is listed for
	Bodies     []Body    `json:"bo,omitempty"` // who imposed the sanctions
	PEPTier    int       `json:"pt,omitempty"` // 1 to 3; 0 if not known
	Programmes []string  `json:"pr,omitempty"`
	Measures   []string  `json:"m,omitempty"`
	Reasons    []string  `json:"r,omitempty"`
	Remarks    []string  `json:"re,omitempty"`
	Sources    []Source  `json:"s,omitempty"`

	Listed company.Date `json:"li,omitempty"` // since when it is on the list
	Until  company.Date `json:"u,omitempty"`  // when the measures end by themselves
}

// A Kind is what an entry is.
type Kind string

// The kinds of entries. Other is also what a publisher does not tell.
const (
	Person   Kind = "person"
	Company  Kind = "company"
	Vessel   Kind = "ship"
	Aircraft Kind = "aircraft"
	Other    Kind = "other"
)

// A Gender is what a publisher calls it; empty if it does not say.
type Gender string

const (
	Female Gender = "female"
	Male   Gender = "male"
)

// A Name is one of an entry's names.
type Name struct {
	Text   string   `json:"t"` // in the order in which it is spoken
	Type   NameType `json:"k,omitempty"`
	Weak   bool     `json:"w,omitempty"` // the publisher calls it weak: it fits many others
	Script string   `json:"s,omitempty"` // ISO 15924, if it is not Latin
	First  string   `json:"f,omitempty"` // parts of a person's name, where the publisher tells them
	Middle string   `json:"m,omitempty"`
	Last   string   `json:"l,omitempty"`
}

// A NameType says what a name is to its bearer.
type NameType string

const (
	Primary NameType = ""
	Alias   NameType = "alias"
	Former  NameType = "former"
)

// An Identifier is a number that somebody gave the subject.
type Identifier struct {
	Type    string `json:"t"` // one of the constants below
	Value   string `json:"v"`
	Country string `json:"c,omitempty"` // who gave it
	Note    string `json:"n,omitempty"` // the publisher's own words for it
}

// Types of identifiers.
const (
	Passport     = "passport"
	NationalID   = "nationalId"
	TaxID        = "taxId"
	Registration = "registration"
	LEI          = "lei"
	BIC          = "bic"
	INN          = "inn"
	OGRN         = "ogrn"
	ISIN         = "isin"
	IMO          = "imo"
	MMSI         = "mmsi"
	CallSign     = "callSign"
	TailNumber   = "tailNumber"
	SerialNumber = "serialNumber"
	Wallet       = "wallet" // an address of a digital currency
	UNReference  = "unReference"
	OtherList    = "otherList" // its number on another list
	OtherID      = "other"
)

// An Address is where a subject is or was.
type Address struct {
	Line    string `json:"l,omitempty"`
	City    string `json:"c,omitempty"`
	Region  string `json:"r,omitempty"`
	Post    string `json:"p,omitempty"`
	Country string `json:"k,omitempty"` // ISO 3166 alpha-2, or the publisher's word
	Note    string `json:"n,omitempty"`
}

// A Contact is how a subject is reached.
type Contact struct {
	Type  string `json:"t"` // telephone, fax, email or website
	Value string `json:"v"`
}

// Types of contacts.
const (
	Telephone = "telephone"
	Fax       = "fax"
	Email     = "email"
	Website   = "website"
)

// A Ship is what is said of a ship, or of an aircraft as far as it fits.
type Ship struct {
	Type        string   `json:"t,omitempty"`
	Flag        string   `json:"f,omitempty"`
	FormerFlags []string `json:"ff,omitempty"`
	Owner       string   `json:"o,omitempty"`
	FormerOwner string   `json:"fo,omitempty"`
	Tonnage     string   `json:"d,omitempty"`
	Gross       string   `json:"g,omitempty"`
	Length      string   `json:"l,omitempty"`
	Built       string   `json:"b,omitempty"`
}

// A Link is somebody else whom the publisher ties to the subject.
type Link struct {
	Relation string `json:"r"`
	Name     string `json:"n"`
}

// A Source is where the publisher's word can be read.
type Source struct {
	Title       string       `json:"t"`
	Description string       `json:"d,omitempty"`
	Link        string       `json:"l"`
	Document    string       `json:"o,omitempty"` // a notice or a law, as a link
	Added       company.Date `json:"a,omitempty"` // when the subject was listed there
	Published   company.Date `json:"p,omitempty"` // when what is said of it was last changed
	Copyrighted bool         `json:"c,omitempty"`
	Datasets    []Dataset    `json:"s,omitempty"`
}

// Main is the name that an entry goes by.
func (e *Entry) Main() string {
	if len(e.Names) == 0 {
		return ""
	}
	return e.Names[0].Text
}
