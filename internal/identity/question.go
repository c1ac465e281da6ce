package identity

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"bureau/internal/fault"
)

// A Product is a part of an identity search.
type Product string

const (
	ConsumerSearch Product = "Consumer"
	IDSearch       Product = "Id"
	AMLSearch      Product = "AML"
	BankSearch     Product = "BankMatch"
	AMLBankSearch  Product = "AMLWithBankMatch"
)

// products are all of them in the order of their numbers on the wire.
var products = []Product{ConsumerSearch, IDSearch, AMLSearch, BankSearch, AMLBankSearch}

// ParseProduct reads a product by its name in any case, or its number.
func ParseProduct(text string) (Product, error) {
	plain := strings.ReplaceAll(strings.TrimSpace(text), " ", "")
	for i, p := range products {
		if strings.EqualFold(plain, string(p)) || plain == fmt.Sprint(i) {
			return p, nil
		}
	}
	return "", fault.Invalid.Errorf("%q is none of %v", text, products)
}

// A Question asks who somebody is. Its JSON is what is kept of it.
type Question struct {
	Name      Name         `json:"name"`
	Previous  Name         `json:"previousName,omitzero"`
	Birth     string       `json:"birthDate,omitempty"`
	Gender    string       `json:"gender,omitempty"`
	Addresses [3]Residence `json:"addresses"` // present, and two before it
	Reference string       `json:"-"`
	Products  []Product    `json:"products"`

	Reason        Reason `json:"reason,omitempty"`
	ThirdParty    bool   `json:"thirdPartyOptIn,omitempty"`
	AddressLink   bool   `json:"addressLink,omitempty"`
	AssociateLink bool   `json:"associateLink,omitempty"`

	Landline    string      `json:"landline,omitempty"`
	ExDirectory bool        `json:"exDirectory,omitempty"`
	MultiBureau bool        `json:"multiBureau,omitempty"`
	Account     BankAccount `json:"-"` // never kept
	AccountMark string      `json:"accountMark,omitempty"`
}

// Limits on what customers send.
const (
	MaxField     = 100
	MaxReference = 255
)

var phoneForm = regexp.MustCompile(`^[0-9]{9,15}$`)

// check puts a question in order, and names everything that is wrong with it.
func (q *Question) check(now time.Time) error {
	c := checker{}
	q.Name, q.Previous = q.Name.trimmed(), q.Previous.trimmed()
	q.Reference = strings.TrimSpace(q.Reference)
	if q.Name.First == "" {
		c.say("common.person.currentName.forename", "it is missing")
	}
	if q.Name.Surname == "" {
		c.say("common.person.currentName.surname", "it is missing")
	}
	c.long("common.person.currentName", q.Name.Full())
	c.long("common.person.previousName", q.Previous.Full())
	q.Birth = c.birth("common.person.dateOfBirth", q.Birth, now)
	if q.Gender != "" && !slices.Contains([]string{"Unknown", "Male", "Female"}, q.Gender) {
		c.say("common.person.gender", "it is Unknown, Male or Female")
	}
	for i, field := range []string{"current", "previous1", "previous2"} {
		a := q.Addresses[i].Address
		at := "common.person.addresses." + field
		switch {
		case i == 0 && a.PostCode == "":
			c.say(at+".postCode", "it is missing")
		case a.PostCode != "" && !IsBritishPost(a.PostCode):
			c.say(at+".postCode", "it is not a postcode")
		case a != (Address{}) && a.PostCode == "":
			c.say(at+".postCode", "it is missing")
		}
		c.long(at, a.Line())
	}
	if len([]rune(q.Reference)) > MaxReference {
		c.say("common.reference", "it is longer than %d characters", MaxReference)
	}
	q.checkProducts(&c)
	if len(c.wrong) > 0 {
		return fault.Invalid.Details("Bad request", c.wrong...)
	}
	return nil
}

func (q *Question) checkProducts(c *checker) {
	if len(q.Products) == 0 {
		c.say("products", "name at least one of %v", products)
	}
	if q.has(ConsumerSearch) {
		r, err := parseReason(string(q.Reason), searchReasons)
		if err != nil {
			c.say("consumer.reason", "%s", err)
		}
		q.Reason = r
	} else if q.Reason == "" {
		q.Reason = amlReason
	}
	if q.Landline != "" && !phoneForm.MatchString(q.Landline) {
		c.say("idAml.landlineNumber", "it is not a telephone number: it has 9 to 15 digits")
	}
	code, number := q.Account.SortCode != "", q.Account.Number != ""
	if code && len(onlyDigits(q.Account.SortCode)) != 6 || code && !plainAccount(q.Account.SortCode) {
		c.say("idAml.sortCode", "a sort code has six digits")
	}
	if number && len(onlyDigits(q.Account.Number)) != 8 || number && !plainAccount(q.Account.Number) {
		c.say("idAml.bankAccountNumber", "an account number has eight digits")
	}
	if code != number {
		c.say("idAml.sortCode", "sortCode and bankAccountNumber go together")
	}
	if (q.has(BankSearch) || q.has(AMLBankSearch)) && !code {
		c.say("idAml.sortCode", "a bank match needs sortCode and bankAccountNumber")
	}
}

// plainAccount reports whether a text has nothing but digits and what people
// write between them.
func plainAccount(s string) bool { return strings.Trim(s, "0123456789- ") == "" }

func (q *Question) has(p Product) bool { return slices.Contains(q.Products, p) }

// wantsAML reports whether the databases of an AML search are asked.
func (q *Question) wantsAML() bool {
	return q.has(AMLSearch) || q.has(AMLBankSearch) || q.has(IDSearch)
}

func (n Name) trimmed() Name {
	return Name{words(n.Title), words(n.First), words(n.Middle), words(n.Surname), words(n.Suffix)}
}

func (c *checker) long(field, text string) {
	if len([]rune(text)) > 4*MaxField {
		c.say(field, "it is longer than %d characters", 4*MaxField)
	}
}

// birth reads a date of birth, of which clients send a time as well.
func (c *checker) birth(field, text string, now time.Time) string {
	text = strings.TrimSpace(text)
	day, _, _ := strings.Cut(text, "T")
	if day == "" {
		return ""
	}
	at, err := time.Parse(time.DateOnly, day)
	switch {
	case err != nil:
		c.say(field, "it is not a day such as 1970-05-31")
	case at.After(now):
		c.say(field, "it is still to come")
	case at.Year() < 1880:
		c.say(field, "nobody alive was born then")
	}
	return day
}
