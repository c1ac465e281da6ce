package auth

import (
	"slices"
	"strings"

	"bureau/internal/fault"
)

// A Product is a part of the service that a customer may use.
type Product string

const (
	Companies        Product = "companies"
	Monitoring       Product = "monitoring"
	People           Product = "people"
	Images           Product = "images"
	KYC              Product = "kyc"
	BankMatch        Product = "bank-match"
	BankVerification Product = "bank-verification"
	Identity         Product = "identity"
	Verify           Product = "verify"
	NonLimited       Product = "non-limited"
	Sweden           Product = "sweden"
)

// Open stands where a product would for what any account may use.
const Open Product = ""

// Products are all of them, in the order they are shown.
func Products() []Product {
	return []Product{
		Companies, Monitoring, People, Images, KYC, BankMatch, BankVerification,
		Identity, Verify, NonLimited, Sweden,
	}
}

// Everywhere is the country of a grant that holds in all of them.
const Everywhere = "*"

// A Grant lets a customer use a product in a country for a time.
type Grant struct {
	Product Product
	Country string // ISO 3166 alpha-2, or Everywhere
	From    Date
	Until   Date  // the last day; empty means no end
	Paid    int64 // how many calls the customer bought; 0 means as many as it likes
}

func (g Grant) check() error {
	if !slices.Contains(Products(), g.Product) {
		return fault.Invalid.Errorf("there is no product %q; the products are %s", g.Product, productNames())
	}
	if g.Country != Everywhere && !isCountry(g.Country) {
		return fault.Invalid.Errorf("%q is not a country: use two capital letters such as GB, or %s for all", g.Country, Everywhere)
	}
	if g.Paid < 0 {
		return fault.Invalid.Errorf("the number of paid calls cannot be negative")
	}
	if g.Until != "" && g.From != "" && g.Until < g.From {
		return fault.Invalid.Errorf("the grant ends on %s, before it begins on %s", g.Until, g.From)
	}
	return nil
}

// covers reports whether g allows its product in country on a day. Without a
// country any grant of the product will do.
func (g Grant) covers(p Product, country string, on Date) bool {
	return g.Product == p &&
		(country == "" || g.Country == Everywhere || strings.EqualFold(g.Country, country)) &&
		(g.From == "" || g.From <= on) && (g.Until == "" || on <= g.Until)
}

func isCountry(s string) bool {
	return len(s) == 2 && 'A' <= s[0] && s[0] <= 'Z' && 'A' <= s[1] && s[1] <= 'Z'
}

func productNames() string {
	var b strings.Builder
	for i, p := range Products() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(p))
	}
	return b.String()
}
