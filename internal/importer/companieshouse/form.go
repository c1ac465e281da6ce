package companieshouse

import (
	"strings"

	"bureau/internal/company"
)

// form is what a company's category comes to. The codes are those of the
// publisher's own interface, because the categories in the file are prose that
// has been reworded over the years.
type form struct {
	code string
	kind company.Kind
}

// forms are the categories of product 217, in lower case and without what
// stands in brackets.
var forms = map[string]form{
	"private limited company":             {"ltd", company.Ltd},
	"public limited company":              {"plc", company.Ltd},
	"old public company":                  {"old-public-company", company.Ltd},
	"pri/ltd by guar/nsc":                 {"private-limited-guarant-nsc", company.Ltd},
	"pri/lbg/nsc":                         {"private-limited-guarant-nsc-limited-exemption", company.Ltd},
	"priv ltd sect. 30":                   {"private-limited-shares-section-30-exemption", company.Ltd},
	"community interest company":          {"community-interest-company", company.Ltd},
	"limited liability partnership":       {"llp", company.Ltd},
	"united kingdom societas":             {"united-kingdom-societas", company.Ltd},
	"protected cell company":              {"protected-cell-company", company.Ltd},
	"private unlimited company":           {"private-unlimited", company.NonLtd},
	"private unlimited":                   {"private-unlimited", company.NonLtd},
	"private unlimited, no share capital": {"private-unlimited-nsc", company.NonLtd},
	"limited partnership":                 {"limited-partnership", company.NonLtd},
	"scottish partnership":                {"scottish-partnership", company.NonLtd},
	"royal charter company":               {"royal-charter", company.NonLtd},
	"registered society":                  {"registered-society-non-jurisdictional", company.NonLtd},
	"industrial and provident society":    {"industrial-and-provident-society", company.NonLtd},
	"overseas entity":                     {"registered-overseas-entity", ""},
	"overseas company":                    {"oversea-company", ""},
	"uk establishment":                    {"uk-establishment", ""},
	"other company type":                  {"other", ""},
	"converted/closed":                    {"converted-or-closed", ""},
	"unregistered company":                {"unregistered-company", ""},
	"charitable incorporated organisation": {
		"charitable-incorporated-organisation", company.NonLtd,
	},
	"scottish charitable incorporated organisation": {
		"scottish-charitable-incorporated-organisation", company.NonLtd,
	},
	"european public limited-liability company": {
		"european-public-limited-liability-company-se", company.Ltd,
	},
	"investment company with variable capital": {
		"investment-company-with-variable-capital", company.Ltd,
	},
	"united kingdom economic interest grouping": {"ukeig", company.NonLtd},
	"further education and sixth form college corps": {
		"further-education-or-sixth-form-college-corporation", company.NonLtd,
	},
}

// category is the form and kind of a company by the words of product 217. What
// is not known keeps its words and has no kind.
func category(words string) (company.Form, company.Kind) {
	bare, _, _ := strings.Cut(strings.ToLower(words), "(")
	f := forms[strings.TrimSpace(bare)]
	return company.Form{Code: f.code, Text: words}, f.kind
}

// types183 are the one-character types of product 183, by the words that
// product 217 has for them.
var types183 = map[string]string{
	"1": "Private Unlimited Company",
	"2": "Private Limited Company",
	"3": "Public Limited Company",
	"4": "Old Public Company",
	"5": "PRI/LBG/NSC (Private, Limited by guarantee, no share capital, use of 'Limited' exemption)",
	"6": "Limited Partnership",
	"7": "PRI/LTD BY GUAR/NSC (Private, limited by guarantee, no share capital)",
	"8": "Converted/Closed",
	"9": "Private Unlimited, no share capital",
	"0": "Other company type",
	"A": "PRIV LTD SECT. 30 (Private limited company, section 30 of the Companies Act)",
	"B": "European Public Limited-Liability Company (SE)",
	"C": "Scottish Partnership",
	"D": "Protected Cell Company",
	"E": "Further Education and Sixth Form College Corps",
}

// category183 is the form of a company by the type in product 183, which says
// "other" where the number says more.
func category183(number string, kind string) (company.Form, company.Kind) {
	words := types183[kind]
	switch number[:2] {
	case "OC", "SO", "NC":
		words = "Limited Liability Partnership"
	case "IC", "SI":
		words = "Investment Company with Variable Capital"
	}
	if words == "" {
		return company.Form{}, ""
	}
	return category(words)
}

// accountsKinds are the types of accounts in product 183.
var accountsKinds = map[string]string{
	"1": "full", "2": "small", "3": "medium", "4": "group", "5": "dormant", "6": "interim", "7": "initial",
	"8": "total-exemption-full", "9": "total-exemption-small", "10": "partial-exemption",
	"14": "audit-exemption-subsidiary", "15": "filing-exemption-subsidiary", "16": "micro-entity",
	"17": "audited-abridged", "18": "unaudited-abridged",
}

// accountsKind is the category of accounts in product 217 ("TOTAL EXEMPTION
// FULL") in the publisher's own code for it. None filed is no kind.
func accountsKind(words string) string {
	switch words {
	case "", "NO ACCOUNTS FILED", "ACCOUNTS TYPE NOT AVAILABLE":
		return ""
	}
	return strings.ReplaceAll(strings.ToLower(words), " ", "-")
}

// status is what the words of the publisher mean in ours. Companies that are
// dissolved drop out of the product, so most of what is not active is on its
// way out.
func status(words string) company.Status {
	s := strings.ToLower(words)
	switch s {
	case "":
		return ""
	case "active", "open", "registered":
		return company.Active
	case "dissolved", "closed", "removed", "converted / closed", "converted/closed":
		return company.NonActive
	}
	for _, sign := range []string{
		"strike off", "liquidation", "administrat", "receiver", "voluntary arrangement", "insolvency",
	} {
		if strings.Contains(s, sign) {
			return company.Pending
		}
	}
	return company.Other
}
