package company

import (
	"slices"
	"strings"

	"bureau/internal/match"
)

// An Office is what a company's place is to it, in the words that clients filter
// by.
type Office string

const (
	OfficeRegistered Office = "registered"
	OfficeTrading    Office = "trading"
	OfficeHead       Office = "headOffice"
	OfficeBranch     Office = "branch"
	OfficeSubsidiary Office = "subsidiary"
	OfficeOther      Office = "other"
)

// officeOf is what an address is for.
var officeOf = map[AddressKind]Office{
	Registered: OfficeRegistered, HeadOffice: OfficeHead, TradingPlace: OfficeTrading, Branch: OfficeBranch, Postal: OfficeOther,
}

// Office is what the company itself is: a branch of another, or else what its
// main address is for.
func (c *Company) Office() Office {
	if c.belongs(HeadOf) {
		return OfficeBranch
	}
	for _, kind := range []AddressKind{Registered, HeadOffice, TradingPlace, Branch} {
		if _, ok := c.Address(kind); ok {
			return officeOf[kind]
		}
	}
	return OfficeOther
}

// hasOffice reports whether the company is such an office, or has one.
func (c *Company) hasOffice(o Office) bool {
	if o == c.Office() || o == OfficeSubsidiary && c.belongs(Parent) {
		return true
	}
	return slices.ContainsFunc(c.Addresses, func(a Address) bool { return officeOf[a.Kind] == o })
}

// belongs reports whether the company has a present link of a kind to another.
func (c *Company) belongs(kind LinkKind) bool {
	return slices.ContainsFunc(c.Links, func(l Link) bool {
		return l.Kind == kind && l.Until == "" && (l.ID != "" || l.LEI != "" || l.Name != "")
	})
}

// IsListed reports whether its shares are listed.
func (c *Company) IsListed() bool {
	return slices.ContainsFunc(c.OtherIDs, func(id OtherID) bool {
		return strings.EqualFold(id.Scheme, "ISIN") || strings.EqualFold(id.Scheme, "ticker")
	})
}

func (k KindFilter) holds(c *Company) bool {
	switch k {
	case KindNotSet:
		return c.Kind == ""
	case KindUnregistered:
		return c.Kind == NonLtd && c.RegNo == ""
	}
	return string(c.Kind) == string(k)
}

// passes reports whether all criteria but those of names hold for a company.
func (s *search) passes(c *Company) bool {
	country := c.ID.Country()
	switch {
	case len(s.Countries) > 0 && !slices.Contains(s.Countries, country),
		s.Listed && !c.IsListed(),
		s.only != nil && !s.only[c.ID],
		s.RegNo != "" && !sameReg(country, s.RegNo, c.ID.Number()) && (c.RegNo == "" || !sameReg(country, s.RegNo, c.RegNo)),
		s.VAT != "" && !slices.ContainsFunc(c.VAT, func(v string) bool { return sameVAT(country, v, s.VAT) }),
		s.Status != "" && c.Status != s.Status,
		s.Kind != "" && !s.Kind.holds(c),
		s.Office != "" && !c.hasOffice(s.Office),
		len(s.Phones) > 0 && !slices.ContainsFunc(c.Phones, func(p string) bool { return slices.Contains(s.phones, phoneKey(p)) }),
		s.Website != "" && (s.web == "" || !slices.ContainsFunc(c.Websites, func(w string) bool { return webKey(w) == s.web })):
		return false
	}
	return !s.asksPlace() || slices.ContainsFunc(c.Addresses, s.isThere)
}

// sameVAT compares VAT numbers, with or without the country before them.
func sameVAT(country, a, b string) bool {
	return strings.TrimPrefix(vatKey(a), country) == strings.TrimPrefix(vatKey(b), country)
}

func (s *search) asksPlace() bool {
	return s.Address != "" || s.Street != "" || s.House != "" || s.City != "" || s.Post != "" || s.Region != ""
}

// isThere reports whether an address is the one that was asked for.
func (s *search) isThere(a Address) bool {
	switch {
	case a.Kind == FormerAddress, s.NoTradingPlaces && (a.Kind == TradingPlace || a.Kind == Branch):
		return false
	case s.Post != "" && (s.post == "" || postKey(a.Post) != s.post && !(s.prefix && strings.HasPrefix(postKey(a.Post), s.post))),
		s.City != "" && (s.city == "" || plainKey(a.City) != s.city),
		s.Region != "" && (s.region == "" || plainKey(a.Region) != s.region),
		s.Street != "" && (s.street == "" || !slices.ContainsFunc(a.streets(), func(t string) bool { return streetKey(t) == s.street })):
		return false
	case s.House != "" && !slices.Equal(plainWords(a.House), s.house) && !a.mentions(s.house):
		return false
	}
	return s.Address == "" || len(s.address) > 0 && a.holds(s.address)
}

// mentions reports whether a house's number stands in the lines of an address.
func (a *Address) mentions(house []string) bool {
	return len(house) > 0 && slices.ContainsFunc(a.streets(), func(line string) bool {
		words := plainWords(line)
		for i := 0; i+len(house) <= len(words); i++ {
			if slices.Equal(words[i:i+len(house)], house) {
				return true
			}
		}
		return false
	})
}

// addressWords are the words of a free address, cut short as in streets.
func addressWords(s string) []string {
	words := plainWords(s)
	for i, w := range words {
		if short, ok := streetWords[w]; ok {
			words[i] = short
		} else if stem, ok := strings.CutSuffix(w, "strasse"); ok {
			words[i] = stem + "str"
		}
	}
	return words
}

// holds reports whether all words of a free address are in an address. A post
// code may be written in one or in two.
func (a *Address) holds(asked []string) bool {
	words := addressWords(a.Line())
	words = append(words, strings.ToLower(postKey(a.Post)))
	for i := 0; i < len(asked); i++ {
		switch {
		case slices.Contains(words, asked[i]):
		case i+1 < len(asked) && slices.Contains(words, asked[i]+asked[i+1]):
			i++
		default:
			return false
		}
	}
	return true
}

// nameScore is how near a company's name is to the one that was asked for; ok is
// false if it is not an answer.
func (s *search) nameScore(c *Company) (score, chance float64, ok bool) {
	if !s.asksName() {
		return 0, 0, true
	}
	if s.Acronym != "" && !c.hasAcronym(plainKey(s.Acronym)) {
		return 0, 0, false
	}
	without := map[NameKind]bool{Trading: s.NoTradingNames, Former: s.NoFormerNames}
	for _, asked := range []struct {
		subject match.Subject
		names   func() []string
		exact   string
	}{
		{s.tradeName, func() []string { return c.namesOf(Trading) }, ""},
		{s.name, func() []string { return c.texts(without) }, plainKey(s.Name)},
	} {
		if len(asked.subject.Names) == 0 {
			continue
		}
		names := asked.names()
		if s.Exact && asked.exact != "" {
			names = slices.DeleteFunc(names, func(n string) bool { return plainKey(n) != asked.exact })
		}
		v := match.Compare(asked.subject, match.NewSubject(match.Company, names...))
		if len(names) == 0 || !isNear(v.Score, asked.subject, names) {
			return 0, 0, false
		}
		score, chance = v.Score, v.Probability
	}
	return score, chance, true
}

func (c *Company) namesOf(kind NameKind) (out []string) {
	for _, n := range c.Names {
		if n.Kind == kind {
			out = append(out, n.Text)
		}
	}
	return out
}

// hasAcronym reports whether a company is known by a short name.
func (c *Company) hasAcronym(key string) bool {
	return slices.ContainsFunc(append(c.namesOf(Short), c.Name), func(n string) bool { return plainKey(n) == key })
}
